"""What is refused once the facts are known: each check raises, or says nothing."""
from __future__ import annotations

import collections
import dis
import re
import types
from itertools import pairwise
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax, unseen
from tangent_lite.errors import AliasError, UnsupportedSyntaxError, final
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import is_special
from tangent_lite.lists import list_change
from tangent_lite.liveness import bound_in, definitions, live_around
from tangent_lite.local_functions import holds_local, is_tagged, is_whole
from tangent_lite.markers import marker_of
from tangent_lite.mentions import head
from tangent_lite.modules import LIBRARIES, module_of, package_of
from tangent_lite.purity import calls_of, computes, in_hook
from tangent_lite.segments import is_checkpointed
from tangent_lite.source import Source
from tangent_lite.units import Prepared
from tangent_lite.updates import updates_of

_SPECIAL = {f"__{side}{name}__" for side in ("", "r") for name in (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "divmod")} | {
    "__neg__", "__pos__", "__abs__"}
_OF_SETS = (gast.BitAnd, gast.BitOr, gast.BitXor, gast.Sub)     # tuples here are keys of dicts
_REFLECTED = {gast.Lt: "__gt__", gast.Gt: "__lt__", gast.LtE: "__ge__", gast.GtE: "__le__",
              gast.Eq: "__eq__", gast.NotEq: "__ne__"}


def parameters(source: Source) -> list[str]:
    """The names of the parameters."""
    if source.tree.args.vararg or source.tree.args.kwarg:
        raise UnsupportedSyntaxError("a function with * or ** parameters is not handled yet",
                                     source.place(source.tree), "name the parameters")
    return syntax.parameter_names(source.tree.args)


def loops(tree: gast.FunctionDef, facts: Any, typer: Typer, source: Source,
          general: bool) -> None:
    """`for v in xs` was written as a loop over xs[k]: refuse where xs is no sequence."""
    for node in syntax.statements(tree.body):
        value: Any = getattr(node, "value", None)
        if isinstance(node, gast.Assign) and getattr(value, "iterates", False):
            typer.names = facts.before[id(node)]
            kind = typer.kind(value.value)
            if isinstance(kind, (kinds.Array, kinds.ListKind, kinds.TupleKind, kinds.Numeric,
                                 kinds.RangeKind, kinds.Text, kinds.Constants)):
                continue
            if kind == kinds.UNKNOWN and general:
                continue
            raise UnsupportedSyntaxError(
                "only ranges, arrays, lists and tuples can be looped over",
                source.place(node), "make a list of what is looped over, before the loop")


def supers_left(tree: gast.FunctionDef, source: Source) -> None:
    """`super().method` was written as the function that it means, where the object is known."""
    for node in syntax.all_of(tree, gast.Attribute):
        if hasattr(node, "behind"):
            raise source.refuse(node, "what super() means here is not known before the call",
                                "name the class: Base.method(self, ...)")


def attributes_in_place(tree: gast.FunctionDef, source: Source) -> None:
    """`p.x += v` was written out where p is known to be an object with that field."""
    for node in syntax.statements(tree.body):
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Attribute):
            raise source.refuse(node, "an attribute of an object that is not known is changed in "
                                      "place", "make the object in the function, or pass it in")


def is_run_again(prepared: Prepared) -> bool:
    """Whether the backward half of the pair of a function runs it again: what a function keeps that
    writes into arrays would be changed by it. So would lists, of which copies are changed back
    instead; but not where halves of other functions keep the very lists."""
    return bool(prepared.aliases.written) or prepared.aliases.kept_by_calls \
        or getattr(prepared.source.function, "runs_again", False)


def runs_twice(prepared: Prepared) -> None:
    """Refuse to run a function twice that draws random numbers or prints."""
    asked = getattr(prepared.source.function, "runs_again", False)
    why = "is a checkpoint" if asked else "writes into arrays" if prepared.aliases.written else \
        "changes lists that others keep"
    try:
        _runs_twice(prepared.tree.body, prepared, f"{prepared.source.name} {why}", "the function")
    except AliasError as error:
        raise (final(error) if asked else error) from None


def loops_run_twice(prepared: Prepared) -> None:
    """The same for the steps of loops with checkpoints."""
    for node in syntax.statements(prepared.tree.body):
        if is_checkpointed(node):
            try:
                _runs_twice(node.body, prepared, "this loop has checkpoints", "the loop")
            except AliasError as error:
                raise final(error) from None


def _runs_twice(block: list[gast.stmt], prepared: Prepared, why: str, what: str) -> None:
    for node in syntax.statements(block):
        marker = marker_of(node)
        if marker is not None and marker.kind == "enter" and not marker.mirrored:
            raise AliasError(f"{why}, so that the backward pass runs it again, and this context "
                             "must not be entered twice", prepared.source.place(node),
                             f"move it out of {what}")
    for call, function in calls_of(block, prepared.facts.callees):
        found, place, inside = computes(function), prepared.source.place(call), ""
        if found is None:
            act = prepared.purity.place_of_act(function)
            found = act is None
            place, inside = act or place, " and what it calls"
        if not found:
            known = "this call must not run twice" if function is not NO_OBJECT else \
                "what this call does is not known"
            raise AliasError(f"{why}, so that the backward pass runs it{inside} again, and {known}",
                             place, f"move it out of {what}")


def checkpoints_hold_all(prepared: Prepared, records: Any) -> None:
    """Refuse a loop with checkpoints whose arrays cannot be put back as they were."""
    for node in syntax.statements(prepared.tree.body):
        found = records.segments.get(id(node))
        if found is None:
            continue
        for name in (*found.arrays, *found.lists, *found.dicts):
            if name in records.undefined:
                raise final(AliasError(
                    f"the loop has checkpoints, and {name}, which it changes, may not be bound in "
                    "front of it", prepared.source.place(node), f"bind {name} before the loop"))


def rebound(tree: gast.FunctionDef, facts: Any, aliases: Any, source: Source,
            outermost: bool) -> None:
    """`x += v` became a binding of x: nobody who lives on may hold the array, as callers of helpers
    hold what they give them."""
    changed = [n for n in syntax.statements(tree.body) if getattr(n, "was_in_place", False)]
    if not changed:
        return
    live = live_around(tree.body, {id(n) for n in changed})
    is_plain = not any(marker_of(n) is not None for n in syntax.statements(tree.body))
    bound = bound_in(tree.body) | set(syntax.parameter_names(tree.args))
    for node in changed:
        name = node.targets[0].id
        held = {name, *syntax.read_names(node.value.left)}
        ours = hasattr(source.function, "rests_on")
        given = [] if outermost or ours else [p for p in syntax.parameter_names(tree.args) if any(
            aliases.find(p) == aliases.find(h) for h in held)]
        if given:
            raise helper_writes(source, given[0])
        mates = sorted(n for n in facts.names if n not in held and any(
            aliases.find(n) == aliases.find(h) for h in held) and (
                n in live[id(node)] or n not in bound or not is_plain))
        if mates and not (ours and not _has_views({*held, *mates}, tree)):
            user, other = (re.sub(r"_\d+$", "", one) for one in (name, mates[0]))
            raise AliasError(f"whether {user} is a number or an array is not known where "
                             f"it is changed, and {other} may be the same array",
                             source.place(node), f"write {user} = {user} + ...")


def nested_alike(tree: gast.FunctionDef, facts: Any, source: Source) -> None:
    """A variable that may vary is a tuple of one form, or a part of it is a tuple on one way and an
    array on another: adjoints of parts are kept by the places of the parts."""
    forms: dict[str, kinds.Kind] = {}
    for node in syntax.statements(tree.body):
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


def keys_of_dicts(tree: gast.FunctionDef, facts: Any, source: Source) -> None:
    """`sum(d)` and `max(d)` compute with the keys of a dict: what varies are its items."""
    for node in syntax.statements(tree.body):
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


def keys_that_vary(tree: gast.FunctionDef, facts: Any, source: Source) -> None:
    """A dict or an object that is written as a changed one, of which not all parts are known in the
    end: `state["m"] = ...` in a loop, where only some steps make the dict (`if "m" not in state`).
    """
    for node in syntax.statements(tree.body):
        changed = updates_of(getattr(node, "value", None))
        if changed is not None and not isinstance(facts.names.get(changed), (
                kinds.DictKind, kinds.RecordKind, kinds.TupleKind)):
            raise UnsupportedSyntaxError(
                "what is changed here does not have the same parts in all steps",
                source.place(node), "give it all its parts at the start")


def _is_of_users(function: Any) -> bool:
    """Whether a function is none of those that only emitted code calls."""
    return not module_of(function).startswith("tangent_lite")


def attributes(tree: gast.FunctionDef, facts: Any, source: Source) -> None:
    """`x.shape = ...`, `x.real = ...` change an array itself."""
    for node in syntax.statements(tree.body):
        target = node.targets[0] if isinstance(node, gast.Assign) else getattr(node, "target", None)
        if isinstance(target, gast.Attribute) and isinstance(
                facts.names.get(syntax.root_name(target)), (kinds.Array, kinds.Numeric)):
            raise UnsupportedSyntaxError(
                f"the attribute {target.attr} of an array is assigned", source.place(node),
                "write x[...] = value, or give the array x.reshape(...) a name")


def arrays_of_objects(tree: gast.FunctionDef, facts: Any, aliases: Any, active: set[str],
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
        for part in syntax.all_of(head(node), gast.Subscript):
            # A[b] with a text: the adjoint of A would be an array of numbers, without fields.
            if isinstance(part.slice, gast.Constant) and isinstance(part.slice.value, str) \
                    and syntax.root_name(part) in active and isinstance(
                        facts.names.get(syntax.root_name(part)), (kinds.Array, kinds.Numeric)):
                raise UnsupportedSyntaxError("an array with fields holds what varies",
                                             source.place(part), "use a dict of arrays")


def overlapping(tree: gast.FunctionDef, aliases: Any, source: Source) -> None:
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


def changed_by_calls(steps: dict[int, Any], tree: gast.FunctionDef, aliases: Any,
                     source: Source) -> None:
    """What a call changed is not at hand in the backward pass as it was."""
    for node in syntax.statements(tree.body):
        step = steps.get(id(node))
        if step is None:
            continue
        for name in sorted(step.reads | step.buffers):
            if aliases.is_mutated(name):
                raise AliasError(f"the derivative reads {name}, which a call changes",
                                 source.place(node), "change a copy of it, or write x[...] = value")


def can_be_copied(names: list[str], parameter_kinds: dict[str, kinds.Kind],
                  source: Source) -> None:
    """A derivative changes nothing that is passed in: what is written to is copied on entry."""
    for name in names:
        if isinstance(parameter_kinds[name], (kinds.RecordKind, kinds.Other, kinds.TupleKind)):
            raise AliasError(f"{source.name} changes its argument {name}, an object that cannot be "
                             "copied on entry", source.place(source.tree),
                             "keep the value in a variable")


def helper_writes(source: Source, name: str) -> AliasError:
    """A helper that writes into its argument."""
    return AliasError(f"{source.name} writes into its argument {name}; a helper "
                      "that changes its arguments is not handled yet",
                      source.place(source.tree), "return the changed array instead")


def functions_as_values(tree: gast.FunctionDef, plain: gast.FunctionDef, facts: Any,
                        source: Source) -> None:
    """What is left of the functions defined inside is handed on: it has to mean the same there."""
    bindings: dict[str, int] = {}
    lambdas = bool(syntax.all_of(tree, gast.Lambda))
    has_tags = any(map(is_tagged, facts.names.values()))
    if lambdas:
        for node in syntax.walk(plain):
            if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
                bindings[node.id] = bindings.get(node.id, 0) + 1
    for statement in syntax.statements(tree.body):
        for node in syntax.all_of(head(statement), gast.Lambda) if lambdas else ():
            local = getattr(node, "local", None)
            if local is None:
                continue
            if local.tag is None and not is_whole(node):
                raise source.refuse(node, "a function of several statements is handed on to what "
                                          "cannot be looked into", "define it outside")
            changing = sorted(n for n in local.captured if bindings.get(n, 0) > 1)
            if local.tag is None and changing:
                raise source.refuse(node, f"a function that is handed on reads {changing[0]}, "
                                          "which is bound several times", "bind it once")
        if isinstance(statement, (gast.If, gast.For, gast.While)):
            continue
        known = facts.before.get(id(statement), {})
        for call in facts.mentions[statement].calls:
            # What may be any of the texts that stand for functions cannot be called.
            if has_tags and known.get(getattr(call.func, "id", "")) == kinds.UNKNOWN:
                raise source.refuse(call, f"which function {call.func.id} is, is known only when it runs",
                                    "call the function itself")
            for argument in (*call.args, *(k.value for k in call.keywords)):
                kind = known.get(getattr(argument, "id", ""), kinds.UNKNOWN)
                if is_tagged(kind):
                    raise source.refuse(argument, "one of several functions is handed on to what "
                                                  "cannot be looked into", "call it here")


_CHANGED = (kinds.ListKind, kinds.DictKind, kinds.MapKind, kinds.Array)


def methods_as_values(tree: gast.FunctionDef, facts: Any, typer: Any, source: Source) -> None:
    """`add = xs.append`: where it is called, nothing shows that xs changes."""
    for statement in syntax.statements(tree.body):
        found = [n for n in syntax.all_of(head(statement), gast.Attribute)
                 if n.attr in unseen.CHANGING and isinstance(n.ctx, gast.Load)]
        if not found:
            continue
        calls = syntax.all_of(head(statement), gast.Call)
        called = {*(id(call.func) for call in calls),
                  *(id(part) for call in calls for part in in_hook(call, facts))}
        typer.names = facts.before.get(id(statement), {})
        for node in found:
            if id(node) not in called and isinstance(typer.kind(node.value), _CHANGED):
                raise source.refuse(node, f"{node.attr} is handed on as a function here, and what "
                                          "it changes is not seen where it is called",
                                    f"write lambda v: {syntax.root_name(node) or 'x'}"
                                    f".{node.attr}(v), or call it here")


def unseen_changes(tree: gast.FunctionDef, facts: Any, typer: Any, source: Source) -> None:
    """What is left of calls in expressions must change nothing that varies, and neither must
    `if log:`, f"{log}" or `log == x`, by a special method of log; see `unseen`."""
    objects = any(isinstance(kind, (kinds.RecordKind, kinds.Other))
                  for kind in facts.names.values())
    found: list[tuple[gast.expr, set[str], str, str]] = []
    for statement in syntax.statements(tree.body):
        if isinstance(statement, gast.Raise):
            continue
        typer.names = facts.before.get(id(statement), {})
        for call in _unseen_calls(statement, facts, typer):
            read = facts.mentions[statement].reads
            if isinstance(typer.callee(call)[0], type):     # of numbers an object has its own
                read = {n for n in read if not isinstance(facts.names.get(n), kinds.Number)}
            found.append((call, read, "a call that may change an active value is not handled yet",
                          "call it in a statement of its own"))
        for node, methods in unseen.looked_at(statement, head(statement)) if objects else ():
            method = unseen.changed_by_looking(typer.kind(node), methods)
            if method is not None:
                found.append((node, syntax.read_names(node),
                              f"{method} changes something, and is called unseen here",
                              "call a method of another name"))
    reached = unseen.what_may_vary(tree, facts) if found else set()
    for node, read, reason, fix in found:
        if not reached.isdisjoint(read):
            raise source.refuse(node, reason, fix)


def _unseen_calls(statement: gast.stmt, facts: Any, typer: Typer) -> list[gast.Call]:
    """Calls in a statement that may change something, and that are not what it does."""
    calls = facts.mentions[statement].calls
    if not calls:
        return []
    own: Any = getattr(statement, "value", None)
    is_followed = isinstance(statement, gast.Expr) \
        or list_change(statement, typer.names) is not None
    within = {id(part) for call in calls for part in in_hook(call, facts)}
    found = []
    for call in calls:
        function, receiver = typer.callee(call)
        if id(call) in within or not unseen.call_may_change(call, function, receiver):
            continue
        if call is not own or (not is_followed and unseen.is_for_effect(call, function, typer)):
            found.append(call)
    return found


def callees(tree: gast.FunctionDef, facts: Any, source: Source) -> None:
    """Functions that are called as they are must not bind globals, which outlive the call; and a
    function defined inside is called in plain terms, or what it captures is not seen."""
    for statement in syntax.statements(tree.body):
        if isinstance(statement, (gast.If, gast.For, gast.While)):
            continue
        for call in facts.mentions[statement].calls:
            function, _ = facts.callees.get(id(call), (NO_OBJECT, None))
            if isinstance(function, type) and is_special(function) and not (
                    function is collections.Counter and not call.args and not call.keywords):
                raise source.refuse(call, f"a {function.__name__} may do anything when an item of "
                                          "it is read or written", "use a plain container")
            if isinstance(function, types.FunctionType) and binds_globals(function, set()):
                raise source.refuse(call, f"{function.__name__} binds a global",
                                    "return the new value")
            names = facts.before.get(id(statement), {})     # none behind a raise
            if isinstance(call.func, gast.Attribute) and call.func.attr in _SPECIAL and isinstance(
                    names.get(getattr(call.func.value, "id", "")), (kinds.Number, kinds.Known)):
                raise source.refuse(call, f"{call.func.attr} is called", "write the operation")
            kind = names.get(getattr(call.func, "id", ""), kinds.UNKNOWN)
            if holds_local(kind) and (any(isinstance(a, gast.Starred) for a in call.args)
                                      or any(k.arg is None for k in call.keywords)):
                raise source.refuse(call, "a function that is defined inside is called with *",
                                    "name the arguments")


# Of code, each second byte says what is done, the one behind it to what.
_BIND_GLOBALS = {dis.opmap["STORE_GLOBAL"], dis.opmap["DELETE_GLOBAL"]}


def binds_globals(function: types.FunctionType, seen: set[types.CodeType]) -> bool:
    """Whether a function of the user, or one that it names, binds a global."""
    root = package_of(function)
    if root in LIBRARIES or registry.lookup(function) is not None:
        return False
    todo = [function.__code__]
    while todo:
        code = todo.pop()
        if code in seen:
            continue
        seen.add(code)
        todo += [c for c in code.co_consts if isinstance(c, types.CodeType)]
        if not _BIND_GLOBALS.isdisjoint(code.co_code[::2]):
            return True
        for name in code.co_names:
            named = function.__globals__.get(name)
            if isinstance(named, types.FunctionType) and binds_globals(named, seen):
                return True
    return False


def special_methods(tree: gast.FunctionDef, facts: Any, typer: Typer, source: Source) -> None:
    """Comparisons that end in a method of the right operand, or of an item, are not written out."""
    for statement in syntax.statements(tree.body):
        typer.names = known = facts.before.get(id(statement), {})
        for name in facts.mentions[statement].names:
            kind = known[name] if name in known else typer.kind(syntax.load(name))
            if isinstance(kind, kinds.Other) and isinstance(kind.type, type) \
                    and is_special(kind.type):
                place = next(n for n in syntax.names_in(head(statement)) if n.id == name)
                raise source.refuse(place, *_decides(kind.type.__name__))
        for node in syntax.all_of(head(statement), gast.Compare):
            found = _method_of(node, typer)
            if found is not None:
                raise source.refuse(node, *_decides(found))
        for node in syntax.all_of(head(statement), gast.BinOp):
            if isinstance(node.op, _OF_SETS) and all(isinstance(
                    typer.kind(side), kinds.TupleKind) for side in (node.left, node.right)):
                raise source.refuse(node, *_decides("the dict"))


def _decides(what: str) -> tuple[str, str]:
    return f"{what} decides what this means", "call the method"


def _method_of(node: gast.Compare, typer: Typer) -> str | None:
    """The method, written in Python, by which a comparison may be decided."""
    operands = [typer.kind(part) for part in (node.left, *node.comparators)]
    for operator, left, right in zip(node.ops, operands, operands[1:]):
        if isinstance(operator, (gast.In, gast.NotIn)):
            items = right.items if isinstance(right, kinds.TupleKind) else \
                (right.item,) if isinstance(right, kinds.ListKind) else ()
            found = _defined(right, "__contains__") or next(
                (f for kind in (left, *items) if (f := _defined(kind, "__eq__"))), None)
        elif type(operator) in _REFLECTED:
            found = _defined(right, _REFLECTED[type(operator)])
        else:
            continue
        if found is not None:
            return found
    return None


def _defined(kind: Any, name: str) -> str | None:
    method = getattr(getattr(kind, "type", None), name, None) \
        if isinstance(kind, (kinds.RecordKind, kinds.TupleKind)) else None
    return method.__qualname__ if isinstance(method, types.FunctionType) \
        and method.__code__.co_filename != "<string>" else None


def helper_updates(source: Source, names: list[str], aliases: Any) -> None:
    """A helper that changes a dict or an object that it is given."""
    for name in names:
        if name in aliases.updated or name in aliases.resized:
            raise helper_writes(source, name)


def helper_writes_outside(tree: gast.FunctionDef, source: Source) -> None:
    """A helper that writes into a global or into an array of a closure."""
    if any(getattr(n, "is_entry_copy", False) for n in tree.body):
        raise AliasError(f"{source.name} writes into an array from outside; a helper that does "
                         "is not handled yet", source.place(source.tree),
                         "pass the array in, or make it in the helper")
