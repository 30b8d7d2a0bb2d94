"""The linear map of a function at its arguments, without a run of the function for each tangent.

The pullback is linear in the cotangent, and what was recorded for it stands fixed. So the linear
map is its transpose: the pullback of the pullback. What was emitted for the backward half is read
again, as for a second derivative; its forward half runs once, with a cotangent of zeros, and each
tangent takes one run of its backward half.
"""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tangent_lite import trees
from tangent_lite.api import GradientFunction, derivative
from tangent_lite.calling.sharing import detached
from tangent_lite.directions.acting import acts, has_hooks
from tangent_lite.directions.given import direction, fitted, with_dicts
from tangent_lite.errors import TangentError, UnsupportedSyntaxError
from tangent_lite.runtime.tangents import zero_tangent


class Linearized:
    """The value of a function, and the way from tangents of its parameters to that of the value.

    values: those of all parameters, what a method is bound to included. Raises
    UnsupportedSyntaxError where the backward half does not tell what the linear map is: adjoints
    that are found by identity, or that hooks change.
    """

    def __init__(self, reverse: GradientFunction, args: tuple[Any, ...],
                 keywords: dict[str, Any]) -> None:
        self.variant, self.values = reverse.variant_for(args, keywords)
        if self.variant.by_identity or has_hooks(self.variant.derivative):
            raise UnsupportedSyntaxError("the pullback is not the transpose of what is to be run")
        raw, saved = self.variant.run_forward(self.values)
        self.raw = raw
        self.value, _ = self.variant.pull_back(self.values, (raw, saved))
        self.held = trees.arrays_in(self.values) + trees.arrays_in(self.value)
        self.saved = detached(saved, self.held + self.variant.arrays_outside())
        self._then = self.variant.outside_now().with_contents()
        self._pulled = derivative("vjp", self.variant.backward, 1, True)
        self._zeros = with_dicts(zero_tangent(raw), raw)
        self.given = {path[0]: self.values[spot]
                      for path, spot in zip(self.variant.paths, self.variant.spots)}

    @functools.cached_property
    def is_worth_it(self) -> bool:
        """Whether to take the map rather than a run of the function with tangents. Without formulas
        it costs more than that, so that it is taken only where the function must not run again: it
        draws, reads or prints."""
        try:
            variant, _ = self._pulled.variant_for((self.saved, self._zeros), {})
        except TangentError:
            return False
        return not variant.by_identity or acts(self.variant.derivative)

    @functools.cached_property
    def transposed(self) -> tuple[Any, Callable[[Any], Any]]:
        """What the backward half makes of zeros, and the pullback of that."""
        return self._pulled.pull_back((self.saved, self._zeros), {})

    def along(self, tangents: dict[str, Any]) -> Any:
        """The tangent of the value, given those of parameters by name, None for zero."""
        self._then.check()
        made = [direction(tangents.get(name), value, name) for name, value in self.given.items()]
        seeds = tuple(with_dicts(one, value) for one, value in zip(made, self.given.values()))
        if not seeds:
            return zero_tangent(self.value)
        found, pullback = self.transposed
        pulled = pullback(fitted(seeds if len(seeds) > 1 else seeds[0], found))
        return trees.finish(pulled, self.value, trees.owners(self.held + trees.arrays_in(made)))
