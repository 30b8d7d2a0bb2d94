"""Lists of numbers, of rows and of objects, as people write them: gradients over those by hand.

    python benchmarks/lists.py [--rounds N]

Times over the time of the function: of the gradient by hand, which takes the lists apart as the
function does, and of tl.grad. Minima of rounds that take turns; the gradients must agree first.
"""
import argparse
import math
import random
import time

import tangent_lite as tl


def energy(points, softening):
    """The potential of pairs of points, each a list of three numbers."""
    total = 0.0
    for i in range(len(points)):
        for j in range(i + 1, len(points)):
            dx = points[i][0] - points[j][0]
            dy = points[i][1] - points[j][1]
            dz = points[i][2] - points[j][2]
            total -= 1.0 / math.sqrt(dx * dx + dy * dy + dz * dz + softening)
    return total


def energy_by_hand(points, softening):
    bpoints = [[0.0] * len(point) for point in points]
    for i in range(len(points)):
        for j in range(i + 1, len(points)):
            dx = points[i][0] - points[j][0]
            dy = points[i][1] - points[j][1]
            dz = points[i][2] - points[j][2]
            square = dx * dx + dy * dy + dz * dz + softening
            slope = 1.0 / (square * math.sqrt(square))
            for axis, step in enumerate((dx, dy, dz)):
                bpoints[i][axis] += slope * step
                bpoints[j][axis] -= slope * step
    return bpoints


def smoothed(values, rate):
    """The mean of the squares of numbers that are smoothed one after the other, in a list."""
    found = []
    state = values[0]
    for value in values:
        state = rate * value + (1.0 - rate) * state
        found.append(state * state)
    return sum(found) / len(found)


def smoothed_by_hand(values, rate):
    states = [values[0]]
    for value in values:
        states.append(rate * value + (1.0 - rate) * states[-1])
    bvalues = [0.0] * len(values)
    bstate = 0.0
    for k in range(len(values) - 1, -1, -1):
        bstate += 2.0 * states[k + 1] / len(values)
        bvalues[k] = rate * bstate
        bstate *= 1.0 - rate
    bvalues[0] += bstate
    return bvalues


def option(price, up, rate):
    """The value of an option on a binomial tree: each column is a list made of the one behind."""
    n = 40
    values = [max(price * up ** (2 * j - n) - 1.0, 0.0) for j in range(n + 1)]
    for i in range(n, 0, -1):
        values = [rate * (0.55 * values[j + 1] + 0.45 * values[j]) for j in range(i)]
    return values[0]


def option_by_hand(price, up, rate):
    n = 40
    powers = [up ** (2 * j - n) for j in range(n + 1)]
    columns = [[max(price * power - 1.0, 0.0) for power in powers]]
    for i in range(n, 0, -1):
        values = columns[-1]
        columns.append([rate * (0.55 * values[j + 1] + 0.45 * values[j]) for j in range(i)])
    bvalues, brate = [1.0], 0.0
    for values in reversed(columns[:-1]):
        before = [0.0] * len(values)
        for j, b in enumerate(bvalues):
            brate += b * (0.55 * values[j + 1] + 0.45 * values[j])
            before[j + 1] += 0.55 * rate * b
            before[j] += 0.45 * rate * b
        bvalues = before
    bprice = bup = 0.0
    for j, (b, power, value) in enumerate(zip(bvalues, powers, columns[0])):
        if value > 0.0:
            bprice += b * power
            bup += b * price * (2 * j - n) * power / up
    return bprice, bup, brate


def warped(one, other):
    """The distance of two series under the best alignment: a table, written element by element."""
    n, m = len(one), len(other)
    table = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        table[i][0] = 1e9
    for j in range(1, m + 1):
        table[0][j] = 1e9
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (one[i - 1] - other[j - 1]) ** 2
            table[i][j] = cost + min(table[i - 1][j], table[i][j - 1], table[i - 1][j - 1])
    return table[n][m]


def warped_by_hand(one, other):
    n, m = len(one), len(other)
    table = [[1e9] * (m + 1) for _ in range(n + 1)]
    table[0][0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (one[i - 1] - other[j - 1]) ** 2
            table[i][j] = cost + min(table[i - 1][j], table[i][j - 1], table[i - 1][j - 1])
    btable = [[0.0] * (m + 1) for _ in range(n + 1)]
    btable[n][m] = 1.0
    bone, bother = [0.0] * n, [0.0] * m
    for i in range(n, 0, -1):
        for j in range(m, 0, -1):
            b = btable[i][j]
            if table[i - 1][j] < table[i][j - 1] and table[i - 1][j] < table[i - 1][j - 1]:
                btable[i - 1][j] += b
            elif table[i][j - 1] < table[i - 1][j - 1]:
                btable[i][j - 1] += b
            else:
                btable[i - 1][j - 1] += b
            slope = 2.0 * (one[i - 1] - other[j - 1]) * b
            bone[i - 1] += slope
            bother[j - 1] -= slope
    return bone, bother


def heated(start, rate):
    """The energy of a ring after 20 steps of a reaction and diffusion, all of them in one table."""
    n = len(start)
    table = [[0.0] * n for _ in range(21)]
    table[0] = start[:]
    for t in range(20):
        for j in range(n):
            u = table[t][j]
            table[t + 1][j] = u + rate * (
                table[t][j - 1] - 2.0 * u + table[t][(j + 1) % n]) + 0.1 * u * (1.0 - u)
    return sum([u * u for u in table[20]])


def heated_by_hand(start, rate):
    n = len(start)
    table = [start]
    for _ in range(20):
        now = table[-1]
        table.append([
            now[j] + rate * (now[j - 1] - 2.0 * now[j] + now[(j + 1) % n])
            + 0.1 * now[j] * (1.0 - now[j]) for j in range(n)])
    bnow, brate = [2.0 * u for u in table[20]], 0.0
    for now in reversed(table[:20]):
        before = [0.0] * n
        for j, (b, u) in enumerate(zip(bnow, now)):
            brate += b * (now[j - 1] - 2.0 * u + now[(j + 1) % n])
            before[j] += b * (1.1 - 2.0 * rate - 0.2 * u)
            before[j - 1] += b * rate
            before[(j + 1) % n] += b * rate
        bnow = before
    return bnow, brate


def layer(weights, xs):
    """A layer whose weights are lists in a dict, element by element."""
    total = 0.0
    for i in range(len(weights["W"])):
        z = weights["b"][i]
        for j in range(len(xs)):
            z += weights["W"][i][j] * xs[j]
        total += math.tanh(z)
    return total


def layer_by_hand(weights, xs):
    W, b = weights["W"], weights["b"]
    bW, bb, bxs = [], [], [0.0] * len(xs)
    for row, start in zip(W, b):
        z = start
        for w, x in zip(row, xs):
            z += w * x
        h = math.tanh(z)
        bz = 1.0 - h * h
        bb.append(bz)
        bW.append([bz * x for x in xs])
        for j, w in enumerate(row):
            bxs[j] += bz * w
    return {"W": bW, "b": bb}, bxs


class Planet:
    """A point that moves, its lists changed by its methods."""

    def __init__(self, x, v):
        self.x, self.v = x, v

    def step(self, pull, dt):
        for k in range(len(self.x)):
            self.v[k] += dt * pull * self.x[k]
            self.x[k] += dt * self.v[k]


def orbit(x, v):
    """Where a planet is after 50 steps, in an object."""
    planet = Planet(list(x), list(v))
    for _ in range(50):
        r = math.sqrt(planet.x[0] * planet.x[0] + planet.x[1] * planet.x[1])
        planet.step(-1.0 / r ** 3, 0.02)
    return planet.x[0] + 2.0 * planet.x[1]


def orbit_by_hand(x, v):
    x, v, dt, tape = list(x), list(v), 0.02, []
    for _ in range(50):
        r = math.sqrt(x[0] * x[0] + x[1] * x[1])
        pull = -1.0 / r ** 3
        tape.append((x[0], x[1], r, pull))
        for k in range(2):
            v[k] += dt * pull * x[k]
            x[k] += dt * v[k]
    bx, bv = [1.0, 2.0], [0.0, 0.0]
    for x0, x1, r, pull in reversed(tape):
        bpull = 0.0
        for k, xk in ((0, x0), (1, x1)):
            bv[k] += dt * bx[k]
            bpull += dt * bv[k] * xk
            bx[k] += dt * pull * bv[k]
        br = 3.0 * bpull / r ** 4
        bx[0] += br * x0 / r
        bx[1] += br * x1 / r
    return bx, bv


class Body:
    """A point of a swarm, on a line."""

    def __init__(self, x, v):
        self.x, self.v = x, v

    def pull(self, other):
        d = other.x - self.x
        return d / (d * d + 0.1) ** 1.5

    def drift(self, dt):
        self.x += dt * self.v


def swarm(xs, vs):
    """Where bodies in a list that pull at each other are after 10 steps."""
    bodies = [Body(x, v) for x, v in zip(xs, vs)]
    for _ in range(10):
        for body in bodies:
            for other in bodies:
                if other is not body:
                    body.v += 0.01 * body.pull(other)
        for body in bodies:
            body.drift(0.01)
    return sum(body.x * body.x for body in bodies)


def swarm_by_hand(xs, vs):
    xs, vs, n, tape = list(xs), list(vs), len(xs), []
    for _ in range(10):
        tape.append(list(xs))
        for i in range(n):
            for j in range(n):
                if i != j:
                    d = xs[j] - xs[i]
                    vs[i] += 0.01 * d / (d * d + 0.1) ** 1.5
        for i in range(n):
            xs[i] += 0.01 * vs[i]
    bxs, bvs = [2.0 * x for x in xs], [0.0] * n
    for xs in reversed(tape):
        for i in range(n):
            bvs[i] += 0.01 * bxs[i]
        for i in range(n):
            for j in range(n):
                if i != j:
                    d = xs[j] - xs[i]
                    square = d * d + 0.1
                    bd = 0.01 * bvs[i] * (square - 3.0 * d * d) / square ** 2.5
                    bxs[j] += bd
                    bxs[i] -= bd
    return bxs, bvs


def workloads():
    draw = random.Random(0).uniform
    return {
        "pairs of points": (energy, energy_by_hand, ([[draw(-1.0, 1.0) for _ in range(3)]
                                                      for _ in range(20)], 0.1), (0,)),
        "smoothed numbers": (smoothed, smoothed_by_hand,
                             ([draw(0.0, 1.0) for _ in range(300)], 0.3), (0,)),
        "a binomial tree": (option, option_by_hand, (1.013, 1.02, 0.999), (0, 1, 2)),
        "warped series": (warped, warped_by_hand, ([draw(0.0, 1.0) for _ in range(30)],
                                                   [draw(0.0, 1.0) for _ in range(25)]), (0, 1)),
        "a ring in time": (heated, heated_by_hand,
                           ([draw(0.0, 1.0) for _ in range(30)], 0.2), (0, 1)),
        "weights in a dict": (layer, layer_by_hand,
                              ({"W": [[draw(-1.0, 1.0) for _ in range(20)] for _ in range(15)],
                                "b": [draw(-1.0, 1.0) for _ in range(15)]},
                               [draw(-1.0, 1.0) for _ in range(20)]), (0, 1)),
        "lists in an object": (orbit, orbit_by_hand, ([1.0, 0.1], [0.2, 0.9]), (0, 1)),
        "objects in a list": (swarm, swarm_by_hand, ([draw(-1.0, 1.0) for _ in range(10)],
                                                     [draw(-1.0, 1.0) for _ in range(10)]), (0, 1)),
    }


def agree(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(agree(one[k], other[k]) for k in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(agree, one, other))
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def times(functions, args, rounds):
    best = [math.inf] * len(functions)
    functions[-1](*args)
    for _ in range(rounds):
        for k, function in enumerate(functions):
            start = time.process_time()
            for _ in range(5):
                function(*args)
            best[k] = min(best[k], time.process_time() - start)
    return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    print("Time over the time of the function.")
    print(f"{'lists':20}{'hand':>8}{'tl':>8}{'tl/hand':>9}")
    for name, (function, by_hand, args, wrt) in workloads().items():
        gradient = tl.grad(function, wrt=wrt if len(wrt) > 1 else wrt[0])
        if not agree(gradient(*args), by_hand(*args)):
            raise SystemExit(f"{name}: the gradients differ")
        plain, hand, ours = times((function, by_hand, gradient), args, rounds)
        print(f"{name:20}{hand / plain:8.2f}{ours / plain:8.2f}{ours / hand:9.2f}")


if __name__ == "__main__":
    main()
