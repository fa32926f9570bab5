// Calculate total price
function calculateTotal(items) {
}
const t = calculateTotal(cart.items)
