"""Names of the user's that are ours by habit: ours step aside."""

def taken(x, bx, tape):
    x_tape = x * bx
    for t in range(tape):
        bx = bx * x_tape
    return bx


FUNCTION = taken
ARGS = (0.7, 1.3, 3)
WRT = ("x", "bx")
