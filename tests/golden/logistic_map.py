"""A recurrence: one tape, of the one value that the slope reads."""

def logistic(r, x, n):
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x


FUNCTION = logistic
ARGS = (3.4, 0.3, 7)
WRT = ("r", "x")
