"""Expressions and patterns -> text, with no more parentheses than a careful person writes.

A node is printed by `expression(node, level)`, which adds parentheses if the node binds less
tightly than `level` asks for. Places where a long line may be broken are marked as `emit/wrap`
describes; they are legal only inside brackets, so `_open` counts those.

The printer reads gast trees and the standard library's own ast trees alike.
"""

from __future__ import annotations

import ast
import re
import sys
from typing import Any

from tangent_lite.emit.literal import escape_quote, escaped, literal, quotes_for
from tangent_lite.emit.token import (
    ATOM,
    AWAIT,
    BINARY,
    BIT_OR,
    BOOLEAN,
    COMPARE,
    FACTOR,
    OR,
    POWER,
    TEST,
    UNARY,
    TokenPrinter,
    is_filled,
    is_number,
    is_sign,
    kind_of,
    number_text,
)
from tangent_lite.emit.wrap import FILL, SOFT, SPACE, Line

# A string longer than this may be cut into pieces at its spaces.
_MIN_STRING = 50
_MAX_PIECE = 60
# A few characters of a string, with escapes and doubled braces whole, and the spaces after them.
_PIECE = re.compile(
    r"(?:\{\{|\}\}|[^\\ ]|\\(?:x..|u.{4}|U.{8}|[^xuUn])){1,6}(?: +|\\n)*|(?: +|\\n)+", re.DOTALL
)
# Since Python 3.12 the braces of an f-string may hold its own quotes, and backslashes.
_FREE_FSTRINGS: bool = sys.version_info >= (3, 12)


class ExpressionPrinter(TokenPrinter):
    """Writes expressions as tokens; the statements are in `emit`."""

    # Operators --------------------------------------------------------------------------------
    def _BinOp(self, node: Any) -> None:
        operator = kind_of(node.op)
        symbol, level = BINARY[operator]
        if level == POWER:
            self.expression(node.left, AWAIT)
            self.write(f" {symbol} ")
            self.expression(node.right, FACTOR)
            return
        # A sum of hundreds of terms leans to the left: walk down there without recursion.
        rest = [(symbol, node.right)]
        node = node.left
        is_matmul = operator == "MatMult"
        while kind_of(node) == "BinOp":
            operator = kind_of(node.op)
            symbol, its_level = BINARY[operator]
            # `(a * b) @ c`: that both bind alike is not known to all who read.
            if its_level != level or (operator == "MatMult") != is_matmul:
                level_of_first = level + 1
                break
            rest.append((symbol, node.right))
            node = node.left
        else:
            level_of_first = level
        self._begin()
        self.expression(node, level_of_first)
        for symbol, operand in reversed(rest):
            self._break()
            self.write(symbol + " ")
            self.expression(operand, level + 1)
        self._end()

    def _UnaryOp(self, node: Any) -> None:
        symbol, level = UNARY[kind_of(node.op)]
        self.write(symbol)
        # `--x` looks like an operator of another language.
        self.expression(node.operand, ATOM if is_sign(node) and is_sign(node.operand) else level)

    def _BoolOp(self, node: Any) -> None:
        symbol, level = BOOLEAN[kind_of(node.op)]
        self._begin()
        for index, value in enumerate(node.values):
            if index:
                self._break()
                self.write(symbol + " ")
            self.expression(value, level + 1)
        self._end()

    def _Compare(self, node: Any) -> None:
        self._begin()
        self.expression(node.left, COMPARE + 1)
        for operator, value in zip(node.ops, node.comparators):
            self._break()
            self.write(self.cmpops[kind_of(operator)] + " ")
            self.expression(value, COMPARE + 1)
        self._end()

    def _IfExp(self, node: Any) -> None:
        self._begin()
        while kind_of(node) == "IfExp":
            self.expression(node.body, OR)
            self._break()
            self.write("if ")
            self.expression(node.test, OR)
            self._break()
            self.write("else ")
            node = node.orelse
        self.expression(node)
        self._end()

    def _NamedExpr(self, node: Any) -> None:
        self.expression(node.target, ATOM)
        self.write(" := ")
        self.expression(node.value)

    def _Lambda(self, node: Any) -> None:
        self.write("lambda")
        if parameters := self._flat(self._arguments, node.args):
            self.write(" " + parameters)
        self.write(": ")
        self.expression(node.body)

    def _Await(self, node: Any) -> None:
        self.write("await ")
        self.expression(node.value, ATOM)

    def _Yield(self, node: Any) -> None:
        self.write("yield")
        if node.value is not None:
            self.write(" ")
            self._bare(node.value)

    def _YieldFrom(self, node: Any) -> None:
        self.write("yield from ")
        self.expression(node.value)

    def _Starred(self, node: Any) -> None:
        self.write("*")
        self.expression(node.value, BIT_OR)

    # Calls, attributes, subscripts ------------------------------------------------------------
    def _trailers(self, node: Any) -> None:
        """`x.a(b)[c].d`, without recursion from right to left."""
        fluent = self._open and is_fluent(node)
        rest = []
        while (kind := kind_of(node)) in ("Attribute", "Call", "Subscript"):
            rest.append(node)
            node = node.func if kind == "Call" else node.value
        if fluent:
            self._begin()
        if is_number(node):
            self.write(f"({number_text(node)})")  # 1.real is a syntax error
        else:
            self.expression(node, ATOM)
        for trailer in reversed(rest):
            kind = kind_of(trailer)
            if kind == "Attribute":
                if fluent and kind_of(trailer.value) == "Call":
                    self._break(SOFT)
                self.write("." + trailer.attr)
            elif kind == "Call":
                self._call(trailer.args, trailer.keywords)
            else:
                self._index(trailer.slice)
        if fluent:
            self._end()

    _Attribute = _Call = _Subscript = _trailers

    def _call(self, args: list[Any], keywords: list[Any]) -> None:
        start = self._open_bracket("(")
        alone = len(args) == 1 and not keywords and kind_of(args[0]) == "GeneratorExp"
        for index, arg in enumerate(args + keywords):
            if index:
                self._comma()
            if alone or kind_of(arg) == "NamedExpr":
                self._method(arg)(arg)
            elif kind_of(arg) == "keyword":
                self._keyword(arg)
            else:
                self.expression(arg)
        self._close_bracket(start, ")", len(args) + len(keywords) > 1)

    def _keyword(self, node: Any) -> None:
        if node.arg is None:
            self.write("**")
            self.expression(node.value, BIT_OR)
        else:
            self.write(node.arg + "=")
            self.expression(node.value)

    def _index(self, node: Any) -> None:
        start = self._open_bracket("[")
        # `x[*i, 0]` needs Python 3.11, `x[(*i, 0)]` does not; a slice cannot stand in parentheses.
        kinds = {kind_of(item) for item in node.elts} if kind_of(node) == "Tuple" else set()
        bare = bool(kinds) and ("Starred" not in kinds or "Slice" in kinds)
        if bare:
            self._Tuple(node)
        else:
            self.expression(node)
        self._close_bracket(start, "]", bare and len(node.elts) > 1 and not is_filled(node))

    def _Slice(self, node: Any) -> None:
        if node.lower is not None:
            self.expression(node.lower)
        self.write(":")
        if node.upper is not None:
            self.expression(node.upper)
        if node.step is not None:
            self.write(":")
            self.expression(node.step)

    # Displays ---------------------------------------------------------------------------------
    def _bare(self, node: Any) -> None:
        """An expression in a place where a tuple needs no parentheses."""
        if kind_of(node) == "Tuple" and len(node.elts) > 1:
            self._Tuple(node)
        else:
            self.expression(node)

    def _Tuple(self, node: Any) -> None:
        """The items alone: the parentheses come from `expression`, if they must."""
        if not node.elts:
            self.write("()")
        self._listing(node.elts, line=FILL if is_filled(node) else SPACE)
        if len(node.elts) == 1:
            self.write(",")

    def _List(self, node: Any) -> None:
        self._display("[", node, "]")

    def _Set(self, node: Any) -> None:
        self._display("{", node, "}")

    def _display(self, left: str, node: Any, right: str) -> None:
        start = self._open_bracket(left)
        filled = is_filled(node)
        self._listing(node.elts, line=FILL if filled else SPACE)
        self._close_bracket(start, right, len(node.elts) > 1 and not filled)

    def _Dict(self, node: Any) -> None:
        start = self._open_bracket("{")
        for index, (key, value) in enumerate(zip(node.keys, node.values)):
            if index:
                self._comma()
            if key is None:
                self.write("**")
                self.expression(value, BIT_OR)
            else:
                self.expression(key)
                self.write(": ")
                self.expression(value)
        self._close_bracket(start, "}", len(node.keys) > 1)

    def _ListComp(self, node: Any) -> None:
        start = self._open_bracket("[")
        self._GeneratorExp(node)
        self._close_bracket(start, "]")

    def _SetComp(self, node: Any) -> None:
        start = self._open_bracket("{")
        self._GeneratorExp(node)
        self._close_bracket(start, "}")

    def _DictComp(self, node: Any) -> None:
        start = self._open_bracket("{")
        self.expression(node.key)
        self.write(": ")
        self.expression(node.value)
        for generator in node.generators:
            self._comprehension(generator)
        self._close_bracket(start, "}")

    def _GeneratorExp(self, node: Any) -> None:
        self.expression(node.elt)
        for generator in node.generators:
            self._comprehension(generator)

    def _comprehension(self, node: Any) -> None:
        self._break()
        self.write("async for " if node.is_async else "for ")
        self._bare(node.target)
        self.write(" in ")
        self.expression(node.iter, OR)
        for test in node.ifs:
            self._break()
            self.write("if ")
            self.expression(test, OR)

    # Constants --------------------------------------------------------------------------------
    def _Constant(self, node: Any) -> None:
        text = literal(node.value, getattr(node, "kind", None), self._banned)
        if isinstance(node.value, str | bytes):
            prefix, quote = ("b", text[1]) if isinstance(node.value, bytes) else ("", text[0])
            self._string(text, [text], prefix, quote)
        else:
            self.write(text)

    def _string(self, text: str, parts: list[str], prefix: str, quote: str) -> None:
        """A string; a long one inside brackets may become several, best cut at its spaces.

        Every second of the parts is what an f-string has in braces, and stays whole.
        """
        if not self._open or len(text) < _MIN_STRING:
            self.write(text)
            return
        line = Line(before=quote, after=prefix + quote, fill=True)
        self._begin()
        run = ""  # since the last place to cut
        for index, part in enumerate(parts):
            for piece in [part] if index % 2 else _PIECE.findall(part):
                if run and (run.endswith((" ", "\\n")) or len(run + piece) > _MAX_PIECE):
                    self.write(run)
                    self._break(line)
                    run = ""
                run += piece
        self.write(run)
        self._end()

    def _JoinedStr(self, node: Any) -> None:
        body = "".join(escaped(v.value) for v in node.values if kind_of(v) == "Constant")
        banned = self._banned
        first, second = quotes_for(body)
        for quote in (first, second, '"""', "'''"):
            self._banned = (*banned, quote)
            parts, inner = self._fields(node, quote)
            text = f"f{quote}{''.join(parts)}{quote}"
            if not any(taken in text for taken in banned) and not any(
                taken in code for code in inner for taken in (quote, "\\", "#")
            ):
                break
        else:
            if not _FREE_FSTRINGS:
                raise ValueError("an f-string with these quotes or backslashes needs Python 3.12")
            quote = first
            self._banned = (quote,)
            parts, _ = self._fields(node, quote)
            text = f"f{quote}{''.join(parts)}{quote}"
        self._banned = banned
        parts[0] = f"f{quote}{parts[0]}"
        parts[-1] += quote
        self._string(text, parts, "f", quote)

    def _fields(self, node: Any, quote: str) -> tuple[list[str], list[str]]:
        """The parts of an f-string (text, braces, text, ..., text), and the code in the braces."""
        parts, inner = [""], []
        for value in node.values:
            if kind_of(value) == "Constant":
                braced = escaped(value.value).replace("{", "{{").replace("}", "}}")
                parts[-1] += escape_quote(braced, quote)
                continue
            # The colon of a lambda would start the format.
            has_lambda = any(kind_of(child) == "Lambda" for child in ast.walk(value.value))
            text = self._flat(self.expression, value.value, OR if has_lambda else TEST)
            inner.append(text)
            text = " " + text if text.startswith("{") else text
            if value.conversion != -1:
                text += "!" + chr(value.conversion)
            if value.format_spec is not None:
                format_parts, format_inner = self._fields(value.format_spec, quote)
                text += ":" + "".join(format_parts)
                inner += format_inner
            parts += ("{" + text + "}", "")
        return parts, inner

    def _FormattedValue(self, node: Any) -> None:
        self._JoinedStr(ast.JoinedStr([node]))


def is_long_string(node: Any) -> bool:
    """Whether a chain such as `"...".format(x)` starts with a string that may have to be cut."""
    while (kind := kind_of(node)) in ("Attribute", "Call", "Subscript"):
        node = node.func if kind == "Call" else node.value
    return kind == "JoinedStr" or (
        kind == "Constant" and isinstance(node.value, str | bytes) and len(node.value) > _MAX_PIECE
    )


def is_fluent(node: Any) -> bool:
    """Whether a chain such as `x.a().b().c()` is long enough to be broken at its dots."""
    calls = 0
    while (kind := kind_of(node)) in ("Attribute", "Call", "Subscript"):
        calls += kind == "Call" and kind_of(node.func) == "Attribute"
        node = node.func if kind == "Call" else node.value
    return calls >= 3
