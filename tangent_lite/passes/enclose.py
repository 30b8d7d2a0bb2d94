"""Write `with` and `try` as straight-line code with marks where they begin and end.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x):
...     with timer() as t:
...         y = x * x
...     try:
...         y = math.sqrt(y)
...     except ValueError as error:
...         y = 0.0
...     finally:
...         done()
...     return y
... ''').body[0]
>>> print(emit(enclose(tree)), end="")
def f(x):
    t = "enter"(timer())
    y = x * x
    "exit"()
    "begin"()
    succeeded = "try"(ValueError)
    if succeeded:
        y = math.sqrt(y)
    else:
        error = "caught"()
        y = 0.0
    "finally"()
    done()
    "end"()
    return y

Grammar afterwards: no With, no Try. So all passes behind this one see blocks that they know: what
`with` and `finally` enclose runs from its top to its end, or not at all, and a try with handlers is
a branch. `unclose` turns the marks back into blocks when the derivative is written.
"""
from __future__ import annotations

import itertools
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.own_managers import LATER, OwnManager, sets_back
from tangent_lite.markers import Marker, mark, tests
from tangent_lite.names import Names
from tangent_lite.syntax import assign, load

_regions = itertools.count(1)           # one body may be written into another


def enclose(tree: gast.FunctionDef, names: Names | None = None,
            left: list[gast.AST] | None = None) -> gast.FunctionDef:
    """Return a tree with marks; no exit may leave a `with` or a `try` (see `exits`).

    left: gets what has no marks, as an exception that leaves it leaves the function: blocks behind
    which something is set back, and no more. There must be no handler around the function.
    """
    if not (syntax.all_of(tree, gast.With) or syntax.all_of(tree, gast.Try)):
        return tree
    tree = syntax.copy(tree)
    handled = any(node.handlers for node in syntax.all_of(tree, gast.Try))
    writer = _Enclose(names or Names(syntax.all_names(tree)), None if handled else left)
    tree.body = writer.block(tree.body)
    return tree


class _Enclose:
    def __init__(self, names: Names, left: list[gast.AST] | None) -> None:
        self.names, self.left = names, left

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for node in block:
            if isinstance(node, gast.With):
                out += self.context(node)
            elif isinstance(node, gast.Try):
                out += self.attempt(node)
            else:
                for field in ("body", "orelse"):
                    if isinstance(getattr(node, field, None), list):
                        setattr(node, field, self.block(getattr(node, field)))
                out.append(node)
        return out

    def context(self, node: gast.With) -> list[gast.stmt]:
        """`with a as x, b as y` is `with a as x: with b as y`."""
        first: list[gast.stmt] = []
        last: list[gast.stmt] = []
        for number, item in enumerate(node.items):
            own = getattr(item, "own", None)
            if own is not None:
                inner = node.body if number + 1 == len(node.items) else [
                    gast.copy_location(gast.With(node.items[number + 1:], node.body, None), node)]
                return first + self.written_out(own, item, self.block(inner), node) + last
            region = next(_regions)
            mirrored = getattr(item, "mirrored", False)
            entered = mark(Marker("enter", region, mirrored), item.context_expr)
            target = item.optional_vars
            if target is None:
                first.append(_at(gast.Expr(entered), item.context_expr, node))
            elif isinstance(target, gast.Name):
                first.append(_at(gast.Assign([target], entered, None), item.context_expr, node))
            else:
                name = self.names.fresh("entered")
                first.append(_at(assign(name, entered), item.context_expr, node))
                first.append(_at(gast.Assign([target], load(name), None), target, node))
            left = gast.Expr(mark(Marker("exit", region, mirrored,
                                         item.context_expr if mirrored else None)))
            last.insert(0, _at(left, item.context_expr, node))
        return first + self.block(node.body) + last

    def written_out(self, own: OwnManager, item: gast.withitem, inner: list[gast.stmt],
                    node: gast.With) -> list[gast.stmt]:
        """A manager of which it is known what it does: the loop over a generator that yields once,
        or calls of what enters an object and leaves it."""
        if own.function is not None:
            if self.left is not None:
                self.left.append(item.context_expr)
            call: Any = item.context_expr
            arguments = [*([] if own.receiver is None else [own.receiver]), *call.args]
            target = item.optional_vars or syntax.store(self.names.fresh("entered"))
            if own.function is LATER:
                call.manages = True
            else:
                call = gast.copy_location(
                    gast.Call(load(own.function), arguments, call.keywords), call)
            made = gast.For(target, call, inner, [], None)
            return [_at(made, item.context_expr, node)]
        name = self.names.fresh("manager")
        entered = syntax.call(syntax.attribute(load(name), "__enter__"))
        nothing = [gast.Constant(None, None) for _ in range(3)]
        left = gast.Expr(syntax.call(syntax.attribute(load(name), "__exit__"), *nothing))
        first = [assign(name, item.context_expr), gast.Expr(entered) if item.optional_vars is None
                 else gast.Assign([item.optional_vars], entered, None)]
        made = gast.copy_location(gast.Try(inner, [], [], [left]), node)
        return [_at(one, item.context_expr, node) for one in (
            *first, *self.finally_(made, inner, [left], own.sets_back))]

    def finally_(self, node: gast.Try, inner: list[gast.stmt], last: list[gast.stmt],
                 is_quiet: bool) -> list[gast.stmt]:
        """What is enclosed, and what follows it either way; is_quiet: nobody sees whether it does
        where an exception leaves the function."""
        if is_quiet and self.left is not None:
            self.left.append(node)
            return [*inner, *last]
        region = next(_regions)
        return [_at(gast.Expr(mark(Marker("begin", region))), node), *inner,
                _at(gast.Expr(mark(Marker("finally", region))), node), *last,
                _at(gast.Expr(mark(Marker("end", region))), node)]

    def attempt(self, node: gast.Try) -> list[gast.stmt]:
        if node.finalbody:
            inner = self.handled(node) if node.handlers else self.block(node.body)
            return self.finally_(node, inner, self.block(node.finalbody),
                                 sets_back(node.finalbody))
        return self.handled(node)

    def handled(self, node: gast.Try) -> list[gast.stmt]:
        """A try with handlers: which way was taken is known afterwards, and tested here before."""
        region = next(_regions)
        single = len(node.handlers) == 1
        flag = self.names.fresh("succeeded" if single else "caught")
        types = [h.type or gast.Constant(None, None) for h in node.handlers]
        start = assign(flag, mark(Marker("try", region, handlers=len(types)), *types))
        body = self.block(node.body)
        if node.orelse:
            body += [_at(gast.Expr(mark(Marker("else", region))), node),
                     *self.block(node.orelse)]
        orelse: list[gast.stmt] = []
        for number in range(len(node.handlers), 0, -1):
            handler = node.handlers[number - 1]
            block: list[gast.stmt] = []
            if handler.name is not None:
                name = getattr(handler.name, "id", handler.name)
                caught = assign(name, mark(Marker("caught", region)))
                block.append(_at(caught, handler, node))
            block += self.block(handler.body)
            if number == len(node.handlers):
                orelse = block
            else:
                test = tests(_is(flag, number), region, number)
                orelse = [_at(gast.If(test, block, orelse), handler, node)]
        test = tests(load(flag) if single else _is(flag, 0), region)
        return [_at(start, node), _at(gast.If(test, body, orelse), node)]


def _is(flag: str, number: int) -> gast.expr:
    return gast.Compare(load(flag), [gast.Eq()], [gast.Constant(number, None)])


def _at(node: gast.stmt, *places: gast.AST) -> gast.stmt:
    """The statement, and all in it that has no place yet, at the first of the places."""
    return syntax.placed(node, next(p for p in places if hasattr(p, "lineno")))
