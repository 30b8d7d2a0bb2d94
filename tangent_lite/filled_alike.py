"""What a rule gave for numbers, to be had again for other numbers that are alike.

Formulas for numbers are shortened by the kinds of what they read and by nothing else, so that
`t = u * v` and `s = w * z` differ in the names alone: of thousands of such statements one is filled
in, and the others are copies with their own names.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import gast

from tangent_lite import kinds, syntax
from tangent_lite.inference import Typer
from tangent_lite.registry import Rule
from tangent_lite.template import Filled


class _Known(NamedTuple):
    rule: Rule                  # held, so that no other gets its id
    places: list[str]           # the names that stand in it, in the order of those of the others
    filled: Filled


class FilledAlike:
    """What the rules of one function gave."""

    def __init__(self) -> None:
        self.known: dict[Any, _Known] = {}

    def key(self, rule: Rule, bound: dict[str, Any], wanted: set[tuple[str, int | None]],
            result: kinds.Kind, names: Sequence[gast.expr], typer: Typer) -> Any:
        """What those have in common that differ in names only; None where more than names counts:
        literals, arrays. names: what stands for the result, its adjoint, and the arguments."""
        if not rule.is_ours or not all(one.__class__ is gast.Name for one in names):
            return None
        told: list[Any] = [result, *map(typer.kind, bound.values())]
        if not all(one.__class__ is kinds.Number and one.value is kinds.NO_VALUE
                   and one.size is None for one in told):
            return None
        spelled = [one.id for one in names]
        return (id(rule), tuple([(one.type, one.is_mixed) for one in told]), frozenset(wanted),
                tuple(map(spelled.index, spelled)))             # which stand in several places

    def again(self, key: Any, names: Sequence[gast.expr]) -> Filled | None:
        """What was given for this key, with other names; None: nothing was."""
        known = self.known.get(key)
        if known is None:
            return None
        swap = _Swap(dict(zip(known.places, names)))
        return Filled([], [(name, number, swap.visit(formula))
                           for name, number, formula in known.filled.contributions],
                      known.filled.reads_result)

    def note(self, key: Any, rule: Rule, names: Sequence[gast.expr], filled: Filled) -> None:
        """Keep what was given for a key, unless formulas share values, which have names of their
        own."""
        if not filled.locals:
            kept = [(name, number, syntax.copy(formula))
                    for name, number, formula in filled.contributions]
            self.known[key] = _Known(rule, [one.id for one in names],
                                     Filled([], kept, filled.reads_result))


class _Swap(syntax.Rewriter):
    """Puts copies of other names into a copy."""

    def __init__(self, names: dict[str, gast.expr]) -> None:
        self.names = names

    def visit_Name(self, node: gast.Name) -> gast.expr:
        return syntax.copy(self.names.get(node.id, node))
