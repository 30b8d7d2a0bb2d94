"""A function that binds variables around it, as one that has them itself.

    CALLS = 0

    def cost(x):                        def f(x):
        global CALLS                        CALLS_1 = CALLS
        CALLS += 1                          def cost(x):
        return x * x                            nonlocal CALLS_1
                                                CALLS_1 += 1
    def f(x):                                   return x * x
        return cost(x) / CALLS              return cost(x) / CALLS_1

A derivative leaves what is outside as it was: it counts, or keeps, for itself. The functions that
mention such a variable stand inside, as if they had been defined there, for all of them to see what
one of them binds. What cannot stand there, and mentions it all the same, must not run in the
derivative (`Variables.reached`): it would see what is outside.
"""
from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.errors import SourceNotFoundError
from tangent_lite.names import Names
from tangent_lite.source import Source, source_of
from tangent_lite.source.variables import Variables, bound_by, is_bound, named

_SCOPES = (gast.FunctionDef, gast.Lambda, gast.ClassDef)


def with_outer_variables(source: Source) -> tuple[Source, Variables | None]:
    """A function's source in which it has the variables around it that it binds, or a function
    that it reaches; the source itself where there are none, or they cannot be its own."""
    if not _speaks_of(source):
        return source, None
    reached = _reached(source)
    if reached is None:
        return source, None
    bound = {name for function in [source.function, *reached.values()]
             for how, name in bound_by(function) if how.startswith("STORE")}
    if not bound:
        return source, None
    variables = Variables(
        frozenset(bound), source.globals,
        frozenset(id(cell) for name, cell in source.cells.items() if name in bound),
        not bound <= source.cells.keys())
    inside = _inside(source, reached, variables)
    if inside is None or not all(_is_there(name, source) for name in bound) or any(
            map(variables.asks_a_module, [source.function, *(reached[one] for one in inside)])):
        return source, None
    trees = [source.tree, *(one.tree for one in inside.values())]
    if any(not _own(tree).isdisjoint(bound) or _asks_by_text(tree, bound) for tree in trees) \
            or not _own(source.tree).isdisjoint(
                {*inside, *(name for tree in trees[1:] for name in _free(tree))}):
        return source, None
    names = Names({name for tree in trees for name in syntax.all_names(tree)})
    ours = {name: names.fresh(name) for name in sorted(bound)}
    tree = source.tree
    for one in trees:
        _take(one, ours, one is tree)
    first: list[Any] = [syntax.assign(our, syntax.load(name)) for name, our in ours.items()]
    tree.body[:0] = [*syntax.stand_at(first, tree.body[0]), *trees[1:]]
    return replace(source, tree=tree), replace(
        variables, inside=tuple((name, reached[name]) for name in inside))


def _speaks_of(source: Source) -> bool:
    """Whether the file says anywhere that a function binds a variable around it."""
    return any("global" in line or "nonlocal" in line for line in source.lines)


def _reached(source: Source) -> dict[str, types.FunctionType] | None:
    """The functions beside a function that it names, and those that these name; None if it is one
    of them."""
    found: dict[str, types.FunctionType] = {}
    todo = [source.function]
    while todo:
        for _, name in named(todo.pop().__code__):
            thing = _meaning(source, name)
            if thing is source.function:
                return None
            if name not in found and isinstance(thing, types.FunctionType) \
                    and thing.__globals__ is source.globals:
                found[name] = thing
                todo.append(thing)
    return found


def _meaning(source: Source, name: str) -> Any:
    cell = source.cells.get(name)
    if cell is None:
        return source.globals.get(name)
    return cell.cell_contents if is_bound(cell) else None


def _is_there(name: str, source: Source) -> bool:
    """Whether a variable is bound where it stands."""
    cell = source.cells.get(name)
    return name in source.globals if cell is None else is_bound(cell)


def _inside(source: Source, reached: dict[str, types.FunctionType], variables: Variables) \
        -> dict[str, Source] | None:
    """The functions that have to stand inside, those first that others name; None if one cannot."""
    taken = {name for name, function in reached.items() if variables.mentioned(function)}
    names = {name: {n for _, n in named(function.__code__)} for name, function in reached.items()}
    while more := {name for name in reached if name not in taken and names[name] & taken}:
        taken |= more
    ordered: list[str] = []
    while len(ordered) < len(taken):
        ready = sorted(name for name in taken if name not in ordered
                       and names[name] & taken <= {*ordered, name})
        if not ready:
            return None                 # they call one another
        ordered += ready
    found: dict[str, Source] = {}
    for name in ordered:
        function = reached[name]
        try:
            found[name] = source_of(function)
        except SourceNotFoundError:
            return None
        tree = found[name].tree
        if not isinstance(tree, gast.FunctionDef) or tree.name != name \
                or name in names[name] or found[name].file != source.file \
                or not _has_plain_defaults(tree.args, function) \
                or any(source.cells.get(free) is not cell
                       for free, cell in found[name].cells.items()):
            return None
    return found


def _has_plain_defaults(given: Any, function: types.FunctionType) -> bool:
    """Whether the defaults are what stands there, evaluated where it may be."""
    by_name = function.__kwdefaults__ or {}
    values = [*(function.__defaults__ or ()), *(by_name[name.id] for name in given.kwonlyargs
                                                if name.id in by_name)]
    texts = [*given.defaults, *(text for text in given.kw_defaults if text is not None)]
    return len(values) == len(texts) and all(
        isinstance(text, gast.Constant) and type(text.value) is type(value) and text.value == value
        for text, value in zip(texts, values))


def _own(tree: gast.FunctionDef) -> set[str]:
    """The names that a function has for itself, or a function in it; and those of functions,
    imports, exceptions and patterns, which it may bind around it: these stay as they are."""
    own: set[str] = set()
    for scope in [tree, *_inner(tree)]:
        level = [*_level(scope)]
        outer = {name for part in level
                 if isinstance(part, (gast.Global, gast.Nonlocal)) for name in part.names}
        own |= {part.id for part in level if isinstance(part, gast.Name)
                and not isinstance(part.ctx, gast.Load)} - outer
        own |= {name for part in level for name in _named_otherwise(part)}
        if not isinstance(scope, gast.ClassDef):
            own.update(syntax.parameter_names(scope.args))
    return own


def _named_otherwise(node: gast.AST) -> list[str]:
    """The names that a node binds of which it has the text only."""
    if isinstance(node, gast.alias):
        return [(node.asname or node.name).split(".")[0]]
    bound = [getattr(node, field, None) for field in ("name", "rest")]
    return [name for name in bound if isinstance(name, str)]


def _inner(tree: gast.AST) -> list[Any]:
    return [node for node in gast.walk(tree) if isinstance(node, _SCOPES) and node is not tree]


def _level(scope: Any) -> Iterator[gast.AST]:
    """The nodes of a function, those of functions in it apart."""
    todo = list(scope.body) if isinstance(scope.body, list) else [scope.body]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, _SCOPES):
            todo += gast.iter_child_nodes(node)


def _free(tree: gast.FunctionDef) -> set[str]:
    """The names that a function reads around it."""
    return {node.id for part in tree.body for node in gast.walk(part)
            if isinstance(node, gast.Name)} - _own(tree)


def _asks_by_text(tree: gast.FunctionDef, bound: set[str]) -> bool:
    """Whether a variable may be read by its name as an attribute: `module.CALLS`."""
    imported = {name for part in gast.walk(tree) if isinstance(part, gast.alias)
                for name in _named_otherwise(part)}
    own = _own(tree) - imported
    return any((isinstance(part, gast.Attribute) and part.attr in bound
                and syntax.root_name(part) not in own)
               or (isinstance(part, gast.Constant) and part.value in bound)
               for part in gast.walk(tree))


def _take(tree: gast.FunctionDef, ours: dict[str, str], is_owner: bool) -> None:
    """Give the variables the names that they have now, in place; the function that owns them says
    no longer that they are not its own."""
    for node in gast.walk(tree):
        if isinstance(node, gast.Name):
            node.id = ours.get(node.id, node.id)
    _Saying(ours, tree if is_owner else None).visit(tree)


class _Saying(gast.NodeTransformer):
    """Put `nonlocal` in the place of `global`, and nothing in the function that owns them."""

    def __init__(self, ours: dict[str, str], owner: gast.FunctionDef | None) -> None:
        self.ours, self.owner = ours, owner
        self.depth = 0

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:
        self.depth += node is not self.owner
        self.generic_visit(node)
        self.depth -= node is not self.owner
        return node

    def visit_Global(self, node: Any) -> Any:
        taken = [self.ours[name] for name in node.names if name in self.ours]
        node.names = [name for name in node.names if name not in self.ours]
        made = gast.Nonlocal(taken) if taken and self.depth else gast.Pass()
        gast.copy_location(made, node)
        return [made, node] if node.names else made     # the others are read only

    visit_Nonlocal = visit_Global
