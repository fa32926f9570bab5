function n() {
  return 1;
}

function oldName2() {
  return n();
}
