"""Signs that move and updates that are joined leave every value what it is: random blocks with
views, overlaps, loops and branches are run as they were and as they become, and programs that look
as if they could be joined are differentiated, against differences."""

import random

import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.emit import emit
from tangent_lite.inference import Typer
from tangent_lite.kinds import FLOAT, INT, Array
from tangent_lite.passes.accumulate import accumulate
from tangent_lite.passes.signs import signs
from tangent_lite.syntax import walk
from tests.reference.dual import numeric_gradient

VECTOR = Array(1, "float")
INDICES = ("i", "1", "-1", ":", "1:", ":-1", "::-1", "::2", "1:3", "i:", "i - 1")
SLICES = [i for i in INDICES if ":" in i]
KNOWN = {**dict.fromkeys(["x", "y", "bu", "bv", "w", "z"], VECTOR),
         "k": FLOAT, "bk": FLOAT, "s": FLOAT, "i": INT}


class Block:
    """A random block of statements about `bu`, a view `w` of it or a copy, and others."""

    def __init__(self, seed):
        self.random, self.names, self.count = random.Random(seed), ["x", "y", "bv", "w", "z"], 0
        self.numbers = ["k", "bk", "s"]
        self.known = dict(KNOWN)

    def number(self):
        r = self.random
        element = f"{r.choice(['x', 'y', 'bu', 'w'])}[{r.choice(['i', '1', '-1'])}]"
        return r.choice([r.choice(self.numbers), element, "0.5"])

    def vector(self, names=None):
        r = self.random
        name = r.choice(names or self.names)
        return r.choice([name, name, f"{name} * {r.choice(self.names)}",
                         f"-{name} * {self.number()}", f"-{name}", f"2.0 * {name}",
                         f"{name} - {r.choice(self.names)}"])

    def statement(self, depth, indent):
        r = self.random
        kind = r.randrange(13 if depth else 11)
        sign = r.choice("+-")
        if kind < 2:
            owner = r.choice(["bu", "bu", "bv", "w"])
            place = f"{owner}[{r.choice(['i', '1', '-1'])}]"
            return [f"{place} {sign}= {self.number()} * {self.number()}"]
        if kind < 5:
            owner = r.choice(["bu", "bu", "bu", "bv", "w"])
            index = r.choice(SLICES)
            if r.random() < 0.5:
                return [f"{owner}[{index}] {sign}= {self.number()}"]
            return [f"{owner}[{index}] {sign}= ({self.vector()})[{index}]"
                    if r.random() < 0.3 else f"{owner}[:] {sign}= {self.vector()}"]
        if kind == 5:
            return [f"bk {sign}= {self.number()} * {self.number()}"]
        if kind in (6, 7):
            self.count += 1
            name, value = f"t{self.count}", self.vector()
            self.known[name] = VECTOR
            self.names.append(name)
            return [f"{name} = {value}"]
        if kind == 8:
            self.count += 1
            name, value = f"t{self.count}", r.choice(["-", ""]) + self.number()
            self.known[name] = FLOAT
            self.numbers.append(name)
            return [f"{name} = {value}"]
        if kind == 9:
            return [r.choice(["i = 1", "k = bu[0] * 0.5", "bu[1:] = 0.0", "bu[i] = bv[1]",
                              "w = bu[:]", "w = bu.copy()", "x = y * bk", "bv += x", "bu *= 0.5",
                              "bv = bu", "y = bu[::-1]", "s = bu[0]", "s = np.sum(w)",
                              "bu[:] = w * 0.5", "z = bu[:]", "z[1:] = k", "k = k * 0.5"])]
        if kind == 10:
            return ["'# next'"]
        names, numbers = list(self.names), list(self.numbers)
        head = r.choice([f"for i in range({r.randrange(3)}):", "if bk > 0.0:"])
        inner = [line for _ in range(r.randrange(1, 6)) for line in self.statement(0, indent)]
        self.names, self.numbers = names, numbers
        return [head, *("    " + line for line in inner)]


def block(seed):
    """The text of a random function, and the kinds of its names."""
    made = Block(seed)
    lines = ["bu = 2.0 * x", "bv = np.zeros_like(x)", "s = k", "z = y * 1.0",
             made.random.choice(["w = bu[:]", "w = bu.copy()", "w = bu[::-1]", "w = bv[:]"]),
             "bk = k * 1.0"]
    for _ in range(made.random.randrange(4, 16)):
        lines += made.statement(1, "")
    return "def f(x, y, k, i):\n" + "".join(f"    {line}\n" for line in lines) \
        + "    return bu, bv, w, bk, k, s\n", made.known


def tree_of(text):
    tree = gast.parse(text).body[0]
    for node in walk(tree):
        if isinstance(node, gast.stmt):
            node.__dict__.pop("lineno", None)
    return tree


def run(text):
    space = {"np": np}
    exec(text, space)
    rng = np.random.default_rng(3)
    with np.errstate(all="ignore"):
        return space["f"](rng.normal(size=4), rng.normal(size=4), 0.7, 2)


def moved(text, known):
    tree = tree_of(text)
    memory = SameMemory(tree.body, ["x", "y", "k", "i"], Typer({}, {"np": np}.get), known)
    signs(tree.body, lambda name: name.startswith("t"), memory)
    accumulate(tree.body, memory)
    return emit(tree)


@pytest.mark.parametrize("start", range(8))
@pytest.mark.sweep(4)
def test_random_blocks_keep_their_values(start):
    changed = 0
    for seed in range(start * 150, start * 150 + 150):
        text, known = block(seed)
        made = moved(text, known)
        changed += made != emit(tree_of(text))
        for one, other in zip(run(text), run(made)):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9, err_msg=text + made)
    assert changed > 20                                     # or nothing was put to the test


# Programs -----------------------------------------------------------------------------------------
def overlapping(u, k):
    u = u.copy()
    for _ in range(3):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2]) - u[1:-1] * (u[2:] - u[:-2])
    return np.sum(u * u)


def never_entered(u, k):
    u = u.copy()
    for _ in range(0):
        u[1:] = u[1:] - k * u[:-1] * u[1:]
    return np.sum(u * k)


def backwards(u, k):
    u = u.copy()
    u[::-1] = u * k - u[::-1] * u
    u[2:0:-1] = u[1:3] - k * u[2:0:-1] * u[1:3]
    return np.sum(u ** 3)


def through_views(u, k):
    u = u.copy()
    left, right = u[:-1], u[1:]
    left[:] = left - k * right * left
    right[1:] = right[1:] - left[1:] * right[:-1] * left[:-1]
    return np.sum(left * right) * k


def one_place(u, k):
    s = 0.0
    for i in range(1, 4):
        s = s + u[i] * k - u[i - 1] * u[i] * s - u[i]
    return s * u[0] - u[0] * k


def index_anew(u, k):
    i = 0
    s = u[i] * k
    i = i + 1
    s = s - u[i] * k * s
    i = 2 * i
    return s - u[i] * s * u[i]


def by_branches(u, k):
    s = 0.0
    for i in range(4):
        if u[i] > 0.0:
            s = s - u[i] * k
        else:
            s = s + u[i] * u[i] * s - k
            if i > 1:
                continue
        s = s - s * k * u[i]
    return s


def rows(u, k):
    table = np.outer(u, u)
    table[1] = table[1] - k * table[0] * table[1]
    table[:, 1] = table[:, 1] - table[:, 0] * k - u
    return np.sum(table * table)


def repeated_places(u, k):
    places = np.array([0, 2, 0])
    picked = u[places]
    return np.sum(picked * k - picked * picked) - np.sum(u[places] * u[1:4])


def written_between(u, k):
    u = u.copy()
    a = u[0] * k
    u[0] = a * u[1] - u[0]
    b = u[0] * a - u[0] * u[2]
    return a - b * u[0]


def spread(u, k):
    v = u.reshape(2, 2).copy()
    v[:] = v - u[:2] * k - k
    v[0] = v[0] - k * v[1] * v[0]
    return np.sum(v * v)


PROGRAMS = [overlapping, never_entered, backwards, through_views, one_place, index_anew,
            by_branches, rows, repeated_places, written_between, spread]
U = np.array([0.5, -0.7, 0.9, 0.4])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_against_differences(program):
    wanted, trustworthy = numeric_gradient(program, (U, 0.3), (0, 1))
    assert trustworthy
    got = tl.grad(program, wrt=("u", "k"))(U, 0.3)
    for one, other in zip(got, wanted):
        np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-9)
    tl.check_grads(program, (U, 0.3), order=2)


@pytest.mark.parametrize("size", [2, 3])
def test_of_nothing_and_of_one(size):
    u = U[:size]
    wanted, _ = numeric_gradient(overlapping, (u, 0.3), (0, 1))
    for one, other in zip(tl.grad(overlapping, wrt=("u", "k"))(u, 0.3), wanted):
        np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("program", [overlapping, through_views, one_place, rows])
def test_single_precision_stays(program):
    got = tl.grad(program, wrt="u")(U.astype(np.float32), np.float32(0.3))
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, tl.grad(program, wrt="u")(U, 0.3), rtol=1e-4)


@pytest.mark.parametrize("program", [overlapping, one_place, by_branches, written_between])
def test_compiled_alike(program):
    pytest.importorskip("numba")
    plain = tl.grad(program, wrt=("u", "k"))(U, 0.3)
    for one, other in zip(tl.grad(program, wrt=("u", "k"), backend="numba")(U, 0.3), plain):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_one_update_for_each_slice():
    text = tl.grad(overlapping, wrt=("u", "k")).source_for(U, 0.3)
    assert text.count("bu[:-2]") == text.count("bu[2:]") == 1 and "= -b" not in text
