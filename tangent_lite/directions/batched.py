"""Variants run along many directions at once: the emitted function, read again and given an axis.

    push    f_jvp(x, dx), where dx is a batch of tangents
    pull    f_bwd(saved, bf), where bf is a batch of cotangents

What the values are is computed once for all directions. Where an operation has no form for batches,
`Batched` is refused, and the directions are taken one by one; the reason can be looked at.
"""
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangent_lite import kinds
from tangent_lite.calling.keys import key_of
from tangent_lite.calling.parameter_kinds import with_shape
from tangent_lite.calling.resolve import Watched
from tangent_lite.compile import compile_units, display
from tangent_lite.directions.tangents import of_tangent
from tangent_lite.errors import TangentError, UnsupportedSyntaxError
from tangent_lite.kinds import Kind
from tangent_lite.leaves import is_leaf, leaves, replaced
from tangent_lite.polish.numbering import number
from tangent_lite.runtime.batches import spread
from tangent_lite.runtime.tangents import attributes, is_record, zero_tangent
from tangent_lite.transform import derive
from tangent_lite.variant import Variant

# How many numbers a batch of tangents of one value may hold: what fits the caches of a processor.
LARGEST = 1 << 17


class Batched:
    """An emitted function with a leading axis for one or more of its parameters.

    Raises TangentError where it has no form for batches.
    """

    def __init__(self, function: Callable[..., Any], parameter_kinds: dict[str, Kind],
                 batched: list[str]) -> None:
        self.derivative = derive(function, parameter_kinds, [(name,) for name in batched], "batch")
        number(self.derivative)
        self.main = compile_units(self.derivative)[self.derivative.main.name]
        self.watched = Watched(self.derivative.resolvers)

    @property
    def source(self) -> str:
        return display(self.derivative)


def pushing(variant: Variant) -> Batched:
    """The jvp of a variant for batches of tangents; made once, and TangentError each time if it
    cannot be made."""
    def make() -> Batched:
        derived = variant.request.derived
        if derived is not None and (derived.request.form != "grad" or derived.request.has_aux):
            raise UnsupportedSyntaxError("a derivative other than a gradient is differentiated")
        found = read()
        mark = found.derivative.batched
        if variant.form == "jvp" and not (isinstance(mark, tuple) and mark[0] is False):
            raise UnsupportedSyntaxError("the value is not kept apart from the tangents")
        return found

    def read() -> Batched:
        names = list(inspect.signature(variant.main).parameters)
        ours = [*variant.kinds.values(), *map(kinds.kind_of, variant.seeds.values()),
                *[of_tangent(variant.kinds[path[0]]) for path in variant.paths]]
        if not (variant.is_called and variant.outside is None):
            ours = list(map(with_shape, ours))          # it serves arguments of other shapes, too
        first = len(variant.kinds) + len(variant.seeds)
        return Batched(variant.main, {n: ours[k] for n, k in zip(names, variant.order_of_main)},
                       [n for n, k in zip(names, variant.order_of_main) if k >= first])
    return _made(variant, "push", make)


def pulling(variant: Variant, saved: Any, value: Any) -> Batched:
    """The backward half of a variant for batches of cotangents of such a value; see pushing."""
    def make() -> Batched:
        names = list(inspect.signature(variant.backward).parameters)
        return Batched(variant.backward, dict(zip(names, map(with_shape, (
            kinds.kind_of(saved), of_tangent(kinds.kind_of(value)))))), names[1:])
    return _made(variant, key_of(saved), make)


def _made(variant: Variant, key: Any, make: Callable[[], Batched]) -> Batched:
    found = variant.batches.get(key)
    if found is None or (isinstance(found, Batched) and not found.watched.holds()):
        try:
            found = make()
        except TangentError as error:
            found = error
        variant.batches[key] = found
    if isinstance(found, TangentError):
        raise found
    return found


# Running --------------------------------------------------------------------------------------
def push_each(variant: Variant, values: tuple[Any, ...], along: tuple[Any, ...], count: int) \
        -> tuple[Any, list[np.ndarray]]:
    """The value (None of the form "tangent"), and for each number or array in it the batch of its
    derivatives, of shape (count, *shape); along: a batch of tangents for each path of wrt."""
    batched = pushing(variant)
    moved: dict[str, Any] = {}
    for path, spot, tangent in zip(variant.asked, variant.spots_asked, along):
        if len(path) == 1:
            moved[path[0]] = tangent
            continue
        if path[0] not in moved:
            moved[path[0]] = spread(zero_tangent(values[spot]), count)
        owner = moved[path[0]]
        for _, attribute in path[1:-1]:
            owner = getattr(owner, attribute)
        object.__setattr__(owner, path[-1][1], tangent)
    given = [*values, *variant.seeds.values(), *[moved[path[0]] for path in variant.paths]]
    found = batched.main(*[given[k] for k in variant.order_of_main])
    value, part = (None, found) if variant.form == "tangent" else found
    derived = variant.request.derived
    if derived is None:
        return value, list(_parts(part, value, count))
    if value is not None:
        value = derived.settled(value, values)
    # A gradient has the structure of what it is the gradient with respect to.
    arguments = derived.arguments_of(values)
    if len(arguments) == 1:
        bare = derived.settles_in_a_tuple(values)
        part = part if bare else (part,)
    return value, list(_parts(part, arguments, count))


def pull_each(variant: Variant, ran: tuple[Any, Any], arguments: tuple[Any, ...]) \
        -> Callable[[Any, int], list[np.ndarray]]:
    """The pullback of a batch of cotangents: for each number or array in the arguments the batch of
    its cotangents; ran: the value and what is saved.

    Raises TangentError where there is no form for batches.
    """
    value, saved = ran
    batched = pulling(variant, saved, value)

    def pull(cotangents: Any, count: int) -> list[np.ndarray]:
        found = batched.main(saved, cotangents)
        return list(_parts(found if len(variant.paths) > 1 else (found,), arguments, count))

    return pull


def _parts(batch: Any, value: Any, count: int) -> Iterator[np.ndarray]:
    """For each number or array of a value its part of a batch, in its dtype and for each direction.
    """
    if is_leaf(value):
        part = np.asarray(0.0 if batch is None else batch)
        shape = np.shape(value)
        if part.ndim == len(shape) or (batch is None):
            part = part[np.newaxis]
        dtype = np.asarray(value).dtype
        if part.dtype.kind == "c" and dtype.kind == "f":
            part = part.real
        yield np.broadcast_to(part.astype(dtype, copy=False), (count, *shape))
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _parts(_at(batch, key), one, count)
    elif isinstance(value, (tuple, list)):
        for number, one in enumerate(value):
            yield from _parts(_at(batch, number), one, count)
    elif is_record(value):
        for name, one in attributes(value).items():
            yield from _parts(batch if batch is None or isinstance(batch, float) else
                              _at(batch, name) if isinstance(batch, dict) else
                              getattr(batch, name), one, count)


def _at(batch: Any, key: Any) -> Any:
    return batch if batch is None or isinstance(batch, float) else batch[key]


# Directions -----------------------------------------------------------------------------------
def unit_batches(tree: Any, others: Any = ()) -> Iterator[tuple[Any, int]]:
    """The unit directions of a structure in batches, and how many are in each; others: arrays that
    grow with a batch as well."""
    sizes = [int(np.size(leaf)) for leaf in leaves(tree)]
    total = sum(sizes)
    widest = max([1, *sizes, *[int(np.size(leaf)) for leaf in others]])
    most = max(1, min(total, LARGEST // widest))
    for start in range(0, total, most):
        count = min(most, total - start)
        seen = 0

        def make(leaf: Any, start: int = start, count: int = count) -> Any:
            nonlocal seen
            size, first = int(np.size(leaf)), seen
            seen += size
            dtype = np.asarray(leaf).dtype
            rows = np.zeros((count, size), dtype)
            spots = np.arange(max(first, start), min(first + size, start + count))
            rows[spots - start, spots - first] = 1.0
            return rows.reshape((count, *np.shape(leaf)))

        yield replaced(tree, make, functools.partial(_zeros, count)), count


def _zeros(count: int, other: Any) -> Any:
    """The tangents of what does not vary."""
    return spread(zero_tangent(other), count)
