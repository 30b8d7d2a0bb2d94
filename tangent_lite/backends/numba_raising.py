"""What a `raise` says, as compiled code says it.

    raise ValueError(f"n = {n}")        =>      raise ValueError("n = {n}")
    raise NotConverged(x) from None     =>      raise RuntimeError("x")

Numba puts no numbers into text, and makes no exceptions of users' classes. Nor need it: a call from
Python that stops in compiled code runs in Python from the start, and raises there what the function
raises. Compiled callers get an exception of the nearest class of Python's, with the text as it
stands in the function.
"""
from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Collection
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.emit import emit


def say_plainly(tree: gast.FunctionDef) -> None:
    """Make constants of what the exceptions of a function say, in place; names that are bound in
    front of a `raise` for that only go."""
    uses = Counter(node.id for node in gast.walk(tree)
                   if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load))
    for block in syntax.all_blocks(tree):
        at = 0
        while at < len(block):
            node: Any = block[at]
            if isinstance(node, gast.Raise):
                at = _with_messages(block, at, uses)
                _plain_raise(block[at])
            elif isinstance(node, gast.Assert) and node.msg is not None:
                node.msg = _text(node.msg)
            at += 1


def _with_messages(block: list[gast.stmt], at: int, uses: Counter[str]) -> int:
    """`text = f"..."; raise E(text)` => `raise E(f"...")`; where the `raise` stands then."""
    while at > 0:
        before, leave = block[at - 1], block[at]
        if not isinstance(before, gast.Assign) or len(before.targets) != 1 \
                or not isinstance(before.targets[0], gast.Name):
            break
        name = before.targets[0].id
        inside = sum(isinstance(node, gast.Name) and node.id == name for node in gast.walk(leave))
        if inside == 0 or uses[name] != inside:
            break
        block[at] = syntax.substitute(leave, {name: before.value})
        del block[at - 1]
        at -= 1
    return at


def _plain_raise(node: Any) -> None:
    node.cause = None
    made = node.exc
    if isinstance(made, gast.Call):
        # Of an exception with other parameters nothing is made but one of Python's.
        made.args = [_text(one) for one in made.args if not isinstance(one, gast.Starred)]
        made.keywords = []


def _text(node: Any) -> gast.expr:
    """What stands in the function: the text with its places, or the expression."""
    if isinstance(node, gast.Constant):
        return node
    if isinstance(node, gast.JoinedStr):
        parts = [part.value if isinstance(part, gast.Constant)
                 else f"{{{emit(part.value)}}}" for part in node.values]
        text = "".join(map(str, parts))
    elif isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mod) and _is_text(node.left):
        text = node.left.value
    elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) \
            and node.func.attr == "format" and _is_text(node.func.value):
        text = node.func.value.value
    else:
        text = emit(node)
    return syntax.copy_place(gast.Constant(text.strip("\n"), None), node)


def _is_text(node: Any) -> bool:
    return isinstance(node, gast.Constant) and isinstance(node.value, str)


def raised_class(thing: Any, known: Collection[str]) -> str | None:
    """The name of the class of Python's that stands for a class of exceptions in compiled code;
    known: those that it has."""
    if not isinstance(thing, type) or not issubclass(thing, Exception):
        return None
    return next((kind.__name__ for kind in thing.__mro__ if kind.__name__ in known
                 and getattr(builtins, kind.__name__, None) is kind), None)
