"""Files, parsed and compiled once per content, and whether two pieces of code are the same."""

from __future__ import annotations

import ast
import functools
import sys
import types
import warnings
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, TypeAlias

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Found: TypeAlias = tuple[FunctionNode, str | None]  # with the name of the class around it
Key: TypeAlias = tuple[str, int]  # name and first line, as a code object has them
Codes: TypeAlias = dict[Key, list[types.CodeType]]

_OLD = sys.version_info < (3, 11)       # where qualified names are constants of the code around
_FAR_LINE = 10_000_000  # more lines than any file has


class File:
    """A parsed file, with its function definitions and their code by name and first line.

    setup: what `%timeit` runs in front of the text, if this is a text that it puts into a function.
    """

    def __init__(self, filename: str, text: str, flags: int, setup: str | None = None) -> None:
        self.filename = filename
        self.setup = setup
        self.text = text
        # Notebook cells may say `await` at their top level; functions are not touched by it.
        self.flags = flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        self.lines = tuple(text.split("\n"))
        self.tree = self.parse()
        self.nodes: dict[Key, list[Found]] = defaultdict(list)
        self.classes: set[type] = set()     # of the nodes in the tree
        for node, class_name in _functions(self.tree, self.classes):
            self.nodes[_key(node)].append((node, class_name))
        self.codes = self.compile(text)
        self._rewritten: dict[tuple[object, bool], Codes] = {}
        self._lambdas: dict[bool, dict[int, list[types.CodeType]]] = {}

    def parse(self) -> ast.Module:
        return self._compile(self.text, self.flags | ast.PyCF_ONLY_AST)

    @functools.cached_property
    def codes_apart(self) -> Codes:
        """The code as notebooks make it, statement by statement. From Python 3.12 on it differs:
        `np.sin(x)` is compiled in another way where `import numpy as np` is seen beside it."""
        return self.compile(self.tree, apart=True)

    def compile(self, tree: str | ast.Module, apart: bool = False) -> Codes:
        codes: Codes = defaultdict(list)
        if self.setup is not None:
            tree = _timed(self.setup, self.parse() if isinstance(tree, str) else tree)
        pieces = [tree]
        if apart and isinstance(tree, ast.Module):
            pieces = [ast.Module([statement], []) for statement in tree.body]
        todo: list[types.CodeType] = [self._compile(piece, self.flags) for piece in pieces]
        while todo:  # outer ones first
            code = todo.pop()
            codes[code.co_name, code.co_firstlineno].append(code)
            todo += (c for c in code.co_consts if isinstance(c, types.CodeType))
        return codes

    def _compile(self, what: str | ast.Module, flags: int) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python warned when it compiled this itself
            return compile(what, self.filename, "exec", flags, dont_inherit=True)

    def rewritten(self, function: types.FunctionType) -> Iterator[Codes]:
        """The code as pytest changes it on import, to explain asserts: if the function's loader
        has a `rewrite_asserts` beside it, what that makes of the file."""
        loader = function.__globals__.get("__loader__")
        beside = sys.modules.get(type(loader).__module__)
        rewrite = getattr(beside, "rewrite_asserts", None)
        if rewrite is None:
            return
        # A file that pytest compiled in an earlier session may have other settings.
        for config in (getattr(loader, "config", None), None):
            key = (loader, config is None)
            if key not in self._rewritten:
                tree = self.parse()
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        rewrite(tree, self.text.encode(), self.filename, config)
                    self._rewritten[key] = self.compile(tree)
                except Exception:  # not ours: what it cannot do leaves the function refused
                    self._rewritten[key] = {}
            yield self._rewritten[key]

    def lambda_codes(self, apart: bool) -> dict[int, list[types.CodeType]]:
        """The code of each lambda that shares its line with others, by the id of its node.

        Nothing in a code object of Python 3.10 says which of them it is. So each is compiled as
        if it stood far below: that changes its line numbers and nothing else. Those on one line,
        and those inside another, must not move together, hence the rounds.
        """
        if apart in self._lambdas:
            return self._lambdas[apart]
        copy = self.parse()
        # Both trees come from the same text, so they are walked in the same order.
        pairs = [
            (node, moved)
            for (node, _), (moved, _) in zip(_functions(self.tree), _functions(copy), strict=True)
            if isinstance(node, ast.Lambda) and isinstance(moved, ast.Lambda)
        ]
        pairs = [(node, moved) for node, moved in pairs if len(self.nodes[_key(node)]) > 1]
        depth: dict[int, int] = defaultdict(int)
        on_line: dict[int, int] = defaultdict(int)
        rounds: dict[tuple[int, int], list[tuple[ast.Lambda, ast.Lambda]]] = defaultdict(list)
        for node, moved in pairs:  # outer ones come before inner ones
            for inner in ast.walk(node):
                depth[id(inner)] += isinstance(inner, ast.Lambda)
            rounds[depth[id(node)], on_line[node.lineno]].append((node, moved))
            on_line[node.lineno] += 1
        found: dict[int, list[types.CodeType]] = {}
        for members in rounds.values():
            for _, moved in members:
                _move(moved, _FAR_LINE)
            codes = self.compile(copy, apart)
            for node, moved in members:
                # Lambdas in its body have moved along, but come after it.
                found[id(node)] = codes.get(_key(moved), [])[:1]
                _move(moved, -_FAR_LINE)
        self._lambdas[apart] = found
        return found


@functools.lru_cache(maxsize=32)
def parsed(filename: str, text: str, flags: int, setup: str | None = None) -> File:
    return File(filename, text, flags, setup)


def _timed(setup: str, text: ast.Module) -> ast.Module:
    """The module that `%timeit` makes of a text: its names are local there."""
    around = ast.parse("def inner(_it, _timer):\n    for _i in _it:\n        pass")
    inner: Any = around.body[0]
    inner.body[0].body = text.body
    inner.body[:0] = ast.parse(setup).body
    return around


def _functions(tree: ast.AST, classes: set[type] | None = None) -> Iterator[Found]:
    """Each function with the class around it, whose name its private names carry; classes: takes
    the classes of all nodes."""
    todo: list[tuple[ast.AST, str | None]] = [(tree, None)]
    classes = set() if classes is None else classes
    while todo:
        node, class_name = todo.pop()
        kind = node.__class__
        classes.add(kind)
        if kind in _FUNCTIONS:
            yield node, class_name  # type: ignore[misc]
        values = node.__dict__
        for field in kind._fields:
            inside = kind is ast.ClassDef and field == "body"
            name = node.name if inside else class_name  # type: ignore[attr-defined]
            value = values.get(field)
            if value.__class__ is list:
                todo += [(child, name) for child in value if isinstance(child, ast.AST)]
            elif isinstance(value, ast.AST):
                if value._fields:
                    todo.append((value, name))
                else:
                    classes.add(value.__class__)        # a context, an operator


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _key(node: FunctionNode) -> Key:
    if isinstance(node, ast.Lambda):
        return "<lambda>", node.lineno
    first = node.decorator_list[0] if node.decorator_list else node
    return node.name, first.lineno


def _move(node: ast.Lambda, lines: int) -> None:
    """Move a lambda, without its defaults: they are evaluated outside of it."""
    for inner in [node, *ast.walk(node.body)]:
        if hasattr(inner, "lineno"):
            inner.lineno += lines
            inner.end_lineno += lines  # type: ignore[attr-defined]


# co_code comes without the specialisations and trace points that the interpreter puts in;
# co_exceptiontable is there from Python 3.11 on.
_PARTS = ["co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags", "co_name"]
_PARTS += ["co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_exceptiontable"]


def same_code(a: types.CodeType, b: types.CodeType) -> bool:
    """Whether the two do the same; they may stand on other lines."""
    if any(getattr(a, part, None) != getattr(b, part, None) for part in _PARTS):
        return False
    if len(a.co_consts) != len(b.co_consts):
        return False
    made = ""                           # the function that was made last
    for x, y in zip(a.co_consts, b.co_consts, strict=True):
        if isinstance(x, types.CodeType) and isinstance(y, types.CodeType):
            made = x.co_name
            if not same_code(x, y):
                return False
        elif _OLD and made and isinstance(x, str) and isinstance(y, str) \
                and x.endswith(made) and y.endswith(made):
            made = ""                   # its qualified name, which says where it stands
        elif typed(x) != typed(y):
            return False
    return True


def typed(constant: object) -> object:
    """A key that tells constants apart which Python calls equal: 1, 1.0 and True, 0.0 and -0.0."""
    if isinstance(constant, tuple):
        return ("tuple", *map(typed, constant))
    if isinstance(constant, frozenset):
        return ("frozenset", frozenset(map(typed, constant)))
    if isinstance(constant, types.CodeType):
        return ("code", constant)
    return (type(constant).__name__, repr(constant))


def same_positions(a: types.CodeType, moved: types.CodeType) -> bool:
    """Whether the instructions stand in the same columns; the second has moved far below."""
    ours, theirs = (getattr(code, "co_positions", None) for code in (a, moved))
    if ours is None or theirs is None:  # Python 3.10
        return False

    def back(line: int | None) -> int | None:
        return line and line - _FAR_LINE

    return list(ours()) == [(back(line), back(end), *columns) for line, end, *columns in theirs()]
