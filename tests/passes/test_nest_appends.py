"""Lists in lists that are appended to go by names, where each stands in one place."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names, refused_by_names


def by_turns(x, a):
    rows = [[] for _ in range(3)]
    total = 0.0
    for t in range(len(x)):
        row = rows[t % 3]
        row.append(x[t] * a)
        total += row[-1] * len(row)
    return total + len(rows[0])


def the_last(x, a):
    rows = [[1.0]]
    for t in range(len(x)):
        if t % 2:
            rows.append([])
        rows[-1].append(x[t] * a)
    return sum(sum(row) * k for k, row in enumerate(rows)) * len(rows)


def buckets(x, a):
    found = [[], [], []]
    for v in x:
        bucket = found[int(abs(v) * 2) % 3]
        bucket.append(v * v * a)
    means = [sum(b) / len(b) if b else 0.0 for b in found]
    return sum(m ** 2 for m in means)


def of_what_was_appended(x, a):
    rows = [[], []]
    for t, v in enumerate(x):
        row = rows[t % 2]
        if row:
            row.append(row[-1] * a + v)
        else:
            row.append(v)
    return sum(row[-1] for row in rows if row)


def the_place_moves_on(x, a):
    rows = [[a], []]
    t = 0
    while t < len(x):
        row = rows[t % 2]
        t += 1
        row.append(x[t - 1])
        if len(row) > 2:
            break
    return sum(rows[0]) * 2.0 - sum(rows[1])


def recomputed(x, a):
    rows = [[] for _ in range(2)]
    for t in tl.checkpoint(range(len(x))):
        rows[t % 2].append(x[t] * a)
        a = a * 1.1
    return sum(rows[0]) * 2.0 - sum(rows[1]) + a


class Cell:
    def __init__(self, h):
        self.h = h
        self.history = []

    def step(self, u):
        self.h = 0.9 * self.h + u
        self.history.append(self.h)


def of_objects(x, a):
    cells = [Cell(v) for v in x]
    for t in range(4):
        for cell in cells:
            cell.step(a * t)
    return sum(sum(cell.history) * cell.history[-1] for cell in cells)


def arrays(x, a):
    rows = [[], []]
    for t in range(3):
        for k in range(2):
            rows[k].append(x * t * a)
    return sum(np.sum(v ** 2) for v in rows[1]) + np.sum(rows[0][1])


def under_two_names(x, a):
    rows = [[a], [a]]
    one = rows[0]
    two = rows[0]
    for v in x:
        one.append(v)
        two.append(v * a)
    return sum(k * v for k, v in enumerate(one))


def one_list_three_times(x, a):
    rows = [[a]] * 3
    for t in range(len(x)):
        rows[t % 3].append(x[t])
    return sum(rows[0]) * len(rows[1])


def known_outside(x, a):
    first = [a]
    rows = [first, []]
    for t in range(len(x)):
        rows[t % 2].append(x[t] * a)
    first.append(a * a)
    return sum(first) + sum(rows[1]) * len(rows[0])


def kept_in_another(x, a):
    rows, kept = [[], []], []
    for t, v in enumerate(x):
        row = rows[t % 2]
        row.append(v * a)
        kept.append(row)
    return sum(sum(row) for row in kept) + a


BY_NAMES = [by_turns, the_last, buckets, of_what_was_appended, the_place_moves_on, recomputed,
            of_objects, arrays]
SHARED = [one_list_three_times, known_outside, kept_in_another]
INPUTS = [np.array([0.9, -0.4, 1.7, 0.2, -1.1]), np.array([0.5]), np.zeros(0)]


def holds(f, x, a=1.3):
    value, (bx, ba) = tl.value_and_grad(f, wrt=("x", "a"))(x, a)
    assert value == f(x, a)
    for k, step in enumerate(1e-6 * np.eye(len(x))):
        assert bx[k] == pytest.approx((f(x + step, a) - f(x - step, a)) / 2e-6, abs=2e-7)
    assert ba == pytest.approx((f(x, a + 1e-6) - f(x, a - 1e-6)) / 2e-6, abs=2e-7)


@pytest.mark.parametrize("x", INPUTS, ids=len)
@pytest.mark.parametrize("f", [*BY_NAMES, under_two_names], ids=lambda f: f.__name__)
def test_it_goes_by_names(f, x):
    with by_names():
        holds(f, x)


@pytest.mark.parametrize("f", SHARED, ids=lambda f: f.__name__)
def test_a_list_that_others_hold_does_not(f):
    holds(f, INPUTS[0])
    refused_by_names(tl.AliasError, f, INPUTS[0], 1.3)


def test_forward_mode_and_second_derivatives():
    x, a = INPUTS[0], 1.3
    for f in (by_turns, of_what_was_appended, of_objects):
        _, slope = tl.jvp(f, (x, a), (np.ones(5), 1.0))
        bx, ba = tl.grad(f, wrt=("x", "a"))(x, a)
        assert slope == pytest.approx(np.sum(bx) + ba)
        up, down = (tl.grad(f)(x, a + s) for s in (1e-6, -1e-6))
        found = tl.jacobian(lambda a: tl.grad(f)(x, a))(a)
        np.testing.assert_allclose(found, (up - down) / 2e-6, atol=1e-6)


def of_the_iteration_before(x, a):
    rows = [[a], []]
    total = 0.0
    for t in range(len(x)):
        if t > 0:
            total += sum(row) * x[t] + len(row)     # noqa: F821 (as it was bound last)
        row = rows[t % 2]
        row.append(x[t] * a)
    return total + sum(rows[0])


def of_other_rows_meanwhile(x, a):
    rows = [[a], [1.0]]
    total = 0.0
    for t in range(len(x)):
        row = rows[t % 2]
        row.append(x[t] * a)
        if x[t] > 0.0:
            rows = [[1.0], [a]]
        total += sum(row)
    return total + sum(rows[0])


def while_it_is_gone_through(x, a):
    rows = [[a], [1.0]]
    for t in range(len(x)):
        row = rows[t % 2]
        for v in row:
            row.append(v * a)
            if len(row) > 5:
                break
    return sum(rows[0]) + sum(rows[1])


def while_another_name_is_gone_through(x, a):
    rows = [[a], [1.0]]
    for v in rows[0]:
        if len(rows[0]) < 5:
            rows[0].append(v * a)
    return sum(rows[0]) + np.sum(x)


@pytest.mark.parametrize("f", [of_the_iteration_before, of_other_rows_meanwhile,
                               while_it_is_gone_through, while_another_name_is_gone_through],
                         ids=lambda f: f.__name__)
def test_a_name_that_is_another_list_elsewhere_does_not(f):
    holds(f, INPUTS[0])
    _, slope = tl.jvp(f, (INPUTS[0], 1.3), (np.ones(5), 1.0))
    bx, ba = tl.grad(f, wrt=("x", "a"))(INPUTS[0], 1.3)
    assert slope == pytest.approx(np.sum(bx) + ba)
    refused_by_names(tl.AliasError, f, INPUTS[0], 1.3)


def in_the_else(x, a):
    rows = [[a], [1.0]]
    if len(x) > 9:
        t = a
    else:
        rows[len(x) % 2].append(a * a)
        t = 2.0
    return sum(rows[0]) * t + sum(rows[1]) * a


def in_a_dict_in_the_else(x, a):
    groups = {}
    for t in range(len(x)):
        key = t % 2
        if key not in groups:
            groups[key] = []
        groups[key].append(x[t] * a)
    if len(x) < 2:
        return a
    groups[1].append(a * a)
    return sum(len(group) * sum(group) for group in groups.values()) + len(groups)


def three_deep(x, a):
    planes = [[[], [a]], [[a], []]]
    for t in range(len(x)):
        plane = planes[t % 2]
        plane.append([x[t] * x[t]])
        plane[-1].append(a * x[t])
        planes[0][t // 2 % 2].append(a)
    return sum(sum(sum(row) * (j + 1) for j, row in enumerate(plane)) * (k + 1)
               for k, plane in enumerate(planes))


@pytest.mark.parametrize("x", INPUTS, ids=len)
@pytest.mark.parametrize("f", [in_the_else, in_a_dict_in_the_else, three_deep],
                         ids=lambda f: f.__name__)
def test_in_branches_and_three_deep(f, x):
    with by_names():
        holds(f, x)
        _, slope = tl.jvp(f, (x, 1.3), (np.ones(len(x)), 1.0))
        bx, ba = tl.grad(f, wrt=("x", "a"))(x, 1.3)
        assert slope == pytest.approx(np.sum(bx) + ba)


def one_row_in_two_planes(x, a):
    row = [a]
    planes = [[row, [1.0]], [[a], row]]
    for t in range(len(x)):
        planes[t % 2][t // 2 % 2].append(x[t] * a)
    return sum(sum(sum(row) * (j + 1) for j, row in enumerate(plane)) for plane in planes)


def test_a_row_of_two_lists_in_a_list_does_not():
    holds(one_row_in_two_planes, INPUTS[0])
    refused_by_names(tl.AliasError, one_row_in_two_planes, INPUTS[0], 1.3)
