"""Helpers that are called within an assertion, an f-string or a condition, and change what they are
handed in ways that their text does not show at once."""
import numpy as np
import pytest

import tangent_lite as tl


class Mean:
    """A method that is called as one of arrays is."""

    def __init__(self, v):
        self.v = v

    def mean(self):
        self.v = self.v * 1.5
        return self.v


class Asked:
    """A property, an attribute, items and a length that change what is asked."""

    def __init__(self, v):
        self.v = v

    @property
    def doubled(self):
        self.v = self.v * 2.0
        return self.v

    def __getattr__(self, name):
        if name == "other":
            self.v = self.v * 3.0
            return self.v
        raise AttributeError(name)

    def __getitem__(self, k):
        self.v = self.v * 1.5
        return self.v

    def __contains__(self, v):
        self.v = self.v * 2.5
        return True


class Entered:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        self.v = self.v * 1.5

    def __exit__(self, *_):
        pass


class Itself:
    """Operators that give the object itself."""

    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return self

    def __radd__(self, other):
        return self

    def __iadd__(self, other):
        self.v = self.v * other.v
        return self


def item_in_place(vs, s):
    r = list(vs)
    r[0] *= s
    return r[0][0]


def item_in_place_of_a_dict(v, s):
    r = {"a": v}
    r["a"] += [s]
    return r["a"][0]


def item_put_in_later(v, s):
    r = {}
    r["a"] = v
    r["a"] += [s]
    return r["a"][0]


def item_appended(v, s):
    r = []
    r.append(v)
    r[0] += [s]
    return r[0][0]


def captured_by_a_pattern(d, s):
    r = []
    match d:
        case {"k": r}:
            pass
    r.append(s)
    return r[0]


def calls_mean(o, s):
    return o.mean() * s


def asks_a_property(o, s):
    return o.doubled * s


def asks_an_attribute(o, s):
    return o.other * s


def asks_an_item(o, s):
    return o[0] * s


def asks_what_is_in_it(o, s):
    return s * (2.0 in o)


def enters(o, s):
    with o:
        return s * 2.0


def sums_in_place(os, s):
    r = 0
    for o in os:
        r += o
    return r.v * s


def binds_an_attribute(o, s):
    r = o + 1
    r.v = s * 2.0
    return r.v


def makes_what_keeps(v, s):
    kept = Kept(v)
    return kept.count(s)


class Kept:
    def __init__(self, v):
        self.items = v

    def count(self, s):
        self.items.append(s)
        return len(self.items)


def arrays_of(x):
    return [np.array([x, x * x]), np.ones(2)]


CASES = [
    (item_in_place, arrays_of, lambda o: o[0] @ o[0]),
    (item_in_place_of_a_dict, lambda x: [x, x * x], sum),
    (item_put_in_later, lambda x: [x, x * x], sum),
    (item_appended, lambda x: [x, x * x], sum),
    (captured_by_a_pattern, lambda x: {"k": [x]}, lambda o: sum(o["k"]) * len(o["k"])),
    (calls_mean, Mean, lambda o: o.v),
    (asks_a_property, Asked, lambda o: o.v),
    (asks_an_attribute, Asked, lambda o: o.v),
    (asks_an_item, Asked, lambda o: o.v),
    (asks_what_is_in_it, Asked, lambda o: o.v),
    (enters, Entered, lambda o: o.v),
    (sums_in_place, lambda x: [Itself(x), Itself(x * x)], lambda os: os[0].v),
    (binds_an_attribute, Itself, lambda o: o.v),
    (makes_what_keeps, lambda x: [x, x * x], sum),
]


def asserted(helper, make, asked):
    def f(x):
        o = make(x)
        assert helper(o, x) > -100.0
        return x * x + asked(o) * x
    return f


def as_text(helper, make, asked):
    def f(x):
        o = make(x)
        text = f"{helper(o, x):.1f}"
        return x * x + asked(o) * x * (len(text) > 0)
    return f


def as_a_condition(helper, make, asked):
    def f(x):
        o = make(x)
        r = x
        if helper(o, x) > -100.0:
            r = x * x
        return r + asked(o) * x
    return f


def in_a_generator(helper, make, asked):
    def f(x):
        o = make(x)
        r = sum(v for v in (1.0, 2.0) if helper(o, 1.1 * x) > -100.0)
        return r * x + asked(o) * x
    return f


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
@pytest.mark.parametrize("place", [asserted, as_text, as_a_condition, in_a_generator],
                         ids=lambda place: place.__name__)
def test_what_helpers_change_of_what_they_are_handed(place, case):
    f = place(*case)
    slope = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    value, gradient = tl.value_and_grad(f)(0.7)
    assert value == f(0.7) and gradient == pytest.approx(slope, rel=1e-6)
    value, tangent = tl.jvp(f, (0.7,), (1.0,))
    assert value == f(0.7) and tangent == pytest.approx(slope, rel=1e-6)


def says_two(o, s):
    with o:
        return s > 0.0, len("ab")


def test_of_several_results_none_of_which_varies():
    def f(x):
        o = Entered(x)
        is_more, n = says_two(o, x)
        return o.v * x * n if is_more else x

    assert tl.grad(f)(0.7) == pytest.approx(6.0 * 0.7)
    assert tl.jvp(f, (0.7,), (1.0,))[1] == pytest.approx(6.0 * 0.7)


def counted(vs):
    counts = np.zeros(3)
    shares = [0.0, 0.0]
    for v in vs:
        counts[1] += v
        shares[0] += v * v
    return counts[1] * shares[0] > -1.0


def test_what_is_the_helpers_own_may_change():
    """Such calls stay where they are, and the function goes by names."""
    def f(x, vs):
        assert counted(vs)
        return np.sum(vs * x)

    derivative = tl.grad(f)
    assert derivative(0.7, np.ones(3)) == pytest.approx(3.0)
    assert "counted(vs)" in derivative.source_for(0.7, np.ones(3))
