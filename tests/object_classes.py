"""Classes of which the objects are held in lists."""
from dataclasses import dataclass

import numpy as np


class Body:
    k = 2.0

    def __init__(self, x, v=0.0, m=1.0):
        self.x = x
        self.v = v
        self.m = m

    def kick(self, a, dt):
        self.v += a * dt

    def drift(self, dt):
        self.x += self.v * dt

    def force(self, other):
        d = other.x - self.x
        return other.m * d / (d * d + 0.1) ** 1.5

    @property
    def energy(self):
        return 0.5 * self.m * self.v ** 2


@dataclass
class Particle:
    x: float
    v: float = 0.0
    m: float = 1.0
    a: float = 0.0


@dataclass
class Cell:
    T: float
    q: float = 0.0
    name: str = ""


@dataclass
class Grid:
    x: object
    n: int = 0


class World:

    def __init__(self, xs):
        self.bodies = [Body(x, 0.0, 1.0) for x in xs]
        self.t = 0.0

    def step(self, dt):
        for i, b in enumerate(self.bodies):
            for j, c in enumerate(self.bodies):
                if i != j:
                    b.v += dt * b.force(c)
        for b in self.bodies:
            b.drift(dt)
        self.t += dt


class G:
    k = 2.0
    scale = 0.5

    def __init__(self, x):
        self.x = x

    def up(self):
        self.x *= self.k + G.scale


class Sim:

    def __init__(self, xs):
        self.ps = []
        for x in xs:
            self.add(x)

    def add(self, x):
        self.ps.append(Body(x, 0.0, 1.0))

    def energy(self):
        return sum((p.v ** 2 + p.x ** 2 for p in self.ps))

    def run(self, n):
        for i in range(n):
            for p in self.ps:
                p.kick(-p.x, 0.1)
                p.drift(0.1)


class Part:

    def __init__(self, pos, vel):
        self.pos = np.array(pos)
        self.vel = vel

    def step(self, f, dt):
        self.vel = self.vel + dt * f
        self.pos += dt * self.vel


class Sys:

    def __init__(self, xs):
        self.cells = [Cell(x) for x in xs]
        self.t = 0.0
        self.log = []

    def flux(self, i):
        return self.cells[i + 1].T - self.cells[i].T

    def step(self, dt):
        for i in range(len(self.cells) - 1):
            f = self.flux(i)
            self.cells[i].q += f
            self.cells[i + 1].q -= f
        for c in self.cells:
            c.T += dt * c.q
            c.q = 0.0
        self.t += dt
        self.log.append(sum((c.T for c in self.cells)) * self.t)


class Layer:

    def __init__(self, W, b):
        self.W = W
        self.b = b
        self.a = None
        self.gW = None

    def forward(self, x):
        self.x = x
        self.a = np.tanh(self.W @ x + self.b)
        return self.a

    def step(self, lr):
        self.W = self.W - lr * self.gW
