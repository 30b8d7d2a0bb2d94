"""Classes of all sorts whose objects are arguments, values for them, and how a call is checked."""
import dataclasses
import enum
from typing import Any, NamedTuple

import numpy as np

from tangent_lite.trees import arrays_in
from tests.alike import alike


@dataclasses.dataclass
class Pair:
    x: Any
    y: Any


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: Any
    y: Any


@dataclasses.dataclass
class Slotted:
    __slots__ = ("x", "y")
    x: Any
    y: Any


@dataclasses.dataclass(frozen=True)
class FrozenSlotted:
    __slots__ = ("x", "y")
    x: Any
    y: Any

    def __getstate__(self):
        return self.x, self.y

    def __setstate__(self, state):
        object.__setattr__(self, "x", state[0])
        object.__setattr__(self, "y", state[1])


class Named(NamedTuple):
    x: Any
    y: Any


class Plain:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def times(self, factor):
        return np.sum(self.x * self.y) * factor


class Guarded(Plain):
    """Whose attributes are set by code of its own, which a gradient does not run."""
    sets = 0

    def __setattr__(self, name, value):
        Guarded.sets += 1
        object.__setattr__(self, name, value)


class Child(Plain):
    pass


class Computed:
    """Which has a property that another class holds as an attribute."""
    def __init__(self, w):
        self.w = w

    @property
    def x(self):
        return self.w * 2.0


@dataclasses.dataclass
class Settings:
    x: Any
    y: Any
    n: Any = 2
    name: Any = "text"
    on: Any = True


@dataclasses.dataclass
class Axis:
    x: Any
    axis: Any


class Mode(enum.Enum):
    FAST = 1
    EXACT = 2


class Alone:
    """Of which there is only one: its copy is itself."""
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __copy__(self):
        return self


CLASSES = [Pair, Frozen, Slotted, FrozenSlotted, Named, Plain, Guarded, Child, Settings]


def check(d, *args):
    """One call, which gives what the long way gives, in memory of its own."""
    before = [a.copy() for a in arrays_in(args)]
    found = d(*args)
    variant, values = d.variant_for(args, {})
    wanted = variant.run(values)
    assert alike(found, wanted), (found, wanted)
    gradient = found[1] if d.request.form == "value_and_grad" else found
    made, given = arrays_in(gradient), arrays_in(args)
    for k, array in enumerate(made):
        assert array.flags.writeable
        assert not any(np.shares_memory(array, other) for other in made[:k] + given)
        array += 1.0                            # it is the caller's
    assert all(np.array_equal(a, b) for a, b in zip(before, arrays_in(args)))
    again = d(*args)
    assert alike(again, wanted)
    return again


VALUES = {"floats": lambda: (0.5, 2.0), "arrays": lambda: (np.arange(3.0), np.ones(3)),
          "float32": lambda: (np.arange(3, dtype=np.float32), np.ones(3, np.float32)),
          "mixed": lambda: (2.0, np.arange(3.0)), "empty": lambda: (np.ones(0), np.ones(0)),
          "broadcast": lambda: (np.ones((2, 3)), np.ones(3)),
          "numbers of NumPy": lambda: (np.float64(0.5), np.float32(2.0)),
          "views": lambda: (np.arange(6.0)[::2], np.arange(3.0)[::-1]),
          "whole": lambda: (0.5, 3), "complex": lambda: (0.5, np.zeros(()))}
