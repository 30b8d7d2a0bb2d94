"""Objects of classes with `__slots__` are followed by names, as those with a `__dict__` are."""
import math
from dataclasses import dataclass

import numpy as np
import pytest

import tangent_lite as tl

X = [1.3, 0.7, 0.9, 1.1]


class Quaternion:
    __slots__ = ("w", "x", "y", "z")

    def __init__(self, w, x, y, z):
        self.w, self.x, self.y, self.z = w, x, y, z

    def __mul__(self, o):
        return Quaternion(self.w * o.w - self.x * o.x - self.y * o.y - self.z * o.z,
                          self.w * o.x + self.x * o.w + self.y * o.z - self.z * o.y,
                          self.w * o.y - self.x * o.z + self.y * o.w + self.z * o.x,
                          self.w * o.z + self.x * o.y - self.y * o.x + self.z * o.w)

    def conjugate(self):
        return Quaternion(self.w, -self.x, -self.y, -self.z)

    def normalized(self):
        n = math.sqrt(self.w ** 2 + self.x ** 2 + self.y ** 2 + self.z ** 2)
        return Quaternion(self.w / n, self.x / n, self.y / n, self.z / n)


def turned(x):
    q = Quaternion(x[0], x[1], x[2], x[3])
    w = Quaternion(1.0, 0.01, 0.02, 0.03)
    for _ in range(5):
        q = (q * w).normalized()
    r = q * Quaternion(0.0, 1.0, 0.0, 0.0) * q.conjugate()
    return r.x + 2.0 * r.y


class Body:
    __slots__ = ("__mass", "v", "x")

    def __init__(self, x, v, mass=1.0):
        self.x, self.v, self.__mass = x, v, mass

    def step(self, h):
        self.v -= h * self.x / self.__mass
        self.x += h * self.v


class Damped(Body):
    __slots__ = ("friction", "last")            # `last` is given later

    def __init__(self, x, v, friction):
        super().__init__(x, v, 2.0)
        self.friction = friction

    def step(self, h):
        self.last = self.v
        self.v *= 1.0 - h * self.friction
        super().step(h)


class Free(Damped):                             # without slots: has a __dict__ as well
    def __init__(self, x, v):
        super().__init__(x, v, 0.1)
        self.count = 0


def stepped(x):
    body, damped, free = Body(x[0], x[1]), Damped(x[1], x[2], x[3]), Free(x[2], 1.0)
    for _ in range(4):
        body.step(0.1)
        damped.step(0.1)
        free.step(0.1)
        free.count += 1
    return body.x * damped.v * free.x * free.count + damped.last


def listed(x):
    bodies = [Body(v, 1.0, v) for v in x]
    for _ in range(3):
        for body in bodies:
            body.step(0.1)
    return sum(body.x * body.v for body in bodies)


@dataclass(slots=True)
class Gained:
    x: float
    gain: float = 2.0

    def __post_init__(self):
        self.gain = self.gain * self.x


def gained(x):
    first, other = Gained(x[0]), Gained(x[1], x[2])
    for _ in range(3):
        first.x += other.gain
    return first.x * first.gain * other.gain


@pytest.mark.parametrize("f", [turned, stepped, listed, gained])
def test_slots_are_followed_by_names(f):
    tl.check_grads(f, (X,), order=2)
    gradient = tl.grad(f)
    gradient(X)
    assert not gradient._latest.by_identity


def test_no_objects_are_made():
    source = tl.grad(turned).source_for(X)
    assert "instance" not in source
    assert "__mul__" not in source
    assert "w_x = 0.01" in source               # numbers that are written out have names, too


def without_room(x):
    body = Body(x[0], x[1])
    body.colour = x[2]
    return body.colour * body.x


def never_given(x):
    damped = Damped(x[0], x[1], 1.0)
    for v in x:
        if v > 100.0:
            damped.last = v
    return damped.x + damped.last


def shown(x):
    damped = Damped(x[0], x[1], 1.0)
    for v in x:
        if v > 100.0:
            damped.last = v
    last = damped.last
    return damped.x * (1.0 if last is None else 2.0)


@pytest.mark.parametrize("f", [without_room, shown])
def test_what_is_not_there_raises_what_python_raises(f):
    with pytest.raises(AttributeError) as expected:
        f(X)
    with pytest.raises(AttributeError, match=str(expected.value).rpartition(".")[2]):
        tl.grad(f)(X)


def test_what_is_never_given_is_not_computed_with():
    """The gradient alone needs no such sum: see docs/limitations.md."""
    with pytest.raises((AttributeError, TypeError)):
        tl.value_and_grad(never_given)(X)
    with pytest.raises((AttributeError, TypeError)):
        tl.jvp(never_given, (X,), (X,))


@pytest.mark.parametrize("f", [turned, stepped, listed])
@pytest.mark.sweep(3)
def test_compiled(f):
    pytest.importorskip("numba")
    assert np.allclose(tl.grad(f, backend="numba")(X), tl.grad(f)(X), rtol=1e-12)
