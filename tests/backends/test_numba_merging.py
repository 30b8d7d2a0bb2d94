"""Calls written out, loops made one, tuples taken apart: on drawn programs, run as Python.

    python tests/backends/test_numba_merging.py 0 2000

`numba_inlining`, `numba_fusing`, `numba_handing`, `numba_records` and `numba_aside` change text, so
what they make is run here as Python beside what they were given. What Numba makes of it is compared
at the end, with the derivatives of the Python backend and with differences.
"""
import copy
import random
import sys

import gast
import numpy as np
import pytest

numba = pytest.importorskip("numba")

import tangent_lite as tl  # noqa: E402
from tangent_lite import syntax  # noqa: E402
from tangent_lite.backends import numba as backend  # noqa: E402
from tangent_lite.backends.numba_aside import stand_aside  # noqa: E402
from tangent_lite.backends.numba_functions import REPLACED  # noqa: E402
from tangent_lite.backends.numba_fusing import fuse_loops  # noqa: E402
from tangent_lite.backends.numba_handing import hand_over  # noqa: E402
from tangent_lite.backends.numba_inlining import (  # noqa: E402
    functions_that_recur,
    inline_calls,
)
from tangent_lite.backends.numba_records import part_records  # noqa: E402
from tangent_lite.calling.reuse import forget  # noqa: E402
from tangent_lite.emit import emit  # noqa: E402
from tangent_lite.names import Names  # noqa: E402
from tests.backends.comparing import same  # noqa: E402


def means(node):
    if isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name) \
            and node.value.id == "np":
        found = getattr(np, node.attr, None)
        return REPLACED.get(found, found)
    return None


def merged(text, steps=("inline", "fuse", "hand", "part", "aside")):
    """The text of a module after these."""
    trees = gast.parse(text).body
    taken = {name for tree in trees for name in syntax.all_names(tree)}

    fresh = Names(taken).fresh

    if "inline" in steps:
        gone = inline_calls(trees, fresh)
        trees = [tree for tree in trees if tree.name not in gone]
    for tree in trees:
        if "fuse" in steps:
            fuse_loops(tree, means, fresh)
        if "hand" in steps:
            hand_over(tree)
        if "part" in steps:
            part_records(tree, fresh, lambda node: True)
        if "aside" in steps:
            for block in syntax.all_blocks(tree):
                stand_aside(block, can_join)
    return "\n\n".join(map(emit, trees))


def can_join(node):
    """Whether a statement may be one of a run, as if it were about arrays."""
    return isinstance(node, (gast.Assign, gast.AugAssign)) and not any(
        isinstance(part, gast.Attribute) and part.attr in ("append", "pop")
        for part in syntax.walk(node))


def outcome(text, args):
    """What a module's f returns and leaves of its arguments, or the class of the error."""
    space = {"np": np}
    exec(text, space)
    given = copy.deepcopy(args)
    try:
        return repr((space["f"](*given), given))
    except Exception as error:
        return type(error)


# Programs ----------------------------------------------------------------------------------------
NAMES = ["a", "b", "c", "t", "u", "v"]


class Draw:
    """Two halves of a pair, and a function with a loop that records and one that goes back."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, *choices):
        return self.random.choice(choices)

    def name(self):
        return self.pick(*NAMES)

    def value(self, known):
        one, other = self.pick(*known), self.pick(*known)
        return self.pick(one, f"{one} * {other}", f"{one} + 2.0", f"np.sin({one})", f"-{other}",
                         f"{one} - {other}", f"np.zeros(3) + {one}", f"np.zeros_like({one})")

    def steps(self, known, count, target):
        """Statements; known: names that are bound."""
        lines = []
        for _ in range(count):
            name, r = self.pick(*NAMES), self.random.random()
            if r < 0.55:
                lines.append(f"{name} = {self.value(known)}")
                known.append(name)
            elif r < 0.65:
                lines.append(f"{self.pick(*known)} += {self.value(known)}")
            elif r < 0.72:
                lines.append(f"{target}[i] += np.sum({self.value(known)})")
            elif r < 0.78:
                lines += [f"if np.sum({self.pick(*known)}) > 0.5:",
                          f"    {name} = {self.value(known)}", "else:",
                          f"    {name} = {self.value(known)}"]
                known.append(name)
            elif r < 0.82:
                other = self.pick(*known)
                lines.append(f"{name}, {other} = {self.value(known)}, {self.value(known)}")
                known.append(name)
            elif r < 0.85:
                lines.append(f"{self.pick('x', 'y', *known)}[...] = 0.25")
            elif r < 0.88:
                lines.append(f"{name} = [{name} * 2.0 for {name} in [{self.value(known)}]][0]")
                known.append(name)
            else:
                lines.append(f"{name} = {self.pick(*known)}")
                known.append(name)
        return lines

    def text(self):
        def indented(lines, depth):
            return "".join("    " * depth + line + "\n" for line in lines)

        inner = ["p", "q"]
        first = self.steps(inner, self.random.randrange(4), "np.zeros(9)") \
            if self.random.random() < 0.5 else []
        first = [line for line in first if "[i]" not in line]
        saved = [self.pick(*inner) for _ in range(2)]
        back = ["r", "s", "g"]
        second = [line for line in self.steps(back, self.random.randrange(4), "w")
                  if "[i]" not in line]
        text = "def half_fwd(p, q):\n" + indented(first, 1) \
            + f"    return {self.value(inner)}, ({saved[0]}, {saved[1]})\n\n"
        text += "def half_bwd(saved, g):\n    r, s = saved\n" + indented(second, 1) \
            + f"    return {self.value(back)}\n\n"
        outer = ["x", "y", "a", "b"]
        text += "def f(x, y, n):\n    a = np.zeros(3)\n    b = np.ones(3)\n    i = 0\n"
        text += "    tape = []\n    saved_tape = []\n    early = np.zeros(9)\n"
        again = self.random.random() < 0.5          # whether it is called in two places
        text += "    other_tape = []\n    saved_tape_2 = []\n" if again else ""
        known = [*outer, "x[i]", "early"]
        text += "    for i in range(n):\n" + indented(self.steps(known, self.pick(0, 1, 2), "early")
                                                       if self.random.random() < 0.6 else [], 2)
        arguments = ", ".join(self.pick(*known) for _ in range(2))
        text += f"        {self.pick('t', 'u')}, saved = half_fwd({arguments})\n"
        kept = "t" if "t, saved" in text else "u"
        if again:
            text += indented(self.steps(known, self.pick(0, 1), "early"), 2)
            text += f"        v, saved_2 = half_fwd({self.pick(*known)}, {self.pick(*known)})\n"
            puts = [f"other_tape.append({self.pick('v', kept)})", "saved_tape_2.append(saved_2)",
                    f"tape.append({kept})", "saved_tape.append(saved)"]
            self.random.shuffle(puts)
            text += indented(puts, 2)
        else:
            text += f"        tape.append({kept})\n        saved_tape.append(saved)\n"
        text += "    out = np.zeros(9)\n    bx = np.zeros_like(x)\n"
        between = [*outer, "out"]
        text += indented(self.steps(between, self.pick(0, 0, 1), "out"), 1).replace("[i]", "[0]")
        target = self.pick("t", "u", "v", "a", "b")
        text += "    for i in range(n - 1, -1, -1):\n        saved = saved_tape.pop()\n"
        text += f"        {target} = tape.pop()\n"
        known = [*outer, target, "x[i]", "out"]
        text += indented(self.steps(known, self.pick(0, 1, 2), self.pick("out", "bx", "early")), 2)
        if again:
            taken = self.pick("t", "u", "v", "h")
            takes = [f"{taken} = other_tape.pop()", "saved_2 = saved_tape_2.pop()"]
            self.random.shuffle(takes)
            known.append(taken)
            text += indented([*takes, f"h = half_bwd(saved_2, {self.pick(*known)})",
                              "out[i] += np.sum(h)"], 2)
        text += f"        g = half_bwd(saved, {self.pick(*known)})\n"
        text += "        out[i] += np.sum(g)\n"
        text += indented(self.steps([*known, "g"], self.pick(0, 1, 2), "out"), 2)
        return text + f"    return out, bx, {', '.join(self.pick(*outer) for _ in range(2))}\n"


    def nested_text(self):
        """The same with loops inside, which record and go back as well."""
        def indented(lines, depth):
            return "".join("    " * depth + line + "\n" for line in lines)

        def few(known, target):
            lines = self.steps(known, self.pick(0, 0, 1, 2), target)
            return lines if self.random.random() < 0.7 else []

        there, back = self.pick(("range(n)", "range(n - 1, -1, -1)"),
                                ("range(i + 1, n)", "range(n - 1, i, -1)"),
                                ("range(i)", "range(i - 1, -1, -1)"))
        text = "def f(x, y, n):\n    a = np.zeros(3)\n    b = np.ones(3)\n    i = j = 0\n"
        text += "    early = np.zeros(9)\n    out = np.zeros(9)\n    bx = np.zeros_like(x)\n"
        text += "    tape = []\n    inner = []\n"
        known = ["x", "y", "a", "b", "x[i]", "early"]
        text += "    for i in range(n):\n" + indented(few(known, "early"), 2)
        if self.random.random() < 0.5:
            text += "        c = x[i]\n"
            known.append("c")
        text += f"        for j in {there}:\n"
        text += indented(few([*known, "x[j]"], self.pick("early", "c[None]")), 3)
        is_left = self.random.random() < 0.2
        text += f"            inner.append({self.pick('x[j]', 'x[i] * x[j]', *known)})\n"
        outer = self.random.random() < 0.5
        if outer:
            text += f"        tape.append({self.pick(*known)})\n"
        if is_left:
            text += "        if x[i] > 1.0:\n            i = i + 0\n"
        text += indented(self.steps(["x", "y", "out"], self.pick(0, 0, 0, 1), "out"), 1).replace(
            "[i]", "[0]")
        counter = self.pick("j", "j", "k")
        known = ["x", "y", "a", "b", "x[i]", "out"]
        text += "    for i in range(n - 1, -1, -1):\n"
        if outer:
            text += "        t = tape.pop()\n"
            known.append("t")
        text += indented(few(known, "out"), 2)
        text += f"        for {counter} in {back}:\n            u = inner.pop()\n"
        text += indented(few([*known, "u", f"x[{counter}]"], self.pick("out", "bx", "early")), 3)
        text += f"            out[{counter}] += np.sum(u) * {counter}\n"
        text += indented(few(known, "out"), 2)
        return text + f"    return out, bx, {self.pick('x', 'a', 'b', 'early', 'i')}\n"


def sweep(start, stop, nested=False):
    """(how many programs ran, how many of them have one loop now)"""
    ran = fused = 0
    for seed in range(start, stop):
        draw = Draw(seed)
        text = draw.nested_text() if nested else draw.text()
        n = draw.pick(0, 1, 3)
        rng = np.random.default_rng(seed)
        args = [rng.normal(size=3), rng.normal(size=draw.pick(1, 3)), n]
        if draw.random.random() < 0.2:
            args[1] = args[0][::-1]
        expected = outcome(text, args)
        if isinstance(expected, type):
            continue
        made = merged(text)
        assert outcome(made, args) == expected, f"seed {seed}\n{text}\n=>\n{made}"
        ran += 1
        fused += made.count("for i in") == 1
    return ran, fused


@pytest.mark.slow
def test_drawn_programs_do_what_they_did():
    ran, fused = sweep(0, 1500)
    assert ran > 500 and 50 < fused < ran


@pytest.mark.slow
def test_drawn_programs_with_loops_inside_do_what_they_did():
    ran, fused = sweep(0, 1500, nested=True)
    assert ran > 500 and 50 < fused < ran


# Compiled ----------------------------------------------------------------------------------------
def texts_of(monkeypatch, f, wrt, *args):
    """The texts of what is compiled for a call of a gradient; the call is made."""
    forget()
    found = []
    load = backend._load
    monkeypatch.setattr(backend, "_load", lambda text, *rest: found.append(text) or load(
        text, *rest))
    tl.grad(f, wrt=wrt, backend="numba")(*args)
    return found


def agree(f, wrt, *args, step=1e-6):
    """The gradient of the Numba backend beside that of the Python backend, and differences."""
    found = tl.grad(f, wrt=wrt, backend="numba")(*copy.deepcopy(args))
    assert same(tl.grad(f, wrt=wrt)(*copy.deepcopy(args)), found)
    rng = np.random.default_rng(0)
    moved = [np.asarray(rng.normal(size=np.shape(args[k]))) for k in wrt]

    def value(t):
        given = list(copy.deepcopy(args))
        for k, one in zip(wrt, moved):
            given[k] = given[k] + t * one
        return float(f(*given))

    slope = (value(step) - value(-step)) / (2.0 * step)
    assert np.isclose(slope, sum(np.sum(g * one) for g, one in zip(found, moved)),
                      rtol=1e-6, atol=1e-8)


def turned(w, x):
    square = np.sum(w * w)
    if square == 0.0:
        return x + np.cross(w, x)
    theta = np.sqrt(square)
    axis = w / theta
    return x * np.cos(theta) + np.cross(axis, x) * np.sin(theta)


def screened(camera, x):
    local = turned(camera[:3], x - camera[3:6])
    return local[:2] / local[2] * camera[6]


def misfits(cameras, points, seen, weights):
    total = 0.0
    for i in range(seen.shape[0]):
        error = screened(cameras[seen[i]], points[i]) * weights[i]
        total = total + np.sum(error * error)
    return total


@pytest.mark.slow
def test_halves_in_a_loop_need_no_tape(monkeypatch):
    rng = np.random.default_rng(1)
    cameras, points, weights = rng.normal(size=(2, 7)), rng.normal(size=(4, 3)), np.ones(4)
    text, = texts_of(monkeypatch, misfits, (0, 1, 3), cameras, points, np.arange(4) % 2, weights)
    assert " = []" not in text and "_fwd" not in text
    for n in (0, 1, 4):
        agree(misfits, (0, 1, 3), cameras, points, np.arange(n) % 2, rng.normal(size=4))
    cameras[1, :3] = 0.0                    # the other branch, in turn
    args = cameras, points, np.arange(4) % 2, weights
    found = tl.grad(misfits, wrt=(0, 1, 3), backend="numba")(*args)
    assert same(tl.grad(misfits, wrt=(0, 1, 3))(*args), found)


def scaled(x, w):
    t = x * w
    u = t + x                           # both are asked for their shapes, t for what it holds too
    return np.sum(t * t) * u


def test_a_saved_array_may_be_read_for_its_shape_and_for_its_elements():
    def f(x, w):
        total = 0.0
        for i in range(x.shape[0]):
            total = total + np.sum(scaled(x[i], w)) + np.sum(x[i] * w)
        return total

    rng = np.random.default_rng(2)
    for width in (0, 1, 5, 16, 17, 40):     # in scratch memory, and beyond
        agree(f, (0, 1), rng.normal(size=(3, width)), rng.normal(size=width))
    agree(f, (0, 1), rng.normal(size=(3, 4)), rng.normal(size=1))       # stretched


def test_shapes_that_change_from_step_to_step():
    def f(x, w):
        total = 0.0
        for i in range(x.shape[0]):
            total = total + np.sum(scaled(x[i:], w))
        return total

    agree(f, (0, 1), np.random.default_rng(3).normal(size=19), 0.7)


def itself(x):
    return x


def test_a_function_that_gives_back_its_argument():
    def f(x):
        total = 0.0
        for i in range(x.shape[0]):
            y = itself(x[i])
            total = total + np.sum(y * x[i] * y)
        return total

    agree(f, (0,), np.random.default_rng(4).normal(size=(3, 2)))


def test_what_is_carried_from_step_to_step_keeps_its_tape():
    def f(x, w):
        state = np.zeros(3)
        total = 0.0
        for i in range(x.shape[0]):
            state = scaled(state + x[i], w)
            total = total + np.sum(np.sin(state))
        return total

    rng = np.random.default_rng(5)
    agree(f, (0, 1), 0.5 * rng.normal(size=(3, 3)), 0.5 * rng.normal(size=3))


def test_an_array_that_is_written_between_reads():
    def f(x, w):
        y = x.copy()
        total = 0.0
        for i in range(x.shape[0]):
            part = scaled(y[i], w)
            y[i, 0] = 0.5 * y[i, 1]
            total = total + np.sum(part) + y[i, 0] * y[i, 1]
        return total

    rng = np.random.default_rng(6)
    agree(f, (0, 1), rng.normal(size=(3, 2)), rng.normal(size=2))


def energy(x, m):
    total = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            d = x[i] - x[j]
            total -= m[i] * m[j] / np.sqrt(np.dot(d, d) + 0.1)
    return total


def clusters(x, m):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            r = 0.0
            for k in range(x.shape[1]):
                r += (x[i, k] - x[j, k]) ** 2
            if r > 4.0:
                continue
            total += m[i] * np.exp(-r) * r
    return total


def layer(x, m):
    total = 0.0
    for i in range(x.shape[0]):
        out = 0.0
        for k in range(x.shape[1]):
            a = m[k]
            for j in range(m.shape[0]):
                a += x[i, k] * m[j]
            out += np.tanh(a) * m[k + 1]
        total += (out - 1.0) ** 2
    return total


@pytest.mark.parametrize("function, tapes", [(energy, 0), (clusters, 0), (layer, 1)])
def test_loops_inside_keep_what_one_step_needs(monkeypatch, function, tapes):
    rng = np.random.default_rng(7)
    text, = texts_of(monkeypatch, function, (0, 1), rng.normal(size=(5, 3)), rng.normal(size=5))
    assert text.count(" = []") == tapes, text
    for n in (0, 1, 5):
        agree(function, (0, 1), rng.normal(size=(n, 3)), rng.normal(size=5))


def test_which_functions_call_themselves():
    trees = gast.parse("def a(x): return b(x)\ndef b(x): return a(x)\ndef c(x): return a(x)\n"
                       "def d(x): return d\ndef e(d): return c(x)").body
    assert functions_that_recur(trees) == {"a", "b", "d"}


# Room on tapes ----------------------------------------------------------------------------------
def recurrence(x, n):
    for i in range(n):
        if x > 0.0:
            x = np.sin(x) + 0.1 * i
        else:
            x = 0.5 * x * x
    return x


def left_early(x, n):
    for i in range(n):
        if x > 2.0:
            break
        x = x * x * 1.1
    return x


def again(x, n):
    for k in range(3):
        for i in range(n):
            x = np.sin(x) * x + 1.0
        n = n - 1
    return x


def test_tapes_have_room_for_their_loop(monkeypatch):
    text, = texts_of(monkeypatch, again, 0, 0.3, 4)
    assert "x_tape.room(n)" in text and "x_tape.put(" in text
    text, = texts_of(monkeypatch, recurrence, 0, 0.3, 4)
    assert "x_tape.room(n)" in text and "x_tape.append" not in text
    for n in (-3, 0, 1, 2, 50):
        for f in (recurrence, again):
            assert same(tl.grad(f)(0.3, n), tl.grad(f, backend="numba")(0.3, n))
    found = tl.grad(left_early, backend="numba")(1.2, 2 ** 50)      # left early: asks for none
    assert same(tl.grad(left_early)(1.2, 2 ** 50), found)


def test_numbers_of_other_types_do_not_take_the_short_way_in():
    def f(x, n):
        return x * x * n

    d = tl.grad(f, backend="numba")
    for n in (3, 3.0, True, np.int64(3), np.float64(3.0), 2):
        assert same(tl.grad(f)(1.5, n), d(1.5, n))
    with pytest.warns(RuntimeWarning, match="ran in Python"):
        assert d(1.5, 2 ** 70) == 3.0 * 2.0 ** 70
    assert d(1.5, 2 ** 63) == 3.0 * 2.0 ** 63
    with pytest.raises(tl.TangentError):
        d("a", 2)


if __name__ == "__main__":
    for inside in (False, True):
        print("%d ran, of which %d have one loop now" % sweep(*map(int, sys.argv[1:]), inside))
