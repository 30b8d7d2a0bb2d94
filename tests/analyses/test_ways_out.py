"""What is returned from a loop and written into there is the same array until the loop is left."""
import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.analyses.liveness import live_around
from tangent_lite.analyses.ways_out import ways_out
from tests.heap.forced import by_identity, by_names


# Flags -----------------------------------------------------------------------------------------
def ways(text):
    return [(way.at_end, list(way.breaks.values()))
            for way in ways_out(gast.parse(text).body).values()]


LOOPS_IN_LOOPS = """
returned = False
for i in range(n):
    for k in range(n):
        x += y
        if x > 9.0:
            result = x
            returned = True
            break
        if x < 0.0:
            break
    cond = returned
    if cond:
        break
    x = x * y
test = not returned
if test:
    result = -x
"""


def test_a_loop_in_a_loop_is_left_by_three_ways():
    assert ways(LOOPS_IN_LOOPS) == [(False, [True, False]), (True, [False])]


@pytest.mark.parametrize("text", [
    "for k in xs:\n    done = True\n    break\nif not done:\n    y = x",        # not bound before
    "done = False\nfor k in xs:\n    done = k\n    break\nif done:\n    y = x",
    "done = False\nfor done in xs:\n    done = True\n    break\nif done:\n    y = x",
    "done = False\nfor k in xs:\n    x = x\ndone = True\nif done:\n    y = x",
    "done = False\ntest = x > 0\nfor k in xs:\n    break\nif test:\n    y = x",
    "done = False\nfor k in xs:\n    break\ntest = not done\ntest = x > 0\nif test:\n    y = x",
])
def test_what_is_not_known_is_left_open(text):
    assert all(at_end is None or True not in breaks for at_end, breaks in ways(text))


def test_a_flag_that_goes_on_is_not_known_at_the_end():
    assert ways("done = False\nfor k in xs:\n    if k:\n        done = True\nif done:\n    y = x") \
        == [(None, [])]


def test_nobody_reads_the_result_in_the_loop():
    body = gast.parse(LOOPS_IN_LOOPS + "\nz = result").body
    write = body[1].body[0].body[0]
    assert "result" not in live_around(body, {id(write)})[id(write)]


# Programs --------------------------------------------------------------------------------------
def solve(apply, b, precondition=None, most=4, enough=0.3):
    x = np.zeros_like(b)
    r = b.copy()
    z = precondition(r) if precondition is not None else r
    p = z.copy()
    rz = r @ z
    for k in range(most):
        q = apply(p)
        step = rz / (p @ q)
        x += step * p
        r -= step * q
        if np.linalg.norm(r) < enough:
            return x, k
        z = precondition(r) if precondition is not None else r
        rz, old = r @ z, rz
        p *= rz / old
        p += z
    return x, most


def conducted(b):
    k = 1.5 + np.sin(np.arange(b.size + 1.0)) * b[0]

    def apply(v):
        return -np.diff(k * np.diff(np.concatenate(([0.0], v, [0.0]))))

    x, steps = solve(apply, b, lambda r: r / (k[:-1] + k[1:]))
    y, _ = solve(apply, x)
    return x @ b + steps * np.sum(y ** 3)


def in_two_loops(b, most=4):
    x = np.zeros_like(b)
    total = np.zeros(2)
    for i in range(3):
        for k in range(most):
            x += np.sin(b * (k + i))
            total[0] += x[0]
            if x[0] > 1.5:
                return x, {"total": total, "steps": k}
            if x[1] > 1.0:
                break
        x *= b
        total[1] += x[1]
    return x, {"total": total, "steps": most}


def nested(b):
    x, found = in_two_loops(b)
    x2, found2 = in_two_loops(np.cos(x[:b.size]))
    return np.sum(x ** 2) + found["total"] @ found2["total"] + found["steps"] * x2[-1]


def kept_from_before(b):
    """The flag is not known where the loop is entered: what was returned may be read behind it."""
    x = b.copy()
    last = x, 0
    done = b[0] > 10.0
    for k in range(3):
        x *= b
        if x[0] > 2.0:
            last = x.copy(), k
            done = True
            break
    if not done:
        x += 1.0
    return np.sum(last[0] * x) + last[1] * x[1]


def written_behind(b):
    """What was put into a tuple is written into behind the loop."""
    x = np.zeros_like(b)
    found = None
    done = False
    for k in range(3):
        x += np.sin(b * (k + 1))
        if x[0] > 0.9:
            found = x, k
            done = True
            break
    if done:
        x *= b
        return np.sum(found[0] ** 2) + found[1]
    return np.sum(x)


def seen_in_next_round(b):
    """The array in the tuple is written into in the rounds that follow."""
    x = np.zeros_like(b)
    found = x, -1
    for k in range(4):
        x += np.sin(b * (k + 1))
        if x[0] > 0.9 and found[1] < 0:
            found = x, k
    return np.sum(found[0] ** 2) + found[1] * x[0]


STARTS = [np.array([0.7, 0.2]), np.array([0.1, -0.4]), np.array([2.0, 5.5, 0.3])]


@pytest.mark.parametrize("function", [conducted, nested, kept_from_before, written_behind,
                                      seen_in_next_round])
@pytest.mark.parametrize("b", STARTS, ids=str)
def test_programs_are_right(function, b):
    value, slope = tl.value_and_grad(function)(b)
    assert value == function(b)
    with by_identity():
        np.testing.assert_allclose(slope, tl.grad(function)(b), rtol=1e-10, atol=1e-12)
    tl.check_grads(function, (b,), order=1)


@pytest.mark.parametrize("function", [conducted, nested])
def test_they_go_by_names(function):
    b = STARTS[0]
    with by_names():
        slope = tl.grad(function)(b)
        _, pullback = tl.vjp(function, b)
        for _ in range(2):
            np.testing.assert_allclose(pullback(2.0)[0], 2.0 * slope, rtol=1e-12)
    tl.check_grads(function, (b,), order=2)
