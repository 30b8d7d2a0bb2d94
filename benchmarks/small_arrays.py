"""Compiled loops over vectors of two and three and matrices of two by two: gradients over those by
hand, in which all is numbers.

    python benchmarks/small_arrays.py [--rounds N]

Times over the time of the gradient by hand under `numba.njit`: of `tl.grad` and `tl.value_and_grad`
with backend="numba", and of the function under njit, as it is written. Minima of rounds that take
turns; the gradients must agree first.
"""
import argparse
import functools
import math
import time

import numba
import numpy as np

import tangent_lite as tl


def rates(y, p):
    infected = p[0] * y[0] * y[1]
    recovered = p[1] * y[1]
    return np.array([-infected, infected - recovered, recovered])


def epidemic(p, n, h):
    """Steps of Euler's method with rates from a helper."""
    y = np.array([0.99, 0.01, 0.0])
    loss = 0.0
    for _ in range(n):
        y = y + h * rates(y, p)
        loss += (y[1] - 0.1) ** 2
    return loss


@numba.njit
def epidemic_by_hand(p, n, h):
    a, b = p
    s, i = 0.99, 0.01
    tape = np.empty((n, 2))
    for k in range(n):
        tape[k, 0], tape[k, 1] = s, i
        new = a * s * i
        s, i = s - h * new, i + h * (new - b * i)
    ba = bb = bs = bi = 0.0
    for k in range(n - 1, -1, -1):
        bi += 2.0 * (i - 0.1)
        s, i = tape[k]
        bnew = h * (bi - bs)
        bb -= h * i * bi
        bi -= h * b * bi
        ba += s * i * bnew
        bs += a * i * bnew
        bi += a * s * bnew
    return np.array([ba, bb])


def arm(angles, lengths):
    """The tips of a chain of links, turned one after the other by matrices."""
    tip = np.array([0.0, 0.0])
    R = np.eye(2)
    cost = 0.0
    for k in range(len(angles)):
        c, s = np.cos(angles[k]), np.sin(angles[k])
        R = R @ np.array([[c, -s], [s, c]])
        tip = tip + R @ np.array([lengths[k], 0.0])
        cost += np.sum((tip - np.array([1.0, 2.0])) ** 2)
    return cost


@numba.njit
def arm_by_hand(angles, lengths):
    n = len(angles)
    turned = np.cumsum(angles)
    x = y = 0.0
    apart = np.empty((n, 2))
    for k in range(n):
        x += lengths[k] * math.cos(turned[k])
        y += lengths[k] * math.sin(turned[k])
        apart[k, 0], apart[k, 1] = x - 1.0, y - 2.0
    found = np.empty(n)
    bx = by = bangle = 0.0
    for k in range(n - 1, -1, -1):
        bx += 2.0 * apart[k, 0]
        by += 2.0 * apart[k, 1]
        bangle += lengths[k] * (by * math.cos(turned[k]) - bx * math.sin(turned[k]))
        found[k] = bangle
    return found


def pairs(pos, box):
    """Lennard-Jones energies in a periodic box."""
    energy = 0.0
    for i in range(pos.shape[0]):
        for j in range(i + 1, pos.shape[0]):
            d = pos[i] - pos[j]
            d = d - box * np.round(d / box)
            s6 = (1.0 / np.sum(d * d)) ** 3
            energy += 4.0 * (s6 * s6 - s6)
    return energy


@numba.njit
def pairs_by_hand(pos, box):
    found = np.zeros_like(pos)
    for i in range(pos.shape[0]):
        for j in range(i + 1, pos.shape[0]):
            dx, dy, dz = pos[i, 0] - pos[j, 0], pos[i, 1] - pos[j, 1], pos[i, 2] - pos[j, 2]
            dx -= box * np.round(dx / box)
            dy -= box * np.round(dy / box)
            dz -= box * np.round(dz / box)
            inverse = 1.0 / (dx * dx + dy * dy + dz * dz)
            s6 = inverse * inverse * inverse
            slope = -24.0 * (2.0 * s6 * s6 - s6) * inverse
            for axis, d in enumerate((dx, dy, dz)):
                found[i, axis] += slope * d
                found[j, axis] -= slope * d
    return found


def by_axes(pos, box):
    """Inverse squares of distances, axis by axis."""
    energy = 0.0
    for i in range(pos.shape[0]):
        for j in range(i + 1, pos.shape[0]):
            d = np.zeros(3)
            square = 0.0
            for k in range(3):
                d[k] = pos[i, k] - pos[j, k]
                d[k] -= box * round(d[k] / box)
                square += d[k] ** 2
            energy += 1.0 / square
    return energy


@numba.njit
def by_axes_by_hand(pos, box):
    found = np.zeros_like(pos)
    for i in range(pos.shape[0]):
        for j in range(i + 1, pos.shape[0]):
            dx, dy, dz = pos[i, 0] - pos[j, 0], pos[i, 1] - pos[j, 1], pos[i, 2] - pos[j, 2]
            dx -= box * round(dx / box)
            dy -= box * round(dy / box)
            dz -= box * round(dz / box)
            inverse = 1.0 / (dx * dx + dy * dy + dz * dz)
            slope = -2.0 * inverse * inverse
            for axis, d in enumerate((dx, dy, dz)):
                found[i, axis] += slope * d
                found[j, axis] -= slope * d
    return found


def springs(x, links, rest):
    """Springs between the points that a table names."""
    energy = 0.0
    for k in range(links.shape[0]):
        d = x[links[k, 0]] - x[links[k, 1]]
        energy += (np.sqrt(np.dot(d, d)) - rest[k]) ** 2
    return energy


@numba.njit
def springs_by_hand(x, links, rest):
    found = np.zeros_like(x)
    for k in range(links.shape[0]):
        i, j = links[k]
        dx, dy, dz = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        slope = 2.0 * (length - rest[k]) / length
        for axis, d in enumerate((dx, dy, dz)):
            found[i, axis] += slope * d
            found[j, axis] -= slope * d
    return found


def cases():
    generator = np.random.default_rng(0)
    links = np.array([(i, j) for i in range(60) for j in range(i + 1, 60) if (i * j) % 3 == 1])
    yield epidemic, epidemic_by_hand, (np.array([0.4, 0.1]), 2000, 0.1)
    yield arm, arm_by_hand, (generator.normal(size=200), generator.uniform(0.5, 1.0, 200))
    yield pairs, pairs_by_hand, (generator.uniform(0.0, 4.0, (60, 3)), 4.0)
    yield by_axes, by_axes_by_hand, (generator.uniform(0.0, 4.0, (60, 3)), 4.0)
    yield springs, springs_by_hand, (generator.normal(size=(60, 3)), links, np.ones(len(links)))


def fastest(contenders, args, rounds):
    """The shortest time of each, over rounds that take turns."""
    best = dict.fromkeys(contenders, math.inf)
    for _ in range(rounds):
        for name, run in contenders.items():
            start = time.perf_counter()
            run(*args)
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    print("Times over the time of the gradient by hand under njit.")
    print(f"{'loop':10s}{'grad':>8s}{'value and grad':>16s}{'function':>10s}")
    for function, by_hand, args in cases():
        derive = functools.partial(tl.grad, backend="numba")
        contenders = {"hand": by_hand, "grad": derive(function),
                      "both": tl.value_and_grad(function, backend="numba"),
                      "function": numba.njit(function) if function is not epidemic
                      else _compiled_epidemic}
        if not np.allclose(contenders["grad"](*args), by_hand(*args), rtol=1e-8):
            raise SystemExit(f"{function.__name__}: the gradients disagree")
        best = fastest(contenders, args, rounds)
        grad, both, alone = (best[name] / best["hand"] for name in ("grad", "both", "function"))
        print(f"{function.__name__:10s}{grad:8.2f}{both:16.2f}{alone:10.2f}", flush=True)


_compiled_rates = numba.njit(rates)


@numba.njit
def _compiled_epidemic(p, n, h):
    y = np.array([0.99, 0.01, 0.0])
    loss = 0.0
    for _ in range(n):
        y = y + h * _compiled_rates(y, p)
        loss += (y[1] - 0.1) ** 2
    return loss


if __name__ == "__main__":
    main()
