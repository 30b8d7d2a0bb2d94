"""What shows only as a derivative runs, as the size of an argument, is refused with the line of the
user's as well, and says what to write instead."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity


def several_series(x):
    c = np.outer(x, x)
    s = 2.0
    y = np.polynomial.chebyshev.chebval(x, c)
    return np.sum(y) * s


def padded(x):
    a = np.outer(x, x)
    return np.sum(np.pad(a, 1, mode="mean"))


def in_a_helper(x):
    return series(x, np.outer(x, x)) * 2.0


def series(x, c):
    y = np.polynomial.legendre.legval(x, c)
    return np.sum(y)


def abstract(x):
    return Unfinished().value(x)


class Unfinished:
    def value(self, x):
        raise NotImplementedError("the user's own; not ours")


X = np.array([0.3, 0.5, 0.2])
REFUSED = [(several_series, "y = np.polynomial.chebyshev.chebval(x, c)", "one after the other"),
           (padded, 'return np.sum(np.pad(a, 1, mode="mean"))', None),
           (in_a_helper, "y = np.polynomial.legendre.legval(x, c)", "one after the other")]


@pytest.mark.parametrize("f, line, fix", REFUSED)
@pytest.mark.parametrize("derivative", [
    lambda f: tl.grad(f)(X), lambda f: tl.value_and_grad(f)(X), lambda f: tl.hessian(f)(X),
    lambda f: tl.vjp(f, X)[1](1.0), lambda f: tl.grad(f, debug="nan")(X)])
def test_by_names(f, line, fix, derivative):
    with pytest.raises(tl.MissingRuleError, match="the derivative of .* is not known") as found:
        derivative(f)
    assert found.value.place.text.strip() == line
    assert found.value.place.file == __file__
    assert fix is None or fix in found.value.fix
    assert found.value.__cause__ is None


@pytest.mark.parametrize("f, line, fix", REFUSED)
def test_by_identity(f, line, fix):
    with by_identity(), pytest.raises(tl.MissingRuleError, match="is not known") as found:
        tl.grad(f)(X)
    assert found.value.place.text.strip() == line


def test_what_the_user_raises_is_left_alone():
    with pytest.raises(NotImplementedError, match="the user's own; not ours") as found:
        tl.grad(abstract)(0.5)
    assert type(found.value) is NotImplementedError
