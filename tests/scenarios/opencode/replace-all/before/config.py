DEBUG = True
X = 1
DEBUG = True
