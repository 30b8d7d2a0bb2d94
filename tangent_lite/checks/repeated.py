"""What is refused of functions and loops that the backward pass runs again."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.purity import calls_of, computes
from tangent_lite.analyses.recordings import Records, Save
from tangent_lite.analyses.segments import is_checkpointed
from tangent_lite.errors import AliasError, final
from tangent_lite.functions.units import CallOfPair, Prepared
from tangent_lite.inference import NO_OBJECT
from tangent_lite.markers import marker_of


def may_run_again(prepared: Prepared) -> bool:
    """Whether the backward half of the pair of a function may have to run it again; see below."""
    return bool(prepared.aliases.written) or prepared.aliases.kept_by_calls \
        or getattr(prepared.source.function, "runs_again", False)


def is_run_again(prepared: Prepared, records: Records, pairs: Iterable[CallOfPair],
                 backward: list[gast.stmt]) -> bool:
    """Whether the backward half of a pair runs the function again, whose backward pass is this: it
    is asked to, or the backward pass puts back what arrays held, which would change what the
    forward half has kept for the next backward pass. So would lists, of which copies are changed
    back instead; but not where halves of other functions keep the very lists."""
    if not prepared.aliases.written:
        return may_run_again(prepared)
    return must_run_again(prepared, records, pairs) \
        or any(save.buffer for save in _saves(records)) or writes_into_arrays(prepared, backward)


def must_run_again(prepared: Prepared, records: Records, pairs: Iterable[CallOfPair]) -> bool:
    """Whether it does so for more than for parts of arrays that are put back: these may turn out to
    be put back for nobody."""
    aliases = prepared.aliases
    return getattr(prepared.source.function, "runs_again", False) or aliases.kept_by_calls \
        or bool(aliases.resized) or bool(records.segments) or bool(records.moved) \
        or any(pair.arrays for pair in pairs) \
        or any(save.buffer and save.change is not None for save in _saves(records))


def _saves(records: Records) -> Iterator[Save]:
    return (save for saves in records.saves.values() for save in saves)


def writes_into_arrays(prepared: Prepared, backward: list[gast.stmt]) -> bool:
    """Whether a backward pass writes into what may be an array of the function."""
    return not _arrays_written(backward).isdisjoint(_arrays_of(prepared))


def _arrays_written(block: list[gast.stmt]) -> set[str]:
    """The names that a block writes into, or adds to in place."""
    found: set[str] = set()
    for node in syntax.every_statement(block):
        targets = node.targets if isinstance(node, gast.Assign) else \
            [node.target] if isinstance(node, gast.AugAssign) else []
        found |= {syntax.root_name(target) or "" for target in targets
                  if isinstance(node, gast.AugAssign) or not isinstance(target, gast.Name)}
    return found


def _arrays_of(prepared: Prepared) -> set[str]:
    """The variables of a function that may be arrays, by all names that these may have."""
    versions = prepared.names.versions
    names = {name for name, kind in prepared.facts.names.items()
             if not isinstance(kind, kinds.Number)}
    return names | {versions.get(name, name) for name in names}


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
    for call, function in calls_of(block, prepared.facts):
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
