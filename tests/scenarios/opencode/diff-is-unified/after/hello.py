def hello():
    print('hello')


def bye():
    print('bye')
