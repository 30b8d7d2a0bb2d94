"""A list that grows in a loop, and is read: it records what it holds."""

import math


def trajectory(x, k, n):
    xs = [x]
    for i in range(n):
        xs.append(k * math.sin(xs[i]))
    total = 0.0
    for v in xs:
        total = total + v * v
    return total


FUNCTION = trajectory
ARGS = (0.4, 1.3, 4)
WRT = ("x", "k")


# Emitted -----------------------------------------------------------------------------------------
# Refused, for now:
# tests/golden/lists.py:9: x comes from outside and is changed by this call
#     9 |         xs.append(k * math.sin(xs[i]))
#       |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#     Instead: copy it first, and change the copy
