"""Lists of tuples, lists and dicts, compiled: against the Python backend and finite differences."""
import copy
import dataclasses
import warnings
from typing import NamedTuple

import numpy as np
import pytest

import tangent_lite as tl

numba = pytest.importorskip("numba")

from tests.backends import containers  # noqa: E402
from tests.backends.comparing import compare, same  # noqa: E402
from tests.backends.containers import check  # noqa: E402
from tests.structures import test_nested  # noqa: E402

RNG = np.random.default_rng(7)
X = RNG.normal(size=3)


def layers(count=3):
    return containers.layers(RNG, count)


def slow(function, more=()):
    """A case that takes ten seconds or more to compile."""
    return pytest.param(function, more, marks=pytest.mark.slow)


# Ways through a list ------------------------------------------------------------------------------
def through(params, x):
    h = x
    for W, b in params[:-1]:
        h = np.maximum(W @ h + b, 0.0)
    W, b = params[-1]
    return np.sum((W @ h + b) ** 2)


def by_index(params, x):
    h = x
    i = 0
    while i < len(params):
        h = np.tanh(params[i][0] @ h) + params[i][1]
        i = i + 1
    return np.sum(h)


def by_two(params, x, scales):
    h = x
    for (W, b), s in zip(params, scales):
        h = np.tanh(W @ h + b) * s
    for i, (_, b) in enumerate(reversed(params)):
        h = h + b * i
    return np.sum(h)


def by_slices(params, x):
    h = x
    for W, b in params[1:]:
        h = np.tanh(W @ h + b)
    for W, b in params[::-2]:
        h = np.tanh(W @ h + b)
    return np.sum(h) * len(params[1:])


def layer(part, h):
    return np.tanh(part[0] @ h + part[1])


def by_calls(params, x):
    h = x
    for part in params:
        h = layer(part, h)
    return sum([np.sum(h * b) for W, b in params])


def longer(params, x):
    params.append((params[0][0] * 2.0, params[0][1] + 1.0))
    W, b = params[1]
    params[0] = (W * 3.0, b)
    h = x
    for W, b in params + params[:1]:
        h = W @ h + b
    return np.sum(h)


@pytest.mark.parametrize("function, more", [
    (by_two, ([1.0, 2.0, 3.0],)), slow(through), slow(by_index), slow(by_slices), slow(by_calls),
    slow(longer)])
def test_a_list_of_tuples(function, more):
    assert check(function, (layers(), X, *more)) == ("same", "")


@pytest.mark.slow
def test_an_int_that_chooses():
    def chosen(params, i, x):
        return np.sum(params[i][1] * x) * params[-i][1][0]

    p = layers()
    for i in (1, 2, -2):
        assert compare(chosen, (p, i, X), (0,)) == ("same", "")
    assert compare(chosen, (p, 3, X), (0,))[1] == "raises"


# What a list holds --------------------------------------------------------------------------------
class Layer(NamedTuple):
    W: np.ndarray
    b: np.ndarray


@dataclasses.dataclass
class Block:
    W: np.ndarray
    b: np.ndarray


def of_attributes(params, x):
    h = x
    for p in params:
        h = np.tanh(p.W @ h + p.b)
    return np.sum(h)


def of_keys(params, x):
    h = x
    for p in params:
        h = np.tanh(p["W"] @ h + p["b"])
    return np.sum(h)


def of_pairs(params, x):
    total = x
    for a, b in params:
        total = a * total + b
    return total


def of_rows(rows):
    total = 0.0
    for row in rows:
        for v in row:
            total = total + v * v
    return total


def of_words(params, x):
    h = x
    for word, W, n in params:
        for _ in range(n):
            h = np.maximum(W @ h, 0.0) if word == "relu" else np.tanh(W @ h) * n
    return np.sum(h)


def of_numbers_and_arrays(params, x):
    s = x
    for a, b in params:
        s = a * np.sum(b) * s
    return s


def deep(groups):
    total = 0.0
    for group in groups:
        for (a, b), c in group:
            total = total + a * b * np.sum(c)
    return total


def in_a_dict(model, x):
    h = x
    for p in model["layers"]:
        h = np.tanh(p["W"] @ h) + model["bias"]
    return np.sum(h)


def of_several(p, x):
    return np.sum(np.tanh(p[0] @ x + p[1])) * p[2]


@pytest.mark.parametrize("function, args", [
    slow(through, ([list(p) for p in layers()], X)),
    (of_attributes, ([Layer(*p) for p in layers()], X)),
    slow(of_keys, ([{"W": W, "b": b} for W, b in layers()], X)),
    (of_pairs, ([(1.0, 2.0), (3.0, 0.5)], 2.0)),
    (of_rows, ([[1.0, 2.0], [3.0]],)),
    slow(of_words, ([("relu", np.ones((3, 3)), 1), ("tanh", np.eye(3) * 0.3, 2)], X)),
    slow(of_numbers_and_arrays, ([(1.5, np.ones(3)), (0.5, np.ones(2))], 2.0)),
    slow(deep, ([[((1.0, 2.0), np.ones(2))],
                 [((2.0, 3.0), np.ones(3)), ((1.0, 1.5), np.ones(1))]],)),
    (of_several, ([np.eye(3), X, 2.0], X)),
    (in_a_dict, ({"layers": [{"W": np.eye(3)}, {"W": np.ones((3, 3))}], "bias": X}, X)),
])
@pytest.mark.sweep(2)
def test_what_a_list_holds(function, args):
    assert check(function, args) == ("same", "")


def test_objects_in_a_list():
    blocks = [Block(*p) for p in layers()]
    assert compare(of_attributes, (blocks, X), (0,)) == ("same", "")


# Memory -------------------------------------------------------------------------------------------
def spread(shape):
    """An array that lies in no order."""
    return RNG.normal(size=[2 * n for n in shape])[tuple(slice(None, None, 2) for _ in shape)]


def frozen(array):
    array.flags.writeable = False
    return array


PLAIN = layers(2)
COLUMNS = [(np.asfortranarray(W), b) for W, b in layers(2)]
ANY = [(spread((3, 3)), spread((3,))) for _ in range(2)]


@pytest.mark.parametrize("params", [
    COLUMNS, ANY, pytest.param([*PLAIN, *COLUMNS, *ANY], marks=pytest.mark.slow),
    pytest.param([PLAIN[0], (frozen(np.eye(3)), X)], marks=pytest.mark.slow),
    [PLAIN[0], (RNG.normal(size=(2, 3)), np.ones(2))],
], ids=["columns", "any", "all", "read-only", "shapes"])
@pytest.mark.sweep(2)
def test_arrays_that_lie_otherwise(params):
    assert check(through, (params, X)) == ("same", "")


def test_arrays_of_records_are_refused_with_their_fields():
    records = np.zeros(3, dtype=[("x", "f8"), ("y", "f8")])

    def misfit(a, rec):
        return np.sum((rec["y"] - a * rec["x"]) ** 2)
    with pytest.raises(tl.TangentError, match=r"pass its fields as arrays, rec\['x'\]"):
        tl.grad(misfit, backend="numba")(0.5, records)


def test_dtypes_that_are_not_compiled_are_refused():
    W = np.eye(3, dtype=np.float32)
    with pytest.raises(tl.TangentError, match=r"params\[1\]\[0\] is an array of float32"):
        tl.grad(through, backend="numba")([PLAIN[0], (W, X)], X)


def two_lists(p, q, x):
    h = x
    for (W, b), (V, c) in zip(p, q):
        h = np.tanh(W @ h + b) * (V @ h + c)
    return np.sum(h)


def arrays_in(tree):
    if isinstance(tree, np.ndarray):
        return [tree]
    return [a for part in tree for a in arrays_in(part)] if isinstance(tree, (list, tuple)) else []


def test_the_same_thing_twice():
    (W, b), other = PLAIN
    for p, q, x in [(PLAIN, PLAIN, X), ([(W, b), (W, b)], [other, (W, b)], b),
                    ([PLAIN[0], PLAIN[0]], PLAIN, X), ([(W, W[0]), other], PLAIN, W[1])]:
        found = tl.grad(two_lists, wrt=(0, 1, 2), backend="numba")(p, q, x)
        assert same(tl.grad(two_lists, wrt=(0, 1, 2))(p, q, x), found, 1e-12)
        found_arrays = arrays_in(found)
        for k, one in enumerate(found_arrays):
            assert one.flags.writeable
            for other_one in [*found_arrays[:k], *arrays_in([p, q, x])]:
                assert not np.shares_memory(one, other_one)


def handed_on(params):
    """Its adjoints are one array each, which all parts share."""
    total = params[0][0] + params[0][1]
    for a, b in params[1:]:
        total = total + a + b
    return np.sum(total)


def test_gradients_share_no_memory():
    params = [(np.ones(3), np.zeros(3)), (X, X)]
    gradient = tl.grad(handed_on, backend="numba")(params)
    assert [tuple(part.tolist() for part in one) for one in gradient] == [([1.0] * 3,) * 2] * 2
    gradient[0][0][:] = 7.0
    assert gradient[0][1].tolist() == gradient[1][0].tolist() == [1.0] * 3


def test_nothing_is_left_behind():
    from numba.core.runtime import _nrt_python, rtsys

    if not _nrt_python.memsys_stats_enabled():
        _nrt_python.memsys_enable_stats()
    d = tl.grad(through, backend="numba")
    d(PLAIN, X)
    d(PLAIN, X)
    before = rtsys.get_allocation_stats()
    for _ in range(50):
        d(PLAIN, X)
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free


# Calls --------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_one_call_after_the_other():
    """Of other lengths, layouts and kinds; no call goes to Python."""
    d, plain = tl.grad(through, backend="numba"), tl.grad(through)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for params in [PLAIN, PLAIN, layers(4), PLAIN, COLUMNS, [list(p) for p in PLAIN], PLAIN,
                       tuple(PLAIN), [tuple(np.array(a) for a in p) for p in PLAIN]]:
            assert same(plain(params, X), d(params, X), 1e-12)


@pytest.mark.slow
def test_values_forms_and_options():
    for options in ({"fastmath": True}, {"boundscheck": False}):
        value, found = tl.value_and_grad(through, wrt=("params", "x"), backend="numba",
                                         **options)(PLAIN, X)
        assert np.isclose(value, through(PLAIN, X), rtol=1e-12)
        assert same(tl.grad(through, wrt=("params", "x"))(PLAIN, X), found, 1e-12)


@pytest.mark.slow
def test_the_list_stays_as_it_is():
    params = layers(2)
    before = copy.deepcopy(params)
    tl.grad(longer, backend="numba")(params, X)
    assert same(before, params)


scale = 2.0


def with_a_number_from_outside(params):
    total = 0.0
    for a, b in params:
        total = total + np.sum(a * b) * scale
    return total


def test_names_from_outside(monkeypatch):
    params = [(X, np.ones(3)), (np.ones(3), X)]
    d, plain = (tl.grad(with_a_number_from_outside, backend=b) for b in ("numba", "python"))
    for number in (2.0, 3.0):
        monkeypatch.setitem(globals(), "scale", number)
        assert same(plain(params), d(params), 1e-12)


# Refusals -----------------------------------------------------------------------------------------
def writes_to_several(p, x):
    p[2] = p[2] * 2.0
    return np.sum(np.tanh(p[0] @ x + p[1])) * p[2]


def goes_through_several(p, x):
    total = 0.0
    for part in p:
        total = total + np.sum(part)
    return total * x[0]


def turned(params):
    params[0] = (params[0][0].T, params[0][1])
    return np.sum(params[0][0] @ params[0][1])


@pytest.mark.parametrize("function, args, line", [
    (writes_to_several, ([np.eye(3), X, 2.0], X), 1),
    (goes_through_several, ([np.eye(3), X, 2.0], X), 2),
    (turned, (PLAIN,), 1),
])
@pytest.mark.sweep(2)
def test_what_is_refused_names_the_statement(function, args, line):
    with pytest.raises(tl.TangentError) as caught:
        tl.grad(function, backend="numba")(*args)
    assert f"test_numba_containers.py:{function.__code__.co_firstlineno + line}:" \
        in str(caught.value)
    assert 'backend="python"' in str(caught.value)


@pytest.mark.parametrize("argument, words", [
    ([[], [1.0]], "rows\\[0\\] is a list of 0 parts"),
    ([[1.0] * 60] * 4, "240 numbers and arrays"),
    ([[1.0], [np.float32(2.0)]], r"rows\[1\]\[0\] is of type float32"),
])
def test_lists_that_are_not_passed(argument, words):
    with pytest.raises(tl.TangentError, match=words):
        tl.grad(of_rows, backend="numba")(argument)


def test_masks_of_two_axes_are_refused_at_their_line():
    def read(x):
        y = 2.0 * x
        return np.sum(y[x > 0] ** 2)

    def written(x):
        y = 2.0 * x
        y[y < 0] = 0.0
        return np.sum(y ** 2)

    for f, line in ((read, "y[x > 0]"), (written, "y[y < 0] = 0.0")):
        with pytest.raises(tl.TangentError, match="masks of one axis only") as refusal:
            tl.grad(f, backend="numba")(np.ones((2, 2)))
        assert line in str(refusal.value)
        np.testing.assert_allclose(tl.grad(f, backend="numba")(np.ones(3)), np.full(3, 8.0))


@pytest.mark.parametrize("name", ["heated", "in_place", *[
    pytest.param(name, marks=pytest.mark.slow) for name in ("solved", "warped", "repeated")]])
@pytest.mark.sweep(2)
def test_tables_in_lists(name):
    function, given = next((f, a) for f, a in test_nested.CASES if f.__name__ == name)
    before, wrt = copy.deepcopy(given), test_nested.varied(given)
    found = tl.grad(function, wrt=wrt, backend="numba")(*given)
    assert same(found, tl.grad(function, wrt=wrt)(*given))
    assert given == before


# Calls of Python ----------------------------------------------------------------------------------
def summed_by_python(x):
    return sum(x) * sum(x * x)


def scaled_by_powers(x):
    total = 0.0
    for k in range(4):
        total += x[k % 2] * np.power(2, k)
    return total * np.power(3, 2)


@pytest.mark.parametrize("function, want", [
    (summed_by_python, lambda x: np.sum(x * x) + 2.0 * np.sum(x) * x),
    (scaled_by_powers, lambda x: np.array([45.0, 90.0])),
])
def test_sums_of_arrays_and_powers_of_ints(function, want):
    x = np.array([0.3, 1.7])
    value, slope = tl.value_and_grad(function, backend="numba")(x)
    assert value == function(x)
    np.testing.assert_allclose(slope, want(x), rtol=1e-13)
