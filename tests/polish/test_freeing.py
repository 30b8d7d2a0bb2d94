"""Names of emitted functions are forgotten behind their last use, in what is run alone."""

import ast
import textwrap
import tracemalloc

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.polish.freeing import forget_names


def forgotten(text):
    tree = ast.parse(textwrap.dedent(text))
    forget_names(tree.body[0])
    return ast.unparse(tree).splitlines()[1:]


def test_behind_the_last_use():
    lines = forgotten("""
        def f(x):
            a = x * x
            b, (c, d) = a, (x, x)
            e = b + c
            g = e + d
            return g
    """)
    assert [line.strip() for line in lines] == [
        "a = x * x", ast.unparse(ast.parse("b, (c, d) = a, (x, x)")), "del a", "e = b + c",
        "del b, c", "g = e + d", "return g"]


@pytest.mark.parametrize("text", [
    "if x:\n    a = x\nb = x\nc = b\nreturn c",                    # perhaps not bound
    "for a in x:\n    b = a\nc = x\nd = c\nreturn d",
    "a = x\ng = lambda: a\nb = g()\nc = b\nreturn c",              # read by what is called later
    "a = x\nb = [a for _ in x]\nc = b[0]\nd = c\nreturn d",
    "global a\na = x\nb = x\nc = x\nreturn c",
    "a = x\nb = a\ndel a\nc = b\nd = c\nreturn d",
    "try:\n    b = x\nexcept KeyError as a:\n    b = a\nc = b\nd = c\nreturn d",
])
def test_what_stays(text):
    lines = forgotten("def f(x):\n" + textwrap.indent(text, "    "))
    assert sum("del a" in line for line in lines) == text.count("del a")
    assert not any("del x" in line for line in lines)


def straight(x):
    h1 = np.tanh(x * 1.1)
    h2 = np.tanh(h1 * 1.2)
    h3 = np.tanh(h2 * 1.3)
    h4 = np.tanh(h3 * 1.4)
    h5 = np.tanh(h4 * 1.5)
    h6 = np.tanh(h5 * 1.6)
    return np.sum(h6)


def looped(x):
    for k in range(6):
        x = np.tanh(x * (1.1 + 0.1 * k))
    return np.sum(x)


def peak(function, *args):
    function(*args)
    tracemalloc.start()
    try:
        function(*args)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_straight_code_takes_no_more_memory_than_a_loop():
    x = np.linspace(-1.0, 1.0, 100_000)
    assert np.allclose(tl.grad(straight)(x), tl.grad(looped)(x))
    # Six values of the forward pass, and three arrays at work.
    assert peak(tl.grad(straight), x) <= 1.02 * peak(tl.grad(looped), x) <= 9.2 * x.nbytes


def test_the_text_says_nothing_of_it():
    gradient = tl.grad(straight)
    assert "del " not in gradient.source_for(np.ones(3)) and "del " not in gradient.source


def test_lines_of_errors_stay():
    def fails(x):
        y = np.exp(x)
        z = y * y
        w = np.linalg.inv(z)
        return np.sum(w * z)

    with pytest.raises(np.linalg.LinAlgError) as caught:
        tl.grad(fails)(np.zeros((2, 2)))
    lines = [entry for entry in caught.traceback if entry.path is not None]
    assert any("inv" in str(entry.statement) for entry in lines)


def test_second_derivatives_read_the_text():
    tl.check_grads(straight, (np.array([0.3, -0.2]),), order=2)
