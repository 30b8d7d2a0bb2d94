"""What calls change, keep and put together of what they are given."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses import writers
from tangent_lite.analyses.aliases import Aliases, may_hold_buffer
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import definitions
from tangent_lite.analyses.momentary import roots_of, written_by
from tangent_lite.analyses.purity import in_hook
from tangent_lite.errors import AliasError
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.names import stem


def note_changes_by_calls(tree: gast.FunctionDef, facts: Inferred, found: Aliases,
                          place: Callable[[gast.AST], Any], inside: set[str]) -> None:
    """Note what calls change; what came from outside must not be changed by them."""
    given = set(syntax.parameter_names(tree.args))
    for node in facts.beside_arithmetic(tree):
        calls = facts.mentions[node].calls
        hooks = {id(n) for c in calls for n in in_hook(c, facts)}
        for call in calls:
            if hasattr(call, "marker") or id(call) in hooks:
                continue
            names = written_by(call, facts)
            if id(node) in found.changes:
                continue
            function, _ = facts.callees.get(id(call), (NO_OBJECT, None))
            # Of a method of the user's with such a name (`filter.update(y)`) it is known.
            if isinstance(call.func, gast.Attribute) and call.func.attr in writers.CHANGING \
                    and not hasattr(function, "__code__"):
                root = syntax.root_name(call.func.value)
                kind = facts.names.get(root, kinds.UNKNOWN) if root else kinds.UNKNOWN
                if root is not None and (root in inside or not _is_module(call, facts)) \
                        and not isinstance(kind, (kinds.Number, kinds.Text, kinds.Known)):
                    names.append(root)
            for name in names:
                found.mutate(name, node)
                origin = [n for n in (given | {name}) if found.find(n) == found.find(name)]
                outside = [n for n in origin if n in given or n not in inside]
                if outside:
                    raise AliasError(f"{stem(sorted(outside)[0])} comes from outside and is "
                                     "changed by this call", place(call),
                                     "copy it first, and change the copy")
            for part in writers.may_change(call, function):
                for name in roots_of(part):
                    if may_hold_buffer(facts.names.get(name, kinds.UNKNOWN)):
                        found.mutate(name, node)


def _is_module(call: gast.Call, facts: Inferred) -> bool:
    """Whether `name.attr(...)` is a function of a module, as in np.add(x, y)."""
    function, receiver = facts.callees.get(id(call), (NO_OBJECT, None))
    return function is not NO_OBJECT and receiver is None


def are_kept_by_calls(tree: gast.FunctionDef, facts: Inferred, found: Aliases) -> bool:
    """Whether a call of a user's function is given a list that changes, or gives one."""
    for node in syntax.statements(tree.body):
        for call in facts.mentions[node].calls:
            function, _ = facts.callees.get(id(call), (NO_OBJECT, None))
            if hasattr(function, "__code__") and registry.lookup(function) is None and any(
                    found.is_resized(name) for name in
                    [*syntax.read_names(call), *definitions(node)]):
                return True
    return False


def put_together(call: gast.Call, typer: Typer, facts: Inferred, found: Aliases) -> None:
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
