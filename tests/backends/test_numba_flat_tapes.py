"""One tape for all steps in place of one for each (`numba_flat_tapes`)."""
from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("numba")

import gast

import tangent_lite as tl
from tangent_lite.backends.numba_flat_tapes import flatten_tapes
from tangent_lite.backends.numba_shapes import copy_of
from tangent_lite.emit import emit


def log_of_sum(v):
    most = v[0]
    for i in range(1, len(v)):
        if v[i] > most:
            most = v[i]
    total = 0.0
    for i in range(len(v)):
        total += math.exp(v[i] - most)
    return most + math.log(total)


def forward_algorithm(transitions, emissions):
    steps, states = emissions.shape
    alpha = emissions[0].copy()
    part = np.empty(states)
    for t in range(1, steps):
        after = np.empty(states)
        for j in range(states):
            for i in range(states):
                part[i] = alpha[i] + transitions[i, j]
            after[j] = log_of_sum(part) + emissions[t, j]
        alpha = after
    return log_of_sum(alpha)


def of_growing_parts(x):
    """Steps of different lengths, the first of none."""
    total = 0.0
    for k in range(len(x)):
        total += tilted(x, k) * x[k]
    return total


def tilted(x, k):
    s = 1.0
    for i in range(k):
        s = s * math.sin(x[i]) + x[i]
    return s


def searched(a, x):
    """A loop that is left early, in a loop."""
    total = 0.0
    for k in range(x.shape[0]):
        total += root(a, x[k]) ** 2
    return total + root(a * 2.0, x[0])


def root(a, x):
    for _ in range(30):
        step = (x * x - a) / (2.0 * x)
        x = x - step
        if abs(step) < 1e-8:
            break
    return x


def of_arrays(W, xs):
    """What is put on the tapes are arrays."""
    total = 0.0
    for k in range(xs.shape[0]):
        h = walk(W, xs[k], k)
        total += np.sum(h * h)
    return total


def walk(W, h, n):
    for _ in range(n):
        h = np.tanh(W @ h + h)
    return h


RNG = np.random.default_rng(0)
CASES = [
    (forward_algorithm, (RNG.normal(size=(3, 3)), RNG.normal(size=(6, 3))), (0, 1)),
    (forward_algorithm, (RNG.normal(size=(1, 1)), RNG.normal(size=(1, 1))), (0, 1)),
    (of_growing_parts, (RNG.normal(size=5),), (0,)),
    (searched, (2.0, np.array([1.0, 3.0, 1.5])), (0, 1)),
    (of_arrays, (RNG.normal(size=(12, 12)) / 4.0, RNG.normal(size=(4, 12))), (0, 1))]


@pytest.mark.parametrize("function, args, wrt", CASES, ids=[
    "forward", "of_one_state", "growing", "searched", "arrays"])
@pytest.mark.parametrize("with_value", [False, True])
def test_helpers_with_loops_in_loops(function, args, wrt, with_value):
    derivative = (tl.value_and_grad if with_value else tl.grad)(function, wrt=wrt, backend="numba")
    for _ in range(2):
        found = derivative(*args)
        if with_value:
            value, found = found
            assert value == function(*args)
        for k, part in zip(wrt, found):
            direction = np.random.default_rng(1).normal(size=np.shape(args[k]))
            moved = [[*args[:k], args[k] + t * direction, *args[k + 1:]] for t in (1e-6, -1e-6)]
            slope = (function(*moved[0]) - function(*moved[1])) / 2e-6
            assert np.sum(part * direction) == pytest.approx(slope, rel=2e-6, abs=1e-8)
        for one, other in zip(found, tl.grad(function, wrt=wrt)(*args)):
            assert np.allclose(one, other, rtol=1e-12, atol=1e-14)


# The rewriting ------------------------------------------------------------------------------------
PROGRAM = """
def f(n, x):
    t_tape = []
    for i in range(n):
        tape = []
        for j in range(i):
            tape.append(x[j])
        t_tape.append(tape)
    for i in range(n - 1, -1, -1):
        tape_1 = t_tape.pop()
        rest = copy_of(tape_1)
        for j in range(i):
            y = rest.pop()
            x[j] += y
    return x
"""


def flattened(text):
    tree = gast.parse(text).body[0]
    numbers = iter(range(100))
    is_changed = flatten_tapes(
        tree, lambda node: copy_of if getattr(node, "id", "") == "copy_of" else None,
        lambda name: f"{name}_{next(numbers)}")
    return is_changed, emit(tree)


def test_what_is_written():
    is_changed, text = flattened(PROGRAM)
    assert is_changed
    assert "tape_0.append(x[j])" in text and "y = tape_0.pop()" in text
    assert text.index("tape_0.mark()") < text.index("for j in range(i)")
    assert "copy_of" not in text and text.count("tape_0.cut(") == 1


@pytest.mark.parametrize("old, new", [
    ("t_tape.append(tape)", "t_tape.append(tape)\n        x[0] = len(tape)"),
    ("x[j] += y", "x[j] += y * len(rest)"),
    ("rest = copy_of(tape_1)", "rest = copy_of(tape_1)\n        x[0] = tape_1[0]"),
    ("        tape = []\n", "        tape = []\n        if x[0] > 0.0:\n            continue\n"),
    ("    return x", "    y = rest.pop()\n    return x"),
    ("    return x", "    x[0] = len(t_tape)\n    return x"),
    ("        t_tape.append(tape)", "    t_tape.append(tape)")],
    ids=["read", "rest_read", "record_read", "left", "read_later", "counted", "last_alone"])
def test_what_others_read_stays(old, new):
    assert old in PROGRAM
    is_changed, text = flattened(PROGRAM.replace(old, new))
    assert not is_changed and ".mark(" not in text


def test_what_a_step_leaves_is_cut_off():
    """On tapes of numbers, which stand in variables, and of arrays, which are counted."""
    import numba
    from numba.core.runtime import _nrt_python, rtsys

    from tangent_lite.backends.numba_checks import CheckedCompiler

    @numba.njit(pipeline_class=CheckedCompiler)
    def numbers(n):
        tape = []
        tape.append(0.5)
        start = tape.mark()
        for k in range(n):
            tape.append(1.0 * k)
        tape.cut(start + 1)
        tape.cut(start + 1)
        count = tape.mark()
        return count, tape.pop()

    @numba.njit(pipeline_class=CheckedCompiler)
    def arrays(n):
        tape = []
        tape.append(np.zeros(2))
        start = tape.mark()
        for k in range(n):
            tape.append(np.full(2, 1.0 * k))
        tape.cut(start)
        return tape.mark(), tape.pop()

    assert numbers(4) == (2, 0.0) and numbers(0) == (1, 0.5)
    _nrt_python.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats()
        for n in (5, 0):
            count, last = arrays(n)
            assert count == 1 and np.array_equal(last, np.zeros(2))
        del last
        after = rtsys.get_allocation_stats()
    finally:
        _nrt_python.memsys_disable_stats()
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free


def test_what_is_compiled():
    """One tape for all calls; and no array is made at each step for one element of it."""
    args = RNG.normal(size=(4, 4)), RNG.normal(size=(6, 4))
    derivative = tl.grad(forward_algorithm, wrt=(0, 1), backend="numba")
    derivative(*args)
    text = derivative._latest.compiled.text
    assert text.count(".mark()") == text.count(".cut(") == 2
    assert "made_array(" not in text and "_bwd(" not in text


WHILE_FILLED = """
def f(n, x):
    t_tape = []
    for i in range(n):
        tape = []
        for j in range(i):
            tape.append(x[j])
        if i % 2:
            other = t_tape.pop()
            for j in range(i - 1):
                x[j] += other.pop()
        t_tape.append(tape)
    return x
"""
WHILE_EMPTIED = """
def f(n, x):
    t_tape = []
    while n:
        n -= 1
        other = t_tape.pop()
        for i in range(n):
            tape = []
            tape.append(x[i])
            t_tape.append(tape)
        for j in range(n):
            y = other.pop()
            x[j] += y
    return x
"""


@pytest.mark.parametrize("text", [WHILE_FILLED.replace("x[j] += other.pop()", "y = other.pop()"),
                                  WHILE_EMPTIED], ids=["while_filled", "while_emptied"])
def test_a_tape_that_is_taken_while_another_is_there(text):
    """The end of the one tape would be that of the other one."""
    assert not flattened(text)[0]
