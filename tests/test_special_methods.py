"""By names: what special methods change that are called unseen is not lost."""
import pytest

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
