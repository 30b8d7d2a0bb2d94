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
in a loop; no Continue; loops have no else. A return inside a loop sets `returned` and breaks. No
exit leaves a `with` or a `try`: a flag is set, and what is left is left behind it.

>>> tree = gast.parse('''
... def f(x):
...     for k in range(9):
...         with lock:
...             x = x * x
...             if x > 9.0:
...                 break
...             x = x + 1.0
...     return x
... ''').body[0]
>>> print(emit(exits(tree)), end="")
def f(x):
    for k in range(9):
        stopped = False
        with lock:
            x = x * x
            if x > 9.0:
                stopped = True
            else:
                x = x + 1.0
        if stopped:
            break
    return x

What is never reached is left out. A name that is bound there and nowhere else is a variable of the
function all the same, and not what is called alike outside.

>>> tree = gast.parse('''
... def f(x):
...     return x * scale
...     scale = 2.0
... ''').body[0]
>>> print(emit(exits(tree)), end="")
def f(x):
    if False:
        scale = None
    result = x * scale
    return result
"""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.names import Names

EXITS = (gast.Return, gast.Break, gast.Continue)
LOOPS = (gast.For, gast.While)
REGIONS = (gast.With, gast.Try)
FLAGS = {gast.Return: "returned", gast.Break: "stopped", gast.Continue: "skipped"}


def exits(tree: gast.FunctionDef, names: Names | None = None) -> gast.FunctionDef:
    """Return a tree with single exits; `names` are those taken."""
    tree = syntax.copy(tree)
    names = names or Names(syntax.all_names(tree))
    leaving = [n for n in _walk(tree.body) if isinstance(n, (*EXITS, gast.Raise))]
    bound = _bound(tree.body) if any(n is not tree.body[-1] for n in leaving) else set()
    regions = _Regions(names)
    tree.body = regions.block(tree.body)
    returns = [n for n in _walk(tree.body) if isinstance(n, gast.Return)]
    last = tree.body[-1] if tree.body else None
    simple = len(returns) == 1 and returns[0] is last
    lowering = _Lowering(names, keep=last if simple else None)
    lowering.result = None if simple else regions.result
    if not returns:
        tree.body.append(gast.Return(gast.Constant(None, None)))
        tree.body[-1] = _at(tree.body[-1], tree)
        lowering.keep = tree.body[-1]
    elif not simple and not _always(tree.body):
        tree.body.append(_at(gast.Return(gast.Constant(None, None)), tree))
    tree.body = lowering.block(tree.body)
    if lowering.result is not None:
        tree.body.append(_at(gast.Return(syntax.load(lowering.result)), returns[-1]))
    lost = bound - _bound(tree.body) - set(syntax.parameter_names(tree.args)) if bound else bound
    for name in sorted(lost.intersection(syntax.read_names(tree)) if lost else ()):
        never = gast.If(gast.Constant(False, None),
                        [syntax.assign(name, gast.Constant(None, None))], [])
        tree.body.insert(0, syntax.placed(never, tree))
    return tree


def _at(node: gast.AST, place: gast.AST) -> gast.AST:
    return gast.copy_location(node, place)


def _blocks(node: gast.stmt) -> list[list[gast.stmt]]:
    """The blocks in a statement; those of a function defined inside are none of ours."""
    return [] if isinstance(node, gast.FunctionDef) else list(syntax.blocks_of(node))


def _walk(block: list[gast.stmt]) -> list[gast.stmt]:
    """All statements of a block and of the blocks in it."""
    found, todo = [], list(block)
    while todo:
        node = todo.pop()
        found.append(node)
        for inner in _blocks(node):
            todo.extend(inner)
    return found


def _bound(block: list[gast.stmt]) -> set[str]:
    """The names that are bound in a block, in whichever way, and not in functions inside alone."""
    found: set[str] = set()
    todo: list[gast.AST] = list(block)
    while todo:
        node = todo.pop()
        if isinstance(node, (gast.FunctionDef, gast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, gast.alias):
            found.add(node.asname or node.name.split(".")[0])
        elif isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            found.add(node.id)
        elif not isinstance(node, (gast.Lambda, gast.Global, gast.Nonlocal)):
            todo += [part for part in gast.iter_child_nodes(node)
                     if not isinstance(part, gast.comprehension)]
    return found


def _may(block: list[gast.stmt], kinds: tuple[type, ...] = EXITS,
         known: dict[gast.stmt, bool] | None = None) -> bool:
    """Whether control may leave a block (its own loops keep their breaks); known: what was found
    before, of these kinds, in statements that are as they were."""
    for node in block:
        if isinstance(node, kinds):
            return True
        if isinstance(node, LOOPS):
            if gast.Return in kinds and any(isinstance(n, gast.Return) for n in _walk([node])):
                return True
            if _may(node.orelse, kinds, known):
                return True
            continue
        found = None if known is None else known.get(node)
        if found is None:
            found = any(_may(inner, kinds, known) for inner in _blocks(node))
            if known is not None and isinstance(node, gast.If):
                known[node] = found
        if found:
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
        if isinstance(node, gast.With) and _always(node.body):
            return True
        if isinstance(node, gast.Try) and (_always(node.finalbody) or (
                (_always(node.body) or _always(node.orelse))
                and all(_always(h.body) for h in node.handlers))):
            return True
        if isinstance(node, gast.While) and isinstance(node.test, gast.Constant) \
                and node.test.value \
                and not _may(node.body, (gast.Break,)):
            return True
    return False


class _Regions:
    """Let no exit leave a `with` or a `try`."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.result: str | None = None

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for node in block:
            for inner in _blocks(node):
                inner[:] = self.block(inner)
            if isinstance(node, REGIONS) and (found := _leaving([node])):
                out += self.region(node, found)
            else:
                out.append(node)
        return out

    def region(self, node: gast.With | gast.Try, found: list[type]) -> list[gast.stmt]:
        """The block, and behind it the exits that were in it."""
        always = _always([node])
        plain = len(found) == 1 and always and not _returns_in_loop([node])
        flags = {} if plain else {kind: self.names.fresh(FLAGS[kind]) for kind in found}
        if gast.Return in found and self.result is None:
            self.result = self.names.fresh("result")
        cleared = [_set(flag, False, node) for flag in flags.values()]
        may_leave, always_leaves = _may(node.body), _always(node.body)
        inner = any(isinstance(n, REGIONS) for n in _walk(node.body))
        node.body = self.lowered(node.body, flags)
        if isinstance(node, gast.Try):
            for handler in node.handlers:
                # What encloses an exit may fail when it is left.
                again = syntax.copy(cleared) if may_leave and inner else []
                handler.body = again + self.lowered(handler.body, flags)
            node.orelse = self.lowered(node.orelse, flags) if node.orelse else []
            if always_leaves:
                node.orelse = []
            elif node.orelse and may_leave:
                stays = [_not(flag) for flag in flags.values()]
                test = stays[0] if len(stays) == 1 else gast.BoolOp(gast.And(), stays)
                node.orelse = [_at(gast.If(test, node.orelse, []), node)]
        out = [*cleared, node]
        for kind in found:
            leave = gast.Return(syntax.load(self.result or "")) if kind is gast.Return else kind()
            if always and kind is found[-1]:
                out.append(_at(leave, node))
            else:
                out.append(_at(gast.If(syntax.load(flags[kind]), [_at(leave, node)], []), node))
        return out

    def lowered(self, block: list[gast.stmt], flags: dict[type, str]) -> list[gast.stmt]:
        lowering = _Lowering(self.names, None)
        lowering.leaves_to = flags.get(gast.Return, "")
        return lowering.block(_marked(block, flags, self.result, False))


def _marked(block: list[gast.stmt], flags: dict[type, str], result: str | None,
            in_loop: bool) -> list[gast.stmt]:
    """Exits that leave a block, as returns behind the flags that tell of them."""
    out: list[gast.stmt] = []
    for node in block:
        if isinstance(node, gast.Return) or (isinstance(node, EXITS) and not in_loop):
            flagged = getattr(node, "is_flagged", False)
            if isinstance(node, gast.Return) and not flagged:
                value = node.value or gast.Constant(None, None)
                if not (isinstance(value, gast.Name) and value.id == result):
                    out.append(_at(syntax.assign(result or "", value), node))
            if type(node) in flags and not flagged:
                out.append(_set(flags[type(node)], True, node))
            leave = _at(gast.Return(None), node)
            leave.is_flagged = True
            out.append(leave)
            continue
        if isinstance(node, LOOPS):
            node.body = _marked(node.body, flags, result, True)
            node.orelse = _marked(node.orelse, flags, result, in_loop)
        elif isinstance(node, gast.If):
            node.body = _marked(node.body, flags, result, in_loop)
            node.orelse = _marked(node.orelse, flags, result, in_loop)
        out.append(node)
    return out


def _leaving(block: list[gast.stmt], in_loop: bool = False) -> list[type]:
    """The kinds of exits that leave a block, in a fixed order."""
    found: set[type] = set()
    for node in block:
        if isinstance(node, gast.Return) or (isinstance(node, EXITS) and not in_loop):
            found.add(type(node))
        elif isinstance(node, LOOPS):
            found.update(_leaving(node.body, True), _leaving(node.orelse, in_loop))
        else:
            for inner in _blocks(node):
                found.update(_leaving(inner, in_loop))
    return [kind for kind in FLAGS if kind in found]


def _returns_in_loop(block: list[gast.stmt]) -> bool:
    return any(isinstance(node, LOOPS) and gast.Return in _leaving(node.body)
               for node in _walk(block))


def _set(flag: str, value: bool, place: gast.AST) -> gast.stmt:
    return _at(syntax.assign(flag, gast.Constant(value, None)), place)


class _Lowering:
    def __init__(self, names: Names, keep: gast.AST | None) -> None:
        self.names, self.keep = names, keep
        self.result: str | None = None
        self.returned: str | None = None        # the flag of the loop around, if it needs one
        self.broken: list[str | None] = []      # for each loop around: the flag of its else
        # In a region a return goes to its end, and a flag that stands says so.
        self.leaves_to: str | None = None
        # Each elif is looked at once, and not again for each one in front of it: they are asked
        # about from the outside in, and changed after that.
        self.known: dict[gast.stmt, bool] = {}

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for number, node in enumerate(block):
            if isinstance(node, gast.Return):
                out += self.leave(node)
                return out or [_at(gast.Pass(), node)]
            if isinstance(node, gast.Continue):
                return out or [_at(gast.Pass(), node)]
            if isinstance(node, gast.Break):
                if self.broken and self.broken[-1] and not getattr(node, "is_return", False):
                    out.append(_at(syntax.assign(self.broken[-1], gast.Constant(True, None)), node))
                out.append(node)
                return out
            if isinstance(node, gast.If) and _may([node], known=self.known):
                out += self.branch(node, block[number + 1:])
                return out
            if isinstance(node, LOOPS) and (node.orelse or _may([node], (gast.Return,))):
                return out + self.loop(node, block[number + 1:])
            if isinstance(node, LOOPS):
                self.broken.append(None)
                node.body = self.block(node.body)
                self.broken.pop()
                out.append(node)
                continue
            never = _always([node]) and not any(n is self.keep for n in block[number + 1:])
            for inner in _blocks(node):
                inner[:] = self.block(inner)
            out.append(node)
            if never:
                return out                      # what follows is not reached
        return out

    def leave(self, node: gast.Return) -> list[gast.stmt]:
        if node is self.keep:
            return [node]
        if self.leaves_to is not None:
            return [_at(gast.Break(), node)] if self.broken else []
        if self.result is None:
            self.result = self.names.fresh("result")
        value = node.value or gast.Constant(None, None)
        out = [_at(syntax.assign(self.result, value), node)]
        if isinstance(value, gast.Name) and value.id == self.result:
            out = []
        if self.broken:
            out.append(_at(syntax.assign(self.returned, gast.Constant(True, None)), node))
            out.append(_at(gast.Break(), node))
        return out

    def branch(self, node: gast.If, rest: list[gast.stmt]) -> list[gast.stmt]:
        if _always(node.body):
            body, orelse = self.block(node.body), self.block(node.orelse + rest)
            if isinstance(node.test, gast.Name) and orelse and all(
                    isinstance(n, gast.Pass) for n in body):
                return [_at(gast.If(_not(node.test.id), orelse, []), node)]     # a flag of ours
            return [_at(gast.If(node.test, body, orelse), node)]
        if node.orelse and _always(node.orelse):
            return [_at(gast.If(node.test, self.block(node.body + rest), self.block(node.orelse)),
                        node)]
        if not rest:
            return [_at(gast.If(node.test, self.block(node.body), self.block(node.orelse)), node)]
        # Some paths go on behind the branches, some do not: a flag tells.
        found = _leaving([node])
        if self.broken and found != [gast.Continue]:
            return self.leave_behind(node, found, rest)
        flag = self.names.fresh("skipped")
        marked = _Mark(flag).mark
        out = [_at(syntax.assign(flag, gast.Constant(False, None)), node),
               _at(gast.If(node.test, self.block(marked(node.body)),
                           self.block(marked(node.orelse))), node)]
        test = gast.UnaryOp(gast.Not(), syntax.load(flag))
        return [*out, _at(gast.If(test, self.block(rest), []), node)]

    def leave_behind(self, node: gast.If, found: list[type],
                     rest: list[gast.stmt]) -> list[gast.stmt]:
        """Branches in which the loop around may be left, which is done behind them."""
        flags = {kind: self.returned or "" if kind is gast.Return else self.names.fresh(FLAGS[kind])
                 for kind in found}
        if gast.Return in found and self.result is None and self.leaves_to is None:
            self.result = self.names.fresh("result")
        inner = _Lowering(self.names, None)
        inner.leaves_to = self.returned or ""
        node.body = inner.block(_marked(node.body, flags, self.result, False))
        node.orelse = inner.block(_marked(node.orelse, flags, self.result, False))
        out = [_set(flag, False, node) for kind, flag in flags.items() if kind is not gast.Return]
        leaves = []
        for kind, flag in flags.items():
            leave = gast.Break() if kind is gast.Return else kind()
            leave.is_return = kind is gast.Return
            leaves.append(_at(gast.If(syntax.load(flag), [_at(leave, node)], []), node))
        return [*out, node, *self.block(leaves + rest)]

    def loop(self, node: gast.stmt, rest: list[gast.stmt]) -> list[gast.stmt]:
        """A loop with an else or with a return in it, and what follows it."""
        orelse, node.orelse = node.orelse, []
        outermost = self.returned is None
        broken = self.names.fresh("broken") if orelse and _may(node.body, (gast.Break,)) else None
        if _may(node.body, (gast.Return,)) and outermost:
            self.returned = self.leaves_to or self.names.fresh("returned")
        returned = self.returned if _may(node.body, (gast.Return,)) else None
        out = [_at(syntax.assign(name, gast.Constant(False, None)), node)
               for name in (broken, returned if outermost and self.leaves_to is None else None)
               if name]
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
            elif isinstance(node, LOOPS) and _may([node]):
                node = syntax.copy(node)
                node.body, node.orelse = self.returns(node.body), self.mark(node.orelse)
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
