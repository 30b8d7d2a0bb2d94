"""Compiled derivatives that are written for shapes: which calls they serve, and which others do."""
import ast
import pickle

import numpy as np
import pytest

import tangent_lite as tl
from tests.backends.comparing import same

numba = pytest.importorskip("numba")

from tangent_lite.backends import numba_loops  # noqa: E402
from tangent_lite.backends.numba_fitting import Named, asked_of  # noqa: E402
from tangent_lite.backends.numba_packers import Holder, Leaf  # noqa: E402

ARRAY, INT = Leaf(np.ndarray, np.dtype(float)), Leaf(int)


# What compiled code is asked ----------------------------------------------------------------------
LAYER = Holder(tuple, (ARRAY, ARRAY))
ARGUMENTS = {
    "x": Named(ARRAY, ["a0"]), "n": Named(INT, ["a1"]),
    "p": Named(Holder(dict, (ARRAY, LAYER), ("b", "W")), ["a2_0", "a2_1", "a2_2"]),
    "layers": Named(Holder(list, (LAYER, LAYER)), ["a3_0", "a3_1", "a3_2", "a3_3"])}


@pytest.mark.parametrize("assumed, asked", [
    ([], ""),
    (["x.shape[1] == n"], "a0.shape[1] == a1"),
    (["2 * x.shape[0] - 1 >= 1", "n == 3"], "((2 * a0.shape[0]) - 1) >= 1 and a1 == 3"),
    (["p['b'].shape[0] == p['W'][1].shape[0]"], "a2_0.shape[0] == a2_2.shape[0]"),
    (["max(n - 1, 0) == x.shape[0] // 2"], "max((a1 - 1), 0) == (a0.shape[0] // 2)"),
    (["all(item[0].shape[1] == n for item in layers)"],
     "a3_0.shape[1] == a1 and a3_2.shape[1] == a1"),
])
def test_what_is_asked(assumed, asked):
    assert asked_of(assumed, ARGUMENTS) == asked


@pytest.mark.parametrize("text", [
    "len(range(x.shape[0])[1:]) == 3", "OUTSIDE.shape[0] == n", "p.b.shape[0][0] == n"])
def test_what_is_asked_in_python(text):
    ast.parse(text)
    assert asked_of([text], ARGUMENTS) is None


# Calls --------------------------------------------------------------------------------------------
def draw(*shape):
    return np.random.default_rng(sum(shape) + len(shape)).normal(size=shape)


def stretched(x, b):
    t = np.tanh(x * b + b)
    return np.sum(t * t * b)


def summed(ls, x):
    for W, b in ls:
        x = np.tanh(x @ W + b)
    return np.sum(x * x)


def in_dict(p, x):
    return np.sum(np.tanh(x @ p["W"] + p["b"]) ** 2)


def beside(x, n):
    y = x[:n] * x[n:2 * n]
    return np.sum(np.sin(y) * y) + np.sum(x[1:] * x[:-1])


def layers(*sizes):
    return [(draw(a, b), draw(b)) for a, b in zip(sizes, sizes[1:])]


CALLS = [
    (stretched, [(draw(3, 4), draw(4)), (draw(5, 4), draw(4)), (draw(3, 4), draw(1)),
                 (draw(1, 4), draw(4)), (draw(0, 4), draw(4)), (draw(3, 1), draw(4)),
                 (np.asfortranarray(draw(3, 4)), draw(8)[::2])]),
    (summed, [(layers(3, 4, 2), draw(5, 3)), (layers(3, 3, 3), draw(5, 3)),
              ([(draw(3, 4), draw(1)), (draw(4, 2), draw(2))], draw(5, 3)),
              (layers(1, 1, 1), draw(1, 1)), (layers(3, 5, 2), draw(0, 3))]),
    (in_dict, [({"W": draw(3, 4), "b": draw(4)}, draw(5, 3)),
               ({"W": draw(3, 4), "b": draw(1)}, draw(5, 3)),
               ({"W": draw(2, 4), "b": draw(4)}, draw(7, 2))]),
    (beside, [(draw(8), 3), (draw(8), 4), (draw(8), 5), (draw(1), 1), (draw(0), 0), (draw(8), -3)]),
]


@pytest.mark.slow
@pytest.mark.parametrize("fun, calls", CALLS, ids=[fun.__name__ for fun, _ in CALLS])
def test_calls_with_other_shapes(fun, calls):
    """Each call twice, since the second one goes by machine code; then all once more."""
    python = tl.grad(fun)
    compiled = tl.grad(fun, backend="numba")
    for args in [*calls, *calls]:
        for _ in range(2):
            try:
                expected = python(*args)
            except ValueError:
                with pytest.raises(ValueError):
                    compiled(*args)
                continue
            assert same(expected, compiled(*args)), args
    # For shapes like those of the first call, and for all.
    assert all(len(made) <= 2 for made in compiled._variants.values())


def test_the_text_says_for_which_shapes_it_is():
    compiled = tl.grad(lambda x, b: np.sum(x * b), backend="numba")
    assert "Written for x.shape[1] == b.shape[0]." in compiled.source_for(draw(3, 4), draw(4))


@pytest.mark.slow
def test_compiled_callers_pass_any_shapes():
    """They cannot come back for other code, so that for all shapes is theirs."""
    python = tl.grad(stretched, wrt=("x", "b"))
    compiled = tl.grad(stretched, wrt=("x", "b"), backend="numba")
    assert same(python(draw(3, 4), draw(4)), compiled(draw(3, 4), draw(4)))

    @numba.njit
    def caller(x, b):
        return compiled(x, b)

    for args in ((draw(3, 4), draw(4)), (draw(3, 4), draw(1)), (draw(3, 1), draw(4))):
        assert same(python(*args), caller(*args))
    again = pickle.loads(pickle.dumps(tl.grad(in_dict, backend="numba")))
    args = {"W": draw(3, 4), "b": draw(4)}, draw(5, 3)
    assert same(tl.grad(in_dict)(*args), again(*args))


K = draw(4)


def by_outside(x):
    return np.sum(np.tanh(x * K) * x)


@pytest.mark.slow
def test_arrays_around_the_function(monkeypatch):
    python, compiled = tl.grad(by_outside), tl.grad(by_outside, backend="numba")
    for size, around in ((4, 4), (4, 1), (1, 4), (4, 4), (1, 1)):
        monkeypatch.setitem(globals(), "K", draw(around))
        for _ in range(2):
            assert same(python(draw(size)), compiled(draw(size)))


def test_beside_a_product_the_rest_is_a_loop(monkeypatch):
    """`np.tanh(x @ W + b)`: the product by BLAS, all else element by element."""
    texts = []

    class Kept(numba_loops.Writer):
        def text(self):
            texts.append(super().text())
            return texts[-1]

    monkeypatch.setattr(numba_loops, "Writer", Kept)

    def layer(W, b, x):
        return np.sum(np.tanh(x @ W + b) ** 2)

    args = draw(3, 4), draw(4), draw(5, 3)
    found = tl.grad(layer, wrt=("W", "b"), backend="numba")(*args)
    assert same(tl.grad(layer, wrt=("W", "b"))(*args), found)
    assert any("hyperbolic_tangent(" in text and "np.tanh" not in text for text in texts), texts
