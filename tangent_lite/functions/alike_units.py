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

    Those do the same that read alike but for which units they call, and of which these do the
    same: taken to be so of all, and asked again until no pair is told apart any more. So those
    that call themselves are one with those that call them first.

    kept: units that stay what they are.
    """
    own = {id(k) for k in kept}
    counts = Counter(_form(u) for u in units if id(u) not in own)
    alike = [u for u in units if id(u) not in own and counts[_form(u)] > 1]
    texts = {id(u): _text(u) for u in alike}
    classes: dict[int, Any] = {id(u): id(u) for u in units}
    classes |= dict.fromkeys(texts, 0)
    n_classes = 1
    while True:
        numbers: dict[Any, int] = {}
        classes |= {key: numbers.setdefault((text, *(classes.get(id(c), id(c)) for c in called)),
                                            len(numbers))
                    for key, (text, called) in texts.items()}
        if len(numbers) == n_classes:
            break
        n_classes = len(numbers)
    first: dict[int, Unit] = {}
    instead = {id(u): first.setdefault(classes[id(u)], u) for u in alike}
    for unit in units:
        unit.external = {name: instead.get(id(thing), thing)
                         for name, thing in unit.external.items()}
    units[:] = [unit for unit in units if instead.get(id(unit), unit) is unit]


def _form(unit: Unit) -> Any:
    """What shows at a glance, and is equal for units that do the same."""
    return (id(unit.source.function), len(unit.tree.body),
            tuple(syntax.parameter_names(unit.tree.args)))


def _text(unit: Unit) -> tuple[Any, list[Unit]]:
    """What a unit does but for the units that it calls, and these in the order of the calls."""
    tree = syntax.copy(unit.tree)
    tree.name = ""
    called: list[Unit] = []
    for node in syntax.names_in(tree):
        thing = unit.external.get(node.id)
        if isinstance(thing, Unit):
            called.append(thing)
            node.id = "a unit"
    return (emit(tree), id(unit.source.function), unit.defaults, frozenset(
        (name, id(thing)) for name, thing in unit.external.items()
        if not isinstance(thing, Unit))), called
