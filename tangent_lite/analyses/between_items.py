"""What happens between the items of an iterator, which are computed when they are asked for.

    functools.reduce(f, map(g, xs))         f and g are called in turns
    max(map(g, xs), key=f)                  and so they are here
    sorted(map(g, xs), key=f)               all calls of g come first
    all(map(g, xs))                         the last calls of g may never come

Written out, an iterator is the list of its items. That is the same, where neither who computes the
items nor who takes them does more than compute: changes what the other reads, draws, prints.
"""
from __future__ import annotations

import collections
import itertools
import math
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.analyses import writers
from tangent_lite.analyses.purity import can_be_hashed, computes
from tangent_lite.analyses.unseen import CALLED_BY_NAME, leaves_all
from tangent_lite.functions.local_functions import LocalFunction
from tangent_lite.modules import module_of
from tangent_lite.structures.comprehensions import COMPREHENSIONS

# What takes all items before it does anything else; with a key, `max` does not.
_AT_ONCE = frozenset((list, tuple, sorted, set, frozenset, dict, sum, math.prod, math.fsum,
                      np.fromiter, str.join, list.extend, dict.update, collections.deque,
                      collections.Counter, collections.defaultdict))
_AT_ONCE_WITHOUT_KEY = frozenset((max, min))

_FILLING = frozenset(("extend", "extendleft", "update"))

Meaning = Callable[[gast.expr], list[Any]]


def between(node: gast.stmt, name: str, callee: Callable[[gast.Call], Any]) \
        -> tuple[bool, gast.Call | None]:
    """Whether something may happen between the items of an iterator, in the statement that goes
    through all of them; and the call that takes them one by one, where it is a call that does.

    >>> from tangent_lite.inference import Typer
    >>> import builtins
    >>> typer = Typer({}, vars(builtins).get)
    >>> def asked(text):
    ...     return between(gast.parse(text).body[0], "items", typer.callee)[0]
    >>> asked("total = sum(items)"), asked("largest = max(items, key=f)"), asked("a, b = items")
    (False, True, False)
    """
    for part in gast.walk(node):
        if isinstance(part, COMPREHENSIONS) and syntax.is_name(part.generators[0].iter, name):
            return True, None
        if isinstance(part, gast.Call) and any(
                syntax.is_name(given, name)
                for given in (*part.args, *(k.value for k in part.keywords))):
            in_turn = takes_in_turn(part, callee(part)[0])
            return in_turn, part if in_turn else None
    return isinstance(node, gast.For), None


def takes_in_turn(call: gast.Call, function: Any) -> bool:
    """Whether a call may do something between the items that it takes; function: what it calls."""
    has_key = any(k.arg == "key" for k in call.keywords)
    return not (can_be_hashed(function) and (
        function in _AT_ONCE or (function in _AT_ONCE_WITHOUT_KEY and not has_key)))


def filled(node: gast.AST) -> set[str]:
    """The containers into which the items of an iterator go, one by one, as they are computed.

    >>> filled(gast.parse("xs.extend(items)")), filled(gast.parse("n = xs.index(items)"))
    ({'xs'}, set())
    """
    return {call.func.value.id for call in syntax.all_of(node, gast.Call)
            if isinstance(call.func, gast.Attribute) and call.func.attr in _FILLING
            and isinstance(call.func.value, gast.Name)}


def acts(node: gast.AST, meaning: Meaning, names: frozenset[str] = frozenset(),
         seen: frozenset[int] = frozenset()) -> bool:
    """Whether what an expression calls, or hands on to be called, may do more than compute.

    meaning: what an expression may mean, as far as that is known; names: variables of a function
    around it, of which nothing is known; seen: functions that are being looked at, by id.
    """
    called = {id(part.func) for part in syntax.walk(node) if isinstance(part, gast.Call)}
    for part in syntax.walk(node):
        if isinstance(part, (gast.NamedExpr, gast.Yield, gast.YieldFrom, gast.Await)) or (
                isinstance(part, gast.Call) and any(k.arg == "out" for k in part.keywords)):
            return True
        found = [part.local] if hasattr(part, "local") else []
        if isinstance(part, (gast.Name, gast.Attribute)) and syntax.root_name(part) not in names:
            found = meaning(part)
        for one in found:
            if isinstance(one, LocalFunction):
                if id(one) not in seen and _local_acts(one, meaning, seen | {id(one)}):
                    return True
            elif callable(one) and _does_more(one):
                return True
        if id(part) in called and not found and (
                isinstance(part, gast.Name) or _may_change(getattr(part, "attr", ""))):
            return True
    return False


def _may_change(method: str) -> bool:
    """Whether a method may do more than compute, by its name: of an object, which may be any."""
    return method in writers.CHANGING or method not in CALLED_BY_NAME


def _does_more(function: Any) -> bool:
    """Whether a function that lives outside may do more than compute; iterators hand on items."""
    if module_of(function) == itertools.__name__:
        return False
    found = computes(function)
    return not leaves_all(function) if found is None else not found


def _local_acts(function: LocalFunction, meaning: Meaning, seen: frozenset[int]) -> bool:
    """The same of a function that is defined inside, by its text."""
    if function.bound:
        return True
    tree = function.tree
    given = set(syntax.parameter_names(tree.args))
    own = {n.id for n in syntax.names_in(tree) if not isinstance(n.ctx, gast.Load)} - given
    for node in syntax.walk(tree):
        if isinstance(node, (gast.Subscript, gast.Attribute)) \
                and not isinstance(node.ctx, gast.Load):
            return True
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name) \
                and node.target.id not in own:
            return True                                     # may be an array of others
    return any(acts(one, meaning, frozenset(own | given), seen) for one in tree.body)
