"""Arrays that are copied under their own name: the copy goes where nobody else holds them."""
import random

import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import syntax
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.emit import emit
from tangent_lite.inference import Typer
from tangent_lite.kinds import FLOAT, Array
from tangent_lite.passes.recopied import recopied
from tests.reference.modes import hold_curvature_to_differences, hold_to_differences

VECTORS = ["bx", "bt", "bz", "bs", "x", "part"]


def left_out(text, middle=None):
    """The text without needless copies; middle: what a comment says where a half begins."""
    tree = gast.parse(text)
    for node in syntax.every_statement(tree.body):
        del node.lineno
    memory = SameMemory(tree.body, ["bx", "x", "kept"], Typer({}, {"np": np, "range": range}.get),
                        {**dict.fromkeys(VECTORS, Array(1, "float")), "t": FLOAT})
    recopied(tree.body, memory, None if middle is None else next(
        node for node in tree.body if getattr(node, "value", None) is not None
        and getattr(node.value, "value", None) == middle))
    shown = emit(tree)
    compile(shown, "text", "exec")
    return shown


# Before a copy of bt itself in a loop -> whether it has to stay.
BOUND = {
    "bt = bx * x": False,
    "bt = bx": True,
    "bt = bx[1:]": True,
    "bt = unreduce(1.0, bx)": True,
    "bt = unreduce(1.0, bx)\nbt = bt + x": False,
    "bt = bx * x\nbz = bt": True,
    "bt = bx * x\npart = bt[1:]": True,
    "bt = bx * x\nt = bt[1]": False,
    "bt = bx * x\nbz = bt * 2.0": False,
    "bt = bx * x\nbz += bt": False,
    "bt = bx * x\nbz[1:] = bt[1:]": False,
    "bt = bx * x\nkept.append(bt)": True,
    "bt = bx * x\nbz[helper(bt)] = 1.0": True,
    "bt = bx * x\nbz = 2.0 * helper(bt)": True,
    "bt = bx * x\nbz = np.sum(bt) * x": False,
    "bt = np.zeros_like(bx)": False,
    "bt = np.broadcast_to(2.0, (3,))": True,
    "bt, bz = bx * x, x": True,
    "bt = bz = bx * x": True,
    "if x[0] > 1.0:\n    bt = bx\nelse:\n    bt = bx * x": True,
    "if x[0] > 1.0:\n    bt = bx + x\nelse:\n    bt = bx * x": False,
    "if x[0] > 1.0:\n    bt = bx\n    return\nelse:\n    bt = bx * x": False,
}


@pytest.mark.parametrize("loop", ["for i in range(3):\n    bt = bt.copy()\n    bt[i] += 1.0\n",
                                  "if x[0] > 0.0:\n    bt = bt.copy()\nbt[0] += 1.0\n"])
@pytest.mark.parametrize("bound", BOUND)
def test_what_stands_in_front(bound, loop):
    text = f"{bound}\n{loop}"
    if "return" in bound:
        text = "def f(bx, x):\n" + "".join(f"    {line}\n" for line in text.splitlines())
        tree = gast.parse(text).body[0]
        for node in syntax.every_statement(tree.body):
            del node.lineno
        recopied(tree.body, SameMemory(tree.body, ["bx", "x"], Typer({}, {"range": range}.get),
                                       dict.fromkeys(VECTORS, Array(1, "float"))))
        assert (".copy()" in emit(tree)) == BOUND[bound]
        return
    assert (".copy()" in left_out(text)) == BOUND[bound]


# The body of a loop over a new bt, in which it is copied -> whether the copy has to stay.
BODIES = {
    "bt = bt.copy()\nbt[i] = 0.0": False,
    "bt = bt.copy()\nbt[i] = 0.0\nbz = bt": True,
    "bz = bt\nbt = bt.copy()\nbt[i] = 0.0": True,
    "bt = bt.copy()\nbz = bt\nbt = bt * x": False,
    "bt = bt.copy()\nbt = bz": True,
    "if t > 0.0:\n    kept.append(bt)\n    continue\nbt = bt.copy()\nbt[i] = 0.0": True,
    "if t > 0.0:\n    kept.append(bt)\n    break\nbt = bt.copy()\nbt[i] = 0.0": False,
    "while t > 0.0:\n    bt = bt.copy()\n    bs = bt\nbt[i] = 0.0": True,
    "for j in range(2):\n    bt = bt.copy()\n    bt[j] = 1.0\nbs = bt\nbt = bx * x": False,
}


@pytest.mark.parametrize("body", BODIES)
def test_loops(body):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    shown = left_out(f"bt = bx * x\nfor i in range(3):\n{lines}")
    assert (".copy()" in shown) == BODIES[body]


def test_behind_a_loop_that_was_left():
    assert ".copy()" in left_out("bt = bx * x\nfor i in range(3):\n    if t > 0.0:\n"
                                 "        kept.append(bt)\n        break\nbt = bt.copy()\n")


def test_a_half_that_runs_again_copies_what_the_other_has_made():
    text = "bt = bx * x\n'half'\nbt = bt.copy()\nbt[0] = 1.0\n"
    assert ".copy()" not in left_out(text)
    assert ".copy()" in left_out(text, middle="half")


# Drawn texts ------------------------------------------------------------------------------------
STATEMENTS = ["{a} = {a}.copy()", "{a} = {a}.copy()", "{a} = {b}", "{a} = {b} * {c}", "{a} += {b}",
              "{a}[{i}] += 1.5", "{a}[1:] = {b}[1:]", "part = {a}[:2]", "part[1] *= 3.0",
              "kept.append({a})", "kept[-1][0] -= 1.0", "{a} = np.zeros_like({b})",
              "{a} = kept.pop()\nkept.append({a} + 1.0)"]


def drawn_block(draw, depth):
    lines = []
    for _ in range(draw.randint(2, 6)):
        kind = draw.random()
        if depth < 2 and kind < 0.2:
            leave = draw.choice(["continue", "break", "pass"])
            lines += [f"for i{depth} in range(3):",
                      *(f"    {line}" for line in drawn_block(draw, depth + 1)),
                      f"    if part[0] > {draw.choice([-9, 0, 2])}.0:", f"        {leave}",
                      *(f"    {line}" for line in drawn_block(draw, depth + 1))]
        elif depth < 2 and kind < 0.35:
            lines += [f"if part[1] > {draw.choice([-9, 0, 2])}.0:",
                      *(f"    {line}" for line in drawn_block(draw, depth + 1)), "else:",
                      *(f"    {line}" for line in drawn_block(draw, depth + 1))]
        else:
            a, b, c = (draw.choice(["bt", "bz", "bs"]) for _ in range(3))
            lines += draw.choice(STATEMENTS).format(
                a=a, b=b, c=c, i=draw.randint(0, 2)).splitlines()
    return lines


def outcome(text):
    """All that a text leaves behind."""
    bx, x = np.array([0.5, -1.0, 2.0]), np.array([1.0, 0.25, -0.5])
    scope = {"np": np, "bx": bx, "x": x, "kept": [x + 1.0]}
    with np.errstate(all="ignore"):
        exec(text, scope)
    return [scope[name] for name in VECTORS] + scope["kept"]


@pytest.mark.parametrize("seed", range(60))
def test_drawn_texts_do_the_same(seed):
    draw = random.Random(seed)
    for _ in range(5):
        text = "\n".join(["bt = bx * x", "bz = bx + x", "bs = x * 2.0", "part = x[:2]",
                          *drawn_block(draw, 0)]) + "\n"
        shown = left_out(text)
        for one, other in zip(outcome(text), outcome(shown), strict=True):
            np.testing.assert_array_equal(one, other, err_msg=f"{text}\n{shown}")


# Gradients --------------------------------------------------------------------------------------
def stepped(x):
    for _ in range(3):
        s = x * 0.5
        x = x + s[1:].sum() * s[0]
        s[0] = x[1]
        x = x + s
    return np.sum(x ** 2)


def test_gradients_are_not_copied_twice():
    x = np.array([0.3, -0.7, 1.1])
    direction = np.array([0.4, 0.9, -0.3])
    hold_to_differences(stepped, x, direction)
    hold_curvature_to_differences(stepped, x, direction)
    assert tl.grad(stepped).source_for(x).count(".copy()") == 1


def squares_and_diagonal(h, weight):
    total = 0.0
    for i in range(h.shape[0]):
        total += h[i, 0] ** 3
    return total + weight * np.sum(np.diag(h) ** 3)


def squares_and_trace(h, weight):
    total = 0.0
    for i in range(h.shape[0]):
        total += h[i, 0] ** 2
    return total * (total - weight * np.trace(h))


def made_of_a_vector(v, weight):
    """Here undiag gives a part of the adjoint of the matrix, which NumPy lets nobody write to."""
    matrix = np.diag(v) * weight
    total = 0.0
    for i in range(v.shape[0]):
        total += v[i] ** 2
    return total * np.sum(matrix ** 2)


MATRIX = np.array([[0.7, -0.4, 1.2], [0.3, 0.9, -0.6], [1.1, 0.2, -0.8]])


@pytest.mark.parametrize("function, x", [
    *((function, x) for function in (squares_and_diagonal, squares_and_trace)
      for x in (MATRIX, MATRIX[:1, :1], MATRIX[:2], MATRIX.T[:, :2])),
    *((made_of_a_vector, v) for v in (MATRIX[0], MATRIX[0, :1], MATRIX[:, 1])),
])
def test_what_is_spread_along_a_diagonal_is_not_copied(function, x):
    tl.check_grads(function, (x, 0.7), order=2)
    assert np.allclose(tl.grad(function)(x, 0.7), tl.jacfwd(function)(x, 0.7))
    assert np.allclose(tl.jacrev(tl.grad(function))(x, 0.7), tl.jacfwd(tl.grad(function))(x, 0.7))
    typed = tl.grad(function)(x.astype(np.float32), np.float32(0.7))
    assert typed.dtype == np.float32
    assert np.allclose(typed, tl.grad(function)(x, 0.7), rtol=1e-4, atol=1e-5)
    if x.ndim == 2:
        assert ".copy()" not in tl.grad(function).source_for(x, 0.7)


@pytest.mark.parametrize("function", [squares_and_diagonal, squares_and_trace])
def test_spread_along_nothing(function):
    assert tl.grad(function)(np.zeros((0, 0)), 0.7).shape == (0, 0)
    assert np.array_equal(tl.grad(function)(np.zeros((0, 2)), 0.7), np.zeros((0, 2)))


@pytest.mark.parametrize("function", [squares_and_diagonal, squares_and_trace])
def test_spread_along_a_diagonal_of_complex_numbers(function):
    z = MATRIX + 0.3j * MATRIX.T
    found = tl.grad(function, holomorphic=True)(z, 0.7)
    step = 1e-6
    for place in np.ndindex(z.shape):
        moved = np.zeros_like(z)
        moved[place] = step
        slope = (function(z + moved, 0.7) - function(z - moved, 0.7)) / (2 * step)
        assert np.isclose(found[place], slope, rtol=1e-6, atol=1e-6)


def test_a_diagonal_with_nan_stays_where_it_is():
    x = MATRIX.copy()
    x[1, 1] = np.nan
    found = tl.grad(squares_and_diagonal)(x, 0.7)
    assert np.array_equal(np.isnan(found), np.isnan(x))
