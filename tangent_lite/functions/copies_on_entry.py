"""Copies of what is given to a function, for those that write into it."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import kinds, runtime, syntax
from tangent_lite.kinds import Kind
from tangent_lite.structures.updates import is_key


def entry_copy(name: str, kind: Kind, exact: bool, nested: bool,
          external: Callable[[Any, str], gast.expr]) -> gast.expr:
    """A copy of what is given to a function or comes from outside.

    The order of an array stays, since the rounding of sums over it depends on that; where a view of
    it may be a copy, it lies in memory exactly as it did.

    nested: elements of lists in a list change.
    """
    if nested:
        return syntax.call(external(runtime.copied_lists, "copied_lists"), syntax.load(name))
    if exact and isinstance(kind, (kinds.Array, kinds.Numeric)):
        return syntax.call(external(runtime.copy_as_it_lies, "copy_as_it_lies"), syntax.load(name))
    if isinstance(kind, kinds.DictKind) and all(map(is_key, kind.keys)) and any(
            map(kinds.can_vary, kind.items)):
        made = [syntax.subscript(syntax.load(name), gast.Constant(k, None)) for k in kind.keys]
        return gast.Dict([gast.Constant(k, None) for k in kind.keys], made)
    made = syntax.method(syntax.load(name), "copy")
    if isinstance(kind, kinds.Array) and kind.ndim != 1 and kind.ndim != 0:
        made.keywords.append(gast.keyword("order", syntax.constant("K")))
    return made
