"""Small arrays that are needed inside a function of loops only: on the stack.

    t = empty((n,))         =>      t = empty_in(room(), (n,))

To ask for memory and to give it back costs as much as a hundred additions. `room` is a piece of the
function's own memory, and what `empty_in` makes of it is gone when the function returns: so that is
only done for arrays of which elements and sizes are read, and nothing else.
"""
from __future__ import annotations

import ast
from typing import Any

import numpy as np
from llvmlite import ir as llvm
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic

from tangent_lite.analyses.classes import Classes
from tangent_lite.backends.numba_borrowing import overload

ROOM = 64                       # numbers
_MOST = 24                      # arrays of a function


@intrinsic
def room(typingctx):
    """Memory for as many numbers, of the function in which this stands."""
    def generate(context, builder, signature, args):
        memory = llvm.ArrayType(llvm.DoubleType(), ROOM)
        return builder.bitcast(cgutils.alloca_once(builder, memory),
                               llvm.DoubleType().as_pointer())
    return types.CPointer(types.float64)(), generate


def empty_in(memory: Any, shape: Any) -> Any:
    """An array of a shape: in that memory if there is room for it."""


@overload(empty_in)
def _empty_in(memory, shape):
    if len(shape) == 1:
        return lambda memory, shape: carray(memory, shape) if shape[0] <= ROOM else np.empty(shape)
    return lambda memory, shape: np.empty(shape)


def scratch(text: str, words: dict[str, str], fresh: Any) -> str:
    """The text of a function with such arrays on the stack.

    words: the names of what the text calls; fresh: gives names that nothing has.
    """
    empty = words.get("empty")
    if empty is None:
        return text
    tree = ast.parse(text)
    lines = text.splitlines()
    kept, heads = _Uses(words).of(tree)
    count = 0
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name) \
                or not isinstance(node.value, ast.Call) \
                or not isinstance(node.value.func, ast.Name) or node.value.func.id != empty \
                or not isinstance(node.value.args[0], ast.Tuple) \
                or len(node.value.args[0].elts) != 1:
            continue
        if heads(node.targets[0].id) in kept or count >= _MOST:
            continue
        count += 1
        names = [words.setdefault(word, fresh(word)) if word not in words else words[word]
                 for word in ("empty_in", "room")]
        at = node.lineno - 1
        lines[at] = lines[at].replace(f"= {empty}(", f"= {names[0]}({names[1]}(), ", 1)
    return "\n".join(lines) + "\n"


class _Uses:
    """Which names are read for more than elements and sizes."""

    def __init__(self, words: dict[str, str]) -> None:
        self.elementwise = {words[name] for name in ("item", "put", "extent") if name in words}
        self.meant = Classes()              # of names that may mean one array

    def of(self, tree: ast.AST) -> Any:
        found: set[str] = set()
        todo: list[ast.AST] = [tree]
        while todo:
            node = todo.pop()
            if isinstance(node, ast.Name):
                if isinstance(node.ctx, ast.Load):
                    found.add(node.id)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) \
                    and node.func.id in self.elementwise:
                todo += node.args[1:] if isinstance(node.args[0], ast.Name) else node.args
            elif isinstance(node, ast.Attribute) and node.attr in ("shape", "size") \
                    and isinstance(node.value, ast.Name):
                continue
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) \
                    and isinstance(node.value, ast.Name):
                self.meant.union(node.value.id, node.targets[0].id)
            elif isinstance(node, ast.FunctionDef):
                todo += node.body
                found.update(one.arg for one in node.args.args)
            else:
                todo += ast.iter_child_nodes(node)
        return {self.meant.find(name) for name in found}, self.meant.find
