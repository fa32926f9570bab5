def hello(name):
    print('hi')


def bye():
    print('bye')
