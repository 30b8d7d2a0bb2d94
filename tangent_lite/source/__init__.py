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
import keyword
import linecache
import os
import types
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangent_lite.calling.depth import room
from tangent_lite.errors import Place, SourceNotFoundError, UnsupportedSyntaxError, cell_of
from tangent_lite.modules import mark_of
from tangent_lite.source.code import (
    Codes,
    File,
    Found,
    FunctionNode,
    parsed,
    same_code,
    same_positions,
    typed,
)
from tangent_lite.source.definitions import characters, definition_of, has_position
from tangent_lite.source.rows import head, on_one_line, without_comments
from tangent_lite.source.unfiled import unfiled_texts
from tangent_lite.syntax import all_names, all_statements, classes_in, copy

__all__ = ["Source", "source_of"]

# The compiler flags that `from __future__ import ...` leaves on a function. Nested scopes are
# left out: they are no choice, and the bit means something else on a code object.
_FUTURE_FLAGS = 0
for _name in __future__.all_feature_names:
    if _name != "nested_scopes":
        _FUTURE_FLAGS |= getattr(__future__, _name).compiler_flag

# In the names of files of functions that we write to call others: see `functions/callables`.
WRITTEN = " called by tangent_lite "

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

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """Every identifier of the function as the user wrote it."""
        return frozenset(all_names(self.tree))

    @functools.cached_property
    def classes(self) -> frozenset[type]:
        """The classes of the nodes of the function as the user wrote it, but for operators."""
        return frozenset(classes_in(self.tree))

    def has(self, *kinds: type) -> bool:
        """Whether the user wrote any node of these classes."""
        return not self.classes.isdisjoint(kinds)

    def place(self, node: gast.AST) -> Place:
        """Where the node stands. A node of our own making stands where its first child does,
        and without one at the head of the function."""
        found = next((n for n in gast.walk(node) if has_position(n)), self.tree)
        origin = getattr(found, "origin", None)
        if origin is not None and origin is not self:
            return origin.place(found)          # taken from another function
        if found.lineno > len(self.lines):
            found = self.tree                   # from a text of ours that says no more where it is
        end = found.col_offset + len(self._rows(found)[0].rstrip())
        line = self.lines[found.lineno - 1]
        return Place(self.file, found.lineno, line, found.col_offset, end)

    @functools.cached_property
    def _statements(self) -> dict[tuple[int, int], gast.stmt]:
        return {(n.lineno, n.col_offset): n for n in all_statements(self.tree)
                if isinstance(n, gast.stmt)}

    def original(self, node: gast.stmt) -> gast.stmt | None:
        """The user's statement of which a statement was made, if it was."""
        origin = getattr(node, "origin", None)
        if origin is not None and origin is not self:
            found: gast.stmt | None = origin.original(node)
            return found
        return self._statements.get((getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))

    def refuse(self, node: gast.AST, reason: str, fix: str) -> UnsupportedSyntaxError:
        """The error that refuses a construct."""
        return UnsupportedSyntaxError(reason, self.place(node), fix)

    def text(self, node: gast.AST) -> str:
        """What the user wrote for this node, on one line, without comments.

        Of a statement with a block it is the head: `for i in range(n):`. Empty for a node that is
        not in the user's text.
        """
        return on_one_line(self._rows(node)) if has_position(node) else ""

    def _rows(self, node: gast.AST) -> list[str]:
        """The text of a node, or of the head of its block, line by line without comments."""
        rows = list(self.lines[node.lineno - 1 : node.end_lineno])
        rows[-1] = rows[-1][: node.end_col_offset]
        rows[0] = rows[0][node.col_offset :]
        is_block = isinstance(getattr(node, "body", None), list) or isinstance(node, gast.Match)
        # A lambda has become a definition, but its text is all of it.
        if is_block and not rows[0].startswith("lambda"):
            rows = head(rows)
        return without_comments(rows)


def uncompiled(function: Any) -> Any:
    """The Python function behind one that Numba compiled; any other thing itself."""
    if isinstance(function, types.FunctionType):
        return function         # whatever attributes it was given
    inner = mark_of(function, "py_func")
    return inner if isinstance(inner, types.FunctionType) else function


def source_of(function: types.FunctionType) -> Source:
    """The source of a function written in Python; SourceNotFoundError if there is none to trust.

    >>> source = source_of(source_of)
    >>> source.name, source.text(source.tree)
    ('source_of', 'def source_of(function: types.FunctionType) -> Source:')
    """
    function = uncompiled(function)
    if not isinstance(function, types.FunctionType):
        raise SourceNotFoundError(
            f"{function!r} is not a function written in Python, but a {type(function).__name__}",
            fix="wrap it in a function, or register a rule for it with @adjoint.",
        )
    lifted = getattr(function, "lifted_source", None)
    if lifted is not None:
        return replace(lifted, tree=copy(lifted.tree))
    code = function.__code__
    try:
        with room():
            file, (node, class_name) = _located(function)
            name = "lambda_" if isinstance(node, ast.Lambda) else function.__name__
            if not name.isidentifier() or keyword.iskeyword(name):
                name = code.co_name  # __name__ may be set to any text
            tree = definition_of(node, name, class_name, file)
    except (SyntaxError, UnicodeError) as error:
        raise _changed(function, f"is no longer valid Python ({error})") from error
    except RecursionError as error:
        raise SourceNotFoundError(
            f"{_called(function)} in {code.co_filename} is nested too deeply to be read (each elif "
            "is a level, and each operator of a long expression)",
            fix="split it up, or raise the limit: sys.setrecursionlimit(20000).",
        ) from error
    return Source(
        function=function,
        tree=tree,
        file=code.co_filename,
        lines=file.lines,
        name=name,
        qualname=function.__qualname__,
        globals=function.__globals__,
        # Code in which calls were written out may read less than its text does.
        cells={**getattr(getattr(function, "made_of", None), "known", {}),
               **dict(zip(code.co_freevars, function.__closure__ or (), strict=True))},
    )


def with_source(tree: gast.FunctionDef, around: Source, name: str) -> types.FunctionType:
    """A function that stands for a tree taken from another function: to be read, not to be run."""
    parameters = ", ".join(a.id for a in [*tree.args.posonlyargs, *tree.args.args])
    defaults = [ast.literal_eval(gast.gast_to_ast(d)) for d in tree.args.defaults]
    space: dict[str, Any] = {}
    exec(f"def {name}({parameters}):\n    raise NotImplementedError('read, not run')", space)
    made = types.FunctionType(space[name].__code__, around.globals, name, tuple(defaults))
    made.__module__ = around.function.__module__
    made.lifted_source = Source(                            # type: ignore[attr-defined]
        made, tree, around.file, around.lines, name, name, around.globals, around.cells)
    return made


def beside(tree: gast.FunctionDef, around: Source, cells: dict[str, types.CellType]) -> Any:
    """A function for a tree taken from another function, which may be run as well as read; cells:
    what it reads beside what the function around it can read."""
    known = {**around.cells, **cells}
    wrapper: Any = ast.parse("def _outer(): pass").body[0]
    definition = gast.gast_to_ast(tree)
    wrapper.args.args = [ast.arg(name) for name in known]
    wrapper.body = [definition]
    module = ast.fix_missing_locations(ast.Module([wrapper], []))
    code = compile(module, around.function.__code__.co_filename, "exec")
    outer = next(c for c in code.co_consts if isinstance(c, types.CodeType))
    inner = next(c for c in outer.co_consts if isinstance(c, types.CodeType))
    defaults = tuple(ast.literal_eval(gast.gast_to_ast(d)) for d in tree.args.defaults)
    made = types.FunctionType(inner, around.globals, tree.name, defaults,
                              tuple(known[name] for name in inner.co_freevars))
    made.__module__ = around.function.__module__
    made.lifted_source = Source(                            # type: ignore[attr-defined]
        made, tree, around.file, around.lines, tree.name, tree.name, around.globals, known)
    return made


# The text, and the errors when there is none.


def _located(function: types.FunctionType) -> tuple[File, Found]:
    """The file that a function is from, and its node there."""
    try:
        return _located_in(_text_of_file(function), function)
    except SourceNotFoundError:
        for text, setup in unfiled_texts(function):
            try:
                return _located_in(text, function, setup)
            except (SyntaxError, SourceNotFoundError):
                continue
        raise


def _located_in(text: str, function: types.FunctionType, setup: str | None = None) \
        -> tuple[File, Found]:
    code = function.__code__
    file = parsed(code.co_filename, text, code.co_flags & _FUTURE_FLAGS, setup)
    return file, _find(function, file)


def _text_of_file(function: types.FunctionType) -> str:
    """All the text of the file, notebook cell or doctest that the function says it is from."""
    filename = function.__code__.co_filename
    # linecache is where notebooks, doctest and debuggers put text that is in no file.
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, function.__globals__)
    from_code = getattr(linecache, "_getlines_from_code", None)  # the prompt of Python 3.13
    if not lines and from_code is not None:
        lines = from_code(function.__code__)
    if not lines and filename.startswith("<frozen "):       # a module that Python brings along
        lines = linecache.getlines(function.__globals__.get("__file__", filename))
    if lines:
        return "".join(lines).replace("\r\n", "\n").replace("\r", "\n")
    if filename.startswith("<") and filename.endswith(">"):
        raise _without_text(function)
    raise SourceNotFoundError(
        f"{_called(function)} has no source text: its file {filename} cannot be read",
        fix="install the module with its .py files, or put the function in a file of your own.",
    )


def _called(function: types.FunctionType) -> str:
    module = function.__module__
    return f"{module}.{function.__qualname__}" if module else function.__qualname__


def _without_text(function: types.FunctionType) -> SourceNotFoundError:
    return SourceNotFoundError(
        f"{_called(function)} has no source text: it was made by exec or eval, by another "
        f"program or at the plain interactive prompt ({function.__code__.co_filename})",
        fix="put the function in a file or a notebook cell.\n"
        "For code that you generate, enter its text in linecache.cache.\n"
        "To another process, send the derivative that was made of it: its text goes along.",
    )


def _changed(function: types.FunctionType, how: str) -> SourceNotFoundError:
    code = function.__code__
    if code.co_filename == "<string>":      # so is called all that exec, eval and `python -c` run
        return _without_text(function)
    return SourceNotFoundError(
        f"the source of {_called(function)} is not the code that runs: "
        f"{code.co_filename} {how}. "
        "It was edited after it was imported, or a tool changed the function as it was loaded",
        fix=_RELOAD,
    )


# The node whose code is the function's.


def _find(function: types.FunctionType, file: File) -> Found:
    code = function.__code__
    name, said = code.co_name, code.co_firstlineno
    lines = [line for other, line in file.nodes if other == name]
    # Where it says it is; then elsewhere, for text in front of it may have come and gone, and what
    # reloads functions one by one (IPython's autoreload) numbers the lines of each from one.
    for line in sorted(lines, key=lambda line: line != said):
        nodes = file.nodes[name, line]
        # What we emitted lives in cells that its page does not show, and is what the page says.
        if line == said and hasattr(function, "rests_on"):
            return nodes[0]
        apart = False
        if not _holds(file.codes, code, line):
            apart = _holds(file.codes_apart, code, line)
            if not apart and not any(_holds(codes, code, line)
                                     for codes in file.rewritten(function)):
                continue
        return nodes[0] if len(nodes) == 1 else _pick(function, nodes, file, apart)
    what = "lambda" if name == "<lambda>" else f"function {name}"
    raise _changed(function, f"has another {name} at line {said}" if said in lines
                   else f"has no {what} at line {said}")


def _holds(codes: Codes, code: types.CodeType, line: int) -> bool:
    found = codes.get((code.co_name, line), ())
    return any(same_code(code, other) for other in found)


def _pick(function: types.FunctionType, nodes: list[Found], file: File, apart: bool) -> Found:
    """The one of several lambdas on a line: by code, then by columns, then by defaults."""
    code = function.__code__
    compiled = file.lambda_codes(apart)
    same = [n for n in nodes if any(same_code(code, c) for c in compiled[id(n[0])])]
    exact = [n for n in same if any(same_positions(code, c) for c in compiled[id(n[0])])]
    left = exact or same
    if not _alike(left):
        left = [n for n in left if _has_defaults(n[0], function)]
    # Those that still are several have the same code and the same parameters: any will do.
    if _alike(left):
        return left[0]
    number = nodes[0][0].lineno
    line = file.lines[number - 1]
    columns = [characters(line, node.col_offset) for node, _ in nodes]
    raise SourceNotFoundError(
        "several lambdas in this line are alike, and nothing tells which of them is meant",
        Place(code.co_filename, number, line, min(columns), max(columns) + 6),
        "write each lambda on a line of its own.",
    )


def _alike(nodes: list[Found]) -> bool:
    return len({ast.dump(node.args) for node, _ in nodes}) == 1


def _has_defaults(node: FunctionNode, function: types.FunctionType) -> bool:
    """Whether the defaults could be those of the function: literals must be equal."""
    by_name = function.__kwdefaults__ or {}
    values = [*(function.__defaults__ or ()), *(by_name.get(a.arg) for a in node.args.kwonlyargs)]
    return all(
        typed(default.value) == typed(value)
        for default, value in zip([*node.args.defaults, *node.args.kw_defaults], values)
        if isinstance(default, ast.Constant)
    )


def whereabouts(source: Source) -> str:
    """How docstrings say where a function stands: `f (model.py:12)`; of one that we wrote, which
    stands nowhere that can be looked up, the name."""
    if source.file.startswith("<tangent_lite ") or WRITTEN in source.file:
        return source.name
    file = cell_of(source.file) or os.path.basename(source.file)
    return f"{source.name} ({file}:{source.tree.lineno})"
