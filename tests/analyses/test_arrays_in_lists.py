"""Arrays in lists that are written to by parts: `u[k][1:-1] = ...`, `forces[i][0] += f`, and rows
that have names. By names where a list holds its arrays alone, by identity where others may."""
import numpy as np
import pytest

import tangent_lite as tl


# Lists that hold their arrays alone ---------------------------------------------------------------
def two_buffers(x, a):
    u = [x.copy(), np.zeros(len(x))]
    for t in range(5):
        u[(t + 1) % 2][1:-1] = u[t % 2][1:-1] + a * 0.1 * (u[t % 2][2:] - u[t % 2][:-2])
    return np.sum(u[0] * u[1])


def with_names(x, a):
    u = [x.copy(), np.zeros(len(x))]
    for t in range(5):
        now, new = u[t % 2], u[(t + 1) % 2]
        new[1:-1] = now[1:-1] + a * 0.1 * (now[2:] - now[:-2])
        new[0] = np.sum(now) * now[0]
    return np.sum(u[0] * u[1])


def of_two_axes(x, a):
    t = [np.outer(x, x), np.zeros((len(x), len(x)))]
    for s in range(4):
        old, new = t[s % 2], t[1 - s % 2]
        new[1:-1, 1:-1] = a * 0.2 * (old[2:, 1:-1] + old[1:-1, :-2])
        new[0, :] = old[0, :]
        new[:, -1] = old[:, -1] * a
    return np.sum(t[0] ** 2) + t[1][0, 0]


def forces(x, a):
    f = [np.zeros(2) for _ in range(len(x))]
    for i in range(len(x)):
        for j in range(i):
            f[i][0] += a * (x[i] - x[j]) ** 2
            f[j][1] -= np.sin(x[i] * x[j])
    return sum(v @ v for v in f) + f[0][1]


def in_lists_of_lists(x, a):
    g = [[np.zeros(3) for _ in range(2)] for _ in range(2)]
    for i in range(2):
        for j in range(2):
            for k in range(3):
                g[i][j][k] += a * x[i + j + k - 1]
            g[i][j][1:] *= a
    return np.sum(g[0][1] * g[1][1]) + g[1][0][2]


def of_computed_sizes(x, a):
    grids = [np.zeros(len(x) // (2 ** level) + 1) for level in range(3)]
    grids[0][:len(x)] = x
    for level in range(2):
        for i in range(len(grids[level + 1]) - 1):
            grids[level + 1][i] = 0.5 * (grids[level][2 * i] + grids[level][2 * i + 1]) * a
    return np.sum(grids[0] ** 2) + np.sum(grids[2])


def onto_itself(x, a):
    t = [x * 1.0, x * a]
    for k in range(2):
        t[k][1:] = t[k][:-1]
        t[k][1:] += t[k][:-1] * a
    return np.sum(t[0] * t[1] ** 2)


def all_of_a_row(x, a):
    t = [x * 1.0, x * a, x * 2]
    for row in t:
        row *= a
        row += x
        row[0] = np.sum(row)
    return sum(np.sum(v * v) for v in t)


def one_row_and_the_same(x, a):
    t = [x * 1.0, x * a]
    for k in range(3):
        t[k % 2] += t[k // 2] * x
        t[k // 2] *= t[k % 2]
        t[k % 2] -= np.sin(t[k // 2]) * a + t[0]
    return np.sum(t[0] * t[1])


def momentum(x, a):
    weights = [x * 1.0, x[:2] * a]
    speeds = [np.zeros_like(w) for w in weights]
    for _ in range(3):
        for w, v in zip(weights, speeds):
            v *= 0.9
            v -= 0.1 * 2 * w * a
            w += v
    return sum(np.sum(w ** 2) for w in weights)


def that_change_places(x, a):
    t = [x * 1.0, x * a]
    for _ in range(3):
        t[0][1:] = a * t[1][:-1]
        t[0], t[1] = t[1], t[0]
    return np.sum(t[0] * t[1] ** 2)


def read_before(x, a):
    y = np.exp(x * a)
    t = [y, x * 2]
    for i in range(len(x)):
        t[0][i] = t[1][i] * a * t[0][i]
    row = t[0]
    t[0][0] = a
    return np.sum(row * row)


def where_a_mask_says(x, a):
    t = [x * 1.0, x * a]
    for k in range(2):
        t[k][t[k] < 0] = a * 0.1
    return np.sum(t[0] * t[1])


def left_early(x, a):
    t = [x * 1.0, x * a]
    for k in range(5):
        t[k % 2][0] += a
        if t[0][0] > 3.0:
            return np.sum(t[1] ** 2)
        t[1][:] *= t[0]
    return np.sum(t[0] * t[1])


def by_a_helper(x, a):
    t = [x * 1.0, x * a]
    for k in range(3):
        _fill(t[k % 2], a * k)
    return np.sum(t[0] * t[1])


def _fill(row, v):
    row[0] = v
    row[1:] += v


class Body:
    def __init__(self, place):
        self.place, self.force = place, np.zeros(2)


def _bodies(x):
    return [Body(np.array([x[2 * i], x[2 * i + 1]])) for i in range(len(x) // 2)]


def in_objects(x, a):
    bodies = _bodies(x)
    for body in bodies:
        body.force[:] = 0.1 * body.place
    for i in range(len(bodies)):
        for j in range(i):
            d = bodies[i].place - bodies[j].place
            bodies[i].force[0] += a * d[0] ** 2
            bodies[j].force -= a * d
    return sum(body.force @ body.force for body in bodies)


def by_out(x, a):
    t = [x * 1.0, x * a]
    for k in range(2):
        np.multiply(t[0], a, out=t[k])
        np.cumsum(t[1] * x, out=t[0])
    return np.sum(t[0] * t[1])


def of_single_precision(x, a):
    t = [np.zeros(3, np.float32) for _ in range(2)]
    for k in range(2):
        t[k][:] = a * x[0]
        t[k] += a * 2.0
        t[k][0] *= a
    return float(np.sum(t[0] * t[1]))


def changed_before_it_joins(x, a):
    states = [np.zeros(3)]
    for v in x:
        state = states[-1].copy()
        state[0] += v * a
        state[1:] += 0.5 * state[:-1]
        states.append(state)
    return sum(np.sum(state ** 2) for state in states)


ALONE = [two_buffers, with_names, of_two_axes, forces, in_lists_of_lists, of_computed_sizes,
         onto_itself, all_of_a_row, changed_before_it_joins, one_row_and_the_same, momentum,
         that_change_places, read_before, where_a_mask_says, left_early, by_a_helper, in_objects,
         by_out, of_single_precision]


# Arrays that others hold as well ------------------------------------------------------------------
def at_two_places(x, a):
    zeros = np.zeros(len(x))
    t = [zeros, zeros]
    for i in range(len(x)):
        t[0][i] = x[i] * a
        t[1][i] += 1.0
    return np.sum(t[0] ** 2)


def repeated(x, a):
    t = [np.zeros(len(x))] * 3
    for i in range(len(x)):
        t[i % 3][i] = x[i] * a
    return np.sum(t[0] ** 2)


def under_a_name(x, a):
    z = x * a
    t = [z, x * 2]
    for i in range(len(x)):
        t[0][i] = t[1][i] * a
    return np.sum(z ** 2)


def parts_of_one(x, a):
    z = x * a
    t = [z[:2], z[2:]]
    t[0][:] = 1.0
    return np.sum(z ** 2)


def put_at_another_place(x, a):
    t = [x * 1.0, x * 2.0]
    t[0] = t[1]
    t[0][0] = a
    return np.sum(t[1] ** 2)


def appended_twice(x, a):
    t, z = [], x * a
    t.append(z)
    t.append(z)
    t[0][0] = a * 3
    return np.sum(t[1] ** 2)


def in_a_second_list(x, a):
    t = [x * 1.0, x * a, x * 2]
    s = t[1:]
    s[0][0] = a * 3
    return np.sum(t[1] ** 2)


def in_a_tuple(x, a):
    t = [x * 1.0, x * a]
    pair = (t[0], a)
    t[0][0] = a * 3
    return np.sum(pair[0] ** 2)


def in_another_shape(x, a):
    t = [x * 1.0, x * a]
    column = t[0].reshape(-1, 1)
    t[0][0] = a * 5
    return np.sum(column ** 2)


def a_row_of_two_axes(x, a):
    t = [np.outer(x, x), np.outer(x, x) * a]
    row = t[0][1]
    row[2] = a
    t[0][2][3] = row[2] * a
    np.sum(t[1], axis=0, out=t[0][0])
    return np.sum(t[0] * t[1])


def at_repeated_places(x, a):
    t = [x * 1.0, x * a]
    for k in range(2):
        t[k][np.array([0, 0])] += a
        np.add.at(t[k], [0, 0, 1], a)
    return np.sum(t[0] * t[1] ** 2)


SHARED = [at_two_places, repeated, under_a_name, parts_of_one, put_at_another_place, appended_twice,
          in_a_second_list, in_a_tuple, in_another_shape, a_row_of_two_axes,
          at_repeated_places]
X = np.array([0.3, 0.9, -0.4, 1.2])


def differences(function, x, a, h=1e-6):
    return [(function(x + h * e, a) - function(x - h * e, a)) / (2 * h) for e in np.eye(len(x))]


@pytest.mark.parametrize("function", [*ALONE, *SHARED])
def test_gradients(function):
    derivative = tl.value_and_grad(function, wrt=("x", "a"))
    value, (bx, ba) = derivative(X, 1.3)
    assert value == function(X, 1.3)
    assert derivative._latest.by_identity == (function in SHARED)
    h, off = (1e-2, 1e-3) if function is of_single_precision else (1e-6, 1e-6)
    np.testing.assert_allclose(bx, differences(function, X, 1.3, h), rtol=off, atol=off)
    wanted = (function(X, 1.3 + h) - function(X, 1.3 - h)) / (2 * h)
    np.testing.assert_allclose(ba, wanted, rtol=off, atol=off)


@pytest.mark.parametrize("function", [with_names, of_two_axes, all_of_a_row, one_row_and_the_same,
                                      that_change_places, in_objects])
def test_other_modes(function):
    gradient = tl.grad(function)(X, 1.3)
    direction = np.array([0.2, -1.0, 0.5, 0.7])
    _, slope = tl.jvp(function, (X, 1.3), (direction, 0.0))
    assert slope == pytest.approx(gradient @ direction)
    _, pullback = tl.vjp(function, X, 1.3)
    for _ in range(2):
        np.testing.assert_allclose(pullback(1.0)[0], gradient)
    np.testing.assert_allclose(tl.hessian(function)(X, 1.3), [
        (tl.grad(function)(X + 1e-5 * e, 1.3) - tl.grad(function)(X - 1e-5 * e, 1.3)) / 2e-5
        for e in np.eye(4)], rtol=1e-4, atol=1e-4)


def test_what_is_larger_does_not_fit():
    def f(x, a):
        t = [np.zeros(1), np.zeros(1)]
        for k in range(2):
            t[k] += x * a
        return np.sum(t[0])

    with pytest.raises(ValueError, match="non-broadcastable"):
        tl.grad(f)(X, 1.3)


def test_linear_writes_are_not_recorded():
    assert "_tape" not in tl.grad(forces).source_for(X, 1.3)
