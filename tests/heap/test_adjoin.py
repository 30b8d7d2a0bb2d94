"""The text of the two passes, and what they refuse."""
import textwrap

import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.heap.referee import held, world

TEXT = '''
def f(x, d):
    total = 0.0
    for k in range(3):
        if d["on"]:
            total += x * d["scale"]
        else:
            total -= k
    d["scale"] = total
    return total * d["scale"]
'''
GOLDEN = '''
def f_fwd(tape, x, d):
    """Value of f (FILE:1), and on the tape what its backward pass needs."""
    total = 0.0
    steps = 0
    for k in range(3):
        steps += 1
        d_part = tape.item(d)["on"]
        cond = tape.truth(d_part)
        if cond:
            d_part_1 = tape.item(d)["scale"]
            t = tape.mul(x, d_part_1)
            total = tape.iadd(total, t)
            tape.branch(True)
        else:
            total = tape.isub(total, k)
            tape.branch(False)
    tape.count(steps)
    tape.item(d)["scale"] = total
    d_part_2 = tape.item(d)["scale"]
    t_1 = tape.mul(total, d_part_2)
    return t_1


def f_bwd(tape, bt_1):
    """Adjoints of the parameters of f."""
    btotal = bd_part = bd = bd_part_1 = bt = bx = None
    bd_part_2 = None
    # return total * d["scale"]
    bt_1, btotal, bd_part_2 = tape.pull(bt_1, btotal, bd_part_2)
    bd_part_2, bd = tape.pull(bd_part_2, bd)
    # d["scale"] = total
    _, btotal = tape.pull(None, btotal)
    for _ in tape.steps():
        if tape.branched():
            # total += x * d["scale"]
            _, btotal, bt = tape.pull(btotal, None, bt)
            bt, bx, bd_part_1 = tape.pull(bt, bx, bd_part_1)
            bd_part_1, bd = tape.pull(bd_part_1, bd)
        else:
            # total -= k
            _, btotal = tape.pull(btotal, None)
        tape.pull(None)
        bd_part, bd = tape.pull(bd_part, bd)
    # total = 0.0
    btotal = None
    return bx, bd
'''


def test_text():
    space = world(TEXT.lstrip())
    d = tl.grad(space["f"])
    with by_identity():
        text = d.source_for(1.5, {"on": True, "scale": 2.0})
    assert text.replace(space["f"].__code__.co_filename, "FILE").strip() == GOLDEN.strip()
    held(TEXT, '1.5, {"on": True, "scale": 2.0}', wrt=(0, 1))


def test_text_is_the_same_from_run_to_run():
    texts = set()
    for _ in range(3):
        space = world(TEXT.lstrip())
        with by_identity():
            text = tl.grad(space["f"]).source_for(1.5, {"on": True, "scale": 2.0})
        texts.add(text.replace(space["f"].__code__.co_filename, "FILE"))
    assert len(texts) == 1


# Control flow, names and scopes: each body computes s of x and y.
BODIES = [
    "s = x if x > y else y\ns = s * s", "s = x and y\ns = s * x", "s = (x > 9 and y) or x * y",
    "s = 0.0\nwhile s < 9.0:\n    s = s + x * y\n    if s > 5.0:\n        break\nelse:\n"
    "    s = 0.0",
    "s = x\nfor k in range(4):\n    if k == 2:\n        continue\n    s = s * y + k",
    "s = (t := x * y) * t", "s = [t := x, t * y, t][1]", "a = b = x * y\na = a * x\ns = a * b",
    "a, (b, *c) = x, (y, x, y)\ns = a * b * c[0] * c[1]", "x, y = y, x * y\ns = x * y * y",
    "def g(a, b=y):\n    return a * b\ns = g(x) * g(y, b=x)", "s = (lambda a, k=x: a * k * y)(y)",
    "def g():\n    nonlocal_ = x * y\n    return nonlocal_\ns = g() * x",
    "n = x\ndef g():\n    nonlocal n\n    n = n * y\ng()\ng()\ns = n * n",
    "def power(k):\n    return 1.0 if k == 0 else x * power(k - 1)\ns = power(3) * y",
    "fs = [lambda t, k=k: t * k * x for k in (1.0, y)]\ns = fs[0](x) * fs[1](y)",
    "fs = []\nfor k in (x, y):\n    fs.append(lambda: k)\ns = fs[0]() * fs[1]()",
    "def deco(g):\n    return lambda t: g(t) * y\n@deco\ndef g(t):\n    return t * t\ns = g(x)",
    "def g(*a, **k):\n    return sum(a) * k['w']\ns = g(x, y, w=x)\ns += g(*[x, y], **{'w': y})",
    "def g(a, /, b, *, c):\n    return a * b * c\ns = g(x, b=y, c=x)", "import math\n"
    "s = math.sin(x) * y",
    "from math import cos as c\ns = c(x) * y", "s = x\ndel x\ns = s * y", "assert x > 0.0, x\n"
    "s = x * y",
    "try:\n    s = math.sqrt(x - 9.0)\nexcept ValueError:\n    s = x * y\nfinally:\n"
    "    y = y * 2.0\ns = s * y",
    "try:\n    s = x * y\nexcept ValueError:\n    s = x\nelse:\n    s = s * s",
    "s = 0.0\nfor k in range(3):\n    try:\n        if k == 1:\n            raise KeyError(k)\n"
    "        s = s + x * k\n"
    "    except KeyError as e:\n        s = s * y + e.args[0]",
    "import contextlib\nwith contextlib.nullcontext(x * y) as t:\n    s = t * t",
    "with np.errstate(all='ignore'):\n    s = x * y\ns = s * s",
    "match (x, y):\n    case (a, b) if a > b:\n        s = a * b * b\n    case _:\n        s = x",
    "s = eval_ = x * y\ns = eval_ * s", "global total\ntotal = x * y\ns = total * total",
    "s = [k * v for k, v in zip((x, y), [y, x]) if v > 0.5][0] * x", "s = {k: x * k for k in (1, "
    "2)}[2] * y",
    "s = sum(x * v for row in [[x, y], [y]] for v in row if v > 0.1)", "s = x * y if x < y < 9 < "
    "10 else x * x * y",
    "list = [x, y]\nlen = 2\n"
    "s = list[len - 1] * list[0]", "s = -x ** 2 + +y // 0.3 + y % 0.4 - ~2 * x",
    "s = f'{x:.1f}' and x * y", "s = x.real * y + x.conjugate() * x.imag", "s = (x * 1j * y * "
    "1j).real",
]


@pytest.mark.parametrize("body", BODIES, ids=lambda v: v.split("\n")[0])
def test_bodies(body):
    held(f"def f(x, y):\n{textwrap.indent(body, '    ')}\n    return s\n", "1.3, 0.7", wrt=(0, 1))


def test_early_returns():
    text = ("def f(x, n):\n    for k in range(n):\n        if x > 2.0:\n            return x * k\n"
            "        x = x * 1.5\n    return x * x\n")
    held(text, "1.3, 5")
    held(text, "1.3, 1")
    held(text, "1.3, 0")
