// New file content
function greeting() {
  return 'Hello';
}