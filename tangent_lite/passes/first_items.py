"""What `next` takes from an iterator that is made for it, as a loop that stops at once.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.names import Names
>>> tree = gast.parse('''
... def f(xs, limit):
...     first = next(x for x in xs if x > limit)
...     return first * next((x for x in xs if x < limit), 0.0)
... ''').body[0]
>>> import builtins
>>> print(emit(first_items(tree, Names(['x', 'xs']), vars(builtins).get)), end="")
def f(xs, limit):
    for first in (x for x in xs if x > limit):
        break
    else:
        raise StopIteration
    for item in (x for x in xs if x < limit):
        break
    else:
        item = 0.0
    return first * item

Such a loop comes in front of the statement, where nothing that the statement computes before it is
more than what names, numbers and operators give.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.names import Names
from tangent_lite.syntax.order import first_of, is_at_hand, put


def first_items(tree: gast.FunctionDef, names: Names, meaning: Callable[[str], Any]) \
        -> gast.FunctionDef:
    """The function with such loops; meaning: what a name of the module means, or Python's own."""
    if "next" not in syntax.all_names(tree) or meaning("next") is not next \
            or meaning("StopIteration") is not StopIteration:
        return tree

    def is_taken(node: gast.expr) -> bool:
        return isinstance(node, gast.Call) and syntax.is_name(node.func, "next") \
            and 1 <= len(node.args) <= 2 and not node.keywords \
            and _is_made_here(node.args[0], meaning) and all(map(is_at_hand, node.args[1:]))

    for block in syntax.all_blocks(tree):
        made: list[gast.stmt] = []
        for node in block:
            while (call := first_of(node, is_taken)) is not None:
                made.append(_loop(call, node, names))
            if not (isinstance(node, gast.Assign) and node.value is None):
                made.append(node)
        block[:] = made
    return tree


def _is_made_here(iterator: gast.expr, meaning: Callable[[str], Any]) -> bool:
    """Whether nobody else takes items from an iterator."""
    if isinstance(iterator, gast.GeneratorExp):
        return not any(isinstance(part, (gast.NamedExpr, gast.Await)) or getattr(
            part, "is_async", 0) for part in gast.walk(iterator))
    return isinstance(iterator, gast.Call) and syntax.is_name(iterator.func, "iter") \
        and meaning("iter") is iter and len(iterator.args) == 1 and not iterator.keywords \
        and not isinstance(iterator.args[0], (gast.Starred, gast.GeneratorExp))


def _loop(call: Any, node: Any, names: Names) -> gast.stmt:
    """The loop for a call of `next` in a statement, in which its item takes the place of the call.
    """
    iterator, default = call.args[0], call.args[1:]
    if isinstance(iterator, gast.Call):
        iterator = iterator.args[0]
    is_whole = isinstance(node, gast.Assign) and node.value is call and len(node.targets) == 1 \
        and isinstance(node.targets[0], gast.Name)
    name = node.targets[0].id if is_whole else names.fresh("item")
    exhausted: gast.stmt = syntax.assign(name, default[0]) if default else \
        gast.Raise(syntax.load("StopIteration"), None)
    exhausted.of_next = True            # see `analyses.stopping`
    made = gast.For(syntax.store(name), iterator, [gast.Break()], [exhausted], None)
    syntax.place_within(made, call)
    if is_whole:
        node.value = None               # nothing is left of it
    else:
        put(node, call, syntax.copy_place(syntax.load(name), call))
    return made
