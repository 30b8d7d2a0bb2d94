"""Tests of passes as pairs of functions: a class holds one `before` a pass, and one `after`.

    class early_return:
        ARGS = [(1.5,), (-1.5,)]        # what both are called with

        def before(x): ...
        def after(x): ...

    PAIRS = pairs(globals())
    test_becomes, test_means_the_same, test_twice_is_once = checks_of(exits, PAIRS)
"""
import copy
import inspect
import textwrap

import gast
import numpy as np
import pytest

from tangent_lite.emit import emit


class nothing_to_do:
    """What many passes leave as it is."""
    ARGS = [(1.5,)]

    def before(x):
        y = x * x
        return y

    def after(x):
        y = x * x
        return y


def pairs(names):
    """{name: class} among the names of a test module, in their order."""
    return {name: value for name, value in names.items()
            if inspect.isclass(value) and hasattr(value, "before")}


def tree_of(function):
    """The tree of a function, under the name f."""
    tree = gast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    tree.name = "f"
    return tree


def text_of(tree):
    return emit(tree)


def outcome(function, args):
    """What a call gives and what it leaves in its arguments, as text that shows every bit."""
    args = copy.deepcopy(args)
    try:
        result = function(*args)
    except Exception as error:
        result = type(error).__name__
    return bits(result), bits(args)


def bits(value):
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    if isinstance(value, dict):
        return {key: bits(part) for key, part in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value).__name__, [bits(part) for part in value]
    return type(value).__name__, value.hex() if isinstance(value, float) else value


def compiled(tree, names):
    """The function of a tree, among the names that it reads."""
    space = dict(names)
    exec(compile(emit(tree), "<after a pass>", "exec"), space)
    return space[tree.name]


def checks_of(step, found):
    """test_becomes, test_means_the_same and test_twice_is_once, of a pass and its pairs."""
    each = pytest.mark.parametrize("name", found)

    @each
    def test_becomes(name):
        assert text_of(step(tree_of(found[name].before))) == text_of(tree_of(found[name].after))

    @each
    def test_means_the_same(name):
        before = found[name].before
        made = compiled(step(tree_of(before)), before.__globals__)
        for args in found[name].ARGS:
            assert outcome(made, args) == outcome(before, args)

    @each
    def test_twice_is_once(name):
        once = step(tree_of(found[name].before))
        assert text_of(step(once)) == text_of(once)

    return test_becomes, test_means_the_same, test_twice_is_once


def is_left_alone(step, function):
    """Whether a pass leaves the tree that it is given as it is."""
    tree = tree_of(function)
    before = text_of(tree)
    step(tree)
    return text_of(tree) == before
