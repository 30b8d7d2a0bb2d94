"""Emitted functions that read alike are one.

A function that is called with arrays of several layouts is transformed for each of them (see
`layouts`); mostly that makes the same text.
"""
from __future__ import annotations

from collections import Counter
from typing import Any

from tangent_lite import syntax
from tangent_lite.emit import emit
from tangent_lite.functions.units import Unit


def merge_alike(units: list[Unit], kept: list[Unit]) -> None:
    """Leave one of the units that do the same, in place, and let all that call others call it.

    kept: units that stay what they are.
    """
    instead: dict[int, Unit] = {}
    while True:
        before = len(instead)
        left = [u for u in units if id(u) not in instead and not any(u is k for k in kept)]
        counts = Counter(map(_form, left))
        first: dict[Any, Unit] = {}
        for unit in left:
            if counts[_form(unit)] > 1:
                same = first.setdefault(_what(unit), unit)
                if same is not unit:
                    instead[id(unit)] = same
        if len(instead) == before:
            break
        for unit in units:                      # those who call the same may be the same in turn
            unit.external = {name: instead.get(id(thing), thing)
                             for name, thing in unit.external.items()}
    units[:] = [unit for unit in units if id(unit) not in instead]


def _form(unit: Unit) -> Any:
    """What shows at a glance, and is equal for units that do the same."""
    return (id(unit.source.function), len(unit.tree.body),
            tuple(syntax.parameter_names(unit.tree.args)))


def _what(unit: Unit) -> Any:
    """What a unit does: equal for units that do the same."""
    called = {name: f"unit {number}" for number, name in enumerate(
        name for name, thing in unit.external.items() if isinstance(thing, Unit))}
    tree = syntax.copy(unit.tree)
    tree.name = ""
    for node in syntax.names_in(tree):
        node.id = called.get(node.id, node.id)
    return (emit(tree), id(unit.source.function), unit.defaults, tuple(
        (called.get(name, name), id(thing)) for name, thing in unit.external.items()))
