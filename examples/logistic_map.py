"""How fast does chaos forget? The Lyapunov exponent of the logistic map from its derivative.

    python examples/logistic_map.py [STEPS]

Two starting points a small distance e apart are e * |dx_n/dx_0| apart after n steps. The average
growth of that distance per step, log|dx_n/dx_0| / n, is positive where the map is chaotic.
"""

import math
import sys

import tangent_lite as tl


def logistic_map(r, x, n):
    for i in range(n):
        x = r * x * (1.0 - x)
    return x


def main(steps=1000):
    derivative = tl.grad(logistic_map, wrt=("r", "x"))
    print(derivative.source_for(3.5, 0.3, steps))

    print(f"growth of a small distance per step, over {steps} steps")
    for r in (2.8, 3.2, 3.5, 3.7, 3.9, 4.0):
        _, bx = derivative(r, 0.3, steps)
        # A very stable orbit shrinks distances below the smallest float.
        growth = math.log(abs(bx)) / steps if bx else -math.inf
        print(f"  r = {r}: {growth:+8.4f}   {'chaotic' if growth > 0 else 'settles'}")
    print(f"known in closed form at r = 4: log 2 = {math.log(2):.4f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
