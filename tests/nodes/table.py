"""Every node of Python's syntax tree: a program, and what becomes of its derivative.

    python -m tests.nodes            what differs from the page and from wanted.txt
    python -m tests.nodes --write    bring docs/syntax.md and wanted.txt up to date

A program is right if its gradient is that of an independent reference. RIGHT ones must be;
those that are refused so far are listed in wanted.txt, and a test fails as soon as one of them
works, so that the list only gets shorter. REFUSED ones are refused for good, EITHER ones may be;
a refusal names the line marked `# here`, if there is one.
"""
import ast
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.nodes import expressions, operators, statements
from tests.programs.judge import judge
from tests.programs.running import load

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "syntax.md"
WANTED = Path(__file__).with_name("wanted.txt")
HEADER = """import contextlib
import math
from dataclasses import dataclass
from types import SimpleNamespace
import numpy as np
"""
# What stands for a whole file, and what Python keeps for old code and never makes.
NOT_IN_FUNCTIONS = {"Module", "Interactive", "Expression", "FunctionType", "Suite", "TypeIgnore",
                    "Param", "AugLoad", "AugStore", "Index", "ExtSlice", "_ast_Ellipsis",
                    "Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Constant"}
# New in a Python that this table does not know yet.
NEWER = {"TemplateStr", "Interpolation"}


@dataclass(frozen=True)
class Program:
    """One program of the table: its node and what is particular, its text, what it must be."""

    name: str
    text: str
    must: str                       # right, refused or either

    @property
    def node(self):
        return self.name.partition(":")[0]

    @property
    def version(self):
        found = re.search(r"# python: (\d+)\.(\d+)", self.text)
        return (int(found[1]), int(found[2])) if found else (3, 10)

    @property
    def source(self):
        return HEADER + self.text

    def line(self):
        """The number of the line that a refusal names; None if it may be any."""
        marked = [k for k, line in enumerate(self.source.splitlines(), 1) if "# here" in line]
        return marked[0] if marked else None

    def piece(self):
        """The text of the node, where it is first met in the program."""
        tree = ast.parse(self.source)
        body = [n for n in tree.body if not isinstance(n, (ast.Import, ast.ImportFrom))]
        above = {child: n for n in ast.walk(tree) for child in ast.iter_child_nodes(n)}
        for node in (n for top in body for n in ast.walk(top)):
            if type(node).__name__ == self.node:
                while not hasattr(node, "lineno"):
                    node = above[node]
                text = ast.get_source_segment(self.source, node).splitlines()[0]
                return text.split("  #")[0]
        raise AssertionError(f"there is no {self.node} in {self.name}")


def programs():
    """All programs of the table that this Python can read."""
    found = [Program(name, text, must.lower()) for module in (statements, expressions, operators)
             for must in ("RIGHT", "EITHER", "REFUSED")
             for name, text in getattr(module, must).items()]
    return {p.name: p for p in found if p.version <= sys.version_info[:2]}


def nodes():
    """The names of all nodes that source can give, in this Python."""
    kinds, todo = set(), [ast.AST]
    while todo:
        below = todo.pop().__subclasses__()
        todo += below
        kinds |= {c.__name__ for c in below if not c.__subclasses__() and c.__module__ in
                  ("ast", "_ast")}
    return kinds - NOT_IN_FUNCTIONS | {"Constant"}


def verdict(program, folder):
    """What tangent_lite makes of a program."""
    path = folder / (re.sub(r"\W+", "_", program.name) + ".py")
    module = load(program.source, path)
    given = re.search(r"# args: (.*)", program.text)[1]
    expect = operators.JUMPS.get(program.name)
    if program.must == "refused":
        return refusal(module.f, eval(given, vars(module)))
    found = judge(module.f, lambda: as_tuple(eval(given, vars(module))),
                  varying(as_tuple(eval(given, vars(module)))), expect)
    return refusal(module.f, eval(given, vars(module))) if found.outcome == "refused" else found


def as_tuple(value):
    return value if isinstance(value, tuple) else (value,)


def varying(args):
    return tuple(k for k, arg in enumerate(args) if not isinstance(arg, str))


def refusal(f, args):
    """The TangentError that a function's derivative raises."""
    import tangent_lite as tl

    args = as_tuple(args)
    try:
        tl.value_and_grad(f, wrt=varying(args))(*args)
    except tl.TangentError as error:
        return error
    raise AssertionError(f"{f} is not refused")


def outcome(found):
    """What the page says of a verdict: the gradient, or the error and its reason."""
    if isinstance(found, Exception):
        text = re.sub(r"^.*?\.py:\d+: ", "", str(found).splitlines()[0])
        return f"`{type(found).__name__}`: {text}"
    return "gradient" if found.outcome == "right" else "wrong today, to be mended"


def page(rows):
    """The text of docs/syntax.md; rows: (program, outcome)."""
    lines = ["# Every piece of syntax", "", *__page__.strip().splitlines(), "",
             "| node | for instance | derivative |", "|---|---|---|"]
    for program, result in sorted(rows, key=lambda row: row[0].name.lower()):
        piece = program.piece().replace("|", "\\|")
        shown = f"`` {piece} ``" if "`" in piece else f"`{piece}`"
        lines.append(f"| {program.name} | {shown} | {result.replace('|', chr(92) + '|')} |")
    return "\n".join(lines) + "\n"


__page__ = """
What becomes of each kind of node of Python's syntax tree in a function that is differentiated.
The programs stand in `tests/nodes`; each gradient is held against one that is found without
tangent_lite, and each refusal names its file and line. This page is made by
`python -m tests.nodes --write`, and `tests/test_ast_nodes.py` keeps it true.
"""
