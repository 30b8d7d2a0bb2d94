"""A while loop: its steps are counted, its test is not written again."""

def cube_root(a):
    x = 1.0 + a
    while abs(x * x * x - a) > 1e-12:
        x = x - (x * x * x - a) / (3.0 * x * x)
    return x


FUNCTION = cube_root
ARGS = (2.7,)
