"""Jacobians and Hessians: one pass along all directions gives what one pass for each gives."""
import dataclasses
import math

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import operators
from tangent_lite.directions import acting, batched, jacobians
from tangent_lite.directions.jacobians import Rows
from tangent_lite.leaves import leaves
from tangent_lite.runtime import match, unbroadcast, unreduce
from tangent_lite.runtime.batches import (
    count_of,
    match_each,
    row_by_row,
    row_of,
    spread,
    unbroadcast_each,
    unreduce_each,
)

RNG = np.random.default_rng(7)
A = RNG.standard_normal((4, 4))
B = RNG.standard_normal((3, 4))


def by_differences(f, x, h=1e-3):
    """The Jacobian by central differences of order eight."""
    weights = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
    columns = []
    for spot in np.ndindex(x.shape):
        unit = np.zeros(x.shape)
        unit[spot] = h
        columns.append(sum(w * (np.asarray(f(x + k * unit)) - np.asarray(f(x - k * unit)))
                           for k, w in enumerate(weights, 1)) / h)
    return np.moveaxis(np.array(columns), 0, -1).reshape((*np.shape(f(x)), *x.shape))


def by_complex_step(f, x, h=1e-30):
    """The Jacobian by complex steps: no cancellation, for functions that are analytic."""
    columns = []
    for k in range(x.size):
        moved = x.astype(complex)
        moved[k] += 1j * h
        columns.append(np.imag(f(moved)) / h)
    return np.moveaxis(np.array(columns), 0, -1)


# Functions of an array of four --------------------------------------------------------------------
def elementwise(x):
    return np.sin(x) * x - np.exp(-x) / (2.0 + x * x)


def broadcasting(x):
    return x * x[0] + B + np.sum(x) * B[:, :1] * x


def products(x):
    y = A @ x + x @ A
    return np.outer(y, x) @ (A * x) + np.dot(A, y) + y @ x


def transposed(x):
    m = (A * x).T
    return m @ x + m.T.reshape(2, 8)[1, :4] + np.ravel(m)[3:7]


def reductions(x):
    m = A * x
    return np.sum(m, axis=0) + np.mean(m * m, axis=-1) + np.sum(m, axis=1, keepdims=True)[:, 0] \
        + np.sum(m)


def elements(x):
    y = np.zeros(4)
    y[0] = x[0]
    for i in range(1, 4):
        y[i] = y[i - 1] * x[i] + math.sin(x[i])
        y[i - 1] *= 2.0
    return y


def carried(x):
    s, t = 1.0, 0.0
    for v in x:
        t = s
        s += v * t
        if s > 1.5:
            s = s / (1.0 + v * v)
    return np.array([s, t, s * t, 2.0])


def element_kept(x):
    y = x.copy()
    first = y[0]
    y[0] = y[1] * 3.0
    y[1] = first * y[0]
    return y * first


def slices(x):
    u = x * x
    for _ in range(2):
        u[1:-1] = u[2:] * u[:-2] + u[1:-1]
    v = u[::-1]
    v[0] = 5.0 * x[2]
    return u


def gathered(x):
    rows = np.array([0, 2, 2, 3])
    y = x[rows] * x[[1, 1, 0, 3]]
    y[rows] += x[rows] * 2.0
    return y[x > -9.0] * (A * x)[0, rows]


def listed(x):
    states = [x]
    for i in range(3):
        states.append(states[-1] * states[i] + 0.1)
    last = states.pop()
    return last + sum([s[0] for s in states]) * states[1]


def in_dict(x):
    p = {"w": x * 2.0, "b": (x[0], 3.0)}
    p["w"] = p["w"] * p["b"][0]
    return p["w"] + p["b"][1] * x


def sigmoid(v):
    return 1.0 / (1.0 + np.exp(-v))


def two(v, k=2.0):
    y = sigmoid(v * k)
    return y, y * v


def helpers(x):
    a, b = two(A @ x)
    c, _ = two(b, 3.0)
    return a * b + c


def row_wise(x):
    return np.cumsum(x) * np.sort(x) + np.linalg.solve(A, x) + np.kron(x[:2], x[2:])


def stacked(x):
    return np.concatenate([x, 2.0 * x[:1] * x[1:2]]) \
        * np.stack([x, x * x, A[0], A[1], x + 1.0], axis=0)[:, 1]


def chosen(x):
    return np.where(x > 0.0, x * x, np.maximum(x, -0.5)) + np.clip(x, -0.4, 0.6) + np.abs(x)


def power(x, n):
    return x if n == 1 else x * power(x, n - 1)


def recursive(x):
    return power(x, 3)


def while_loop(x):
    while np.sum(x * x) < 50.0:
        x = x * 1.5 + x[::-1] * x
    return x


FUNCTIONS = [elementwise, broadcasting, products, transposed, reductions, elements, carried,
             element_kept, slices, gathered, listed, in_dict, helpers, row_wise, stacked, chosen,
             recursive, while_loop]
# Those of which some part has no form for batches, in one of the modes.
ONE_BY_ONE = {"recursive", "row_wise", "transposed", "gathered", "listed", "stacked"}
# Those whose backward pass can be read again; of the others there is no Hessian.
TWICE = [f for f in FUNCTIONS if f not in (transposed, listed)]


def at_singles(monkeypatch, make):
    """What a call gives with one pass for each direction."""
    with monkeypatch.context() as patched:
        patched.setattr(jacobians, "has_batches", lambda variant: False)
        patched.setattr(jacobians.Rows, "_many", lambda rows: None)
        return make()


def same(got, want, rtol=1e-12):
    got, want = list(leaves(got)), list(leaves(want))
    assert len(got) == len(want)
    for one, other in zip(got, want):
        assert np.shape(one) == np.shape(other) and type(one) is type(other)
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(one, other, rtol, atol=1e-12)


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("mode", [tl.jacfwd, tl.jacrev])
def test_jacobians_in_one_pass(f, mode, monkeypatch):
    x = np.array([0.7, -0.3, 0.45, 0.9])
    before = x.copy()
    x.flags.writeable = False
    got = mode(f)(x)
    np.testing.assert_allclose(got, by_differences(f, before), rtol=1e-7, atol=1e-8)
    same(got, at_singles(monkeypatch, lambda: mode(f)(x)))
    assert got.flags.writeable
    if f.__name__ not in ONE_BY_ONE:
        assert "One pass for each direction" not in mode(f).source_for(x)


@pytest.mark.parametrize("f", TWICE)
@pytest.mark.sweep(5)
def test_hessians_in_one_pass(f, monkeypatch):
    def energy(x):
        y = f(x)
        return np.sum(y * y)

    x = np.array([0.7, -0.3, 0.45, 0.9])
    got = tl.hessian(energy)(x)
    np.testing.assert_allclose(got, by_differences(tl.grad(energy), x), rtol=1e-6, atol=1e-6)
    same(got, at_singles(monkeypatch, lambda: tl.hessian(energy)(x)), rtol=1e-10)
    v = np.array([1.0, -2.0, 0.5, 0.25])
    np.testing.assert_allclose(tl.hvp(energy)(x, v), got @ v, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("f", [elementwise, products, reductions, slices, helpers])
def test_jacobians_by_complex_steps(f):
    x = np.array([0.7, -0.3, 0.45, 0.9])
    np.testing.assert_allclose(tl.jacobian(f)(x), by_complex_step(f, x), rtol=1e-13, atol=1e-14)


def test_the_source_is_that_of_all_directions():
    x = np.ones(3)
    assert "def elementwise_jvp_batch(x, dx):" in tl.jacfwd(elementwise).source_for(x)
    assert "def elementwise_bwd_batch(saved, " in tl.jacrev(elementwise).source_for(x)
    assert "def elementwise_jvp_batch(x, dx):" in tl.jacobian(elementwise).source_for(x)

    def few(x):
        return np.array([np.sum(x), x[0]])

    assert "def few_bwd_batch(" in tl.jacobian(few).source_for(x)
    assert "def quartic_grad_tangent_batch(x, dx, " in tl.hessian(quartic).source_for(x)
    assert "def quartic_grad_tangent(x, dx, " in tl.hvp(quartic).source_for(x)


def quartic(x):
    return np.sum(x ** 4) * x[0]


def test_a_fallback_says_why():
    text = tl.jacfwd(recursive).source_for(np.ones(3))
    assert text.startswith("# One pass for each direction. ") and "calls itself" in text


@pytest.mark.parametrize("chunk", [1, 8, 12, 1 << 17])
def test_directions_in_chunks(chunk, monkeypatch):
    monkeypatch.setattr(batched, "LARGEST", chunk)
    x = np.array([0.7, -0.3, 0.45, 0.9])
    same(tl.jacfwd(products)(x), by_differences(products, x), rtol=1e-7)
    same(tl.jacrev(products)(x), by_differences(products, x), rtol=1e-7)

    def both(p):
        return {"a": p["u"] * p["s"], "b": np.sum(p["u"])}

    p = {"u": np.arange(3.0), "s": 2.0, "name": "p"}
    for mode in (tl.jacfwd, tl.jacrev):
        found = mode(both)(p)
        np.testing.assert_allclose(found["a"]["u"], 2.0 * np.eye(3))
        np.testing.assert_allclose(found["a"]["s"], np.arange(3.0))
        np.testing.assert_allclose(found["b"]["u"], np.ones(3))
        assert found["b"]["s"] == 0.0 and found["b"]["name"] is None


# Sizes, dtypes, structures ------------------------------------------------------------------------
@pytest.mark.parametrize("mode", [tl.jacobian, tl.jacfwd, tl.jacrev])
def test_empty_and_single(mode):
    assert mode(lambda x: x * 2.0)(np.zeros(0)).shape == (0, 0)
    assert mode(lambda x: np.sin(x))(np.zeros((0, 2))).shape == (0, 2, 0, 2)
    assert mode(lambda x: np.sum(x) * np.ones(3))(np.zeros(0)).shape == (3, 0)
    np.testing.assert_array_equal(mode(lambda x: x * x)(np.array([3.0])), [[6.0]])
    assert mode(lambda x: x[:0])(np.ones(3)).shape == (0, 3)
    assert type(mode(lambda x: x * x)(3.0)) is float
    found = mode(lambda x, y: x * y, wrt=("x", "y"))(2.0, 3.0)
    assert found == (3.0, 2.0) and all(type(part) is float for part in found)


def test_empty_hessian():
    assert tl.hessian(lambda x: np.sum(x * x))(np.zeros(0)).shape == (0, 0)


@pytest.mark.parametrize("mode", [tl.jacobian, tl.jacfwd, tl.jacrev])
def test_float32(mode):
    x = np.array([1.0, 2.0, 3.0], np.float32)
    for f in (lambda x: x * x, lambda x: np.sum(x) * x, carried_number):
        found = mode(f)(x)
        assert found.dtype == np.float32, f
    np.testing.assert_allclose(mode(lambda x: x * x)(x), np.diag(2 * x))


def carried_number(x):
    s = 0.0
    for i in range(3):
        s = s + x[i] * x[i]
    return x * s


@pytest.mark.parametrize("mode", [tl.jacobian, tl.jacfwd, tl.jacrev])
def test_holomorphic(mode):
    z = np.array([1 + 2j, 0.5 - 1j, 2.0 + 0j])
    found = mode(lambda z: z * z * np.sum(z), holomorphic=True)(z)
    want = np.diag(2 * z * np.sum(z)) + (z * z)[:, None]
    np.testing.assert_allclose(found, want, rtol=1e-14)


def test_complex_results_of_real_arguments():
    x = np.array([0.3, 0.7])
    found = tl.jacobian(lambda x: np.exp(1j * x) * x[0])(x)
    e = np.exp(1j * x)
    want = np.diag(1j * e * x[0]) + np.outer(e, [1.0, 0.0])
    np.testing.assert_allclose(found, want, rtol=1e-14)


@dataclasses.dataclass
class Net:
    W: np.ndarray
    b: float
    name: str = "net"

    def out(self, x):
        return np.tanh(self.W @ x) + self.b


def test_objects_and_attribute_paths():
    net, x = Net(RNG.standard_normal((2, 3)), 0.5), RNG.standard_normal(3)
    slope = 1 - np.tanh(net.W @ x) ** 2
    want = np.einsum("i,ij,k->ijk", slope, np.eye(2), x)
    for mode in (tl.jacfwd, tl.jacrev):
        found = mode(Net.out)(net, x)
        np.testing.assert_allclose(found.W, want)
        np.testing.assert_allclose(found.b, np.ones(2))
        assert found.name is None
        np.testing.assert_allclose(mode(Net.out, wrt="self.W")(net, x), want)
        np.testing.assert_allclose(mode(net.out)(x), slope[:, None] * net.W)


def test_hessian_of_a_structure():
    def f(p, y):
        return np.sum(p["u"] ** 3) * p["s"] + np.sum(y * p["u"]) ** 2

    p, y = {"u": np.array([1.0, 2.0]), "s": 0.5}, np.array([3.0, -1.0])
    found = tl.hessian(f)(p, y)
    np.testing.assert_allclose(found["u"]["u"], np.diag(6 * p["u"]) * 0.5 + 2 * np.outer(y, y))
    np.testing.assert_allclose(found["u"]["s"], 3 * p["u"] ** 2)
    np.testing.assert_allclose(found["s"]["u"], 3 * p["u"] ** 2)
    assert found["s"]["s"] == 0.0
    (uu, uy), (yu, yy) = tl.hessian(lambda u, y: np.sum(u * y) ** 2, wrt=("u", "y"))(p["u"], y)
    np.testing.assert_allclose(uu, 2 * np.outer(y, y))
    np.testing.assert_allclose(uy, 2 * (np.sum(p["u"] * y) * np.eye(2) + np.outer(y, p["u"])))
    np.testing.assert_allclose(yu, uy.T)
    np.testing.assert_allclose(yy, 2 * np.outer(p["u"], p["u"]))


def test_jacobian_of_a_gradient_is_the_hessian():
    def f(x):
        return np.sum(x ** 3) * x[0]

    x = np.array([1.0, 2.0, 3.0])
    want = tl.hessian(f)(x)
    for mode in (tl.jacobian, tl.jacfwd, tl.jacrev):
        np.testing.assert_allclose(mode(tl.grad(f))(x), want)
        np.testing.assert_allclose(mode(tl.grad(f, wrt=("x",)))(x)[0], want)
        np.testing.assert_allclose(mode(tl.value_and_grad(f))(x)[1], want)


def test_arguments_that_are_written_stay():
    def f(x):
        x[1:] *= x[:-1]
        return x

    x = np.array([1.0, 2.0, 3.0])
    want = np.array([[1.0, 0, 0], [2.0, 1.0, 0], [0, 3.0, 2.0]])
    for mode in (tl.jacobian, tl.jacfwd, tl.jacrev):
        np.testing.assert_allclose(mode(f)(x), want)
        np.testing.assert_array_equal(x, [1.0, 2.0, 3.0])


def test_globals_are_live():
    x = np.array([1.0, 2.0])
    op = tl.jacfwd(scaled)
    np.testing.assert_allclose(op(x), 2.0 * np.eye(2))
    globals()["SCALE"] = 5.0
    try:
        np.testing.assert_allclose(op(x), 5.0 * np.eye(2))
        globals()["SCALE"] = np.array([1.0, 3.0])
        np.testing.assert_allclose(op(x), np.diag([1.0, 3.0]))
    finally:
        globals()["SCALE"] = 2.0


SCALE = 2.0


def scaled(x):
    return SCALE * x


# The helpers --------------------------------------------------------------------------------------
@pytest.mark.parametrize("shape, like", [((2, 3), (3,)), ((2, 3), (2, 1)), ((3,), (1,)), ((3,), ()),
                                         ((2, 3), (2, 3)), ((), (2,)), ((3,), (2, 3))])
def test_helpers_row_by_row(shape, like):
    batch, x = RNG.standard_normal((5, *shape)), np.zeros(like)
    for each, one in ((unbroadcast_each, unbroadcast), (match_each, match)):
        want = np.array([one(row if shape else float(row), x) for row in batch])
        np.testing.assert_allclose(each(batch, x), want)


@pytest.mark.parametrize("axis, keepdims, shape", [
    (None, False, ()), (0, False, (3,)), (1, False, (2,)), (-1, True, (2, 1)),
    ((0, 1), False, ()), (None, True, (1, 1))])
def test_unreduce_row_by_row(axis, keepdims, shape):
    batch, x = RNG.standard_normal((5, *shape)), np.zeros((2, 3))
    want = np.array([unreduce(row, x, axis, keepdims) for row in batch])
    np.testing.assert_allclose(unreduce_each(batch, x, axis, keepdims), want)


def test_structures_of_batches():
    tree = {"a": (np.ones(2), 1.0), "b": [None, "text"]}
    many = spread(tree, 3)
    assert many["a"][0].shape == (3, 2) and many["a"][1].shape == (3,)
    assert many["b"] == [None, "text"] and count_of(many) == 3
    one = row_of(many, 1)
    np.testing.assert_array_equal(one["a"][0], tree["a"][0])
    assert one["a"][1] == 1.0
    np.testing.assert_array_equal(
        row_by_row(lambda parts, k: sum(parts) * k, (0,), [np.arange(3.0), np.ones(3)], 2.0),
        [2.0, 4.0, 6.0])


COUNT = 3


def as_many(x):
    return x[:COUNT] ** 2


def test_a_jacobian_that_went_forward_does_so_again(monkeypatch):
    made = []
    monkeypatch.setattr(operators, "Rows", lambda *given: made.append(1) or Rows(*given))
    jacobian, x = tl.jacobian(as_many), np.array([1.0, 2.0, 3.0])
    runs = [(3, x), (3, x + 1.0), (3, x[:2]), (3, x), (2, x), (2, x), (3, x),
            (3, x.astype(np.float32)), (3, x), (3, x), (1, x), (1, x), (3, x[:1]), (0, x), (3, x)]
    for count, given in runs:
        monkeypatch.setitem(globals(), "COUNT", count)
        found = jacobian(given)
        assert np.allclose(found, np.diag(2.0 * given)[:count]) and found.dtype == given.dtype
    made.clear()
    assert np.allclose(jacobian(x), np.diag(2.0 * x)) and not made


def test_a_jacobian_that_turns_complex():
    def f(x):
        return x * FACTOR

    jacobian, x = tl.jacobian(f), np.array([1.0, 2.0])
    global FACTOR
    for factor in (2.0, 2.0, 3.0, 1j, 2.0, 2.0):
        FACTOR = factor
        if factor == 1j:
            with pytest.raises(tl.OutputError):
                tl.jacrev(f)(x)
            assert np.allclose(jacobian(x), 1j * np.eye(2))
        else:
            assert np.allclose(jacobian(x), factor * np.eye(2))


FACTOR = 2.0


def test_what_is_asked_of_calls_is_asked_once(monkeypatch):
    def f(x):
        return np.sin(x) * x

    x = np.array([1.0, 2.0])
    value, pullback = tl.vjp(f, x)
    monkeypatch.setattr(acting, "_called", None)
    again, same = tl.vjp(f, x + 0.0)
    assert np.array_equal(value, again) and np.array_equal(pullback(x)[0], same(x)[0])
