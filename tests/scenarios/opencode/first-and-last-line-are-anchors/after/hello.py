import x

def total(items):
    return sum(item.cost for item in items)
    # done
    # really
    return result

end()
