"""A chain of springs that is fitted to where its end was seen: state in objects, closures, lists.

A small simulation as one writes it in Python: a class with methods that change it, a property, a
function that returns a function, a list that grows, a comprehension. Its derivative is written out
as plain functions.

    python examples/spring_chain.py [STEPS]
"""

import sys
from dataclasses import dataclass

import numpy as np

import tangent_lite as tl


@dataclass
class Chain:
    """Masses in a row, the first one tied to the wall, with springs between them."""

    places: np.ndarray
    speeds: np.ndarray
    time: float = 0.0

    @property
    def stretches(self):
        return np.diff(np.append(0.0, self.places)) - 1.0

    def energy(self, stiffness):
        return 0.5 * np.sum(self.speeds ** 2) + 0.5 * stiffness * np.sum(self.stretches ** 2)

    def step(self, force, dt):
        self.speeds = self.speeds + dt * force(self)
        self.places = self.places + dt * self.speeds
        self.time += dt


def pull_of(stiffness, damping):
    """The force on each mass, as a function of the chain."""

    def force(chain):
        pulls = stiffness * chain.stretches
        return np.append(pulls[1:], 0.0) - pulls - damping * chain.speeds

    return force


def swing(stiffness, damping, steps, dt):
    """Where the end of the chain is at each step."""
    chain = Chain(np.array([1.0, 2.0, 3.5]), np.zeros(3))
    force = pull_of(stiffness, damping)
    ends = []
    for _ in range(steps):
        chain.step(force, dt)
        ends.append(chain.places[-1])
    return np.array([end - 3.0 for end in ends])


def misfit(stiffness, damping, seen, dt):
    """How far the end of the chain swings from where it was seen."""
    return np.mean((swing(stiffness, damping, len(seen), dt) - seen) ** 2)


def main(steps=300):
    dt = 0.02
    seen = swing(4.0, 0.3, steps, dt)       # what a chain of stiffness 4 and damping 0.3 does
    derivative = tl.value_and_grad(misfit, wrt=("stiffness", "damping"))
    print(derivative.source_for(3.8, 0.2, seen, dt))
    tl.check_grads(misfit, (3.8, 0.2, seen, dt), order=1, eps=1e-5)
    print("tl.check_grads(misfit, args): passed in both modes\n")

    # Gauss-Newton: the Jacobian of the whole swing by forward mode, one run for each parameter.
    jacobian = tl.jacfwd(swing, wrt=("stiffness", "damping"))
    x = np.array([3.8, 0.2])
    for iteration in range(6):
        value, slopes = derivative(*x, seen, dt)
        print(f"iteration {iteration}: misfit {value:.3e}, "
              f"stiffness {x[0]:.4f}, damping {x[1]:.4f}")
        J = np.stack(jacobian(*x, steps, dt), axis=1)
        x = x - np.linalg.solve(2.0 * J.T @ J / steps, np.array(slopes))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
