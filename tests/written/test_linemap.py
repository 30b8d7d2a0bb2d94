"""d.line_map: from emitted lines to the lines of the user, in whatever file these stand."""
import inspect
import linecache
import math

import numpy as np

import tangent_lite as tl
from tests.traps import twin


def helper(x, k):
    if k > 2:
        y = x * x
        return y * k
    return math.sin(x)


def doubles(xs, k):
    for i in range(k):
        xs[i] = xs[i] * 2.0
        if xs[i] > 3.0:
            xs[i] = 1.0


def f(x, n):
    total = 0.0
    for i in range(n):
        if x > 100.0:
            break
        x = x * 1.1
        total += helper(x, i)
    t = np.zeros(3)
    t[0] = total
    doubles(t, 2)
    while total > 50.0:
        total = total * 0.5
    return total * x + t[0] + twin.scale(x, 2.0)


def lines(d, *args):
    """{text of an emitted line, without indentation: texts of the user's lines}"""
    emitted = d.source_for(*args).splitlines()
    found = {}
    for number, (file, line) in d.line_map_for(*args).items():
        text = linecache.getline(file, line).strip()
        found.setdefault(emitted[number - 1].strip(), set()).add(text)
    return found


def test_loops_branches_helpers():
    found = lines(tl.grad(f), 1.5, 5)
    assert found["for i in range(n):"] == {"for i in range(n):"}
    assert found["bx = 1.1 * bx"] == {"x = x * 1.1"}
    assert found["if k > 2:"] == {"if k > 2:"}
    assert found["by = bhelper * k"] == {"return y * k"}
    assert found["bx = bhelper * math.cos(x)"] == {"return math.sin(x)"}
    assert found["t[i] = t[i] * 2.0"] == {"xs[i] = xs[i] * 2.0"}          # written in its place
    assert found["btotal = 0.5 * btotal"] == {"total = total * 0.5"}
    assert found["def f_grad(x, n, bf=1.0):"] == {"def f(x, n):"}
    assert found["def helper_bwd(saved, bhelper):"] == {"def helper(x, k):"}


def test_helpers_of_other_files():
    files = {file for file, _ in tl.grad(f).line_map_for(1.5, 5).values()}
    assert files == {__file__, twin.__file__}


def test_forward_mode():
    found = lines(tl.jvp.pushing(f, (0,)), 1.5, 5)
    assert found["dx = 1.1 * dx"] == {"x = x * 1.1"}
    assert found["dresult = dy * k"] == {"return y * k"}


def test_comments_say_the_same():
    """The comment above an adjoint is the line that it stands for."""
    d = tl.grad(f)
    emitted, found = d.source_for(1.5, 5).splitlines(), d.line_map_for(1.5, 5)
    comments = [n for n in found if emitted[n - 1].lstrip().startswith("# ")]
    assert len(comments) > 8
    for number in comments:
        text = linecache.getline(*found[number]).strip()
        assert text == emitted[number - 1].strip().removeprefix("# "), number


def test_every_line_of_the_passes():
    d = tl.grad(f)
    emitted, found = d.source_for(1.5, 5).splitlines(), d.line_map_for(1.5, 5)
    ours = ('"""', "# Forward", "# Backward", "import", "from", "return", "x, k = saved")
    missing = [line for number, line in enumerate(emitted, 1)
               if line.strip() and number not in found and not line.strip().startswith(ours)]
    assert not [line for line in missing if " = saved" not in line]


def test_second_order_and_the_general_source():
    def cube(x: float):
        return x * x * x

    first = inspect.getsourcelines(cube)[1]
    for d in (tl.grad(cube), tl.grad(tl.grad(cube)), tl.value_and_grad(cube)):
        assert d.line_map
        assert set(d.line_map.values()) <= {(__file__, first), (__file__, first + 1)}


def test_loops_with_checkpoints():
    def steps(x, n):
        for _ in tl.checkpoint(range(n)):
            x = x * math.sin(x)
        return x

    found = lines(tl.grad(steps), 0.5, 4)
    assert found["x = x_checkpoints.pop()"] == {"for _ in tl.checkpoint(range(n)):"}
    assert found["x = x * math.sin(x)"] == {"x = x * math.sin(x)"}


def test_adjoints_by_identity():
    def shared(x):
        a = {"x": x}
        b = a if x > 0.0 else {"x": x}
        for k in range(3):
            b["x"] = helper(b["x"], k) * 2.0
        return a["x"] * 3.0

    d = tl.grad(shared)
    assert "tape.pull" in d.source_for(1.5)
    first, count = inspect.getsourcelines(shared)[1], len(inspect.getsourcelines(shared)[0])
    emitted, found = d.source_for(1.5).splitlines(), d.line_map_for(1.5)
    mine = {line for file, line in found.values() if first <= line < first + count}
    assert mine == set(range(first + 1, first + count))
    backward = [n for n in found if "tape.pull" in emitted[n - 1]]
    assert len(backward) > 5
