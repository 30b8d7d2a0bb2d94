"""Builders of gast nodes: a name, a call, an assignment. They are had from `syntax`."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gast

from tangent_lite.nodes import made

OPERATORS = {
    "+": gast.Add, "-": gast.Sub, "*": gast.Mult, "/": gast.Div, "@": gast.MatMult,
    "**": gast.Pow, "//": gast.FloorDiv, "%": gast.Mod,
}


def load(name: str) -> gast.Name:
    return _name(name, gast.Load)


def store(name: str) -> gast.Name:
    return _name(name, gast.Store)


def _name(name: str, ctx: Any) -> gast.Name:
    """A name, made without the constructors, which take most of the time: most nodes are names.

    Its context is its own: passes note on all nodes, contexts too, where they come from.
    """
    found = gast.Name.__new__(gast.Name)
    found.__dict__ = {"id": name, "ctx": ctx.__new__(ctx), "annotation": None,
                      "type_comment": None}
    return found


def constant(value: Any) -> gast.expr:
    """A literal; negative numbers become `-1`, as Python parses them."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value < 0:
        return minus(made(gast.Constant, -value, None))
    return made(gast.Constant, value, None)


def attribute(value: gast.expr, *path: str) -> gast.expr:
    for attr in path:
        value = gast.Attribute(value, attr, gast.Load())
    return value


def call(function: gast.expr, *args: gast.expr, **keywords: gast.expr) -> gast.Call:
    return gast.Call(function, list(args), [gast.keyword(k, v) for k, v in keywords.items()])


def method(value: gast.expr, name: str, *args: gast.expr) -> gast.Call:
    return call(attribute(value, name), *args)


def subscript(value: gast.expr, index: gast.expr, ctx: Any = None) -> gast.Subscript:
    return gast.Subscript(value, index, ctx or gast.Load())


def key_parts(index: gast.expr) -> list[gast.expr]:
    """The parts of an index as arguments of a call: `x, 1.0, slice(0, 3, None)`."""
    def bound(node: gast.expr | None) -> gast.expr:
        return gast.Constant(None, None) if node is None else node
    return [call(load("slice"), bound(p.lower), bound(p.upper), bound(p.step))
            if isinstance(p, gast.Slice) else p
            for p in (index.elts if isinstance(index, gast.Tuple) else [index])]


def reversed_order(value: gast.expr) -> gast.Subscript:
    """value[::-1]"""
    return subscript(value, gast.Slice(None, None, minus(constant(1))))


def binary(left: gast.expr, operator: str, right: gast.expr) -> gast.BinOp:
    return made(gast.BinOp, left, OPERATORS[operator](), right)


def minus(value: gast.expr) -> gast.expr:
    return made(gast.UnaryOp, gast.USub(), value)


def tuple_of(parts: Iterable[gast.expr], ctx: Any = None) -> gast.Tuple:
    return gast.Tuple(list(parts), ctx or gast.Load())


def assign(target: str | gast.expr, value: gast.expr) -> gast.Assign:
    if isinstance(target, str):
        target = store(target)
    return made(gast.Assign, [target], value, None)


def augment(target: str | gast.expr, operator: str, value: gast.expr) -> gast.AugAssign:
    if isinstance(target, str):
        target = store(target)
    return made(gast.AugAssign, target, OPERATORS[operator](), value)


def statement(value: gast.expr) -> gast.Expr:
    return gast.Expr(value)


def returns(value: gast.expr | None) -> gast.Return:
    return gast.Return(value)


def comment(text: str) -> gast.Expr:
    return made(gast.Expr, made(gast.Constant, "# " + text, None))


def blank() -> gast.Expr:
    """An empty line."""
    return gast.Expr(gast.Constant("#", None))


def parse_expression(text: str) -> gast.expr:
    return gast.parse(text, mode="eval").body


def function_def(name: str, params: Sequence[str], body: list[gast.stmt],
                 defaults: Sequence[gast.expr] = ()) -> gast.FunctionDef:
    arguments = gast.arguments([gast.Name(p, gast.Param(), None, None) for p in params], [], None,
                               [], [], None, list(defaults))
    return gast.FunctionDef(name, arguments, body, [], None, None)
