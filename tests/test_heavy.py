"""The list of heavy tests: of tests that there are, and an eighth of them runs each time."""
import ast
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from tests import heavy

HOME = Path(__file__).parent.parent


def test_all_listed_tests_are_there():
    names = heavy.listed()
    assert names == sorted(set(names))
    wanted = {tuple(name.partition("[")[0].split("::")) for name in names}
    missing = set()
    for file in sorted({file for file, *_ in wanted}):
        path = HOME / file
        tree = ast.parse(path.read_text()) if path.is_file() else ast.Module([], [])
        there = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        missing |= {(one, *rest) for one, *rest in wanted if one == file
                    and rest[-1] not in there}
    assert not missing, "write tests/heavy.txt anew"


def test_about_an_eighth_runs_each_time():
    names = heavy.listed()
    run = [name for name in names if not heavy.is_left_out(name, set(names))]
    assert 0.7 < heavy.EVERY * len(run) / len(names) < 1.3
    assert not heavy.is_left_out("tests/test_heavy.py::test_other", set(names))


@pytest.mark.parametrize("classname, name, wanted", [
    ("tests.test_heavy", "test_a[1.0-x]", "tests/test_heavy.py::test_a[1.0-x]"),
    ("tests.heap.test_calls", "test_b", "tests/heap/test_calls.py::test_b"),
    ("tests.test_heavy.TestC", "test_d", "tests/test_heavy.py::TestC::test_d"),
])
def test_names_in_a_report(classname, name, wanted):
    case = fromstring(f'<testcase classname="{classname}" name="{name}" time="1.0" />')
    assert heavy.name_of(case) == wanted
