"""The columns and the rows of Jacobians: many directions in one pass where the code has a form for
that, else one pass for each.

A table holds the derivatives of one number or array along all directions: (directions, *shape).
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tangent_lite.api import GradientFunction, derivative
from tangent_lite.calling import duck_arrays
from tangent_lite.calling.divided import DIVIDED
from tangent_lite.directions import batched
from tangent_lite.directions.acting import acts, differs
from tangent_lite.directions.linearized import Linearized
from tangent_lite.errors import TangentError, UnsupportedSyntaxError
from tangent_lite.leaves import leaves, refuse_matrices, unit_directions
from tangent_lite.runtime.tangents import zero_tangent
from tangent_lite.variant import Variant

Arguments = tuple[Any, ...]


def size_of(tree: Any) -> int:
    """How many numbers vary in a structure; they are looked at one by one."""
    duck_arrays.refuse(tree, "a Jacobian")
    refuse_matrices(tree, "a Jacobian")
    return sum(int(np.size(leaf)) for leaf in leaves(tree))


def columns(forward: GradientFunction, args: Arguments, keywords: dict[str, Any]) \
        -> tuple[Any, list[np.ndarray]]:
    """The value of a function, and a table for each number or array in it, with one place for each
    element of the arguments. Of the form "tangent" the value is one of the structure of tangents.
    """
    variant, values = forward.variant_for(args, keywords)
    arguments = forward.arguments_of(values)
    if size_of(arguments) == 0:
        found = forward.push_forward(args, [None] * len(arguments), keywords)
        value = found if variant.request.form == "tangent" else found[0]
        return value, [np.zeros((0, *np.shape(part)), np.asarray(part).dtype)
                       for part in leaves(value)]
    if size_of(arguments) > 1 and has_batches(variant):
        try:
            return _columns_in_batches(variant, values, arguments)
        except DIVIDED:                         # which is mended for each direction by itself
            if acts(variant.derivative):
                raise
    if size_of(arguments) > 1 and not variant.by_identity and acts(variant.derivative):
        try:
            return _columns_of_one_run(forward, args, keywords, arguments)
        except TangentError as error:
            if differs(variant.derivative):
                variant = forward.by_identity(values, UnsupportedSyntaxError(
                    f"each direction takes a run of {forward.request.name}, which may draw or read "
                    f"something else each time, and {error.reason}", None,
                    "use jacrev, or pass what it draws as an argument"))
    listed: list[list[Any]] = []
    value = None
    push = forward.pushing(variant)
    for one in unit_directions(arguments):
        found = push(values, list(one))
        value, column = (found, found) if variant.request.form == "tangent" else found
        refuse_matrices(value, "a Jacobian")
        listed.append(list(leaves(column)))
    return value, [np.array(part) for part in zip(*listed)]


def _columns_in_batches(variant: Variant, values: Arguments, arguments: Arguments) \
        -> tuple[Any, list[np.ndarray]]:
    value, parts = None, []
    for along, count in batched.unit_batches(arguments):
        value, found = batched.push_each(variant, values, along, count)
        parts.append(found)
    if variant.request.form == "tangent":
        value = arguments_of_gradient(variant, values)
    return value, [np.concatenate(part) for part in zip(*parts)]


def _columns_of_one_run(forward: GradientFunction, args: Arguments, keywords: dict[str, Any],
                        arguments: Arguments) -> tuple[Any, list[np.ndarray]]:
    """The same for a function that draws, reads or prints, which it does once."""
    paths = forward.request.paths()
    if any(len(path) > 1 for path in paths):
        raise UnsupportedSyntaxError("a part of a parameter is asked for")
    linear = Linearized(derivative("vjp", forward.primal, None, True), args, keywords)
    listed = [list(leaves(linear.along(dict(zip((path[0] for path in paths), one)))))
              for one in unit_directions(arguments)]
    return linear.value, [np.array(part) for part in zip(*listed)]


def source_of_columns(forward: GradientFunction, args: Arguments,
                      keywords: dict[str, Any]) -> str:
    """The source that `columns` runs; where it takes the directions one by one, with the reason."""
    variant, values = forward.variant_for(args, keywords)
    if size_of(forward.arguments_of(values)) > 1 and not variant.by_identity:
        try:
            return batched.pushing(variant).source
        except TangentError as error:
            return one_by_one(error) + variant.text
    return variant.text


def one_by_one(error: TangentError) -> str:
    """What the source says where directions are taken one by one."""
    reason = str(error).splitlines()[0]
    return f"# One pass for each direction. {reason}\n"


def has_batches(variant: Variant) -> bool:
    """Whether a jvp has a form for batches of tangents."""
    if variant.by_identity:
        return False
    try:
        batched.pushing(variant)
    except TangentError:
        return False
    return True


def arguments_of_gradient(variant: Variant, values: Arguments) -> Any:
    """What has the structure of the gradient that a variant pushes forward."""
    derived = variant.request.derived
    found = derived.arguments_of(values)
    return found if isinstance(derived.request.wrt, tuple) else found[0]


class Rows:
    """The forward pass of a function, run once, and pull backs of the elements of its value."""

    def __init__(self, reverse: GradientFunction, args: Arguments,
                 keywords: dict[str, Any]) -> None:
        self.variant, self.values = reverse.variant_for(args, keywords)
        self.arguments = reverse.arguments_of(self.values)
        self.ran: Any = None
        try:
            if not self.variant.by_identity:
                self.ran = self.variant.run_forward(self.values)
            self.value, self.pullback = self.variant.pull_back(self.values, self.ran)
        except DIVIDED:                 # which is mended where it is called, row by row
            self.ran = None
            self.value, self.pullback = reverse.pull_back(args, keywords)

    def tables(self) -> list[np.ndarray]:
        """A table for each number or array in the arguments, with one place for each element of
        the value."""
        pull = self._many() if size_of(self.value) > 1 else None
        if pull is None:
            rows = [list(leaves(self.pullback(one)))
                    for one in unit_directions(self.value, zero_tangent)]
            if rows:
                return [np.array(part) for part in zip(*rows)]
            return [np.zeros((0, *np.shape(leaf)), np.asarray(leaf).dtype)
                    for leaf in leaves(self.arguments)]
        parts = [pull(one, count) for one, count in batched.unit_batches(
            self.value, leaves(self.arguments))]
        return [np.concatenate(part) for part in zip(*parts)]

    def source(self) -> str:
        """The source that `tables` runs; where it takes the rows one by one, with the reason."""
        if size_of(self.value) > 1 and self.variant.request.derived is None \
                and self.ran is not None:
            try:
                return batched.pulling(self.variant, self.ran[1], self.ran[0]).source
            except TangentError as error:
                return one_by_one(error) + self.variant.text
        return self.variant.text

    def _many(self) -> Callable[[Any, int], list[np.ndarray]] | None:
        """The pull back of batches, if there is a form for them."""
        if self.variant.request.derived is not None or self.ran is None:
            return None             # its emitted function may return another structure
        try:
            return batched.pull_each(self.variant, self.ran, self.arguments)
        except TangentError:
            return None
