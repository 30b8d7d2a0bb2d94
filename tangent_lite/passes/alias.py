"""Which names may share a buffer, and which buffers are written to.

>>> from tangent_lite.kinds import Array
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(x):
...     v = x[1:]
...     w = x * 2.0
...     v[0] = 2.0
...     return x
... ''').body[0]
>>> typer = Typer({}, {}.get)
>>> facts = infer(tree, {"x": Array(1, "float")}, typer)
>>> aliases = alias(tree, facts, typer, lambda node: None, ["x"])
>>> [name for name in ("x", "v", "w") if aliases.is_written(name)]
['x', 'v']
>>> list(aliases.views)                 # its shadow is a view of that of x
['v']

Names are grouped into classes by union; within a class that is written, each second name must be
bound once, to a view that the shadow can mirror (`y = x`, `v = x[1:]`, `v = x.T`), else AliasError:
the shadows of two names overlap exactly where their buffers do.
"""
from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, runtime, syntax
from tangent_lite.adjoints.paths import CONTAINERS
from tangent_lite.analyses import writers
from tangent_lite.analyses.aliases import Aliases, may_hold_buffer
from tangent_lite.analyses.apart import Apart
from tangent_lite.analyses.changed_lists import check_changed_lists
from tangent_lite.analyses.handed_on import check_handed_on
from tangent_lite.analyses.liveness import definitions
from tangent_lite.analyses.momentary import momentary, roots_of, scattered, written_by
from tangent_lite.analyses.one_name import brief_names
from tangent_lite.analyses.only_there import is_only_there
from tangent_lite.analyses.origins import Flow, Parts, bases_of
from tangent_lite.analyses.owners import Owners
from tangent_lite.analyses.points_to import PointsTo
from tangent_lite.analyses.purity import in_hook
from tangent_lite.analyses.segments import is_checkpointed
from tangent_lite.analyses.views import moved
from tangent_lite.errors import AliasError, Place
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array
from tangent_lite.markers import marker_of
from tangent_lite.names import stem
from tangent_lite.runtime.objects import replaced
from tangent_lite.structures.lists import list_change
from tangent_lite.structures.updates import updates_of
from tangent_lite.syntax import statements


def alias(tree: gast.FunctionDef, facts: Any, typer: Typer,
          place: Callable[[gast.AST], Any], parameters: list[str], beside: bool = False,
          as_it_is: bool = False) -> Aliases:
    """Group the names of a function; AliasError where a written class cannot be mirrored.

    beside: for forward mode, in which containers of tangents mirror containers of values; as_it_is:
    nothing is put beside what may share memory, so that it may.
    """
    found = Aliases(beside)
    bindings: dict[str, int] = {}
    shared: list[tuple[gast.Assign, str, str, bool | str]] = []
    deleted: list[tuple[str, gast.stmt]] = []
    held: list[tuple[gast.stmt, str, str]] = []         # (statement, list, what goes into it)
    in_place: list[tuple[gast.stmt, str]] = []          # parts that `+=` may change in place
    puts: list[tuple[str, str]] = []                    # what is written into a container
    parts = Parts(tree.body)
    for node in statements(tree.body):
        typer.names = facts.before.get(id(node), {})
        if getattr(node, "is_entry_copy", None):
            found.entry.update(definitions(node))
        for name in definitions(node):
            if not (isinstance(node, gast.AugAssign)
                    and isinstance(typer.kind(syntax.load(name)), Array)):      # that is a write
                bindings[name] = bindings.get(name, 0) + 1
        if isinstance(node, gast.Assign):
            target = node.targets[0]
            if isinstance(target, gast.Attribute):
                found.write(node, syntax.root_name(target) or "")
            change = list_change(node, typer.names)
            if change is not None:
                found.resize(change, node, held, facts.names.get(change.name, kinds.UNKNOWN))
            elif isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) \
                    and not isinstance(typer.kind(target.value), kinds.Number):
                found.write(node, target.value.id)
                if isinstance(typer.kind(target.value), (kinds.ListKind, kinds.DictKind,
                                                         kinds.RecordKind)):
                    for name in roots_of(node.value):
                        found.union(target.value.id, name)
                        puts.append((target.value.id, name))
            names = definitions(node)
            after = facts.after[id(node)]
            changed = updates_of(node.value) or getattr(node.value, "drops", None)
            if changed is not None and not getattr(node.value, "is_copy", False):
                found.updated.add(changed)
                found.events.append((node, changed))
            if getattr(node.value, "in_place", False) and names and not isinstance(
                    after.get(names[0]), kinds.Number) and not isinstance(
                    typer.kind(getattr(node.value, "value", None)), Array):
                in_place.append((node, names[0]))
                found.events.append((node, names[0]))
            kept = [n for n in names if may_hold_buffer(after.get(n, kinds.UNKNOWN))]
            if not kept:
                continue
            mirrored = bases_of(node.value, typer, facts)[1]
            # Tangents are not asked when the program runs whether they are views.
            mirrored = mirrored is True if beside else mirrored
            bases = list(parts.bases(node, typer, facts))
            if beside and _in_container(node.value, typer, facts):
                mirrored = "held"
                if isinstance(node.value, gast.BinOp):
                    bases = [(names[0], n) for n in roots_of(node.value.left)
                             + roots_of(node.value.right)]
            for name, one in bases:
                if name not in kept or isinstance(typer.kind(syntax.load(one)), kinds.Number):
                    continue
                # The adjoints of the parts of a container are kept apart: it has none to mirror.
                parted = not beside and isinstance(after.get(name), CONTAINERS)
                shared.append((node, name, one, isinstance(target, gast.Name) and not parted
                               and mirrored))
        elif isinstance(node, gast.Expr) \
                and (change := list_change(node, typer.names)) is not None:
            found.resize(change, node, held, facts.names.get(change.name, kinds.UNKNOWN))
        elif isinstance(node, gast.Delete):
            deleted.append((syntax.root_name(node.targets[0]) or "", node))
            found.events.append((node, deleted[-1][0]))
        elif isinstance(node, gast.AugAssign):
            target = node.target
            owner = target if isinstance(target, gast.Name) else target.value
            if not isinstance(owner, gast.Name):
                continue
            kind = typer.kind(syntax.load(owner.id))
            if isinstance(target, gast.Subscript) or may_hold_buffer(kind):
                found.write(node, owner.id)
        for call in facts.mentions[node].calls if isinstance(node, (gast.Assign, gast.Expr)) \
                else ():
            for written in written_by(call, facts):
                found.write(node, written)
            if beside:
                _put_together(call, typer, facts, found)
    flow = functools.cache(lambda: Flow(tree, facts, typer))
    found.reached = lambda names: flow().reached(names)
    wide = functools.cache(lambda: scattered(tree.body) | moved(tree, shared))
    for _, name, base, _ in shared:
        found.union(base, name)
    apart = Apart(tree.body, [
        *((name, base, (id(node), name)) for node, name, base, _ in shared),
        *((name, item, (id(node), name)) for node, name, item in held if name != item),
        *((*put, None) for put in puts)],
        found.events, set(bindings) - set(parameters), lambda name: flow().reached([name]),
        facts.names)
    if found.written or in_place:
        found.momentary = momentary(tree.body, facts, found)
    check_handed_on(tree, facts, found, held, set(bindings) - set(parameters), place)
    found.written = {found.find(name) for name in found.written}
    found.filled = {found.find(name) for name in found.filled}
    for name, node in deleted:
        found.mutated.add(found.find(name))
        outside = sorted(n for n in {*parameters, name} if found.find(n) == found.find(name)
                         and (n in parameters or n not in bindings) and not isinstance(
                             facts.names.get(n), (kinds.Number, Array)))
        if outside:
            raise AliasError(f"{stem(outside[0])} comes from outside, and a part of it is "
                             "deleted here", place(node), "copy it first, and change the copy")
    for node in statements(tree.body):
        marker = marker_of(node)
        for name in definitions(node) if marker is not None and marker.kind == "enter" else ():
            if found.is_written(name):
                raise AliasError("what a context manager hands out is written to, and others may "
                                 "hold it", place(node), "write to a copy of it")
    _changed_by_calls(tree, facts, found, place, set(parameters) | set(bindings))
    for node in syntax.statements(tree.body):
        target = node.targets[0] if isinstance(node, gast.Assign) else getattr(node, "target", None)
        owner = target.value if isinstance(target, gast.Subscript) else target
        if isinstance(owner, gast.Attribute) \
                and syntax.root_name(target) not in bindings \
                and syntax.root_name(target) not in parameters:
            raise AliasError(f"{syntax.root_name(target)} is changed, which lives outside the "
                             "function", place(node), "pass the array in, or copy it first")
    changed = None
    for node, name, base, _ in shared:
        if found.is_written(name) and base not in bindings and base not in parameters:
            if changed is None:
                changed = flow().reached(n for _, n in found.events)
            if base not in changed and apart.is_copy(node, name):
                continue
            if isinstance(typer.free(base), type):      # what a call makes of a class
                raise AliasError(f"whether {stem(name)} has memory of its own is not known, and "
                                 "it is written to in place", place(node),
                                 "use a plain dict, list or array")
            raise AliasError(f"{stem(name)} may share memory with {base}, which lives outside "
                             "the function, and is written to in place", place(node),
                             "put .copy() behind what is assigned here")
    found.in_place = {found.find(name) for _, name in in_place}
    if in_place:
        brief = brief_names(tree.body, found)
        _in_place(tree, in_place, found, facts, place, apart,
                  Owners(tree.body, facts, typer, brief, found.momentary))
    seen = PointsTo(tree, facts, typer, found.events, apart.live if apart.is_plain else None,
                    (set(parameters) | set(facts.names)) - set(bindings) - found.entry)
    for node, name, other in seen.found.values():
        raise AliasError(f"{stem(name)} and {stem(other)} may be one object, or one holds the "
                         f"other, and {stem(name)} is changed", place(node),
                         "put .copy() behind what is assigned here, or use one name")
    # Of what is written as a new value, `state = {**state, ...}`, the old one stays.
    found.once = {at: names for at, names in seen.once.items() if at in found.changes}
    found.seen = set().union(*found.once.values())
    found.seen_regrown = set().union(*(found.once.get(at, ()) for at in found.regrowing))
    found.kept_by_calls = bool(found.resized) and _are_kept_by_calls(tree, facts, found)
    check_changed_lists(tree, facts, found, held, place, set(parameters) | set(bindings), apart)
    for name in parameters:
        found.parameters.add(found.find(name))

    def changes_hands(name: str, base: str) -> bool:
        """Whether it changes as the program runs who shares with whom."""
        return bindings.get(name, 0) > 1 or name in parameters or name in wide() or \
            bindings.get(base, 0) > (0 if base in parameters else 1)

    passed_on = set() if beside else _passed_on(shared, found, apart, changes_hands, bindings)
    for node, name, base, mirrored in shared:
        if not found.is_written(name):
            continue
        if name == base and isinstance(node.value, gast.Name):
            found.twin_views.add(id(node.value))        # `x = x`
            continue
        if name in found.momentary and bindings.get(name) == 1:
            continue
        found.momentary.discard(name)
        # Arrays in a container that was passed in are not copied on entry.
        given = mirrored == "held" and any(found.find(p) == found.find(name) and not isinstance(
            facts.names.get(p), (Array, kinds.Number)) for p in parameters)
        if as_it_is:
            continue
        # Whether it is a view may be known only when the program runs, and may not matter.
        if (node, name) in passed_on or (
                (mirrored is not True or given) and not found.is_mutated(name)
                and apart.is_copy(node, name)):
            continue
        if not mirrored or given:
            shown, owner = stem(name), stem(base)
            raise AliasError(f"{shown} may share memory with {owner}, which is written to in place"
                             if shown != owner else f"a part of {owner} is written to in place, "
                             "and others may share its memory", place(node),
                             _own_memory(shown, owner, place(node)))
        found.twin_views.add(id(node.value))
        node.value.viewed = base
        if mirrored == "decided":
            found.decided.add(name)
        if changes_hands(name, base):
            # The shadows go along with it.
            found.twins.add(found.find(name))
        else:
            found.views[name] = node
    for name in [n for n in found.views if found.is_twin(n)]:
        del found.views[name]
    for name in sorted(found.decided):
        if name not in found.views:
            node = next(n for n, other, _, _ in shared if other == name)
            raise AliasError(f"whether {stem(name)} is a view or a copy is known only when the "
                             "program runs, and it is bound more than once", place(node),
                             _own_memory(stem(name), None, place(node)))
        while name in found.views:
            name = syntax.viewed_name(found.views[name].value)
            found.laid_out.add(name)
    # Checkpoints put back what all names of a class held.
    loops = [n for n in statements(tree.body) if isinstance(n, gast.For)]
    for name in parameters if not any(map(is_checkpointed, loops)) else ():
        if isinstance(facts.names.get(name), Array) and found.is_written(name) \
                and not found.is_twin(name) \
                and name not in flow().reached(n for _, n in found.events):
            found.spared.add(name)
    return found


def _passed_on(shared: list[tuple[gast.Assign, str, str, bool | str]], found: Aliases, apart: Apart,
               changes_hands: Callable[[str, str], bool],
               bindings: dict[str, int]) -> set[tuple[gast.Assign, str]]:
    """Bindings by which arrays change hands, `u = new` in a loop, in classes of which all such
    might as well be copies: then none of them has a shadow in the forward pass."""
    classes: dict[str, list[tuple[gast.Assign, str]]] = {}
    for node, name, base, _ in shared:
        if found.is_written(name) and changes_hands(name, base) and not (
                name in found.momentary and bindings.get(name) == 1):
            classes.setdefault(found.find(name), []).append((node, name))
    return {one for edges in classes.values() for one in edges
            if all(not found.is_mutated(name) and apart.is_copy(node, name)
                   for node, name in edges)}


def _in_place(tree: gast.FunctionDef, parts: list[tuple[gast.stmt, str]], found: Aliases,
              facts: Any, place: Callable[[gast.AST], Any], apart: Apart, owners: Owners) -> None:
    """`body.x += v` was written as a binding: nobody else may hold the array."""
    ours = {name for _, name in parts}
    for node, name in parts:
        owner = syntax.root_name(node.value) or ""
        in_list = isinstance(facts.names.get(owner), kinds.ListKind) and owners.owns(owner)
        mates = [n for n, kind in facts.names.items() if n not in ours
                 and found.find(n) == found.find(name)
                 and not isinstance(kind, (kinds.DictKind, kinds.RecordKind, kinds.Number))
                 and not (in_list and (owners.is_harmless(n, owner)
                                       or not apart.is_live(node, n)))]
        if mates and not is_only_there(tree, node, name, facts, apart):
            raise AliasError(f"{stem(mates[0])} may be the array that is changed here",
                             place(node), "write x = x + v in place of x += v")


def _are_kept_by_calls(tree: gast.FunctionDef, facts: Any, found: Aliases) -> bool:
    """Whether a call of a user's function is given a list that changes, or gives one."""
    for node in syntax.statements(tree.body):
        for call in facts.mentions[node].calls:
            function, _ = facts.callees.get(id(call), (NO_OBJECT, None))
            if hasattr(function, "__code__") and registry.lookup(function) is None and any(
                    found.is_resized(name) for name in
                    [*syntax.read_names(call), *definitions(node)]):
                return True
    return False


def _changed_by_calls(tree: gast.FunctionDef, facts: Any, found: Aliases,
                      place: Callable[[gast.AST], Any], inside: set[str]) -> None:
    """Note what calls change; what came from outside must not be changed by them."""
    given = set(syntax.parameter_names(tree.args))
    for node in syntax.statements(tree.body):
        calls = facts.mentions[node].calls
        hooks = {id(n) for c in calls for n in in_hook(c, facts)}
        for call in calls:
            if hasattr(call, "marker") or id(call) in hooks:
                continue
            names = written_by(call, facts)
            if id(node) in found.changes:
                continue
            if isinstance(call.func, gast.Attribute) and call.func.attr in writers.CHANGING:
                root = syntax.root_name(call.func.value)
                kind = facts.names.get(root, kinds.UNKNOWN) if root else kinds.UNKNOWN
                if root is not None and (root in inside or not _is_module(call, facts)) \
                        and not isinstance(kind, (kinds.Number, kinds.Text, kinds.Known)):
                    names.append(root)
            for name in names:
                found.mutated.add(found.find(name))
                origin = [n for n in (given | {name}) if found.find(n) == found.find(name)]
                outside = [n for n in origin if n in given or n not in inside]
                if outside:
                    raise AliasError(f"{stem(sorted(outside)[0])} comes from outside and is "
                                     "changed by this call", place(call),
                                     "copy it first, and change the copy")
            function, _ = facts.callees.get(id(call), (NO_OBJECT, None))
            for part in writers.may_change(call, function):
                found.mutated |= {found.find(n) for n in roots_of(part) if may_hold_buffer(
                    facts.names.get(n, kinds.UNKNOWN))}


def _is_module(call: gast.Call, facts: Any) -> bool:
    """Whether `name.attr(...)` is a function of a module, as in np.add(x, y)."""
    function, receiver = facts.callees.get(id(call), (NO_OBJECT, None))
    return function is not NO_OBJECT and receiver is None


def _own_memory(name: str, owner: str | None, at: Place) -> str:
    """How to give memory of its own, not that of its owner, to a name that is bound at a place.

    The statement may have been taken apart, so it is the text that tells what the user can do.
    """
    text = at.text[at.column:at.end_column]
    plain = re.match(rf"{re.escape(name)}\s*(:[^=]+)?=(?!=)\s*(.*)", text)
    if plain and owner and plain[2].startswith(("[", "(", "{")) and re.search(
            rf"\b{re.escape(owner)}\b", plain[2]):
        return f"put {owner}.copy() in, or do not write to it"     # the copy of a list is shallow
    if plain:
        return "put .copy() behind what is assigned here, or do not write to it"
    bound = re.match(r"(?:async )?for (.*?) in |([^=]*?)=(?!=)", text)
    names = re.findall(r"\w+", (bound[1] or bound[2]) if bound else "")
    if name in names and "[" not in text.partition("=")[0]:
        return f"write {name} = {name}.copy() behind it, or do not write to it"
    if text.startswith(("for ", "async for ")):
        return "write to copies of what this loop hands out, or do not write to it"
    return "write to a copy of this part, and put that in its place"


def _put_together(call: gast.Call, typer: Typer, facts: Any, found: Aliases) -> None:
    """`xs.append(x)`: the list is changed, and holds from now on what x holds."""
    function, receiver = facts.callees.get(id(call), (NO_OBJECT, None))
    owner = syntax.root_name(receiver) if receiver is not None else None
    if owner is None or getattr(function, "__objclass__", None) not in (list, dict):
        return
    found.filled.add(owner)
    for argument in call.args:
        for name in roots_of(argument):
            if may_hold_buffer(typer.names.get(name, kinds.UNKNOWN)):
                found.union(owner, name)


# Whether their results share memory with what they are given depends on shapes and types alone, so
# it is so for tangents where it is so for values.
SHARED_ALIKE = (runtime.unbroadcast, runtime.unreduce, runtime.match, runtime.through_dtype,
                np.broadcast_to, np.expand_dims, np.squeeze, np.asarray, np.atleast_1d,
                np.atleast_2d, np.ndarray.squeeze)


def _in_container(node: gast.expr, typer: Typer, facts: Any) -> bool:
    """Whether a value is a container, or what one holds: the tangents share memory in one way."""
    if isinstance(node, (gast.Tuple, gast.List, gast.Dict)):
        return True
    if isinstance(node, (gast.Subscript, gast.Attribute)):
        return isinstance(typer.kind(node.value), (kinds.ListKind, kinds.TupleKind, kinds.DictKind,
                                                   kinds.MapKind, kinds.RecordKind))
    if isinstance(node, gast.BinOp):
        return any(isinstance(typer.kind(p), (kinds.ListKind, kinds.TupleKind))
                   for p in (node.left, node.right))
    if isinstance(node, gast.Call):
        function, _ = facts.callees.get(id(node), (NO_OBJECT, None))
        return isinstance(function, type) or function in SHARED_ALIKE or function is replaced or \
            getattr(function, "__objclass__", None) in (list, dict)
    return False
