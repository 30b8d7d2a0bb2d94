"""The variants of a derivative: which one serves the arguments of a call, how it comes to be."""
from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from tangent_lite.calling.collector import resting
from tangent_lite.calling.keys import key_of_argument
from tangent_lite.calling.request import Request
from tangent_lite.calling.reuse import store
from tangent_lite.errors import AliasError, MissingRuleError, TangentError, UnsupportedSyntaxError

if TYPE_CHECKING:
    from tangent_lite.shapes.assumptions import Assumptions
    from tangent_lite.shapes.outside_sizes import SizesOutside
    from tangent_lite.variant import Variant

# For so many combinations of shapes, of which different things hold, code of their own is written;
# for others there is code that serves all of them.
MOST_SHAPES = 4
MOST_SHAPES_COMPILED = 1            # Numba takes its time for each
# So often the derivative of a function may be read within its own: it may call itself with less.
MOST_WITHIN_ITSELF = 5


class _Reading(threading.local):
    """How often each function is being read now, by its code: a lambda is made anew each time."""

    def __init__(self) -> None:
        self.counts: Counter[Any] = Counter()


_reading = _Reading()


@contextmanager
def _within(request: Request) -> Iterator[None]:
    """Refuse a function of whose derivative the derivative of the same function is a part, and so
    on without end: `lambda u: h(u, n - 1)` in h."""
    code = request.function.__code__
    if _reading.counts[code] >= MOST_WITHIN_ITSELF:
        raise UnsupportedSyntaxError(
            f"{request.name} calls its own derivative, so that each derivative of it needs the "
            "next one", None, "leave debug= and backend= out: it is followed by identity then")
    _reading.counts[code] += 1
    try:
        yield
    finally:
        _reading.counts[code] -= 1


class Building:
    """The part of a GradientFunction that finds and builds variants."""

    __slots__ = ()

    request: Request
    _lock: AbstractContextManager[Any]
    _latest: Variant | None
    _general_variant: Variant | None
    _store: dict[str, Any]
    # By the keys of arguments; of one key several, for shapes of which different things hold.
    _variants: dict[Any, list[Variant]]
    alike_key: tuple[Any, ...]
    _emitted: dict[Any, Variant]            # to be read again
    _for_shapes: dict[Any, list[Variant]]   # the same, by derivatives for some shapes alone

    def _key_for(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """Of the variant for these arguments: others may have made some for functions of the same
        code, which that of this one no longer needs to be."""
        return (id(self.request.function.__code__), *map(key_of_argument, values))

    def _build(self, values: tuple[Any, ...], for_all: bool = False) -> Variant:
        """The variant for these arguments, built if there is none that holds; for_all: that serves
        other shapes as well."""
        key = self._key_for(values)
        variant = self._found(key, values, for_all)
        if variant is None:
            with self._lock:
                variant = self._found(key, values, for_all)
                if variant is None:
                    others = [v for v in self._variants.get(key, ()) if v.holds()]
                    variant = None if for_all else self._moved(key, values)
                    if variant is None:
                        variant = self._new(key, values, len(others), for_all)
                    self._variants[key] = [*others, variant]
        self._latest = variant          # type: ignore[misc]    # in the dict of the whole
        return variant

    def _new(self, key: Any, values: tuple[Any, ...], others: int, for_all: bool) -> Variant:
        """A new variant for these arguments; others: how many there are for other shapes."""
        others = max(others, len(self._alike.get(key, ())))
        most = MOST_SHAPES if self.request.compiled is None else MOST_SHAPES_COMPILED
        for_shapes = others < most and not for_all
        try:
            variant = self._variant_of(values, for_shapes)
        except (AliasError, UnsupportedSyntaxError, MissingRuleError) as error:
            variant = self._of_general_text(values, for_shapes) or self.by_identity(values, error)
        self._keep_alike(key, variant)
        return variant

    def _of_general_text(self, values: tuple[Any, ...], for_shapes: bool) -> Variant | None:
        """Of a derivative, the variant that reads it as it is written for all shapes, where as it
        is for these it cannot be read; None where that is not another text, or no better."""
        if not for_shapes or self.request.derived is None or self.request.compiled is not None:
            return None
        try:
            return self._variant_of(values, False)
        except (AliasError, UnsupportedSyntaxError, MissingRuleError):
            return None

    def _found(self, key: Any, values: tuple[Any, ...], for_all: bool) -> Variant | None:
        """The variant for these arguments, if there is one that holds."""
        for variant in self._variants.get(key, ()):
            if variant.holds() and (
                    variant.fits_all is None if for_all else variant.fits(values)):
                return variant
        return None

    @property
    def _alike(self) -> dict[Any, list[Variant]]:
        """Those that were made for other functions of the same code. It is asked for each time,
        since rules that are registered later count for what is made from then on."""
        found: dict[Any, list[Variant]] = {} if not self.request.is_made_anew \
            else store(*self.alike_key).setdefault("variants", {})
        return found

    def _moved(self, key: Any, values: tuple[Any, ...] | None = None,
               assumed: Assumptions | None = None) -> Variant | None:
        """A variant that was made for another function of the same code, with the closure of this
        one, or for a method of another object; assumed: what it rests on, of one to be read."""
        for variant in self._alike.get(key, ()):
            if assumed is not None and variant.assumed is not assumed:
                continue
            made = variant.moved_to(self.request, values)
            if made is not None:
                return made
        return None

    def _keep_alike(self, key: Any, variant: Variant) -> None:
        if variant.can_move:
            alike = self._alike
            alike[key] = [variant, *alike.get(key, ())][:MOST_SHAPES + 1]
            store.keeps(self.alike_key, [
                thing for made in list(alike.values()) for one in made
                for thing in (one.request.function, *one.request.bound)])

    def _variant_of(self, values: tuple[Any, ...], for_shapes: bool) -> Variant:
        """A variant for these arguments; for_shapes: for shapes like theirs alone."""
        with resting():             # what is loaded here stays: the passes and the rules
            from tangent_lite.calling.parameter_kinds import found_kinds
            from tangent_lite.shapes.assumptions import Assumptions
            from tangent_lite.variant import Variant
        if self.request.compiled is None:
            # A pullback may be called in another process, by code that is made there: that must not
            # depend on which shapes were met there.
            assumed = Assumptions(self.request.form != "vjp", tells_items=True) \
                if for_shapes else None
            named = found_kinds(self.request, values, assumed)
            return Variant(self.request, named, values, assumed=assumed)
        from tangent_lite.variant.numba import NumbaVariant
        compiled: Any = NumbaVariant(self.request, values, for_shapes)
        return compiled

    def by_identity(self, values: tuple[Any, ...] | None, refusal: TangentError) -> Variant:
        """The variant that needs no proofs, where the other one is refused."""
        if refusal.is_final or self.request.debug or self.request.compiled is not None:
            raise refusal
        from tangent_lite.trees import ducks_in
        if ducks_in(values):
            raise refusal                   # by identity means by memory, of which they need none
        with resting():
            from tangent_lite.heap.variant import HeapVariant
        return HeapVariant(self.request, values, refusal)

    def _of_shared(self, variant: Variant, values: tuple[Any, ...]) -> Variant:
        """The variant, or the one by identity where these values share memory."""
        if variant.sharing.is_needed:
            try:
                variant.sharing.check(values)
            except AliasError as error:
                return self.by_identity(values, error)
        return variant

    def _general(self) -> Variant:
        """The variant for any arguments, or for those that annotations name."""
        with resting():
            from tangent_lite.calling.parameter_kinds import annotated_kinds
            from tangent_lite.variant import Variant
        with self._lock:
            variant = self._general_variant
            if variant is None or not variant.holds():
                try:
                    variant = Variant(self.request, annotated_kinds(self.request), None)
                except (AliasError, UnsupportedSyntaxError) as error:
                    variant = self.by_identity(None, error)
                self._general_variant = variant             # type: ignore[misc]
        return variant

    def emitted_for(self, parameter_kinds: dict[str, Any],
                    outside: SizesOutside | None = None) -> Any:
        """The emitted function for arguments of these kinds: Python code, to be read again.

        outside: where it is noted what the text assumes of shapes, for a derivative that asks that
        of its arguments at each call; None for a text that serves all shapes.
        """
        if outside is not None:
            return self._emitted_for_shapes(parameter_kinds, outside)
        return self.called_variant(parameter_kinds).emitted

    def called_variant(self, parameter_kinds: dict[str, Any]) -> Variant:
        """The variant for such arguments, to be read again: of whatever shapes, as far as these
        are to each other what they are in the call."""
        from tangent_lite.shapes.layouts import Layouts, key_of, to_each_other
        from tangent_lite.variant import Variant
        given = to_each_other({name: parameter_kinds[name] for name in self.request.names})
        with self._lock:
            # As of any function that is called: what is written out in the call is known in it.
            layouts = self._store.setdefault("layouts", Layouts())
            seen = layouts.seen(self.request.form, given)
            key = key_of(self.request.form, seen)
            variant = self._emitted.get(key)
            if variant is None or not variant.holds():
                variant = self._moved(("emitted", key))
            if variant is None:
                being_made = self._store.setdefault("being made", set())
                if key in being_made:
                    raise UnsupportedSyntaxError(
                        f"{self.request.name} calls its own derivative, so that each derivative of "
                        "it needs the next one", None, "pass the derivative as an argument")
                being_made.add(key)
                try:
                    with _within(self.request):
                        variant = Variant(self.request, seen, None, False, is_called=True)
                finally:
                    being_made.discard(key)
                self._keep_alike(("emitted", key), variant)
            self._emitted[key] = variant
        return variant

    def _emitted_for_shapes(self, parameter_kinds: dict[str, Any], outside: SizesOutside) -> Any:
        """The same, written for shapes like those of one call and so as short as the first
        derivative. It serves the one that asks: others assume other things."""
        from tangent_lite.shapes.layouts import alone, key_of
        from tangent_lite.variant import Variant
        given = {name: parameter_kinds[name] for name in self.request.names}
        key = "for shapes", key_of(self.request.form, alone(given))
        with self._lock:
            known = self._for_shapes.get(key, [])
            variant = next((one for one in known
                            if one.assumed is outside.assumed and one.holds()), None) \
                or self._moved(key, assumed=outside.assumed)
            if variant is None:
                variant = Variant(self.request, given, None, False, outside.assumed, True, outside)
                self._keep_alike(key, variant)
            if variant not in known:
                self._for_shapes[key] = [variant, *known][:MOST_SHAPES + 1]
        return variant.emitted
