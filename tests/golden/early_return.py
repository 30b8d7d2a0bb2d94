"""A return in a loop: one flag tells the backward pass which way it was left."""

def escape(x, y, n):
    for i in range(n):
        if x * x + y * y > 4.0:
            return x * y
        x, y = x * x - y * y + 0.3, 2.0 * x * y + 0.6
    return x


FUNCTION = escape
ARGS = (0.9, 0.4, 20)
WRT = ("x", "y")
