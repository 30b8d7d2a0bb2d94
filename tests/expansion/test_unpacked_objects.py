"""`a, b = point` of objects whose classes say in Python how they are gone through."""
import pytest

import tangent_lite as tl

X = [1.3, 0.7, 0.9, 1.1]


class Point:
    def __init__(self, x, y):
        self.x, self.y, self.asked = x, y, 0

    def __add__(self, o):
        return type(self)(self.x + o.x, self.y * o.y)


class Yielding(Point):
    def __add__(self, o):
        return Yielding(self.x + o.x, self.y * o.y)

    def __iter__(self):
        """The coordinates, one twice as large."""
        yield self.x * 2.0
        yield self.y


class Iterator(Point):
    def __add__(self, o):
        return Iterator(self.x + o.x, self.y * o.y)

    def __iter__(self):
        return iter((self.x * 2.0, self.y))


class Looping(Point):
    def __iter__(self):
        for v in (self.x, self.y):
            yield v * v


class Changing(Point):
    def __iter__(self):
        self.asked += 1
        yield self.x * self.asked
        self.x = self.x * 3.0
        yield self.y * self.x


def steps(kind):
    def f(x):
        p, q = kind(x[0], x[1]), kind(x[2], x[3])
        s = 0.0
        for _ in range(3):
            a, b = p
            p = p + q
            b, a = q
            s += a * b
        p_x, p = p
        return s * p_x + p
    return f


def looping(x):
    a, b = Looping(x[0], x[1])
    return a * b


def changing(x):
    p = Changing(x[0], x[1])
    a, b = p
    c, d = p
    return a * b * c * d * p.asked * p.x


@pytest.mark.parametrize("f", [steps(Yielding), steps(Iterator), looping, changing])
def test_by_names(f):
    tl.check_grads(f, (X,), order=2)
    gradient = tl.grad(f)
    gradient(X)
    assert not gradient._latest.by_identity


def too_many(x):
    a, b, c = Yielding(x[0], x[1])
    return a * b * c


def too_few(x):
    a, = Iterator(x[0], x[1])
    return a * a


@pytest.mark.parametrize("f", [too_many, too_few])
def test_what_does_not_fit_raises_what_python_raises(f):
    with pytest.raises(ValueError, match="values to unpack") as expected:
        f(X)
    with pytest.raises(ValueError, match="values to unpack") as found:
        tl.grad(f)(X)
    assert str(found.value) == str(expected.value)
