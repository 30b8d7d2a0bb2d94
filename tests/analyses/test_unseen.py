"""Calls that no statement shows, in comprehensions, assertions, f-strings: what they change."""

import bisect
import heapq
import linecache
import zlib

import numpy as np
import pytest

import tangent_lite as tl
from tests.analyses import changing
from tests.heap.forced import by_identity

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
    space = {**vars(changing), "np": np, "heapq": heapq, "bisect": bisect}
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
    found = [x for x in xs if x > 0.0]
    return len(found) > 0 and np.isfinite(found[-1])


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
