"""Every node of Python's syntax tree: the right gradient, or the named error with file:line."""
import ast
import re
import sys

import pytest

import tangent_lite as tl
from tests.nodes.table import NEWER, PAGE, WANTED, nodes, outcome, page, programs, verdict

PROGRAMS = programs()
REFUSED_SO_FAR = set(WANTED.read_text(encoding="utf-8").splitlines())


def test_table_is_complete():
    assert nodes() - NEWER - {p.node for p in PROGRAMS.values()} == set()


def test_list_of_the_wanted():
    known = {name for name, p in PROGRAMS.items() if p.must == "right"}
    assert REFUSED_SO_FAR <= known, "a name in wanted.txt is no program of the table"


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_holds_its_node(name):
    program = PROGRAMS[name]
    kinds = {type(n).__name__ for n in ast.walk(ast.parse(program.source))}
    assert program.node in kinds and program.piece()


@pytest.mark.parametrize("name", PROGRAMS)
def test_node(name, tmp_path):
    program = PROGRAMS[name]
    found = verdict(program, tmp_path)
    if not isinstance(found, tl.TangentError):
        if name in REFUSED_SO_FAR and found.outcome == "wrong":
            pytest.xfail(str(found))
        assert found.outcome == "right" and program.must != "refused", str(found)
        assert name not in REFUSED_SO_FAR, f"{name} works: python -m tests.nodes --write"
        return
    assert re.search(rf"\.py:{program.line() or '[0-9]+'}: ", str(found)), str(found)
    if program.must == "right":
        assert name in REFUSED_SO_FAR, str(found)
        pytest.xfail(str(found).splitlines()[0])


@pytest.mark.skipif(sys.version_info[:2] != (3, 13), reason="the page is made by Python 3.13")
def test_page_is_up_to_date(tmp_path):
    rows = [(p, outcome(verdict(p, tmp_path))) for p in PROGRAMS.values()]
    assert PAGE.read_text(encoding="utf-8") == page(rows), "python -m tests.nodes --write"
