"""A while loop: its steps are counted, its test is not written again."""


def cube_root(a):
    x = 1.0 + a
    while abs(x * x * x - a) > 1e-12:
        x = x - (x * x * x - a) / (3.0 * x * x)
    return x


FUNCTION = cube_root
ARGS = (2.7,)


# Emitted -----------------------------------------------------------------------------------------
def cube_root_grad(a, bcube_root=1.0):
    """Gradient of cube_root (newton.py:4) with respect to a."""
    # Forward pass
    x = 1.0 + a
    x_tape = []
    while abs(x * x * x - a) > 1e-12:
        x_tape.append(x)
        x = x - (x * x * x - a) / (3.0 * x * x)

    # Backward pass
    bx = bcube_root
    ba = 0.0
    for x in reversed(x_tape):
        # x = x - (x * x * x - a) / (3.0 * x * x)
        x2 = x * x
        t = 3.0 * x * x
        bt = bx / t
        ba += bt
        bx += bt * (6.0 * (x2 * x - a) / t * x - 3.0 * x2)
    # x = 1.0 + a
    ba += bx
    return ba
