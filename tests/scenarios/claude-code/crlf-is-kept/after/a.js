a
B
C
D
