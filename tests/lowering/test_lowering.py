"""What helpers become is what they are: both forms give the same values."""
import itertools

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import kinds, lowering, runtime, syntax
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.runtime import products as runtime_products
from tangent_lite.runtime import shapes as runtime_shapes
from tests.rules.support import evaluate

rng = np.random.default_rng(1)
X, Y, V, W = rng.random((2, 3)), rng.random((3, 4)), rng.random(3), rng.random(4)

CASES = [
    (runtime.unbroadcast, (X, X)), (runtime.unbroadcast, (X, 2.0)), (runtime.unbroadcast, (X, V)),
    (runtime.unbroadcast, (2.0, 3.0)), (runtime.unreduce, (2.0, 3.0)),
    (runtime.unreduce, (2.0, X)),
    (runtime.reduced_size, (X,)), (runtime.reduced_size, (X, 1)), (runtime.reduced_size, (X, -1)),
    (runtime.reduced_size, (X, (0, 1))), (runtime.reduced_size, (2.0,)),
    (runtime.zeros_like, (X,)), (runtime.zeros_like, (2.0,)), (runtime.match, (X, 2.0)),
    (runtime.match, (V, X)), (runtime.power_slope, (X, 3)), (runtime.power_slope, (1.5, 2)),
    (runtime.power_slope, (1.5, -0.5)), (runtime.power_slope, (1.5, 2.5)),
    (runtime.log_or_zero, (2.0,)), (runtime.log_or_zero, (X,)),
    (runtime.divide_or_zero, (1.0, 2.0)),
    (runtime.divide_or_zero, (1.0, 0.0)), (runtime.divide_or_zero, (X, V)),
    *[(runtime.where_larger, (3.0, a, b)) for a, b in [(1.0, 2.0), (2.0, 1.0), (1.0, 1.0),
                                                       (np.nan, 1.0), (1.0, np.nan)]],
    (runtime.where_larger, (X, X - 0.8, 0.0)), (runtime.where_larger, (X, X - X, 0.0)),
    (runtime.where_larger, (X, X - 0.8, 0)), (runtime.where_larger, (V, X - 0.8, 0.0)),
    *[(f, (3.0, k, ab)) for f in (runtime.largest_part, runtime.smallest_part) for k in (0, 1)
      for ab in [(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (np.nan, 1.0), (1.0, np.nan),
                 (np.nan, np.nan)]],
    *[(f, (3.0, k, xs)) for f in (runtime.largest_part, runtime.smallest_part)
      for n in (3, 4) for k in range(n) for xs in itertools.product((1.0, 2.0, np.nan), repeat=n)],
    (runtime.abs_slope, (X,)), (runtime.abs_slope, (-2.0,)), (runtime.over_log, (1.0, 2.0)),
    (runtime.over_log, (1.0, None)), (np.real, (X,)), (np.conj, (1.5,)), (np.conj, (X + 1j,)),
    (runtime.matmul_adjoint_left, (X @ Y, X, Y)), (runtime.matmul_adjoint_right, (X @ Y, X, Y)),
    (runtime.matmul_adjoint_left, (X @ V, X, V)), (runtime.matmul_adjoint_right, (X @ V, X, V)),
    (runtime.matmul_adjoint_left, (V @ Y, V, Y)), (runtime.matmul_adjoint_right, (V @ Y, V, Y)),
    (runtime.matmul_adjoint_left, (2.0, V, V)), (runtime.matmul_adjoint_right, (2.0, V, V)),
    (runtime_products.inner_adjoint_left, (X @ X.T, X, X)),
    (runtime_products.inner_adjoint_right, (X @ X.T, X, X)),
    (runtime_products.outer_adjoint_left, (Y, V, W)),
    (runtime_products.outer_adjoint_right, (Y, V, W)),
    (runtime_products.einsum_operand, ("ij,jk->ik", 1, X @ Y, (X, Y))),
    (runtime_products.einsum_operand, ("ij,j", 0, X @ V, (X, V))),
    (runtime_products.einsum_operand, ("ii", 0, 2.0, (Y[:, :3],))),
    (runtime_shapes.reshape_like, (X.ravel(), X)), (runtime_shapes.reshape_like, (V, V)),
    (runtime_shapes.reshape_like, (X.ravel(), X, "F")), (runtime_shapes.ravel_like, (X, X)),
    (runtime_shapes.transpose_back, (rng.random((2, 3, 4)), (2, 0, 1))),
    (runtime_shapes.transpose_back, (rng.random((2, 3, 4)), ((2, 0, 1),))),
    (runtime_shapes.transpose_back, (rng.random((2, 3, 4)), (-1, 0, 1))),
    (runtime_shapes.transpose_back, (X, None)), (runtime_shapes.transpose_back, (X, ())),
    (runtime_shapes.transpose_again, (rng.random((2, 3, 4)), (2, 0, 1))),
    (runtime_shapes.stacked_part, (X, 1)), (runtime_shapes.stacked_part, (X, 1, 1)),
    (runtime_shapes.undiag, (X.T @ X, V)), (runtime_shapes.undiag, (Y, rng.random(2), 1)),
    (runtime_shapes.undiag, (V, Y)), (runtime_shapes.undiag, (V[:2], X, 1)),
    (runtime_shapes.parts_like, (X, X)), (runtime_shapes.parts_like, (V, [1.0, 2.0, 3.0])),
    (runtime_shapes.parts_like, (X, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])),
    (runtime.through_dtype, (X, None)),
    (runtime.through_dtype, (X, float)), (runtime.through_dtype, (X, int)),
]




@pytest.mark.parametrize("function, args", CASES,
                         ids=lambda v: getattr(v, "__name__", "") if callable(v) else "")
def test_same_value(function, args):
    env, tokens = {"f": function}, {}

    def expression(value, name):
        if isinstance(value, tuple):
            return syntax.tuple_of(expression(v, f"{name}_{k}") for k, v in enumerate(value))
        if value is None or isinstance(value, (int, str)):
            return syntax.constant(value)
        env[name] = value
        return syntax.load(name)

    nodes = [expression(a, f"x{k}") for k, a in enumerate(args)]
    literals = [syntax.constant(args[1])] if function is runtime.power_slope else []
    nodes = nodes[:1] + literals if literals else nodes
    names = {}
    for name, value in env.items():
        kind = kinds.kind_of(value)
        if isinstance(kind, kinds.Array):
            kind = kinds.Array(kind.ndim, kind.dtype, tokens.setdefault(value.shape,
                                                                        kinds.new_shape()))
        names[name] = kind
    extra = {}

    def external(thing, name):
        extra[name] = thing
        return syntax.load(name)

    call = syntax.call(syntax.load("f"), *nodes)
    typer = Typer(names, lambda n: NO_OBJECT)
    written = lowering.lower(function, syntax.copy(call), typer, external)
    found, expected = evaluate(written, {**env, **extra}), evaluate(call, env)
    if function is runtime.power_slope and args[1] in (0, 1):
        return
    assert np.shape(found) == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_what_is_unknown_stays_a_call():
    typer = Typer({}, lambda n: NO_OBJECT)
    for function in (runtime.unbroadcast, runtime.match, runtime.matmul_adjoint_left,
                     runtime.where_larger, runtime.divide_or_zero, runtime.share_ties):
        call = syntax.call(syntax.load("f"), *map(syntax.load, "abc"[:3]))
        if function in (runtime.unbroadcast, runtime.match, runtime.divide_or_zero):
            call.args.pop()
        assert lowering.lower(function, call, typer, lambda t, n: syntax.load(n)) is call


def differences(x):
    return np.sum(np.diff(x) ** 2 * x[1:]) + np.sum(np.diff(x, axis=0, prepend=1.0) ** 3)


@pytest.mark.parametrize("size", [0, 1, 2, 5])
def test_differences_go_back_as_differences_between_zeros(size):
    x = rng.normal(size=size)
    derivative = tl.grad(differences)
    found = derivative(x)
    h = 1e-6 * np.eye(size)
    np.testing.assert_allclose(found, [(differences(x + e) - differences(x - e)) / 2e-6
                                       for e in h], rtol=1e-6, atol=1e-8)
    assert found.shape == x.shape
    assert ("np.diff(2.0 * bt * diff_x" in derivative.source_for(x)) == (size > 0)
