"""The lines of the way into a variant that ask whether names mean what they meant."""
from __future__ import annotations

import operator
import types
from typing import Any

from tangent_lite.calling.resolve import MISSING

MOST_NAMES = 12             # tests of what names mean that are written out
MOST_OF_ONE = 3             # of one class: more are asked for at once
MOST_TOLD = 24              # and of what those hold that can change inside


def names_mean_the_same(variant: Any, space: dict[str, Any]) -> list[str]:
    """What `variant.holds()` asks, written out where it is short."""
    watched = variant.watched
    together, checks = _of_classes([*watched.checks, *watched.by_name])
    if watched.varies or len(together) + len(checks) + len(watched.codes) \
            + len(watched.lacked) + len(watched.orders) > MOST_NAMES:
        space["holds"] = variant.holds
        return ["holds()"]
    tests = []
    for number, (table, olds) in enumerate(together):
        space.update({"are": operator.is_, f"within_{number}": table,
                      f"names_{number}": operator.itemgetter(*olds),
                      f"olds_{number}": (*olds.values(),)})
        tests.append(f"all(map(are, names_{number}(within_{number}), olds_{number}))")
    for number, (function, code) in enumerate(watched.codes):
        space[f"function_{number}"], space[f"code_{number}"] = function, code
        tests.append(f"function_{number}.__code__ is code_{number}")
    for number, (function, defaults, by_name) in enumerate(watched.defaults):
        space.update({f"has_{number}": function, f"given_{number}": defaults,
                      f"named_{number}": by_name})
        tests.append(f"has_{number}.__defaults__ is given_{number} "
                     f"and has_{number}.__kwdefaults__ is named_{number}")
    for number, (lacked, table) in enumerate(watched.lacked):
        space.update({f"lacks_{number}": lacked.isdisjoint, f"class_{number}": table})
        tests.append(f"lacks_{number}(class_{number})")
    for number, (derived, order) in enumerate(watched.orders):
        space.update({f"derived_{number}": derived, f"order_{number}": order})
        tests.append(f"derived_{number}.__mro__ is order_{number}")
    for number, (table, name, old) in enumerate(checks):
        space[f"old_{number}"] = old
        if type(table) in _TABLES and old is not MISSING:
            space[f"table_{number}"] = table
            tests.append(f"table_{number}[{name!r}] is old_{number}")
        else:
            space[f"look_{number}"] = table.get
            tests.append(f"look_{number}({name!r}, MISSING) is old_{number}")
    if watched.changeable:
        space["hold_what_they_held"] = watched.hold_what_they_held
        told = watched.told
        if told is not None and len(told.texts) <= MOST_TOLD:
            space.update(told.space)
            tests.append(f"({' and '.join(told.texts) or True} or hold_what_they_held())")
        else:
            tests.append("hold_what_they_held()")
    return tests


_TABLES = (dict, types.MappingProxyType)        # of modules, of classes


def _of_classes(checks: list[tuple[Any, str, Any]]) \
        -> tuple[list[tuple[Any, dict[str, Any]]], list[tuple[Any, str, Any]]]:
    """(what several attributes of one class were, class by class; the other checks)"""
    found: dict[int, tuple[Any, dict[str, Any]]] = {}
    for table, name, old in checks:
        if type(table) is types.MappingProxyType and old is not MISSING:
            found.setdefault(id(table), (table, {}))[1][name] = old
    together = {key: one for key, one in found.items() if len(one[1]) > MOST_OF_ONE}
    return [*together.values()], [one for one in checks if id(one[0]) not in together
                                  or one[2] is MISSING]
