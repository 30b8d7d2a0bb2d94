"""Loops over constants that come of iterators and texts, and over rows: `zip(*rows)`."""
import itertools

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.held_to_both import is_by_names, is_right

X = np.array([0.7, 1.3, -0.4, 2.1])
ROWS = [[1.0, 2.0, 3.0, 4.0], [0.5, 0.25, 0.1, 0.2]]


# Texts ------------------------------------------------------------------------------------------
def words(x):
    rates, s = {"up": x[0], "down": x[1]}, 1.0
    for name in "up down up up".split():
        s = s * rates[name] + x[2]
    return s


def reactions(x):
    rates, amounts = {"k1": x[0], "k2": x[1]}, {"A": 1.0, "B": x[2], "C": 0.0}
    for part in "k1:A->B;k2:B->C".split(";"):
        name, reaction = part.split(":")
        source, product = reaction.split("->")
        flow = rates[name] * amounts[source]
        amounts[source] -= flow
        amounts[product] += flow
    return amounts["C"] * amounts["B"]


def numbers_in_lines(x):
    s = 0.0
    for line in "1.0,2.0\n0.5,1.5\n".splitlines():
        a, b = [float(v) for v in line.split(",")]
        s += (a * x[0] - b * x[1]) ** 2
    return s


# Iterators ----------------------------------------------------------------------------------------
def determinant(x):
    a = np.outer(x, np.sin(x)) + np.diag(x)
    total = 0.0
    for places in itertools.permutations(range(len(a))):
        term = 1.0
        for i, j in enumerate(places):
            term *= a[i, j]
            for k in range(i):
                if places[k] > j:
                    term = -term
        total += term
    return total


def partition_function(x):
    total = 0.0
    for spins in itertools.product([-1, 1], repeat=4):
        energy = 0.0
        for i in range(4):
            energy += spins[i] * x[i]
        total += np.exp(energy) + np.dot(spins, x)
    return np.log(total)


def subsets(x):
    total = 0.0
    for r in range(len(x) + 1):
        for chosen in itertools.combinations(range(len(x)), r):
            term = 1.0
            for k in chosen:
                term *= x[k]
            total += term * term
    return total


def chosen_at_once(x):
    total = 0.0
    for chosen in itertools.combinations(range(4), len(x) // 2):
        total += np.prod(x[list(chosen)]) ** 2
    return total


def groups_of_numbers(x):
    total = 0.0
    for a, b, c in itertools.permutations(x, 3):
        total += a * b ** 2 * c ** 3
    for a, b, c, d in itertools.combinations(x, 4):
        total += a * b * c * d * d
    return total


def places_of_a_matrix(x):
    a, total = x.reshape(2, 2), 0.0
    for place in itertools.product(range(2), repeat=a.ndim):
        total += a[place] ** 2 * (place[0] + 1)
    return total


def weights_in_turn(x):
    total = 0.0
    for v, w in zip(x, itertools.cycle([1.0, 2.0, -1.0])):
        total += v * v * w
    for k, w in enumerate(itertools.islice(itertools.cycle((1.0, 2.0)), 4)):
        total += w * x[k] ** 2
    for v, _ in zip(x, itertools.cycle([])):
        total += v
    return total


def counted(x):
    total = 0.0
    for i in itertools.count():
        if i >= len(x):
            break
        total += x[i] ** 2 * i
    for i, v in zip(itertools.count(5, -2), x):
        total += v * v * i
    return total


# Rows ---------------------------------------------------------------------------------------------
def rows_of_the_module(x):
    total = 0.0
    for i, (a, b) in enumerate(zip(*ROWS)):
        total += a * x[i] ** 2 + b
    for v, (a, b) in zip(x, zip(*ROWS)):
        total += a * v ** 2 * b
    return total


def rows_that_vary(x):
    total = 0.0
    for a, b in zip(*x.reshape(2, 2)):
        total += a * b * b
    rows = [[x[0], x[1]], [x[2], x[3]]]
    for a, b in zip(*rows):
        total += a * b * b
    return total + sum(a * b * b for a, b in zip(*[x[:2], x[2:]]))


def names_of_rows(x):
    row, a = x * 2, [x[:2], x[2:]]
    total = 0.0
    for row, b in zip(*[row, x]):
        total += row * b * b
    for a, b in zip(*a):
        total += a * b
    return total * row * a


def rows_without_items(x):
    rows, total = [[], []], x[0] ** 2
    for a, b in zip(*rows):
        total += a * b * x[1]
    return total


def a_row_that_changes(x):
    rows, total = [[x[0], x[1]], [x[2], x[3]]], 0.0
    for a, b in zip(*rows):
        rows[1][1] = total
        total += a * b * b
    return total


PROGRAMS = [words, reactions, numbers_in_lines, determinant, partition_function, subsets,
            chosen_at_once, groups_of_numbers, places_of_a_matrix, weights_in_turn, counted,
            rows_of_the_module, rows_that_vary, names_of_rows, rows_without_items]


@pytest.mark.parametrize("function", PROGRAMS)
def test_derivatives(function):
    tl.check_grads(function, (X,), order=1)
    assert tl.value_and_grad(function)(X)[0] == function(X)
    gradient = tl.grad(function)
    found = gradient(X)
    assert not gradient._latest.by_identity
    with by_identity():
        assert tl.grad(function)(X) == pytest.approx(found)


@pytest.mark.parametrize("function", PROGRAMS)
@pytest.mark.sweep(4)
def test_second_order(function):
    tl.check_grads(function, (X,), order=2)


def numbers_written_into_a_text(x):
    total = x[0]
    for v in f"{float(x[0])!r} {float(x[1])!r}".split():
        total += float(v) ** 2
    return total


def test_by_identity():
    tl.check_grads(a_row_that_changes, (X,), order=1)
    with pytest.raises(tl.TangentError):
        tl.grad(numbers_written_into_a_text)(X)


# Dicts of the module --------------------------------------------------------------------------
BENDS = {"sine": np.sin, "cosine": np.cos}
LAYERS = {"one": {"weight": 2.0, "bend": np.tanh}, "two": {"weight": 3.0, "bend": np.sin}}


def keys_of_the_module(x):
    total = np.sum(x) * 0.5
    for name in LAYERS:
        layer = LAYERS[name]
        total = total * layer["weight"] + np.sum(layer["bend"](x))
    return total + sum(np.sum(BENDS[name](x * total)) for name in BENDS)


def test_dicts_of_the_module(monkeypatch):
    is_right(keys_of_the_module)
    is_by_names(keys_of_the_module)
    slope = tl.grad(lambda x: sum(np.sum(BENDS[name](x)) for name in BENDS))
    np.testing.assert_allclose(slope(X), np.cos(X) - np.sin(X))
    monkeypatch.setitem(BENDS, "sine", np.exp)
    monkeypatch.setitem(BENDS, "square", np.square)
    np.testing.assert_allclose(slope(X), np.exp(X) - np.sin(X) + 2.0 * X)
