"""What is said of an expression before it runs is true of its value when it runs."""
import itertools
import math

import numpy as np
import pytest

from tangent_lite import kinds, registry
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array, Number, kind_of
from tangent_lite.syntax import parse_expression
from tests.inference.truth import holds

registry.load_rules()
rng = np.random.default_rng(5)
GLOBALS = {"np": np, "math": math, "len": len, "abs": abs, "max": max, "min": min, "sum": sum,
           "float": float, "int": int, "range": range, "pow": pow, "round": round}


def values(n=3, m=2):
    """Values of many kinds; shapes vary with n and m, kinds do not."""
    return {"x": 1.5, "y": -0.5, "k": 2, "i": 1, "flag": True, "z": 1.0 + 2.0j, "t": "text",
            "u": rng.random(n) + 0.5, "v": rng.random(n) + 0.5, "w": rng.random(m) + 0.5,
            "A": rng.random((n, m)) + 0.5, "B": rng.random((m, n)) + 0.5,
            "S": rng.random((n, n)) + n * np.eye(n),
            "T": rng.random((2, n, m)), "index": np.arange(n)[::-1].copy(),
            "mask": np.arange(n) % 2 == 0, "pair": (1.5, 2), "p": {"w": 2.0, "b": np.ones(n)},
            "items": [1.0, 2.0], "none": None, "f": rng.random(n).astype(np.float32)}


def typer(names):
    found = {}
    for name, value in names.items():
        kind = kind_of(value)
        found[name] = Array(kind.ndim, kind.dtype, kinds.new_shape()) \
            if isinstance(kind, Array) else kind
    return Typer(found, lambda name: GLOBALS.get(name, NO_OBJECT))


SCALARS = ["x", "k", "flag", "z", "2", "0.5"]
ARRAYS = ["u", "A", "index", "mask", "f", "T"]
UNARY = ["-{}", "+{}", "not {}", "abs({})", "np.sin({})", "np.exp({})", "np.sqrt({})",
         "np.floor({})", "np.sign({})", "np.isnan({})", "np.conj({})", "np.real({})", "np.abs({})",
         "np.square({})", "np.sum({})", "np.mean({})", "np.max({})", "np.prod({})", "np.cumsum({})",
         "np.argmax({})", "np.any({})", "np.zeros_like({})", "np.ones_like({})", "np.array({})",
         "np.asarray({})", "np.copy({})", "np.ravel({})", "np.transpose({})", "np.shape({})",
         "np.ndim({})", "np.size({})", "np.linalg.norm({})", "np.atleast_1d({})", "np.var({})",
         "np.std({})", "np.diff({})", "np.sort({})", "np.flip({})", "np.squeeze({})",
         "np.expand_dims({}, 0)", "np.round({})", "np.clip({}, 0, 1)", "np.log1p({})"]
BINARY = ["{} + {}", "{} - {}", "{} * {}", "{} / {}", "{} ** {}", "{} // {}", "{} % {}", "{} < {}",
          "{} == {}", "np.maximum({}, {})", "np.hypot({}, {})", "np.arctan2({}, {})",
          "np.where(flag, {}, {})", "np.multiply({}, {})", "np.logaddexp({}, {})",
          "np.power({}, {})", "np.mod({}, {})", "{} and {}", "{} or {}"]
OTHERS = ["math.sin(x)", "math.floor(x)", "math.pi", "max(x, y)", "max(x, k)", "min(k, i)",
          "float(k)", "int(x)", "len(u)", "len(items)", "pow(x, k)", "round(x)", "abs(k)",
          "range(k)", "sum(items)", "max(items)", "t", "none", "pair", "pair[0]", "pair[-1]",
          "pair[i]", "pair[:1]", "p['w']", "p['b']", "items[0]", "items[1:]", "items + items",
          "pair + pair", "(x, u)", "[x, k]", "{'a': x}", "x if flag else k", "x if flag else u",
          "u[0]", "u[-1]", "u[i]", "u[1:]", "u[1:-1]", "u[::2]", "u[index]", "u[mask]", "u[None]",
          "u[...]", "u[:, None]", "A[0]", "A[0, 1]", "A[i, :]", "A[:, i]", "A[1:, :1]", "A[..., 0]",
          "A[index]", "A[index, 0]", "A[mask]", "A[None, :, None]", "T[0, i]", "T[1]",
          "T[:, i, 1:]",
          "T[0, ..., 1]", "index[i]", "mask[0]", "u[[0, 1]]", "A[[0, 1], [1, 0]]", "A[i][1]",
          "u.shape", "u.shape[0]", "A.shape[1]", "A.ndim", "A.size", "A.T", "A.T.shape",
          "u.sum()", "A.sum(axis=0)", "A.sum(0)", "A.sum(axis=1, keepdims=True)", "A.mean(1)",
          "A.max()", "A.reshape(-1)", "A.reshape((-1, 1))", "A.ravel()", "A.copy()", "A.dot(w)",
          "A.flatten()", "A.transpose()", "u.astype(int)", "index.astype(float)", "A.tolist()",
          "A @ w", "u @ A", "u @ v", "A @ B", "B @ S", "T @ w", "np.dot(A, w)", "np.dot(u, v)",
          "np.dot(A, B)", "np.outer(u, w)", "np.inner(u, v)", "np.vdot(u, v)",
          "np.tensordot(A, B, 1)", "np.einsum('ij,jk->ik', A, B)", "np.einsum('ij->', A)",
          "np.kron(u, w)", "np.cross(u, v)", "np.trace(S)", "np.diag(u)", "np.diag(S)",
          "np.linalg.inv(S)", "np.linalg.det(S)", "np.linalg.solve(S, u)", "np.linalg.solve(S, A)",
          "np.linalg.norm(A, axis=0)", "np.concatenate([u, v])", "np.concatenate((A, A), axis=1)",
          "np.stack([u, v])", "np.stack((u, v), axis=1)", "np.hstack([u, v])", "np.vstack([u, v])",
          "np.column_stack([u, v])", "np.append(u, x)", "np.zeros(3)", "np.zeros((2, 3))",
          "np.zeros(len(u))", "np.zeros(u.shape)", "np.zeros(A.shape, int)", "np.ones(k)",
          "np.empty((k, 2))", "np.full(3, x)", "np.full((2, 2), k)", "np.eye(3)", "np.arange(k)",
          "np.arange(0.0, 1.0, 0.1)", "np.linspace(0.0, 1.0, 5)", "np.array([x, y])",
          "np.array([[x, y], [y, x]])", "np.array([u, v])", "np.array([k, i])", "np.tile(u, 2)",
          "np.repeat(u, 2)", "np.roll(u, 1)", "np.reshape(A, (-1,))", "np.broadcast_to(x, (3, 2))",
          "np.sum(A, axis=0)", "np.sum(A, 0, keepdims=True)", "np.sum(A, axis=(0, 1))",
          "np.sum(A, axis=None)", "np.mean(A, axis=-1)", "np.max(A, axis=0)", "np.argmin(A, 1)",
          "np.cumsum(A, axis=0)", "np.cumsum(A)", "np.where(mask, u, v)", "np.where(mask, u, 0.0)",
          "np.swapaxes(A, 0, 1)", "np.moveaxis(T, 0, -1)", "np.transpose(T, (2, 0, 1))",
          "np.triu(S)", "np.take(u, index)", "np.pad(u, 1)", "np.float64(k)",
          "np.isfinite(u).all()",
          "(u > 1.0) & mask", "~mask", "u > x > 0.0", "x in items", "none is None", "x > 0 and k",
          "f'{x}'", "t + t", "t * k", "items * k", "lambda: x", "[a for a in items]"]
EXPRESSIONS = list(dict.fromkeys([
    *(form.format(a) for form in UNARY for a in SCALARS[:4] + ARRAYS),
    *(form.format(a, b) for form in BINARY
      for a, b in itertools.product(["x", "k", "flag", "z", "2", "u", "index", "f"], repeat=2)),
    *(form.format(a, b) for form in BINARY[:6]
      for a, b in [("A", "w"), ("x", "A"), ("T", "A"), ("T", "w"), ("mask", "u")]),
    *OTHERS]))


def evaluated(expression, names):
    try:
        with np.errstate(all="ignore"):
            return eval(expression, {**GLOBALS, **names})
    except Exception:
        return NO_OBJECT


def sound(expression):
    """Whether the kind of an expression holds of its value; None where it has no value."""
    import warnings

    names = values()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = evaluated(expression, names)
    if value is NO_OBJECT:
        return None
    return holds(typer(names).kind(parse_expression(expression)), value)


@pytest.mark.parametrize("expression", OTHERS)
def test_kinds_are_true(expression):
    assert sound(expression) is not False


@pytest.mark.parametrize("form", UNARY + BINARY)
def test_kinds_of_operations_are_true(form):
    names = SCALARS[:4] + ARRAYS if form.count("{}") == 1 else \
        ["x", "k", "flag", "z", "2", "u", "index", "f", "A"]
    wrong = [form.format(*some) for some in itertools.product(names, repeat=form.count("{}"))
             if sound(form.format(*some)) is False]
    assert set(wrong) <= {"np.conj(mask)", "np.square(mask)"}    # int8, said to be bool


def test_equal_tokens_are_equal_shapes():
    """Two expressions with one shape token have one shape, whatever the sizes."""
    sizes = [(n, m) for n in (0, 1, 2, 3, 4) for m in (1, 2, 3)]
    tokens = {}
    names = values()
    typing = typer(names)
    for expression in EXPRESSIONS:
        said = typing.kind(parse_expression(expression))
        if isinstance(said, Array) and said.shape is not None:
            tokens.setdefault(said.shape, []).append(expression)
    together = [some for some in tokens.values() if len(some) > 1]
    assert sum(map(len, together)) > 100
    import warnings

    for n, m in sizes:
        names = values(n, m)
        for some in together:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                shapes = {e: np.shape(v) for e in some
                          if (v := evaluated(e, names)) is not NO_OBJECT}
            assert len(set(shapes.values())) <= 1, (n, m, shapes)


@pytest.mark.parametrize("expression, kind", [
    ("x * k", Number("float")), ("k * i", Number("int")), ("k / i", Number("float")),
    ("x * u", Array(1, "float")), ("A @ w", Array(1, "float")), ("np.sum(u)", Number("float")),
    ("u[i]", Number("float")), ("A[i]", Array(1, "float")), ("u.shape[0]", Number("int")),
    ("np.zeros(len(u))", Array(1, "float")), ("u @ v", Number("float")),
    ("A.T", Array(2, "float")), ("pair[0]", Number("float")), ("p['w']", Number("float")),
    ("np.where(mask, u, 0.0)", Array(1, "float")), ("math.sin(k)", Number("float")),
    ("np.concatenate([u, v])", Array(1, "float")), ("len(u)", Number("int")),
    ("np.linalg.solve(S, u)", Array(1, "float")), ("u > 1.0", Array(1, "bool")),
])
def test_what_is_known(expression, kind):
    """Not only true, but enough to write good code."""
    assert typer(values()).kind(parse_expression(expression)) == kind


@pytest.mark.parametrize("one, other, same", [
    ("u", "np.sin(u)", True), ("u * u", "u", True), ("2.0 * u", "u", True), ("u", "v", False),
    ("u[1:-1]", "u[2:]", True), ("u[1:-1]", "u[:-2]", True), ("u[1:]", "u[:-1]", True),
    ("u[1:]", "u", False), ("u[1:]", "v[1:]", False), ("u[::2]", "u[1::2]", False),
    ("np.zeros_like(u)", "u", True), ("-u", "abs(u)", True), ("u + v", "u", False),
    ("A[0]", "A[1]", True), ("np.array([k, 1.0])", "np.array([x, k])", True),
    ("np.array([k, 1.0])", "np.zeros(2)", True), ("np.array([k, 1.0])", "np.zeros(3)", False),
    ("np.array([[k, x], [x, k]])", "np.eye(2)", True), ("np.reshape(u, [1, 3])", "A", False),
    ("np.array([[k], [x]])", "np.array([k, x])", False),
    ("np.diff(u)", "u[1:]", True), ("np.diff(u, 2)", "u[1:-1]", True), ("np.diff(u)", "u", False),
    ("np.diff(u)", "np.diff(v)", False), ("np.diff(A, axis=0)", "A[1:]", True),
    ("np.diff(A)", "A[:, 1:]", True), ("np.diff(A, axis=0)", "np.diff(A)", False),
    ("np.array([])", "np.array([k])", False), ("np.array([*u])", "np.array([k])", False),
])
def test_shapes_known_to_agree(one, other, same):
    typing = typer(values())
    a, b = (typing.kind(parse_expression(e)).shape for e in (one, other))
    assert (a is not None and a == b) is same
