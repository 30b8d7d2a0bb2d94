"""The list of heavy tests: of tests that there are, and an eighth of them runs each time."""
import re
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
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        there = set(re.findall(r"^ *def (\w+)\(", text, re.MULTILINE))
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


def test_seconds_in_a_report():
    case = '<testcase classname="tests.test_heavy" name="test_a" time="1.0">{}</testcase>'
    said = '<properties><property name="computed" value="0.25" /></properties>'
    assert heavy.seconds_of(fromstring(case.format(said))) == 0.25
    assert heavy.seconds_of(fromstring(case.format(""))) == 1.0


def test_the_quickest_runs_where_all_would_be_left_out():
    names = [name for k in range(100) for name in [f"tests/a.py::test_a[{k}]"]
             if heavy.is_left_out(name, {name})][:3]
    found = {name: 1.0 + k for k, name in enumerate(names)}
    assert heavy.chosen(found, [], 0.5) == {*names[1:]}
    assert heavy.chosen({**found, "tests/a.py::test_b": 0.1}, [], 0.5) == {*names[1:]}
    assert heavy.chosen({"tests/a.py::test_b": 0.1}, [*names, "tests/a.py::test_b"], 0.5) \
        == {*names}


def test_a_test_without_cases_is_left_out_where_others_of_its_file_run():
    name = next(name for name in map("tests/a.py::test_{}".format, range(100))
                if heavy.is_left_out(name, {name}))
    assert heavy.chosen({name: 1.0}, [], 0.5) == set()
    assert heavy.chosen({name: 1.0, "tests/a.py::test_b": 0.1}, [], 0.5) == {name}
