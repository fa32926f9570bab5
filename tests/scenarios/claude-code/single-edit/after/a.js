function oldName1() {
  return 1;
}

function newName2() {
  return oldName1();
}
