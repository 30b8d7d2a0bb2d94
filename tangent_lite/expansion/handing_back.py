"""Calls of functions that call themselves and write into arrays they are given: what the twin that
returns the arrays gives is written into them (`functions/giving_back`).

    cycle(coarse, rest)         =>          changed = cycle(coarse, rest)
                                            coarse[...] = changed
"""
from __future__ import annotations

import types
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.errors import TangentError
from tangent_lite.expansion import Scene, Written
from tangent_lite.functions.giving_back import ARRAY, VALUE, GivenBack, giving_back
from tangent_lite.markers import is_attempt
from tangent_lite.structures.lists import all_of


class HandingBack(Scene):
    """What takes the place of such a call."""

    def changed_by(self, value: gast.Call, plain: gast.Call, function: types.FunctionType,
                   receiver: gast.expr | None, error: TangentError) -> Written | None:
        """The call of the twin, and the arrays as it leaves them; None where there is no twin.

        error: why the call cannot be that of a pair.
        """
        if not self.context.calls_itself(function) or any(
                isinstance(one, gast.Starred) for one in plain.args) \
                or any(map(is_attempt, syntax.statements(self.tree.body))):
            return None                 # left halfway it has changed its array, and the twin none
        owner = [] if receiver is None else [receiver]
        own = [] if receiver is None else [plain.func.value]
        twin = function
        names = _changed_by_twin(self.context.inliner.source.function, function)
        while True:
            name = getattr(error, "argument", None)
            if name is None or (name in names and twin is not function) or \
                    getattr(error, "code", None) is not twin.__code__:
                return None
            names = names if name in names else (*names, name)
            found = giving_back(function, names)
            if found is None:
                return None
            if self.context.looked_at[-1:] == [function]:
                raise error         # as it is it writes into its argument, whatever it calls
            twin = found
            asked = gast.Call(self.inject(twin, twin.__name__), [*owner, *value.args],
                              value.keywords)
            why = self.context.by_itself(asked, twin, self.outside)
            if why is None:
                break
            error = why
        back: GivenBack = twin.sharing                          # type: ignore[attr-defined]
        seen = self._by_name(back, [*owner, *value.args], value.keywords)
        first: list[gast.stmt] = []
        plain = self._with_names(first, back, plain, len(own))
        given = self._by_name(back, [*own, *plain.args], plain.keywords)
        arrays = [given.get(name) for name in names]
        if not all(isinstance(one, gast.Name) and not self.is_own(one.id) for one in arrays) \
                or not all(map(self.may_be_given_back, map(self.typer.kind, (
                    seen[n] for n in names)))):
            return None
        if back.value is VALUE:
            result = self.typer.kind(asked)
            value_kind = result.items[0] if isinstance(result, kinds.TupleKind) else result
            if value_kind is not kinds.PENDING and not isinstance(
                    value_kind, (kinds.Number, kinds.Nothing)):
                return None                     # what it returns may be a part of what it changes
        result = self.typer.kind(asked)
        left = result.items[-len(names):] if isinstance(result, kinds.TupleKind) else [result]
        if result is not kinds.PENDING and not all(
                _stays_one(self.typer.kind(seen[name]), one) for name, one in zip(names, left)):
            return None                         # a list of floats that holds other things then
        made = self.named(first, f"{twin.__name__}_changed", self.calling(
            asked.func, plain, [*own, *plain.args]))
        count = len(names) + (back.value is VALUE)
        parts = [made] if count == 1 else [self.named(
            first, "part", syntax.subscript(syntax.copy(made), syntax.constant(k)))
            for k in range(count)]
        for name, array, part in zip(names, arrays, parts[count - len(names):]):
            first.append(syntax.assign(syntax.subscript(
                syntax.copy(array), all_of(self.typer.kind(seen[name])), gast.Store()), part))
            first[-1].gives_back = True
        if back.value is VALUE:
            return first, parts[0]
        return first, syntax.copy(arrays[0]) if back.value is ARRAY \
            else gast.Constant(None, None)

    def may_be_given_back(self, kind: kinds.Kind) -> bool:
        """Whether something is an array, or a list of numbers, of which halves may change items."""
        return isinstance(kind, kinds.Array) or (
            self.context.works_in_place and (
                (isinstance(kind, kinds.DictKind) and not kind.keys)
                or (isinstance(kind, (kinds.ListKind, kinds.MapKind)) and (
                    kind.item in (kinds.EMPTY, kinds.PENDING) or _is_float(kind.item)))))

    def _with_names(self, first: list[gast.stmt], back: GivenBack, plain: gast.Call,
                    number: int) -> gast.Call:
        """The call, where an empty list or dict that is written as an argument has a name; number:
        that of the parameter which the first argument is given to."""
        def named(name: str, one: gast.expr) -> gast.expr:
            is_empty = isinstance(one, (gast.List, gast.Dict)) and not any(
                True for _ in gast.iter_child_nodes(one) if isinstance(_, gast.expr))
            return self.named(first, name, one) if is_empty and name in back.names else one

        args = [named(name, one) for name, one in zip(back.parameters[number:], plain.args)]
        keywords = [gast.keyword(one.arg, named(one.arg, one.value)) for one in plain.keywords]
        return self.calling(plain.func, plain, args, keywords) if first else plain

    def _by_name(self, back: GivenBack, arguments: list[gast.expr],
                 keywords: list[gast.keyword]) -> dict[str, gast.expr]:
        return {**dict(zip(back.parameters, arguments)),
                **{k.arg: k.value for k in keywords if k.arg}}

    def is_own(self, given: str) -> bool:
        """Whether a twin hands on what it is to return, or all but some elements (`u[1:]`), and
        each call would copy it, however little of it that looks at."""
        back = getattr(self.context.inliner.source.function, "sharing", None)
        if self.context.works_in_place or not isinstance(back, GivenBack):
            return False
        seen: set[str] = set()
        while given not in back.names:
            seen.add(given)
            bound = [node.value for node in syntax.statements(self.tree.body)
                     if isinstance(node, gast.Assign)
                     and given in syntax.bound_names(node.targets[0])]
            whole = _taken_of(bound[0]) if len(bound) == 1 else None
            if whole is None or whole in seen:
                return False
            given = whole
        return True


def _stays_one(before: kinds.Kind, behind: kinds.Kind) -> bool:
    """Whether what a call leaves in a list is of the kind of what was in it, as far as that is
    known: an empty list may get numbers."""
    if isinstance(before, (kinds.DictKind, kinds.MapKind)):
        return behind is kinds.PENDING or (isinstance(behind, kinds.MapKind) and (
            behind.item in (kinds.EMPTY, kinds.PENDING) or _is_float(behind.item)))
    if not isinstance(before, kinds.ListKind):
        return True
    if before.item in (kinds.EMPTY, kinds.PENDING):
        return isinstance(behind, kinds.ListKind) and (
            behind.item in (kinds.EMPTY, kinds.PENDING) or _is_float(behind.item))
    return before == behind


def _is_float(kind: kinds.Kind) -> bool:
    return isinstance(kind, kinds.Number) and kind.type == "float"


def _changed_by_twin(twin: Any, function: types.FunctionType) -> tuple[str, ...]:
    """The arrays that a twin changes, if it is one of a function: what that calls by its own name
    changes as many."""
    if getattr(twin, "twin_of", None) is not function:
        return ()
    back = getattr(twin, "sharing", None)
    names: tuple[str, ...] = twin.changes if back is None else back.names
    return names


def _taken_of(value: gast.expr) -> str | None:
    """The array that a value is, or a copy of it, or all of it but some elements."""
    if isinstance(value, gast.Call) and getattr(value.func, "attr", None) == "copy" \
            and not value.args:
        value = value.func.value
    elif isinstance(value, gast.Subscript) and isinstance(value.slice, gast.Slice) \
            and value.slice.step is None and all(
                bound is None or not syntax.read_names(bound)
                for bound in (value.slice.lower, value.slice.upper)):
        value = value.value
    return value.id if isinstance(value, gast.Name) else None
