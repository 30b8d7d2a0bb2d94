"""Tangents of a value by pullbacks: each number of it has a slope along the tangents."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from tangent_lite.leaves import leaves, leaves_beside, replaced


def from_slopes(value: Any, along: Callable[[Any], float]) -> Any:
    """The tangent of a value, given what a pullback of a seed makes along the tangents. For complex
    numbers the second part takes another seed."""
    return _filled(value, iter([along(seed) if not is_turned else -along(seed)
                                for seed, is_turned in _unit_seeds(value)]))


def along(gradients: Iterable[Any], tangents: Iterable[Any]) -> float:
    """The slope along tangents: the sum of the products of gradients with them."""
    return sum((np.real(np.sum(g * t)) for part, tangent in zip(gradients, tangents)
                for g, t in zip(leaves(part), leaves_beside(tangent, part))), 0.0)


def _unit_seeds(value: Any) -> Iterator[tuple[Any, bool]]:
    """One for each number of a value, and zero for the others; for a complex number i as well."""
    for number, leaf in enumerate(leaves(value)):
        for spot in np.ndindex(np.shape(leaf)):
            for unit in (1.0, 1j) if np.iscomplexobj(leaf) else (1.0,):
                yield _with_one(value, number, spot, unit), unit == 1j


def _with_one(value: Any, number: int, spot: tuple[int, ...], unit: Any) -> Any:
    counter = itertools.count()

    def make(leaf: Any) -> Any:
        here = next(counter) == number
        if not isinstance(leaf, np.ndarray):
            return unit if here else 0.0
        made = np.zeros_like(leaf)
        if here:
            made[spot] = unit
        return made
    return replaced(value, make)


def _filled(value: Any, slopes: Iterator[float]) -> Any:
    """The structure of a value with these numbers, None for what cannot vary."""
    def make(leaf: Any) -> Any:
        count = np.size(leaf) * (2 if np.iscomplexobj(leaf) else 1)
        numbers = np.array(list(itertools.islice(slopes, count)), float)
        if np.iscomplexobj(leaf):
            numbers = numbers[::2] + 1j * numbers[1::2]
        if isinstance(leaf, np.ndarray):
            return numbers.reshape(leaf.shape).astype(leaf.dtype)
        return type(leaf)(numbers[0])
    return replaced(value, make)
