"""Branches: the condition is kept, each branch has its adjoint."""

def huber(r, delta):
    if abs(r) <= delta:
        loss = 0.5 * r * r
    else:
        loss = delta * (abs(r) - 0.5 * delta)
    return loss


FUNCTION = huber
ARGS = (-1.7, 0.8)
