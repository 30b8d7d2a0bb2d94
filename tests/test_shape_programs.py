"""One derivative for all shapes: random programs of vectors and matrices that broadcast.

    pytest tests/test_shape_programs.py                        forty programs, in up to eight shapes
    PROGRAMS=5000 pytest -m slow tests/test_shape_programs.py  many

Kinds say how many dimensions an array has and not how long they are, so what is emitted for one
call must be right for all others, where axes of length one are spread and loops bind other shapes.
In every other program the arrays are the items of a list, which a loop goes through: of other
shapes in each iteration, while some names still hold what they held in the one before.
"""
import importlib.util
import os
import random

import numpy as np
import pytest

import tangent_lite as tl
from tests.reference.dual import numeric_gradient

PROGRAMS = int(os.environ.get("PROGRAMS", "5000"))
VECTORS = (
    "{v} + {w}", "{v} * {w}", "{m} @ {v}", "{v} @ {m}", "{m}.T @ {v}", "np.tanh({v})", "{v} * {s}",
    "np.sum({m}, axis=0)", "np.sum({m}, axis=1)", "{m}[0]", "{m}[-1]", "{m}[:, 0]",
    "{m}.mean(axis=0)", "np.maximum({v}, {w})", "np.where({v} > 0, {w}, {v})",
    "{v} - np.sum({v}, keepdims=True)", "{v} / (2.0 + {w} * {w})", "np.outer({v}, {w})[0]",
    "{m}.max(axis=1)", "np.exp(-{v} * {v}) + {w}", "np.concatenate(({v}, {w}))", "{v}[:1] + {w}",
    "{v}[-1:] * {w}", "np.hypot({v}, {w})", "{v} ** 2 - {w}", "np.array([{s}]) * {v}",
    "np.array([{v}, {v}])[1] + {w}", "np.array([{s}]) + 0.0 * {v}")
MATRICES = (
    "{m} + {n}", "{m} * {n}", "{m} @ {n}", "{m}.T", "np.outer({v}, {w})", "{m} + {v}",
    "{m} * {v}[:, None]", "{m} - np.mean({m}, axis=0, keepdims=True)",
    "{m} / (1.5 + np.sum({m} * {m}, axis=1, keepdims=True))", "np.sin({m})", "{m} * {s}",
    "{m}[:1] + {n}", "{m}[:, :1] * {n}", "np.where({m} > 0.1, {n}, {v})",
    "{v}[None, :] + {w}[:, None]", "{m} @ {n}.T", "np.array([[{s}]]) * {m}",
    "np.array([{m}, {n}])[0]", "np.array([[{s}, {s}], [{s}, 1.0]])[0, 1] * {m}")
NUMBERS = ("np.sum({v} * {w})", "{v} @ {v}", "np.sum({m}) * 0.1", "{s} * {v}[0]", "np.max({v})",
           "np.mean({m} * {n})")
# Shapes of x, y, W and U.
SHAPES = (((3,), (3,), (3, 3), (3, 3)), ((3,), (1,), (3, 3), (1, 3)), ((1,), (3,), (3, 3), (3, 1)),
          ((2,), (2,), (2, 2), (2, 2)), ((1,), (1,), (1, 1), (1, 1)), ((1,), (3,), (1, 3), (3, 3)),
          ((3,), (3,), (1, 1), (3, 3)), ((3,), (1,), (3, 1), (1, 1)))


def source(seed, of_items):
    """A program of f(x, y, W, U, a), or of f(items, a); names are bound anew as often as not."""
    rng = random.Random(seed)
    vectors, matrices, numbers = ["x", "y"], ["W", "U"], ["a"]
    if of_items:
        vectors.append("p")
        matrices.append("P")

    def statement(number):
        chance = rng.random()
        forms, names, again = (VECTORS, vectors, "xyp") if chance < 0.55 else \
            (MATRICES, matrices, "WUP") if chance < 0.85 else (NUMBERS, numbers, "")
        value = rng.choice(forms).format(
            v=rng.choice(vectors), w=rng.choice(vectors), m=rng.choice(matrices),
            n=rng.choice(matrices), s=rng.choice(numbers))
        name = rng.choice(again) if again and rng.random() < 0.6 else f"t{number}"
        if name not in names:
            names.append(name)
        return f"{name} = {value}"

    count = rng.randint(3, 8)
    body = [statement(k) for k in range(count)]
    if rng.random() < 0.5:
        body[count // 2:] = ["for i in range(2):", *("    " + s for s in body[count // 2:])]
    parts = [f"np.sum(np.sin({v}))" for v in rng.sample(vectors, min(3, len(vectors)))]
    parts += [f"np.sum({m} * {m}) * 0.3" for m in rng.sample(matrices, min(2, len(matrices)))]
    total = " + ".join([*parts, rng.choice(numbers)])
    if of_items:
        body = ["p, P = items[-1][0], items[-1][2]", "total = 0.0", "for x, y, W, U in items:",
                *("    " + line for line in [*body, f"total += {total}"])]
        total = "total + np.sum(np.cos(p))"
    lines = "".join(f"    {line}\n" for line in [*body, f"return {total}"])
    return f"import numpy as np\n\n\ndef f({'items' if of_items else 'x, y, W, U'}, a):\n{lines}"


def drawn(rng, shapes, of_items, a):
    """Arguments, or a direction: of_items: a list of three items, some of other shapes."""
    if not of_items:
        return *(rng.uniform(-1.0, 1.0, shape) for shape in shapes), a
    others = SHAPES[(SHAPES.index(shapes) + 3) % len(SHAPES)]
    return [tuple(rng.uniform(-1.0, 1.0, shape) for shape in one)
            for one in (shapes, shapes, rng.choice([0, 1]) and others or shapes)], a


def leaves(value):
    """The arrays and numbers in a value, in order."""
    return [leaf for part in value for leaf in leaves(part)] \
        if isinstance(value, (list, tuple)) else [value]


def wrongs(seed, folder):
    """What is wrong in each of the shapes for which the program runs; how many those are."""
    of_items = seed % 2 == 1
    path = folder / f"shapes_{seed}.py"
    path.write_text(source(seed, of_items), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    wrt = (0, 1) if of_items else (0, 1, 2, 3, 4)
    f, derivative = module.f, tl.grad(module.f, wrt=wrt)
    found, tried = [], 0
    for shapes in random.Random(seed).sample(SHAPES, len(SHAPES)):
        rng = np.random.default_rng(seed)
        args = drawn(rng, shapes, of_items, 0.7)
        try:
            value = f(*args)
        except (ValueError, UnboundLocalError):
            continue                            # these do not fit together
        if not abs(value) < 1e5:
            continue
        expected, trustworthy = numeric_gradient(f, args, wrt)
        if not trustworthy:
            continue
        tried += 1
        expected = leaves(expected)
        scale = max(1.0, *(float(np.max(np.abs(e))) for e in expected))
        gradient = leaves(derivative(*args))
        if not all(np.shape(g) == np.shape(e) and np.allclose(g, e, atol=1e-6 * scale)
                   for g, e in zip(gradient, expected, strict=True)):
            found.append(f"{path}, {shapes}: reverse: {gradient}, not {expected}")
        directions = drawn(np.random.default_rng(seed), shapes, of_items, 0.3)
        _, slope = tl.jvp(f, args, directions)
        along = sum(float(np.sum(d * e)) for d, e in zip(leaves(directions), expected))
        if abs(slope - along) > 1e-5 * scale:
            found.append(f"{path}, {shapes}: forward: {slope}, not {along}")
    return found, tried


def held(seeds, folder):
    results = [wrongs(seed, folder) for seed in seeds]
    wrong = [one for found, _ in results for one in found]
    assert not wrong, "\n".join(wrong)
    assert sum(tried for _, tried in results) > 3 * len(results)


@pytest.mark.parametrize("seeds", [
    range(4), pytest.param(range(4, 40), marks=pytest.mark.slow)])
def test_a_few(tmp_path, seeds):
    held(seeds, tmp_path)


@pytest.mark.slow
def test_many(tmp_path):
    held(range(1000, 1000 + PROGRAMS), tmp_path)
