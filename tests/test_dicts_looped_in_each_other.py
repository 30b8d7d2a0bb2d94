"""Dicts made by comprehensions, and loops over one dict in each other."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.held_to_both import is_by_names, is_right


def pairs_of_keys(x):
    forces = {k: np.zeros(2) for k in range(3)}
    for i in forces:
        for j in forces:
            if i < j:
                forces[i] += x[j] * x[:2]
                forces[j] -= x[i] * x[1:]
    return sum(np.sum(v ** 2) for v in forces.values())


def numbers_by_pairs(x):
    weights = {k: 0.0 for k in ["a", "b", "c"]}
    for i in weights:
        for j in weights:
            weights[i] += x[0] * x[1]
            weights[j] = weights[i] * weights[j] * 0.3 + x[2]
        weights[j] = weights[i] * x[0]
    return sum(weights.values())


def by_another_name(x):
    weights = {k: x[k] for k in range(3)}
    for i in weights:
        k = i
        for j in weights:
            weights[k] = weights[j] * x[0] + weights[i]
    return sum(weights.values())


@pytest.mark.parametrize("function, by_names", [
    (pairs_of_keys, True), (numbers_by_pairs, True), (by_another_name, False)])
def test_loops_in_each_other(function, by_names):
    x = np.array([0.3, 0.9, -0.4])
    gradient = tl.grad(function)
    gradient(x)
    assert gradient._latest.by_identity != by_names
    tl.check_grads(function, (x,))
    assert tl.value_and_grad(function)(x)[0] == function(x)


def gets_a_key(x):
    weights = {k: x[k] for k in range(3)}
    for i in weights:
        for _ in weights:
            i = i + 1
            weights[i] = x[0]
    return sum(weights.values())


def keys_of_another(x):
    weights, more = {k: x[k] for k in range(3)}, {k: x[0] for k in range(4)}
    for i in more:
        for j in weights:
            weights[i] = weights[j] * 2.0
    return sum(weights.values())


@pytest.mark.parametrize("function", [gets_a_key, keys_of_another])
def test_a_size_that_changes_is_an_error_still(function):
    x = np.array([0.3, 0.9, -0.4])
    with pytest.raises(RuntimeError):
        function(x)
    with pytest.raises(RuntimeError):
        tl.grad(function)(x)

NODES = ["air", "wall", "floor"]


def made_of_a_list_and_anew_of_itself(x):
    old = temperature = {n: 18.0 for n in NODES}
    for k in range(3):
        flux = {n: 0.0 for n in NODES}
        for n in NODES:
            flux[n] += x[0] * temperature[n]
            flux["air"] -= x[1] * flux[n]
        temperature = {n: temperature[n] * x[2] + flux[n] for n in temperature}
    return temperature["air"] * temperature["floor"] + sum(old.values())


def made_of_numbers_with_conditions(x):
    weights = {k: k % 2 for k in range(5) if k != 3}
    shared = weights
    weights[2] += x[0]
    shared[4] = weights[2] * x[1]
    return sum(weights[k] * k for k in weights) * len(shared)


@pytest.mark.parametrize("f", [made_of_a_list_and_anew_of_itself, made_of_numbers_with_conditions])
def test_dicts_made_by_comprehensions_of_what_does_not_vary(f):
    is_by_names(f)
    is_right(f)


def pairs_of_given_keys(p):
    total = 0.0
    for k in p:
        for j in p:
            if k == j:
                continue
            if k < j:
                total = total + np.sum(p[k]) * np.sum(p[j]) ** 2
    return total


def one_in_three(p):
    total = 0.0
    for k in p:
        for j in p:
            for i in p:
                if i == j or k != j:
                    total = total + np.sum(p[i]) * np.sum(p[j]) ** 2 * p["c"]
    return total


@pytest.mark.parametrize("function", [pairs_of_given_keys, one_in_three])
def test_one_given_dict_in_loops_in_each_other(function):
    p = {"W": np.array([[0.3, 0.7], [1.1, 0.2]]), "b": np.array([0.3, -0.4]), "c": 0.4}
    tl.check_grads(function, (p,), order=1)
    assert tl.value_and_grad(function)(p)[0] == function(p)
    assert "tape.call" not in tl.grad(function).source_for(p)
