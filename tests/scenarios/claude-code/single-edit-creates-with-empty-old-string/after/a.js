function oldName1() {
  return 1;
}

function oldName2() {
  return oldName1();
}
