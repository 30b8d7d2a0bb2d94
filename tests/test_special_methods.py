"""By names: what special methods change that are called unseen is not lost."""
import functools
import operator

import pytest

import tangent_lite as tl
from tests.heap.forced import by_names
from tests.special_method_programs import CASES, CHANGES, program, refused
from tests.unseen_programs import HEAD, PROGRAMS

_KINDS = list(CHANGES)
_FORMS = ("{}", "1.0 if {} is not None else 2.0", "[{} for k in range(1)]")


@pytest.mark.parametrize(("number", "method", "expression"), [
    (number, *case) for number, case in enumerate(CASES) if number % 3 == 0])
def test_nothing_is_lost(number, method, expression):
    form = _FORMS[number // 3 % len(_FORMS)]
    refused(program(method, _KINDS[number // 3 % len(_KINDS)], form.format(f"({expression})")),
            by_names())


@pytest.mark.parametrize("name", PROGRAMS)
def test_in_programs(name):
    refused(HEAD + PROGRAMS[name], by_names())


class CountsItsCalls:
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return 3

    def __getitem__(self, k):
        self.x = self.x * 1.5                   # the last call, which raises, changes it as well
        if k >= 3:
            raise IndexError(k)
        return self.x


def test_items_that_are_asked_for_once_more_than_there_are():
    def f(x):
        items = CountsItsCalls(x)
        return functools.reduce(operator.add, items) * items.x

    with pytest.raises(tl.TangentError, match="changes something, and is called unseen"):
        tl.grad(f)(0.7)
