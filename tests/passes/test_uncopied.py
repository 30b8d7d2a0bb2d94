"""Copies of adjoints that are only computed with are left out, and no others."""
import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.inference import Typer
from tangent_lite.kinds import Array
from tangent_lite.passes.uncopied import uncopied


def correlation(image, kernel):
    height, width = image.shape
    rows, columns = kernel.shape
    out = np.zeros((height - rows + 1, width - columns + 1))
    for i in range(rows):
        for j in range(columns):
            out += kernel[i, j] * image[i:i + height - rows + 1, j:j + width - columns + 1]
    return np.sum(np.tanh(out))


def scaled_meanwhile(image, kernel):
    out = np.zeros(image.shape[0] - 1)
    for i in range(2):
        out += kernel[i, 0] * image[i:i + image.shape[0] - 1, 0]
        out *= kernel[i, 1]
        out += np.sum(out) * image[i, 1]
    return np.sum(out * out)


def added_to_itself(image, kernel):
    out = kernel[0].copy()
    for i in range(2):
        out += out * kernel[1, 0] + image[i, :2]
        out[0] = out[1] * out[0]
        out += out[::-1] * kernel[i, 1]
    return np.sum(out ** 3)


def two_names(image, kernel):
    out = image[0].copy()
    same = out
    for i in range(2):
        out += kernel[i, 0] * image[i]
        same *= kernel[i, 1]
    return np.sum(same * out)


PROGRAMS = [correlation, scaled_meanwhile, added_to_itself, two_names]


@pytest.mark.parametrize("shape", [(2, 2), (3, 4)])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_right(program, shape):
    rng = np.random.default_rng(5)
    if program is added_to_itself:
        shape = (shape[0], 2)
    image, kernel = rng.normal(size=shape), rng.normal(size=(2, 2))
    for given in (image, kernel):
        given.flags.writeable = False
    tl.check_grads(program, (image, kernel), order=2)


def test_written_as_by_hand():
    d = tl.grad(correlation, wrt=(0, 1))
    assert ".copy()" not in d.source_for(np.ones((4, 4)), np.ones((2, 2)))


def test_a_copy_that_is_needed_stays():
    rng = np.random.default_rng(6)
    image, kernel = rng.normal(size=(3, 2)), rng.normal(size=(2, 2))
    d = tl.grad(added_to_itself, wrt=1)
    assert ".copy()" in d.source_for(image, kernel)


def before_a_loop_that_is_left_out(n, x):
    kept = []
    for k in range(n):
        kept.append(x * k)
    total = 0.0
    for k in range(n):
        total += kept[k] ** 2
    return total


def test_no_empty_loop():
    d = tl.grad(before_a_loop_that_is_left_out, wrt="x")
    assert d(3, 2.0) == pytest.approx(4.0 * (1 + 4))
    assert "pass" not in d.source_for(3, 2.0).split("Backward pass")[0].replace("Forward pass", "")


def test_what_is_no_copy_any_more_shares_memory():
    tree = gast.parse("bt = bx.copy()\nbz = bt * k\n")
    for node in tree.body:
        del node.lineno
    vector = Array(1, "float")
    memory = SameMemory([*gast.parse("bx = k * k\n").body, *tree.body], ["k"], Typer({}, {}.get),
                        dict.fromkeys(["bx", "bt", "bz", "k"], vector))
    assert memory.apart("bt", "bx")
    uncopied(memory.body, memory)
    assert isinstance(tree.body[0].value, gast.Name) and not memory.apart("bt", "bx")


# What stands behind `bt = bx.copy()`, and whether the copy stays.
BEHIND = {
    "for i in range(3):\n    bk[i] = np.sum(bt * x)": False,
    "for i in range(3):\n    if i:\n        bk[i] = bt @ x\n    bk[0] += np.sum(-bt)": False,
    "for i in range(3):\n    bk[i] = np.sum(bt * x)\nbz = bt + bk\nbx[0] = 0.0": False,
    "for i in range(3):\n    bk[i] = np.sum(bt * x)\n    bx[0] = 0.0": True,
    "for i in range(3):\n    bx[0] = 0.0\n    bk[i] = np.sum(bt * x)": True,
    "for i in range(3):\n    part = bx[1:]\n    part += 1.0\n    bk[i] = np.sum(bt * x)": True,
    "for i in range(3):\n    bx = bx * 2.0\n    bk[i] = np.sum(bt * x)": True,
    "for i in range(3):\n    bt[i] = 0.0\n    bk[i] = np.sum(bt * x)": True,
    "for i in range(3):\n    bt = bt * x\n    bk[i] = np.sum(bt * x)": True,
    "for i in range(3):\n    bk[i] = helper(bx)\n    bk[i] = np.sum(bt * x)": True,
    "for v in bt:\n    bk[0] += v": True,
    "while np.sum(bt * x) > 0.0:\n    x[0] = 0.0": False,
    "bx += 1.0\nfor i in range(3):\n    bk[i] = np.sum(bt * x)": True,
}


@pytest.mark.parametrize("behind", BEHIND)
def test_copies_that_loops_look_at(behind):
    tree = gast.parse(f"bt = bx.copy()\n{behind}\nby = bx * x\n")
    for node in gast.walk(tree):
        if isinstance(node, gast.stmt):
            del node.lineno
    names = ["bx", "bt", "by", "bz", "bk", "x", "part"]
    memory = SameMemory([*gast.parse("bx = x * x\nbk = x * 2.0\n").body, *tree.body], ["x"],
                        Typer({}, {"np": np}.get), dict.fromkeys(names, Array(1, "float")))
    uncopied(memory.body, memory)
    assert isinstance(tree.body[0].value, gast.Call) == BEHIND[behind]
