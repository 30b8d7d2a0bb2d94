"""The attributes that passes give to nodes, against the list of them."""
import ast
import re
from pathlib import Path

import gast

from tangent_lite import nodes
from tangent_lite.syntax.marks import Marks

PACKAGE = Path(nodes.__file__).parent
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))
                 if "rules" not in path.parts and path.stem != "marks")
STATEMENTS = re.compile(r"^(?: *|>>> )([^=:\n]+?) = (?!=)", re.MULTILINE)


def sets(text):
    """The names of attributes that anything but `self` is given in a text: `node.name = ...`."""
    parts = [part for left in STATEMENTS.findall(text) for part in left.split(", ")]
    found = (re.fullmatch(r"([\w.\[\]()-]+)\.(\w+)", part) for part in parts)
    return {one[2] for one in found if one and one[1] not in ("self", "cls")}


MARKS = set(Marks.__annotations__)
FIELDS = {field for module in (ast, gast) for kind in vars(module).values()
          if isinstance(kind, type) and issubclass(kind, ast.AST)
          for field in (*kind._fields, *kind._attributes)}
# Attributes of other things: functions, NumPy's arrays and numbers, errors; and of examples.
ELSEWHERE = {
    "CodeType", "cell_contents", "dt", "imag", "lifted_source", "line_map", "makes_derivative",
    "makes_matrix", "own_derivative", "pushing_first", "runs_again", "second_order", "speed",
    "sums_of_user", "twin_of", "writeable"}


def test_what_nodes_are_given_is_declared():
    """A name that some class has, too, is not seen here: few marks have such."""
    declared = set(re.findall(r"\bself\.(\w+)", TEXT)) | set(re.findall(
        r"^    (?:def )?(\w+)(?::| =|\()", TEXT, re.MULTILINE))
    others = FIELDS | MARKS | ELSEWHERE | declared
    found = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        if "rules" not in path.parts and path.parent.name not in ("backends", "runtime"):
            found |= sets(path.read_text(encoding="utf-8"))
    found = {name for name in found if not name.startswith("__")}
    assert len(found) > 100
    assert sorted(found - others) == [], "declare these in syntax/marks.py, if nodes are given them"


def test_each_mark_is_set_and_read():
    assert not MARKS & FIELDS
    # In `Effects.store(..., fits=True)` too; `getattr(node, "fits", False)` reads.
    kept = sets(TEXT) | set(re.findall(r"\b(\w+)=", TEXT))
    read = set(re.findall(r"\.(\w+)\b(?! = )", TEXT)) | set(re.findall(r"[\"'](\w+)[\"']", TEXT))
    assert sorted(MARKS - kept) == [], "nothing sets these"
    assert sorted(MARKS - read) == [], "nothing reads these"


def test_marks_that_hold_nodes_are_marks():
    assert {name for names in nodes._ADDED.values() for name in names} <= MARKS
