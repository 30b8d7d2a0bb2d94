"""Give every exit one place: `return` stands last, what follows an exit moves under `else`.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x):
...     if x > 0:
...         return x
...     y = 2 * x
...     return y
... ''').body[0]
>>> print(emit(exits(tree)), end="")
def f(x):
    if x > 0:
        result = x
    else:
        y = 2 * x
        result = y
    return result

Grammar afterwards: one Return, last in the function; Break only as the last statement of a block
in a loop; no Continue; loops have no else. A return inside a loop sets `returned` and breaks.
"""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.names import Names

EXITS = (gast.Return, gast.Break, gast.Continue)
LOOPS = (gast.For, gast.While)


def exits(tree: gast.FunctionDef, names: Names | None = None) -> gast.FunctionDef:
    """Return a tree with single exits; `names` are those taken."""
    tree = syntax.copy(tree)
    returns = [n for n in _walk(tree.body) if isinstance(n, gast.Return)]
    last = tree.body[-1] if tree.body else None
    simple = len(returns) == 1 and returns[0] is last
    lowering = _Lowering(names or Names(syntax.all_names(tree)), keep=last if simple else None)
    if not returns:
        tree.body.append(gast.Return(gast.Constant(None, None)))
        tree.body[-1] = _at(tree.body[-1], tree)
        lowering.keep = tree.body[-1]
    elif not simple and not _always(tree.body):
        tree.body.append(_at(gast.Return(gast.Constant(None, None)), tree))
    tree.body = lowering.block(tree.body)
    if lowering.result is not None:
        tree.body.append(_at(gast.Return(syntax.load(lowering.result)), returns[-1]))
    return tree


def _at(node: gast.AST, place: gast.AST) -> gast.AST:
    return gast.copy_location(node, place)


def _walk(block: list[gast.stmt]) -> list[gast.stmt]:
    """All statements of a block and of the blocks in it."""
    found, todo = [], list(block)
    while todo:
        node = todo.pop()
        found.append(node)
        for inner in syntax.blocks_of(node):
            todo.extend(inner)
    return found


def _may(block: list[gast.stmt], kinds: tuple[type, ...] = EXITS) -> bool:
    """Whether control may leave a block (its own loops keep their breaks)."""
    for node in block:
        if isinstance(node, kinds):
            return True
        if isinstance(node, LOOPS):
            if gast.Return in kinds and any(isinstance(n, gast.Return) for n in _walk([node])):
                return True
            if _may(node.orelse, kinds):
                return True
        elif any(_may(inner, kinds) for inner in syntax.blocks_of(node)):
            return True
    return False


def _always(block: list[gast.stmt]) -> bool:
    """Whether control never reaches the end of a block."""
    for node in block:
        if isinstance(node, (*EXITS, gast.Raise)):
            return True
        if isinstance(node, gast.If) and node.orelse \
                and _always(node.body) and _always(node.orelse):
            return True
        if isinstance(node, gast.While) and isinstance(node.test, gast.Constant) \
                and node.test.value \
                and not _may(node.body, (gast.Break,)):
            return True
    return False


class _Lowering:
    def __init__(self, names: Names, keep: gast.AST | None) -> None:
        self.names, self.keep = names, keep
        self.result: str | None = None
        self.returned: str | None = None        # the flag of the loop around, if it needs one
        self.broken: list[str | None] = []      # for each loop around: the flag of its else

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for number, node in enumerate(block):
            rest = block[number + 1:]
            if isinstance(node, gast.Return):
                out += self.leave(node)
                return out
            if isinstance(node, gast.Continue):
                return out or [_at(gast.Pass(), node)]
            if isinstance(node, gast.Break):
                if self.broken and self.broken[-1]:
                    out.append(_at(syntax.assign(self.broken[-1], gast.Constant(True, None)), node))
                out.append(node)
                return out
            if isinstance(node, gast.If) and _may([node]):
                out += self.branch(node, rest)
                return out
            if isinstance(node, LOOPS) and (node.orelse or _may([node], (gast.Return,))):
                return out + self.loop(node, rest)
            if isinstance(node, LOOPS):
                self.broken.append(None)
                node.body = self.block(node.body)
                self.broken.pop()
                out.append(node)
                continue
            for field in ("body", "orelse", "finalbody"):
                if getattr(node, field, None) and isinstance(getattr(node, field), list):
                    setattr(node, field, self.block(getattr(node, field)))
            out.append(node)
        return out

    def leave(self, node: gast.Return) -> list[gast.stmt]:
        if node is self.keep:
            return [node]
        if self.result is None:
            self.result = self.names.fresh("result")
        value = node.value or gast.Constant(None, None)
        out = [_at(syntax.assign(self.result, value), node)]
        if self.broken:
            out.append(_at(syntax.assign(self.returned, gast.Constant(True, None)), node))
            out.append(_at(gast.Break(), node))
        return out

    def branch(self, node: gast.If, rest: list[gast.stmt]) -> list[gast.stmt]:
        if _always(node.body):
            return [_at(gast.If(node.test, self.block(node.body), self.block(node.orelse + rest)),
                        node)]
        if node.orelse and _always(node.orelse):
            return [_at(gast.If(node.test, self.block(node.body + rest), self.block(node.orelse)),
                        node)]
        if not rest:
            return [_at(gast.If(node.test, self.block(node.body), self.block(node.orelse)), node)]
        # Some paths go on behind the branches, some do not: a flag tells.
        flag = self.names.fresh("skipped")
        marked = _Mark(flag).mark
        out = [_at(syntax.assign(flag, gast.Constant(False, None)), node),
               _at(gast.If(node.test, self.block(marked(node.body)),
                           self.block(marked(node.orelse))), node)]
        test = gast.UnaryOp(gast.Not(), syntax.load(flag))
        return [*out, _at(gast.If(test, self.block(rest), []), node)]

    def loop(self, node: gast.stmt, rest: list[gast.stmt]) -> list[gast.stmt]:
        """A loop with an else or with a return in it, and what follows it."""
        orelse, node.orelse = node.orelse, []
        outermost = self.returned is None
        broken = self.names.fresh("broken") if orelse and _may(node.body, (gast.Break,)) else None
        if _may(node.body, (gast.Return,)) and outermost:
            self.returned = self.names.fresh("returned")
        returned = self.returned if _may(node.body, (gast.Return,)) else None
        out = [_at(syntax.assign(name, gast.Constant(False, None)), node)
               for name in (broken, returned if outermost else None) if name]
        self.broken.append(broken)
        node.body = self.block(node.body)
        self.broken.pop()
        out.append(node)
        if outermost:
            self.returned = None
        if orelse:
            rest = ([_at(gast.If(_not(broken), orelse, []), node)] if broken else orelse) + rest
        if not returned:
            return out + self.block(rest)
        if outermost:
            if rest:
                out.append(_at(gast.If(_not(returned), self.block(rest), []), node))
            return out
        leave = _at(gast.Break(), node)
        return [*out, _at(gast.If(syntax.load(returned), [leave], self.block(rest)), node)]


def _not(name: str) -> gast.expr:
    return gast.UnaryOp(gast.Not(), syntax.load(name))


class _Mark:
    """Put `flag = True` before each exit of a block, so that what follows can be skipped."""

    def __init__(self, flag: str) -> None:
        self.flag = flag

    def mark(self, block: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for node in block:
            if isinstance(node, EXITS):
                out.append(_at(syntax.assign(self.flag, gast.Constant(True, None)), node))
            elif isinstance(node, gast.If):
                node = _at(gast.If(node.test, self.mark(node.body), self.mark(node.orelse)), node)
            elif isinstance(node, LOOPS) and _may([node], (gast.Return,)):
                node = syntax.copy(node)
                node.body = self.returns(node.body)
            out.append(node)
        return out

    def returns(self, block: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for node in block:
            if isinstance(node, gast.Return):
                out.append(_at(syntax.assign(self.flag, gast.Constant(True, None)), node))
            elif isinstance(node, (gast.If, *LOOPS)):
                node.body, node.orelse = self.returns(node.body), self.returns(node.orelse)
            out.append(node)
        return out
