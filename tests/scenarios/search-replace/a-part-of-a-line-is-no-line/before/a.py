xx = 1
