"""Exceptions that functions raise, compiled: what they say, and of which class they are."""
import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.emit import emit

numba = pytest.importorskip("numba")

from tangent_lite.backends.numba_raising import raised_class, say_plainly  # noqa: E402


class NotConverged(RuntimeError):
    """One of a user's."""

    def __init__(self, count, at=None):
        super().__init__(f"after {count} steps: {at}")


@pytest.mark.parametrize(("text", "plain"), [
    ('raise ValueError(f"n = {n:.2f} of {len(x)}!")', 'raise ValueError("n = {n} of {len(x)}!")'),
    ('raise ValueError("n = %d" % n)', 'raise ValueError("n = %d")'),
    ('raise ValueError("n = {}".format(n)) from None', 'raise ValueError("n = {}")'),
    ("raise E(n, x[0], at=2)", 'raise E("n", "x[0]")'),
    ("raise E(*x)", "raise E()"),
    ("raise E", "raise E"),
    ("raise error", "raise error"),
    ("m = str(n)\n t = 'n ' + m\n raise E(t)", "raise E(\"'n ' + str(n)\")"),
    ("t = 'bad'\n if n:\n  raise E(t)", 't = "bad"\n if n:\n  raise E("t")'),
    ("m = n + 1\n if n:\n  return m\n m = 2\n raise E(m)",
     'm = n + 1\n if n:\n  return m\n m = 2\n raise E("m")'),
    ('assert n > 0, f"n = {n}"', 'assert n > 0, "n = {n}"'),
    ("assert n > 0", "assert n > 0"),
])
def test_texts(text, plain):
    tree, expected = (gast.parse(f"def f(x, n, error):\n {one}\n").body[0]
                      for one in (text, plain))
    say_plainly(tree)
    assert emit(tree).replace("'", '"') == emit(expected).replace("'", '"')


def test_classes():
    known = {"RuntimeError", "ValueError", "Exception"}
    assert raised_class(NotConverged, known) == "RuntimeError"
    assert raised_class(np.linalg.LinAlgError, known) == "ValueError"
    assert raised_class(OSError, known) == "Exception"
    assert raised_class(KeyboardInterrupt, known) is None
    assert raised_class(len, known) is None


def halved(x, n):
    for k in range(n):
        x = x * 0.5
        if x < 0.2:
            raise NotConverged(k, at=x)
    return x


def solved(x, n):
    if n < 0:
        text = f"n = {n}"
        raise ValueError(text)
    assert n < 9, f"{n} steps"
    return halved(x, n) * x


def test_what_python_raises():
    compiled, python = (tl.grad(solved, backend=b) for b in ("numba", "python"))
    assert compiled(0.5, 1) == python(0.5, 1)
    for n in (-1, 5, 10):
        with pytest.raises(Exception) as expected:
            python(0.5, n)
        with pytest.raises(expected.type) as found:
            compiled(0.5, n)
        assert type(found.value) is expected.type and str(found.value) == str(expected.value)


def test_compiled_callers():
    d = tl.grad(solved, backend="numba")

    @numba.njit
    def twice(x, n):
        return 2.0 * d(x, n)

    assert twice(0.5, 1) == 1.0
    with pytest.raises(ValueError, match="^n = {n}$"):
        twice(0.5, -1)
    with pytest.raises(RuntimeError, match="^k$"):
        twice(0.5, 5)
