"""Objects that are made and changed without their `__init__`, for all sorts of classes."""
import dataclasses

import numpy as np
import pytest

from tangent_lite.runtime.objects import Tangents, blank, instance, replaced


class Ordinary:
    kept = 1.0

    def __init__(self, x):
        self.x = x


class Child(Ordinary):
    pass


class CopiesItself(Ordinary):
    def __copy__(self):
        raise AssertionError("an assignment to an attribute copies nothing")

    def __getstate__(self):
        raise AssertionError("nor does it pickle")


class Slots:
    __slots__ = ("x", "y")

    def __init__(self, x):
        self.x = x


class SlotsAndMore:
    __slots__ = ("x", "__dict__")

    def __init__(self, x):
        self.x = x


class SlotOfItsOwn(Ordinary):
    __slots__ = ("z",)

    def __init__(self, x):
        self.x, self.z = x, 3.0


class NoWeakReferences:
    __slots__ = ("__dict__",)

    def __init__(self, x):
        self.x = x


class Named(dict):
    def __init__(self, x):
        super().__init__(k=x)
        self.x = x


class Number(int):
    pass


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: float


CLASSES = [Ordinary, Child, CopiesItself, Slots, SlotsAndMore, SlotOfItsOwn, NoWeakReferences,
           Named, Frozen]


@pytest.mark.parametrize("cls", CLASSES)
def test_replaced_leaves_the_object_and_keeps_the_rest(cls):
    thing = cls(2.0)
    if cls is not Frozen and cls is not Slots:
        thing.more = held = np.ones(2)
    other = replaced(thing, x=5.0)
    assert type(other) is cls and (thing.x, other.x) == (2.0, 5.0)
    if hasattr(thing, "more"):
        assert other.more is held
        other.later = 1.0
        assert not hasattr(thing, "later")
    if cls is SlotOfItsOwn:
        assert other.z == 3.0
    if cls is Named:
        assert dict(other) == {"k": 2.0}


def test_replaced_of_other_things():
    number = Number(3)
    number.x = 1.0
    assert replaced(number, x=2.0) == 3 and replaced(number, x=2.0).x == 2.0
    tangent = replaced(None, x=2.0)
    assert type(tangent) is Tangents and tangent.x == 2.0 and tangent.y == 0.0


def test_an_instance_has_the_attributes_that_it_is_given():
    made = instance(Ordinary, x=1.0, cls=2.0)
    assert type(made) is Ordinary and (made.x, made.cls, made.kept) == (1.0, 2.0, 1.0)
    assert vars(blank(Ordinary)) == {}
    assert instance(Frozen, x=2.0) == Frozen(2.0)
