"""The numbers and arrays that may vary in a nested structure, and structures built of others."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangent_lite.errors import InputError
from tangent_lite.records import with_parts
from tangent_lite.runtime.duck import is_duck
from tangent_lite.runtime.sparse import is_sparse
from tangent_lite.runtime.tangents import attributes, bare, is_record


def is_leaf(value: Any) -> bool:
    """Whether a value is a number or an array that may vary."""
    if isinstance(value, np.ndarray) or is_duck(value):
        return value.dtype.kind in "fcO"
    return isinstance(value, (float, complex, np.floating, np.complexfloating))


def leaves(tree: Any) -> Iterator[Any]:
    """The numbers and arrays that may vary, in order.

    >>> list(leaves({"a": (1.0, 2), "b": ["text", 3.0]}))
    [1.0, 3.0]
    """
    if is_leaf(tree):
        yield tree
    elif isinstance(tree, dict):
        for part in tree.values():
            yield from leaves(part)
    elif isinstance(tree, (tuple, list)):
        for part in tree:
            yield from leaves(part)
    elif is_record(tree):
        for part in attributes(tree).values():
            yield from leaves(part)


def leaves_beside(tree: Any, like: Any) -> Iterator[Any]:
    """The parts of a structure where another one has its leaves: a tangent of a number that cannot
    vary is 0.0, a leaf by itself.

    >>> list(leaves_beside({"a": 0.0, "b": 1.0}, {"a": 3, "b": 2.0}))
    [1.0]
    """
    if is_leaf(like):
        yield tree
    elif isinstance(like, dict):
        for key, part in like.items():
            yield from leaves_beside(tree[key], part)
    elif isinstance(like, (tuple, list)):
        for part, other in zip(tree, like):
            yield from leaves_beside(part, other)
    elif is_record(like):
        for name, part in attributes(like).items():
            yield from leaves_beside(getattr(tree, name), part)


def refuse_matrices(tree: Any, what: str) -> None:
    """Refuse matrices of scipy.sparse where all numbers are needed one by one."""
    if is_sparse(tree):
        raise InputError(f"{what} goes through all numbers, and does not take a matrix of "
                         "scipy.sparse apart", None,
                         "take grad, vjp, jvp or hvp, or use the numbers that it is made of")
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, (tuple, list)) \
        else attributes(tree).values() if is_record(tree) else ()
    for part in parts:
        refuse_matrices(part, what)


def replaced(tree: Any, make: Callable[[Any], Any],
             other: Callable[[Any], Any] = lambda value: None) -> Any:
    """The structure with make(leaf) for each leaf, and other(value), None, for what cannot vary.

    >>> replaced({"a": (1.0, 2), "b": ["text", 3.0]}, lambda x: 10.0 * x)
    {'a': (10.0, None), 'b': [None, 30.0]}
    """
    if is_leaf(tree):
        return make(tree)
    if isinstance(tree, dict):
        return {key: replaced(part, make, other) for key, part in tree.items()}
    if isinstance(tree, (tuple, list)):
        parts = [replaced(part, make, other) for part in tree]
        return with_parts(tree, parts)
    if is_record(tree):
        made = bare(type(tree))
        for name, part in attributes(tree).items():
            object.__setattr__(made, name, replaced(part, make, other))
        return made
    return other(tree)


def unit_directions(tree: Any, other: Callable[[Any], Any] = lambda value: None) -> Iterator[Any]:
    """The structure with one in one place and zeros elsewhere, for each place of each leaf."""
    for number, leaf in enumerate(leaves(tree)):
        shape = np.shape(leaf)
        for spot in np.ndindex(shape):
            counter = iter(range(1 << 62))

            def make(other: Any, counter: Any = counter, number: int = number,
                     spot: Any = spot) -> Any:
                one: Any = np.zeros_like(other) if isinstance(other, np.ndarray) else 0.0
                if next(counter) == number:
                    if isinstance(other, np.ndarray):
                        one[spot] = 1.0
                    else:
                        one = 1.0
                return one

            yield replaced(tree, make, other)
