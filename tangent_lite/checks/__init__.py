"""What is refused once the facts are known: each check raises, or says nothing."""
from __future__ import annotations

import re
import types
from itertools import pairwise
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in, definitions, live_around
from tangent_lite.analyses.mentions import head
from tangent_lite.checks.calls import (  # noqa: F401
    cached_for_what_varies,
    callees,
    functions_as_values,
    methods_as_values,
    outer_variables,
    special_methods,
    unknown_calls,
    unseen_changes,
)
from tangent_lite.checks.repeated import (  # noqa: F401
    checkpoints_hold_all,
    is_run_again,
    loops_run_twice,
    may_run_again,
    must_run_again,
    runs_twice,
    writes_into_arrays,
)
from tangent_lite.errors import AliasError, TangentError, UnsupportedSyntaxError
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.markers import is_attempt, marker_of, way_of
from tangent_lite.modules import module_of
from tangent_lite.source import Source
from tangent_lite.structures.updates import updates_of


def parameters(source: Source) -> list[str]:
    """The names of the parameters."""
    if source.tree.args.vararg or source.tree.args.kwarg:
        raise UnsupportedSyntaxError("a function with * or ** parameters is not handled yet",
                                     source.place(source.tree), "name the parameters")
    return syntax.parameter_names(source.tree.args)


def loops(tree: gast.FunctionDef, facts: Inferred, typer: Typer, source: Source,
          general: bool) -> None:
    """`for v in xs` was written as a loop over xs[k]: refuse where xs is no sequence."""
    for node in facts.beside_arithmetic(tree):
        value: Any = getattr(node, "value", None)
        if isinstance(node, gast.Assign) and getattr(value, "iterates", False):
            typer.names = facts.before[id(node)]
            kind = typer.kind(value.value)
            if isinstance(kind, (kinds.Array, kinds.ListKind, kinds.TupleKind, kinds.Numeric,
                                 kinds.RangeKind, kinds.Text, kinds.Constants)):
                continue
            if kind == kinds.UNKNOWN and general:
                continue
            error = UnsupportedSyntaxError(
                "only ranges, arrays, lists and tuples can be looped over",
                source.place(node), "make a list of what is looped over, before the loop")
            error.is_told_better_by_identity = True         # it has the object itself
            raise error


def supers_left(tree: gast.FunctionDef, facts: Inferred, source: Source) -> None:
    """`super().method` was written as the function that it means, where the object is known."""
    for node in (part for one in facts.beside_arithmetic(tree)
                 if gast.Attribute in facts.mentions[one].classes
                 for part in syntax.all_of(head(one), gast.Attribute)):
        if hasattr(node, "behind"):
            raise source.refuse(node, "what super() means here is not known before the call",
                                "name the class: Base.method(self, ...)")


def left_in_attempts(tree: gast.FunctionDef, left: list[gast.AST], source: Source) -> None:
    """What a block changes is set back behind it, and not where it fails: no handler may see that.
    """
    if left and any(map(is_attempt, syntax.statements(tree.body))):
        raise source.refuse(left[0], "what is set back behind this block would not be, where an "
                                     "exception leaves it that a `try` handles",
                            "let only what may fail stand in the `try`, without such a block")


def attributes_in_place(tree: gast.FunctionDef, facts: Inferred, source: Source) -> None:
    """`p.x += v` was written out where p is known to be an object with that field."""
    for node in facts.beside_arithmetic(tree):
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Attribute):
            raise source.refuse(node, "an attribute of an object that is not known is changed in "
                                      "place", "make the object in the function, or pass it in")


def rebound(tree: gast.FunctionDef, facts: Inferred, aliases: Aliases, source: Source,
            typer: Typer, outermost: bool) -> None:
    """`x += v` became a binding of x: nobody who lives on may hold the array, as callers of helpers
    hold what they give them, and others what lives outside."""
    changed = [n for n in syntax.statements(tree.body) if getattr(n, "was_in_place", False)]
    if not changed:
        return
    live = live_around(tree.body, {id(n) for n in changed})
    is_plain = not any(marker_of(n) is not None for n in syntax.statements(tree.body))
    bound = bound_in(tree.body) | set(syntax.parameter_names(tree.args))
    linked = {*aliases.parent, *aliases.parent.values()}
    asked = {getattr(n.value, "id", "") for n in syntax.all_of(tree, gast.Attribute)}
    outside = {n for n in linked if n not in bound and not isinstance(typer.free(n), (
        types.ModuleType, types.BuiltinFunctionType)) and (
            n in asked or not isinstance(typer.free(n), (types.FunctionType, type)))}
    for node in changed:
        name = node.targets[0].id
        held = {name, *syntax.read_names(node.value.left)}
        classes = _classes_of_holders(held, aliases)
        ours = hasattr(source.function, "rests_on")
        given = [] if outermost or ours else [
            p for p in syntax.parameter_names(tree.args) if aliases.find(p) in classes]
        if given:
            raise helper_writes(source, given[0])
        mates = sorted(n for n in {*facts.names, *outside} if n not in held
                       and aliases.find(n) in classes and (
                           n in live[id(node)] or n not in bound or not is_plain))
        if mates and not (ours and not _has_views({*held, *mates}, tree)):
            user, other = (re.sub(r"_\d+$", "", one) for one in (name, mates[0]))
            raise AliasError(f"whether {user} is a number or an array is not known where "
                             f"it is changed, and {other} may be the same array",
                             source.place(node), f"write {user} = {user} + ...")


def _classes_of_holders(held: set[str], aliases: Aliases) -> set[str]:
    """The classes of some names, and of the lists into which what these mean goes, one after the
    other: each of them holds on to the array."""
    classes = {aliases.find(name) for name in held}
    while True:
        more = {aliases.find(name) for name, item in aliases.put_in
                if aliases.find(item) in classes} - classes
        if not more:
            return classes
        classes |= more


def nested_alike(tree: gast.FunctionDef, facts: Inferred, source: Source) -> None:
    """A variable that may vary is a tuple of one form, or a part of it is a tuple on one way and an
    array on another: adjoints of parts are kept by the places of the parts."""
    forms: dict[str, kinds.Kind] = {}
    for node in facts.beside_arithmetic(tree):
        for name in definitions(node) if isinstance(node, gast.Assign) else ():
            kind = facts.after[id(node)].get(name, kinds.UNKNOWN)
            if isinstance(kind, kinds.TupleKind) and kinds.can_vary(kind) \
                    and not _is_alike(forms.setdefault(name, kind), kind):
                raise UnsupportedSyntaxError(
                    f"{re.sub(r'_[0-9]+$', '', name)} is a tuple whose parts are tuples on some "
                    "ways only", source.place(node), "give the other tuple another name")


def _is_alike(one: kinds.Kind, other: kinds.Kind) -> bool:
    """Whether tuples have tuples for parts in the same places."""
    if not isinstance(one, kinds.TupleKind) or not isinstance(other, kinds.TupleKind):
        return not any(isinstance(k, kinds.TupleKind) and kinds.can_vary(k) for k in (one, other))
    return len(one.items) == len(other.items) and all(map(_is_alike, one.items, other.items))


def _has_views(names: set[str], tree: gast.FunctionDef) -> bool:
    """Whether one of several names is bound to a part of another, or in a loop to another, as
    shadows are that the forward pass binds: those are None in front of it.

    If not, and we wrote the code, then `bx += v` stands only where nobody else holds the array, and
    means the same as a binding.
    """
    unbound = False
    for node in syntax.statements(tree.body):
        value = getattr(node, "value", None)
        bound = set(definitions(node)) & names if isinstance(node, gast.Assign) else set()
        unbound |= bool(bound) and isinstance(value, gast.Constant) and value.value is None
        if unbound and bound and isinstance(value, gast.Name) and value.id in names - bound:
            return True
        if isinstance(node, gast.Assign) and isinstance(value, (gast.Subscript, gast.Attribute)) \
                and syntax.root_name(value) in names and set(definitions(node)) & names:
            return True
    return False


def keys_of_dicts(tree: gast.FunctionDef, facts: Inferred, source: Source) -> None:
    """`sum(d)` and `max(d)` compute with the keys of a dict: what varies are its items."""
    for node in facts.beside_arithmetic(tree):
        for call in facts.mentions[node].calls:
            given = call.args[0] if call.args else None
            function, receiver = facts.callees.get(id(call), (NO_OBJECT, None))
            if receiver is not None or not isinstance(given, gast.Name) or not isinstance(
                    facts.names.get(given.id), (kinds.DictKind, kinds.MapKind)):
                continue
            entry = registry.lookup(function) if function is not NO_OBJECT else None
            if entry is not None and entry.adjoint is not None and kinds.can_vary(
                    facts.names[given.id]) and _is_of_users(function):
                raise UnsupportedSyntaxError(
                    f"{re.sub(r'_[0-9]+$', '', given.id)} is a dict, of which this takes the keys",
                    source.place(call), "write list(...) around it, or .values() behind it")


def keys_that_vary(tree: gast.FunctionDef, facts: Inferred, source: Source) -> None:
    """A dict or an object that is written as a changed one, of which not all parts are known in the
    end: `state["m"] = ...` in a loop, where only some steps make the dict (`if "m" not in state`).
    """
    for node in facts.beside_arithmetic(tree):
        changed = updates_of(getattr(node, "value", None))
        if changed is not None and not isinstance(facts.names.get(changed), (
                kinds.DictKind, kinds.RecordKind, kinds.TupleKind)):
            raise UnsupportedSyntaxError(
                "what is changed here does not have the same parts in all steps",
                source.place(node), "give it all its parts at the start")


def _is_of_users(function: Any) -> bool:
    """Whether a function is none of those that only emitted code calls."""
    return not module_of(function).startswith("tangent_lite")


def attributes(tree: gast.FunctionDef, facts: Inferred, source: Source) -> None:
    """`x.shape = ...`, `x.real = ...` change an array itself."""
    for node in facts.beside_arithmetic(tree):
        target = syntax.target_of(node)
        if isinstance(target, gast.Attribute) and isinstance(
                facts.names.get(syntax.root_name(target) or ""), (kinds.Array, kinds.Numeric)):
            raise UnsupportedSyntaxError(
                f"the attribute {target.attr} of an array is assigned", source.place(node),
                "write x[...] = value, or give the array x.reshape(...) a name")


def arrays_of_objects(tree: gast.FunctionDef, facts: Inferred, aliases: Aliases, active: set[str],
                      source: Source) -> None:
    """An array of objects holds what may change and have names elsewhere, as a list does, and is
    taken for an array of numbers: it may hold what neither varies nor is written to."""
    for node in syntax.statements(tree.body):
        for name in definitions(node):
            kind = facts.names.get(name)
            if isinstance(kind, (kinds.Array, kinds.Numeric)) and kind.dtype == "object" \
                    and (name in active or aliases.is_written(name)):
                raise UnsupportedSyntaxError("an array of objects holds what varies or changes",
                                             source.place(node), "use a list")
        if gast.Subscript not in facts.mentions[node].classes:
            continue
        for part in syntax.all_of(head(node), gast.Subscript):
            # A[b] with a text: the adjoint of A would be an array of numbers, without fields.
            if isinstance(part.slice, gast.Constant) and isinstance(part.slice.value, str) \
                    and syntax.root_name(part) in active and isinstance(
                        facts.names.get(syntax.root_name(part) or ""),
                        (kinds.Array, kinds.Numeric)):
                raise UnsupportedSyntaxError("an array with fields holds what varies",
                                             source.place(part), "use a dict of arrays")


def overlapping(tree: gast.FunctionDef, aliases: Aliases, source: Source) -> None:
    """`np.concatenate((x, y), out=z)` does not look whether z shares memory with x, nor does
    `np.copyto(z, x, where=mask)` in all cases."""
    for block in syntax.all_blocks(tree):
        for one, node in pairwise(block):
            if not getattr(node, "apart", False):
                continue
            name = node.targets[0].value.id
            itself, fix = set(), f"write {name}[...] = and the call without out="
            if getattr(node, "is_masked", False):
                itself, fix = {name}, "copy what is read, x.copy()"
            for other in sorted(syntax.read_names(one.value) - itself):
                if aliases.find(other) == aliases.find(name):
                    raise AliasError(f"{name} may share memory with {other}, which this call "
                                     "reads while it writes", source.place(one),
                                     fix)


def returned(value: gast.expr, active: set[str], source: Source) -> None:
    """Each part of what is returned has an adjoint of its own name: refuse what has none."""
    parts: list[Any] = [value]
    while parts:
        part = parts.pop()
        if isinstance(part, (gast.Tuple, gast.List)):
            parts += part.elts
        elif isinstance(part, gast.Dict) and all(isinstance(k, gast.Constant) for k in part.keys):
            parts += part.values
        elif not isinstance(part, (gast.Name, gast.Subscript, gast.Lambda, gast.JoinedStr)) \
                and not active.isdisjoint(syntax.read_names(part)):
            raise UnsupportedSyntaxError("this expression is not handled on active values yet",
                                         source.place(part), "give it a name first")


def changed_by_calls(steps: dict[int, Any], tree: gast.FunctionDef, aliases: Aliases,
                     source: Source) -> None:
    """What a call changed is not at hand in the backward pass as it was: neither for what adjoints
    read, nor for the conditions of branches, which are asked again. A call in front of who reads it
    does no harm, unless a loop goes back there."""
    if not aliases.mutated:
        return
    loops = _loops_around(tree)
    order = {one: number for number, one in enumerate(loops)}

    def may_run_later(change: gast.stmt, node: gast.stmt) -> bool:
        return id(change) not in order or order[id(change)] >= order[id(node)] \
            or not loops[id(change)].isdisjoint(loops[id(node)])

    for node in syntax.statements(tree.body):
        step = steps.get(id(node))
        read = set() if step is None else step.reads | step.buffers
        if isinstance(node, gast.If) and way_of(node) is None:
            read = syntax.read_names(node.test)
        for name in sorted(read):
            if aliases.is_mutated(name) and any(
                    aliases.find(one) == aliases.find(name) and may_run_later(change, node)
                    for one, change in aliases.mutations):
                raise AliasError(f"the derivative reads {name}, which a call changes",
                                 source.place(node), "change a copy of it, or write x[...] = value")


def _loops_around(tree: gast.FunctionDef) -> dict[int, set[int]]:
    """The loops that each statement stands in, by id, in the order of the text."""
    found: dict[int, set[int]] = {}
    for node in syntax.statements(tree.body):
        found.setdefault(id(node), set())
        if isinstance(node, (gast.For, gast.While)):
            for inner in syntax.statements([node]):
                found.setdefault(id(inner), set()).add(id(node))
    return found


def can_be_copied(names: list[str], parameter_kinds: dict[str, kinds.Kind],
                  source: Source) -> None:
    """A derivative changes nothing that is passed in: what is written to is copied on entry."""
    for name in names:
        if isinstance(parameter_kinds[name], (kinds.RecordKind, kinds.Other, kinds.TupleKind)):
            raise AliasError(f"{source.name} changes its argument {name}, an object that cannot be "
                             "copied on entry", source.place(source.tree),
                             "keep the value in a variable")


def helper_writes(source: Source, name: str, result: kinds.Kind = kinds.UNKNOWN) -> AliasError:
    """A helper that writes into its argument; result: what it returns, as far as that is known."""
    error = AliasError(f"{source.name} writes into its argument {name}; a helper "
                       "that changes its arguments is not handled yet",
                       source.place(source.tree), "return the changed array instead")
    error.argument = name                                       # type: ignore[attr-defined]
    note_result(error, source, result)
    return error


def note_result(error: TangentError, source: Source, result: kinds.Kind) -> None:
    """Note on the refusal of a helper what it returns, as far as that is known: its caller writes
    it out, and which method of the result it calls next is known before that."""
    if not hasattr(error, "code"):              # else it is that of a helper which this one calls
        error.result = result                                   # type: ignore[attr-defined]
        error.code = source.function.__code__                   # type: ignore[attr-defined]


def helper_may_write(source: Source, parameter_kinds: dict[str, kinds.Kind], aliases: Aliases,
                     result: kinds.Kind) -> None:
    """The same where a helper hands what it is given to a call of which nothing is known: its
    caller has to see that call, `struct.pack_into("d", a, 0, 1.0)`."""
    for name, kind in parameter_kinds.items():
        if isinstance(kind, _CHANGED) and aliases.is_mutated(name):
            raise helper_writes(source, name, result)


_CHANGED = (kinds.Array, kinds.ListKind, kinds.DictKind, kinds.MapKind, kinds.RecordKind,
            kinds.TupleKind)


def helper_updates(source: Source, names: list[str], aliases: Aliases, result: kinds.Kind) -> None:
    """A helper that changes a dict or an object that it is given."""
    for name in names:
        if name in aliases.updated or name in aliases.resized:
            raise helper_writes(source, name, result)


def helper_writes_outside(outside: list[str], source: Source) -> None:
    """A helper that writes into a global or into an array of a closure."""
    if outside:
        raise AliasError(f"{source.name} writes into an array from outside; a helper that does "
                         "is not handled yet", source.place(source.tree),
                         "pass the array in, or make it in the helper")
