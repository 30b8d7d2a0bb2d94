"""Generators of `contextlib.contextmanager`, as two functions: what is done first, and last.

    @contextmanager                         def halved(sim):
    def halved(sim):                            old = sim.dt
        old = sim.dt                            sim.dt = old / 2
        sim.dt = old / 2                        value = sim
        try:                                    def leave(failed):
            yield sim                               sim.dt = old
        finally:                                return value, leave
            sim.dt = old

What a generator that is left in the middle of a `try` would have to remember, `leave` captures.
"""
from __future__ import annotations

import inspect
import types
from dataclasses import dataclass

import gast

from tangent_lite import syntax
from tangent_lite.functions.yields import YIELDS
from tangent_lite.heap.scopes import declared, local_names, own_nodes
from tangent_lite.names import Names


@dataclass(frozen=True)
class Halves:
    """A function that returns what `with ... as` gets, and what to call at the end; handles:
    whether it handles exceptions of the body."""
    function: types.FunctionType
    handles: bool


def in_halves(tree: gast.FunctionDef) -> tuple[gast.FunctionDef, bool] | None:
    """The function of both halves, and whether it handles exceptions; None where the generator is
    written in another form."""
    found = [n for n in own_nodes(tree) if isinstance(n, (*YIELDS, gast.Return, gast.Global))]
    if len(found) != 1 or not isinstance(found[0], gast.Yield):
        return None
    tree = syntax.copy(tree)
    names = Names(syntax.all_names(tree))
    failed, value, leave = (names.fresh(wish) for wish in ("failed", "value", "leave"))
    split = _split(tree.body, failed)
    if split is None:
        return None
    before, given, after, handles = split
    bound = local_names(tree) & (_bound(before) | set(syntax.parameter_names(tree.args)))
    inner = syntax.function_def(leave, [failed], after or [gast.Pass()])
    shared = sorted((bound & _bound(after)) | declared(tree, gast.Nonlocal))
    if shared:
        inner.body.insert(0, gast.Nonlocal(shared))
    tree.decorator_list = []
    tree.body = [*before, syntax.assign(value, given), inner,
                 gast.Return(syntax.tuple_of([syntax.load(value), syntax.load(leave)]))]
    syntax.place_within(tree, found[0])
    return tree, handles


Split = tuple[list[gast.stmt], gast.expr, list[gast.stmt], bool]


def _split(block: list[gast.stmt], failed: str) -> Split | None:
    """What stands in front of the yield, what it gives, what is done afterwards."""
    def unless_failed(rest: list[gast.stmt]) -> list[gast.stmt]:
        test = gast.UnaryOp(gast.Not(), syntax.load(failed))
        return [gast.If(test, rest, [])] if rest else []

    for number, node in enumerate(block):
        before, rest = block[:number], unless_failed(block[number + 1:])
        if isinstance(node, gast.Expr) and isinstance(node.value, gast.Yield):
            return before, node.value.value or syntax.constant(None), rest, False
        if isinstance(node, gast.Try):
            inner = _split(node.body, failed)
            if inner is None:
                continue
            first, given, last, _ = inner
            if first:
                return None                     # `finally` may follow them without a yield
            handlers = node.handlers if last else []
            made = [*last, *unless_failed(node.orelse)]
            if handlers or node.finalbody:
                made = [gast.Try(last or [gast.Pass()], handlers,
                                 unless_failed(node.orelse), node.finalbody)]
            return before, given, [*made, *rest], bool(node.handlers)
    return None


def _bound(block: list[gast.stmt]) -> set[str]:
    """The names that statements bind."""
    made = syntax.function_def("block", [], block or [gast.Pass()])
    return local_names(made)


def without_yields(code: types.CodeType) -> types.CodeType:
    """Code with the names and cells of that of a generator function, which is none."""
    return code.replace(co_flags=code.co_flags & ~inspect.CO_GENERATOR)


def with_code(function: types.FunctionType, code: types.CodeType) -> types.FunctionType:
    """A function of other code, with the globals, cells and defaults of one."""
    made = types.FunctionType(code, function.__globals__, function.__name__,
                              function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made
