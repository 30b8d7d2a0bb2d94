"""Names of the user's that are ours by habit: ours step aside."""


def taken(x, bx, tape):
    x_tape = x * bx
    for t in range(tape):
        bx = bx * x_tape
    return bx


FUNCTION = taken
ARGS = (0.7, 1.3, 3)
WRT = ("x", "bx")


# Emitted -----------------------------------------------------------------------------------------
def taken_grad(x, bx, tape, btaken=1.0):
    """Gradient of taken (taken_names.py:4) with respect to x, bx."""
    # Forward pass
    x_tape = x * bx
    bx_tape_1 = []
    for t in range(tape):
        bx_tape_1.append(bx)
        bx = bx * x_tape

    # Backward pass
    bbx = btaken
    bx_tape = 0.0
    for bx in reversed(bx_tape_1):
        # bx = bx * x_tape
        bx_tape += bbx * bx
        bbx = bbx * x_tape
    # x_tape = x * bx
    bx_1 = bx_tape * bx
    bbx += bx_tape * x
    return bx_1, bbx
