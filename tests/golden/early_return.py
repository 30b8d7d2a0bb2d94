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


# Emitted -----------------------------------------------------------------------------------------
def escape_grad(x, y, n, bescape=1.0):
    """Gradient of escape (early_return.py:4) with respect to x, y."""
    # Forward pass
    returned = False
    x_tape = []
    y_tape = []
    for i in range(n):
        x_tape.append(x)
        y_tape.append(y)
        cond = x * x + y * y > 4.0
        if cond:
            returned = True
            break
        x_1 = x * x - y * y + 0.3
        y = 2.0 * x * y + 0.6
        x = x_1

    # Backward pass
    bx = 0.0
    if not returned:
        # return x
        bx = bescape
        bescape = 0.0
    by = 0.0
    for i in range(len(x_tape) - 1, -1, -1):
        y = y_tape.pop()
        x = x_tape.pop()
        if cond:
            # return x * y
            bx += bescape * y
            by += bescape * x
            bescape = 0.0
        else:
            # x, y = x * x - y * y + 0.3, 2.0 * x * y + 0.6
            bx_1 = bx
            bx = 2.0 * by * y + 2.0 * bx_1 * x
            by = 2.0 * by * x - 2.0 * bx_1 * y
        cond = False
    return bx, by
