const x = 2
function bar() {
	return x
}
