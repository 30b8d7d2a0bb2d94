"""Lengths in the heads of loops get names, where nothing changes them."""
import gast
import pytest

from tangent_lite.backends.numba_lengths import name_lengths
from tests.passes.pairs import compiled, outcome, pairs, text_of, tree_of


class of_a_parameter:
    ARGS = [([1.0, 2.0, 3.0],), ([],)]

    def before(xs):
        s = 0.0
        for i in range(len(xs)):
            for j in range(i + 1, len(xs)):
                s += xs[i] * xs[j]
        for i in range(len(xs) - 1, -1, -1):
            s = s * 0.5 + xs[i]
        return s

    def after(xs):
        stop = len(xs)
        s = 0.0
        for i in range(stop):
            for j in range(i + 1, stop):
                s += xs[i] * xs[j]
        for i in range(stop - 1, -1, -1):
            s = s * 0.5 + xs[i]
        return s


class of_what_is_bound_in_a_loop:
    ARGS = [([[1.0, 2.0], [3.0]],)]

    def before(rows):
        s = 0.0
        for k in range(2):
            row = rows[k]
            for i in range(len(row)):
                s += row[i]
        return s

    def after(rows):
        s = 0.0
        for k in range(2):
            row = rows[k]
            stop = len(row)
            for i in range(stop):
                s += row[i]
        return s


class of_what_grows:
    ARGS = [([1.0],)]

    def before(xs):
        ys = [xs[0]]
        for k in range(3):
            for i in range(len(ys)):
                ys.append(ys[i] * 2.0)
        return ys

    after = before


class of_what_is_bound_anew:
    ARGS = [([1.0, 2.0, 4.0],)]

    def before(xs):
        s = 0.0
        for k in range(2):
            for i in range(len(xs)):
                s += xs[i]
            xs = xs[1:]
        return s

    after = before


PAIRS = pairs(globals())


@pytest.mark.parametrize("name", PAIRS)
def test_pairs(name):
    pair = PAIRS[name]
    before, after = tree_of(pair.before), tree_of(pair.after)
    for _ in range(2):
        name_lengths(before, lambda called: isinstance(called, gast.Name) and called.id == "len",
                     lambda wish: wish)
        assert text_of(before) == text_of(after)
    for args in pair.ARGS:
        assert outcome(compiled(before, {}), args) == outcome(pair.before, args)
