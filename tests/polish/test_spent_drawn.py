"""Adjoints that are used up, in programs that are drawn: loops of reads and writes of elements."""

import random

import numpy as np
import pytest

import tangent_lite as tl


def drawn_program(seed, again=0.0):
    """Loops that read and write elements at places that are linear in their counters; again: how
    often what is overwritten is read."""
    draw = random.Random(seed)
    lines = ["def program(x):", "    n = x.shape[0]",
             f"    y = {draw.choice(['x * 0.5', 'np.ones(n)', 'np.zeros(n)'])}",
             "    z = np.ones(n)"]
    plain = draw.random() < 0.7         # places near the counter, read and written in turn

    def place(counters):
        if plain and counters:
            counter = draw.choice(counters)
            return draw.choice([counter] * 4 + [f"{counter} - 1", f"{counter} + 1"])
        counter = draw.choice([*counters, *counters, ""])
        if not counter:
            return draw.choice(["0", "1", "n - 1", "-1", "n - 2"])
        return draw.choice([counter, counter, f"{counter} - 1", f"{counter} + 1",
                            f"n - 1 - {counter}", f"{counter} // 2"])

    def write(indent, counters):
        array, part = draw.choice("yyz"), place(counters)
        read = [f"{draw.choice('xxxxyz' if plain else 'xxyz')}[{place(counters)}]"
                for _ in range(2)]
        if draw.random() < again:
            read = [f"{array}[{part}]", draw.choice([read[1], f"{array}[{part}]"])]
        op = draw.choice(["=", "=", "=", "=", "+=", "*="])
        lines.append(f"{indent}{array}[{part}] {op} np.sin({read[0]} * {read[1]}) + 0.1")

    def loop(indent, counters, depth):
        counter = draw.choice("ij") if not counters else "k" if depth else "m"
        around = draw.choice(["range(1, n - 1)", "range(n - 2, 0, -1)", "range(1, n - 1, 2)"])
        lines.append(f"{indent}for {counter} in {around}:")
        inner = [*counters, counter]
        for _ in range(draw.randint(1, 2 if plain else 3)):
            kind = draw.random()
            if kind < 0.15 and depth:
                loop(indent + "    ", inner, depth - 1)
            elif kind < 0.3:
                lines.append(f"{indent}    if x[{counter}] > {draw.choice(['0.0', '0.3'])}:")
                write(indent + "        ", inner)
            else:
                write(indent + "    ", inner)
        if draw.random() < 0.1:
            lines.append(f"{indent}    y = np.sin(y)")

    for _ in range(draw.randint(1, 3)):
        if draw.random() < 0.25:
            write("    ", [])
        else:
            loop("    ", [], 2)
    result = draw.choice(["np.sum(y * y) + np.sum(z)", "y[-1] * z[0]", "np.sum(y)"])
    lines.append(f"    return {result}")
    return "\n".join(lines) + "\n"


def compare_drawn(seed, folder, again=0.0):
    path = folder / f"drawn_{seed}.py"
    path.write_text("import numpy as np\n\n\n" + drawn_program(seed, again))
    space = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    x = np.random.default_rng(seed).normal(size=6) * 0.7
    gradient = tl.grad(space["program"])
    found, wanted = gradient(x), tl.jacfwd(space["program"])(x)
    assert np.allclose(found, wanted, rtol=1e-9, atol=1e-11), path.read_text()
    assert all(np.array_equal(gradient(x), found) for _ in range(3)), path.read_text()
    return tl.grad(space["program"]).source_for(x).count(" = 0.0\n")


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.sweep(8)
def test_drawn_programs(seed, tmp_path):
    compare_drawn(seed, tmp_path)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.sweep(10)
def test_drawn_programs_that_read_what_they_overwrite(seed, tmp_path):
    compare_drawn(seed, tmp_path, again=0.6)


def in_lists(text):
    """A drawn program of lists of numbers."""
    for array, made in (("x * 0.5", "[0.5 * v for v in x]"), ("np.ones(n)", "[1.0] * n"),
                        ("np.zeros(n)", "[0.0] * n"), ("np.sin(y)", "[math.sin(v) for v in y]"),
                        ("np.sum(y * y)", "sum([v * v for v in y])"), ("np.sum(", "sum("),
                        ("np.sin(", "math.sin("), ("x.shape[0]", "len(x)")):
        text = text.replace(array, made)
    return text


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.sweep(10)
def test_drawn_programs_of_lists(seed, tmp_path):
    path = tmp_path / f"drawn_{seed}.py"
    path.write_text("import math\n\n\n" + in_lists(drawn_program(seed, again=0.3)))
    space = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    x = [*(np.random.default_rng(seed).normal(size=6) * 0.7)]
    gradient = tl.grad(space["program"])
    found, wanted = gradient(x), tl.jacfwd(space["program"])(x)
    assert np.allclose(found, wanted, rtol=1e-9, atol=1e-11), path.read_text()
    assert all(gradient(x) == found for _ in range(3))
