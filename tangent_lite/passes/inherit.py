"""What ends as the value of another name has that name from the start.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(xs, rate):
...     bt = xs.pop()
...     bt += rate
...     bend = bt
...     return bend * bend
... ''').body[0]
>>> inherit(tree.body, lambda name: name == "bt")
>>> print(emit(tree), end="")
def f(xs, rate):
    bend = xs.pop()
    bend += rate
    return bend * bend

The temporary is mentioned in this stretch of one block only, and the other name not in between:
what it held before is then read by nobody, as long as nothing leaves the stretch on another way
(a `break`), or looks at it from outside (a function that is defined here).
"""
from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable

import gast

from tangent_lite import syntax
from tangent_lite.markers import is_attempt, marker_of
from tangent_lite.syntax import COMPOUND, read_names

_EXITS = (gast.Break, gast.Continue, gast.Return)
_EXIT = ""                              # stands among the names of a statement that may leave
_SCOPES = (gast.Lambda, gast.FunctionDef, gast.ListComp, gast.SetComp, gast.DictComp,
           gast.GeneratorExp)


def inherit(body: list[gast.stmt], is_ours: Callable[[str], bool]) -> None:
    """Rename in place; is_ours: whether a name is no variable of the user."""
    if not any(_handed_over(node, is_ours) for block in syntax.blocks_in(body) for node in block):
        return
    if any(is_attempt(node) for node in syntax.statements(body)):
        return                          # a handler may read what a name held before
    counts = Counter([part.id for node in body for part in syntax.names_in(node)])
    held = functools.cache(lambda: {part.id for scope in syntax.all_of(
        gast.Module(body, []), *_SCOPES) for part in syntax.names_in(scope)})
    for block in list(syntax.blocks_in(body)):
        _in_block(block, counts, held, is_ours)


def _in_block(block: list[gast.stmt], counts: Counter[str], held: Callable[[], set[str]],
              is_ours: Callable[[str], bool]) -> None:
    number = 0
    seen: dict[int, Counter[str]] = {}      # by id of a statement: the names in it
    while number < len(block):
        pair = _handed_over(block[number], is_ours)
        start = None if pair is None else _start(block, number, *pair, counts, seen)
        if pair is not None and start is not None and held().isdisjoint(pair):
            name, heir = pair
            swap = syntax.Rename({name: heir})
            for place in range(start, number):
                if name in seen[id(block[place])]:
                    names = seen[id(block[place])]
                    swap.visit(block[place])
                    names[heir] += names.pop(name)
            del block[number]
            counts[heir] += counts.pop(name) - 2
        else:
            number += 1


def _start(block: list[gast.stmt], number: int, name: str, heir: str,
           counts: Counter[str], seen: dict[int, Counter[str]]) -> int | None:
    """Where the stretch begins that ends in statement `number`, if it is one."""
    left = counts[name] - 1
    for place in range(number - 1, -1, -1):
        node = block[place]
        names = seen.get(id(node))
        if names is None:
            names = seen[id(node)] = Counter([part.id for part in syntax.names_in(node)])
            if _leaves(node):
                names[_EXIT] = 1
        left -= names[name]
        first = not left
        if _EXIT in names or (heir in names and not (first and _binds(node, name))):
            return None
        if first:
            return place if _binds(node, name) else None
    return None


def _binds(node: gast.stmt, name: str) -> bool:
    """Whether a statement binds a name to what is made without it."""
    return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
        and node.targets[0].id == name and name not in read_names(node.value) \
        and marker_of(node) is None


def _leaves(node: gast.stmt) -> bool:
    return isinstance(node, _EXITS) or (
        isinstance(node, COMPOUND) and any(isinstance(n, _EXITS) for n in syntax.walk(node)))


def _handed_over(node: gast.stmt, is_ours: Callable[[str], bool]) -> tuple[str, str] | None:
    """(x, y) of a statement `y = x`, where x is ours."""
    if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
            and isinstance(node.value, gast.Name) and marker_of(node) is None \
            and node.value.id != node.targets[0].id and is_ours(node.value.id):
        return node.value.id, node.targets[0].id
    return None
