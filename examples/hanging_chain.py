"""A hanging chain put together of parts of several classes, and what each part does to its shape.

Springs, weights and a floor each have an energy of their own, in a class of their own, and all of
them are one list: `for part in parts: total += part.energy(p)`. The chain comes to rest where the
energy is least, found by its gradient by the places of the nodes. The gradient by the *parts* is a
list of such parts: how the energy changes with each stiffness, length and mass.

    python examples/hanging_chain.py [STEPS]
"""

import sys
from dataclasses import dataclass

import numpy as np

import tangent_lite as tl


@dataclass
class Spring:
    """Between two nodes."""
    one: int
    other: int
    stiffness: float
    length: float

    def energy(self, p):
        apart = p[self.one] - p[self.other]
        stretched = np.sqrt(apart @ apart) - self.length
        return 0.5 * self.stiffness * stretched**2


@dataclass
class Weight:
    """On one node."""
    node: int
    mass: float
    gravity = 9.81

    def energy(self, p):
        return self.mass * self.gravity * p[self.node, 1]


@dataclass
class Floor:
    """Pushes back what is below it."""
    height: float
    stiffness: float

    def energy(self, p):
        deep = np.minimum(p[:, 1] - self.height, 0.0)
        return 0.5 * self.stiffness * np.sum(deep**2)


@dataclass
class Pin:
    """Holds a node at its place."""
    node: int
    place: np.ndarray
    stiffness: float = 1e3

    def energy(self, p):
        apart = p[self.node] - self.place
        return 0.5 * self.stiffness * (apart @ apart)


def energy(parts, p):
    """The energy of a chain whose nodes are at the places p (nodes x 2)."""
    total = 0.0
    for part in parts:
        total += part.energy(p)
    return total


def chain(nodes):
    """A chain between two pins, with a heavy node in its middle and a floor below."""
    parts = [Pin(0, np.array([0.0, 0.0])), Pin(nodes - 1, np.array([3.0, 0.0])), Floor(-1.2, 200.0)]
    for k in range(nodes - 1):
        parts += [Spring(k, k + 1, 80.0, 4.5 / nodes), Weight(k, 0.1)]
    return [*parts, Weight(nodes // 2, 1.0)]


def main(steps):
    nodes = 9
    parts = chain(nodes)
    p = np.stack([np.linspace(0.0, 3.0, nodes), -0.5 * np.sin(np.linspace(0.0, np.pi, nodes))], 1)
    by_place = tl.value_and_grad(energy, wrt="p")
    print(by_place.source_for(parts, p))
    tl.check_grads(lambda p: energy(parts, p), (p,), order=1)
    print("checked against finite differences: passed")
    for _ in range(steps):
        value, slope = by_place(parts, p)
        p = p - 8e-4 * slope
    print(f"at rest: energy {value:.4f}, slope {np.max(np.abs(slope)):.1e}, "
          f"the middle hangs at {p[nodes // 2, 1]:.3f}")
    by_part = tl.grad(energy)(parts, p)
    print(f"by the height of the floor: {by_part[2].height:.3f}, "
          f"by the last weight: {by_part[-1].mass:.3f}, "
          f"by the length of the first spring: {by_part[3].length:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4000)
