"""Function -> gast tree, with its place in the user's file.

`source_of(function)` finds the text of a function, checks that this text is the code that runs,
and returns it as a `Source`. The check compiles the whole file (once per content) and compares
the code objects; text that differs is refused, never guessed at.

The tree is a function definition whatever the user wrote: a lambda becomes
`def lambda_(args): return body`, decorators are gone, private names of a class (`self.__x`) are
spelled as Python mangles them (`self._Model__x`), since the derivative stands outside the class.
Default values in the tree are text only; `function.__defaults__` says what they are.
"""

from __future__ import annotations
import __future__

import ast
import functools
import io
import keyword
import linecache
import sys
import tokenize
import types
import warnings
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import gast

from tangent_lite.errors import Place, SourceNotFoundError, UnsupportedSyntaxError

__all__ = ["Source", "source_of"]

_FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Found: TypeAlias = tuple[_FunctionNode, str | None]  # with the name of the class around it
_Key: TypeAlias = tuple[str, int]  # name and first line, as a code object has them
_Codes: TypeAlias = dict[_Key, list[types.CodeType]]

# The compiler flags that `from __future__ import ...` leaves on a function. Nested scopes are
# left out: they are no choice, and the bit means something else on a code object.
_FUTURE_FLAGS = 0
for _name in __future__.all_feature_names:
    if _name != "nested_scopes":
        _FUTURE_FLAGS |= getattr(__future__, _name).compiler_flag

_FAR_LINE = 10_000_000  # more lines than any file has

_RELOAD = "reload the module (importlib.reload) or start Python again, and differentiate then."


@dataclass(frozen=True, eq=False)
class Source:
    """A function as the user wrote it. The tree is fresh: whoever asked for it may change it.

    Positions in `tree` are those in the file, columns counted in characters. A function that was
    written `async def` has a `gast.AsyncFunctionDef` here.
    """

    function: types.FunctionType
    tree: gast.FunctionDef
    file: str
    lines: tuple[str, ...]
    name: str
    qualname: str
    globals: dict[str, Any]
    cells: dict[str, types.CellType]

    def place(self, node: gast.AST) -> Place:
        """Where the node stands. A node of our own making stands where its first child does,
        and without one at the head of the function."""
        found = next((n for n in gast.walk(node) if _has_position(n)), self.tree)
        end = found.col_offset + len(self._rows(found)[0].rstrip())
        line = self.lines[found.lineno - 1]
        return Place(self.file, found.lineno, line, found.col_offset, end)

    def text(self, node: gast.AST) -> str:
        """What the user wrote for this node, on one line, without comments.

        Of a statement with a block it is the head: `for i in range(n):`. Empty for a node that is
        not in the user's text.
        """
        return _on_one_line(self._rows(node)) if _has_position(node) else ""

    def _rows(self, node: gast.AST) -> list[str]:
        """The text of a node, or of the head of its block, line by line without comments."""
        rows = list(self.lines[node.lineno - 1 : node.end_lineno])
        rows[-1] = rows[-1][: node.end_col_offset]
        rows[0] = rows[0][node.col_offset :]
        is_block = isinstance(getattr(node, "body", None), list) or isinstance(node, gast.Match)
        # A lambda has become a definition, but its text is all of it.
        if is_block and not rows[0].startswith("lambda"):
            rows = _head(rows)
        return _without_comments(rows)


def source_of(function: types.FunctionType) -> Source:
    """The source of a function written in Python; SourceNotFoundError if there is none to trust.

    >>> source = source_of(source_of)
    >>> source.name, source.text(source.tree)
    ('source_of', 'def source_of(function: types.FunctionType) -> Source:')
    """
    if not isinstance(function, types.FunctionType):
        raise SourceNotFoundError(
            f"{function!r} is not a function written in Python, but a {type(function).__name__}",
            fix="wrap it in a function, or register a rule for it with @adjoint.",
        )
    code = function.__code__
    text = _text_of_file(function)
    try:
        file = _parsed(code.co_filename, text, code.co_flags & _FUTURE_FLAGS)
        node, class_name = _find(function, file)
        name = "lambda_" if isinstance(node, ast.Lambda) else function.__name__
        if not name.isidentifier() or keyword.iskeyword(name):
            name = code.co_name  # __name__ may be set to any text
        tree = _to_gast(node, name, class_name, file)
    except (SyntaxError, UnicodeError) as error:
        raise _changed(function, f"is no longer valid Python ({error})") from error
    except RecursionError as error:
        raise SourceNotFoundError(
            f"{_called(function)} in {code.co_filename} is nested too deeply to be read",
            fix="split its longest expression, or raise sys.setrecursionlimit.",
        ) from error
    return Source(
        function=function,
        tree=tree,
        file=code.co_filename,
        lines=file.lines,
        name=name,
        qualname=function.__qualname__,
        globals=function.__globals__,
        cells=dict(zip(code.co_freevars, function.__closure__ or (), strict=True)),
    )


# The text, and the errors when there is none.


def _text_of_file(function: types.FunctionType) -> str:
    """All the text of the file, notebook cell or doctest that the function says it is from."""
    filename = function.__code__.co_filename
    # linecache is where notebooks, doctest and debuggers put text that is in no file.
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, function.__globals__)
    from_code = getattr(linecache, "_getlines_from_code", None)  # the prompt of Python 3.13
    if not lines and from_code is not None:
        lines = from_code(function.__code__)
    if lines:
        return "".join(lines).replace("\r\n", "\n").replace("\r", "\n")
    if filename.startswith("<") and filename.endswith(">"):
        raise SourceNotFoundError(
            f"{_called(function)} has no source text: it was made by exec or eval, by another "
            f"program or at the plain interactive prompt ({filename})",
            fix="put the function in a file or a notebook cell.\n"
            "For code that you generate, enter its text in linecache.cache.",
        )
    raise SourceNotFoundError(
        f"{_called(function)} has no source text: its file {filename} cannot be read",
        fix="install the module with its .py files, or put the function in a file of your own.",
    )


def _called(function: types.FunctionType) -> str:
    module = function.__module__
    return f"{module}.{function.__qualname__}" if module else function.__qualname__


def _changed(function: types.FunctionType, how: str) -> SourceNotFoundError:
    code = function.__code__
    return SourceNotFoundError(
        f"the source of {_called(function)} is not the code that runs: "
        f"{code.co_filename} {how}. "
        "It was edited after it was imported, or a tool changed the function as it was loaded",
        fix=_RELOAD,
    )


# Files, parsed and compiled once per content.


class _File:
    """A parsed file, with its function definitions and their code by name and first line."""

    def __init__(self, filename: str, text: str, flags: int) -> None:
        self.filename = filename
        self.text = text
        # Notebook cells may say `await` at their top level; functions are not touched by it.
        self.flags = flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        self.lines = tuple(text.split("\n"))
        self.tree = self.parse()
        self.nodes: dict[_Key, list[_Found]] = defaultdict(list)
        for node, class_name in _functions(self.tree):
            self.nodes[_key(node)].append((node, class_name))
        self.codes = self.compile(text)
        self._rewritten: dict[tuple[object, bool], _Codes] = {}
        self._lambdas: dict[bool, dict[int, list[types.CodeType]]] = {}

    def parse(self) -> ast.Module:
        return self._compile(self.text, self.flags | ast.PyCF_ONLY_AST)

    @functools.cached_property
    def codes_apart(self) -> _Codes:
        """The code as notebooks make it, statement by statement. From Python 3.12 on it differs:
        `np.sin(x)` is compiled in another way where `import numpy as np` is seen beside it."""
        return self.compile(self.tree, apart=True)

    def compile(self, tree: str | ast.Module, apart: bool = False) -> _Codes:
        codes: _Codes = defaultdict(list)
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

    def rewritten(self, function: types.FunctionType) -> Iterator[_Codes]:
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
def _parsed(filename: str, text: str, flags: int) -> _File:
    return _File(filename, text, flags)


def _functions(tree: ast.AST) -> Iterator[_Found]:
    """Each function with the class around it, whose name its private names carry."""
    todo: list[tuple[ast.AST, str | None]] = [(tree, None)]
    while todo:
        node, class_name = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield node, class_name
        for field, value in ast.iter_fields(node):
            inside = isinstance(node, ast.ClassDef) and field == "body"
            name = node.name if inside else class_name  # type: ignore[attr-defined]
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    todo.append((child, name))


def _key(node: _FunctionNode) -> _Key:
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


# The node whose code is the function's.


def _find(function: types.FunctionType, file: _File) -> _Found:
    code = function.__code__
    key = (code.co_name, code.co_firstlineno)
    nodes = file.nodes.get(key, [])
    if not nodes:
        what = "no lambda" if key[0] == "<lambda>" else f"no function {key[0]}"
        raise _changed(function, f"has {what} at line {key[1]}")
    apart = False
    if not _holds(file.codes, code):
        apart = _holds(file.codes_apart, code)
        if not apart and not any(_holds(codes, code) for codes in file.rewritten(function)):
            raise _changed(function, f"has another {key[0]} at line {key[1]}")
    return nodes[0] if len(nodes) == 1 else _pick(function, nodes, file, apart)


def _holds(codes: _Codes, code: types.CodeType) -> bool:
    found = codes.get((code.co_name, code.co_firstlineno), ())
    return any(_same_code(code, other) for other in found)


def _pick(function: types.FunctionType, nodes: list[_Found], file: _File, apart: bool) -> _Found:
    """The one of several lambdas on a line: by code, then by columns, then by defaults."""
    code = function.__code__
    compiled = file.lambda_codes(apart)
    same = [n for n in nodes if any(_same_code(code, c) for c in compiled[id(n[0])])]
    exact = [n for n in same if any(_same_positions(code, c) for c in compiled[id(n[0])])]
    left = exact or same
    if not _alike(left):
        left = [n for n in left if _has_defaults(n[0], function)]
    # Those that still are several have the same code and the same parameters: any will do.
    if _alike(left):
        return left[0]
    line = file.lines[code.co_firstlineno - 1]
    columns = [_characters(line, node.col_offset) for node, _ in nodes]
    raise SourceNotFoundError(
        "several lambdas in this line are alike, and nothing tells which of them is meant",
        Place(code.co_filename, code.co_firstlineno, line, min(columns), max(columns) + 6),
        "write each lambda on a line of its own.",
    )


def _alike(nodes: list[_Found]) -> bool:
    return len({ast.dump(node.args) for node, _ in nodes}) == 1


def _has_defaults(node: _FunctionNode, function: types.FunctionType) -> bool:
    """Whether the defaults could be those of the function: literals must be equal."""
    by_name = function.__kwdefaults__ or {}
    values = [*(function.__defaults__ or ()), *(by_name.get(a.arg) for a in node.args.kwonlyargs)]
    return all(
        _typed(default.value) == _typed(value)
        for default, value in zip([*node.args.defaults, *node.args.kw_defaults], values)
        if isinstance(default, ast.Constant)
    )


# co_code comes without the specialisations and trace points that the interpreter puts in;
# co_exceptiontable is there from Python 3.11 on.
_PARTS = ["co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags", "co_name"]
_PARTS += ["co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_exceptiontable"]


def _same_code(a: types.CodeType, b: types.CodeType) -> bool:
    """Whether the two do the same; they may stand on other lines."""
    if any(getattr(a, part, None) != getattr(b, part, None) for part in _PARTS):
        return False
    if len(a.co_consts) != len(b.co_consts):
        return False
    for x, y in zip(a.co_consts, b.co_consts, strict=True):
        if isinstance(x, types.CodeType) and isinstance(y, types.CodeType):
            if not _same_code(x, y):
                return False
        elif _typed(x) != _typed(y):
            return False
    return True


def _typed(constant: object) -> object:
    """A key that tells constants apart which Python calls equal: 1, 1.0 and True, 0.0 and -0.0."""
    if isinstance(constant, tuple):
        return ("tuple", *map(_typed, constant))
    if isinstance(constant, frozenset):
        return ("frozenset", frozenset(map(_typed, constant)))
    if isinstance(constant, types.CodeType):
        return ("code", constant)
    return (type(constant).__name__, repr(constant))


def _same_positions(a: types.CodeType, moved: types.CodeType) -> bool:
    """Whether the instructions stand in the same columns; the second has moved far below."""
    ours, theirs = (getattr(code, "co_positions", None) for code in (a, moved))
    if ours is None or theirs is None:  # Python 3.10
        return False

    def back(line: int | None) -> int | None:
        return line and line - _FAR_LINE

    return list(ours()) == [(back(line), back(end), *columns) for line, end, *columns in theirs()]


# The tree.


def _to_gast(
    node: _FunctionNode, name: str, class_name: str | None, file: _File
) -> gast.FunctionDef:
    _check_known(node, file)
    tree = gast.ast_to_gast(node)
    if isinstance(node, ast.Lambda):
        body = gast.copy_location(gast.Return(value=tree.body), tree.body)
        args = tree.args
        tree = gast.copy_location(gast.FunctionDef(name, args, [body], [], None, None, []), tree)
    tree.name = name
    tree.decorator_list = []
    _count_characters(tree, file.lines)
    if sys.version_info < (3, 12):
        _place_f_strings(tree)
    if class_name is not None and class_name.strip("_"):
        _mangle(tree, class_name)
        tree.name = name
    return tree


def _check_known(node: ast.AST, file: _File) -> None:
    """gast drops what it does not know (syntax newer than it) without a word; we do not."""
    around: ast.AST = node
    for inner in ast.walk(node):
        if hasattr(inner, "lineno"):
            around = inner
        kind = type(inner).__name__
        if not hasattr(gast, kind) and kind != "arg":
            line = file.lines[around.lineno - 1]  # type: ignore[attr-defined]
            column = _characters(line, around.col_offset)  # type: ignore[attr-defined]
            raise UnsupportedSyntaxError(
                f"syntax that the installed gast does not know ({kind})",
                Place(file.filename, around.lineno, line, column, column + 1),  # type: ignore[attr-defined]
                "install a newer gast, or write it in another way.",
            )


def _count_characters(tree: gast.AST, lines: tuple[str, ...]) -> None:
    """ast counts columns in bytes of UTF-8, people and editors in characters."""
    for node in gast.walk(tree):
        if _has_position(node):
            node.col_offset = _characters(lines[node.lineno - 1], node.col_offset)
            node.end_col_offset = _characters(lines[node.end_lineno - 1], node.end_col_offset)


def _characters(line: str, column: int) -> int:
    return column if line.isascii() else len(line.encode()[:column].decode(errors="ignore"))


def _place_f_strings(tree: gast.AST) -> None:
    """Before Python 3.12 what stands in an f-string has wrong positions: the whole string's."""
    for outer in gast.walk(tree):
        if isinstance(outer, gast.JoinedStr):
            for node in gast.walk(outer):
                if _has_position(node):
                    gast.copy_location(node, outer)


def _mangle(tree: gast.AST, class_name: str) -> None:
    """Spell private names as Python does inside a class: __x -> _Model__x."""

    def mangled(name: str | None) -> str | None:
        if name is None or not name.startswith("__") or name.endswith("__") or "." in name:
            return name
        return f"_{class_name.lstrip('_')}{name}"

    for node in _of_this_class(tree):
        if isinstance(node, gast.Name):
            node.id = mangled(node.id)
        elif isinstance(node, gast.Attribute):
            node.attr = mangled(node.attr)
        elif isinstance(node, (gast.Global, gast.Nonlocal)):
            node.names = [mangled(name) for name in node.names]
        elif isinstance(node, gast.alias):
            bound = node.asname or node.name
            if mangled(bound) != bound:
                node.asname = mangled(bound)
        elif isinstance(node, gast.MatchMapping):
            node.rest = mangled(node.rest)
        elif isinstance(
            node,
            (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.MatchAs, gast.MatchStar),
        ):
            node.name = mangled(node.name)


def _of_this_class(tree: gast.AST) -> Iterator[gast.AST]:
    """All nodes but the bodies of classes defined inside, whose private names are their own."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        for field, value in gast.iter_fields(node):
            if isinstance(node, gast.ClassDef) and field == "body":
                continue
            children = value if isinstance(value, list) else [value]
            todo += [child for child in children if isinstance(child, gast.AST)]


# Text of nodes.


def _has_position(node: gast.AST) -> bool:
    return getattr(node, "end_col_offset", None) is not None


def _head(rows: list[str]) -> list[str]:
    """The rows of a statement with a block, up to the colon.

    >>> _head(["if (x", "    > 1):", "    y = {1: 2}"])
    ['if (x', '    > 1):']
    """
    depth = lambdas = 0
    for token in tokenize.generate_tokens(io.StringIO("\n".join(rows)).readline):
        if token.string == "lambda" and not depth:
            lambdas += 1
        elif token.type == tokenize.OP and token.string in "([{":
            depth += 1
        elif token.type == tokenize.OP and token.string in ")]}":
            depth -= 1
        elif token.type == tokenize.OP and token.string == ":" and not depth:
            if not lambdas:
                row, column = token.end
                return [*rows[: row - 1], rows[row - 1][:column]]
            lambdas -= 1
    return rows


def _on_one_line(rows: list[str]) -> str:
    """Rows of one piece of code as one row, with single spaces between.

    >>> _on_one_line(["f(", "    x,", "    y", ")"])
    'f(x, y)'
    """
    text = ""
    for row in rows:
        row = row.strip().removesuffix("\\").rstrip()
        if row:
            tight = not text or text[-1] in "([{" or row[0] in ")]},:"
            text += row if tight else f" {row}"
    return text


def _without_comments(rows: list[str]) -> list[str]:
    if not any("#" in row for row in rows):
        return rows
    rows = list(rows)
    # In brackets, so that the ends of lines inside an expression end no statement.
    text = "(" + "\n".join(rows) + "\n)"
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                rows[row - 1] = rows[row - 1][: column - (row == 1)]
    except (tokenize.TokenError, SyntaxError):  # part of an f-string on Python 3.11 and older
        pass
    return rows
