"""Loops over what is written out: which are written out once for each."""
import gast
import pytest

from tangent_lite.emit import emit
from tangent_lite.passes.desugar import desugar
from tangent_lite.structures.displays import items_written_into


def loop(text):
    return gast.parse(text).body[0]


@pytest.mark.parametrize("text, count", [
    ("for a in (x, y): a[0] = 1.0", 2),
    ("for a in [x, y, z]: a += 1.0", 3),
    ("for a, b in ((x, y), (y, z)): fill(a, b)", 2),
    ("for a, b in zip((x, y), (y, z)): np.exp(a, out=b)", 2),
    ("for k, a in enumerate((x, y)): a[k] *= 2.0", 2),
    ("for k, (a, b) in enumerate(zip((x, y), (y, x))): a[k] = b[k]", 2)])
def test_written_out(text, count):
    assert len(items_written_into(loop(text))) == count


@pytest.mark.parametrize("text", [
    "for a in (x, y): b[0] = a[0]",                         # nothing is written into
    "for a in (x, y): total = total + a",
    "for a in xs: a[0] = 1.0",                              # who knows how many
    "for a in (*xs, y): a[0] = 1.0",
    "for a, b in zip((x, y), xs): a[0] = b",
    "for a in (x, y):\n    a[0] = 1.0\n    if a[1] > 0.0:\n        break",
    "for b[0] in (x, y): b[0] += 1.0",
    "for a in (x, y):\n    a[0] = 1.0\nelse:\n    pass",
    "for a, b in zip((x, y), (z, f(), w)): a[0] = b",        # f is called all the same
    "for a in (x, y):\n    a[0] = 1.0\n    yield a",
    "for a in (x, y):\n    'enter'(lock)\n    a[0] = 1.0\n    'exit'()",
    "for a in (1, 2, 3, 4, 5, 6, 7, 8, 9): a += 1"])
def test_left_as_it_is(text):
    assert items_written_into(loop(text)) is None


def test_names_that_an_item_binds_keep_their_meaning():
    tree = gast.parse("""
def f(a, b):
    for c in (a, (a := b)):
        c[0] = 2.0
""").body[0]
    assert emit(desugar(tree)) == """\
def f(a, b):
    item = a
    a = b
    item_1 = a
    c = item
    c[0] = 2.0
    c = item_1
    c[0] = 2.0
"""


def test_names_that_the_loop_binds_keep_their_meaning():
    tree = gast.parse("""
def f(a, b):
    for b in (a, b):
        b[0] = 2.0
""").body[0]
    assert emit(desugar(tree)) == """\
def f(a, b):
    item = b
    b = a
    b[0] = 2.0
    b = item
    b[0] = 2.0
"""
