"""Lists of objects that hold such lists: what is known of them does not grow without end."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import kinds
from tangent_lite.analyses.lists_together import Together


class Node:
    def __init__(self, value, children=()):
        self.value = value
        self.children = list(children)

    def total(self):
        return self.value + 0.5 * sum(child.total() for child in self.children)


class Fork:
    def __init__(self, value):
        self.value = value
        self.left, self.middle, self.right = [], [], []

    def total(self):
        return self.value * self.value + sum(
            0.3 * fork.total() for fork in self.left + self.middle + self.right)


def chain(x):
    node = Node(x[0])
    for value in x:
        node = Node(value * value, [node])
    return node.total()


def tree(x):
    leaves = [Node(value) for value in x]
    root = Node(x[0] * x[1], [Node(x[2], leaves[:2]), *leaves[2:]])
    root.children[0].value *= 3.0
    return root.total()


def appended(x):
    root = Node(x[0])
    root.children.append(Node(x[1]))
    root.children[0].children.append(Node(x[2] * x[3]))
    return root.total()


def forks(x):
    fork = Fork(x[0])
    for value in x:
        above = Fork(value)
        above.left.append(fork)
        above.middle.append(fork)
        above.right.append(fork)
        fork.right.append(Fork(value * x[1]))
        fork = above
    return fork.total()


@pytest.mark.parametrize("function", [chain, tree, appended, forks])
def test_objects_in_their_own_lists_have_gradients(function):
    x, v = np.array([0.1, -0.2, 0.3, 0.4]), np.array([1.0, 2.0, -1.0, 0.5])
    slope = (function(x + 1e-6 * v) - function(x - 1e-6 * v)) / 2e-6
    assert np.isclose(tl.grad(function)(x) @ v, slope, rtol=1e-7)
    value, tangent = tl.jvp(function, (x,), (v,))
    assert value == function(x)
    assert np.isclose(tangent, slope, rtol=1e-7)


def test_what_is_put_into_lists_of_such_objects_stays_small():
    node = kinds.RecordKind(Node, ("value", "children"),
                            (kinds.FLOAT, kinds.ListKind(kinds.EMPTY)))
    known = {"nodes": kinds.ListKind(node), "others": kinds.ListKind(node)}
    together = Together()
    together.meet(["nodes", "others"], known)
    for _ in range(12):             # each time around, what is put in holds the list itself
        held = kinds.RecordKind(Node, ("value", "children"), (kinds.FLOAT, known["others"]))
        together.grown("nodes", held, known)
    assert repr(known["others"]).count("RecordKind") < 20
