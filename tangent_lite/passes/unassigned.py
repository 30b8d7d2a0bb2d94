"""Raise where the function would: it reads a name that nothing has bound, and its derivative, which
needs no value of that name, would not notice.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, n):
...     for i in range(n):
...         y = x + i
...     return y
... ''').body[0]
>>> body, value = tree.body[:-1], tree.body[-1].value
>>> unassigned(body, value, {}, {"x", "n"}, {"y"})
>>> tree.body[:-1] = body
>>> print(emit(tree), end="")
def f(x, n):
    for i in range(n):
        y = x + i
    if n < 1:
        raise UnboundLocalError("y is not bound where the loop does not run")
    return y

Only what stands in no loop and no branch is looked at. What a derivative reads itself Python finds
to be unbound; what is recorded before it is bound, and is None at first, is asked by `unbound`.

Where a loop over a range binds the name the range tells, and where ways of a branch do, the
others raise. Otherwise the name is read: what computes it stays for that.
"""
from __future__ import annotations

from collections.abc import Set
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import bound_in, definitions
from tangent_lite.analyses.surely_bound import bound_behind, bound_by, bounds_of_range
from tangent_lite.markers import is_attempt
from tangent_lite.syntax import COMPOUND, bound_names, read_names


def unassigned(body: list[gast.stmt], value: gast.expr | None, steps: dict[int, Any],
               parameters: Set[str], variables: Set[str]) -> None:
    """Put into the statements of a function, in place, what raises.

    value: what it returns; steps: the adjoints of its statements, by id; parameters: what is bound
    at first; variables: the names that may be asked for.
    """
    binds = bound_in(body)
    known = set(parameters)
    wanted: list[tuple[int, str]] = []      # in front of which statement a name has to be bound
    for place, node in enumerate(body):
        if hasattr(node, "may_raise"):
            node.may_raise = node.value.id not in known
        if not isinstance(node, COMPOUND):
            step = steps.get(id(node))
            if step is not None:
                unread = syntax.read_names(node) - step.reads
                wanted += [(place, name) for name in sorted(unread - known)]
            known.update(definitions(node))
        else:
            known |= bound_behind(node, set()) or set()
    if value is not None:
        wanted += [(len(body), name) for name in sorted(read_names(value) - known)]
    seen: set[str] = set()
    asked = []
    for place, name in wanted:
        if name in binds & variables and name not in seen:
            seen.add(name)
            asked.append((place, name))
    for place, name in reversed(asked):
        if not _by_branch(body[:place], name) and not _by_range(body, place, name):
            body[place:place] = _is_bound(name)


# What raises ----------------------------------------------------------------------------------
def _by_range(body: list[gast.stmt], place: int, name: str) -> bool:
    """Raise behind the only loop that binds a name, where its range is empty, if that tells;
    whether it does."""
    loops = [(k, node) for k, node in enumerate(body[:place]) if name in bound_in([node])]
    if len(loops) != 1:
        return False
    number, node = loops[0]
    bounds = bounds_of_range(node)
    if bounds is None or not all(isinstance(b, (gast.Name, gast.Constant)) for b in bounds) \
            or any(isinstance(n, (gast.Break, gast.Continue))
                   for n in syntax.statements(node.body)) \
            or any(not read_names(b).isdisjoint(bound_in([node])) for b in bounds) \
            or name not in (bound_by(node.body, set(bound_names(node.target))) or ()):
        return False
    if len(bounds) == 1:
        test = gast.Compare(syntax.copy(bounds[0]), [gast.Lt()], [syntax.constant(1)])
    else:
        test = gast.Compare(syntax.copy(bounds[1]), [gast.LtE()], [syntax.copy(bounds[0])])
    body.insert(number + 1, gast.If(
        test, [_error(f"{name} is not bound where the loop does not run")], []))
    return True


def _by_branch(block: list[gast.stmt], name: str) -> bool:
    """Raise in those ways of the last branch that do not bind a name, if only that one binds it;
    whether it does."""
    binding = [node for node in block if name in (
        bound_in([node]) if isinstance(node, COMPOUND) else definitions(node))]
    if len(binding) != 1 or not isinstance(binding[0], gast.If) or not _may_raise(binding[0], name):
        return False
    _raise_in(binding[0], name)
    return True


def _may_raise(node: gast.If, name: str) -> bool:
    """Whether each way of a branch binds a name, or does not, or is another branch of that kind."""
    if is_attempt(node):
        return False
    for way in (node.body, node.orelse):
        binds = bound_by(way, set())
        if binds is None or name in binds or name not in bound_in(way):
            continue
        if len(way) != 1 or not isinstance(way[0], gast.If) or not _may_raise(way[0], name):
            return False
    return True


def _raise_in(node: gast.If, name: str) -> None:
    for way in (node.body, node.orelse):
        binds = bound_by(way, set())
        if binds is None or name in binds:
            continue
        if name in bound_in(way):
            _raise_in(way[0], name)
        else:
            way.append(_error(f"{name} is bound in no way that is taken"))


def _is_bound(name: str) -> list[gast.stmt]:
    """What raises if a name is not bound."""
    read = gast.Expr(syntax.load(name))
    read.may_raise = True
    return [syntax.comment(f"raises if {name} is not bound"), read]


def _error(text: str) -> gast.stmt:
    return gast.Raise(syntax.call(syntax.load("UnboundLocalError"), syntax.constant(text)), None)
