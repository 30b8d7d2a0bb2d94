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

import gast

from tangent_lite import syntax
from tangent_lite.markers import Marker, mark, tests
from tangent_lite.names import Names
from tangent_lite.syntax import assign, load

_regions = itertools.count(1)           # one body may be written into another


def enclose(tree: gast.FunctionDef, names: Names | None = None) -> gast.FunctionDef:
    """Return a tree with marks; no exit may leave a `with` or a `try` (see `exits`)."""
    if not (syntax.all_of(tree, gast.With) or syntax.all_of(tree, gast.Try)):
        return tree
    tree = syntax.copy(tree)
    tree.body = _Enclose(names or Names(syntax.all_names(tree))).block(tree.body)
    return tree


class _Enclose:
    def __init__(self, names: Names) -> None:
        self.names = names

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
        for item in node.items:
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

    def attempt(self, node: gast.Try) -> list[gast.stmt]:
        if node.finalbody:
            region = next(_regions)
            inner = self.handled(node) if node.handlers else self.block(node.body)
            return [_at(gast.Expr(mark(Marker("begin", region))), node), *inner,
                    _at(gast.Expr(mark(Marker("finally", region))), node),
                    *self.block(node.finalbody),
                    _at(gast.Expr(mark(Marker("end", region))), node)]
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
