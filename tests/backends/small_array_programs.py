"""Programs about small arrays, by what they do with them; with arguments of several sizes."""
import numpy as np


def rates(y, p):
    infected = p[0] * y[0] * y[1]
    recovered = p[1] * y[1]
    return np.array([-infected, infected - recovered, recovered])


def runge_kutta(p, n, h):
    y = np.array([0.99, 0.01, 0.0])
    loss = 0.0
    for i in range(n):
        k1 = rates(y, p)
        k2 = rates(y + 0.5 * h * k1, p)
        k3 = rates(y + 0.5 * h * k2, p)
        k4 = rates(y + h * k3, p)
        y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        loss += (y[1] - 0.1) ** 2
    return loss


def from_argument(y0, p, n, h):
    y = y0
    for i in range(n):
        y = y + h * rates(y, p)
    return np.sum(y * y)


def arm(angles, lengths):
    tip = np.array([0.0, 0.0])
    R = np.eye(2)
    cost = 0.0
    for k in range(len(angles)):
        c, s = np.cos(angles[k]), np.sin(angles[k])
        R = R @ np.array([[c, -s], [s, c]])
        tip = tip + R @ np.array([lengths[k], 0.0])
        cost += np.sum((tip - np.array([1.0, 2.0])) ** 2)
    return cost


def pairs(pos, box):
    energy = 0.0
    for i in range(pos.shape[0]):
        for j in range(i + 1, pos.shape[0]):
            d = pos[i] - pos[j]
            d = d - box * np.round(d / box)
            s = (1.0 / np.sum(d * d)) ** 3
            energy += 4.0 * (s * s - s)
    return energy


def springs(x, links, rest):
    energy = 0.0
    for k in range(links.shape[0]):
        d = x[links[k, 0]] - x[links[k, 1]]
        energy += (np.sqrt(np.dot(d, d)) - rest[k]) ** 2
    return energy


def bodies(pos, vel, mass, steps, h):
    pos, vel = pos.copy(), vel.copy()
    for t in range(steps):
        for i in range(len(mass)):
            acc = np.zeros(2)
            for j in range(len(mass)):
                if j != i:
                    d = pos[j] - pos[i]
                    r2 = d @ d + 0.01
                    acc = acc + mass[j] * d / (r2 * np.sqrt(r2))
            vel[i] = vel[i] + h * acc
        for i in range(len(mass)):
            pos[i] = pos[i] + h * vel[i]
    return np.sum(pos ** 2)


def trajectory(theta, length, n, h):
    s = np.array([theta, 0.0])
    out = np.zeros((n, 2))
    for i in range(n):
        s = s + h * np.array([s[1], -9.81 / length * np.sin(s[0])])
        out[i] = s
    return np.sum(out[:, 0] ** 2)


def any_size(x, w, n):
    """Nothing says how long x is."""
    v = np.zeros_like(x)
    for i in range(n):
        v = v + w * x * (1.0 - v)
        x = x - 0.1 * v
    return np.sum(v * x)


def rows_of_any_width(X, w):
    total = 0.0
    for i in range(X.shape[0]):
        r = X[i] * w
        total += np.sum(np.exp(-r * r)) + r[0]
    return total


# Memory with several names ------------------------------------------------------------------------
def second_name(x, n):
    a = np.array([x, 2.0 * x])
    b = a
    for i in range(n):
        a[0] += b[1] * x
        b[1] *= 0.9
    return a[1] + b[0] * b[0]


def copied(x, n):
    a = np.array([x, 2.0 * x])
    b = a.copy()
    for i in range(n):
        a[0] += b[1] * x
        b[1] *= 0.9
    return a[1] + b[0] * b[0]


def row_that_changes(pos, n):
    pos = pos.copy()
    total = 0.0
    for i in range(n):
        r = pos[0]
        pos[0] = pos[1] * r[0]
        total += r[0] * r[1]
    return total


def row_written_into(pos, n):
    pos = pos.copy()
    for i in range(n):
        r = pos[i]
        r += pos[i + 1] * 0.5
        r[0] *= 2.0
    return np.sum(pos * pos)


def swapped(x, n):
    a, b = np.array([x, 1.0]), np.array([2.0, x * x])
    for i in range(n):
        a, b = b, a * x
    return np.sum(a) * b[0]


def turned(x, n):
    v = np.array([x, 2.0 * x, 3.0])
    for i in range(n):
        v = v[::-1] * np.array([1.0, x, 0.5])
    return v[0] + v[2]


def turned_in_place(x, n):
    """What is changed first is read behind that."""
    m = np.array([[x, 2.0 * x], [x * x, 1.0]])
    v = np.array([x, 0.5])
    total = 0.0
    for i in range(n):
        m += m.T
        v += v[::-1]
        v *= v[0]
        total += m[0, 1] * m[1, 0] * v[1]
    return total


def masks(x, n):
    """True + True is True, and products of ints are ints."""
    v, w = np.array([x, 1.0]), np.array([-x, 1.0])
    total = 0.0
    for i in range(n):
        v = v + ((v > 0.0) + (w > -9.0)) * 0.1 - (v > 0.0) * (w > -9.0)
        v = v + np.array([i * 2 ** 40, 1]) * np.array([2 ** 40, n]) * 1e-9
        total += v[0] * v[1]
    return total


def in_list(x, n):
    y = np.array([x, 1.0])
    kept = []
    for i in range(n):
        kept.append(y)
        y = y * x
    total = 0.0
    for one in kept:
        total += one[0] * one[1]
    return total


def in_dict(x, n):
    state = {"pos": np.array([0.0, 1.0]), "vel": np.array([x, 0.5])}
    for i in range(n):
        state["pos"] = state["pos"] + 0.1 * state["vel"]
        state["vel"] = state["vel"] - 0.1 * state["pos"] * x
    return np.sum(state["pos"] ** 2)


def fill(v, x):
    v[0] = x
    v[1] += x * x


def changed_by_helper(x, n):
    v = np.zeros(2)
    for i in range(n):
        fill(v, x * (i + 1))
    return v[0] * v[1]


# Statements ---------------------------------------------------------------------------------------
def in_place(x, n):
    v, w = np.array([x, 1.0, 2.0]), np.array([0.5, x, x * x])
    for i in range(n):
        v += 0.1 * w
        w *= x
        v[1:] -= w[:2] * 0.1
        w[0] = v[2]
        v /= 1.5
        v[:] = v * w + 0.1
    return np.sum(v) + w[1]


def at_computed_places(x, n):
    v = np.array([x, 1.0, 2.0])
    for i in range(n):
        v[i % 3] = v[(i + 1) % 3] * x
        x = x * 0.9 + 0.01 * v[i % 3]
    return np.sum(v)


def in_branches(x, n):
    v = np.zeros(2)
    for i in range(n):
        if i % 2:
            v = np.array([x, v[0]])
        elif v[0] > 1.0:
            v = -v * 0.5
        else:
            v = v + x
        if np.sum(v) > 5.0:
            break
    return v[0] * 2.0 + v[1]


def bound_late(x, n):
    total = 0.0
    for i in range(n):
        if i == 1:
            v = np.array([x, x * x])
        if i >= 1:
            total += v[0] * v[1] * i
    return total


def while_it_moves(x, y):
    v = np.array([x, y])
    steps = 0
    while np.sqrt(v[0] ** 2 + v[1] ** 2) > 0.1 and steps < 50:
        v = 0.7 * v + 0.01 * np.array([v[1], -v[0]])
        steps += 1
    return np.sum(v)


def spread_over_each_other(x, n):
    a, b = np.array([x, 2.0]), np.array([1.0, x, x * x])
    M = np.zeros((2, 3))
    for i in range(n):
        M = M * 0.5 + a[:, None] * b
        a = a + np.sum(M, axis=1) * 0.01
        b = b - np.sum(M, 0) * 0.01
    return np.sum(M * M) + np.sum(M[:, 1]) + M[1, 2]


def matrices(x, n):
    A = np.array([[x, 0.1], [0.2, 1.0]])
    v = np.array([1.0, x])
    for i in range(n):
        v = A.T @ v
        A = 0.5 * (A + A @ A.T)
        v = v / np.linalg.norm(v)
    return v @ A @ v + np.outer(v, v)[0, 1]


def three_by_three(x, n):
    R = np.eye(3)
    w = np.array([x, 0.2, 0.3])
    for i in range(n):
        W = np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
        R = R + 0.1 * R @ W
        w = w + 0.1 * np.cross(w, np.array([1.0, 2.0, 3.0]) * w)
    return np.trace(R) + np.sum(w)


def solved(x, n):
    v = np.array([x, 1.0])
    for i in range(n):
        A = np.array([[2.0 + x, 0.3], [0.1, 1.0 + x * x]])
        v = np.linalg.solve(A, v) + 0.1 * v
    return np.sum(v)


def functions_of_elements(x, n):
    v = np.array([x, -x, 0.3])
    for i in range(n):
        v = np.where(v > 0.0, np.tanh(v), 0.1 * v) + np.maximum(v, 0.2) - np.minimum(v, x)
        v = np.sqrt(np.abs(v) + 0.1) * np.sign(v) + v ** 3 / 10.0
    return np.sum(v)


def divided(x, n):
    """Where numbers would stop: inf and nan of arrays."""
    v = np.array([x, 0.0])
    total = 0.0
    for i in range(n):
        w = 1.0 / v
        total += w[0]
        v = v * 0.5
    return total + v[0]


def roots(x, n):
    v = np.array([x, 4.0])
    total = 0.0
    for i in range(n):
        w = v ** 0.5
        total += w[1] * x
        v = v * np.array([x, 1.0])
    return total + np.sum(v ** 3) + np.sum(v ** 2)


def one_item(x, n):
    v = np.array([x])
    for i in range(n):
        v = v * x + 0.1
    return v[0]


def with_matrix(W, h0, n):
    h = np.zeros(3)
    for i in range(n):
        h = np.tanh(W @ np.concatenate((h, h0)))
    return np.sum(h)


def norms(P, n):
    total = 0.0
    for i in range(len(P)):
        total += np.linalg.norm(P[i] - P[i - 1])
    return total


def last_row(P, w):
    best = np.zeros(2)
    for i in range(len(P)):
        best = best * w + P[i]
    return best @ P[-1]


def mean_of_rows(P, w):
    total = np.zeros(P.shape[1])
    for i in range(P.shape[0]):
        total += P[i] * w[i]
    return np.mean(total) + total.max()


# Loops over elements ------------------------------------------------------------------------------
def by_axes(pos, box):
    total = 0.0
    for i in range(pos.shape[0]):
        for j in range(i + 1, pos.shape[0]):
            d = np.zeros(3)
            r2 = 0.0
            for k in range(3):
                d[k] = pos[i, k] - pos[j, k]
                d[k] -= box * round(d[k] / box)
                r2 += d[k] ** 2
            total += 1.0 / r2
    return total


def by_two_axes(x, n):
    A, B = np.array([[x, 0.1], [0.2, 1.0]]), np.zeros((2, 2))
    for i in range(n):
        for a in range(2):
            for b in range(2):
                B[a, b] = 0.0
                for c in range(2):
                    B[a, b] += A[a, c] * A[c, b]
        for a in range(1, -1, -1):
            A[a, 1 - a] = 0.5 * B[a, a] + 0.1 * B[(a + 1) % 2, a]
    return np.sum(A * B)


def left_early(x, n):
    v, total = np.array([x, 1.0, 2.0]), 0.0
    for i in range(n):
        for k in range(3):
            if v[k] > 1.5:
                break
            total += v[k] * (k + 1)
        v = v * 1.2
    return total + k


def number_behind(x, n):
    v, total = np.array([x, 1.0, 2.0]), 0.0
    for i in range(n):
        for k in range(0, 3, 2):
            v[k] *= x + k
            for m in range(k):
                total += v[m] * k
        total += v[k - 1] * k
    return total + np.sum(v)


def halved(x, n):
    v, count = np.array([x, 1.0]), 9
    for i in range(n):
        v = v * x
        count //= 2
        v[0] **= 2
        count %= 4
        v //= 0.01
        v = v * 0.01 * x
    return np.sum(v) * count


def rows_to_powers(pos, n):
    pos = pos.copy()
    for i in range(n):
        pos[i] **= 2
        pos[i] += pos[i + 1]
        pos[i] //= 0.01
        pos[i] /= pos[0, 0]
    return np.sum(pos * pos)


# In a function that is called as it is ------------------------------------------------------------
def rows_looped_over(n):
    M, total = np.array([[2.0, 1.0], [3.0, 4.0]]), 0.0
    for row in M:
        row[0] += 1.0
        total += M[0, 0] * row[1]
    return total + M[1, 0] * n


def with_continue(n):
    v, total = np.array([2.0, 1.0]), 0.0
    for i in range(n):
        w = v
        if i % 2:
            total += w[0]
            continue
        w[0] += 1.5
        w = 2.0 * w
        total += w[1] + v[0]
    return total


def called_as_they_are(x, n):
    return x * x * rows_looped_over(n) + x * with_continue(n)
