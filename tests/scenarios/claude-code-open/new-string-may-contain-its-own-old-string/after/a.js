const x = 1
function foobar() {
	return x
}
