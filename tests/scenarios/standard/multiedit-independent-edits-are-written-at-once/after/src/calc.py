# Returns the sum of two numbers.
def add(a, b):
    return a + b

LIMIT = 20
