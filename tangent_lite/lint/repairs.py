"""Going on behind a refusal, as compilers recover from errors: with a hole in its place.

A hole is a call that takes what the refused code read, gives a value of which nothing is known, and
has a derivative; so the passes find what is refused behind it.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.source import source_of
>>> def f(x):
...     for v in x:
...         yield v * v
...     class Point:
...         pass
>>> source, repairs = source_of(f), Repairs()
>>> repairs.applied(source) is source               # nothing was refused yet
True
>>> yielded, point = source.tree.body[0].body[0], source.tree.body[1]
>>> repairs.repair(source.place(yielded)) and repairs.repair(source.place(point))
True
>>> print(emit(repairs.applied(source).tree))
def f(x):
    for v in x:
        pass
    Point = hole_()
<BLANKLINE>
"""
from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast

from tangent_lite import registry, syntax
from tangent_lite.errors import Place
from tangent_lite.registry import adjoint
from tangent_lite.source import Source

HOLE = "hole_"
_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
_Key = tuple[str, int, int, int]

d: dict[Any, Any] = {}                  # what rules are written with; they are read, not run


def hole(*parts: Any) -> Any:
    """Stands for what was refused."""
    raise AssertionError("read, not run")


@contextlib.contextmanager
def holes() -> Iterator[None]:
    """In this context the passes know holes."""
    @adjoint(hole)
    def hole_adjoint(y: Any, *parts: Any) -> None:
        for k, part in enumerate(parts):                    # noqa: B007
            d[part] = d[y]

    try:
        yield
    finally:
        registry._entries.pop(registry.key_of_function(hole), None)


class Repairs:
    """The places that were refused, and the functions that were read without them.

    `applied` is to be given to the passes as what to read; a place that is refused again is
    replaced by less each time, until nothing is left of its statement.
    """

    def __init__(self) -> None:
        self.times: dict[_Key, int] = {}
        self.read: dict[tuple[str, int], Source] = {}       # as they were

    def repair(self, place: Place) -> bool:
        """Have a place replaced; False if there is nothing left to replace."""
        key = _key(place)
        times = self.times[key] = self.times.get(key, 0) + 1
        found = self.source_at(place)
        return found is not None and times <= 3 and _node_at(found.tree, found, key) is not None

    def applied(self, source: Source) -> Source:
        """The function without what was refused."""
        known = self.read.setdefault((source.file, source.tree.lineno), source)
        times = {key: n for key, n in self.times.items() if key[0] == source.file
                 and source.tree.lineno <= key[1] <= (source.tree.end_lineno or key[1])}
        if not times:
            return source
        tree: Any = syntax.copy(known.tree)
        for key, n in times.items():
            node = _node_at(tree, source, key)
            if node is not None:
                tree = _without(tree, node, n)
        gast.fix_missing_locations(tree)
        return replace(source, tree=tree, globals={**source.globals, HOLE: hole})

    def source_at(self, place: Place) -> Source | None:
        """The function that was read in which a place lies, the innermost if several."""
        return max((s for s in self.read.values() if s.file == place.file and
                    s.tree.lineno <= place.line <= (s.tree.end_lineno or place.line)),
                   key=lambda s: s.tree.lineno, default=None)

    def statement_at(self, place: Place) -> gast.stmt | None:
        """The statement of the user in which a place lies."""
        source = self.source_at(place)
        node = None if source is None else _node_at(source.tree, source, _key(place))
        return None if node is None or source is None else _statement_of(source.tree, node)

    def tainted(self, place: Place) -> bool:
        """Whether what stands at a place has to do with what was replaced."""
        source, here = self.source_at(place), self.statement_at(place)
        if source is None or here is None or here is source.tree:
            return False
        spoilt: set[str] = set()
        for key in self.times:
            node = _node_at(source.tree, source, key) if key[0] == source.file else None
            if node is not None and node is not source.tree:
                spoilt |= _bound(_statement_of(source.tree, node))
        assignments = list(syntax.statements(source.tree.body))
        before = -1
        while before != len(spoilt):
            before = len(spoilt)
            for node in assignments:
                if syntax.read_names(_head(node)) & spoilt:
                    spoilt |= _bound(node)
        return bool({n.id for n in syntax.names_in(_head(here))} & spoilt)


def _key(place: Place) -> _Key:
    return place.file, place.line, place.column, place.end_column


def _node_at(tree: Any, source: Source, key: _Key) -> Any:
    """The largest node that stands at a place."""
    for node in gast.walk(tree):
        if getattr(node, "lineno", None) == key[1] and node.col_offset == key[2] \
                and isinstance(node, (gast.stmt, gast.expr)) and _key(source.place(node)) == key:
            return node
    return None


def _statement_of(tree: Any, node: Any) -> Any:
    """The innermost statement that holds a node."""
    found = tree
    for statement in syntax.all_statements(tree):
        if isinstance(statement, gast.stmt) and any(n is node for n in gast.walk(statement)):
            found = statement                   # the inner ones come later
    return found


def _head(node: Any) -> Any:
    """A statement without its blocks."""
    if isinstance(node, (gast.For, gast.AsyncFor)):
        return gast.Tuple([node.target, node.iter], gast.Load())
    if isinstance(node, (gast.If, gast.While)):
        return node.test
    if isinstance(node, (gast.With, gast.Try)):
        return gast.Tuple([], gast.Load())
    return node


def _bound(node: Any) -> set[str]:
    """What a statement binds or writes to."""
    found = {n.id for n in syntax.names_in(_head(node)) if not isinstance(n.ctx, gast.Load)}
    for target in getattr(node, "targets", None) or [getattr(node, "target", None)]:
        while isinstance(target, (gast.Subscript, gast.Attribute)):
            target = target.value
        if isinstance(target, gast.Name):
            found.add(target.id)
    if isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
        owner = node.value.func                         # it may change its object, or its arguments
        found |= syntax.read_names(owner.value if isinstance(owner, gast.Attribute) else node.value)
    if isinstance(node, (gast.FunctionDef, gast.ClassDef)):
        found.add(node.name)
    return found


def _without(tree: Any, node: Any, times: int) -> Any:
    """The function with a hole for a node, larger the more often that was tried."""
    if node is tree:
        return _plain(tree)
    statement = _statement_of(tree, node)
    reads = _variables(tree, node) if times == 1 else []
    if isinstance(node, gast.expr) and not isinstance(statement, (gast.Global, gast.Nonlocal)) \
            and isinstance(getattr(node, "ctx", gast.Load()), gast.Load) and times < 3 \
            and not (isinstance(statement, gast.Expr) and statement.value is node):
        return _Exchange(node, _hole(reads, node)).visit(tree)
    _replace_statement(tree, statement, _instead_of(tree, statement) if times < 3 else
                       [gast.copy_location(gast.Pass(), statement)])
    return tree


class _Exchange(gast.NodeTransformer):
    def __init__(self, old: Any, new: Any) -> None:
        self.old, self.new = old, new

    def visit(self, node: Any) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def _hole(reads: list[str], place: Any) -> Any:
    made = syntax.call(syntax.load(HOLE), *map(syntax.load, reads))
    for part in gast.walk(made):
        gast.copy_location(part, place)
    return made


def _variables(tree: Any, node: Any) -> list[str]:
    """The variables of a function that an expression reads."""
    own = set(syntax.parameter_names(tree.args)) | {
        n.id for n in syntax.names_in(tree) if not isinstance(n.ctx, gast.Load)}
    inside = {n.id for n in syntax.names_in(node) if not isinstance(n.ctx, gast.Load)}
    called = {n.func.id for n in gast.walk(node) if isinstance(n, gast.Call)
              and isinstance(n.func, gast.Name)}
    return [n for n in dict.fromkeys(n.id for n in syntax.names_in(node))
            if n in own - inside - called]


def _instead_of(tree: Any, node: Any) -> list[Any]:
    """What stands in the place of a statement."""
    here = [gast.copy_location(gast.Pass(), node)]
    if isinstance(node, (gast.FunctionDef, gast.ClassDef, gast.AsyncFunctionDef)):
        return [_assigned(node.name, [], node)]
    if isinstance(node, (gast.Import, gast.ImportFrom)):
        return [_assigned((a.asname or a.name).partition(".")[0], [], node) for a in node.names
                if a.name != "*"] or here
    if isinstance(node, gast.Return):
        value = None if node.value is None else _hole(_variables(tree, node.value), node)
        return [gast.copy_location(gast.Return(value), node)]
    if isinstance(node, (gast.Assign, gast.AnnAssign, gast.AugAssign)) and node.value is not None:
        targets = node.targets if isinstance(node, gast.Assign) else [node.target]
        reads = _variables(tree, node.value)
        if isinstance(node, gast.AugAssign):
            reads += [n for n in _variables(tree, node.target) if n not in reads]
        names = sorted({n.id for t in targets for n in syntax.names_in(t)
                        if not isinstance(n.ctx, gast.Load)})
        return [_assigned(name, reads, node) for name in names] or here
    if isinstance(node, (gast.For, gast.AsyncFor)):
        reads = _variables(tree, node.iter)
        bound = [_assigned(n.id, reads, node) for n in syntax.names_in(node.target)
                 if not isinstance(n.ctx, gast.Load)]
        rounds = gast.copy_location(syntax.call(syntax.load("range"), syntax.constant(2)), node)
        return [gast.copy_location(gast.For(syntax.store("round_"), rounds, bound + node.body,
                                            node.orelse, None), node)]
    if isinstance(node, (gast.With, gast.AsyncWith)):
        handed = [_assigned(n.id, [], node) for item in node.items if item.optional_vars is not None
                  for n in syntax.names_in(item.optional_vars)]
        return handed + node.body
    if isinstance(node, gast.Try):
        return node.body + node.finalbody
    return here


def _assigned(name: str, reads: list[str], place: Any) -> Any:
    return gast.copy_location(syntax.assign(name, _hole(reads, place)), place)


def _replace_statement(tree: Any, old: Any, new: list[Any]) -> None:
    for holder in gast.walk(tree):
        for block in syntax.blocks_of(holder) if isinstance(
                holder, (gast.stmt, gast.ExceptHandler, gast.match_case)) else ():
            for number, node in enumerate(block):
                if node is old:
                    block[number:number + 1] = new
                    return


def _plain(tree: Any) -> Any:
    """A function without what its head is refused for."""
    args = tree.args
    bound = [_assigned(one.id, [], tree) for one in (args.vararg, args.kwarg) if one is not None]
    args.vararg = args.kwarg = None
    tree.body = bound + tree.body
    if isinstance(tree, gast.AsyncFunctionDef):
        made = gast.FunctionDef(tree.name, args, tree.body, [], None, None, [])
        return gast.copy_location(made, tree)
    return tree
