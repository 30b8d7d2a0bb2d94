"""What is lent and handed back, and what is not."""
import gast
import numpy as np
import pytest

from tangent_lite.passes.unlend import unlend
from tests.passes.pairs import compiled, outcome, pairs, text_of, tree_of


class in_a_loop:
    ARGS = [(2.0, 3), (2.0, 0)]

    def before(b, n):
        s = 0.0
        for k in range(n):
            c = b
            c += 1.0
            s += c * k
            b = c
        return b, s

    def after(b, n):
        s = 0.0
        for k in range(n):
            b += 1.0
            s += b * k
        return b, s


class two_at_once:
    ARGS = [(2.0, 3.0)]

    def before(a, b):
        c = a
        d = b
        e = c * d
        a = c
        b = d
        return a, b, e

    def after(a, b):
        e = a * b
        return a, b, e


class within_each_other:
    ARGS = [(2.0,)]

    def before(a):
        c = a
        d = c
        e = d * d
        c = d
        a = c + 0.0
        return a, e

    def after(a):
        c = a
        e = c * c
        a = c + 0.0
        return a, e


class with_a_branch:
    ARGS = [(2.0,), (-2.0,)]

    def before(a):
        c = a
        if c > 0.0:
            c = c * 3.0
        a = c
        return a

    def after(a):
        if a > 0.0:
            a = a * 3.0
        return a


class its_own_name_is_read:
    ARGS = [(2.0,)]

    def before(a):
        c = a
        c = c + a
        a = c
        return a

    after = before


class its_own_name_is_read_while_both_are_one:
    ARGS = [(2.0,), (np.array([1.0, 2.0]),)]

    def before(a):
        c = a
        d = a * c
        c = c + d
        a = c
        return a

    def after(a):
        d = a * a
        a = a + d
        return a


class its_own_name_is_read_in_a_loop_that_binds_the_other:
    ARGS = [(2.0, 3)]

    def before(a, n):
        c = a
        d = 0.0
        for k in range(n):
            d = d + a
            c = c * 2.0
        a = c
        return a, d

    after = before


class the_other_is_read_later:
    ARGS = [(2.0,)]

    def before(a):
        c = a
        d = c * 2.0
        a = c
        a = a + 1.0
        return a, d, c

    after = before


class the_other_is_read_earlier:
    ARGS = [(2.0, 3)]

    def before(a, n):
        c = 0.0
        for k in range(n):
            a = a + c
            c = a
            c = c * 2.0
            a = c
        return a

    after = before


class read_while_both_mean_the_same:
    ARGS = [(2.0, 3.0), (np.array([1.0, 2.0]), 3.0)]

    def before(a, b):
        c = a
        a = c
        b = b + 0.1 * c
        a -= c * b
        return a, b

    def after(a, b):
        b = b + 0.1 * a
        a -= a * b
        return a, b


class changed_under_its_own_name_before_it_is_read:
    ARGS = [(2.0, 3.0)]

    def before(a, b):
        c = a
        a = c
        a += b
        b = b + 0.1 * c
        return a, b

    after = before


class changed_under_the_other_name_behind:
    ARGS = [(2.0, 3.0)]

    def before(a, b):
        c = a
        a = c
        c += 1.0
        return a, b * c

    after = before


class changed_in_a_branch_that_reads_it:
    ARGS = [(2.0, 3.0), (-2.0, 3.0)]

    def before(a, b):
        c = a
        a = c
        if b > a:
            a = a + 1.0
            b = b * c
        return a, b

    after = before


class taken_again:
    ARGS = [(2.0,)]

    def before(a):
        c = a
        a = c
        c = a
        a = c
        return a * c

    after = before


class handed_back_in_a_branch:
    ARGS = [(2.0,), (-2.0,)]

    def before(a):
        c = a
        c = c + 1.0
        if c > 0.0:
            a = c
        return a

    after = before


PAIRS = pairs(globals())


@pytest.mark.parametrize("name", PAIRS)
def test_pairs(name):
    pair = PAIRS[name]
    before, after = tree_of(pair.before), tree_of(pair.after)
    for node in gast.walk(before):
        if isinstance(node, gast.stmt):
            del node.lineno                                 # it is not the user's
    unlend(before.body)
    assert text_of(before) == text_of(after)
    again = text_of(before)
    unlend(before.body)
    assert text_of(before) == again
    for args in pair.ARGS:
        assert outcome(compiled(before, {}), args) == outcome(pair.before, args)


def test_statements_of_the_user_stay():
    tree = tree_of(in_a_loop.before)
    unlend(tree.body)
    assert text_of(tree) == text_of(tree_of(in_a_loop.before))
