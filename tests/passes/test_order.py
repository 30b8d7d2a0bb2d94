"""The front half as a whole: what is evaluated, how often, and in which order."""
import math

import pytest

from tangent_lite import syntax
from tangent_lite.names import Names
from tangent_lite.passes.anf import anf
from tangent_lite.passes.desugar import desugar
from tangent_lite.passes.enclose import enclose
from tangent_lite.passes.exits import exits
from tangent_lite.passes.frame import frame
from tangent_lite.passes.own import own
from tangent_lite.passes.versions import versions
from tests.passes.pairs import compiled, outcome, tree_of


def front(tree):
    """The passes of the front half, as the pipeline runs them; gives the tree after each."""
    names = Names(syntax.all_names(tree))
    for step in (exits, enclose, desugar, anf, frame, lambda t, n: own(t, [], n), versions):
        tree = step(tree, names)
        yield tree


LOG = []


def noted(value):
    LOG.append(str(value))
    return value


class Row:
    """A list that notes what is read and written."""

    def __init__(self, *values):
        self.values = list(values)

    def __getitem__(self, index):
        return noted(self.values[noted(index)])

    def __setitem__(self, index, value):
        LOG.append(f"{index} = {value}")
        self.values[index] = value


def operands():
    return noted(1) + noted(2) * (noted(3) - noted(4)) / noted(5)


def arguments():
    return max(noted(1), noted(2) + noted(3), key=noted(abs))


def element_before_call():
    xs = Row(1, 2)
    return xs[0] + noted(5) * xs[1]


def written_element():
    xs = Row(1, 2)
    xs[noted(1)] = noted(7)
    return xs.values


def augmented_element():
    xs = Row(1, 2)
    xs[noted(1)] += noted(7)
    xs[noted(0)] *= noted(7)
    return xs.values


def augmented_by_itself():
    xs = Row(1, 2)
    xs[0] += xs[1]
    xs[1] *= xs[0]
    return xs.values


def conditional_after_call():
    return noted(1) + (noted(2) if noted(3) else noted(4))


def conditional_in_arguments():
    return max(noted(1), noted(2) if noted(0) else noted(4), noted(5))


def and_after_call():
    return noted(1) + (noted(2) and noted(3))


def or_after_call():
    return noted(1) + (noted(2) or noted(3))


def and_stops():
    return noted(0) and noted(1)


def or_stops():
    return noted(1) or noted(2)


def condition_stops():
    if noted(0) and noted(1) or noted(2):
        return 1
    return 2


def chain_stops():
    if noted(1) < noted(0) < noted(5):
        return 1
    return 2


def chain_of_four():
    return noted(1) < noted(2) < noted(0) < noted(5)


def chain_in_condition():
    if noted(1) and noted(1) < noted(0) < noted(5) or noted(2):
        return 1
    return 2


def chain_of_while():
    n = 0
    while noted(n) < 3 and noted(0) <= noted(n) < noted(5):
        n += 1
    return n


def chain_in_call():
    return max(noted(7), noted(1) < noted(0) < noted(5), noted(3))


def conditional_in_condition():
    if noted(0) and (noted(1) if noted(2) else noted(3)):
        return 1
    if noted(1) or not (noted(1) if noted(2) else noted(3)):
        return 3
    return 2


def augmented_slice():
    xs = [1, 2, 3]
    xs[noted(1):noted(2)] += noted([5])
    xs[noted(0):] *= noted(2)
    return xs


def augmented_by_conditional():
    xs = Row(1, 2)
    xs[noted(1)] += noted(7) if noted(0) else noted(9)
    xs[noted(0)] *= noted(7) or noted(5)
    return xs.values


def walrus_in_augmented_element():
    xs = [1.0, 2.0]
    i = 0
    xs[i] += (i := 1)
    xs[i] *= (xs := [5.0, 6.0])[i]
    return xs, i


def chain_evaluates_once():
    return noted(1) < noted(2) < noted(3)


def walrus_after_read(x=1.0):
    return x + (x := 3.0)


def walrus_before_read(x=1.0):
    return (x := 3.0) + x


def walrus_in_arguments(x=1.0):
    return max(x, (x := 3.0), x + 1.0)


def walrus_in_augmented(x=1.0):
    x += (x := 3.0)
    return x


def walrus_in_index():
    xs = [1.0, 2.0]
    i = 0
    xs[i] = (i := 1)
    return xs, i


def walrus_in_condition(x=1.0):
    if x < 2.0 and (y := x + 1.0) > 1.5:
        return y
    return x


def walrus_in_tuple(x=1.0):
    return x, (x := 2.0), x


def tuple_of_calls():
    a, b = noted(1), noted(2)
    b, a = noted(a), noted(b)
    return a, b


def several_targets():
    xs = Row(1, 2)
    xs[noted(0)] = xs[noted(1)] = noted(5)
    return xs.values


def condition_of_while():
    n = 0
    while noted(n) < 3 and noted(5):
        n += 1
    return n


def bounds_once():
    total = 0
    for i in range(noted(1), noted(4), noted(2)):
        total += i
    return total


def sequence_once():
    total = 0
    for x in noted([1, 2, 3]):
        total += x
    return total


def dictionary():
    return {"a": noted(1), "b": noted(2) + noted(3)}


def method_of_result():
    return noted("a-b").replace(noted("a"), noted("c"))


def keywords():
    return dict(b=noted(1), a=noted(2))


def starred():
    return max(*noted([1, 2]), noted(3))


def default_of_generator():
    return sum(noted(k) for k in range(3)) + noted(9)


def subscript_of_call():
    return noted([4, 5])[noted(1)] + math.floor(noted(2.5))


def returned_in_loop():
    for k in range(3):
        if noted(k) == 1:
            return noted(10) + noted(20)
    return noted(30)


def left_operand_that_is_written_later():
    xs = [1.0, 2.0]
    total = xs[0] + changed(xs) + xs[0]
    return total


def changed(xs):
    xs[0] = 10.0
    return 100.0


CASES = [f for f in list(globals().values()) if getattr(f, "__module__", "") == __name__
         and callable(f) and f.__name__ not in ("front", "noted", "Row", "changed")]
# Not so yet, and why; it matters only to calls with side effects.
MOVED = {
    "augmented_by_itself": "anf: the element is read after those in the value; reading shows here",
}


@pytest.mark.parametrize("function", [
    pytest.param(f, marks=pytest.mark.xfail(reason=MOVED[f.__name__], strict=False))
    if f.__name__ in MOVED else f for f in CASES], ids=lambda f: f.__name__)
def test_order(function):
    LOG.clear()
    wanted, log = outcome(function, ()), LOG.copy()
    for tree in front(tree_of(function)):
        LOG.clear()
        assert outcome(compiled(tree, globals()), ()) == wanted
        assert log == LOG
