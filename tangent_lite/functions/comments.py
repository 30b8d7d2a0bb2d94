"""The comments above adjoints: what the user wrote."""
from __future__ import annotations

from collections.abc import Callable

import gast

from tangent_lite import syntax
from tangent_lite.source import Source


def comments(source: Source) -> Callable[[gast.stmt], str | None]:
    """What stands above the adjoint of a statement: the user's text of it."""
    originals: dict[Source, dict[tuple[int, int], gast.stmt]] = {}

    def comment(node: gast.stmt) -> str | None:
        if getattr(node, "is_entry_copy", False):
            return f"{node.is_entry_copy} is copied on entry"
        origin = getattr(node, "origin", None) or source
        if origin not in originals:
            originals[origin] = {(n.lineno, n.col_offset): n
                                 for n in syntax.all_statements(origin.tree)
                                 if isinstance(n, gast.stmt)}
        place = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        original = originals[origin].get(place)
        return origin.text(original) if original is not None else None

    return comment
