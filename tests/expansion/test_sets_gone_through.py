"""Loops over the members of a set of constants."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names
from tests.held_to_both import is_by_names, is_right

LABELS = ["a", "b", "a", "c", "b", "a", "c"]


def groups(x):
    total = 0.0
    names = sorted(set(LABELS))
    for k, name in enumerate(names):
        part = [x[i] for i in range(len(x)) if LABELS[i] == name]
        total = total * 0.5 + sum(part) ** 2 / (len(part) + k)
    return total * len(set(LABELS))


def members(x):
    places = np.array([3, 1, 3, 0])
    total = 0.0
    for k in set(places):
        total = total * 0.5 + x[k] ** 2 * np.sum(places == k)
    for n, k in enumerate(set([2, 0, 2])):
        x = x * (x[k] + n)
    return total + np.sum(x[list(set((4, 5, 4)))])


@pytest.mark.parametrize("function", [groups, members])
def test_by_names(function):
    is_right(function)
    is_by_names(function)


def changed_later(x):
    names = set(LABELS)
    total = 0.0
    for name in names:
        total = total + (x[0] if name == "a" else x[1])
    names.add("new")
    return total * len(names)


def test_what_is_more_than_gone_through():
    is_right(changed_later)
    with by_names(), pytest.raises(tl.TangentError):
        tl.grad(changed_later)(np.array([0.3, 0.7, 0.2]))


# Numbers: of equal ones a set keeps the first ----------------------------------------------------
def of_what_varies(x):
    total = 0.0
    for v in sorted(set(x)):
        total = total * 0.5 + v ** 2
    return total


def as_they_come(x):
    values = list(x * x)
    total = 0.0
    for v in set(values):
        total = total + np.sin(v)                 # in whichever order they come
    return total + max(set(values)) * len(set(values)) + sum(set(values))


def at_event_times(x):
    times = np.array([3.0, 1.0, 2.0, 2.0])
    total = 0.0
    for t in sorted(set(times.tolist()), reverse=True):
        total = total * 0.5 + np.sum(times >= t) * t * x[0] * x[1]
    return total


def of_floats(x):
    pair = (x[0], 3.0, x[1], 3.0)
    return sum(v ** 3 for v in sorted(set(pair), key=lambda v: -v)) * x[2]


@pytest.mark.parametrize("function", [of_what_varies, as_they_come, at_event_times, of_floats])
def test_numbers(function):
    """By names alone: by identity, what is in a set comes from nowhere."""
    x = np.array([0.7, -1.1, 0.4, 1.3])
    x.flags.writeable = False
    assert tl.value_and_grad(function)(x)[0] == tl.jvp(function, (x,), (x,))[0] == function(x)
    tl.check_grads(function, (x,), order=1)             # both modes, against differences
    with by_names():
        tl.grad(function)(x)


def test_of_equal_numbers_the_first_is_kept():
    x = np.array([2.0, 3.0, 2.0, 3.0, 1.0])
    x.flags.writeable = False
    value, gradient = tl.value_and_grad(of_what_varies)(x)
    assert value == of_what_varies(x)
    assert np.array_equal(gradient, [2.0, 6.0, 0.0, 0.0, 0.5])
    assert np.array_equal(tl.hessian(of_what_varies)(x), np.diag([1.0, 2.0, 0.0, 0.0, 0.5]))


@pytest.mark.parametrize("x", [[], [2.0], [2.0, 2.0], [3.0, 2.0]])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_few_numbers(x, dtype):
    x = np.array(x, dtype)
    value, gradient = tl.value_and_grad(of_what_varies)(x)
    assert value == of_what_varies(x) and gradient.dtype == x.dtype
    first = np.array([k == list(x).index(v) for k, v in enumerate(x)], float)
    weights = [0.5 ** sum(u > v for u in set(x)) for v in x]
    assert np.allclose(gradient, 2.0 * x * weights * first)


def rounded_up(x, times):
    return sum(t * x * x for t in sorted(set(times)))


def test_other_numbers_at_the_next_call():
    found = tl.grad(rounded_up, wrt=("x", "times"))
    for times in ([3.0, 1.0, 3.0], [2.0], [1.0, 1.0, 1.0, 4.0]):
        bx, btimes = found(0.5, times)
        assert bx == sum(set(times))
        assert btimes == [0.25 * (t not in times[:k]) for k, t in enumerate(times)]
    assert tl.grad(rounded_up)(0.5, [3, 1, 3]) == 4.0
