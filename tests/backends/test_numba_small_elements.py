"""Expressions about small arrays, element by element, against NumPy; orders of small products."""
import itertools

import gast
import numpy as np
import pytest

numba = pytest.importorskip("numba")

from tangent_lite import kinds, runtime, syntax  # noqa: E402
from tangent_lite.backends import numba_words as words  # noqa: E402
from tangent_lite.backends.numba_making import made_array  # noqa: E402
from tangent_lite.backends.numba_own_products import own_product  # noqa: E402
from tangent_lite.backends.numba_own_sums import own_sum  # noqa: E402
from tangent_lite.backends.numba_small_elements import (  # noqa: E402
    ByArray,
    Elements,
    Surroundings,
)
from tangent_lite.backends.numba_small_layouts import layout_of, names_by_rows  # noqa: E402
from tangent_lite.backends.numba_small_products import (  # noqa: E402
    COLUMNS,
    ROWS,
    SOMEHOW,
    fused,
    order_of,
)
from tangent_lite.emit import emit, emit_expression  # noqa: E402
from tangent_lite.inference import Typer  # noqa: E402
from tangent_lite.shapes.sizes import Size, Sizes  # noqa: E402

VALUES = {"v": np.array([0.3, -0.7, 1.9]), "w": np.array([2.0, 0.0, -1.5]), "r": np.array([0.4]),
          "M": np.array([[1.0, 2.0, -0.5], [0.2, 0.0, 3.0]]), "pos": np.arange(12.0).reshape(4, 3),
          "Q": np.array([[1.5, 0.3], [-0.2, 0.9]]), "s": 0.7, "i": 2}
APART = ("v", "w", "r", "M", "Q")
MEANT = {"np": np, "made_array": made_array, "where": words.WHERE, "total": words.SUM,
         "unbroadcast": runtime.unbroadcast, "unreduce": runtime.unreduce, "apart": words.APART,
         "zeros_like": words.ZEROS[0], "own_product": own_product, "own_sum": own_sum}
# What stands for these in plain Python.
IN_PYTHON = {**MEANT, "made_array": np.array, "where": np.where, "total": np.sum,
             "apart": lambda value, target: value, "zeros_like": np.zeros_like,
             "own_product": np.matmul, "own_sum": np.sum, "divide": np.divide, "power": np.power,
             "float64": np.float64,
             "fused": numba.njit(lambda x, y, z: fused(x, y, z))}
ORIGINALS = {"made_array": np.array, "where": np.where, "total": np.sum, "own_product": np.matmul,
             "zeros_like": np.zeros_like}


def meant(node):
    if isinstance(node, gast.Attribute):
        return getattr(np, node.attr, None)
    return MEANT.get(getattr(node, "id", ""))


def around():
    typer = Typer({name: kinds.Array(v.ndim, "float", Sizes(map(Size, v.shape)))
                   if isinstance(v, np.ndarray) else kinds.kind_of(v)
                   for name, v in VALUES.items()},
                  lambda name: ORIGINALS.get(name, MEANT.get(name)))
    numbers = itertools.count()
    return Surroundings(lambda node: isinstance(typer.kind(node), kinds.Number), typer.kind, meant,
                        lambda thing, wish: wish, lambda wish: f"{wish}_{next(numbers)}",
                        frozenset(APART))


def names(name):
    found = np.empty(VALUES[name].shape, object)
    for place in np.ndindex(*found.shape):
        found[place] = f"{name}_{''.join(map(str, place))}"
    return found


def computed(text):
    """(by elements, by NumPy) of an expression."""
    elements = Elements(around(), {name: names(name) for name in APART})
    table = elements.of(syntax.parse_expression(text))
    space = {**IN_PYTHON, **VALUES}
    for name in APART:
        space |= dict(zip(names(name).flat, VALUES[name].flat))
        del space[name]
    for node in elements.before:
        exec(emit(node), space)
    found = np.empty(table.shape)
    for place in np.ndindex(*table.shape):
        found[place] = eval(emit_expression(table[place]), space)
    return found, eval(text, {**IN_PYTHON, **VALUES})


@pytest.mark.parametrize("text", [
    "v + s * w", "2.0 * (v - w) * v", "-v", "v / w", "s / v", "v ** 2", "v ** 3", "M * v", "M + s",
    "M[:, None] * v", "v[:, None] * w", "v[::-1] - w", "v[1:] * w[:2]", "M[1]", "M[:, 1]", "M.T",
    "M.T + v[:, None]", "v[-1]", "M[1, 2] * v[0]", "pos[i] - pos[1]", "pos[i + 1, :] * v", "r * v",
    "r + M", "np.exp(v)", "np.maximum(v, w)", "np.sign(v) * np.sqrt(np.abs(w))",
    "where(v > w, v, 0)", "where(v > 0.5, s, w)", "made_array((v[0], 1, s))",
    "made_array(((s, 2.0), (i, s)))", "made_array((v, w))", "np.zeros(3)", "np.eye(2)",
    "np.ones((2, 2))", "zeros_like(M)", "total(v)", "total(M, 1)", "total(M, axis=0)", "v @ w",
    "M @ v", "Q @ M", "M.T @ Q", "own_product(Q, M)", "own_product(v, w)", "own_product(M, v)",
    "own_product(Q.T, M)", "unbroadcast(v, w)", "unbroadcast(M, v)", "unbroadcast(v, r)",
    "unreduce(s, M)", "apart(v, w) * 2", "s * v.shape[0] + M.size",
])
def test_by_elements(text):
    with np.errstate(all="ignore"):
        found, expected = computed(text)
    assert found.shape == np.shape(expected)
    if "own_product" in text:                           # to the last bit
        assert np.array_equal(found, expected)
    np.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize("text", [
    "v + M[0, :2]", "v[5]", "v[i]", "v[1:i]", "np.sort(v)", "np.linalg.solve(Q, v[:2])", "v % w",
    "v ** s", "total(v, keepdims=True)", "M @ w[:2]", "pos * 2.0", "np.zeros(i)", "np.cumsum(v)",
    "(v > 0.0) + (w > 0.0)", "total(v > 0.0)", "np.maximum(v > 0.0, w > 0.0)", "-(v > 0.0)",
    "made_array((i, 2)) * made_array((i, i))",
])
def test_what_is_not_said_by_elements(text):
    with pytest.raises(ByArray):
        Elements(around(), {name: names(name) for name in APART}).of(syntax.parse_expression(text))


def test_zeros_below_zero():
    """Sums that are to be NumPy's own are added to a zero, and so there is none below it."""
    elements = Elements(around(), {name: names(name) for name in APART})
    for text in ("own_sum(v)", "own_product(v, w)"):
        space = {**IN_PYTHON, **dict.fromkeys(names("v"), -0.0), **dict.fromkeys(names("w"), 1.0)}
        found = elements.of(syntax.parse_expression(text))[()]
        assert not np.signbit(eval(emit_expression(found), space)), text


def test_the_arrays_whose_sizes_it_rests_on():
    elements = Elements(around(), {"v": names("v")})
    elements.of(syntax.parse_expression("v * pos[i] + zeros_like(w)"))
    assert [emit_expression(node) for node in elements.arrays] == ["pos[i]", "w"]


# Products -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("left", "right"), [
    ((2,), (2,)), ((3,), (3,)), ((2, 2), (2,)), ((3, 3), (3, 3)), ((2, 3), (3, 2)),
    ((3,), (3, 2))])
def test_orders_of_products(left, right):
    """With other numbers than those that were asked; computed by the processor's instruction."""
    order = order_of(left, right, (ROWS, ROWS))
    if order is None:
        pytest.skip("this NumPy adds up in no order that is known")
    multiply = IN_PYTHON["fused"]
    generator = np.random.default_rng(99)
    for _ in range(20):
        x, y = generator.normal(size=left), generator.normal(size=right)
        rows, columns = np.atleast_2d(x), y if y.ndim > 1 else y[:, None]
        table = np.zeros((len(rows), columns.shape[1]))
        for i, j in np.ndindex(*table.shape):
            for k in order.places:
                table[i, j] = multiply(rows[i, k], columns[k, j], table[i, j]) \
                    if order.is_fused else table[i, j] + rows[i, k] * columns[k, j]
        assert np.array_equal(table.ravel(), np.ravel(x @ y))


@pytest.mark.parametrize(("text", "layout"), [
    ("v", ROWS), ("pos", SOMEHOW), ("M.T", COLUMNS), ("M.T.T", ROWS), ("M + M", ROWS),
    ("v * w", ROWS),
    ("M.T * 2.0", SOMEHOW), ("M @ v", ROWS), ("M.T @ Q", ROWS), ("pos[i] - v", ROWS),
    ("pos * 2.0", SOMEHOW), ("M[:, 1]", SOMEHOW), ("-M", ROWS), ("np.linalg.inv(Q)", SOMEHOW),
    ("made_array((v, w))", ROWS), ("apart(M, Q)", ROWS), ("np.exp(M)", ROWS)])
def test_layouts(text, layout):
    given = around()
    assert layout_of(syntax.parse_expression(text), given.by_rows, meant, given.kind) == layout


def test_names_that_lie_by_rows():
    tree = gast.parse('''
def f(pos, s):
    a = made_array(((s, 1.0), (1.0, s)))
    tape = []
    tape.append(a)
    b = a.T
    c = a + b
    for i in range(3):
        a = a @ b
        d = tape.pop()
    e = pos
''').body[0]
    kind = around().kind
    assert names_by_rows(tree, ["a", "b", "c", "d", "e", "tape"], meant, kind) == {"a", "d", "tape"}
