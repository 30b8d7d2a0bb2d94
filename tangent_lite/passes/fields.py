"""Give the parts of a dict or object names of their own, where a list or array in it changes.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, ListKind
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(xs, dt):
...     state = {"x": xs, "t": 0.0}
...     for i in range(3):
...         x = state["x"]
...         x[i] = dt
...         t = state["t"]
...         t_1 = t + dt
...         state = {**state, "t": t_1}
...     part = state["t"]
...     return part
... ''').body[0]
>>> tree.body[1].body[4].value.updates = "state"
>>> facts = infer(tree, {"xs": ListKind(FLOAT), "dt": FLOAT}, Typer({}, {}.get))
>>> fields(tree, tree, facts, Typer({}, {}.get), Names(syntax.all_names(tree)), [])
True
>>> print(emit(tree), end="")
def f(xs, dt):
    state_t = 0.0
    for i in range(3):
        x = xs
        x[i] = dt
        t = state_t
        state_t = t + dt
    part = state_t
    return part

The passes know what changes by its name, and what is in a dict has none. That is the scalar
replacement of aggregates: it is done where nothing is made of the container as a whole, and where
each of its parts is there from the start, so that no part is asked for that a dict would not have.
It is done, too, where all that is read of a container has a name already: `layer = Layer(W, b)`.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container
from itertools import pairwise
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.aggregates import (
    Aggregate,
    aggregates,
    can_be_written,
    given,
    part_of,
)
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.inference import Typer
from tangent_lite.kinds import (
    Array,
    DictKind,
    ListKind,
    MapKind,
    Nothing,
    Number,
    RecordKind,
    can_vary,
    kind_at_hand,
)
from tangent_lite.names import Names, stem
from tangent_lite.structures.lists import CHANGES
from tangent_lite.structures.updates import updates_of


def fields(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
           names: Names, wanted: list[gast.expr]) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.

    wanted: gets the calls that have to be written out before, of what is given such a container.
    """
    wanted += made_by_helpers(numbered, facts)
    wholes = {} if wanted else aggregates(tree, numbered, facts, typer)
    if not wholes:
        return bool(wanted)
    blocks = {id(node): block for block in syntax.all_blocks(tree) for node in block}
    writes = _writes_of_parts(tree, numbered, facts, typer, wholes, blocks)
    unsure = _written_unseen(tree, numbered, facts, typer, wholes, writes)
    changed = _changed(tree, numbered, facts, typer, wholes)
    staying = _staying(tree)
    found = False
    chosen: dict[str, tuple[Aggregate, dict[Any, str]]] = {}
    for name, whole in wholes.items():
        kept = _kept(whole, typer, staying)
        if name not in unsure and (name in changed or _are_kept(whole, kept, typer) or any(
                hasattr(node, "is_entry_part") for node in whole.made)) \
                and _has_all(blocks, typer, name, whole):
            wanted += whole.calls
            if not whole.calls:
                chosen[name] = whole, kept
            found = True
    if chosen:
        _replace(tree, typer, chosen, names, writes)
    return found


def made_by_helpers(numbered: gast.FunctionDef, facts: Inferred) -> list[gast.Call]:
    """Calls that make a dict or an object with a list in it that changes here: `model = made(w);
    model.history.append(loss)`. Only where it is made here is it known to be new."""
    made: dict[str, gast.Call] = {}
    owners: dict[str, str] = {}                 # names of what is in such a container
    changed: set[str] = set()
    for node in facts.beside_arithmetic(numbered):
        value: Any = getattr(node, "value", None)
        target: Any = node.targets[0] if isinstance(node, gast.Assign) else None
        if isinstance(target, gast.Name) and isinstance(value, gast.Call) \
                and can_be_written(value, facts):
            kind = facts.after[id(node)].get(target.id)
            if isinstance(kind, (RecordKind, DictKind)) and any(
                    isinstance(item, ListKind) and can_vary(item) for item in kind.items):
                made[target.id] = value
        elif isinstance(target, gast.Name) and updates_of(value) in made:
            made[target.id] = made[updates_of(value)]                   # type: ignore[index]
        elif isinstance(target, gast.Name) and part_of(value)[0] in made:
            owners[target.id] = part_of(value)[0]                       # type: ignore[assignment]
        roots = [syntax.root_name(target)] if isinstance(target, gast.Subscript) else []
        if made and not isinstance(node, syntax.COMPOUND):
            roots += [syntax.root_name(call.func.value) for call in syntax.all_of(node, gast.Call)
                      if isinstance(call.func, gast.Attribute) and call.func.attr in CHANGES]
        changed.update(owners.get(root, root) for root in roots if root is not None)
    return list({id(call): call for name, call in made.items() if name in changed}.values())


def _writes_of_parts(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred,
                     typer: Typer, wholes: dict[str, Aggregate],
                     blocks: dict[int, list[gast.stmt]]) \
        -> dict[int, tuple[gast.Assign, gast.Assign]]:
    """`body.x += v` of arrays: of the statements that read the part, by their ids, the operation
    behind, and the update that puts its result in the place of the part."""
    found = {}
    both = [*zip(syntax.statements(tree.body), syntax.statements(numbered.body), strict=True)]
    versions = {id(node): version for node, version in both}
    reads = Counter(name.id for name in syntax.names_in(numbered)
                    if isinstance(name.ctx, gast.Load))

    def reads_of(node: Any) -> int:
        """How often what a statement binds is read, whatever else has the name elsewhere."""
        return reads[versions[id(node)].targets[0].id]

    for node, version in both:
        owner, key = part_of(getattr(node, "value", None))
        if owner not in wholes or not getattr(node.value, "in_place", False):
            continue
        typer.names = facts.before.get(id(version), {})
        if isinstance(typer.kind(version.value), Array):
            block = blocks[id(node)]
            behind = block[[id(one) for one in block].index(id(node)) + 1:]
            written = _written(node, owner, key, behind, typer, reads_of)
            if written is not None:
                found[id(node)] = written
    return found


def _written(read: Any, owner: str, key: Any, behind: list[gast.stmt], typer: Typer,
             reads_of: Callable[[Any], int]) -> tuple[gast.Assign, gast.Assign] | None:
    """The operation that takes what was read, and the update by its result, with nothing between
    these two."""
    name = read.targets[0].id
    for operation, update in pairwise(behind):
        if isinstance(operation, syntax.COMPOUND) or {name, owner} & set(bound_in([operation])):
            return None
        value: Any = getattr(operation, "value", None)
        if not isinstance(operation, gast.Assign) or not isinstance(value, gast.BinOp) \
                or getattr(value.left, "id", "") != name:
            continue
        made: Any = operation.targets[0]
        is_update = isinstance(update, gast.Assign) and updates_of(update.value) is not None \
            and bound_in([update]) == {owner} and list(given(update.value, typer)) == [key] \
            and getattr(given(update.value, typer)[key], "id", "") == getattr(made, "id", None)
        return (operation, update) \
            if is_update and reads_of(read) == reads_of(operation) == 1 else None
    return None


def _changed(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
             wholes: dict[str, Aggregate]) -> set[str]:
    """The containers that hold lists or arrays which change under names given to these parts."""
    owners: dict[str, str] = {}
    found = _bound_in_loops(tree, numbered, facts, typer, wholes) \
        | _with_lists(tree, numbered, facts, typer, wholes) | _of_changed(tree, typer, wholes)
    for node, version in zip(syntax.statements(tree.body), syntax.statements(numbered.body),
                             strict=True):
        value: Any = getattr(node, "value", None)
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
            owner, _ = part_of(value)
            if owner in wholes:
                typer.names = facts.before.get(id(version), {})
                kind = typer.kind(version.value)
                if isinstance(kind, (Array, ListKind, MapKind, DictKind, RecordKind)):
                    owners[node.targets[0].id] = owner
            elif isinstance(value, (gast.Subscript, gast.Attribute, gast.Name)):
                above = owners.get(syntax.root_name(value) or "")
                if above is not None:
                    owners[node.targets[0].id] = above
            elif updates_of(value) is not None:         # of an object in a list
                found.add(owners.get(node.targets[0].id, ""))
        written: Any = syntax.target_of(node)
        if isinstance(written, gast.Subscript) or isinstance(node, gast.AugAssign):
            found.add(owners.get(syntax.root_name(written) or "", ""))
        for call in syntax.walk(node) if not isinstance(node, syntax.COMPOUND) else ():
            if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute) \
                    and call.func.attr in CHANGES:
                found.add(owners.get(syntax.root_name(call.func.value) or "", ""))
    return found


def _written_unseen(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred,
                    typer: Typer, wholes: dict[str, Aggregate], writes: Container[int]) -> set[str]:
    """The containers of which a part changes in place without that a name of it would: whoever
    else holds the part sees it, and of a container that alias knows."""
    found: set[str] = set()
    for node, version in zip(syntax.statements(tree.body), syntax.statements(numbered.body),
                             strict=True):
        value: Any = getattr(node, "value", None)
        owner, _ = part_of(value)
        if owner in wholes and getattr(value, "in_place", False) and id(node) not in writes:
            typer.names = facts.before.get(id(version), {})
            if not isinstance(typer.kind(version.value), Number):
                found.add(owner)
    return found


def _with_lists(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
                wholes: dict[str, Aggregate]) -> set[str]:
    """The objects that hold lists, of which all methods are written out: each name of a list has a
    list of adjoints of its own."""
    bound = {id(node): name for name, whole in wholes.items() if not whole.calls
             for node in [*whole.made, *whole.updated] if isinstance(node.value, gast.Call)}
    found = set()
    for node, version in zip(syntax.statements(tree.body), syntax.statements(numbered.body),
                             strict=True):
        if id(node) in bound:
            typer.names = facts.before.get(id(version), {})
            if any(isinstance(kind, ListKind) and can_vary(kind)
                   for kind in map(typer.kind, given(version.value, typer).values())):
                found.add(bound[id(node)])
    return found


def _of_changed(tree: gast.FunctionDef, typer: Typer, wholes: dict[str, Aggregate]) -> set[str]:
    """The containers that hold an object or a dict which changes under a name of its own: they
    would hold what it was."""
    changed = {node.targets[0].id for node in syntax.statements(tree.body)
               if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)
               and updates_of(node.value) == node.targets[0].id}
    return {name for name, whole in wholes.items() if not whole.calls and any(
        getattr(part, "id", name) in changed - {name}
        for node in [*whole.made, *whole.updated] if not isinstance(node.value, gast.Name)
        for part in given(node.value, typer).values())}


def _bound_in_loops(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred,
                    typer: Typer, wholes: dict[str, Aggregate]) -> set[str]:
    """The containers whose parts loops bind to other numbers, arrays or objects: each time that is
    a copy of the container; and dicts that loops make anew."""
    in_loops = {id(node) for loop in syntax.all_of(tree, gast.For, gast.While)
                for node in syntax.statements(loop.body)}
    owners = {id(node): name for name, whole in wholes.items() if not whole.calls
              for node in whole.updated if not isinstance(node.value, gast.Name)}
    # A step that makes it anew, of what it was: `state = {"x": x, "v": v}`.
    found = {name for name, whole in wholes.items() if len(whole.made) > 1
             and isinstance(whole.made[0].value, gast.Dict)
             and any(id(node) in in_loops for node in whole.made)
             and not all(id(node) in in_loops for node in whole.made)}
    others = set()
    for node, version in zip(syntax.statements(tree.body), syntax.statements(numbered.body),
                             strict=True):
        if id(node) in owners:
            typer.names = facts.before.get(id(version), {})
            is_cheap = all(isinstance(kind_at_hand(typer.kind(part)),
                                      (Number, Array, Nothing, RecordKind))
                           for part in given(version.value, typer).values())
            if not is_cheap:
                others.add(owners[id(node)])
            elif id(node) in in_loops:
                found.add(owners[id(node)])
    return found - others


def _has_all(blocks: dict[int, list[gast.stmt]], typer: Typer, name: str,
             whole: Aggregate) -> bool:
    """Whether all parts that are read or bound anew are there from the start, wherever the
    container is made; blocks: of each statement, by its id, that in which it stands."""
    parts = {key for _, key in whole.read} | {key for node in whole.updated
                                              for key in given(node.value, typer)}
    for made in whole.made:
        known = set(given(made.value, typer))
        if parts <= known:
            continue
        block = blocks[id(made)]
        for node in block[[id(n) for n in block].index(id(made)) + 1:]:
            if isinstance(made.value, gast.Dict) or (isinstance(node, syntax.COMPOUND) and any(
                    isinstance(n, gast.Name) and n.id == name for n in syntax.walk(node))):
                break
            if not {key for part in syntax.walk(node) for owner, key in [part_of(part)]
                    if owner == name} <= known:
                break                       # what is read may be that of the class
            if any(node is one for one in whole.updated):
                known |= set(given(node.value, typer))
        if not parts <= known:
            return False
    # Keys that are equal are one key: 1 and True and 1.0.
    return len({(type(part), part) for part in parts}) == len(parts)


def _replace(tree: gast.FunctionDef, typer: Typer,
             chosen: dict[str, tuple[Aggregate, dict[Any, str]]], names: Names,
             writes: dict[int, tuple[gast.Assign, gast.Assign]]) -> None:
    """Put names in the places of the parts of containers; with each stands which of them have names
    already. What is written to these parts is written to the names: `body_x += v`."""
    def own(name: str, key: Any) -> str:
        known = chosen[name][1]
        if key not in known:
            # A copy on entry is called by what it is a copy of.
            is_copy = any(hasattr(node, "is_entry_part") for node in chosen[name][0].made)
            wish = f"{stem(name) if is_copy else name}_{key}"
            wish = wish if wish.isidentifier() else f"{name}_part"
            known[key] = names.fresh(wish)
            if known[key] != wish:
                # In the end nobody has the name any more, mostly: parts that were read had it.
                names.versions[known[key]] = wish
        return known[key]

    read = {id(node): (name, key) for name, (whole, _) in chosen.items()
            for node, key in whole.read}
    bound = {id(node): name for name, (whole, _) in chosen.items()
             for node in [*whole.made, *whole.updated]}
    parts = {id(operation): part_of(node.value) for node in syntax.statements(tree.body)
             if id(node) in writes for operation, _ in [writes[id(node)]]}
    gone = {id(update) for _, update in writes.values()} | writes.keys()
    for block in syntax.all_blocks(tree):
        made: list[gast.stmt] = []
        holding: dict[str, tuple[str, Any]] = {}        # names of parts as they are here
        for node in block:
            whole, key = parts.get(id(node), (None, None))
            if whole is not None and whole in chosen:
                operation: Any = node
                made.append(syntax.copy_place(gast.AugAssign(
                    syntax.store(own(whole, key)), operation.value.op, operation.value.right),
                    node))
                continue
            name = bound.get(id(node), part_of(getattr(node, "value", None))[0])
            if id(node) in gone and name in chosen:
                continue
            name = bound.get(id(node))
            if name is None:
                made.append(node)
                _note(node, chosen, holding)
                continue
            made += [syntax.copy_place(syntax.assign(own(name, key), value), node)
                     for key, value in given(node.value, typer).items()
                     if getattr(value, "id", "") != own(name, key)
                     and part_of(value) != (name, key)
                     and (not isinstance(value, gast.Name)
                          or holding.get(value.id) != (name, key))]
            for one in [one for one, (owner, _) in holding.items() if owner == name]:
                del holding[one]
        block[:] = made or [syntax.copy_place(gast.Pass(), block[0])]
    _Reads(read, own).visit(tree)
    _bind_at_once(tree, {name for _, known in chosen.values() for name in known.values()})


def _bind_at_once(tree: gast.FunctionDef, parts: set[str]) -> None:
    """Give what a container was made of the name of the part at once, where nothing else reads it:
    `t = x * 2.0; state_x = t`. If the part changes in place there were two names of one array."""
    counts = Counter(name.id for name in syntax.names_in(tree))
    for block in syntax.all_blocks(tree):
        made: dict[str, tuple[Any, set[str]]] = {}      # with the parts that are mentioned since
        kept: list[gast.stmt] = []
        for node in block:
            value: Any = getattr(node, "value", None)
            target: Any = node.targets[0] if isinstance(node, gast.Assign) else None
            mentioned = syntax.all_names(node) & parts
            origin, since = made.get(getattr(value, "id", ""), (None, parts))
            is_at_once = isinstance(target, gast.Name) and target.id in parts - since \
                and counts[value.id] == 2
            if origin is not None and is_at_once:
                origin.targets[0].id = target.id
            else:
                kept.append(node)
            for _, names in made.values():
                names |= mentioned
            if isinstance(node, syntax.COMPOUND):
                made = {}
            elif isinstance(target, gast.Name) and not isinstance(value, gast.Name):
                made[target.id] = node, set()
        block[:] = kept or [syntax.copy_place(gast.Pass(), block[0])]


def _note(node: gast.stmt, chosen: Container[str], holding: dict[str, tuple[str, Any]]) -> None:
    """Note which names hold parts of containers behind a statement that binds none of these."""
    if isinstance(node, syntax.COMPOUND):
        holding.clear()
        return
    for one in bound_in([node]):
        holding.pop(one, None)
    owner, key = part_of(getattr(node, "value", None))
    if owner is not None and owner in chosen and isinstance(node, gast.Assign) \
            and isinstance(node.targets[0], gast.Name):
        holding[node.targets[0].id] = owner, key


def _staying(tree: gast.FunctionDef) -> set[str]:
    """The names that mean the same throughout a function."""
    bound = Counter(syntax.parameter_names(tree.args))
    bound.update(name for node in syntax.statements(tree.body)
                 for name in (syntax.bound_names(node.target) if isinstance(node, gast.For)
                              else () if isinstance(node, syntax.COMPOUND)
                              else bound_in([node])))
    straight = {*syntax.parameter_names(tree.args), *bound_in(
        [node for node in tree.body if not isinstance(node, syntax.COMPOUND)])}
    return {name for name in straight if bound[name] == 1}


def _kept(whole: Aggregate, typer: Typer, staying: set[str]) -> dict[Any, str]:
    """The parts that are given once, as names which mean the same throughout: these stay."""
    return {key: value.id for key, value in _given_once(whole, typer).items()
            if isinstance(value, gast.Name) and value.id in staying}


def _given_once(whole: Aggregate, typer: Typer) -> dict[Any, gast.expr]:
    """The parts that are given once, and what they are given."""
    values: dict[Any, list[gast.expr]] = {}
    for node in [*whole.made, *whole.updated]:
        for key, value in given(node.value, typer).items():
            values.setdefault(key, []).append(value)
    return {key: value for key, [value, *more] in values.items() if not more}


def _are_kept(whole: Aggregate, kept: dict[Any, str], typer: Typer) -> bool:
    """Whether all parts that are read have names, which stay, or are numbers that are written out:
    nothing but those is read then."""
    if not whole.read or whole.calls:
        return False
    written_out = {key for key, value in _given_once(whole, typer).items()
                   if isinstance(value, gast.Constant)}
    return {key for _, key in whole.read} <= kept.keys() | written_out


class _Reads(gast.NodeTransformer):
    """Puts names where parts are read."""

    def __init__(self, read: dict[int, tuple[str, Any]], own: Any) -> None:
        self.read, self.own = read, own

    def visit(self, node: gast.AST) -> Any:
        if id(node) in self.read:
            return syntax.copy_place(syntax.load(self.own(*self.read[id(node)])), node)
        return self.generic_visit(node)
