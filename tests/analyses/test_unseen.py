"""Calls that no statement shows, in comprehensions, assertions, f-strings: what they change."""

import bisect
import heapq
import linecache
import sys
import types
import zlib

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.analyses import unseen
from tangent_lite.analyses.unseen import leaves_all
from tests.heap.forced import by_identity


def put(log, v):
    log.append(v)
    return False


def put_item(d, key, v):
    d[key] = v
    return False


def scale(a, v):
    a *= v
    return False


class Log:
    def __init__(self):
        self.kept, self.total = [], 0.0

    def put(self, v):
        self.kept.append(v)
        return False

    def add(self, v):
        self.total += v
        return False


class Watchful:
    """It changes when it is looked at."""

    def __init__(self, x):
        self.x = x

    def __bool__(self):
        self.x = self.x * 2.0
        return True

    def __eq__(self, other):
        self.x = self.x + other
        return True

    def __str__(self):
        self.x = self.x * 3.0
        return ""

    def __len__(self):
        self.x = self.x * self.x
        return 2

    def __iter__(self):
        self.x = self.x * 5.0
        return iter([1.0, 2.0])


# Statements by which `seen` becomes [x, 2 x], or holds more; each is a program of its own.
CHANGES = """
any(seen.append(v) for v in [x, 2.0 * x])
all(seen.append(v) or True for v in [x, 2.0 * x])
n = len([seen.append(v) for v in [x, 2.0 * x]])
n = {seen.append(v) for v in [x, 2.0 * x]}
n = {k: seen.append(v) for k, v in enumerate([x, 2.0 * x])}
n = dict((k, seen.append(v)) for k, v in enumerate([x, 2.0 * x]))
n = tuple(seen.append(v) for v in [x, 2.0 * x])
n = sum(1 for v in [x, 2.0 * x] if seen.append(v) is None)
n = sum(1 for v in [x, 2.0 * x] for _ in [seen.append(v)])
n = max((seen.append(v) or 1 for v in [x, 2.0 * x]), default=0)
n = " ".join(str(seen.append(v)) for v in [x, 2.0 * x])
n = np.array([seen.append(v) is None for v in [x, 2.0 * x]]).sum()
n = f"{seen.append(x)} {seen.append(2.0 * x)}"
assert not any(seen.append(v) for v in [x, 2.0 * x])
assert seen.append(x) is None and seen.append(2.0 * x) is None
print(end="" if any(seen.append(v) for v in [x, 2.0 * x]) else "")
seen.append(0.0 if any(seen.append(v) for v in [x, 2.0 * x]) else 1.0)
any(put(seen, v) for v in [x, 2.0 * x])
n = {put(seen, v) for v in [x, 2.0 * x]}
n = f"{put(seen, x)} {put(seen, 2.0 * x)}"
assert not put(seen, x) and not put(seen, 2.0 * x)
n = x if put(seen, x) or put(seen, 2.0 * x) else 2.0
seen += [0.0, 0.0]; any(put_item(seen, k, v) for k, v in enumerate([x, 2.0 * x]))
log = Log(); any(log.put(v) for v in [x, 2.0 * x]); seen = log.kept
log = Log(); any(log.add(v) for v in [x, 2.0 * x]); seen = [log.total, x]
log = Log(); n = f"{log.put(x)}{log.put(2.0 * x)}"; seen = log.kept
a = np.ones(3); any(a.fill(v) for v in [x, 2.0 * x]); seen = a
a = np.ones(3); any(scale(a, v) for v in [x, 2.0 * x]); seen = a
a = np.ones(3); any(np.add.at(a, [0], v) for v in [x, 2.0 * x]); seen = a
a = np.ones(3) * x; n = len([np.multiply(a, v, out=a) for v in [x, 2.0 * x]]); seen = a
a = np.ones(3) * x; any(np.copyto(a[:1], a[1:2] * v) for v in [x, 2.0 * x]); seen = a
a = [x, 2.0 * x, 3.0 * x, x]; n = any(a.pop() > 100.0 for _ in range(2)); seen = a
d = {}; n = {k: d.setdefault(k, x * k) for k in range(3)}; seen = [d[1], d[2]]
d = {}; n = any(d.update({k: x * k}) for k in range(3)); seen = [d[1], d[2]]
d = {}; n = any(put_item(d, k, x * k) for k in range(3)); seen = [d[1], d[2]]
seen.append(x); seen.append(x); seen.__setitem__(0, x * x)
n = any(heapq.heappush(seen, v) for v in [x, 2.0 * x])
n = [bisect.insort(seen, v) for v in [x, 2.0 * x]]
w = Watchful(x); n = 1.0 if w else 2.0; seen = [w.x, w.x]
w = Watchful(x); n = f"{w}"; seen = [w.x, x]
w = Watchful(x); n = str(w); seen = [w.x, x]
w = Watchful(x); n = len(w); seen = [w.x, x]
w = Watchful(x); n = any(v > 0.0 for v in w); seen = [w.x, x]
w = Watchful(x); assert w; seen = [w.x, x]
w = Watchful(x); n = not w; seen = [w.x, x]
""".strip().splitlines()
# In loops, where a value that nobody wants is kept all the same.
LOOPS = """
d = {}; n = {}
for k in range(3): n[k] = d.setdefault(k, x * k)
seen = [d[1], d[2]]
---
d = {}
for k in range(3): n = d.setdefault(k, x * k)
seen = [d[1], d[2]]
---
d = {}
for k in range(3): n = d.setdefault("ab"[k % 2], x * k) > 0.0
seen = [d["a"] + x, d["b"]]
---
d = {"a": x}
while any(d.update(a=d["a"] * 2.0) or True for _ in range(1)) and d["a"] < 20.0: pass
seen = [d["a"], x]
---
while put(seen, x) or len(seen) < 3: pass
---
for k in range(2 if put(seen, x) else 3): seen.append(x * (k + 1))
""".strip().split("\n---\n")


def made(statements):
    """The function with these statements in it."""
    body = "\n    ".join(statements.replace("; ", "\n").splitlines())
    text = f"def f(x):\n    seen = []\n    {body}\n    return seen[0] * seen[1]\n"
    name = f"<unseen {zlib.crc32(text.encode())}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {**globals(), "heapq": heapq, "bisect": bisect}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def slope(f, x, h=1e-6):
    return (f(x + h) - f(x - h)) / (2.0 * h)


@pytest.mark.parametrize("statements", CHANGES + LOOPS)
@pytest.mark.sweep(8)
def test_what_calls_in_expressions_change(statements):
    f = made(statements)
    wanted = slope(f, 1.3)
    assert wanted != 0.0
    derivative = tl.grad(f)
    for _ in range(2):
        np.testing.assert_allclose(derivative(1.3), wanted, rtol=1e-7)
    np.testing.assert_allclose(tl.jvp(f, (1.3,), (1.0,))[1], wanted, rtol=1e-7)


@pytest.mark.parametrize("statements", CHANGES + LOOPS)
@pytest.mark.sweep(8)
def test_by_identity(statements):
    f = made(statements)
    with by_identity():
        found = tl.grad(f)(1.3)
    np.testing.assert_allclose(found, slope(f, 1.3), rtol=1e-7)


def test_what_a_comparison_is_given_may_be_kept():
    with pytest.raises(tl.UnsupportedSyntaxError, match="Watchful.__eq__ changes something"):
        tl.grad(made("w = Watchful(x); n = 1.0 if w == x * x else 2.0; seen = [w.x, x]"))(1.3)


@pytest.mark.parametrize("statements", [
    "any(seen.append(v) for v in [x, 2.0 * x])",
    "n = len([seen.append(v) for v in [x, 2.0 * x]])",
    "any(put(seen, v) for v in [x, 2.0 * x])",
    "log = Log(); any(log.put(v) for v in [x, 2.0 * x]); seen = log.kept",
    "a = np.ones(3); any(scale(a, v) for v in [x, 2.0 * x]); seen = a"])
def test_comprehensions_that_change_something_are_written_out(statements):
    derivative = tl.grad(made(statements))
    derivative(1.3)
    assert "tape.pull" not in derivative.source_for(1.3)


def is_positive(xs):
    total = 0.0
    for x in xs:
        total += x
    found = [x for x in xs if x > 0.0]
    found.append(total)
    return len(found) > 0 and np.isfinite(found[-1])


def calls_one_that_changes(xs):
    return put(xs, 1.0)


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
    (is_positive, True), (is_near, True), (calls_itself, True), (made, False), (put, False),
    (put_item, False), (scale, False), (calls_one_that_changes, False), (captures(), False),
    (in_place, False), (of_a_loop_variable, False), (from_one_of_its_own, False),
    (Log.put, False), (Log.add, False), (Watchful.__str__, False), (Watchful.__init__, False)])
def test_what_a_text_tells(function, leaves):
    assert leaves_all(function) is leaves


def test_harmless_calls_stay():
    """Assertions and messages are as they were."""
    def f(x):
        assert is_positive([x, 2.0]) and all(np.isfinite(v) for v in (x, x * x)), f"{x}"
        if any(u > 100.0 for u in [x, x * x]):
            print(f"{x:.3f}", [round(v, 3) for v in (x, x)])
        return x * x

    derivative = tl.grad(f)
    assert derivative(3.0) == 6.0
    assert "tape.pull" not in derivative.source_for(3.0)
    assert "any(u > 100.0 for u in [x, x * x])" in derivative.source_for(3.0)


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


helpers = types.ModuleType("helpers")


def doubled(log):
    log[0] = log[0] * 2.0


class Shown:
    def __init__(self, x):
        self.log = [x]

    def __str__(self):
        helpers.noted(self.log)
        return "shown"


def of_what_is_shown(x):
    shown = Shown(x)
    text = "%s" % shown
    return shown.log[0] * x * len(text)


def quiet(log):
    return None


noted = quiet


class Heard:
    def __init__(self, x):
        self.log = [x]

    def __str__(self):
        noted(self.log)
        return "heard"


def of_what_is_heard(x):
    heard = Heard(x)
    text = "%s" % heard
    return heard.log[0] * x * len(text)


def tells(self):
    doubled(self.log)
    return "loud!"


@pytest.mark.parametrize("f, owner, name, other", [
    (of_what_is_shown, helpers, "noted", doubled), (of_what_is_shown, Shown, "__str__", tells),
    (of_what_is_heard, sys.modules[__name__], "noted", doubled),
    (of_what_is_heard, Heard, "__str__", tells)])
def test_what_is_called_unseen_is_live(f, owner, name, other, monkeypatch):
    monkeypatch.setattr(helpers, "noted", quiet, raising=False)
    derivative = tl.grad(f)
    for _ in range(2):
        assert derivative(0.7) == pytest.approx(7.0)
        with monkeypatch.context() as changed:
            changed.setattr(owner, name, other)
            with pytest.raises(tl.UnsupportedSyntaxError, match="__str__ changes something"):
                derivative(0.7)


class Plain:
    def __init__(self, x):
        self.log = [x]


def as_text(x):
    plain = Plain(x)
    text = "%s" % plain
    return plain.log[0] * x * len(text[:1])


def as_a_key(x):
    plain = Plain(x)
    table = {plain: 5.0}
    return plain.log[0] * x * len(table)


def as_a_condition(x):
    plain = Plain(x)
    return plain.log[0] * x if plain else x


def hashed(self):
    doubled(self.log)
    return 3


def doubts(self):
    doubled(self.log)
    return self.log[0] > 0.0


@pytest.mark.parametrize("f, name, other", [
    (as_text, "__str__", tells), (as_text, "__repr__", tells), (as_a_key, "__hash__", hashed)])
def test_methods_that_a_class_gets_later_are_live(f, name, other, monkeypatch):
    derivative = tl.grad(f)
    for _ in range(2):
        assert derivative(0.7) == pytest.approx(1.4)
        with monkeypatch.context() as changed:
            changed.setattr(Plain, name, other, raising=False)
            with pytest.raises(tl.UnsupportedSyntaxError, match="changes something"):
                derivative(0.7)


def test_what_a_condition_asks_is_live(monkeypatch):
    derivative = tl.grad(as_a_condition)
    assert derivative(0.7) == pytest.approx(1.4)
    monkeypatch.setattr(Plain, "__bool__", doubts, raising=False)
    assert derivative(0.7) == pytest.approx(slope(as_a_condition, 0.7))
