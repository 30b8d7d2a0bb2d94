"""Parameters, type parameters and patterns -> text: what is neither expression nor statement."""

from __future__ import annotations

from typing import Any

from tangent_lite.emit.expr import ExpressionPrinter
from tangent_lite.emit.token import ATOM, kind_of

# How tightly patterns bind: `(a as b) | c` and `(a | b) as c`.
_AS, _OR, _CLOSED = range(3)


def count_parameters(node: Any) -> int:
    """How many parameters a function has."""
    named = len(node.posonlyargs) + len(node.args) + len(node.kwonlyargs)
    return named + (node.vararg is not None) + (node.kwarg is not None)


class PatternPrinter(ExpressionPrinter):
    """Writes the parameters of functions and the patterns of `match` as tokens."""

    # Parameters -------------------------------------------------------------------------------
    def _arguments(self, node: Any) -> None:
        positional = [*node.posonlyargs, *node.args]
        defaults = [None] * (len(positional) - len(node.defaults)) + list(node.defaults)
        # Each entry: what stands before the name, the name, its default.
        entries: list[tuple[str, Any, Any]] = []
        for index, (parameter, default) in enumerate(zip(positional, defaults), 1):
            entries.append(("", parameter, default))
            if index == len(node.posonlyargs):
                entries.append(("/", None, None))
        if node.vararg is not None or node.kwonlyargs:
            entries.append(("*", node.vararg, None))
        for parameter, default in zip(node.kwonlyargs, node.kw_defaults):
            entries.append(("", parameter, default))
        if node.kwarg is not None:
            entries.append(("**", node.kwarg, None))
        for index, entry in enumerate(entries):
            if index:
                self._comma()
            self._parameter(*entry)

    def _parameter(self, prefix: str, node: Any, default: Any) -> None:
        if prefix:
            self.write(prefix)
        if node is None:
            return
        self.write(node.id if kind_of(node) == "Name" else node.arg)
        annotation = getattr(node, "annotation", None)
        if annotation is not None:
            self.write(": ")
            self.expression(annotation)
        if default is not None:
            # PEP 8: spaces around the equals sign only after an annotation.
            self.write("=" if annotation is None else " = ")
            self.expression(default)

    def _type_params(self, node: Any) -> None:
        """`[T: int = bool, *Ts, **P]` of a generic definition, on Python 3.12 and later."""
        parameters = getattr(node, "type_params", None)
        if not parameters:
            return
        start = self._open_bracket("[")
        for index, parameter in enumerate(parameters):
            if index:
                self._comma()
            prefix = {"TypeVar": "", "TypeVarTuple": "*", "ParamSpec": "**"}[kind_of(parameter)]
            self.write(prefix + parameter.name)
            if getattr(parameter, "bound", None) is not None:
                self.write(": ")
                self.expression(parameter.bound)
            if getattr(parameter, "default_value", None) is not None:
                self.write(" = ")
                self.expression(parameter.default_value)
        self._close_bracket(start, "]", comma=len(parameters) > 1)

    # Patterns ---------------------------------------------------------------------------------
    def _pattern(self, node: Any, level: int = _AS) -> None:
        kind = kind_of(node)
        own = _OR if kind == "MatchOr" else _CLOSED
        if kind == "MatchAs" and node.pattern is not None:
            own = _AS
        if own >= level:
            self._method(node)(node)
            return
        start = self._open_bracket("(")
        self._method(node)(node)
        self._close_bracket(start, ")")

    def _patterns(self, nodes: list[Any]) -> None:
        for index, node in enumerate(nodes):
            if index:
                self._comma()
            self._pattern(node)

    def _MatchValue(self, node: Any) -> None:
        self.expression(node.value)

    def _MatchSingleton(self, node: Any) -> None:
        self.write(repr(node.value))

    def _MatchSequence(self, node: Any) -> None:
        start = self._open_bracket("[")
        self._patterns(node.patterns)
        self._close_bracket(start, "]", comma=len(node.patterns) > 1)

    def _MatchMapping(self, node: Any) -> None:
        start = self._open_bracket("{")
        for index, (key, pattern) in enumerate(zip(node.keys, node.patterns)):
            if index:
                self._comma()
            self.expression(key)
            self.write(": ")
            self._pattern(pattern)
        if node.rest is not None:
            if node.keys:
                self._comma()
            self.write("**" + node.rest)
        self._close_bracket(start, "}", comma=len(node.keys) + (node.rest is not None) > 1)

    def _MatchClass(self, node: Any) -> None:
        self.expression(node.cls, ATOM)
        start = self._open_bracket("(")
        self._patterns(node.patterns)
        for index, (name, pattern) in enumerate(zip(node.kwd_attrs, node.kwd_patterns)):
            if index or node.patterns:
                self._comma()
            self.write(name + "=")
            self._pattern(pattern)
        self._close_bracket(start, ")", comma=len(node.patterns) + len(node.kwd_attrs) > 1)

    def _MatchStar(self, node: Any) -> None:
        self.write("*" + (node.name or "_"))

    def _MatchAs(self, node: Any) -> None:
        if node.pattern is not None:
            self._pattern(node.pattern, _OR)
            self.write(" as ")
        self.write(node.name or "_")

    def _MatchOr(self, node: Any) -> None:
        self._begin()
        for index, pattern in enumerate(node.patterns):
            if index:
                self._break()
                self.write("| ")
            self._pattern(pattern, _CLOSED)
        self._end()
