"""The front half gives programs that mean what they meant, to the bit."""
import gast
import numpy as np
import pytest

from tangent_lite import syntax
from tangent_lite.emit import emit
from tangent_lite.passes.closures import closures
from tangent_lite.passes.fence import REASONS
from tangent_lite.passes.unclose import unclose
from tests.passes.pairs import outcome
from tests.passes.test_order import front
from tests.programs.features import LEVELS, adjusted
from tests.programs.program import generate
from tests.programs.running import HEADER

PASSES = ("exits", "enclose", "desugar", "anf", "frame", "own", "versions")


def functions(source):
    """The trees of the functions of a program."""
    found = [node for node in gast.parse(source).body if isinstance(node, gast.FunctionDef)]
    return [tree for tree in found if not any(      # but for what the fence refuses
        type(node) in REASONS for node in syntax.walk(tree) if node is not tree)]


def changed(seed, level):
    """Where the front half changes what a program gives: (function, pass), or None."""
    program = generate(seed, level)

    def given(name="", tree=None):
        space = {}
        exec(compile(HEADER + program.source, "<program>", "exec"), space)
        if tree is not None:
            tree = syntax.copy(tree)
            tree.body = unclose(tree.body)
            exec(compile(emit(tree), f"<{name}>", "exec"), space)
        with np.errstate(all="ignore"):
            return outcome(space[program.name], program.args)

    wanted = given()
    for tree in functions(program.source):
        for step, after in zip(PASSES, front(closures(tree))):
            if given(step, after) != wanted:
                return tree.name, step
    return None


@pytest.mark.parametrize("start", [
    0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(50, 300, 50))])
def test_foundation_programs(start):
    wrong = {seed: changed(seed, "foundation") for seed in range(start, start + 50)}
    assert not {seed: where for seed, where in wrong.items() if where}


@pytest.mark.parametrize("start", [
    1000, pytest.param(1050, marks=pytest.mark.slow)])
def test_full_programs(start):
    # Loops over dicts become loops over indices, which is refused once kinds are known; functions
    # within functions are written out, and methods made functions, before these passes.
    level = adjusted(LEVELS["full"], [], ["dicts", "closures", "idioms", "forms"])
    wrong = {seed: changed(seed, level) for seed in range(start, start + 50)}
    assert not {seed: where for seed, where in wrong.items() if where}
