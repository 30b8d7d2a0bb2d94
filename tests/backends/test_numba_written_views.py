"""What `x[1:] += y` assigns to itself is left out."""

import numpy as np
import pytest

numba = pytest.importorskip("numba")

from numba.core import ir  # noqa: E402
from numba.core.compiler_machinery import FunctionPass, register_pass  # noqa: E402

from tangent_lite.backends.numba_checks import CheckedCompiler  # noqa: E402
from tangent_lite.backends.numba_written_views import WrittenViews  # noqa: E402

left: list[int] = []            # how many assignments to elements each function has in the end


@register_pass(mutates_CFG=False, analysis_only=True)
class Counting(FunctionPass):
    _name = "counting_assignments_to_elements"

    def __init__(self):
        FunctionPass.__init__(self)

    def run_pass(self, state):
        left.append(sum(isinstance(node, (ir.SetItem, ir.StaticSetItem))
                        for block in state.func_ir.blocks.values() for node in block.body))
        return False


class CountingCompiler(CheckedCompiler):
    passes = (*CheckedCompiler.passes[:CheckedCompiler.passes.index(WrittenViews) + 1], Counting,
              *CheckedCompiler.passes[CheckedCompiler.passes.index(WrittenViews) + 1:])


def slices(x, y, k):
    x[k:k + 2] += y
    x[:, 0] *= 2.0
    x[..., None, 1] -= 1.0
    x[1] /= 4.0
    x[-1, ::2] += y[:2]


def in_a_loop(x, y, k):
    for i in range(k):
        x[i, 1:] += x[i, :-1].copy()


def elements(x, y, k):
    x[k, 0] += 1.0


def masks(x, y, k):
    x[x[:, 0] > 0.0] += y


def another_place(x, y, k):
    part = x[0]
    part += y
    x[1] = part


def bound_anew(x, y, k):
    part = x[k]
    part += y
    k = 0
    x[k] = part


def another_slice(x, y, k):
    part = x[0:k]
    part += y
    x[1:k + 1] = part


def a_slice_bound_anew(x, y, k):
    part = x[k - 2:k]
    part += y
    k += 1
    x[k - 2:k] = part


@pytest.mark.parametrize(("function", "assignments"), [
    (slices, 0), (in_a_loop, 0), (elements, 1), (masks, 1), (another_place, 1),
    (bound_anew, 1), (another_slice, 1), (a_slice_bound_anew, 1)])
def test_written_views(function, assignments):
    x, y = np.random.default_rng(0).normal(size=(4, 3)), np.array([0.5, -1.0, 2.0])
    ours, theirs = x.copy(), x.copy()
    left.clear()
    numba.njit(pipeline_class=CountingCompiler)(function)(ours, y, 2)
    function(theirs, y, 2)
    assert np.array_equal(ours, theirs)
    assert left == [assignments]
