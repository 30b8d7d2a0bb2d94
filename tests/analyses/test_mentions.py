"""The table of what statements mention says what one finds who looks."""
import contextlib
from collections import Counter

import gast
import pytest

from tangent_lite import TangentError, syntax, tidy
from tangent_lite.analyses.mentions import Mentions, definitions, head, uses_here
from tangent_lite.passes.dead import dead
from tests.golden.update import NAMES, derivative, golden, halves
from tests.programs.program import generate

TEXTS = {
    "scopes": "y = [k * x for k in range(n)]\nz = sum(k for k in y) + (lambda x: x * y)(2.0)\n"
              "for v in {k: x for k in y}:\n    pass\nif any(k for k in y):\n    pass\n",
    "targets": "y[i, f(j)] = x\ny.part[k] = x\na = b = x\n(a, b[i]), *c = x\ny += x\ny[i] += x[j]\n"
               "del y[i]\nassert x, y\nprint(x)\n"}


def compare(tree):
    found = Mentions()
    for node in syntax.statements(tree.body):
        if isinstance(node, (gast.FunctionDef, gast.ClassDef)):
            compare(node)
            continue
        one = found[node]
        assert one is found[node]
        assert one.reads == syntax.read_names(head(node))
        assert one.uses == uses_here(node) and one.binds == definitions(node)
        parts = [*node.targets, node.value] if isinstance(node, gast.Assign) else [head(node)]
        assert Counter(one.names) == Counter(
            n.id for part in parts for n in syntax.names_in(part)
            if isinstance(n.ctx, gast.Load))
        assert one.calls == syntax.all_of(head(node), gast.Call)


@pytest.mark.parametrize("name", NAMES)
def test_goldens(name):
    compare(gast.parse("".join(halves(name))))


@pytest.mark.parametrize("seed", range(20))
def test_generated(seed):
    compare(gast.parse(generate(seed, "full").source))


@pytest.mark.parametrize("name", TEXTS)
def test_corners(name):
    compare(gast.parse(TEXTS[name]))


def test_what_is_noted_beside_a_statement():
    """It is read, but it does not count as live."""
    cast, repeated = gast.parse("y[...] = t\ny[k] += t").body
    cast.casting, repeated.repeats = syntax.load("how"), syntax.load("index")
    found = Mentions()
    assert found[cast].reads == {"y", "t", "how"} and found[cast].uses == {"y", "t"}
    assert found[repeated].reads == {"y", "k", "t", "index"}
    assert found[repeated].uses == {"y", "k", "t"}


def test_a_name_has_a_context_of_its_own():
    """Passes note things on all nodes of a tree."""
    assert syntax.load("x").ctx is not syntax.load("x").ctx
    assert syntax.store("x").ctx is not syntax.store("x").ctx


@pytest.mark.parametrize("name", NAMES)
def test_rewritten_statements_are_forgotten(name, monkeypatch):
    """What the passes of `tidy` leave in their table is what is found anew."""
    compared = []

    def compare(body, context, external, mentions=None):
        mentions = Mentions() if mentions is None else mentions     # the last time, it is new
        for node in syntax.statements(body):
            if node in mentions:
                compared.append(node)
                known, anew = mentions[node], Mentions()[node]
                assert known[1:] == anew[1:] and Counter(known.names) == Counter(anew.names)
        dead(body, context, external, mentions)

    monkeypatch.setattr(tidy, "dead", compare)
    with contextlib.suppress(TangentError):
        derivative(golden(name)).source_for(*golden(name).ARGS)
        assert compared


@pytest.mark.parametrize("name", NAMES)
def test_statements_that_are_left_out_are_as_short_as_can_be(name, monkeypatch):
    """`simplify` does not look again at what it found nothing in: there is nothing."""
    simplify = tidy.simplify

    def compare(body, context, mentions):
        simplify(body, context, mentions)
        for node in mentions.shortest:
            again = syntax.copy(node)
            simplify([again], context)
            assert syntax.same(again, node)

    monkeypatch.setattr(tidy, "simplify", compare)
    with contextlib.suppress(TangentError):
        derivative(golden(name)).source_for(*golden(name).ARGS)
