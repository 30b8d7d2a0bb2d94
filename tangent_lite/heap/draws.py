"""Random numbers in functions that are run several times for one derivative.

A second derivative by identity runs the function again, with tangents. What it draws then has to be
what it drew before: so each run notes the generators that it draws from, as they were before the
first draw. Another run begins with them as they were then, and leaves them as it found them; what
the first one printed it does not print again.
"""
from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
MAKERS: tuple[Any, ...] = (np.random.default_rng, np.random.RandomState, random.Random)


class Draws:
    """The generators that a run draws from, as they were before it.

    around: those of the run in which a derivative is taken that runs a function.
    """

    def __init__(self, around: Draws | None = None) -> None:
        self.around = around
        self.before: dict[int, tuple[Any, Any]] = {}
        self.made: list[Any] = []           # as what generators began that the function made
        self.count = 0                      # how many of them this run has made
        self.is_done = False                # whether the function has run to its end
        self.repeats = False                # whether this run is not the first one

    def note(self, generator: Any) -> None:
        """A number is about to be drawn."""
        if self.around is not None:
            self.around.note(generator)
        if id(generator) not in self.before:
            self.before[id(generator)] = generator, state_of(generator)

    def begin(self, generator: Any) -> None:
        """A generator was made; without a seed it would be another one in each run."""
        if self.count < len(self.made):
            put(generator, self.made[self.count])
        else:
            if self.around is not None:
                self.around.begin(generator)
            self.made.append(state_of(generator))
        self.count += 1

    @contextlib.contextmanager
    def run(self) -> Iterator[None]:
        """A run of the function: the first one, or one more, which draws the same numbers."""
        outer = self.around is not None and self.around.repeats
        self.repeats, self.count = self.is_done or outer, 0
        after = [(one, state_of(one)) for one, _ in self.before.values()] if self.is_done else []
        for generator, state in self.before.values():
            put(generator, state)
        try:
            yield
            self.is_done = True
        finally:
            for generator, state in after:
                put(generator, state)


def state_of(generator: Any) -> Any:
    """Where a generator stands, whatever it is: NumPy's, new or old, or Python's."""
    if isinstance(generator, np.random.Generator):
        return generator.bit_generator.state
    return generator.get_state() if isinstance(generator, np.random.RandomState) \
        else generator.getstate()


def put(generator: Any, state: Any) -> None:
    """Have a generator go on from a state."""
    if isinstance(generator, np.random.Generator):
        generator.bit_generator.state = state
    elif isinstance(generator, np.random.RandomState):
        generator.set_state(state)
    else:
        generator.setstate(state)
