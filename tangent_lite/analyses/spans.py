"""Where an index lies on the axes of an array, as far as the text tells, and which parts are apart.

>>> from tangent_lite.syntax import parse_expression
>>> def part(text):
...     return parse_expression(f"b[{text}]").slice
>>> least = {"i": 1, "n": 0}                            # that i is at least 1, and n at least 0
>>> apart(spans(part("i"), least), spans(part("i - 1"), least), least)
True
>>> apart(spans(part("i"), least), spans(part("n"), least), least)
False
>>> apart(spans(part(":n"), least), spans(part("n:2 * n"), least), least)
True
>>> spans(part("i - 2"), least)                         # which may be -1, and that is the last one
[None]
>>> ahead, here = spans(part("i"), least), spans(part("i - 1"), least)
>>> elsewhere_later(ahead, here, "i", rises=False), elsewhere_later(ahead, here, "i", rises=True)
(True, False)
>>> widened(ahead, {"i"}, least)                        # i is any number from 1
[(Place(name='', factor=0, plus=1), None)]

What lies on an axis goes from one place to another; a place is a multiple of a whole number that
has a name, and a number more: `2 * n + 1`. Only places that are not negative are known.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import gast

from tangent_lite import syntax


class Place(NamedTuple):
    """factor * name + plus; of a number alone the name is empty."""
    name: str
    factor: int
    plus: int


# From a place to another one; None: to the end.
Span = tuple[Place, Place | None]
Spans = list[Span | None]           # axis by axis
Least = Mapping[str, int]           # names of whole numbers -> what they are at least


def spans(index: gast.expr, least: Least) -> Spans | None:
    """Where an index lies on each axis that it names; None for an axis where it cannot be told,
    and for all if it is made of more than numbers and slices."""
    found: Spans = []
    for part in syntax.shown_parts(index):
        if isinstance(part, gast.Slice):
            found.append(_of_slice(part, least))
            continue
        if _linear(part, least) is None:
            return None                 # a new axis, an array: axes are not where they seem
        start = place(part, least)
        found.append(start and (start, start._replace(plus=start.plus + 1)))
    return found


def _of_slice(part: gast.Slice, least: Least) -> Span | None:
    start = Place("", 0, 0) if part.lower is None else place(part.lower, least)
    stop = None if part.upper is None else place(part.upper, least)
    if part.step is not None or start is None or (part.upper is not None and stop is None):
        return None
    return start, stop


def place(node: gast.expr, least: Least) -> Place | None:
    """The place that an expression means; None if it may be negative, or is something else."""
    found = _linear(node, least)
    if found is None or found.factor < 0 or _lowest(found, least) < 0:
        return None
    return found


def least_of(node: gast.expr, least: Least) -> int | None:
    """What a whole number is at least, if that can be told."""
    found = _linear(node, least)
    return None if found is None or found.factor < 0 else _lowest(found, least)


def least_in_range(node: gast.expr, least: Least) -> int | None:
    """What the numbers of a range are at least, if that can be told."""
    if not isinstance(node, gast.Call) or getattr(node.func, "id", "") != "range" \
            or node.keywords or any(isinstance(a, gast.Starred) for a in node.args):
        return None
    args = node.args
    if len(args) == 1:
        return 0
    if len(args) == 2:
        return least_of(args[0], least)
    direction = rises(node, least)
    if direction is None:
        return None
    if direction:
        return least_of(args[0], least)
    stop = least_of(args[1], least)
    return None if stop is None else stop + 1


def rises(node: gast.Call, least: Least) -> bool | None:
    """Whether the numbers of a range become larger; None if that cannot be told."""
    if len(node.args) < 3:
        return True
    step = _linear(node.args[2], least)
    return None if step is None or step.factor or not step.plus else step.plus > 0


def apart(some: Spans | None, others: Spans | None, least: Least) -> bool:
    """Whether two parts surely have no element in common."""
    return some is not None and others is not None and any(
        one is not None and other is not None and (
            _ends_before(one, other, least) or _ends_before(other, one, least))
        for one, other in zip(some, others))


def widened(part: Spans, counters: Collection[str], least: Least) -> Spans:
    """A part that contains another one, whichever values some whole numbers have."""
    return [span and (Place("", 0, _lowest(span[0], least)) if span[0].name in counters
                      else span[0],
                      None if span[1] is None or {span[0].name, span[1].name} & set(counters)
                      else span[1]) for span in part]


def elsewhere_later(part: Spans, other: Spans, counter: str, rises: bool) -> bool:
    """Whether one part surely has no element in common with another in a later iteration, where
    the counter is larger, or smaller. All that has a name but the counter may be another then."""
    return any(one is not None and two is not None and _is_past(one, two, counter, rises)
               for one, two in zip(part, other))


def _is_past(one: Span, two: Span, counter: str, rises: bool) -> bool:
    (start, end), (later, later_end) = one, two
    if end is None or later_end is None or not start.factor > 0 or any(
            place.name != counter or place.factor != start.factor
            for place in (start, end, later, later_end)):
        return False
    if rises:
        return later.plus + start.factor >= end.plus
    return later_end.plus - start.factor <= start.plus


def own_axis(index: gast.expr, counter: str, least: Least) -> tuple[int, Place] | None:
    """The axis on which an index lies elsewhere for each value of a counter, and where; None if
    there is none."""
    found = spans(index, least)
    parts = syntax.shown_parts(index)
    for axis, (part, span) in enumerate(zip(parts, found or ())):
        if not isinstance(part, gast.Slice) and span is not None and span[0].name == counter \
                and span[0].factor:
            return axis, span[0]
    return None


def _ends_before(one: Span, other: Span, least: Least) -> bool:
    """Whether the one ends where the other begins, or before."""
    end, start = one[1], other[0]
    if end is None or (end.factor and end.name != start.name):
        return False
    more = Place(start.name, start.factor - end.factor, start.plus - end.plus)
    return more.factor >= 0 and _lowest(more, least) >= 0


def _lowest(found: Place, least: Least) -> int:
    return found.plus + (found.factor * least[found.name] if found.factor else 0)


def _linear(node: gast.expr, least: Least) -> Place | None:
    """A whole number as a multiple of a name, and a number more."""
    if isinstance(node, gast.Constant):
        return Place("", 0, node.value) if type(node.value) is int else None
    if isinstance(node, gast.Name):
        return Place(node.id, 1, 0) if node.id in least else None
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        inner = _linear(node.operand, least)
        return inner and Place(inner.name, -inner.factor, -inner.plus)
    if not isinstance(node, gast.BinOp):
        return None
    left, right = _linear(node.left, least), _linear(node.right, least)
    if left is None or right is None:
        return None
    if isinstance(node.op, gast.Mult):
        if left.factor:
            left, right = right, left
        return None if left.factor else \
            Place(right.name, left.plus * right.factor, left.plus * right.plus)
    if not isinstance(node.op, (gast.Add, gast.Sub)):
        return None
    sign = 1 if isinstance(node.op, gast.Add) else -1
    if left.factor and right.factor and left.name != right.name:
        return None
    factor = left.factor + sign * right.factor
    return Place(left.name if left.factor else right.name if right.factor else "", factor,
                 left.plus + sign * right.plus)


def lengths(tree: gast.FunctionDef) -> dict[str, int]:
    """Names that are bound once, to the length of an axis: they are at least zero.

    One that a loop binds may be another number in each iteration.
    """
    bound: dict[str, list[gast.expr | None]] = {n: [None]
                                                for n in syntax.parameter_names(tree.args)}
    for node in syntax.names_in(tree):
        if not isinstance(node.ctx, gast.Load):
            bound.setdefault(node.id, []).append(None)
    inside = {id(n) for loop in syntax.statements(tree.body)
              if isinstance(loop, (gast.For, gast.While)) for n in syntax.statements(loop.body)}
    for node in syntax.statements(tree.body):
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
                and len(node.targets) == 1 and id(node) not in inside:
            bound[node.targets[0].id].append(node.value)
    return {name: 0 for name, values in bound.items()
            if len(values) == 2 and isinstance(values[1], gast.Subscript)
            and isinstance(values[1].value, gast.Attribute) and values[1].value.attr == "shape"
            and not isinstance(values[1].slice, gast.Slice)}
