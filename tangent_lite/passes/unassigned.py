"""Raise where the function would: it reads a name that nothing has bound, and its derivative, which
needs no value of that name, would not notice.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, n):
...     for i in range(n):
...         y = x + i
...     return y
... ''').body[0]
>>> body, last = tree.body[:-1], tree.body[-1]
>>> unassigned(body, last, {}, {"x", "n"}, {"y"})
>>> tree.body[:-1] = body
>>> print(emit(tree), end="")
def f(x, n):
    for i in range(n):
        y = x + i
    if n < 1:
        raise UnboundLocalError("y is not bound where the loop does not run")
    return y

Where a loop over a range binds the name the range tells, and where ways of a branch do, the
others raise. Otherwise, and in loops and branches, the name is read: what computes it stays for
that, until `tidy` finds that the next statement reads it anyway. A name that is None at first,
since it is recorded before it is bound, has a test (`unbound`). Which reads are asked for is said
by `unsure_reads`; those of adjoints Python finds itself.
"""
from __future__ import annotations

from collections.abc import Set
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.adjoints.unbound import tests_of
from tangent_lite.analyses.liveness import bound_in, definitions
from tangent_lite.analyses.surely_bound import bound_by, bounds_of_range
from tangent_lite.analyses.unsure_reads import unsure_reads
from tangent_lite.markers import is_attempt
from tangent_lite.names import stem
from tangent_lite.syntax import COMPOUND, bound_names, read_names


def unassigned(body: list[gast.stmt], last: gast.stmt, steps: dict[int, Any] | None,
               parameters: Set[str], variables: Set[str],
               none_at_first: Set[str] = frozenset(), own: Set[int] | None = None) -> None:
    """Put into the statements of a function, in place, what raises.

    last: the return behind them; steps: the adjoints of its statements, by id, where these are all
    that is wanted, and not the value, of which the statements read all but what nothing needs;
    parameters: what is bound at first; variables: the names that may be asked for; none_at_first:
    those that are None where nothing has bound them; own: the ids of the function's statements.
    """
    unsure = unsure_reads([*body, last], parameters, None if own is None else {*own, id(last)})
    for node in syntax.every_statement(body):
        if hasattr(node, "may_raise"):
            node.may_raise = bool(unsure.pop(id(node), None))
    if not unsure:
        return
    blocks = syntax.blocks_in(body)

    def wanted(node: gast.stmt) -> list[str]:
        step = (steps or {}).get(id(node))
        return sorted((unsure.get(id(node), set()) & variables) - none_at_first
                      - (set() if step is None else step.reads))

    for block in blocks[1:]:
        for place in range(len(block) - 1, -1, -1):
            node = block[place]
            block[place:place] = [*tests_of(unsure.get(id(node), set()) & none_at_first, node),
                                  *(one for name in wanted(node) for one in _is_bound(name))]
    for node in [*body, last]:
        for name in wanted(node):
            place = len(body) if node is last else syntax.place_in(body, node)
            if steps is None or not (_by_branch(body[:place], name)
                                     or _by_range(body, place, name)):
                place = len(body) if node is last else syntax.place_in(body, node)
                body[place:place] = _is_bound(name)
        tests = tests_of(unsure.get(id(node), set()) & none_at_first,
                         None if node is last else node)
        place = len(body) if node is last else syntax.place_in(body, node)
        body[place:place] = tests


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
        test, [_error(f"{stem(name)} is not bound where the loop does not run")], []))
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
            way.append(_error(f"{stem(name)} is bound in no way that is taken"))


def _is_bound(name: str) -> list[gast.stmt]:
    """What raises if a name is not bound."""
    read = gast.Expr(syntax.load(name))
    read.may_raise = True
    return [syntax.comment(f"raises if {stem(name)} is not bound"), read]


def _error(text: str) -> gast.stmt:
    return gast.Raise(syntax.call(syntax.load("UnboundLocalError"), syntax.constant(text)), None)
