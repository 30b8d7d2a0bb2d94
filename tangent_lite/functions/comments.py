"""The comments above adjoints: what the user wrote."""
from __future__ import annotations

from collections.abc import Callable

import gast

from tangent_lite.source import Source


def comments(source: Source) -> Callable[[gast.stmt], str | None]:
    """What stands above the adjoint of a statement: the user's text of it."""

    def comment(node: gast.stmt) -> str | None:
        if getattr(node, "is_entry_copy", False):
            return f"{node.is_entry_copy} is copied on entry"
        origin = getattr(node, "origin", None) or source
        original = source.original(node)
        return origin.text(original) if original is not None else None

    return comment
