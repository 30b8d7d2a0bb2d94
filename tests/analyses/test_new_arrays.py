"""New arrays that nobody else holds: what is written over in them is kept only for who reads it."""
import random

import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.3, -0.7, 1.1, 0.4, 0.9])


# Nothing is kept ----------------------------------------------------------------------------------
def diffusion(x, n):
    u = x.copy()
    for _ in range(n):
        w = u.copy()
        for i in range(1, u.shape[0] - 1):
            w[i] = u[i] + 0.1 * u[i] * (u[i + 1] - 2.0 * u[i] + u[i - 1])
        u = w
    return np.sum(u * u)


def upwind(x, n):
    for _ in range(n):
        w = np.zeros(x.shape[0])
        for i in range(x.shape[0]):
            if x[i] > 0.0:
                w[i] = x[i] * x[i - 1]
            else:
                w[i] = x[i] ** 2
        x = w
    return np.sum(x)


def by_slices(x, n):
    for _ in range(n):
        w = np.empty_like(x)
        w[0] = x[0]
        w[1:] = x[1:] * x[:-1]
        x = w
    return np.sum(x * x)


# What is overwritten is read ----------------------------------------------------------------------
def written_twice(x, n):
    for _ in range(n):
        w = x * 1.0
        for i in range(x.shape[0]):
            w[i] = w[i] * w[i - 1] * x[i]
        x = w
    return np.sum(x * x)


def known_by_two_names(x, n):
    for _ in range(n):
        w = x * 1.0
        v = w
        total = v[0] ** 2 * v[1]
        w[0] = total * x[1]
        x = v
    return np.sum(x * x)


def viewed(x, n):
    for _ in range(n):
        w = x * 1.0
        part = w[1:3]
        y = part[0] * part[1]
        w[1] = y
        x = w * y
    return np.sum(x * x)


def swapped(x, n):
    u = x.copy()
    w = x * 2.0
    for _ in range(n):
        for i in range(1, x.shape[0]):
            w[i] = u[i] * u[i - 1]
        u, w = w, u
    return np.sum(u * w)


def left_with_two_names(x, n):
    w = np.zeros(x.shape[0])
    u = x
    for k in range(n):
        w[k] = x[k] * u[k]
        u = w
        if u[k] > 0.1:
            break
        w = np.zeros(x.shape[0])
    y = u[0] * u[1] + u[2] ** 2
    w[0] = y * x[0]
    w[2] = w[0] * y
    return np.sum(u * w)


def in_a_helper(x, n):
    for _ in range(n):
        w = x * 1.0
        y = norm(w)
        w[0] = y * x[1]
        x = w
    return np.sum(x)


def norm(v):
    return v[0] ** 2 + v[1] * v[0]


KEPT = [written_twice, known_by_two_names, viewed, swapped, left_with_two_names, in_a_helper]


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("function", [diffusion, upwind, by_slices, *KEPT])
def test_gradients(function, n):
    found = tl.grad(function)(X, n)
    assert np.allclose(found, tl.jacfwd(function)(X, n), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("function", [diffusion, upwind, by_slices])
def test_nothing_is_kept(function):
    text = tl.grad(function).source_for(X, 3)
    assert not any(line.strip().startswith("w[") and "_tape.pop()" in line
                   for line in text.splitlines()), text


@pytest.mark.parametrize("function", [written_twice, swapped])
def test_what_is_read_is_kept(function):
    text = tl.grad(function).source_for(X, 3)
    assert any(line.strip().startswith("w[") and "_tape.pop()" in line
               for line in text.splitlines()), text


def test_a_loop_that_runs_again():
    def f(x, n):
        u = x.copy()
        for _ in tl.checkpoint(range(n)):
            w = u.copy()
            for i in range(1, u.shape[0]):
                w[i] = u[i] * u[i - 1]
            u = w
        return np.sum(u * u)

    assert np.allclose(tl.grad(f)(X, 7), tl.jacfwd(f)(X, 7), rtol=1e-12)


# Drawn --------------------------------------------------------------------------------------------
ARRAYS = ("u", "w", "v")


def drawn_program(seed):
    """Arrays that are made, written to, swapped and read in loops that may be left."""
    draw = random.Random(seed)
    lines = ["def program(x, n):", "    u = x * 1.0", "    w = x * 0.5", "    v = u * x",
             "    s = 0.1", "    k = 1"]

    def element():
        return f"{draw.choice(ARRAYS)}[{draw.choice(['0', '1', 'k', 'k - 1', '-1'])}]"

    def statement(depth, looped):
        kind = draw.randrange(13 if depth else 10)
        a, b = draw.sample(ARRAYS, 2)
        if kind < 2:
            value = draw.choice([f"{b}.copy()", f"{b} * 0.9", "np.zeros(4)", f"{a} + {b}"])
            return [f"{a} = {value}"]
        if kind < 5:
            return [f"{element()} {draw.choice(['=', '=', '+=', '*='])} "
                    f"{element()} * {draw.choice([element(), 's', 'x[k]'])}"]
        if kind == 5:
            return [draw.choice([f"{a} = {b}", f"{a}, {b} = {b}, {a}", f"{a} = {b}"])]
        if kind == 6:
            return [f"s = s * 0.5 + {element()} * {element()}"]
        if kind == 7:
            return [f"{a}[1:] = {b}[1:] * {draw.choice(ARRAYS)}[:-1]"]
        if kind == 8 and looped:
            return [f"if {element()} > {draw.choice(['0.2', 's'])}:", "    break"]
        if kind == 8 or kind == 9:
            return [f"{a} *= {draw.choice(['0.7', 'x[1]', b])}"]
        inner = [line for _ in range(draw.randint(1, 3))
                 for line in statement(depth - 1, looped or kind < 12)]
        if kind == 10:
            return ["for k in range(3):", *("    " + line for line in inner)]
        if kind == 11:
            return ["for _ in range(n):", *("    " + line for line in inner)]
        other = statement(0, False)
        return [f"if {element()} > 0.3:", *("    " + line for line in inner), "else:",
                *("    " + line for line in other)]

    for _ in range(draw.randint(5, 9)):
        lines += ["    " + line for line in statement(3, False)]
    lines.append(f"    return s * np.sum(u) + np.sum(w * v) + {element()} ** 2")
    return "\n".join(lines) + "\n"


def check(seed, tmp_path, monkeypatch):
    text = drawn_program(seed)
    (tmp_path / f"drawn_arrays_{seed}.py").write_text("import numpy as np\n\n\n" + text)
    monkeypatch.syspath_prepend(tmp_path)
    program = __import__(f"drawn_arrays_{seed}").program
    x = np.array([0.3, 0.7, -0.4, 0.9])
    try:
        found = tl.grad(program)(x, 2)
    except tl.AliasError:
        return False
    with np.errstate(all="ignore"):
        expected = tl.jacfwd(program)(x, 2)
    assert np.allclose(found, expected, rtol=1e-9, atol=1e-12), text
    assert tl.value_and_grad(program)(x, 2)[0] == program(x, 2)
    return True


@pytest.mark.parametrize("seed", range(80))
@pytest.mark.sweep(8)
def test_drawn_programs(seed, tmp_path, monkeypatch):
    check(seed, tmp_path, monkeypatch)
