"""Tapes of tuples, tapes that hold one thing twice, tapes that stand aside; short functions written
out; names that the loop before has bound: texts before and after."""
import gast
import numpy as np
import pytest

pytest.importorskip("numba")

from tangent_lite import syntax  # noqa: E402
from tangent_lite.backends.numba_aside import stand_aside  # noqa: E402
from tangent_lite.backends.numba_binding import guarded  # noqa: E402
from tangent_lite.backends.numba_inlining import inline_calls  # noqa: E402
from tangent_lite.backends.numba_records import drop_unread, part_records  # noqa: E402
from tangent_lite.emit import emit  # noqa: E402
from tangent_lite.names import Names  # noqa: E402
from tests.backends.merging import can_join, outcome  # noqa: E402


def changed(text, step):
    tree = gast.parse(text).body[0]
    step(tree, Names(syntax.all_names(tree)).fresh)
    return emit(tree).strip()


def parted(tree, fresh):
    part_records(tree, fresh, lambda node: True)


def aside(tree, fresh):
    for block in syntax.all_blocks(tree):
        stand_aside(block, can_join)


HALVES = '''
def f(x, n):
    tape = []
    saved_tape = []
    for i in range(n):
        t = x * i
        x = t
        tape.append(x)
        saved = (t, i)
        saved_tape.append(saved)
    for i in range(n):
        saved = saved_tape.pop()
        y = tape.pop()
        u, v = saved
        x = x + y * u * v
    return x
'''


def test_tuples_go_to_tapes_of_their_parts_and_one_thing_to_one_tape():
    made = changed(HALVES, parted)
    assert "saved" not in made and made.count(" = []") == 2 and made.count(".pop()") == 2
    for args in ((np.ones(2), 0), (np.ones(2), 3)):
        assert outcome(made, args) == outcome(HALVES, args)


def test_parts_that_are_bound_again_go_to_tapes_before_that():
    text = HALVES.replace("saved = (t, i)\n", "saved = (t, i)\n        t = t + 1.0\n")
    made = changed(text, parted)
    assert "saved" not in made
    for args in ((np.ones(2), 0), (np.ones(2), 3)):
        assert outcome(made, args) == outcome(text, args)


def test_tapes_that_nobody_reads_are_left_out():
    text = HALVES.replace("y * u * v", "y")
    made = changed(changed(text, parted), lambda tree, fresh: drop_unread(tree))
    assert made.count(" = []") == 1 and made.count(".pop()") == 1
    for args in ((np.ones(2), 0), (np.ones(2), 3)):
        assert outcome(made, args) == outcome(text, args)


@pytest.mark.parametrize("old, new", [
    ("u, v = saved", "y, v = saved"),                       # bound in between
    ("return x", "return x, saved"),                        # somebody else reads them
    ("saved = saved_tape.pop()", "saved = (1.0, 2.0) if x[0] > 9.0 else saved_tape.pop()"),
    ("        tape.append(x)\n", "        tape.append(x)\n        if x[0] > 5.0:\n"
                                 "            break\n"),
])
def test_tuples_that_stay(old, new):
    text = HALVES.replace(old, new)
    made = changed(text, parted)
    assert "saved_tape" in made
    for args in ((np.ones(2), 0), (np.ones(2), 3)):
        assert outcome(made, args) == outcome(text, args)


def test_what_is_bound_again_is_another_thing():
    text = HALVES.replace("x = t\n", "x = t\n        x = x + 1.0\n")
    made = changed(text, parted)
    assert made.count(" = []") == 3
    assert outcome(made, (np.ones(2), 3)) == outcome(text, (np.ones(2), 3))


def test_tapes_stand_aside():
    text = """
def f(c, n):
    tape = []
    for i in range(n):
        t = c * 2.0
        tape.append(c)
        u = t + 1.0
        c = u * c
        tape.append(c)
        d = c + u
    return tape, d
"""
    made = changed(text, aside)
    lines = [line.strip() for line in made.splitlines()]
    assert lines[3] == "tape.append(c)" and lines[-2] == "tape.append(c)", made
    assert outcome(made, (np.ones(2), 2)) == outcome(text, (np.ones(2), 2))


# Functions ----------------------------------------------------------------------------------------
CALLEE = """
def half(x):
    t = x * x
    return t, (t,)

def f(x, y):
    a, s = half(x)
    b, r = half(a + y)
    return a, b, s, r
"""


def written_out(text):
    trees = gast.parse(text).body
    gone = inline_calls(trees, Names({n for t in trees for n in syntax.all_names(t)}).fresh)
    return "\n\n".join(emit(tree) for tree in trees if tree.name not in gone), gone


@pytest.mark.parametrize("old, new, is_gone", [
    ("", "", True),
    ("    t = x * x\n", "    t = x * x\n    for k in range(2):\n        t = t + k\n", False),
    ("    t = x * x\n", "    t = x * x\n" + "    t = t + 1.0\n" * 8, False),                  # long
    ("    return a, b, s, r", "    return a, b, s, r, half", False),            # read as a value
    ("    t = x * x\n", "    t = x * x\n    if t > 9.0:\n        return t, (t,)\n", False),
    ("    t = x * x\n", "    t = x * x\n    if t < 0.0:\n        t, u = half(t)\n", False),
])
def test_short_functions_are_written_out_wherever_they_are_called(old, new, is_gone):
    text = CALLEE.replace(old, new, 1) if old else CALLEE
    made, gone = written_out(text)
    assert gone == ({"half"} if is_gone else set())
    if "return a, b, s, r, half" not in text:
        assert outcome(made, (0.5, 0.25)) == outcome(text, (0.5, 0.25))


# Names --------------------------------------------------------------------------------------------
LOOPS = """
def f(x, n, m):
    for i in range(n):
        z = x * i
    for i in range(n - 1, -1, -1):
        x = x + z
    return x
"""


@pytest.mark.parametrize("old, new, asks", [
    ("", "", False),
    ("z = x * i", "if x > 0.0:\n            z = x * i", True),          # perhaps
    ("        z = x * i\n", "        if x > 9.0:\n            break\n        z = x * i\n", True),
    ("        z = x * i\n", "        if x > 9.0:\n            continue\n        z = x * i\n", True),
    ("range(n - 1, -1, -1)", "range(m - 1, -1, -1)", True),             # another number of steps
    ("    for i in range(n - 1", "    n = m\n    for i in range(n - 1", True),
    ("z = x * i", "z = x * i\n        n = m", True),
    ("return x", "return x + z", True),                                 # behind both
    ("x = x + z", "x = x + z\n        z = None", True),
])
def test_names_that_the_loop_before_has_bound(old, new, asks):
    tree = gast.parse(LOOPS.replace(old, new, 1) if old else LOOPS).body[0]
    guarded(tree, False, "unbound", set(), None)
    assert ("z_is_bound" in emit(tree)) == asks


BRANCHES = """
def f(x, n):
    z = None
    if n > 1:
        for i in range(n):
            above = x > 0.5
            if above:
                deep = x * i
            else:
                low = x
    if n > 1:
        if above and deep > 1.0:
            x = x * deep
        if not above:
            x = x + low
    return x
"""


@pytest.mark.parametrize("old, new, asked", [
    ("", "", {"above"}),
    ("above and deep", "above or deep", {"above", "deep"}),
    ("if not above", "if n > 1", {"above", "low"}),
    ("            if above:\n", "            if x > 2.0:\n                break\n"
     "            if above:\n", {"above", "deep", "low"}),             # not gone through since
    ("            if above:\n", "            if n > 5:\n                above = x > 9.0\n"
     "            if above:\n", {"above", "deep", "low"}),
    ("    if n > 1:\n        if above", "    above = x > 0.1\n    if n > 1:\n        if above",
     {"deep", "low"}),                                                  # another condition
    ("low = x\n", "continue\n", {"above"}),
    ("deep = x * i", "deep = x * i if n > 3 else None", {"above"}),
    ("deep = x * i\n", "deep = x * i\n                deep = None\n", {"above", "deep"}),
])
def test_names_that_a_branch_has_bound_whose_condition_is_asked_again(old, new, asked):
    assert old in BRANCHES
    tree = gast.parse(BRANCHES.replace(old, new, 1) if old else BRANCHES).body[0]
    guarded(tree, False, "unbound", set(), None)
    assert {name for name in ("above", "deep", "low") if f"{name}_is_bound" in emit(tree)} == asked
