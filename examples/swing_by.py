"""A probe that is aimed at a target past two moons: bodies as objects in a list.

The bodies pull at each other and move by their methods, and are found by loops and slices. The
derivative is written out with a list for each attribute: `bodies_x[i]`, `bodies_vx[i]`.

    python examples/swing_by.py [STEPS]
"""

import sys

import numpy as np

import tangent_lite as tl


class Body:
    """A mass in the plane, in units of the planet's mass and of the distance of the first moon."""

    def __init__(self, m, x, y, vx, vy):
        self.m, self.x, self.y, self.vx, self.vy = m, x, y, vx, vy

    def attract(self, other, dt):
        """Pull at another body, and be pulled."""
        dx, dy = other.x - self.x, other.y - self.y
        pull = dt / (dx * dx + dy * dy + 1e-3) ** 1.5
        self.vx += pull * other.m * dx
        self.vy += pull * other.m * dy
        other.vx -= pull * self.m * dx
        other.vy -= pull * self.m * dy

    def move(self, dt):
        self.x += dt * self.vx
        self.y += dt * self.vy


def miss(start, steps, dt=0.01):
    """The square of the distance from (0, 2) at which a probe arrives; start: its velocity."""
    bodies = [Body(1.0, 0.0, 0.0, 0.0, 0.0), Body(1e-2, 1.0, 0.0, 0.0, 1.0),
              Body(1e-2, -1.5, 0.0, 0.0, -0.8)]
    probe = Body(1e-9, 0.5, 0.5, start[0], start[1])
    bodies.append(probe)
    for _ in range(steps):
        for i, body in enumerate(bodies):
            for other in bodies[i + 1:]:
                body.attract(other, dt)
        for body in bodies:
            body.move(dt)
    return probe.x ** 2 + (probe.y - 2.0) ** 2


def main(steps):
    derivative = tl.value_and_grad(miss)
    start = np.array([0.3, 1.6])
    derivative(start, steps)
    print(derivative.source)
    tl.check_grads(lambda start: miss(start, steps), (start,), order=1)
    print("checked against finite differences: passed")
    for iteration in range(8):
        value, slope = derivative(start, steps)
        print(f"iteration {iteration}: missed by {np.sqrt(value):.2e}")
        # The distance would be zero there if it went down as it does here.
        start = start - 2.0 * value * slope / (slope @ slope)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 150)
