"""Write lists of objects that the function makes itself as tuples, and what changes which items
they have as bindings of other tuples.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.passes.infer import infer
>>> from tangent_lite.passes.versions import versions
>>> class Layer: pass
>>> tree = gast.parse('''
... def f(first, second, x):
...     layers = [first]
...     others = layers.copy()
...     layers.append(second)
...     last = layers.pop(0)
...     x = layers[0].forward(x)
...     return x
... ''').body[0]
>>> layer = kinds.RecordKind(Layer, ("w",), (kinds.FLOAT,))
>>> typer, numbered = Typer({}, lambda name: None), versions(tree)
>>> facts = infer(numbered, {"first": layer, "second": layer}, typer)
>>> tupled(tree, numbered, facts, typer)
True
>>> print(emit(tree), end="")
def f(first, second, x):
    layers = (first,)
    others = layers
    layers = *layers, second
    last = layers[0]
    layers = layers[1:]
    x = layers[0].forward(x)
    return x

The items of a list are all of one kind; the parts of a tuple are known one by one, so that it is
known of which object a change is. A tuple is a value: so it is done where all names that the list
has are known, nobody else holds it, and it changes where the function has no choice.
"""
from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.only_items import asks_only_items
from tangent_lite.functions.local_functions import LocalFunction
from tangent_lite.inference import Typer
from tangent_lite.kinds import Kind

# What may read a list that changes later: it is done with it at once.
_AT_ONCE = (len, sum, max, min, list, sorted, any, all)


def tupled(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred,
           typer: Typer) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.
    """
    lists = _Lists(tree, numbered, facts, typer)
    lists.look()
    return lists.rewrite()


class _List:
    """A list that the function makes: its names, each of which is bound once; what reads them to
    change it, or to make others of it (parts, sources); whether an item is an object."""

    def __init__(self) -> None:
        self.parts: list[_List] = []
        self.sources: list[_List] = []
        self.names: set[str] = set()
        self.is_told = False                    # its kind is that of a tuple
        self.reads: list[gast.AST] = []         # what stands around its names, and is known
        self.changes = 0
        self.holds_objects = False


class _Lists:
    def __init__(self, tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred,
                 typer: Typer) -> None:
        self.tree, self.numbered, self.facts = tree, numbered, facts
        self.typer = typer
        self.lists: dict[str, _List] = {}               # by the names of versions

    @functools.cached_property
    def bound(self) -> Counter[str]:
        """How often each name is bound, but by what makes it grow."""
        grown = {id(node.target) for node in self.numbered.body if isinstance(node, gast.AugAssign)}
        return Counter([name.id for name in syntax.names_in(self.numbered)
                        if not isinstance(name.ctx, gast.Load) and id(name) not in grown])

    @functools.cached_property
    def captured(self) -> set[str]:
        """The names that iterators and functions read later."""
        return syntax.lazily_read(self.tree) | {
            name for part in syntax.walk(self.tree)
            if isinstance(getattr(part, "local", None), LocalFunction)
            for name in part.local.captured}

    # Looking ----------------------------------------------------------------------------------
    def look(self) -> None:
        """Find the lists, and all that is done with them in the order of the function."""
        for node, version in zip(self.tree.body, self.numbered.body, strict=True):
            self.typer.names = self.facts.before.get(id(version), {})
            if isinstance(version, gast.Assign) and isinstance(version.targets[0], gast.Name):
                name, value = version.targets[0].id, version.value
                made = self.made(value)
                if made is not None and self.bound[name] == 1 \
                        and node.targets[0].id not in self.captured:
                    made.names.add(name)
                    self.lists[name] = made
            self.change(version)
        found: set[int] = set()
        while True:
            gone = {id(one) for one in self.lists.values() if not self.is_known(one)}
            if gone <= found:
                break
            found |= gone
            self.lists = {n: one for n, one in self.lists.items() if id(one) not in found}

    def made(self, value: Any) -> _List | None:
        """The list that an expression makes, or names."""
        if isinstance(value, gast.List):
            if not _is_display(value):
                return None
            made = _List()
            made.is_told = hasattr(value, "is_told")
            made.holds_objects = any(_holds_objects(self.typer.kind(one)) for one in value.elts)
            return made
        if isinstance(value, gast.Name):
            return self.lists.get(value.id)
        if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) \
                and value.func.attr == "copy" and not value.args and not value.keywords:
            return self.made_of([value.func.value], value.func)
        if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Add):
            return self.made_of([value.left, value.right], value)
        if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Mult):
            return self.made_of([value.left], value) or self.made_of([value.right], value)
        return None

    def made_of(self, sources: list[gast.expr], around: gast.AST,
                made: _List | None = None) -> _List | None:
        """A list with the items of others, which are known, or are tuples by now; made: to which
        they are added. None if one is neither."""
        found = [self.lists.get(one.id) if isinstance(one, gast.Name) else None for one in sources]
        if not all(one is not None or isinstance(self.typer.kind(source), kinds.TupleKind)
                   for one, source in zip(found, sources)):
            return None
        made = made or _List()
        for one, source in zip(found, sources):
            if one is None:
                made.holds_objects |= _holds_objects(self.typer.kind(source))
            else:
                made.holds_objects |= one.holds_objects
                one.reads.append(around)
                one.parts.append(made)
                made.sources.append(one)
        return made

    def change(self, node: gast.stmt) -> bool:
        """Whether a statement changes which items a list has, which is noted."""
        call = _change(node)
        owner = self.lists.get(call.func.value.id) if call is not None else None
        if call is None or owner is None or owner.is_told or _written(call) is None:
            return False
        if call.func.attr == "extend":
            more = call.args[0]
            if isinstance(more, gast.Name) and self.made_of(
                    [more], node if isinstance(node, gast.AugAssign) else call, owner) is None:
                return False
            owner.holds_objects |= any(_holds_objects(self.typer.kind(one))
                                       for one in getattr(more, "elts", ()))
        elif call.args:
            owner.holds_objects |= _holds_objects(self.typer.kind(call.args[-1]))
        owner.reads += [call.func, node]
        owner.changes += 1
        return True

    def is_known(self, one: _List) -> bool:
        """Whether all is known that is done with a list."""
        known = {*map(id, self.lists.values())}
        if not one.holds_objects or not all(
                id(other) in known for other in one.parts + one.sources) or not all(
                asks_only_items(self.numbered, name, 1, self.typer.object_of, one.reads)
                for name in one.names):
            return False
        return not one.changes or self.is_held_by_names(one)

    def is_held_by_names(self, one: _List) -> bool:
        """Whether nothing but its names holds a list: it is read, and what reads it is done with
        it before it changes."""
        known = {*map(id, one.reads)}
        top = {*map(id, self.numbered.body)}
        for around in gast.walk(self.numbered):
            for part in gast.iter_child_nodes(around):
                if not isinstance(part, gast.Name) or part.id not in one.names \
                        or not isinstance(part.ctx, gast.Load) or id(around) in known:
                    continue
                if not ((isinstance(around, gast.Subscript) and around.value is part)
                        or (isinstance(around, gast.Assign) and id(around) in top)
                        or (isinstance(around, gast.Call) and self.typer.object_of(
                            around.func) in _AT_ONCE)):
                    return False
        return True

    # Rewriting --------------------------------------------------------------------------------
    def rewrite(self) -> bool:
        """Tuples in the place of the lists that are known; whether there are any."""
        lists = {name: one for name, one in self.lists.items() if one.reads or not one.is_told}
        if not lists:
            return False
        before = syntax.copy(self.tree)
        out: list[gast.stmt] = []
        meant: dict[str, _List] = {}        # what the names of the tree mean at this place
        for place, (node, version) in enumerate(
                zip(self.tree.body, self.numbered.body, strict=True), 1):
            plain: Any = node
            target = version.targets[0] if isinstance(version, gast.Assign) else None
            made = lists.get(target.id) if isinstance(target, gast.Name) else None
            seen, call = _change(version), _change(node)
            changed = lists.get(seen.func.value.id) if seen is not None else None
            if changed is not None:
                read = {name for one in self.tree.body[place:] for name in syntax.read_names(one)}
                out += self.bound_anew(plain, call, [
                    name for name in meant if meant[name] is changed and name in read])
            else:
                out.append(node)
            if made is not None and isinstance(plain.value, gast.List):
                plain.value = gast.copy_location(syntax.tuple_of(plain.value.elts), plain.value)
            elif made is not None and isinstance(plain.value, gast.Call):
                plain.value = plain.value.func.value
            for name in _bound(node) if not isinstance(node, gast.AugAssign) else ():
                meant.pop(name, None)
            if made is not None:
                meant[plain.targets[0].id] = made
        self.tree.body[:] = out
        return not syntax.same(self.tree, before)

    def bound_anew(self, node: Any, call: Any, names: list[str]) -> list[gast.stmt]:
        """What takes the place of a statement that changes which items a list has; names: those
        by which it is read later."""
        name = call.func.value.id
        made: list[gast.stmt] = []
        if isinstance(node, gast.Assign):
            at = call.args[0] if call.args else syntax.constant(-1)
            made.append(syntax.assign(node.targets[0], syntax.subscript(
                syntax.load(name), syntax.copy(at))))
        row = _written(call)
        assert row is not None, "it is one of those that were found"
        made.append(syntax.assign(name, row))
        made += [syntax.assign(other, syntax.load(name)) for other in names if other != name]
        for one in made:
            syntax.placed(one, node)
        return made


def _change(node: gast.stmt) -> Any:
    """The call by which a statement may change which items a list has: `layers.append(v)`,
    `layer = layers.pop()`, and that of `layers += others`."""
    if isinstance(node, gast.AugAssign):
        if not isinstance(node.target, gast.Name) or not isinstance(node.op, gast.Add):
            return None
        return syntax.method(syntax.load(node.target.id), "extend", node.value)
    call: Any = getattr(node, "value", None)
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute) \
            or not isinstance(call.func.value, gast.Name) or call.keywords:
        return None
    is_statement = isinstance(node, gast.Expr) or (
        isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)
        and call.func.attr == "pop")
    return call if is_statement else None


def _written(call: Any) -> gast.expr | None:
    """`(*layers, v)` of `layers.append(v)`: what the list holds then; None if that is not known."""
    row, arguments = syntax.load(call.func.value.id), call.args
    number = syntax.constant_int(arguments[0]) if arguments else None
    match call.func.attr, len(arguments):
        case "append", 1:
            return syntax.tuple_of([_all_of(row), arguments[0]])
        case "extend", 1 if isinstance(arguments[0], gast.Name):
            return syntax.tuple_of([_all_of(row), _all_of(arguments[0])])
        case "extend", 1 if _is_display(arguments[0]):
            return syntax.tuple_of([_all_of(row), *arguments[0].elts])
        case "insert", 2 if number == 0:
            return syntax.tuple_of([arguments[1], _all_of(row)])
        case "pop", 0 | 1 if number in (None, 0, -1) and (number is not None or not arguments):
            return _part(row, *((1, None) if number == 0 else (None, -1)))
        case "reverse", 0:
            return syntax.reversed_order(row)
        case "clear", 0:
            return syntax.tuple_of([])
    return None


def _is_display(node: gast.expr) -> bool:
    return isinstance(node, (gast.List, gast.Tuple)) and all(
        isinstance(part, (gast.Name, gast.Constant)) for part in node.elts)


def _all_of(row: gast.expr) -> gast.expr:
    return gast.Starred(row, gast.Load())


def _part(row: gast.expr, start: int | None, stop: int | None) -> gast.expr:
    bounds = [None if bound is None else syntax.constant(bound) for bound in (start, stop)]
    return syntax.subscript(row, gast.Slice(*bounds, None))


def _bound(node: gast.stmt) -> set[str]:
    """The names that a statement binds, or what stands in it."""
    return {name.id for name in syntax.names_in(node) if not isinstance(name.ctx, gast.Load)}


def _holds_objects(kind: Kind) -> bool:
    """Whether something is an object, or a tuple that holds one."""
    return isinstance(kind, kinds.RecordKind) or (
        isinstance(kind, kinds.TupleKind) and any(map(_holds_objects, kind.items)))
