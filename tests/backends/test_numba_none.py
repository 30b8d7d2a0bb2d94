"""Names that are None until something is bound to them, compiled."""
import numpy as np
import pytest

pytest.importorskip("numba")

from tests.backends.comparing import compare, held  # noqa: E402


def kept_in_a_list(x):
    """The list of the user holds None, which compiled lists of floats do not."""
    last, kept = None, []
    for v in x:
        kept.append(last)
        last = v
    total = last * 1.0
    for one in kept:
        if one is None:
            total += 100.0 * x[0]
        else:
            total += one * x[1]
    return total


def first_of_a_list(x):
    last, kept = None, []
    for v in x:
        kept.append(last)
        last = v * 2.0
    if kept[0] is None:
        return last * x[0]
    return last


@pytest.mark.parametrize("function", [kept_in_a_list, first_of_a_list])
@pytest.mark.sweep(2)
def test_none_in_a_list(function):
    held(function, [(np.array([0.5, -1.0, 2.0, 0.3]),)], runs_in_python=True)


def largest(x, y):
    best = None
    for i in range(x.size):
        s = x[i] * y[i]
        if best is None or s > best:
            best = s
    return best ** 2


def until_it_settles(x, y):
    last, n = None, 0
    while last is None or abs(last - x[0]) > 1e-3:
        last = x[0] * (1.0 + 0.5 ** n)
        n += 1
    return last * y[0]


def steps_between(x, y):
    last, total = None, 0.0
    for k in range(x.size):
        now = x[k] * y[k]
        total += (now - last) ** 2 if last is not None else now
        last = now
    return total


ARGS = np.array([0.5, -1.0, 2.0, 0.3]), np.array([1.5, 0.2, -0.4, 2.0])


@pytest.mark.parametrize("function", [largest, until_it_settles])
def test_asked_whether_it_is_none(function):
    held(function, [ARGS, ARGS[::-1]])


def forgotten(x, y):
    """None comes back, from a function and by a statement."""
    last, total = None, 0.0
    for k in range(x.size):
        total += y[0] * x[k] if last is None else last * y[1]
        last = x[k] * y[k] if x[k] > 0 else None
    return total


def reset(x, y):
    last, total = None, 0.0
    for k in range(x.size):
        if x[k] < 0:
            last = None
        elif last is None:
            last = x[k] * y[0]
        else:
            last = last * x[k]
            total += last
    if last is None:
        return total
    return total * last


def nothing_found(x, y):
    best = None
    for k in range(x.size):
        if x[k] > 5.0 and (best is None or x[k] > best):
            best = x[k] * y[k]
    return best * x[0]


@pytest.mark.parametrize("function", [steps_between, forgotten, reset, nothing_found])
@pytest.mark.sweep(2)
def test_none_again(function):
    """Compiled or not: what Python makes of it."""
    for args in (ARGS, ARGS[::-1], (np.abs(ARGS[0]), ARGS[1])):
        assert compare(function, args, (0, 1))[0] in ("same", "stopped", "refused")
