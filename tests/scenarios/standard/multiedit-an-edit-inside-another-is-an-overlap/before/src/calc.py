# Adds two numbers.
def add(a, b):
    return a + b

LIMIT = 10
