# Adds two numbers.
def plus(a, b):
    return a + b

LIMIT = 10
