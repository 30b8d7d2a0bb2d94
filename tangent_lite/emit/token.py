"""The base of the printers: how tightly nodes bind, parentheses, and places to break a line."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import astunparse

from tangent_lite.emit.literal import literal
from tangent_lite.emit.wrap import (
    CLOSE,
    COMMA,
    DEDENT,
    GROUP,
    NEST,
    OPTIONAL_LEFT,
    OPTIONAL_RIGHT,
    SOFT,
    SPACE,
    Line,
    Token,
    flat_text,
    is_short,
)

# How tightly a node binds. BARE binds so loosely that it stands without parentheses only where
# the grammar has a special place for it (`return a, b`; `x = yield`; `f(i for i in x)`).
BARE, TEST, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT = range(12)
FACTOR, POWER, AWAIT, ATOM = range(12, 16)

BINARY = {
    "BitOr": ("|", BIT_OR),
    "BitXor": ("^", BIT_XOR),
    "BitAnd": ("&", BIT_AND),
    "LShift": ("<<", SHIFT),
    "RShift": (">>", SHIFT),
    "Add": ("+", SUM),
    "Sub": ("-", SUM),
    "Mult": ("*", PRODUCT),
    "MatMult": ("@", PRODUCT),
    "Div": ("/", PRODUCT),
    "FloorDiv": ("//", PRODUCT),
    "Mod": ("%", PRODUCT),
    "Pow": ("**", POWER),
}
UNARY = {
    "Invert": ("~", FACTOR),
    "UAdd": ("+", FACTOR),
    "USub": ("-", FACTOR),
    "Not": ("not ", NOT),
}
BOOLEAN = {"And": ("and", AND), "Or": ("or", OR)}
_LEVELS = {
    "NamedExpr": BARE,
    "Yield": BARE,
    "YieldFrom": BARE,
    "GeneratorExp": BARE,
    "IfExp": TEST,
    "Lambda": TEST,
    "Starred": TEST,
    "Slice": TEST,
    "Compare": COMPARE,
    "Await": AWAIT,
}

# A bracket around fewer columns than this is never opened: it would only make a line of `0`.
_MIN_BRACKET = 16


def kind_of(node: Any) -> str:
    """The name of a node's class, the same in gast and ast."""
    return type(node).__name__


def level_of(node: Any) -> int:
    """How tightly an expression binds."""
    kind = type(node).__name__
    if kind == "BinOp":
        return BINARY[type(node.op).__name__][1]
    if kind == "UnaryOp":
        return UNARY[kind_of(node.op)][1]
    if kind == "BoolOp":
        return BOOLEAN[kind_of(node.op)][1]
    if kind == "Tuple":
        return BARE if node.elts else ATOM
    if kind == "Constant":
        return FACTOR if is_number(node) and number_text(node)[0] == "-" else ATOM
    return _LEVELS.get(kind, ATOM)


def is_number(node: Any) -> bool:
    """Whether a node is a constant number."""
    return kind_of(node) == "Constant" and isinstance(node.value, int | float | complex)


def number_text(node: Any) -> str:
    """A constant number as the user wrote it."""
    return literal(node.value, getattr(node, "kind", None))


def is_sign(node: Any) -> bool:
    """Whether the text of a node starts with a plus or minus of its own."""
    if kind_of(node) == "UnaryOp":
        return kind_of(node.op) in ("UAdd", "USub")
    return level_of(node) == FACTOR and kind_of(node) == "Constant"


def is_filled(node: Any) -> bool:
    """Whether the items of a tuple, list or set are so small that one a line would be a waste."""
    return all(
        kind_of(item) in ("Name", "Constant") or (is_sign(item) and is_number(item.operand))
        for item in node.elts
    )


class TokenPrinter(astunparse.Unparser):
    """Collects the tokens of one logical line."""

    def __init__(self) -> None:
        # The base class prints as soon as it is made, to a file: not what we want.
        self._indent = 0
        self._tokens: list[Token] = []
        self._open = 0
        self._banned: tuple[str, ...] = ()

    # Writing ----------------------------------------------------------------------------------
    def write(self, text: str) -> None:
        """Append text to the current line."""
        self._tokens.append(text)

    def dispatch(self, tree: Any) -> None:
        """Print a node of any kind, an expression as an operand of an assignment or argument."""
        if isinstance(tree, ast.expr):
            self.expression(tree)
        else:
            self._method(tree)(tree)

    def expression(self, node: Any, level: int = TEST) -> None:
        """Print an expression, in parentheses if it binds less tightly than `level`."""
        if type(node).__name__ == "Name":                # most of what there is
            self._tokens.append(node.id)
            return
        if level_of(node) >= level:
            self._method(node)(node)
            return
        start = self._open_bracket("(")
        self._method(node)(node)
        comma = kind_of(node) == "Tuple" and len(node.elts) > 1 and not is_filled(node)
        self._close_bracket(start, ")", comma)

    def _method(self, node: Any) -> Callable[[Any], None]:
        """What prints nodes of this kind, without parentheses.

        It is called where it is asked for, not from here: 200 calls in each other, as many as
        Python reads, must not exhaust the stack.
        """
        method: Callable[[Any], None] | None = getattr(self, "_" + type(node).__name__, None)
        if method is None:
            raise NotImplementedError(f"no way to print a {kind_of(node)} node")
        return method

    def _open_bracket(self, text: str) -> int:
        start = len(self._tokens)
        self._tokens += (text, NEST, SOFT, GROUP)
        self._open += 1
        return start

    def _close_bracket(self, start: int, text: str, comma: bool = False) -> None:
        if comma:
            self._tokens.append(COMMA)
        self._tokens += (CLOSE, DEDENT, CLOSE, text)
        self._open -= 1
        if is_short(self._tokens, start, _MIN_BRACKET):
            self._tokens[start:] = [flat_text(self._tokens[start:])]

    def _open_optional(self) -> None:
        """Start what stands in parentheses only if it is too long for one line."""
        self._tokens += (NEST, OPTIONAL_LEFT, GROUP)
        self._open += 1

    def _close_optional(self, comma: bool = False) -> None:
        if comma:
            self._tokens.append(COMMA)
        self._tokens += (CLOSE, OPTIONAL_RIGHT, CLOSE)
        self._open -= 1

    def _begin(self) -> None:
        self._tokens.append(GROUP)

    def _end(self) -> None:
        self._tokens.append(CLOSE)

    def _break(self, line: Line = SPACE) -> None:
        self._tokens.append(line if self._open else line.flat)

    def _comma(self, line: Line = SPACE) -> None:
        self.write(",")
        self._break(line)

    def _listing(self, nodes: list[Any], level: int = TEST, line: Line = SPACE) -> None:
        for index, node in enumerate(nodes):
            if index:
                self._comma(line)
            self.expression(node, level)

    def _flat(self, show: Callable[..., None], *args: Any) -> str:
        """What `show(*args)` would print, on one line."""
        tokens, self._tokens = self._tokens, []
        opened, self._open = self._open, 0
        show(*args)
        text = flat_text(self._tokens)
        self._tokens, self._open = tokens, opened
        return text
