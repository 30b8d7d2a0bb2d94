"""Sizes are those that NumPy finds, for all shapes of which what is assumed holds."""
import itertools
import random

import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import kinds, registry
from tangent_lite.inference import Typer
from tangent_lite.shapes.assumptions import Assumptions
from tangent_lite.shapes.sizes import Size, Sizes, slice_size, spread
from tests.any_shapes import for_any_shapes

# Expressions of arrays x, y (of one and of two dimensions), z (of three), and vectors v, w.
EXPRESSIONS = """
x + y; x * v; x - v[:, None]; v[None, :] * w[:, None]; np.maximum(x, w); np.where(x > 0, y, v)
np.sin(x) / (1.0 + y * y); np.hypot(v, w) + x; -x; z + x; z * v; np.clip(x, 0.0, 1.0)
x @ y; x @ v; v @ x; x.T @ y; (x @ y).T; x @ y.T; z @ x; x @ z; z @ z; v @ z; z @ v
np.dot(x, y); np.dot(x, v); np.dot(z, v); np.inner(x, y); np.inner(x, v); np.outer(v, w)
np.outer(x, y); np.tensordot(x, y, 1); np.kron(v, w); np.cross(x, y); np.cross(v, w); np.vdot(v, w)
np.einsum('ij,jk->ik', x, y); np.einsum('ij,ij->j', x, y); np.einsum('ij,jk', x, y)
np.einsum('ij->ji', x); np.einsum('ijk,kj->i', z, x); np.einsum('ij', x); np.einsum('i,j->ij', v, w)
np.sum(x, axis=0); np.sum(x, axis=1, keepdims=True); np.mean(z, axis=(0, 2)); np.max(x, axis=-1)
np.sum(z, axis=(-1, 0), keepdims=True); np.sum(x, keepdims=True); np.sum(z, axis=(), keepdims=True)
x.sum(axis=0) + w; np.var(x, axis=0); np.std(x, axis=1, keepdims=True); np.argmax(x, axis=0)
np.linalg.norm(x, axis=1); np.cumsum(x, axis=0); np.cumsum(x); np.sort(v); np.prod(x, axis=1)
x.T; z.T; np.transpose(z, (2, 0, 1)); z.transpose(1, 2, 0); z.transpose((0, 2, 1)); np.transpose(x)
np.swapaxes(z, 0, 1); np.moveaxis(z, 0, 2); z.mT; x.ravel(); x.flatten(); np.ravel(z)
x.reshape(-1); x.reshape((-1, 2)); x.reshape(3, -1); np.reshape(z, (z.shape[0], -1))
x.reshape(x.shape[1], x.shape[0]); np.reshape(v, (len(v), 1)); x.reshape(x.size)
np.reshape(x, (1, -1))
np.expand_dims(x, 0); np.expand_dims(x, -1); np.expand_dims(v, 1); np.squeeze(x); np.atleast_2d(v)
np.broadcast_to(v, (3, v.shape[0])); np.broadcast_to(v, x.shape); np.tile(v, 2); np.repeat(v, 3)
np.zeros(3); np.zeros((len(v), x.shape[1])); np.ones(x.shape); np.full((2, w.size), 0.5)
np.zeros_like(x); np.ones_like(z); np.eye(4); np.eye(v.shape[0]); np.eye(3, 4)
np.empty(v.shape[0] + 2)
np.zeros(2 * v.shape[0] - 1); np.zeros(x.shape[0] * x.shape[1]); np.zeros(x.size // 2)
np.zeros(np.size(x)); np.zeros(np.size(x, 1)); np.zeros(np.shape(x)[0]); np.zeros(x.shape[:1])
np.arange(v.shape[0]) * v; np.linspace(0.0, 1.0, 5)
v[1:]; v[:-1]; v[1:-1]; v[2:] - v[:-2]; v[:3]; v[3:6]; v[-2:]; v[:100]; v[5:2]; v[::2]
v[::-1]; v[...]
v[:len(w)]; v[len(w):]; v[-len(w):]; v[len(w):2 * len(w)]; v[1:len(v) - 1]; v[w.size - 2:]
x[0]; x[-1]; x[:, 0]; x[0, 1:]; x[1:, 1:]; x[:2]; x[:, :2]; x[:, 2:]; x[..., 0]; x[..., None]
x[None]; x[:, None]; x[:, None, :]; z[0]; z[:, 1]; z[..., 1:]; z[1, ..., 0]; z[..., None, 0]
z[:, :, 0]
x[np.array([0, 1, 1])]; v[np.array([0, 1, 1])]; x[[0, 1]]; x[:, [0, 1]]; v[v > 0.5]; x[x > 0.5]
v[np.arange(v.shape[0])]; x[np.arange(x.shape[0]), 0]; z[0, 1:, None]; x[np.argsort(v)]
np.take(x, 1, axis=0); np.take(v, [0, 1]); np.take(x, np.array([0, 1]), axis=1); np.take(x, 0)
np.concatenate((v, w)); np.concatenate((x, y)); np.concatenate((x, y), axis=1)
np.concatenate((v, w[:1], v[1:])); np.concatenate((x, y), axis=None); np.stack((v, w))
np.stack((v, w), axis=1)
np.stack((x, y)); np.vstack((v, w)); np.hstack((v, w)); np.column_stack((v, w)); np.array((v, w))
np.array((1.0, 2.0)); np.array(((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))); np.append(v, w)
np.array([1.0, 2.0])
np.diag(v); np.diag(x); np.diag(v, 1); np.diagonal(x); np.trace(z); np.tril(x); np.triu(z, 1)
np.linalg.inv(x); np.linalg.solve(x, v); np.linalg.solve(x, y); np.linalg.pinv(x); np.linalg.det(z)
np.linalg.cholesky(x @ x.T + 3.0 * np.eye(x.shape[0])); np.roll(v, 1); np.flip(x); np.pad(v, 1)
np.diff(v); np.convolve(v, w); np.interp(v, w, w); np.trapezoid(x); np.searchsorted(v, w)
np.real(x); x.real; x.astype(float); x.copy(); np.asarray(x); np.meshgrid(v, w)
"""
CASES = [e.strip() for line in EXPRESSIONS.strip().splitlines() for e in line.split(";")]
SPACE = {"np": np, "len": len, "float": float}


def free(name):
    return SPACE[name]


def drawn(rng):
    """Shapes of x, y, v, w and z: mostly such that expressions make sense."""
    a, b, c = rng.sample(range(6), 3) if rng.random() < 0.7 else [rng.randrange(4)] * 3
    n = rng.choice([a, b, 3])
    options = {"x": [(a, b), (n, n), (a, 3)], "y": [(a, b), (b, c), (b, a), (n, n), (1, b), (a, 3)],
               "v": [(b,), (n,), (a,), (1,), (3,)], "w": [(b,), (c,), (1,), (3,)],
               "z": [(c, a, b), (2, b, c), (n, n, n)]}
    return {name: rng.choice(shapes) for name, shapes in options.items()}


def made_for(text, shapes):
    """The kind of an expression for arguments of these shapes, and what that assumes."""
    assumed = Assumptions()
    names = {n: kinds.Array(len(s), "float", assumed.sizes_of(n, s)) for n, s in shapes.items()}
    node = gast.parse(text).body[0].value
    return Typer(names, free).kind(node), assumed


def found(text, shapes):
    """What NumPy makes of it; None if that is an error."""
    rng = np.random.default_rng(1)
    values = {n: rng.uniform(0.1, 1.0, s) for n, s in shapes.items()}
    try:
        return eval(text, SPACE, values), values
    except (ValueError, IndexError, TypeError, ZeroDivisionError, np.linalg.LinAlgError):
        return None


@pytest.mark.parametrize("text", CASES)
@pytest.mark.sweep(8)
def test_shapes_are_those_of_numpy(text):
    registry.load_rules()
    rng = random.Random(text)
    known = tried = 0
    for _ in range(60):
        shapes = drawn(rng)
        if found(text, shapes) is None:
            continue
        kind, assumed = made_for(text, shapes)
        fits = assumed.test(shapes) or (lambda *values: True)
        assert fits(*found(text, shapes)[1].values())
        for others in [shapes, *(drawn(rng) for _ in range(12))]:
            run = found(text, others)
            if run is None or not fits(*run[1].values()):
                continue
            tried += 1
            if isinstance(kind, kinds.Array) and isinstance(kind.shape, Sizes):
                known += 1
                shape = tuple(eval(repr(size), {}, run[1]) for size in kind.shape.axes)
                assert shape == np.shape(run[0]), (shapes, others, assumed.noted)
            elif isinstance(kind, kinds.Array) and kind.ndim is not None:
                assert kind.ndim == np.ndim(run[0])
    assert tried, "no shapes were drawn for which it runs"


def test_much_is_known():
    registry.load_rules()
    rng, known = random.Random(0), set()
    for text in CASES:
        for shapes in (drawn(rng) for _ in range(40)):
            if found(text, shapes) is not None:
                kind, _ = made_for(text, shapes)
                known.add((text, isinstance(getattr(kind, "shape", None), Sizes)))
    sure = {text for text, is_known in known if is_known}
    assert len(sure) > 120 and {"x @ y", "x.reshape(3, -1)", "v[len(w):2 * len(w)]"} <= sure


def test_a_test_that_divides_by_zero_does_not_hold():
    assumed = Assumptions()
    x, y = (assumed.sizes_of(n, (k,)).axes[0] for n, k in (("x", 6), ("y", 2)))
    assert (x // y).equals(assumed.sizes_of("z", (3,)).axes[0])
    test = assumed.test("xyz")
    assert assumed.noted == ["x.shape[0] // y.shape[0] == z.shape[0]"]
    assert test(np.ones(4), np.ones(2), np.ones(2)) and not test(np.ones(4), np.ones(0), np.ones(2))


# Which calls run which code -----------------------------------------------------------------------
def affine(W, b, x):
    return np.sum(np.tanh(x @ W + b) ** 2)


def gradients(f, args, wrt):
    """By code for these shapes alone, and by code for any."""
    special = tl.grad(f, wrt=wrt)
    with for_any_shapes():
        general = tl.grad(f, wrt=wrt)
        return special(*args), general(*args)


def test_another_size_of_batch_runs_the_same_code():
    d = tl.grad(affine, wrt=(0, 1, 2))
    rng = np.random.default_rng(0)
    W, b = rng.normal(size=(3, 4)), rng.normal(size=4)
    texts = {d.source_for(W, b, rng.normal(size=(n, 3))) for n in (2, 5, 7, 30, 0, 3, 4, 1)}
    assert len(texts) == 1 and "unbroadcast" not in texts.pop()
    for n in (2, 5, 1, 0, 3):
        x = rng.normal(size=(n, 3))
        for one, other in zip(d(W, b, x), gradients(affine, (W, b, x), (0, 1, 2))[1]):
            assert one.shape == other.shape and np.allclose(one, other)


def test_others_run_other_code():
    d = tl.grad(affine, wrt=(0, 1, 2))
    rng = np.random.default_rng(0)
    W, x = rng.normal(size=(3, 4)), rng.normal(size=(5, 3))
    for b in (rng.normal(size=4), rng.normal(size=1), rng.normal(size=(5, 1)), rng.normal(size=4),
              rng.normal(size=(1, 4)), rng.normal(size=(1, 1)), rng.normal(size=(5, 4)), 0.3):
        for one, other in zip(d(W, b, x), gradients(affine, (W, b, x), (0, 1, 2))[1]):
            assert np.shape(one) == np.shape(other) and np.allclose(one, other)


def test_so_much_is_said_in_the_docstring():
    text = tl.grad(affine).source_for(np.ones((3, 4)), np.ones(4), np.ones((5, 3)))
    assert "Written for W.shape[1] == b.shape[0]." in text
    assert "Written for" not in tl.grad(affine).source


def test_after_some_shapes_there_is_code_for_all():
    def f(x, y):
        return np.sum(np.sin(x * y))

    d = tl.grad(f, wrt=(0, 1))
    rng = np.random.default_rng(0)
    texts = []
    for shape, other in itertools.product([(3, 2, 4), (1, 2, 4), (3, 1, 4), (3, 2, 1)], repeat=2):
        args = rng.normal(size=shape), rng.normal(size=other)
        texts.append(d.source_for(*args))
        for one, general in zip(d(*args), gradients(f, args, (0, 1))[1]):
            assert one.shape == general.shape and np.allclose(one, general)
    assert len(set(texts)) == 5 and any("Written for" not in text for text in texts)


def test_files_serve_all_shapes(tmp_path):
    d = tl.grad(affine, wrt=(0, 1))
    args = np.ones((3, 4)), np.ones(4), np.ones((5, 3))
    d(*args)
    d.save(tmp_path / "saved.py", *args)
    space = {}
    exec((tmp_path / "saved.py").read_text(), space)
    saved = space["affine_grad"]
    other = np.ones((3, 4)), np.ones(1), np.ones((5, 3))
    for one, expected in zip(saved(*other), d(*other)):
        assert one.shape == expected.shape and np.allclose(one, expected)


def test_parts_of_arguments():
    def loss(params, pair):
        hidden = np.tanh(pair[0] @ params["W"] + params["b"])
        return np.sum((hidden - pair[1]) ** 2)

    rng = np.random.default_rng(0)
    d = tl.grad(loss, wrt=(0, 1))
    for b, y in (((4,), (5, 4)), ((1,), (5, 4)), ((4,), (4,)), ((4,), (5, 1)), ((5, 4), (1, 1)),
                 ((4,), (5, 4))):
        args = {"W": rng.normal(size=(3, 4)), "b": rng.normal(size=b)}, \
            (rng.normal(size=(5, 3)), rng.normal(size=y))
        one, other = d(*args), gradients(loss, args, (0, 1))[1]
        assert all(one[0][k].shape == args[0][k].shape for k in "Wb")
        assert all(np.allclose(one[0][k], other[0][k]) for k in "Wb")
        assert all(a.shape == b.shape and np.allclose(a, b) for a, b in zip(one[1], other[1]))


def test_containers_of_another_structure():
    """Sizes are asked for only once it is known what containers hold."""
    def loss(params, x):
        if "b" in params:
            return np.sum((x @ params["W"] + params["b"]) ** 2)
        return np.sum((x @ params["W"]) ** 2)

    d, x = tl.grad(loss), np.ones((5, 3))
    usual = {"W": np.ones((3, 4)), "b": np.ones(4)}
    for params in ({"W": np.ones((3, 4))}, {"W": np.ones((3, 4)), "b": 1.0},
                   {"W": np.ones(3), "b": np.ones(5)}, {"b": np.ones(1), "W": np.ones((3, 1))}):
        for _ in range(2):
            assert d(usual, x)["b"].shape == (4,)
        found = d(params, x)
        assert {k: np.shape(v) for k, v in found.items()} == {
            k: np.shape(v) for k, v in params.items()}


def test_what_others_call_serves_all_shapes():
    d = tl.grad(affine, wrt=(0, 1))
    args = np.ones((3, 4)), np.ones(4), np.ones((5, 3))
    d(*args)
    other = np.ones((3, 4)), np.ones((5, 1)), np.ones((5, 3))
    for one, expected in zip(d.__wrapped__(*other), d(*other)):
        assert one.shape == expected.shape and np.allclose(one, expected)
    with for_any_shapes():
        general = tl.grad(affine, wrt=(0, 1)).standalone(*args)
    assert d.standalone(*args) == general


# Functions that are called ----------------------------------------------------------------------
def product(a, b):
    total = 0.0
    for _ in range(2):
        total = total + np.sum(a * b)
    return total


def twice(x, y):
    t = np.sum(y * y, keepdims=True) * np.ones(1)
    return product(x, x) + product(x, t) + product(x, y)


def shrinking(x):
    if x.shape[0] < 2:
        return np.sum(x * x)
    return np.sum(x) * shrinking(x[1:] * x[0])


def calls_shrinking(x, y):
    return shrinking(x) + shrinking(y) * shrinking(x[:-1])


@pytest.mark.parametrize("f", [twice, calls_shrinking])
@pytest.mark.sweep(2)
def test_a_function_called_with_several_layouts(f):
    rng = np.random.default_rng(0)
    d = tl.grad(f, wrt=(0, 1))
    for shape, other in (((3,), (3,)), ((3,), (1,)), ((4,), (1,)), ((4,), (4,)), ((1,), (1,))):
        args = rng.normal(size=shape), rng.normal(size=other)
        for one, general in zip(d(*args), gradients(f, args, (0, 1))[1]):
            assert one.shape == general.shape and np.allclose(one, general)
        tl.check_grads(f, args, modes=("rev",))


def parts(x, k):
    found = []
    for i in range(2):
        found.append(x[i * k:])
    return found


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b


def paired(x, k):
    return Pair(x[k:], x[2 * k:])


def multiplies_items(x, k):
    p = parts(x * 2.0, k)
    return np.sum(p[0] * p[1])


def multiplies_fields(x, k):
    p, q = paired(x * 2.0, k), paired(x, k)
    return np.sum(p.a * p.b) + np.sum(p.a * q.b)


def multiplies_in_a_loop(x, k):
    last, total = x, 0.0
    for i in range(2):
        p = parts(x, k * i)
        total = total + np.sum(p[1] * p[0]) + np.sum(last * p[1])
        last = p[1]
    return total


@pytest.mark.parametrize("f", [multiplies_items, multiplies_fields, multiplies_in_a_loop])
def test_arrays_in_what_a_function_returns(f):
    """One array of a list may have another shape than the next one."""
    for size, k in ((3, 2), (3, 0), (2, 1)):
        if f is multiplies_fields and size == 3 and k == 2:
            continue                            # x[4:] and x[2:] do not fit
        tl.check_grads(lambda x, k=k: f(x, k), (np.arange(1.0, 1.0 + size),), order=1)


def test_many_layouts():
    def layer(W, b, x):
        return np.tanh(W @ x + b)

    def net(W1, W2, W3, W4, W5, W6, b, x):
        for_first = layer(W2, b[:4], layer(W1, b[:3], x))
        last = layer(W5, b[:3], layer(W4, b[:2], layer(W3, b[:1], for_first)))
        return np.sum(layer(W6, b[2], last))

    rng = np.random.default_rng(0)
    sizes = (2, 3, 4, 1, 2, 3, 5)
    Ws = [rng.normal(size=(m, n)) for n, m in itertools.pairwise(sizes)]
    args = (*Ws, rng.normal(size=4), rng.normal(size=2))
    wrt = tuple(range(8))
    for one, general in zip(*gradients(net, args, wrt)):
        assert one.shape == general.shape and np.allclose(one, general)
    # For what is known of sizes, for all after four of them, and for b[2], which is a number.
    assert tl.grad(net).source_for(*args).count("def layer_fwd") == 3


def test_loops_that_change_shapes():
    def f(x, y, n):
        for k in range(n):
            x = x[1:] * y[k] if k % 2 else np.concatenate((x, x[:1]))
        return np.sum(x * x)

    rng = np.random.default_rng(0)
    for size, n in itertools.product((1, 2, 5), (0, 1, 2, 5)):
        args = rng.normal(size=size), rng.normal(size=6), n
        for one, general in zip(*gradients(f, args, (0, 1))):
            assert one.shape == general.shape and np.allclose(one, general)


def test_where_nothing_may_be_assumed_sizes_are_equal_that_come_about_alike():
    closed = Assumptions(are_open=False)
    x, y = closed.sizes_of("x", (7, 3)), closed.sizes_of("y", (7, 3))
    n = closed.size_of("n", 7)
    assert spread([x, x]) == x and not x.match(y) and spread([x, y]) is None
    assert not x.axes[0].equals(n) and not x.axes[0].surely_equals(n)
    two, one = Size(2), Size(1)
    less = slice_size(x.axes[0], two, None)
    assert less == slice_size(x.axes[0], one, Size(-1)) == slice_size(x.axes[0], None, Size(-2))
    assert less.value == 5 and less != slice_size(x.axes[0], one, None)
    assert less != x.axes[0] - two              # which may be below zero
    part = slice_size(x.axes[0], None, n)
    assert part == slice_size(x.axes[0], None, n) and part.value == 7
    assert part != slice_size(y.axes[0], None, n) and part != slice_size(x.axes[0], n, None)
    assert closed.noted == []
