// Compute total price using new algorithm
function computeTotalPrice(items) {
}
const t = computeTotalPrice(cart.items)
