"""match: every pattern, for arguments of every kind."""
import dataclasses
import math
from typing import NamedTuple

import numpy as np
import pytest

import tangent_lite as tl
from tests.passes.effects import holds


@dataclasses.dataclass
class Circle:
    r: float


@dataclasses.dataclass
class Rect:
    w: float
    h: float = 2.0


class Pair(NamedTuple):
    x: float
    y: float


class Mode:
    FAST = "fast"
    SLOW = "slow"


def classes(x, shape):
    match shape:
        case Circle(r):
            return math.pi * r * r * x
        case Rect(w, h=hh) if w > 1:
            return w * hh * x
        case Rect(w=w):
            return w * x
        case _:
            return -x


def values(x, how):
    match how:
        case Mode.FAST:
            y = x * 2
        case "a" | "b":
            y = x * x
        case None:
            y = x * 3
        case True:
            y = x * 4
        case 0:
            y = x * 5
        case int(n) if n > 5:
            y = x * n
        case int() | float():
            y = x * 6
        case str() as s:
            y = x * len(s)
        case _:
            y = x * 7
    return y


def containers(x, p):
    match p:
        case [a, b]:
            return a * b * x
        case [a, *rest]:
            return a * len(rest) * x
        case []:
            return x
        case {"k": k, **others}:
            return k * x * len(others)
        case {"z": [u, v]}:
            return u * v * x
    return 100 * x


def in_a_loop(xs):
    s = 0.0
    for v in xs:
        match v:
            case 0:
                continue
            case z if z < 0:
                s = s - z
            case z if z > 100:
                break
            case _:
                s = s + v * v
        s = s * 1.1
    return s


def namedtuples(x, pt):
    match pt:
        case Pair(0, y):
            return y * x
        case Pair(x=a, y=b) if a > b:
            return a * x
        case [a, b]:
            return (a + b) * x * x


def what_split_gives(x, cmd):
    match cmd.split():
        case ["scale", k]:
            return x * float(k)
        case _:
            return x


def several_subjects(x, y):
    match (x, y):
        case [a, b] if a > b:
            return a * b
        case [a, _]:
            return a * a


def capture_stays(x, n):
    z = 5
    match n:
        case z if z > 3:
            pass
        case 1:
            pass
        case _:
            z = z * 10
    return x * z


def nested(x, v):
    match v:
        case [1, [2, q]] | [2, [q, _]]:
            return x * q
        case [[a, b], c]:
            return x * a * b * c
        case _:
            return x


def keys(p):
    match p:
        case {"w": w, "b": b}:
            return w * w + b
        case {"w": w}:
            return w * 3


def computed_subject(x):
    match x * x:
        case y if y > 4.0:
            return y * x
        case y:
            return y * 2


@pytest.mark.parametrize("function, args", [
    *((classes, (s,)) for s in (Circle(3.0), Rect(3.0), Rect(0.5), "square")),
    *((values, (how,)) for how in ("fast", "a", "b", None, True, 0, 7, 3, 2.5, "abc", (1,))),
    *((containers, (p,)) for p in (
        (3.0, 4.0), [3.0, 4.0], (1.0, 2.0, 3.0), [1.0, 2.0, 3.0], [], {"k": 3.0, "j": 1},
        {"z": (1.0, 2.0)}, "ab", 5, np.ones(2), range(2), range(3))),
    *((namedtuples, (p,)) for p in (
        Pair(0, 3.0), Pair(4.0, 3.0), Pair(1.0, 3.0), (1.0, 2.0))),
    *((what_split_gives, (text,)) for text in ("scale 3", "no", "scale 3 4")),
    (several_subjects, (1.0,)), (several_subjects, (5.0,)),
    *((capture_stays, (n,)) for n in (4, 1, 0)),
    *((nested, (v,)) for v in ([1, [2, 3]], [2, [3, 4]], [[1, 2], 3], (1, (2, 5)), [1])),
    (computed_subject, ()), ])
def test_holds(function, args):
    holds(function, 2.5, *args)
    holds(function, 1.5, *args)


def test_in_a_loop():
    holds(in_a_loop, np.array([1.0, -2.0, 3.0, 200.0, 4.0]))
    holds(in_a_loop, np.array([1.0, -2.0]))


def test_gradients_of_what_is_matched():
    assert tl.grad(classes, wrt=1)(2.0, Rect(3.0)) == Rect(4.0, 6.0)
    assert tl.grad(keys)({"w": 2.0, "b": 1.0}) == {"w": 4.0, "b": 1.0}
    assert tl.grad(keys)({"w": 2.0}) == {"w": 3.0}


def test_kinds_decide():
    text = tl.grad(classes).source_for(2.0, Rect(3.0))
    assert "isinstance" not in text and "math" not in text


class Asked:
    @property
    def side(self):
        return 2.0


def asks_a_property(x, shape):
    match shape:
        case Asked(side=s):
            return s * x
    return x


def test_a_property_is_refused():
    with pytest.raises(tl.UnsupportedSyntaxError, match="is a property"):
        tl.grad(asks_a_property)(2.0, Asked())


def drawn():
    print("drawn")
    return 3


def evaluated_once(x):
    match drawn():
        case 1:
            return x
        case 2 | 3:
            return x * x
    return 0.0 * x


def test_the_subject_is_evaluated_once():
    holds(evaluated_once, 2.0)
