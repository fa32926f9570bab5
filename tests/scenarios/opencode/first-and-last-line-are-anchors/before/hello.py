import x

def total(items):
    result = 0
    for each in items:
        result += each.price
    return result

end()
