"""The operands of an expression, in the order in which Python evaluates them."""
from __future__ import annotations

from typing import Any

import gast

Spot = tuple[Any, Any]      # a node and the name of a field, or a list and a number


def operands(node: gast.AST) -> list[Spot]:
    """Where the operands of an expression stand; what only groups them is looked into.

    >>> node = gast.parse("{a: f(x), **b}", mode="eval").body
    >>> [at(*spot).__class__.__name__ for spot in operands(node)]
    ['Name', 'Call', 'Name']
    """
    if isinstance(node, gast.Dict):
        pairs = [[(node.keys, number), (node.values, number)] for number in range(len(node.keys))]
        found: list[Spot] = [spot for pair in pairs for spot in pair]
    else:
        found = []
        for field, value in gast.iter_fields(node):
            if isinstance(value, list):
                found += [(part, "value") if isinstance(part, gast.keyword) else (value, number)
                          for number, part in enumerate(value)]
            else:
                found.append((node, field))
    out: list[Spot] = []
    for spot in found:
        part = at(*spot)
        if isinstance(part, (gast.Starred, gast.Slice, gast.FormattedValue, gast.JoinedStr)):
            out += operands(part)
        elif isinstance(part, gast.expr) and not isinstance(getattr(part, "ctx", None), gast.Store):
            out.append(spot)
    return out


def at(owner: Any, key: Any) -> Any:
    return owner[key] if isinstance(owner, list) else getattr(owner, key)


def put(owner: Any, key: Any, part: gast.expr) -> None:
    """Let a part stand where an operand stood: in a list, or in a field of a node."""
    if isinstance(owner, list):
        owner[key] = part
    else:
        setattr(owner, key, part)


def is_held(node: gast.AST) -> bool:
    """Whether a walrus was made by the pass `hold`: nobody else binds its name."""
    return getattr(node, "is_held", False)
