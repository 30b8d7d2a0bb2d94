"""By identity: special methods that are called unseen are followed, or refused if they change
something."""
import pytest

from tests.heap.forced import by_identity
from tests.special_method_programs import CASES, CHANGES, program, refused
from tests.unseen_programs import HEAD, PROGRAMS

_KINDS = list(CHANGES)


@pytest.mark.parametrize(("number", "method", "expression"), [
    (number, *case) for number, case in enumerate(CASES)])
@pytest.mark.sweep(5)           # the kinds of changes are six: each is among them
def test_nothing_is_lost(number, method, expression):
    refused(program(method, _KINDS[number % len(_KINDS)], expression), by_identity())


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(("method", "expression"), [
    ("__index__", "items[o]"), ("__index__", "np.arange(6.0).reshape(2, 3)[0, :o]"),
    ("__index__", "[1.0] * o"), ("__index__", "range(5)[o]"), ("__index__", "list(range(o))"),
    ("__index__", "operator.index(o)"), ("__index__", "items.pop(o)"),
    ("__bool__", "operator.truth(o)"), ("__len__", "operator.length_hint(o)"),
    ("__bool__", "list(itertools.compress([1.0], [o]))"), ("__hash__", "hash(o)"),
    ("__eq__", "[o2].index(o)"), ("__eq__", "[[o]] == [[o2]]"),
    ("__lt__", "sorted([(o, 1), (o2, 2)])"), ("__str__", "print(o)"), ("__repr__", "ascii(o)"),
    ("__iter__", "s.union(o)"), ("__call__", "callable(o) and o(1.0)"),
    ("__call__", "np.vectorize(o)(np.ones(2))")])
def test_followed(method, expression, change):
    assert refused(program(method, change, expression), by_identity()) is None


@pytest.mark.parametrize("name", PROGRAMS)
def test_in_programs(name):
    refused(HEAD + PROGRAMS[name], by_identity())
