"""break and continue: the backward pass mirrors branches, and jumps nowhere."""

import numpy as np


def positive_work(forces, dx, limit):
    work = 0.0
    for force in forces:
        if force < 0.0:
            continue
        work = work + force * force * dx
        if work > limit:
            break
        dx = dx * force
    return work * dx


FUNCTION = positive_work
ARGS = (np.array([0.5, -1.2, 0.8, 1.7, 0.4]), 0.9, 1.0)
WRT = ("forces", "dx")
