"""Expressions for the numbers and arrays in a structure, and for structures of others like it.

>>> spelling = Spelling(TypeError, Names(["p"]))
>>> pair = kinds.DictKind(("w", "b"), (kinds.Array(2, "float"), kinds.FLOAT))
>>> [leaf.text for leaf in spelling.leaves(pair, "p")]
["p['w']", "p['b']"]
>>> spelling.like(pair, "p", lambda leaf: leaf.size)
"{'w': p['w'].size, 'b': 1}"
"""
from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tangent_lite import kinds
from tangent_lite.kinds import Kind
from tangent_lite.names import Names
from tangent_lite.runtime.objects import instance


class Leaf(NamedTuple):
    """A number or an array in a value: how it is spelled, and its kind."""
    text: str
    kind: Kind

    @property
    def is_number(self) -> bool:
        return isinstance(self.kind, kinds.Number)

    @property
    def size(self) -> str:
        return "1" if self.is_number else f"{self.text}.size"

    @property
    def axes(self) -> int | None:
        """How many axes it has, None if that is not known."""
        return 0 if self.is_number else self.kind.ndim      # type: ignore[attr-defined]


class Spelling:
    """Expressions for structures; space: what they mention besides names of the function; refuse:
    the error for what has none."""

    def __init__(self, refuse: Callable[[str], Exception], names: Names) -> None:
        self.refuse, self.names = refuse, names
        self.space: dict[str, Any] = {}
        self.np = self.named(np, "np")

    def leaves(self, kind: Kind, text: str) -> list[Leaf]:
        """The numbers and arrays of a value, in order."""
        found: list[Leaf] = []

        def note(leaf: Leaf) -> str:
            found.append(leaf)
            return leaf.text
        self.like(kind, text, note)
        return found

    def like(self, kind: Kind, text: str, make: Callable[[Leaf], str],
             numbers: tuple[str, ...] = ("float",)) -> str:
        """An expression of the structure of a value, with make(leaf) for its numbers and arrays,
        which are of these classes."""
        if isinstance(kind, (kinds.Number, kinds.Array)):
            dtype = kind.type if isinstance(kind, kinds.Number) else kind.dtype
            if dtype not in numbers or kind.is_mixed:
                raise self.refuse("what is no number or array of floats")
            return make(Leaf(text, kind))
        if isinstance(kind, kinds.TupleKind):
            parts = [self.like(item, f"{text}[{k}]", make, numbers)
                     for k, item in enumerate(kind.items)]
            inner = ", ".join(parts)
            if kind.type is list:
                return f"[{inner}]"
            if kind.type is tuple:
                return f"({inner},)" if parts else "()"
            return f"{self.named(kind.type, kind.type.__name__)}({inner})"
        if isinstance(kind, kinds.DictKind) and not kind.makes \
                and all(isinstance(key, (str, int)) for key in kind.keys):
            return "{" + ", ".join(
                f"{key!r}: {self.like(item, f'{text}[{key!r}]', make, numbers)}"
                for key, item in zip(kind.keys, kind.items)) + "}"
        if isinstance(kind, kinds.RecordKind):
            fields = [f"{name}={self.like(item, f'{text}.{name}', make, numbers)}"
                      for name, item in zip(kind.fields, kind.items)]
            made, cls = self.named(instance, "instance"), self.named(kind.type, kind.type.__name__)
            return f"{made}({', '.join([cls, *fields])})"
        raise self.refuse("what is no number or array of floats, nor a tuple, list, dict or object "
                          "of such with known parts")

    def named(self, thing: Any, wish: str) -> str:
        """A name for something that the function mentions."""
        return self.names.name_of(thing, wish, self.space)


class Marks:
    """Which parts of a value are batches, by their paths: `["w"][0]`."""

    def __init__(self, mark: Any) -> None:
        self.mark = mark

    def at(self, path: str) -> bool:
        mark, node = self.mark, ast.parse(f"x{path}", mode="eval").body
        keys: list[Any] = []
        while not isinstance(node, ast.Name):
            keys.insert(0, ast.literal_eval(node.slice) if isinstance(node, ast.Subscript)
                        else node.attr)             # type: ignore[attr-defined]
            node = node.value                       # type: ignore[attr-defined]
        for key in keys:
            if not isinstance(mark, tuple):
                break
            mark = mark[key]
        return bool(mark)
