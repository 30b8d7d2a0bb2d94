"""Objects that hold others of their class: lists whose nodes hold the next one, trees. Each node
has one less behind it, so no length may be taken for all of them."""
import math
from dataclasses import dataclass

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import kinds
from tangent_lite.calling.keys import key_of
from tangent_lite.records import DEEPEST


class Linked:
    def __init__(self, v, following):
        self.v = v
        self.following = following


@dataclass
class Node:
    value: float
    left: object = None
    right: object = None


def linked(values):
    made = None
    for v in reversed(values):
        made = Linked(v, made)
    return made


def nodes(chain):
    while chain is not None:
        yield chain
        chain = chain.following


def total(chain, x):
    t = 0.0
    while chain is not None:
        t = t * 0.9 + math.sin(chain.v * x)
        chain = chain.following
    return t


def total_of_pairs(chain, x):
    t = 0.0
    while chain is not None:
        v, chain = chain
        t = t * 0.9 + math.sin(v * x)
    return t


def of_tree(node, x):
    if node is None:
        return 0.0
    return math.sin(node.value * x) + of_tree(node.left, x) * 0.9 + of_tree(node.right, x) * 1.1


def slopes(values, x):
    """By the formula: what comes last counts most."""
    count = len(values)
    return ([0.9 ** (count - 1 - k) * math.cos(v * x) * x for k, v in enumerate(values)],
            sum(0.9 ** (count - 1 - k) * math.cos(v * x) * v for k, v in enumerate(values)))


@pytest.mark.parametrize("count", [0, 1, 3, 7, 8, 9, 12, 13, 16, 40, 700])
def test_a_list_of_any_length(count):
    values = [0.1 * k + 0.3 for k in range(count)]
    by_node, by_x = slopes(values, 0.7)
    if count:
        gradient = tl.grad(total)(linked(values), 0.7)
        np.testing.assert_allclose([one.v for one in nodes(gradient)], by_node, rtol=1e-12)
    assert math.isclose(tl.grad(total, wrt=1)(linked(values), 0.7), by_x, rel_tol=1e-11)


def test_one_derivative_for_lists_of_several_lengths():
    derivative = tl.grad(total)
    for count in (13, 2, 30, 5, 13):
        values = [0.1 * k + 0.3 for k in range(count)]
        gradient = derivative(linked(values), 0.7)
        np.testing.assert_allclose([one.v for one in nodes(gradient)], slopes(values, 0.7)[0],
                                   rtol=1e-12)


@pytest.mark.parametrize("count", [3, 8, 9, 13, 40])
def test_pairs_in_pairs(count):
    values = [0.1 * k + 0.3 for k in range(count)]
    chain = None
    for v in reversed(values):
        chain = (v, chain)
    gradient = tl.grad(total_of_pairs)(chain, 0.7)
    found = []
    while gradient is not None:
        part, gradient = gradient
        found.append(part)
    np.testing.assert_allclose(found, slopes(values, 0.7)[0], rtol=1e-12)


def tree(depth, lean=0):
    """A full tree, or one whose left branches are longer."""
    if depth <= 0:
        return None
    return Node(0.1 * depth + 0.2, tree(depth - 1, lean), tree(depth - 1 - lean, lean))


@pytest.mark.parametrize("grown", [tree(3), tree(7), tree(9), tree(12, 3)])
def test_trees(grown):
    def by_hand(node, weight):
        if node is None:
            return None
        return Node(weight * math.cos(node.value * 0.7) * 0.7,
                    by_hand(node.left, 0.9 * weight), by_hand(node.right, 1.1 * weight))

    def same(one, other):
        if one is None or other is None:
            return one is other
        return math.isclose(one.value, other.value, rel_tol=1e-10) \
            and same(one.left, other.left) and same(one.right, other.right)

    assert same(tl.grad(of_tree)(grown, 0.7), by_hand(grown, 1.0))
    quotient = (of_tree(grown, 0.7 + 1e-6) - of_tree(grown, 0.7 - 1e-6)) / 2e-6
    assert math.isclose(tl.grad(of_tree, wrt=1)(grown, 0.7), quotient, rel_tol=1e-7)


def test_too_deep_to_follow():
    with pytest.raises(RecursionError, match="hold one another too deeply"):
        tl.grad(total)(linked([0.1] * 20_000), 0.7)


def test_recursion_without_end_is_what_it_is():
    def endless(x):
        return [endless(x * 0.5)][0] + x

    with pytest.raises(RecursionError):
        tl.grad(endless)(0.7)


def test_what_holds_itself():
    ring = linked([0.1, 0.2, 0.3])
    list(nodes(ring))[-1].following = ring
    with pytest.raises(tl.InputError, match="holds itself"):
        tl.grad(total)(ring, 0.7)


def test_nothing_is_known_of_what_is_deep():
    """One kind for all that is longer, and keys that tell apart what kinds do."""
    found = kinds.kind_of(linked([0.1] * 30))
    for _ in range(DEEPEST):
        assert isinstance(found, kinds.RecordKind)
        found = found.items[1]
    assert found is kinds.ANY
    assert key_of(linked([0.1] * 30)) == key_of(linked([0.2] * 300))
    assert key_of(linked([0.1] * 3)) != key_of(linked([0.2] * 4))
