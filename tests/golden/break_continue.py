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


# Emitted -----------------------------------------------------------------------------------------
import numpy as np


def positive_work_grad(forces, dx, limit, bpositive_work=1.0):
    """Gradient of positive_work (break_continue.py:6) with respect to forces, dx."""
    # Forward pass
    work = 0.0
    n_steps = 0
    work_tape = []
    dx_tape = []
    for force in forces:
        n_steps += 1
        if not force < 0.0:
            work_tape.append(work)
            work = work + force * force * dx
            if work > limit:
                break
            dx_tape.append(dx)
            dx = dx * force

    # Backward pass
    # return work * dx
    bwork = bpositive_work * dx
    bdx = bpositive_work * work
    bforces = np.zeros_like(forces)
    for k in range(n_steps - 1, -1, -1):
        force = forces[k]
        bforce = 0.0
        if not force < 0.0:
            if not work > limit:
                dx = dx_tape.pop()
                # dx = dx * force
                bforce = bdx * dx
                bdx = bdx * force
            work = work_tape.pop()
            # work = work + force * force * dx
            bdx += bwork * (force * force)
            bforce += 2.0 * bwork * dx * force
        # for force in forces:
        bforces[k] = bforce
    return bforces, bdx
