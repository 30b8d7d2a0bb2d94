"""Masks that are added or multiplied, in compiled code."""
import gast
import numpy as np
import pytest

numba = pytest.importorskip("numba")

import tangent_lite as tl  # noqa: E402
from tangent_lite import kinds, syntax  # noqa: E402
from tangent_lite.backends.numba_masks import combine_masks  # noqa: E402
from tangent_lite.emit import emit_expression  # noqa: E402
from tangent_lite.inference import Typer  # noqa: E402

KINDS = {"m": kinds.Array(1, "bool"), "k": kinds.Array(1, "bool"), "b": kinds.BOOL,
         "x": kinds.Array(1, "float"), "c": kinds.Array(1, "int")}


@pytest.mark.parametrize(("text", "expected"), [
    ("m + k", "m | k"), ("m * k", "m & k"), ("(x > 0.0) + m + k", "(x > 0.0) | m | k"),
    ("m + b", "m | b"), ("(m + k) * x", "(m | k) * x"), ("m + c", "m + c"), ("b * b", "b * b"),
    ("m * x", "m * x"),
])
def test_what_is_written(text, expected):
    tree = gast.parse(f"def f(m, k, b, x, c):\n    return {text}\n").body[0]
    assert combine_masks(tree, Typer(KINDS, lambda name: None).kind, None) == (
        text != expected)
    assert emit_expression(tree.body[0].value) == emit_expression(syntax.parse_expression(expected))


def helper(a, b):
    return a + b


def weighted(x):
    inside = (x > 0.5) + (x < -0.5)
    inside += x > 0.1
    shared = inside * (x < 3.0)
    return np.sum(((x > 0.0) + (x < 4.0)) * x * x) + np.sum(inside * x) + np.sum(shared * x * 2.0) \
        + np.sum(helper(x > 0.1, x < 3.0) * x) + np.sum(inside)


def test_as_in_python():
    for x in (np.array([-1.0, 0.2, 0.7, 2.0, 0.0, 5.0]), np.array([0.7, 2.0])):
        value, gradient = tl.value_and_grad(weighted, backend="numba")(x)
        assert value == weighted(x)
        assert np.array_equal(gradient, tl.grad(weighted)(x))


def counted(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += ((x[i] > 0.1) + (x[i] < 3.0)) * x[i] * x[i]
    return total


def counted_as_ints(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += (int(x[i] > 0.1) + int(x[i] < 3.0)) * x[i] * x[i]
    return total


def test_truth_values_that_are_numbers():
    """Of elements they add up to True, as Python's they are 2: which they are is not known."""
    x = np.array([-1.0, 0.2, 0.7, 2.0, 0.0, 5.0])
    with pytest.raises(tl.UnsupportedSyntaxError, match="sum of two truth values"):
        tl.grad(counted, backend="numba")(x)
    value, gradient = tl.value_and_grad(counted_as_ints, backend="numba")(x)
    assert value == counted_as_ints(x) and np.array_equal(gradient, tl.grad(counted_as_ints)(x))
