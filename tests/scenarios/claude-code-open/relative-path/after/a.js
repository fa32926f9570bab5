const x = 1
function bar() {
	return x
}
