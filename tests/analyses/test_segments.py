"""Loops over checkpoint(...): the gradients of the loops as they are, with less memory."""
import dataclasses
import math
import random
import tracemalloc

import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import normal_form, syntax
from tangent_lite.calling.reuse import forget
from tests.programs.features import LEVELS
from tests.programs.judge import judge, judge_program
from tests.programs.program import generate
from tests.programs.running import write_modules
from tests.test_traps import CASES

ENDS = (0, 1, 2, 3, 4, 5, 10, 37, -2)


def close(found, wanted, rtol=1e-12):
    np.testing.assert_allclose(found, wanted, rtol=rtol, atol=1e-300)


# By hand: forward mode of the same recurrence, and closed forms ----------------------------------
def pendulum(x, v, k, n):
    for _ in tl.checkpoint(range(n)):
        v = v - 0.1 * k * math.sin(x)
        x = x + 0.1 * v
    return x * x + v * v


def pendulum_by_hand(x, v, k, n):
    """The gradient, by carrying the derivatives along."""
    dx, dv = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
    for _ in range(n):
        dv = dv - 0.1 * k * math.cos(x) * dx
        dv[2] -= 0.1 * math.sin(x)
        v = v - 0.1 * k * math.sin(x)
        dx = dx + 0.1 * dv
        x = x + 0.1 * v
    return 2.0 * (x * dx + v * dv)


@pytest.mark.parametrize("n", ENDS)
def test_several_carried_variables(n):
    close(tl.grad(pendulum, wrt=("x", "v", "k"))(1.0, 0.5, 2.0, n),
          pendulum_by_hand(1.0, 0.5, 2.0, n))
    value, gradient = tl.value_and_grad(pendulum)(1.0, 0.5, 2.0, n)
    assert value == pendulum(1.0, 0.5, 2.0, n)
    close(gradient, pendulum_by_hand(1.0, 0.5, 2.0, n)[0])


@pytest.mark.parametrize("n", ENDS)
def test_pullbacks_and_forward_mode(n):
    wanted = pendulum_by_hand(1.0, 0.5, 2.0, n)
    value, pullback = tl.vjp(pendulum, 1.0, 0.5, 2.0, n)
    assert value == pendulum(1.0, 0.5, 2.0, n)
    for _ in range(2):
        close(pullback(1.0)[:3], wanted)
    close(tl.jvp(pendulum, (1.0, 0.5, 2.0, n), (1.0, 2.0, 3.0, None))[1], wanted @ [1, 2, 3])


def test_the_source():
    text = tl.grad(pendulum).source_for(1.0, 0.5, 2.0, 9)
    assert "for start in reversed(range(0, n, length)):" in text
    assert "x = x_checkpoints.pop()" in text
    assert "x_tape" not in text[:text.index("# Backward pass")]
    assert "checkpoint" not in tl.jvp.pushing(pendulum, (0,)).source


def test_second_order():
    def plain(x, v, k, n):
        for _ in range(n):
            v = v - 0.1 * k * math.sin(x)
            x = x + 0.1 * v
        return x * x + v * v

    args = 1.0, 0.5, 2.0, 9
    wanted = tl.hessian(plain)(*args)
    close(tl.hessian(pendulum)(*args), wanted)
    close(tl.grad(tl.grad(pendulum))(*args), wanted)
    tl.check_grads(lambda x: pendulum(x, 0.5, 2.0, 9), (1.0,))


@pytest.mark.parametrize("bounds", [(2, 9), (9, 2), (9, 2, -1), (0, 20, 3), (20, 0, -4), (3, 3)])
def test_ranges(bounds):
    def f(x, bounds):
        for i in tl.checkpoint(range(*bounds)):
            x = x * (1.0 + 0.1 * i)
        return x

    def g(x):
        for i in tl.checkpoint(range(9, 2, -1)):
            x = x * (1.0 + 0.1 * i)
        return x

    def h(x, a, b):
        for i in tl.checkpoint(range(a, b)):
            x = math.sin(x) * i
        return x

    close(tl.grad(g)(0.7), math.prod(1.0 + 0.1 * i for i in range(9, 2, -1)))
    if len(bounds) == 2:
        x, slope = 0.7, 1.0
        for i in range(*bounds):
            x, slope = math.sin(x) * i, math.cos(x) * slope * i
        close(tl.grad(h)(0.7, *bounds), slope)
    try:
        found = tl.grad(f)(0.7, bounds)
    except tl.TangentError:
        return                              # range(*bounds) is not read
    close(found, math.prod(1.0 + 0.1 * i for i in range(*bounds)))


def test_over_arrays_lists_and_pairs():
    def over(x, rows, pairs):
        for row in tl.checkpoint(rows):
            x = x * row
        for k, row in enumerate(tl.checkpoint(rows)):
            x = x + k * row
        for a, b in tl.checkpoint(zip(rows, pairs)):
            x = x * a + b
        return np.sum(x * x)

    def by_hand(x, rows, pairs):
        slope = 1.0
        for row in rows:
            x, slope = x * row, slope * row
        for k, row in enumerate(rows):
            x = x + k * row
        for a, b in zip(rows, pairs):
            x, slope = x * a + b, slope * a
        return 2.0 * x * slope

    rows = 1.0 + 0.1 * np.arange(10.0).reshape(5, 2)
    pairs = [0.5, 1.5, 2.5, 3.5, 4.5]
    x = np.array([0.3, 0.7])
    close(tl.grad(over)(x, rows, pairs), by_hand(x, rows, pairs))
    tl.check_grads(lambda x, rows: over(x, rows, pairs), (x, rows), order=1)


def test_exits():
    def f(x, n):
        for i in tl.checkpoint(range(n)):
            if x > 1e3:
                break
            if i % 3 == 1:
                continue
            x = x * (1.0 + 0.5 * math.sin(x) ** 2)
            if x > 500.0:
                return x * i
        else:
            x = x * x
        return x + i

    for start, n in ((0.7, 40), (0.7, 3), (2000.0, 5), (400.0, 7)):
        step = 1e-6 * start
        slope = (f(start + step, n) - f(start - step, n)) / (2.0 * step)
        close(tl.grad(f)(start, n), slope, 1e-5)
        close(tl.jvp(f, (start, n), (1.0, None))[1], tl.grad(f)(start, n))


@pytest.mark.parametrize("inner, outer", [(True, True), (True, False), (False, True)])
def test_nested_loops(inner, outer):
    def both(x, n, m):
        for _ in tl.checkpoint(range(n)):
            for j in tl.checkpoint(range(m + _)):
                x = x + 0.01 * j * math.sin(x)
            x = x * x / (1.0 + x)
        return x

    def one(x, n, m):
        for _ in range(n):
            for j in tl.checkpoint(range(m + _)):
                x = x + 0.01 * j * math.sin(x)
            x = x * x / (1.0 + x)
        return x

    def other(x, n, m):
        for _ in tl.checkpoint(range(n)):
            for j in range(m + _):
                x = x + 0.01 * j * math.sin(x)
            x = x * x / (1.0 + x)
        return x

    f = both if inner and outer else one if inner else other
    for n, m in ((0, 3), (1, 0), (5, 7), (10, 2)):
        x, slope = 1.3, 1.0
        for i in range(n):
            for j in range(m + i):
                slope, x = slope * (1.0 + 0.01 * j * math.cos(x)), x + 0.01 * j * math.sin(x)
            slope, x = slope * (2.0 * x * (1.0 + x) - x * x) / (1.0 + x) ** 2, x * x / (1.0 + x)
        close(tl.grad(f)(1.3, n, m), slope, 1e-9)


# Arrays that are written in place ----------------------------------------------------------------
def heat_in_place(u, n):
    u = u.copy()
    for _ in tl.checkpoint(range(n)):
        u[1:-1] = u[1:-1] + 0.1 * u[1:-1] * (u[2:] - u[:-2])
    return np.sum(u * u)


def heat_swapped(u, n):
    old, new = u.copy(), u.copy()
    for _ in tl.checkpoint(range(n)):
        new[1:-1] = old[1:-1] + 0.1 * old[1:-1] * (old[2:] - old[:-2])
        old, new = new, old
    return np.sum(old * old)


def heat_made_anew(u, n):
    for _ in tl.checkpoint(range(n)):
        new = u.copy()
        new[1:-1] = u[1:-1] + 0.1 * u[1:-1] * (u[2:] - u[:-2])
        u = new
    return np.sum(u * u)


def heat_of_the_argument(u, n):
    for _ in tl.checkpoint(range(n)):
        u[1:-1] += 0.1 * u[1:-1] * (u[2:] - u[:-2])
    return np.sum(u * u)


def heat_with_a_view(u, n):
    u = u.copy()
    middle = u[1:-1]
    for _ in tl.checkpoint(range(n)):
        middle += 0.1 * middle * (u[2:] - u[:-2])
    return np.sum(u * u)


def heat_by_hand(u, n):
    """The gradient, by carrying the Jacobian along."""
    jacobian = np.eye(len(u))
    for _ in range(n):
        step = np.eye(len(u))
        for i in range(1, len(u) - 1):
            step[i, i] += 0.1 * (u[i + 1] - u[i - 1])
            step[i, i + 1] += 0.1 * u[i]
            step[i, i - 1] -= 0.1 * u[i]
        jacobian = step @ jacobian
        u = np.concatenate((u[:1], u[1:-1] + 0.1 * u[1:-1] * (u[2:] - u[:-2]), u[-1:]))
    return 2.0 * u @ jacobian


@pytest.mark.parametrize("n", ENDS)
@pytest.mark.parametrize("f", [heat_in_place, heat_swapped, heat_made_anew, heat_of_the_argument,
                               heat_with_a_view])
def test_arrays_written_in_place(f, n):
    u = np.linspace(0.1, 1.0, 6) ** 2
    u.flags.writeable = False
    close(tl.grad(f)(u, n), heat_by_hand(u, n))
    for _ in range(2):
        close(tl.vjp(f, u, n)[1](1.0)[0], heat_by_hand(u, n))


# States that are no numbers ----------------------------------------------------------------------
@dataclasses.dataclass
class Body:
    x: float
    v: float

    def step(self, k):
        self.v = self.v - 0.1 * k * math.sin(self.x)
        self.x = self.x + 0.1 * self.v


def with_dict(state, k, n):
    for _ in tl.checkpoint(range(n)):
        state["v"] = state["v"] - 0.1 * k * math.sin(state["x"])
        state["x"] = state["x"] + 0.1 * state["v"]
    return state["x"] ** 2 + state["v"] ** 2


def with_new_dict(state, k, n):
    for _ in tl.checkpoint(range(n)):
        v = state["v"] - 0.1 * k * math.sin(state["x"])
        state = {"x": state["x"] + 0.1 * v, "v": v}
    return state["x"] ** 2 + state["v"] ** 2


def with_object(state, k, n):
    body = Body(state["x"], state["v"])
    for _ in tl.checkpoint(range(n)):
        body.step(k)
    return body.x ** 2 + body.v ** 2


def with_tuple(state, k, n):
    pair = (state["x"], state["v"])
    for _ in tl.checkpoint(range(n)):
        x, v = pair
        v = v - 0.1 * k * math.sin(x)
        pair = (x + 0.1 * v, v)
    return pair[0] ** 2 + pair[1] ** 2


def with_list(state, k, n):
    xs, v = [state["x"]], state["v"]
    for _ in tl.checkpoint(range(n)):
        v = v - 0.1 * k * math.sin(xs[-1])
        xs.append(xs[-1] + 0.1 * v)
    return xs[-1] ** 2 + v ** 2


@pytest.mark.parametrize("n", ENDS)
@pytest.mark.parametrize("f", [with_dict, with_new_dict, with_object, with_tuple, with_list])
def test_structured_states(f, n):
    x, v, k = pendulum_by_hand(1.0, 0.5, 2.0, n)
    found, slope = tl.grad(f, wrt=("state", "k"))({"x": 1.0, "v": 0.5}, 2.0, n)
    close((found["x"], found["v"], slope), (x, v, k))


def test_keys_that_nobody_knows():
    def f(x, n):
        table = {0: x}
        for i in tl.checkpoint(range(n)):
            table[i + 1] = table[i] * table[i // 2] * 0.9
        return table[n]

    def by_hand(x, n):
        values, slopes = [x], [1.0]
        for i in range(n):
            slopes.append(0.9 * (slopes[i] * values[i // 2] + values[i] * slopes[i // 2]))
            values.append(values[i] * values[i // 2] * 0.9)
        return slopes[n]

    for n in (0, 1, 4, 9):
        close(tl.grad(f)(1.1, n), by_hand(1.1, n))


def test_in_helpers_and_after_the_loop():
    def inner(x, k, n):
        for _ in tl.checkpoint(range(n)):
            x = x + k * np.sin(x)
        k = k * 2.0                         # read by the steps that run again
        return x * k

    def f(x, k, n):
        x = inner(x, k, n)
        for _ in tl.checkpoint(range(2)):
            x = inner(x, k, 3)
        return np.sum(x)

    tl.check_grads(lambda x, k: f(x, k, 5), (np.array([0.3, 0.7]), 0.4), order=1)


# Programs that nobody prepared: each of their loops is taken to have checkpoints -----------------
def all_marked(tree, free, refuse):
    tree = syntax.copy(tree)
    for node in syntax.walk(tree):
        if isinstance(node, gast.For):
            node.checkpointed = True
    return tree


# It changes what outlives the loop through a name that the loop binds first.
MAY_BE_REFUSED = {"aliases-view_made_in_loop"}


THEMES = ("loops", "writes", "inplace", "aliases", "lists", "lists_read_last", "dicts")


@pytest.mark.parametrize("name", [n for n in CASES if n.split("-")[0] in THEMES])
@pytest.mark.sweep(8)
def test_trap_with_checkpoints(name, monkeypatch):
    trap = CASES[name]
    with monkeypatch.context() as patch:
        patch.setattr(normal_form, "marked", all_marked)
        forget()                                # what was made without checkpoints
        found = judge(trap.f, trap.make, trap.wrt, trap.expect)
    forget()
    if found.outcome == "refused" and name not in MAY_BE_REFUSED:
        assert judge(trap.f, trap.make, trap.wrt, trap.expect).outcome == "refused", str(found)
    assert found.outcome != "wrong", str(found)


@pytest.mark.parametrize("first, last", [
    (0, 10), pytest.param(10, 25, marks=pytest.mark.slow)])
def test_generated_programs_with_checkpoints(tmp_path, monkeypatch, first, last):
    monkeypatch.setattr(normal_form, "marked", all_marked)
    programs = [generate(seed, LEVELS["foundation"]) for seed in range(first, last)]
    outcomes = [judge_program(program, function) for program, function, _ in
                write_modules([p for p in programs if "for " in p.source], tmp_path)]
    assert not [str(v) for v in outcomes if v.outcome == "wrong"]
    assert sum(v.outcome == "right" for v in outcomes) > 0.6 * len(outcomes)


# What is refused ---------------------------------------------------------------------------------
def draws(x):
    return x * random.random()


@pytest.mark.parametrize("body", [
    lambda x, i, rng, said: x * np.random.normal(), lambda x, i, rng, said: x * rng.normal(),
    lambda x, i, rng, said: x * random.random(), lambda x, i, rng, said: draws(x),
    lambda x, i, rng, said: print(i) or x * x, lambda x, i, rng, said: said(i) or x * x])
def test_what_must_not_run_twice(body):
    def f(x, rng, said):
        for i in tl.checkpoint(range(5)):
            x = body(x, i, rng, said) * x
        return x

    seen = []
    with pytest.raises(tl.TangentError) as error:
        tl.grad(f)(1.1, np.random.default_rng(0), seen.append)
    assert "test_segments.py" in str(error.value)


def test_wrong_uses():
    def comprehension(x):
        return sum([x * k for k in tl.checkpoint(range(3))])

    def two(x):
        for _ in tl.checkpoint(range(3), 4):
            x = x * x
        return x

    for f in (comprehension, two):
        with pytest.raises(tl.UnsupportedSyntaxError, match="test_segments.py"):
            tl.grad(f)(1.0)
    with pytest.raises(TypeError, match="checkpoint takes"):
        tl.checkpoint(3.0)


# Memory ------------------------------------------------------------------------------------------
def relax(x, n):
    for _ in range(n):
        x = x + 0.001 * np.sin(x)
    return np.sum(x * x)


def relax_short(x, n):
    for _ in tl.checkpoint(range(n)):
        x = x + 0.001 * np.sin(x)
    return np.sum(x * x)


def test_memory():
    x = np.linspace(-2.0, 2.0, 5_000)
    peaks, found = [], []
    for f in (relax, relax_short):
        d = tl.grad(f)
        d(x, 2)
        tracemalloc.start()
        found.append(d(x, 400))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    close(found[1], found[0])
    assert 5 * peaks[1] < peaks[0]


def test_what_is_carried_by_variables_of_what_was_written_in_place():
    """In a lambda the variables of orbit are ours, and might be folded into where they are read."""
    def orbit(body, n):
        for _ in tl.checkpoint(range(n)):
            body["v"] = body["v"] - 0.1 * np.sin(body["x"])
            body["x"] = body["x"] + 0.1 * body["v"]
            if body["x"] > 3.0:
                break
        return body["x"] ** 2

    x, v, dx, dv = 1.0, 0.5, 1.0, 0.0
    for _ in range(25):
        v, dv = v - 0.1 * np.sin(x), dv - 0.1 * np.cos(x) * dx
        x, dx = x + 0.1 * v, dx + 0.1 * dv
    close(tl.grad(lambda x: orbit({"x": x, "v": 0.5}, 25))(1.0), 2.0 * x * dx)
