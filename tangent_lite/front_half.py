"""The front half of the pipeline: from a function to its normal form and the facts about it.

A function that is refused is read again, with more told of what it is given: see `prepare`.
"""
from __future__ import annotations

import contextlib
from typing import Any

from tangent_lite.analyses.dict_sites import Mapped
from tangent_lite.calling.resolve import Resolver
from tangent_lite.errors import AliasError, TangentError, UnsupportedSyntaxError
from tangent_lite.functions.pairs import Pairs
from tangent_lite.functions.units import Prepared
from tangent_lite.kinds import Kind
from tangent_lite.normal_form import NormalForm
from tangent_lite.preparation import Preparation
from tangent_lite.shapes.outside_sizes import SizesOutside
from tangent_lite.shapes.told_items import by_items


class FrontHalf(NormalForm):
    """Brings functions into normal form and finds what is known of them."""

    pairs: Pairs                            # of the functions that are called

    def __init__(self, general: bool) -> None:
        super().__init__()
        self.general = general
        self.forward = False                # whether tangents are to live beside the values
        self.ducks: bool | None = None      # whether duck arrays take part
        self.outside: SizesOutside | None = None        # what is assumed of arrays outside
        self.batched = False                # whether arrays are to get a leading axis, and no more
        self.tells_items = False            # whether lists of objects are their items by now

    def prepare(self, function: Any, parameter_kinds: dict[str, Kind], outermost: bool,
                mapped: Mapped | None = None) -> Prepared:
        """The function in normal form, and the facts about it; outermost: no differentiated
        function calls it; mapped: dicts that are read by computed keys."""
        if outermost and self.tells_items:
            parameter_kinds = by_items(parameter_kinds) or parameter_kinds
        first = Preparation(self, function, parameter_kinds, outermost, mapped)
        try:
            return first.prepared()
        except (AliasError, UnsupportedSyntaxError) as error:
            known, found = self.copied_by_parts(first)
            told = self.told(parameter_kinds, known) if found is None and outermost else None
            if told is not None:
                again = Preparation(self, function, told, outermost, mapped)
                self.resolved_again(known, again.resolver)
                try:
                    found = again.prepared()
                except TangentError:
                    _, found = self.copied_by_parts(again)
            if found is None:
                raise error from None
            return found

    def told(self, parameter_kinds: dict[str, Kind], known: Resolver | None = None) \
            -> dict[str, Kind] | None:
        """The kinds of the parameters, of which lists of objects, and of what is found outside, are
        the items that they have at the call; None where there are no such lists, or they were taken
        so before. known: what the function finds outside."""
        if self.tells_items or self.batched or not self.resolvers:
            return None
        known = known or self.resolvers[0]
        told = by_items(parameter_kinds)
        if self.outside is not None and self.outside.may_tell(old for *_, old in known.lookups()):
            self.outside.tells_items = True
            told = told or parameter_kinds
        self.tells_items = told is not None
        return told

    def copied_by_parts(self, first: Preparation) -> tuple[Resolver, Prepared | None]:
        """The function with more copied on entry, by its parts, than where it was refused; None if
        it is refused that way, too. And what it finds outside."""
        known = first.resolver
        for parts in first.parts_to_own():
            for as_lists in (False, True):
                again = first.again(parts, as_lists)
                known = self.resolved_again(known, again.resolver)
                with contextlib.suppress(TangentError):
                    return known, again.prepared()
                if not again.tells_lists:
                    break
        return known, None

    def resolved_again(self, known: Resolver, again: Resolver) -> Resolver:
        """Put what a function found outside when it was read once more in the place of what it had
        found before: it is that function, and none beside it that reads the same."""
        self.resolvers.remove(again)
        self.resolvers[self.resolvers.index(known)] = again
        return again
