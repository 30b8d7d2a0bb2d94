"""Which functions leave all as it is: what their texts tell, and what they read outside."""

import functools
import itertools
import math

import numpy as np
import pytest

from tangent_lite import syntax
from tangent_lite.analyses import unseen
from tangent_lite.analyses.called_back import called_back
from tangent_lite.analyses.unseen import leaves_all
from tests.analyses.changing import Log, Watchful, put, put_item, scale


def is_positive(xs):
    total = 0.0
    for x in xs:
        total += x
    found = [x for x in xs if x > 0.0]
    found.append(total)
    return len(found) > 0 and np.isfinite(found[-1])


def calls_one_that_changes(xs):
    return put(xs, 1.0)


def executes(text):
    space = {}
    exec(text, space)
    return space["f"]


def calls_itself(n):
    return n < 1 or calls_itself(n - 1)


def captures():
    seen = []

    def f(v):
        seen.append(v)
        return True
    return f


def is_near(xs, ys):
    scaled = np.asarray(xs) / max(abs(y) for y in ys)
    return bool(np.all(np.abs(scaled) < 1.0)), ", ".join(str(x) for x in xs)


def in_place(xs):
    ys = xs
    ys *= 2.0
    return True


def of_a_loop_variable(rows):
    for row in rows:
        row[0] = 1.0
    return True


def from_one_of_its_own(xs):
    mine = [xs]
    mine[0].append(1.0)
    return True


@pytest.mark.parametrize("function, leaves", [
    (is_positive, True), (is_near, True), (calls_itself, True), (executes, False), (put, False),
    (put_item, False), (scale, False), (calls_one_that_changes, False), (captures(), False),
    (in_place, False), (of_a_loop_variable, False), (from_one_of_its_own, False),
    (Log.put, False), (Log.add, False), (Watchful.__str__, False), (Watchful.__init__, False)])
def test_what_a_text_tells(function, leaves):
    assert leaves_all(function) is leaves


class Quiet:
    def __str__(self):
        return "quiet"


class Loud(Quiet):
    def __str__(self):
        LOUD.count = 1
        return "loud"


QUIET, LOUD = Quiet(), Loud()
BOTH, ONE = {"both": [QUIET, LOUD]}, [QUIET]
MEANT = QUIET


def says_quiet():
    return str(QUIET)


def says_loud():
    return f"{LOUD}"


def says_one():
    return str(ONE[0])


def says_both():
    return [str(one) for one in BOTH["both"]]


def says_default(log=LOUD):
    return str(log)


def says(log):
    def inner():
        return str(log)
    return inner


def says_meant():
    return str(MEANT)


def first_of_two(n):
    return second_of_two(n - 1) if n else put([], n)


def second_of_two(n):
    global MEANT
    if n > 5:
        MEANT = LOUD
    return first_of_two(n)


@pytest.mark.parametrize(("function", "leaves"), [
    (says_quiet, True), (says_loud, False), (says_one, True), (says_both, False),
    (says_default, False), (says(QUIET), True), (says(LOUD), False), (says(3.0), True),
    (first_of_two, False), (second_of_two, False)])
def test_what_is_read_outside(function, leaves):
    assert leaves_all(function) is leaves
    assert leaves_all(function) is leaves       # as it was noted


def test_what_a_name_means_now(monkeypatch):
    assert leaves_all(says_meant)
    monkeypatch.setitem(globals(), "MEANT", LOUD)
    assert not leaves_all(says_meant)
    monkeypatch.setitem(globals(), "ONE", [LOUD])
    assert not leaves_all(says_one)


class Scaled:
    def __init__(self, value, scale=1.0):
        self.value = value * scale


def test_each_function_is_asked_for_once_while_a_derivative_is_written(monkeypatch):
    """Also one with defaults, of which another function of the same text may have others."""
    asked = []
    looks = unseen._leaves_all
    monkeypatch.setattr(unseen, "_leaves_all", lambda *given: asked.append(1) or looks(*given))
    with unseen.keeping():
        answers = [unseen.leaves_all(Scaled.__init__, Scaled, True) for _ in range(3)]
    assert answers == [True] * 3 and len(asked) == 1
    unseen.leaves_all(Scaled.__init__, Scaled, True)
    assert len(asked) == 2


# What a text calls by a name is what that means there: a parameter, or what a comprehension binds.
def writes_into_its_parameter(log):
    a = [0.0]

    def put(a):
        a[0] = 5.0

    put(log)


def grows_its_parameter(log):
    a = 0.0

    def put(a):
        a += 1.0

    put(log)


def calls_a_parameter_like_a_builtin(log):
    def put(len):
        return len(2.0)

    put(log.append)


def calls_what_a_comprehension_binds(log):
    return [len(2.0) for len in [log.append]]


def maps(log):
    return list(map(log.append, [1.0]))


def sorts_by(key, log):
    return sorted(log, key=key)


def reads_until(log):
    for _ in iter(log.pop, 3):
        pass


def keeps_to_itself(log):
    seen = []

    def put(v):
        return v * 2.0

    return max(map(put, log)) + len(list(map(seen.append, log))) + sorted(log, key=abs)[0]


@pytest.mark.parametrize("function", [
    writes_into_its_parameter, grows_its_parameter, calls_a_parameter_like_a_builtin,
    calls_what_a_comprehension_binds, maps, sorts_by, reads_until])
def test_what_may_change_something(function):
    assert not leaves_all(function)


def test_what_changes_nothing():
    assert leaves_all(keeps_to_itself)


# What goes through an object, a function that yields, changes nothing if it only reads.
class Pair:
    def __init__(self, x):
        self.x, self.log = x, []

    def __iter__(self):
        for k in range(2):
            v = self.x * k
            yield v
        yield from [self.x, v]

    def items(self):
        yield self.x


class Counted(Pair):
    def __iter__(self):
        self.x = self.x + 1.0
        yield self.x


class Logged(Pair):
    def __iter__(self):
        self.log.append(1.0)
        yield self.x


class Growing(Pair):
    """The list that it gave out has become another when the next is asked for."""

    def __iter__(self):
        given = [self.x]
        yield given
        given.append(2.0)
        yield given


@pytest.mark.parametrize(("owner", "name", "leaves"), [
    (Pair, "__iter__", True), (Counted, "__iter__", False), (Logged, "__iter__", False),
    (Growing, "__iter__", False), (Pair, "items", False)])
def test_what_yields(owner, name, leaves):
    assert leaves_all(getattr(owner, name), owner) is leaves


def spreads_numbers(xs):
    return math.hypot(*xs) + max(*xs) + np.hypot(*xs[:2])


def spreads_what_is_called(given):
    return [*map(*given)], list(itertools.accumulate(*given)), functools.reduce(*given)


@pytest.mark.parametrize("function, leaves", [(spreads_numbers, True),
                                              (spreads_what_is_called, False)])
def test_what_is_spread(function, leaves):
    assert leaves_all(function) is leaves


@pytest.mark.parametrize("function", [map, filter, iter, functools.reduce, itertools.accumulate,
                                      itertools.groupby, np.piecewise, np.vectorize])
def test_what_calls_something_that_it_is_given_may_call_what_is_spread(function):
    call = syntax.parse_expression("f(*given, g)")
    assert call.args[0] in called_back(call, function)
