DEBUG = False
X = 1
DEBUG = False
