"""A function of a file as a gast definition: whatever the user wrote, a tree of one form.

A lambda becomes a definition, columns are counted in characters, and private names are spelled as
Python mangles them.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

import gast

from tangent_lite.errors import Place, UnsupportedSyntaxError
from tangent_lite.source.code import File, FunctionNode
from tangent_lite.source.trees import to_gast


def definition_of(
    node: FunctionNode, name: str, class_name: str | None, file: File
) -> gast.FunctionDef:
    """The definition that a node of the user's file becomes, under this name."""
    _check_known(node, file)
    tree = to_gast(node)
    if isinstance(node, ast.Lambda):
        body = gast.copy_location(gast.Return(value=tree.body), tree.body)
        args = tree.args
        tree = gast.copy_location(gast.FunctionDef(name, args, [body], [], None, None, []), tree)
    tree.name = name
    tree.decorator_list = []
    if not file.text.isascii():
        _count_characters(tree, file.lines)
    if sys.version_info < (3, 12) and ast.JoinedStr in file.classes:
        _place_f_strings(tree)
    if class_name is not None and class_name.strip("_"):
        _mangle(tree, class_name)
        tree.name = name
    return tree


def has_position(node: gast.AST) -> bool:
    return getattr(node, "end_col_offset", None) is not None


def _check_known(node: ast.AST, file: File) -> None:
    """gast drops what it does not know (syntax newer than it) without a word; we do not."""
    if all(hasattr(gast, kind.__name__) or kind is ast.arg for kind in file.classes):
        return
    around: ast.AST = node
    for inner in ast.walk(node):
        if hasattr(inner, "lineno"):
            around = inner
        kind = type(inner).__name__
        if not hasattr(gast, kind) and kind != "arg":
            line = file.lines[around.lineno - 1]  # type: ignore[attr-defined]
            column = characters(line, around.col_offset)  # type: ignore[attr-defined]
            raise UnsupportedSyntaxError(
                f"syntax that the installed gast does not know ({kind})",
                Place(file.filename, around.lineno, line, column, column + 1),  # type: ignore[attr-defined]
                "install a newer gast, or write it in another way.",
            )


def _count_characters(tree: gast.AST, lines: tuple[str, ...]) -> None:
    """ast counts columns in bytes of UTF-8, people and editors in characters."""
    for node in gast.walk(tree):
        if has_position(node):
            node.col_offset = characters(lines[node.lineno - 1], node.col_offset)
            node.end_col_offset = characters(lines[node.end_lineno - 1], node.end_col_offset)


def characters(line: str, column: int) -> int:
    return column if line.isascii() else len(line.encode()[:column].decode(errors="ignore"))


def _place_f_strings(tree: gast.AST) -> None:
    """Before Python 3.12 what stands in an f-string has wrong positions: the whole string's."""
    for outer in gast.walk(tree):
        if isinstance(outer, gast.JoinedStr):
            for node in gast.walk(outer):
                if has_position(node):
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
