"""Names that are None until something is bound to them, compiled."""
import numpy as np
import pytest

pytest.importorskip("numba")

from tests.backends.comparing import held  # noqa: E402


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
def test_none_in_a_list(function):
    held(function, [(np.array([0.5, -1.0, 2.0, 0.3]),)], runs_in_python=True)
