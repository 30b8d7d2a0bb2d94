"""What is told of derivatives, and the picture of the computation graph."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.explain import as_text, explain
from tangent_lite.explain.page import as_page, as_picture


def first(x, y):
    return x * y + np.sin(x)


def powers(x: float, n: int):
    k = 2
    for i in range(n):
        x = x * x
    return x * k


def by_identity(x):
    parts = [x * x, x[1:]]
    again = parts
    again[0][0] = np.sin(x[1])
    return np.sum(parts[0] ** 2) * np.sum(again[1])


def told(function, *arguments, wrt=0):
    return explain(tl.grad(function, wrt=wrt), arguments)


def body(text):
    return text.partition("\n\n")[2]


def test_an_expression():
    assert body(as_text(told(first, 2.0, 3.0, wrt=("x", "y")))) == """\
14 | return x * y + np.sin(x)
    x * y
        d[x] = unbroadcast(d[z] * y, x)
        d[y] = unbroadcast(d[z] * x, y)
    np.sin(x)
        d[x] = d[y] * np.cos(x)
    x * y + np.sin(x)
        d[x] = unbroadcast(d[z], x)    (x is x * y)
        d[y] = unbroadcast(d[z], y)    (y is np.sin(x))
    adjoint:
        bx = bfirst * np.cos(x) + bfirst * y
        by = bfirst * x
"""


def test_a_loop_says_what_is_recorded_and_why():
    text = as_text(told(powers, 1.5, 3))
    assert "not differentiated: k: it is no floating-point number" in text
    assert "recorded: x_tape.append(x)" in text
    assert "because: x is overwritten here, and read by the adjoint of line 20" in text


def nodes(picture):
    space = "{http://www.w3.org/2000/svg}"
    tree = ElementTree.fromstring(picture)
    return {(group.findtext(f"{space}text"), "active" in group.get("class"))
            for group in tree.iter(f"{space}g")}, tree, space


def test_the_picture_marks_what_is_active():
    found, tree, space = nodes(as_picture(told(first, 2.0, 3.0)))
    assert {("x", True), ("y", False), ("sin", True), ("*", True), ("+", True),
            ("result", True)} <= found
    assert all(group.findtext(f"{space}title") for group in tree.iter(f"{space}g"))


def test_loops_are_frames():
    found, tree, space = nodes(as_picture(told(powers, 1.5, 3)))
    assert ("for i in range(n)", False) in found
    assert len([r for r in tree.iter(f"{space}rect") if r.get("class") == "frame"]) == 1
    assert any("back" in p.get("class") for p in tree.iter(f"{space}path"))


def test_by_identity_has_a_picture_and_says_so():
    one = told(by_identity, np.ones(3))
    assert "found by identity" in as_text(one) and ("sin", True) in nodes(as_picture(one))[0]


def test_a_page_needs_nothing_from_elsewhere():
    page = as_page(told(first, 2.0, 3.0))
    assert "<svg" in page and "first_grad" in page
    assert "src=" not in page and "href=" not in page


def test_forward_mode(tmp_path, monkeypatch, capsys):
    from tangent_lite.cli import main
    monkeypatch.chdir(tmp_path)
    (tmp_path / "drawn_here.py").write_text("def f(x, y):\n    return x * y\n")
    assert main(["explain", "drawn_here.py:f", "--mode", "forward"]) == 0
    assert "d[z] = d[x] * y + x * d[y]" in capsys.readouterr().out
    assert main(["explain", "drawn_here.py:f", "-o", "f.svg"]) == 0
    assert (tmp_path / "f.svg").read_text().startswith("<svg")


@pytest.mark.parametrize("number", [300])
def test_large_functions(number, tmp_path, monkeypatch):
    lines = ["def f(x, y):", "    a0 = x * y"]
    lines += [f"    a{k} = a{k - 1} * x + a{max(0, k - 7)}" for k in range(1, number)]
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "long_here.py").write_text("\n".join([*lines, f"    return a{number - 1}"]) + "\n")
    import long_here
    assert as_picture(told(long_here.f, 1.0, 2.0)).count("<g ") > 2 * number
