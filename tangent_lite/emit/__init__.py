"""Tree -> text: the source code of a gast (or ast) tree, as a careful person would have written it.

    emit(tree) -> str             a module, a function, a statement, a list of statements
    emit_lines(tree)              the same, and for each line the statement that stands there
    emit_expression(node) -> str  one expression, on one line

A comment is carried through the passes as an expression statement whose value is a string that
starts with "# "; the string "#" alone stands for an empty line:

>>> import gast
>>> remark = gast.Expr(gast.Constant("# by the chain rule", None))
>>> print(emit([remark, *gast.parse("bx=(by*y)").body]), end="")
# by the chain rule
bx = by * y

What is printed reads back as the same tree, comments apart. The base class is the unparser of
`astunparse`, from which statements that need no care are inherited; it cannot be used as it is,
because it prints invalid Python for `x[1:, ::2]`, puts everything into parentheses, never breaks a
long line, and knows no comments.
"""

from __future__ import annotations

import ast
from typing import Any

from tangent_lite.emit.expr import is_fluent, is_long_string
from tangent_lite.emit.literal import docstring
from tangent_lite.emit.pattern import PatternPrinter, count_parameters
from tangent_lite.emit.token import is_filled, kind_of
from tangent_lite.emit.wrap import CLOSE, CONTINUED, INDENT, NEST, Line, flat_text, lay_out

_DEFINITIONS = ("FunctionDef", "AsyncFunctionDef", "ClassDef")
_IMPORTS = ("Import", "ImportFrom")

# Parentheses of its own for a name or number shorter than this gain nothing.
_MIN_OPTIONAL = 20


def emit(tree: Any, width: int = 100) -> str:
    """The source text of a tree, its lines shorter than `width` wherever Python lets them.

    `tree` is a module, a statement, a list of statements (the text ends with a newline), or an
    expression (no newline). It is only read.
    """
    if kind_of(tree) == "Expression":
        return emit_expression(tree.body)
    if isinstance(tree, ast.expr):
        return emit_expression(tree)
    return emit_lines(tree, width)[0]


def emit_lines(tree: Any, width: int = 100) -> tuple[str, list[Any]]:
    """The text of a module, a statement or a list of statements, and for each line the statement,
    comments included, that stands there (None for empty lines).

    >>> import gast
    >>> text, owners = emit_lines(gast.parse("if x: y = 1").body)
    >>> [kind_of(owner) for owner in owners]
    ['If', 'Assign']
    """
    printer = _Printer(width - 1)
    if isinstance(tree, list):
        printer.statements(tree, spacing=2)
    elif kind_of(tree) in ("Module", "Interactive"):
        printer.statements(tree.body, spacing=2, documented=True)
    else:
        printer.statements([tree])
    text = printer.text()
    return text, printer.owners


def emit_expression(node: Any) -> str:
    """The source text of an expression, on one line, fit to stand as an argument of a call.

    >>> import ast
    >>> emit_expression(ast.parse("(a - (b*c))**2", mode="eval").body)
    '(a - b * c) ** 2'
    """
    printer = _Printer(0)
    printer.dispatch(node)
    return flat_text(printer._tokens)


def _comment(statement: Any) -> str | None:
    """The text of a statement that stands for a comment."""
    if kind_of(statement) == "Expr" and kind_of(statement.value) == "Constant":
        text = statement.value.value
        if isinstance(text, str) and (text == "#" or text.startswith("# ")):
            return text
    return None


def _is_string(statement: Any) -> bool:
    return (
        kind_of(statement) == "Expr"
        and kind_of(statement.value) == "Constant"
        and isinstance(statement.value.value, str)
    )


class _Printer(PatternPrinter):
    """Writes statements as lines."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit
        self._lines: list[str] = []
        self._line_indent = 0  # of the line in `_tokens`; `_indent` may be past it already
        self._statement: Any = None  # that is being printed
        self._line_statement: Any = None  # that the line in `_tokens` belongs to
        self.owners: list[Any] = []  # of the lines that are done

    # Lines ------------------------------------------------------------------------------------
    def text(self) -> str:
        """All that was printed."""
        self._finish_line()
        return "".join(line + "\n" for line in self._lines)

    def fill(self, text: str = "") -> None:
        """Start a new line at the current indentation."""
        self._finish_line()
        self._line_indent = self._indent
        self._line_statement = self._statement
        if text:
            self.write(text)

    def _finish_line(self) -> None:
        if self._tokens:
            column = INDENT * self._line_indent
            self._append(lay_out(self._tokens, column, self._limit), self._line_statement)
            self._tokens = []

    def _append(self, text: str, owner: Any = None) -> None:
        self._lines.append(text)
        self.owners += [owner] * (text.count("\n") + 1)

    def _blank(self, count: int) -> None:
        """Have at least `count` empty lines here, unless nothing stands above."""
        self._finish_line()
        if self._lines:
            present = 0
            while present < len(self._lines) and not self._lines[-1 - present]:
                present += 1
            for _ in range(count - present):
                self._append("")

    def _write_comment(self, statement: Any) -> None:
        comment = _comment(statement) or "#"
        self._finish_line()
        if comment == "#":
            self._append("")
            return
        indent = INDENT * self._indent
        for part in comment.split("\n"):
            line = (part if part.startswith("#") else "# " + part).rstrip()
            if indent + len(line) > self._limit:
                line = line[: max(self._limit - indent - len(" ..."), 1)].rstrip() + " ..."
            self._append(" " * indent + line, statement)

    # Blocks -----------------------------------------------------------------------------------
    def statements(self, body: list[Any], spacing: int = 0, documented: bool = False) -> None:
        """Print statements, with `spacing` empty lines around definitions."""
        comments: list[Any] = []
        before: Any = None
        outer = self._statement
        for statement in body:
            comment = _comment(statement)
            if comment == "#":
                comments = self._flush(comments)
                self._write_comment(statement)
            elif comment is not None:
                comments.append(statement)
            else:
                self._blank(self._space(before, statement, spacing))
                comments = self._flush(comments)
                self._statement = statement
                if documented and before is None and _is_string(statement):
                    self._docstring(statement.value.value)
                else:
                    documented = False
                    self.dispatch(statement)
                before = statement
        self._flush(comments)
        self._statement = outer

    def _flush(self, comments: list[Any]) -> list[Any]:
        for comment in comments:
            self._write_comment(comment)
        return []

    def _space(self, before: Any, statement: Any, spacing: int) -> int:
        """How many empty lines stand between two statements."""
        kinds = (kind_of(before), kind_of(statement))
        if before is None or not spacing:
            return 0
        if kinds[0] in _DEFINITIONS or kinds[1] in _DEFINITIONS:
            return spacing
        after_imports = kinds[0] in _IMPORTS and kinds[1] not in _IMPORTS
        return int(spacing == 2 and (after_imports or _is_string(before)))

    def _docstring(self, text: str) -> None:
        first, *rest = docstring(text)
        self._finish_line()
        for line in (" " * INDENT * self._indent + first, *rest):
            self._append(line, self._statement)

    def _block(self, body: list[Any], spacing: int = 0, documented: bool = False) -> None:
        self.enter()
        self.statements(body, spacing, documented)
        if all(_comment(statement) is not None for statement in body):
            self.fill("pass")
        self.leave()

    # Values that run on to the end of the statement ---------------------------------------------
    def _value(self, node: Any, *bare: str) -> None:
        """Print an expression that gets parentheses of its own if the line is too long.

        `bare` are the kinds of node that need no parentheses here: tuples in `return a, b`.
        """
        is_tuple = kind_of(node) == "Tuple"
        if kind_of(node) in bare and not (is_tuple and len(node.elts) < 2):
            self._open_optional()
            self._method(node)(node)
            self._close_optional(is_tuple and not is_filled(node))
        elif _wants_parentheses(node) and not self._ends_in_large_call(node):
            self._open_optional()
            self.expression(node)
            self._close_optional()
        else:
            start = len(self._tokens)
            self.expression(node)  # breaks in its own brackets, if it has any
            tail = self._tokens[start:]
            if Line in map(type, tail):
                return
            if len(flat_text(tail)) >= _MIN_OPTIONAL:
                del self._tokens[start:]
                self._open_optional()
                self.expression(node)
                self._close_optional()

    def _ends_in_large_call(self, node: Any) -> bool:
        """Whether this is `x + f(...)` with a call that would not fit on a line of its own.

        Then the call is opened: parentheses around the sum would only indent it further.
        """
        if kind_of(node) != "BinOp" or kind_of(node.right) != "Call":
            return False
        simple = kind_of(node.left) in ("Name", "Constant")
        return simple and INDENT * (self._indent + 1) + len(emit_expression(node)) > self._limit

    def _target(self, node: Any) -> None:
        """Print what is assigned to."""
        if kind_of(node) == "Tuple":
            self._value(node, "Tuple")
        else:
            self.expression(node)

    def _names(self, keyword: str, nodes: list[Any]) -> None:
        """Print a list that cannot stand in parentheses: a long one goes on after backslashes."""
        self.fill(keyword)
        self._tokens.append(NEST)
        for index, node in enumerate(nodes):
            if index:
                self._tokens += (",", CONTINUED)
            if isinstance(node, str):
                self.write(node)
            else:
                self.dispatch(node)
        self._tokens.append(CLOSE)

    # Simple statements --------------------------------------------------------------------------
    def _Expr(self, node: Any) -> None:
        self.fill()
        self._value(node.value, "Yield", "YieldFrom")

    def _Assign(self, node: Any) -> None:
        self.fill()
        for target in node.targets:
            self._target(target)
            self.write(" = ")
        self._value(node.value, "Tuple", "Yield", "YieldFrom")

    def _AugAssign(self, node: Any) -> None:
        self.fill()
        self.expression(node.target)
        self.write(f" {self.binop[kind_of(node.op)]}= ")
        self._value(node.value, "Yield", "YieldFrom")

    def _AnnAssign(self, node: Any) -> None:
        self.fill()
        if kind_of(node.target) == "Name" and not node.simple:
            self.write(f"({node.target.id})")
        else:
            self.expression(node.target)
        self.write(": ")
        self.expression(node.annotation)
        if node.value is not None:
            self.write(" = ")
            self._value(node.value, "Yield", "YieldFrom")

    def _Return(self, node: Any) -> None:
        self.fill("return")
        if node.value is not None:
            self.write(" ")
            self._value(node.value, "Tuple")

    def _Delete(self, node: Any) -> None:
        self._names("del ", node.targets)

    def _Global(self, node: Any) -> None:
        self._names("global ", node.names)

    def _Nonlocal(self, node: Any) -> None:
        self._names("nonlocal ", node.names)

    def _Import(self, node: Any) -> None:
        self._names("import ", node.names)

    def _ImportFrom(self, node: Any) -> None:
        self.fill(f"from {'.' * (node.level or 0)}{node.module or ''} import ")
        if node.names[0].name == "*":
            self.write("*")
            return
        self._open_optional()
        self._aliases(node.names)
        self._close_optional(comma=len(node.names) > 1)

    def _aliases(self, names: list[Any]) -> None:
        for index, name in enumerate(names):
            if index:
                self._comma()
            self.dispatch(name)

    def _Assert(self, node: Any) -> None:
        self.fill("assert ")
        self._value(node.test)
        if node.msg is not None:
            self.write(", ")
            self._value(node.msg)

    def _TypeAlias(self, node: Any) -> None:
        self.fill("type ")
        self.expression(node.name)
        self._type_params(node)
        self.write(" = ")
        self._value(node.value)

    # Compound statements ------------------------------------------------------------------------
    def _If(self, node: Any) -> None:
        self.fill("if ")
        while True:
            self._value(node.test, "NamedExpr")
            self._block(node.body)
            if len(node.orelse) != 1 or kind_of(node.orelse[0]) != "If":
                break
            node = node.orelse[0]
            self.fill("elif ")
        self._orelse(node)

    def _orelse(self, node: Any) -> None:
        if node.orelse:
            self.fill("else")
            self._block(node.orelse)

    def _While(self, node: Any) -> None:
        self.fill("while ")
        self._value(node.test, "NamedExpr")
        self._block(node.body)
        self._orelse(node)

    def _For(self, node: Any, keyword: str = "for ") -> None:
        self.fill(keyword)
        self._target(node.target)
        self.write(" in ")
        self._value(node.iter)
        self._block(node.body)
        self._orelse(node)

    def _AsyncFor(self, node: Any) -> None:
        self._For(node, "async for ")

    def _With(self, node: Any, keyword: str = "with ") -> None:
        self.fill(keyword)
        if len(node.items) == 1:
            self._with_one(node.items[0])
        else:
            self._open_optional()
            for index, item in enumerate(node.items):
                if index:
                    self._comma()
                self._withitem(item)
            self._close_optional(comma=True)
        self._block(node.body)

    def _with_one(self, item: Any) -> None:
        if kind_of(item.context_expr) == "Tuple" and item.optional_vars is None:
            self.write("(")  # `with (a, b):` would enter two contexts
            self.expression(item.context_expr)
            self.write(")")
        else:
            self._withitem(item, alone=True)

    def _withitem(self, node: Any, alone: bool = False) -> None:
        if alone:
            self._value(node.context_expr)
        else:
            self.expression(node.context_expr)
        if node.optional_vars is not None:
            self.write(" as ")
            self.expression(node.optional_vars)

    def _AsyncWith(self, node: Any) -> None:
        self._With(node, "async with ")

    def _Try(self, node: Any, keyword: str = "except") -> None:
        self.fill("try")
        self._block(node.body)
        for handler in node.handlers:
            self.fill(keyword)
            if handler.type is not None:
                self.write(" ")
                self.expression(handler.type)
            if handler.name is not None:
                self.write(" as " + getattr(handler.name, "id", handler.name))
            self._block(handler.body)
        self._orelse(node)
        if node.finalbody:
            self.fill("finally")
            self._block(node.finalbody)

    def _TryStar(self, node: Any) -> None:
        self._Try(node, "except*")

    def _Match(self, node: Any) -> None:
        self.fill("match ")
        self._value(node.subject)
        self.enter()
        for case in node.cases:
            self.fill("case ")
            self._pattern(case.pattern)
            if case.guard is not None:
                self.write(" if ")
                self._value(case.guard, "NamedExpr")
            self._block(case.body)
        self.leave()

    # Definitions --------------------------------------------------------------------------------
    def _decorators(self, node: Any) -> None:
        for decorator in node.decorator_list:
            self.fill("@")
            self.expression(decorator)

    def _FunctionDef(self, node: Any, keyword: str = "def ") -> None:
        self._decorators(node)
        self.fill(keyword + node.name)
        self._type_params(node)
        start = self._open_bracket("(")
        self._arguments(node.args)
        self._close_bracket(start, ")", comma=count_parameters(node.args) > 1)
        if getattr(node, "returns", None) is not None:
            self.write(" -> ")
            self.expression(node.returns)
        self._block(node.body, documented=True)

    def _AsyncFunctionDef(self, node: Any) -> None:
        self._FunctionDef(node, "async def ")

    def _ClassDef(self, node: Any) -> None:
        self._decorators(node)
        self.fill("class " + node.name)
        self._type_params(node)
        if node.bases or node.keywords:
            self._call(node.bases, node.keywords)
        self._block(node.body, spacing=1, documented=True)


def _wants_parentheses(node: Any) -> bool:
    """Whether an expression is better broken in parentheses around it than in its own brackets."""
    kind = kind_of(node)
    if kind == "UnaryOp":
        return _wants_parentheses(node.operand)
    return (
        kind in ("BinOp", "BoolOp", "Compare", "IfExp") or is_fluent(node) or is_long_string(node)
    )
