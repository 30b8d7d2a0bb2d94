"""A recurrence: one tape, of the one value that the slope reads."""


def logistic(r, x, n):
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x


FUNCTION = logistic
ARGS = (3.4, 0.3, 7)
WRT = ("r", "x")


# Emitted -----------------------------------------------------------------------------------------
def logistic_grad(r, x, n, blogistic=1.0):
    """Gradient of logistic (logistic_map.py:4) with respect to r, x."""
    # Forward pass
    x_tape = []
    for _ in range(n):
        x_tape.append(x)
        x = r * x * (1.0 - x)

    # Backward pass
    bx = blogistic
    br = 0.0
    for x in reversed(x_tape):
        # x = r * x * (1.0 - x)
        brx = bx * (1.0 - x)
        bx = r * (brx - bx * x)
        br += brx * x
    return br, bx
