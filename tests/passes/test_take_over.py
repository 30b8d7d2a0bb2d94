"""Adjoints that begin as another one, or are left where they are; and those that are not."""
import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.inference import Typer
from tangent_lite.kinds import FLOAT, INT, Array
from tangent_lite.passes.left_in import left_in
from tangent_lite.passes.take_over import take_over
from tests.passes.pairs import compiled, outcome, pairs, text_of, tree_of

U, V = np.array([1.0, 2.0, 4.0]), np.array([0.5, 0.25, 8.0])
VECTOR = Array(1, "float", "n")


class begins_as_the_other:
    ARGS = [(U, 0.5, 2), (U, 0.5, 0)]
    PASS = take_over

    def before(u, k, n):
        bu = 2.0 * u
        for i in range(n):
            bw = bu
            bw[0] = 0.0
            bt = bw * k
            bu = np.zeros_like(u)
            bu[1:] += bt[1:]
            bu += bw
        return bu

    def after(u, k, n):
        bu = 2.0 * u
        for i in range(n):
            bw = bu
            bw[0] = 0.0
            bt = bw * k
            bu = bw
            bu[1:] += bt[1:]
        return bu


class the_other_is_read_behind:
    ARGS = [(U, 0.5)]
    PASS = take_over

    def before(u, k):
        bw = u * k
        bw[0] = 0.0
        bu = np.zeros_like(u)
        bu[1:] += k
        bu += bw
        return bu, bw

    after = before


class the_sum_is_read_in_between:
    ARGS = [(U, 0.5)]
    PASS = take_over

    def before(u, k):
        bw = u * k
        bw[0] = 0.0
        bu = np.zeros_like(u)
        bu[1:] += k
        bt = bu * 2.0
        bu += bw
        return bu, bt

    after = before


class the_other_has_a_second_name:
    ARGS = [(U, 0.5)]
    PASS = take_over

    def before(u, k):
        bw = u * k
        bv = bw
        bw[0] = 0.0
        bu = np.zeros_like(u)
        bu += bw
        return bu, bv

    after = before


class the_other_is_not_our_own:
    ARGS = [(U, V)]
    PASS = take_over

    def before(u, bw):
        bw = bw
        bu = np.zeros_like(u)
        bu[0] += 1.0
        bu += bw
        return bu

    after = before


class begins_as_a_new_array:
    ARGS = [(U, V)]
    PASS = take_over

    def before(u, v):
        bu = np.zeros_like(u)
        bu -= u @ v
        bu[1:] += v[1:]
        bu += 2.0 * v
        bu += v * v
        return bu

    def after(u, v):
        bu = 2.0 * v
        bu -= u @ v
        bu[1:] += v[1:]
        bu += v * v
        return bu


class what_is_added_is_spread:
    ARGS = [(U, 0.5)]
    PASS = take_over

    def before(u, k):
        bu = np.zeros_like(u)
        bu -= u @ u
        bu += 2.0 * k
        return bu

    after = before


class what_is_added_changes_in_between:
    ARGS = [(U, V)]
    PASS = take_over

    def before(u, v):
        w = u * v
        bu = np.zeros_like(u)
        bu += 1.0
        w = u + v
        bu += 2.0 * w
        return bu

    after = before


class a_number_in_what_is_added_changes_in_between:
    ARGS = [(U, V, 2.0)]
    PASS = take_over

    def before(u, v, k):
        bu = np.zeros_like(u)
        bu += u @ v
        k += 5.0
        bu += k * v
        return bu

    after = before


class what_is_added_is_a_view:
    ARGS = [(U, V)]
    PASS = take_over

    def before(u, v):
        bu = np.zeros_like(u)
        bu += v[:]
        bu[0] += 1.0
        return bu

    after = before


class an_element_is_set:
    ARGS = [(U, 0.5)]
    PASS = take_over

    def before(u, k):
        bw = u * k
        bw[0] = 0.0
        bu = np.zeros_like(u)
        bu[1] = k
        bu += bw
        return bu

    after = before


class stays_in:
    ARGS = [(U, 0.5)]
    PASS = left_in

    def before(bu, k):
        bt = bu[1:].copy()
        bu[1:] = 0.0
        bw = bt * k
        bu[:-1] += bw
        bu[1:] += bt
        return bu

    def after(bu, k):
        bt = bu[1:]
        bw = bt * k
        bu[:-1] += bw
        return bu


class stays_in_and_is_needed_later:
    ARGS = [(U, 0.5)]
    PASS = left_in

    def before(bu, k):
        bt = bu[1:].copy()
        bu[1:] = 0.0
        bu[:-1] += k
        bw = bt * k
        bu[1:] += bw + bt
        return bu

    def after(bu, k):
        bt = bu[1:].copy()
        bu[:-1] += k
        bw = bt * k
        bu[1:] += bw
        return bu


class has_another_name:
    ARGS = [(U, 0.5)]
    PASS = left_in

    def before(bu, k):
        bt = bu[1:].copy()
        bu[1:] = 0.0
        bv = bt
        bu[:-1] += k
        bu[1:] += bt
        return bu, bv

    def after(bu, k):
        bt = bu[1:].copy()
        bv = bt
        bu[:-1] += k
        return bu, bv


class another_place:
    ARGS = [(U, 0.5)]
    PASS = left_in

    def before(bu, k):
        bt = bu[1:].copy()
        bu[1:] = 0.0
        bu[:-1] += bt
        return bu

    after = before


class the_place_moves:
    ARGS = [(U, 1)]
    PASS = left_in

    def before(bu, j):
        bt = bu[j:].copy()
        bu[j:] = 0.0
        j = 1 + 0
        bu[j:] += bt
        return bu

    after = before


class taken_away:
    ARGS = [(U, 0.5)]
    PASS = left_in

    def before(bu, k):
        bt = bu[1:].copy()
        bu[1:] = 0.0
        bu[1:] -= bt
        return bu

    after = before


class read_while_it_is_out:
    ARGS = [(U, 0.5)]
    PASS = left_in

    def before(bu, k):
        bt = bu[1:].copy()
        bu[1:] = 0.0
        bw = bu * 2.0
        bu[1:] += bt
        return bu, bw

    after = before


class read_through_a_view:
    ARGS = [(U, 0.5)]
    PASS = left_in

    def before(bu, k):
        bv = bu[:2]
        bt = bu[1:].copy()
        bu[1:] = 0.0
        bw = bv * 2.0
        bu[1:] += bt
        return bu, bw

    after = before


PAIRS = pairs(globals())


@pytest.mark.parametrize("name", PAIRS)
def test_pairs(name):
    pair = PAIRS[name]
    before, after = tree_of(pair.before), tree_of(pair.after)
    for node in gast.walk(before):
        if isinstance(node, gast.stmt):
            del node.lineno                                 # it is not the user's
    known = {n.id: VECTOR for n in gast.walk(before) if isinstance(n, gast.Name)}
    known.update(k=FLOAT)
    for one in ("n", "i", "j", "np"):
        known.pop(one, None)
    if name == "the_place_moves":
        known["j"] = INT

    def once():
        typer = Typer({}, {"np": np}.get)
        pair.PASS(before.body, SameMemory(
            before.body, [a.id for a in before.args.args], typer, known))

    once()
    assert text_of(before) == text_of(after)
    once()
    assert text_of(before) == text_of(after)
    for args in pair.ARGS:
        assert outcome(compiled(before, {"np": np}), args) == outcome(pair.before, args)


def relax(u, k, n):
    for t in range(n):
        new = u.copy()
        new[1:-1] = u[1:-1] + k * u[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u = new
    return u


def by_a_helper(u, k, n):
    v = relax(u, k, n)
    return np.sum(v * v * relax(v, k, 1))


def test_backward_halves_of_helpers_take_over_as_well():
    u = np.linspace(0.1, 0.9, 6) ** 2
    found = tl.grad(by_a_helper, wrt=(0, 1))(u, 0.3, 3)
    for k, d in enumerate(np.eye(6)):
        assert np.isclose(found[0][k], by_a_helper(u + 1e-30j * d, 0.3, 3).imag / 1e-30)
    assert np.isclose(found[1], by_a_helper(u.astype(complex), 0.3 + 1e-30j, 3).imag / 1e-30)
    pullback = tl.vjp(relax, u, 0.3, 3)[1]
    for seed in (np.ones(6), np.ones(6, int), np.broadcast_to(1.0, (6,)), np.ones(6)[::-1],
                 np.ones(6, np.float32)):
        kept = seed.copy()
        assert np.allclose(pullback(seed)[0], pullback(np.ones(6))[0], rtol=1e-6)
        assert np.array_equal(seed, kept)
    text = tl.grad(by_a_helper).source_for(u, 0.3, 3)
    assert "zeros_like" not in text.split("def relax_bwd")[1].split("\ndef ")[0]
