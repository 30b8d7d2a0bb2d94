"""What ends as the value of another name, and what may not have that name before."""
import gast
import numpy as np
import pytest

from tangent_lite.passes.inherit import inherit
from tests.passes.pairs import compiled, outcome, pairs, text_of, tree_of


class in_a_loop:
    ARGS = [(2.0, 3), (2.0, 0)]

    def before(b, n):
        s = 0.0
        for k in range(n):
            t = b * 2.0
            t += 1.0
            s += t * k
            b = t
        return b, s

    def after(b, n):
        s = 0.0
        for k in range(n):
            b = b * 2.0
            b += 1.0
            s += b * k
        return b, s


class filled_in_a_branch:
    ARGS = [(2.0,), (-2.0,)]

    def before(a):
        t = [a]
        if a > 0.0:
            t.append(1.0)
        b = t
        return b

    def after(a):
        b = [a]
        if a > 0.0:
            b.append(1.0)
        return b


class made_of_the_value_before:
    ARGS = [(np.array([1.0, 2.0]),)]

    def before(a):
        t = a
        t += 1.0
        a = t
        return a

    def after(a):
        a += 1.0
        return a


class the_other_is_read_in_between:
    ARGS = [(2.0,)]

    def before(a):
        t = a * 2.0
        s = t + a
        a = t
        return a, s

    after = before


class read_later:
    ARGS = [(2.0,)]

    def before(a):
        t = a * 2.0
        a = t
        a = a + 1.0
        return a, t

    after = before


class read_in_the_next_step:
    ARGS = [(2.0, 3)]

    def before(a, n):
        t = 0.0
        for k in range(n):
            a = a + t
            t = a * 0.5
            a = t
        return a

    after = before


class left_on_another_way:
    ARGS = [(2.0, 3), (0.1, 3)]

    def before(a, n):
        for k in range(n):
            t = a * 2.0
            if t > 3.0:
                break
            a = t
        return a

    after = before


class bound_on_one_way_only:
    ARGS = [(2.0,), (-2.0,)]

    def before(a):
        if a > 0.0:
            t = a * 2.0
        a = t
        return a

    after = before


class looked_at_by_a_function:
    ARGS = [(2.0,)]

    def before(a):
        def g(z):
            return z * a
        t = a + 1.0
        s = g(t)
        a = t
        return a, s

    after = before


PAIRS = pairs(globals())


@pytest.mark.parametrize("name", PAIRS)
def test_inherit(name):
    pair = PAIRS[name]
    tree = tree_of(pair.before)
    for node in [n for n in gast.walk(tree) if hasattr(n, "lineno")]:
        del node.lineno
    inherit(tree.body, lambda n: n == "t")
    tree.body = [n for n in tree.body if not _says_nothing(n)]
    assert text_of(tree) == text_of(tree_of(pair.after))
    for args in pair.ARGS:
        assert outcome(compiled(tree, {"np": np}), args) == outcome(pair.before, args)
    text = text_of(tree)
    inherit(tree.body, lambda n: n == "t")
    assert text_of(tree) == text


def _says_nothing(node):
    return isinstance(node, gast.Assign) and isinstance(node.value, gast.Name) \
        and node.value.id == node.targets[0].id
