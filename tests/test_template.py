"""Filling rules: the text that comes out."""
import ast
import math

import gast
import numpy as np
import pytest

from tangent_lite import lowering, registry, syntax, template
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import FLOAT, Array, ListKind, new_shape

T, U = new_shape(), new_shape()
KINDS = {
    "a": FLOAT, "b": FLOAT, "n": FLOAT, "x": Array(2, "float", T), "w": Array(2, "float", T),
    "v": Array(1, "float", U), "W": Array(2, "float", new_shape()), "z": Array(1, "complex"),
    "l": ListKind(FLOAT),
}


def filled(mode, text, adjoints=None, wanted=None, known=True):
    """The rule of the call in text, filled in: `y = text` with adjoint by."""
    call = syntax.parse_expression(text)
    names = dict(KINDS) if known else {}
    externals = {}
    known_names = {"np": np, "math": math}
    typer = Typer(names, lambda name: externals.get(name, known_names.get(name, NO_OBJECT)))
    if isinstance(call, gast.BinOp):
        from tangent_lite.inference import BINARY
        function, args, keywords = BINARY[type(call.op)], [call.left, call.right], {}
    else:
        function = eval(ast.unparse(gast.gast_to_ast(call.func)), {"np": np, "math": math})
        args, keywords = call.args, {k.arg: k.value for k in call.keywords}
    entry = registry.lookup(function)
    names["y"] = names["by"] = typer.kind(call)
    for name in list(names):
        names.setdefault("d" + name, names[name])
    rule = entry.adjoint if mode == "reverse" else entry.tangent

    def external(thing, name):
        externals[name] = thing
        return syntax.load(name)

    bound = template.bind(rule, args, keywords)
    if mode == "reverse":
        adjoints = {rule.result: syntax.load("by")}
    else:
        adjoints = {k: syntax.load(v) if isinstance(v, str) else
                    [p and syntax.load(p) for p in v] for k, v in adjoints.items()}
    result = template.fill(
        rule, bound, {rule.result: syntax.load("y")}, adjoints,
        lambda name, number: wanted is None or name in wanted, external, lambda name: name,
        lambda f, c: lowering.lower(f, c, typer, external),
        lambda name, formula: typer.names.update({name: typer.kind(formula)}))
    found = [f"{name} = {show(e)}" for name, e in result.locals]
    return found + [f"{p if k is None else f'{p}[{k}]'}: {show(e)}"
                    for p, k, e in result.contributions]


def show(node):
    return ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(node)))


@pytest.mark.parametrize("call, wanted, expected", [
    ("x * w", None, ["x: by * w", "y: by * x"]),
    ("a * b", ["x"], ["x: by * b"]),
    ("x + v", None, ["x: unbroadcast(by, x)", "y: unbroadcast(by, v)"]),
    ("x * a", ["y"], ["y: np.sum(by * x)"]),
    ("x - w", None, ["x: by", "y: -by"]),
    ("a / b", None, ["t = by / b", "x: t", "y: -t * y"]),
    ("x ** 2", ["x"], ["x: by * (2.0 * x)"]),
    ("x ** 3", ["x"], ["x: by * (3.0 * x ** 2)"]),
    ("a ** -1", ["x"], ["x: by * (-1.0 * a ** (-2))"]),
    ("a ** 0.5", ["x"], ["x: by * (0.5 * a ** (-0.5))"]),
    ("a ** 1", ["x"], ["x: by * 1.0"]),
    ("a ** 0", ["x"], ["x: by * 0.0"]),
    ("2.0 ** b", ["y"], ["y: by * y * math.log(2.0)"]),
    ("x @ W", None, ["x: by @ W.T", "y: x.T @ by"]),
    ("W @ v", None, ["x: by[:, None] * v", "y: by @ W"]),
    ("v @ W", None, ["x: W @ by", "y: v[:, None] * by"]),
    ("v @ v", None, ["x: by * v", "y: by * v"]),
    ("np.dot(x, W)", None, ["a: by @ W.T", "b: x.T @ by"]),
    ("np.outer(v, v)", None, ["a: by @ v", "b: v @ by"]),
    ("math.sin(a)", None, ["x: by * math.cos(a)"]),
    ("math.log(a)", ["x"], ["x: by / a"]),
    ("math.log(a, 2)", ["x"], ["x: by / a / math.log(2)"]),
    ("math.hypot(a, b)", None, ["xs[0]: by * (a / y if y != 0.0 else 0.0)",
                                "xs[1]: by * (b / y if y != 0.0 else 0.0)"]),
    ("np.exp(x)", None, ["x: by * y"]),
    ("np.abs(x)", None, ["x: by * np.sign(x)"]),
    ("np.abs(z)", None, ["x: by * abs_slope(z)"]),
    ("np.sum(x)", ["a"], ["a: unreduce(by, x)"]),
    ("np.sum(x, axis=1)", ["a"], ["a: unreduce(by, x, 1)"]),
    ("np.sum(x, 1, keepdims=True)", ["a"], ["a: unreduce(by, x, 1, True)"]),
    ("np.mean(x)", None, ["a: unreduce(by / max(x.size, 1), x)"]),
    ("np.mean(x, axis=-1)", None, ["a: unreduce(by / max(x.shape[-1], 1), x, -1)"]),
    ("np.reshape(x, (2, 3))", None, ["a: by.reshape(x.shape)"]),
    ("np.transpose(x)", None, ["a: by.T"]),
    ("np.transpose(x, (1, 0))", None, ["a: np.transpose(by, (1, 0))"]),
    ("np.stack((v, v))", None, ["arrays[0]: by[0]", "arrays[1]: by[1]"]),
    ("np.array([a, b])", None, ["object[0]: by[0]", "object[1]: by[1]"]),
    ("np.concatenate((v, v))", None, ["arrays[0]: concatenated_part(by, 0, (v, v))",
                                      "arrays[1]: concatenated_part(by, 1, (v, v))"]),
    ("np.einsum('ij,jk->ik', x, W)", None,
     ["xs[0]: unbroadcast(einsum_adjoint(0, by, ('ij,jk->ik', x, W)), 'ij,jk->ik')",  # never asked
      "xs[1]: unbroadcast(np.einsum('ik,jk->ij', by, W), x)",
      "xs[2]: unbroadcast(np.einsum('ik,ij->jk', by, x), W)"]),
    ("np.linalg.solve(x, v)", None,
     ["t = np.linalg.solve(x.T, by)", "a: unbroadcast(-np.outer(t, y), x)",
      "b: t"]),
    ("np.linalg.inv(x)", None, ["a: -y.T @ by @ y.T"]),
    ("np.linalg.norm(v)", None, ["x: unreduce(by, v) * divide_or_zero(v, y)"]),
    ("np.where(v > 0.0, v, 0.0)", ["x"], ["x: np.where(v > 0.0, by, 0.0)"]),
])
def test_reverse(call, wanted, expected):
    assert filled("reverse", call, wanted=wanted) == expected


def test_largest_of_two():
    import builtins
    entry = registry.lookup(builtins.max)
    assert entry.adjoint is not None
    typer = Typer({"a": FLOAT, "b": FLOAT, "by": FLOAT}, lambda name: NO_OBJECT)
    bound = template.bind(entry.adjoint, [syntax.load("a"), syntax.load("b")], {})
    result = template.fill(
        entry.adjoint, bound, {"y": syntax.load("y")}, {"y": syntax.load("by")},
        lambda name, number: number == 0, lambda thing, name: syntax.load(name),
        lambda name: name, lambda f, c: lowering.lower(f, c, typer, lambda t, n: syntax.load(n)))
    assert show(result.contributions[0][2]) == "0.0 if a < b else 0.5 * by if a == b else by"


@pytest.mark.parametrize("call, adjoints, expected", [
    ("x * w", {"x": "dx", "y": "dw"}, "dx * w + x * dw"),
    ("x * w", {"x": "dx"}, "dx * w"),
    ("x * w", {"y": "dw"}, "x * dw"),
    ("x + w", {"x": "dx"}, "dx"),
    ("v + x", {"x": "dv"}, "match(dv, x)"),
    ("v + a", {"x": "dv"}, "dv"),
    ("x - w", {"y": "dw"}, "-dw"),
    ("a / b", {"x": "da", "y": "db"}, "(da - y * db) / b"),
    ("a / b", {"y": "db"}, "-y * db / b"),
    ("x @ W", {"x": "dx"}, "dx @ W"),
    ("x ** 2", {"x": "dx"}, "dx * (2.0 * x)"),
    ("np.sum(x, axis=0)", {"a": "dx"}, "np.sum(dx, axis=0)"),
    ("np.sum(x)", {"a": "dx"}, "np.sum(dx)"),
    ("np.mean(x, 1, keepdims=True)", {"a": "dx"}, "np.mean(dx, axis=1, keepdims=True)"),
    ("np.where(v > 0.0, v, 0.0)", {"x": "dv"}, "np.where(v > 0.0, dv, 0.0)"),
    ("np.concatenate((v, v))", {"arrays": ["dv", None]},
     "np.concatenate((dv, np.zeros_like(v)))"),
    ("np.stack([v, v], 1)", {"arrays": ["dv", "dv"]}, "np.stack([dv, dv], 1)"),
])
def test_forward(call, adjoints, expected):
    found, = filled("forward", call, adjoints)
    assert found.split(": ")[1] == expected


@pytest.mark.parametrize("call, expected", [
    ("x * w", ["x: unbroadcast(by * w, x)", "y: unbroadcast(by * x, w)"]),
    ("np.sum(x)", ["a: unreduce(by, x)", "initial: np.sum(by)"]),     # that is never asked
    ("x @ w", ["x: matmul_adjoint_left(by, x, w)", "y: matmul_adjoint_right(by, x, w)"]),
    ("np.mean(x)", ["a: unreduce(by / mean_size(x), x)"]),
])
def test_without_kinds(call, expected):
    assert filled("reverse", call, known=False) == expected


@pytest.mark.parametrize("args, keywords, reason", [
    (["x", "1", "2", "3", "4"], {}, "arguments"),
    ([], {}, "needs the argument a"),
    (["x"], {"a": "x"}, "given twice"),
    (["x"], {"casting": "2"}, "does not cover the argument casting="),
    (["x"], {"out": "x"}, "does not cover the argument out="),
    (["x"], {"like": "x"}, "does not cover the argument like="),
])
def test_calls_that_do_not_fit(args, keywords, reason):
    rule = registry.lookup(np.sum).adjoint
    with pytest.raises(template.BindingError, match=reason):
        template.bind(rule, list(map(syntax.parse_expression, args)),
                      {k: syntax.parse_expression(v) for k, v in keywords.items()})
