"""Lists that change while others keep them: forward halves, iterators, names bound anew."""
import math

import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity

X = [0.7, -0.4, 1.2, 0.9]


def scaled(xs, w):
    return [w * v for v in xs]


def weighed(xs, w):
    s = 0.0
    for v in xs:
        s += v * v * w
    return s


def rows_of(xs):
    rows = []
    for v in xs:
        rows.append([v * u for u in xs])
    return rows


def two_of(xs):
    one, other = [], []
    for v in xs:
        one.append(v * v)
        other.append(math.sin(v))
    return one, other


# What a helper made, and its forward half keeps ---------------------------------------------------
def appended(xs):
    made = scaled(xs, xs[0])
    made.append(xs[1])
    return sum(made)


def emptied(xs):
    made = scaled(xs, xs[0])
    s = 0.0
    while made:
        s = s * 0.5 + made.pop()
    return s


def changed_under_its_name(xs):
    for k in range(3):
        xs = scaled(xs, xs[k])
        xs.append(xs[0] * xs[1])
    return weighed(xs, xs[-1])


def rows_added(xs):
    rows = rows_of(xs)
    rows.append([xs[0]])
    return sum([v * v for row in rows for v in row])


def one_of_two(xs):
    one, other = two_of(xs)
    one.append(xs[0])
    other.pop()
    return sum(one) * sum(other)


# What a helper was given -----------------------------------------------------------------------
def in_place(xs):
    s = 0.0
    values = xs[:]
    for k in range(len(values) - 1):
        values[k] *= weighed(values, values[-1])
        s -= weighed(values, 1.0)
    return s


def in_place_in_a_helper(xs):
    return in_place(xs) * 2.0


def swapped(xs):
    values, others = xs[:], [xs[0]]
    values.append(weighed(values, 2.0))
    s = values[-1]
    for _ in range(4):
        others, values = values, others
    return s


@pytest.mark.parametrize("function", [
    appended, emptied, changed_under_its_name, rows_added, one_of_two, in_place,
    in_place_in_a_helper, swapped])
@pytest.mark.sweep(3)
def test_lists_that_forward_halves_keep(function):
    tl.check_grads(function, (X,), order=2)


@pytest.mark.parametrize("function", [in_place, in_place_in_a_helper])
def test_pullbacks_are_called_twice(function):
    _, pullback = tl.vjp(function, X)
    assert pullback(1.0) == pullback(1.0) == (tl.grad(function)(X),)


# What comes out of a list that does not vary ------------------------------------------------------
def constant_in_a_branch(x, n):
    values, y = [1.0, 2.0, 3.0], x * x
    if n > 0:
        y = values.pop()
    return y * x


def constant_in_a_loop(x, n):
    values, y = [1.0, 2.0, 3.0], x * x
    for _ in range(n):
        y = values.pop(0)
        x = x * y
    return y * x


def constant_row(x, n):
    rows, row = [[1.0, 2.0], [3.0, 4.0]], [x, x * x]
    for _ in range(n):
        x = x * row[1]
        row = rows.pop()
    return row[0] * x


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("function", [constant_in_a_branch, constant_in_a_loop, constant_row])
@pytest.mark.sweep(3)
def test_constants_come_out_of_lists(function, n):
    tl.check_grads(lambda x: function(x, n), (1.3,), order=2)


# What is inserted behind the end ------------------------------------------------------------------
def behind_the_end(xs):
    values, s = [], 0.0
    for v in xs:
        values.insert(2, v * v)
        s += values[-1] * values[0]
    values.insert(9, s)
    for k in range(len(values)):
        values[k] = values[k] * values[-1]
    return sum(values) * values[1]


def test_items_are_inserted_behind_the_end():
    tl.check_grads(behind_the_end, (X,), order=2)


# Iterators ----------------------------------------------------------------------------------------
def made_before(xs):
    values = xs[:]
    backwards = reversed(values)
    values.append(xs[0] ** 4)
    s = 0.0
    for v in backwards:
        s = s * 2.0 + v
    return s


def too_short(xs):
    values, s = xs[:], xs[0]
    backwards = reversed(values)
    values.pop()
    for v in backwards:
        s = s * 2.0 + v
    return s


def shrinking(xs):
    values, s = xs[:], 0.0
    for v in reversed(values):
        s = s * 2.0 + v
        values.pop(0)
        if len(values) == 2:
            values.clear()
    return s


@pytest.mark.parametrize("function", [made_before, too_short, shrinking])
def test_reversed_lists_that_change(function):
    tl.check_grads(function, (X,), order=2)
    with by_identity():
        tl.check_grads(function, (X,))


def history(xs):
    """A list that grows in a loop, between the loops in it that read it backwards, by pairs or by
    steps."""
    kept, s = [], xs[0]
    for v in xs:
        for a, b in zip(reversed(kept), kept):
            s = 0.5 * s + a * b
        for a in kept[::2]:
            s = s - 0.1 * a
        kept.append(s * v)
        if len(kept) > 2:
            kept.pop(0)
    return s


def test_lists_read_by_loops_within_a_loop_that_changes_them():
    tl.check_grads(history, (X,), order=2)
    gradient = tl.grad(history)
    gradient(X)
    assert not gradient._latest.by_identity
    with by_identity():
        tl.check_grads(history, (X,))


# Parts of a list that the list itself replaces ----------------------------------------------------
def itself(xs):
    values = xs[:]
    values[:] = values
    values[1:] = values
    values[::-1] = values
    values[2:2] = values
    s = 0.0
    for k in range(len(values)):
        s += (k + 1) * values[k] ** 2
    return s


def test_a_list_replaces_parts_of_itself():
    tl.check_grads(itself, (X,), order=2)


# Lists that begin with ints -----------------------------------------------------------------------
def from_ints(x, y):
    v = [0, 2, 1]
    again = v                                   # two names of one list
    v[0] = x * y
    again[1] = v[1] * v[0]
    v[2] += y
    v.append(v[-1] * v[1])
    return v[0] * v[1] * v[3]


def rows_from_ints(x, y):
    rows = [[0, 1], [1, True]]
    rows[0][0] = x
    rows[1][0] = rows[1][0] * y * x
    return rows[0][0] * rows[1][0] + rows[1][1] * rows[0][1] * y


@pytest.mark.parametrize("f", [from_ints, rows_from_ints])
def test_lists_of_ints_come_to_hold_floats(f):
    tl.check_grads(f, (1.3, 0.7), order=2)
    gradient = tl.grad(f)
    gradient(1.3, 0.7)
    assert not gradient._latest.by_identity
