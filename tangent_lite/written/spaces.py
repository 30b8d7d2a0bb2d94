"""Gradients in the space of what they are of, for derivatives that are read again.

They are what `trees.finish` makes of them, as expressions. Emitted code gives dicts for objects,
and lists for the tuples in a list; where a list holds numbers of several types, it has a number
for a whole number, too, which cannot vary.
"""
from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable
from typing import Any

from tangent_lite import kinds
from tangent_lite.kinds import Kind
from tangent_lite.names import Names
from tangent_lite.records import is_made_of_fields
from tangent_lite.runtime.objects import instance, varies
from tangent_lite.written.whole import written

_NUMBERS = (kinds.Number, kinds.Array, kinds.Numeric)


def in_space(derivative: Callable[..., Any], form: str, arguments: list[tuple[str, Kind]],
             is_bare: bool, has_aux: bool, own: Collection[str]) -> Callable[..., Any]:
    """`f_grad(x)` with gradients as the arguments are; the derivative itself where they are so.

    arguments: the name and the kind of each that it has a gradient of, UNKNOWN of those that stay;
    is_bare: whether one gradient comes without a tuple around it; own: the parameters of the
    function, some of which may have defaults, as the seeds have that stay what they are.
    """
    parameters = [p for p in inspect.signature(derivative).parameters.values()
                  if p.default is p.empty or p.name in own]
    spelling = _Spelling([*(p.name for p in parameters), *(name for name, _ in arguments)])
    parts, is_other = [], False
    found, value, aux = map(spelling.names.fresh, ("found", "value", "aux"))
    for number, (name, kind) in enumerate(arguments):
        part = found if is_bare else f"{found}[{number}]"
        made = spelling.of(kind, part, name, False)
        is_other |= made is not None
        parts.append(made or part)
    if not is_other:
        return derivative
    answer = parts[0] if is_bare else f"({', '.join(parts)},)"
    by_name = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    names = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    given = ", ".join([*names, *(f"{name}={name}" for name in by_name)])
    call = f"{spelling.named(derivative, 'derivative')}({given})"
    lines = [f"{value}, {found} = {call}", f"return {value}, {answer}"] \
        if form == "value_and_grad" \
        else [f"{found}, {aux} = {call}", f"return {answer}, {aux}"] if has_aux \
        else [f"{found} = {call}", f"return {answer}"]
    head = ", ".join([*names, *(["*", *by_name] if by_name else [])])
    title, body = derivative.__name__, "\n    ".join(lines)
    return written(title, f"def {title}({head}):\n    {body}\n", derivative, spelling.space)


class _Spelling:
    """Expressions for gradients, and what they mention; parameters: names that mean something else
    where they stand."""

    def __init__(self, parameters: Iterable[str]) -> None:
        self.names = Names(parameters)
        self.space: dict[str, Any] = {}

    def of(self, kind: Kind, part: str, own: str, in_list: bool) -> str | None:
        """The gradient of a value, of which emitted code gives `part`; None where that is it."""
        if isinstance(kind, kinds.ListKind):
            return self.of_list(kind.item, part, own)
        if isinstance(kind, kinds.TupleKind):
            return self.of_tuple(kind, part, own, in_list)
        if isinstance(kind, kinds.RecordKind):
            return self.of_object(kind, part, own)
        if isinstance(kind, kinds.DictKind) and all(isinstance(key, str) for key in kind.keys):
            items = [f"{part}[{key!r}]" for key in kind.keys]
            made = [self.of(item, old, f"{own}[{key!r}]", in_list)
                    for key, item, old in zip(kind.keys, kind.items, items)]
            if any(one is not None for one in made):
                return "{" + ", ".join(f"{key!r}: {one or old}" for key, one, old
                                       in zip(kind.keys, made, items)) + "}"
        if in_list and isinstance(kind, _NUMBERS):
            dtype = kind.type if isinstance(kind, kinds.Number) else kind.dtype
            if kind.is_mixed:
                return f"{part} if {self.named(varies, 'varies')}({own}) else None"
            return "None" if dtype in ("int", "bool") else None
        return "None" if in_list and isinstance(kind, (kinds.Text, kinds.Nothing)) else None

    def of_list(self, item: Kind, part: str, own: str) -> str | None:
        one, its = self.names.fresh("part"), self.names.fresh("own")
        made = self.of(item, one, its, True)
        if made is None:
            return None
        if not re.search(rf"\b{its}\b", made):            # nothing is asked of the item itself
            return f"[{made} for {one} in {part}]"
        pairs = f"{self.named(zip, 'zipped')}({part}, {own})"
        return f"[{made} for {one}, {its} in {pairs}]"

    def of_tuple(self, kind: kinds.TupleKind, part: str, own: str, in_list: bool) -> str | None:
        olds = [f"{part}[{number}]" for number in range(len(kind.items))]
        made = [self.of(item, old, f"{own}[{number}]", in_list)
                for number, (item, old) in enumerate(zip(kind.items, olds))]
        if not in_list and all(one is None for one in made):
            return None
        parts = ", ".join(one or old for one, old in zip(made, olds))
        return f"{self.named(kind.type, 'class_')}({parts})" if kind.type is not tuple else \
            f"({parts},)" if parts else "()"

    def of_object(self, kind: kinds.RecordKind, part: str, own: str) -> str | None:
        if is_made_of_fields(kind.type, kind.fields):
            return None                     # of which the gradient is such an object
        fields = []
        for name, item in zip(kind.fields, kind.items):
            old = f'{part}["{name}"]'
            fields.append(f"{name}={self.of(item, old, f'{own}.{name}', False) or old}")
        made, cls = self.named(instance, "instance"), self.named(kind.type, "class_")
        return f"{made}({', '.join([cls, *fields])})"

    def named(self, thing: Any, wish: str) -> str:
        """A name by which the expressions know something."""
        return self.names.name_of(thing, wish, self.space)
