"""Programs with classes, helpers and closures, of which the first call of a gradient is timed: a
filter, a recurrent net, planets, and a Gaussian process. Each has its arguments beside it.
"""

import math
from dataclasses import dataclass

import numpy as np


# An unscented Kalman filter, which keeps what it knows ---------------------------------------
class Filter:
    def __init__(self, mean, cov, alpha=0.5, kappa=0.0, beta=2.0):
        self.mean, self.cov = mean, cov
        self.alpha, self.kappa, self.beta = alpha, kappa, beta
        self.likelihood = 0.0

    def weights(self):
        n = len(self.mean)
        spread = self.alpha**2 * (n + self.kappa) - n
        of_mean = np.full(2 * n + 1, 0.5 / (n + spread))
        of_cov = of_mean.copy()
        of_mean[0] = spread / (n + spread)
        of_cov[0] = of_mean[0] + 1.0 - self.alpha**2 + self.beta
        return of_mean, of_cov, spread

    def points(self):
        n = len(self.mean)
        _, _, spread = self.weights()
        root = np.linalg.cholesky((n + spread) * self.cov)
        points = [self.mean]
        for k in range(n):
            points.append(self.mean + root[:, k])
        for k in range(n):
            points.append(self.mean - root[:, k])
        return np.array(points)

    def predict(self, move, noise):
        of_mean, of_cov, _ = self.weights()
        moved = np.array([move(p) for p in self.points()])
        self.mean = of_mean @ moved
        away = moved - self.mean
        self.cov = (of_cov[:, None] * away).T @ away + noise

    def update(self, measure, z, noise):
        of_mean, of_cov, _ = self.weights()
        points = self.points()
        seen = np.array([measure(p) for p in points])
        expected = of_mean @ seen
        dz, dx = seen - expected, points - self.mean
        s = (of_cov[:, None] * dz).T @ dz + noise
        gain = np.linalg.solve(s, ((of_cov[:, None] * dx).T @ dz).T).T
        innovation = z - expected
        self.mean = self.mean + gain @ innovation
        self.cov = self.cov - gain @ s @ gain.T
        _, logdet = np.linalg.slogdet(s)
        self.likelihood -= 0.5 * (logdet + innovation @ np.linalg.solve(s, innovation))


def tracking(noise, drag, measured, dt):
    def move(p):
        return np.array([p[0] + dt * p[2], p[1] + dt * p[3], p[2] - dt * drag * p[2],
                         p[3] - dt * (drag * p[3] + 9.81)])

    def measure(p):
        return np.array([np.sqrt(p[0]**2 + p[1]**2), np.arctan2(p[1], p[0])])

    known = Filter(np.array([1.0, 1.0, 3.0, 5.0]), np.eye(4))
    for z in measured:
        known.predict(move, noise["process"] * np.eye(4))
        known.update(measure, z, noise["measure"] * np.eye(2))
    return -known.likelihood


def of_tracking():
    t = np.arange(1, 6) * 0.1
    x, y = 1 + 3 * t, 1 + 5 * t - 4.9 * t**2
    measured = np.stack([np.hypot(x, y), np.arctan2(y, x)], 1)
    return {"process": 0.01, "measure": 0.1}, 0.1, measured, 0.1


# A recurrent net of gated cells ----------------------------------------------------------------
class Gate:
    def __init__(self, w, u, b):
        self.w, self.u, self.b = w, u, b

    def __call__(self, x, h):
        return x @ self.w + h @ self.u + self.b


class Cell:
    def __init__(self, rng, i, h):
        self.z, self.r, self.n = (
            Gate(rng.normal(size=(i, h)), rng.normal(size=(h, h)), np.zeros(h)) for _ in range(3))

    def step(self, x, h):
        z, r = sigmoid(self.z(x, h)), sigmoid(self.r(x, h))
        return (1 - z) * np.tanh(self.n(x, r * h)) + z * h


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


class Recurrent:
    def __init__(self, rng):
        self.cells = [Cell(rng, 2, 3), Cell(rng, 3, 3)]
        self.head = rng.normal(size=3)

    def __call__(self, xs):
        hs = [np.zeros(3) for _ in self.cells]
        out = []
        for x in xs:
            for k, cell in enumerate(self.cells):
                x = hs[k] = cell.step(x, hs[k])
            out.append(x @ self.head)
        return np.array(out)


def forecast(net, xs, ys):
    return np.mean((net(xs) - ys)**2)


def of_forecast():
    rng = np.random.default_rng(0)
    return Recurrent(rng), rng.normal(size=(6, 2)), rng.normal(size=6)


# Planets, as objects in objects ----------------------------------------------------------------
@dataclass
class State:
    at: np.ndarray
    speed: np.ndarray


@dataclass
class Body:
    mass: float
    state: State


def pull(bodies, k):
    total = np.zeros(2)
    for j, other in enumerate(bodies):
        if j != k:
            d = other.state.at - bodies[k].state.at
            total = total + other.mass * d / (d @ d + 1e-3)**1.5
    return total


def leap(bodies, dt):
    half = [State(b.state.at, b.state.speed + 0.5 * dt * pull(bodies, k))
            for k, b in enumerate(bodies)]
    moved = [Body(b.mass, State(s.at + dt * s.speed, s.speed)) for b, s in zip(bodies, half)]
    return [Body(b.mass, State(b.state.at, b.state.speed + 0.5 * dt * pull(moved, k)))
            for k, b in enumerate(moved)]


def energy(bodies):
    total = 0.0
    for i, b in enumerate(bodies):
        total += 0.5 * b.mass * (b.state.speed @ b.state.speed)
        for c in bodies[:i]:
            total -= b.mass * c.mass / np.linalg.norm(b.state.at - c.state.at)
    return total


def orbit(masses, places, speeds, steps):
    bodies = [Body(m, State(p, v)) for m, p, v in zip(masses, places, speeds)]
    start = energy(bodies)
    for _ in range(steps):
        bodies = leap(bodies, 0.01)
    miss = bodies[-1].state.at - np.array([1.0, 0.5])
    return miss @ miss + 0.1 * (energy(bodies) - start)**2


def of_orbit():
    return ([1.0, 0.1, 0.05], [np.zeros(2), np.array([1.0, 0.0]), np.array([0.0, 1.5])],
            [np.zeros(2), np.array([0.0, 1.0]), np.array([-0.8, 0.0])], 4)


# A Gaussian process, with kernels that hold kernels --------------------------------------------
class Smooth:
    def __init__(self, length, scale):
        self.length, self.scale = length, scale

    def __call__(self, a, b):
        return self.scale**2 * np.exp(-0.5 * ((a[:, None] - b[None, :]) / self.length)**2)


class Periodic:
    def __init__(self, period):
        self.period = period

    def __call__(self, a, b):
        return np.exp(-2.0 * np.sin(np.pi * (a[:, None] - b[None, :]) / self.period)**2)


class Sum:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def __call__(self, a, b):
        return self.left(a, b) + self.right(a, b)


def process(known, x, y):
    kernel = Sum(Smooth(math.exp(known["length"]), math.exp(known["scale"])),
                 Periodic(math.exp(known["period"])))
    root = np.linalg.cholesky(kernel(x, x) + math.exp(known["noise"]) * np.eye(len(x)))
    white = np.linalg.solve(root, y)
    return 0.5 * white @ white + np.sum(np.log(np.diag(root)))


def of_process():
    x = np.linspace(0.0, 3.0, 7)
    return {"length": 0.1, "scale": 0.0, "period": 0.2, "noise": -1.0}, x, np.sin(x)
