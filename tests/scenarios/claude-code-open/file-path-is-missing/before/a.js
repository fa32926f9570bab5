const x = 1
function foo() {
	return x
}
