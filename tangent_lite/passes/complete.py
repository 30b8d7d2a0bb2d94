"""Give an object the attributes that a loop or a branch gives it, in front of that.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, INT
>>> from tangent_lite.passes.infer import infer
>>> from tangent_lite.runtime.objects import blank, replaced
>>> class Body:
...     pass
>>> tree = gast.parse('''
... def f(x, n):
...     body = blank(Body)
...     for i in range(n):
...         body = replaced(body, x=x)
...     last = body.x
...     y = last * x
...     return y
... ''').body[0]
>>> typer = Typer({}, {"Body": Body, "blank": blank, "replaced": replaced}.get)
>>> facts = infer(tree, {"x": FLOAT, "n": INT}, typer)
>>> complete(tree, tree, facts, typer, Names())
True
>>> print(emit(tree), end="")
def f(x, n):
    body = blank(Body)
    body.x = None
    for i in range(n):
        body = replaced(body, x=x)
    last = body.x
    y = last * x
    return y

An object that has an attribute in one iteration and not in another is of no known kind. A class may
have a value for it, which is then that of the object; else it is None, which nobody computes with:
Python would have no attribute there. Where nothing is computed with what is read, it is looked at:

    value = body.x
    if value is None:
        raise AttributeError("'Body' object has no attribute 'x'")

An object that another one holds is given them there: where `layer = net.layer; layer.x = x` stands
in the loop, `layer_1 = net.layer; layer_1.x = None` stands in front of it.

Who asks which attributes there are is left alone, and who may go on where there is none: who reads
it in a `try`, or gives it values that may be None.
"""
from __future__ import annotations

import math
from types import MemberDescriptorType
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.analyses.attributes_read import PLAIN, attributes_read, plain_parts
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in, definitions
from tangent_lite.analyses.mentions import head
from tangent_lite.inference import Typer
from tangent_lite.markers import attempted, is_attempt
from tangent_lite.modules import held_by_class
from tangent_lite.names import Names
from tangent_lite.runtime.objects import blank, replaced

_ASKING = {"hasattr", "getattr", "delattr", "vars", "dir", "copy", "deepcopy", "__dict__",
           "__slots__"}
_EXITS = (gast.Raise, gast.Return, gast.Break, gast.Continue)
_ORDERS = (gast.Lt, gast.LtE, gast.Gt, gast.GtE)
_NEVER_NONE = (kinds.Number, kinds.Array, kinds.Numeric, kinds.Text, kinds.TupleKind,
               kinds.ListKind, kinds.DictKind, kinds.MapKind)
# What raises an exception where it is given None.
_NUMERICAL = (len, abs, float, int, math.sin, math.cos, math.tan, math.exp, math.log, math.sqrt,
              math.tanh, np.sin, np.cos, np.tan, np.exp, np.log, np.sqrt, np.tanh, np.abs)


def complete(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred,
             typer: Typer, names: Names) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.
    """
    # statement -> name, version, attribute, or the attributes that lead to it: "layer.x"
    given: dict[int, tuple[str, str, str]] = {}
    owners: dict[str, list[tuple[int, kinds.Kind]]] = {}    # version -> place, kind: its bindings
    made_of: dict[str, set[str]] = {}               # version -> of which others it is made
    places: dict[int, int] = {}
    holders = _Holders(tree, numbered, typer)
    for place, (node, version) in enumerate(zip(
            syntax.statements(tree.body), syntax.statements(numbered.body), strict=True)):
        places[id(node)] = place
        store, named = _store(node, typer), _store(version, typer)
        if store is not None and named is not None:
            if isinstance(version.value, gast.Call) and isinstance(version.targets[0], gast.Name):
                made_of.setdefault(named[0], set()).add(version.value.args[0].id)
            given[id(node)] = holders.held_by(node, *store) or (store[0], named[0], store[1])
        for name in definitions(version):
            kind = facts.after.get(id(version), {}).get(name, kinds.UNKNOWN)
            owners.setdefault(name, []).append((place, kind))
    if not given or any(
            name.id in _ASKING for name in syntax.names_in(tree)) or any(
            node.attr in _ASKING for node in syntax.all_of(tree, gast.Attribute)):
        return False
    reads: _Reads | None = None
    for block in syntax.all_blocks(tree):
        for spot, node in enumerate(block):
            if not isinstance(node, syntax.COMPOUND):
                continue
            missing: dict[tuple[str, str], type] = {}
            for one in syntax.statements([node]):
                name, version, attribute = given.get(id(one), ("", "", ""))
                before = _kinds_before(version, places[id(node)], owners, made_of)
                *path, last = attribute.split(".")
                owner = _type_without([_part(kind, path) for kind in before], last)
                is_given = owner is not None and any(
                    (version, attribute) == known[1:] and places[other] < places[id(node)]
                    for other, known in given.items())
                if owner is None or is_given or _gives_always(node, name, attribute, given):
                    continue
                reads = reads or _Reads(tree, numbered, facts, typer, holders)
                if not path:
                    reads.plain[name] = plain_parts(before)
                if (reads.names_of_classes.get(owner) if hasattr(owner, last)
                        else reads.are_seen(name, attribute)):
                    missing[name, attribute] = owner
            if reads is not None:
                reads.look_at(missing)
            for (name, attribute), owner in reversed(missing.items()):
                made = _default(name, attribute, owner,
                                reads.names_of_classes if reads is not None else {}, names)
                block[spot:spot] = [syntax.copy_place(one, node) for one in made]
            if missing:
                return True
    return False


def _kinds_before(version: str, place: int, owners: dict[str, list[tuple[int, kinds.Kind]]],
                  made_of: dict[str, set[str]]) -> list[kinds.Kind]:
    """The kinds that an object has in front of a loop or a branch in which it is this version."""
    found: list[kinds.Kind] = []
    seen, left = set(), [version]
    while left:
        name = left.pop()
        if name not in seen:
            seen.add(name)
            kinds_here = [kind for spot, kind in owners.get(name, ()) if spot < place]
            found += kinds_here
            left += sorted(made_of.get(name, ())) if not kinds_here else []
    return found


class _Holders:
    """Which objects are parts of others: `layer = net.layer`, and what is made of it from there on.
    """

    def __init__(self, tree: gast.FunctionDef, numbered: gast.FunctionDef, typer: Typer) -> None:
        self.typer = typer
        self.places: dict[int, tuple[list[gast.stmt], int]] = {}
        self.taken: set[tuple[int, str]] = set()        # in which blocks names are taken so
        for block in syntax.all_blocks(tree):
            for spot, node in enumerate(block):
                self.places[id(node)] = block, spot
                if _is_part(node):
                    self.taken.add((id(block), node.targets[0].id))
        self.versions = {id(node): version for node, version in zip(
            syntax.statements(tree.body), syntax.statements(numbered.body), strict=True)
            if _is_part(node)}

    def held_by(self, node: gast.stmt, name: str, attributes: str) -> tuple[str, str, str] | None:
        """For an attribute of an object that was taken out of another one in the same block, the
        name and the version of that other one, and the attributes that lead there."""
        block, spot = self.places[id(node)]
        for one in reversed(block[:spot] if (id(block), name) in self.taken else []):
            if _is_part(one) and one.targets[0].id == name:
                holder, part = one.value.value.id, one.value.attr
                path = f"{part}.{attributes}"
                version: Any = self.versions[id(one)]
                return self.held_by(one, holder, path) or (holder, version.value.value.id, path)
            if name in bound_in([one]) and (_store(one, self.typer) or ("",))[0] != name:
                return None
        return None


class _Reads:
    """Where attributes are read that an object may be without."""

    def __init__(self, tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred,
                 typer: Typer, holders: _Holders) -> None:
        self.typer = typer
        self.holders = holders
        self.facts = facts
        self.seen: dict[int, gast.stmt] = {}            # statement -> its version
        self.plain: dict[str, set[str]] = {}            # object -> attributes that hold no object
        self.owners: dict[int, kinds.Kind] = {}         # statement -> of what an attribute is read
        self.values: dict[int, kinds.Kind] = {}         # statement -> what an attribute is given
        self.bound: dict[int, set[str]] = {}
        self.around: dict[int, tuple[list[gast.stmt], gast.stmt | None]] = {}
        self.tried: set[int] = set()
        for block in syntax.all_blocks(tree):
            for node in block:
                self.around.setdefault(id(node), (block, None))
                for inner in syntax.blocks_of(node):
                    self.around.update((id(one), (inner, node)) for one in inner)
                if is_attempt(node):
                    self.tried |= {id(one) for one in syntax.statements(attempted(node))}
        for node, version in zip(syntax.statements(tree.body), syntax.statements(numbered.body),
                                 strict=True):
            self.seen[id(node)] = version
            typer.names = facts.before.get(id(version), {})
            value: Any = getattr(version, "value", None)
            if isinstance(value, gast.Attribute):
                self.owners[id(node)] = typer.kind(value.value)
            if _store(node, typer) is not None:
                is_plain = isinstance(node.targets[0], gast.Attribute)
                self.values[id(node)] = typer.kind(value if is_plain else value.keywords[0].value)
            self.bound[id(node)] = bound_in([node])
        self.nodes = [*syntax.statements(tree.body)]
        calls = [node.value for node in self.nodes
                 if isinstance(getattr(node, "value", None), gast.Call)]
        self.names_of_classes: dict[type, gast.expr] = {
            typer.object_of(call.args[0]): call.args[0] for call in calls
            if typer.object_of(call.func) is blank}
        self.pairs = [pair for node in self.nodes for pair in _held_together(node)]
        self.parts: dict[str, list[set[str]]] = {}      # attribute -> who holds what by it
        for node in self.nodes:
            store = _store(node, typer)
            if store is not None:
                value = node.value if isinstance(node.targets[0], gast.Attribute) \
                    else node.value.keywords[0].value
                pair = {store[0], getattr(value, "id", store[0])}
                if isinstance(self.values[id(node)], kinds.RecordKind):
                    self.pairs.append(pair)
                self.parts.setdefault(store[1], []).append(pair)
            elif _is_part(node):
                self.parts.setdefault(node.value.attr, []).append(
                    {node.value.value.id, node.targets[0].id})

    def are_seen(self, name: str, attribute: str) -> bool:
        """Whether nobody goes on who reads that an object has no such attribute, once those are
        looked at that compute nothing with it."""
        unseen = self.unseen(name, attribute)
        last = attribute.rpartition(".")[2]
        return unseen is not None and (not unseen or all(
            isinstance(self.values[id(node)], _NEVER_NONE) for node in self.nodes
            if (_store(node, self.typer) or ("", ""))[1] == last))

    def look_at(self, missing: dict[tuple[str, str], type]) -> None:
        """Let those who read what may be missing raise what Python raises."""
        found = [(node, owner, attribute) for (name, attribute), owner in missing.items()
                 if not _has_value(owner, attribute.rpartition(".")[2])
                 for node in self.unseen(name, attribute) or []]
        for node, owner, attribute in found:
            block, _ = self.around[id(node)]
            last = attribute.rpartition(".")[2]
            text = f"{owner.__name__!r} object has no attribute {last!r}"
            error = syntax.call(syntax.load("AttributeError"), gast.Constant(text, None))
            test = gast.Compare(syntax.load(node.targets[0].id), [gast.Is()],
                                [gast.Constant(None, None)])
            block.insert(block.index(node) + 1,
                         syntax.copy_place(gast.If(test, [gast.Raise(error, None)], []), node))

    def unseen(self, name: str, path: str) -> list[Any] | None:
        """The statements `value = body.x` that compute nothing with what may be missing; None if it
        is read in other ways, or perhaps by a function that is given the object."""
        *held, attribute = path.split(".")
        if self.is_given_away(name, attribute, held):
            return None
        found = []
        for node in self.nodes:
            value: Any = getattr(node, "value", None)
            target = getattr(node, "targets", [None])[0]
            is_plain = isinstance(value, gast.Attribute) and value.attr == attribute \
                and isinstance(value.value, gast.Name)
            reads = _read_in(node, attribute)
            if not reads or (is_plain and self.has_it(node, attribute)) \
                    or all(self.is_given(node, owner, attribute) for owner in reads):
                continue
            if id(node) in self.tried or not is_plain or not isinstance(target, gast.Name):
                return None
            if not self.is_computed_with(node, target.id):
                owner = value.value.id, attribute
                place = self.holders.held_by(node, *owner)
                if (place[::2] if place is not None else owner) != (name, path):
                    return None
                found.append(node)
        return found

    def is_given_away(self, name: str, attribute: str, held: list[str]) -> bool:
        """Whether an object that may be without it is given to a function that is not written out
        and may read it, or is returned; held: the attributes by which others hold it."""
        names: set[str] = set()
        more = {name}
        pairs = self.pairs + [pair for part in held for pair in self.parts.get(part, ())]
        while more - names:
            names |= more
            more = set().union(*(pair for pair in pairs if pair & names))
        return any(
            self.typer.object_of(getattr(part, "func", part)) is not replaced
            and not all(self.is_given(node, one, attribute) for one in _given_whole(part) & names)
            and not (isinstance(part, gast.Call) and _given_whole(part) & names == {name}
                     and self.is_left_alone(node, part, name, attribute))
            for node in self.nodes for part in syntax.walk(head(node))
            if isinstance(part, (gast.Call, gast.Return)))

    def is_left_alone(self, node: gast.stmt, call: gast.Call, name: str, attribute: str) -> bool:
        """Whether a function that is called reads no more of an object than the numbers and arrays
        that it has for other attributes."""
        both = zip(syntax.walk(head(node)), syntax.walk(head(self.seen[id(node)])))
        version = next((two for one, two in both if one is call), None)
        function, receiver = self.facts.callees.get(id(version), (None, None))
        read = None if receiver is not None else attributes_read(function, call, [name])
        if read is None or attribute in read or not read <= self.plain.get(name, set()):
            return False
        stores = [(_store(one, self.typer), self.values.get(id(one))) for one in self.nodes]
        return all(isinstance(kind, PLAIN) for store, kind in stores
                   if store is not None and store[1] in read)

    def has_it(self, node: gast.stmt, attribute: str) -> bool:
        """Whether the object that is read of is known to have it."""
        owner = self.owners.get(id(node))
        return isinstance(owner, kinds.RecordKind) and attribute in owner.fields

    def is_given(self, node: gast.stmt, owner: str | None, attribute: str) -> bool:
        """Whether it is given in front of the statement, on every way to it."""
        here: gast.stmt | None = node
        while here is not None:
            block, around = self.around[id(here)]
            for one in reversed(block[:block.index(here)]):
                store = _store(one, self.typer)
                if store == (owner, attribute) or (_runs(one) and any(
                        _store(inner, self.typer) == (owner, attribute) for inner in one.body)):
                    return True
                if owner is None or (owner in self.bound[id(one)]
                                     and (store is None or store[0] != owner)):
                    return False
            here = around
        return False

    def is_computed_with(self, node: gast.stmt, name: str) -> bool:
        """Whether Python, in the same block, cannot but do with a value what None does not do."""
        block, _ = self.around[id(node)]
        for one in block[block.index(node) + 1:]:
            if self.fails_with_none(one, name):
                return True
            if name in self.bound[id(one)] or any(isinstance(inner, _EXITS)
                                                  for inner in syntax.statements([one])):
                return False
        return False

    def fails_with_none(self, node: gast.stmt, name: str) -> bool:
        """Whether a statement raises an exception if a name is None."""
        value: Any = getattr(node, "value", None)
        if isinstance(node, syntax.COMPOUND):
            value = getattr(node, "test", getattr(node, "iter", None))
            if isinstance(node, gast.For):
                return getattr(value, "id", None) == name
        parts: list[Any] = []
        if isinstance(value, gast.BinOp):
            parts = [value.left] if isinstance(value.op, gast.Mod) else [value.left, value.right]
        elif isinstance(value, gast.UnaryOp) and not isinstance(value.op, gast.Not):
            parts = [value.operand]
        elif isinstance(value, gast.Compare) and isinstance(value.ops[0], _ORDERS):
            parts = [value.left, value.comparators[0]]
        elif isinstance(value, (gast.Subscript, gast.Attribute)):
            parts = [value.value] if not getattr(value, "attr", "").startswith("__") else []
        elif isinstance(value, gast.Call) and any(
                self.typer.object_of(value.func) is one for one in _NUMERICAL):
            parts = value.args[:1]
        elif isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) \
                and not value.func.attr.startswith("__"):
            parts = [value.func.value]
        return any(isinstance(part, gast.Name) and part.id == name for part in parts)


def _runs(node: Any) -> bool:
    """Whether all of the body of a loop surely runs."""
    if not isinstance(node, gast.For) or any(isinstance(one, _EXITS)
                                             for one in syntax.statements(node.body)):
        return False
    given = getattr(node.iter, "args", [None])[0]
    return getattr(getattr(node.iter, "func", None), "id", "") == "range" \
        and len(node.iter.args) == 1 and type(getattr(given, "value", None)) is int \
        and given.value > 0


def _given_whole(node: Any) -> set[str]:
    """The names whose values a call is given, or that are returned."""
    parts = [node.value] if isinstance(node, gast.Return) else [
        getattr(node.func, "value", None), *node.args, *(one.value for one in node.keywords)]
    if _puts_in(node):
        parts = []
    return {part.id for part in parts if isinstance(part, gast.Name)}


def _puts_in(node: Any) -> bool:
    return isinstance(node, gast.Call) and getattr(node.func, "attr", None) in ("append", "insert")


def _held_together(node: Any) -> list[set[str]]:
    """The names of which, behind a statement, one may mean what another means, or holds."""
    if isinstance(node, gast.Return):
        return []
    value: Any = getattr(node, "value", None)
    target = getattr(node, "targets", [None])[0]
    parts: list[Any] = []
    if isinstance(value, gast.Name):
        parts = [value]
    elif isinstance(value, (gast.Tuple, gast.List)):
        parts = value.elts
    elif isinstance(value, gast.Dict):
        parts = value.values
    elif _puts_in(value):
        parts, target = value.args, value.func.value
    whole = {syntax.root_name(target) or ""} if not isinstance(target, gast.Tuple) \
        else set(definitions(node))
    return [{part.id, *whole} for part in parts if isinstance(part, gast.Name)]


def _read_in(node: gast.stmt, attribute: str) -> list[str | None]:
    """The names of the objects of which a statement itself reads (or deletes) an attribute, None
    for those that have none."""
    stored = {id(node.targets[0])} if isinstance(node, gast.Assign) else set()
    return [getattr(part.value, "id", None) if not isinstance(part.ctx, gast.Del) else None
            for part in syntax.walk(head(node))
            if isinstance(part, gast.Attribute) and part.attr == attribute
            and id(part) not in stored]


def _store(node: gast.stmt, typer: Typer) -> tuple[str, str] | None:
    """`body.x = v`, or what stands for it: `body = replaced(body, x=v)`."""
    if not isinstance(node, gast.Assign):
        return None
    target, value = node.targets[0], node.value
    if isinstance(target, gast.Attribute) and isinstance(target.value, gast.Name):
        return target.value.id, target.attr
    if isinstance(target, gast.Name) and isinstance(value, gast.Call) and len(value.args) == 1 \
            and len(value.keywords) == 1 and typer.object_of(value.func) is replaced \
            and isinstance(value.args[0], gast.Name):
        return target.id, value.keywords[0].arg
    return None


def _is_part(node: Any) -> bool:
    """`layer = net.layer`."""
    return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
        and isinstance(node.value, gast.Attribute) and isinstance(node.value.value, gast.Name)


def _part(kind: kinds.Kind, path: list[str]) -> kinds.Kind:
    """The kind of what attributes of an object lead to."""
    for part in path:
        kind = dict(zip(kind.fields, kind.items, strict=True)).get(part, kinds.UNKNOWN) \
            if isinstance(kind, kinds.RecordKind) else kinds.UNKNOWN
    return kind


def _type_without(owners: list[kinds.Kind], attribute: str) -> type | None:
    """The class of objects none of which has an attribute, as far as is known of any."""
    types = {kind.type if isinstance(kind, kinds.RecordKind) and attribute not in kind.fields
             else None for kind in owners}
    found = types.pop() if len(types) == 1 else None
    if found is None or hasattr(found, "__getattr__") \
            or getattr(found, "__setattr__", None) is not object.__setattr__:
        return None
    inherited = held_by_class(found, attribute)
    if isinstance(inherited, MemberDescriptorType):             # a slot
        return found
    return None if hasattr(type(inherited), "__get__") or not found.__dictoffset__ else found


def _has_value(cls: type, attribute: str) -> bool:
    """Whether a class gives its objects a value of an attribute, and not a slot for one."""
    found = held_by_class(cls, attribute, _NOTHING)
    return found is not _NOTHING and not isinstance(found, MemberDescriptorType)


_NOTHING: Any = object()


def _gives_always(node: gast.stmt, name: str, attribute: str,
                  given: dict[int, tuple[str, str, str]]) -> bool:
    """Whether each branch gives the attribute, so that it is there behind them."""
    return isinstance(node, gast.If) and all(any(
        given.get(id(one), ("", "", ""))[::2] == (name, attribute) for one in branch)
        for branch in (node.body, node.orelse))


def _default(name: str, attribute: str, owner: type, names_of_classes: dict[type, gast.expr],
             names: Names) -> list[gast.Assign]:
    # Not that of the object: its tangent has other attributes than its class.
    *path, last = attribute.split(".")
    value = gast.Attribute(syntax.copy(names_of_classes[owner]), last, gast.Load()) \
        if _has_value(owner, last) else gast.Constant(None, None)
    taken: list[gast.Assign] = []
    for part in path:
        held = names.fresh(f"{name}_{part}")
        taken.append(syntax.assign(held, gast.Attribute(syntax.load(name), part, gast.Load())))
        name = held
    return [*taken, gast.Assign([gast.Attribute(syntax.load(name), last, gast.Store())], value,
                                None)]
