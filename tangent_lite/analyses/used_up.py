"""Whether an iterator is used up at once, and by whom: it is written out as a list, which is the
same to whoever goes through it once, from beginning to end.

    total = sum(v * v for v in x)       # once
    a, b = map(f, pair)                 # once
    for k in range(3):                  # it is at its end after the first time
        for v in squares:
"""
from __future__ import annotations

import abc
import builtins
import collections
import functools
import itertools
import math
import types
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import registry, syntax
from tangent_lite.errors import TangentError
from tangent_lite.functions.local_functions import LocalFunction
from tangent_lite.modules import module_of
from tangent_lite.source import source_of
from tangent_lite.structures.comprehensions import COMPREHENSIONS

# Functions that go through what they are given, once, and keep nothing of it.
THROUGH = frozenset((
    list, tuple, set, frozenset, dict, sum, max, min, any, all, sorted, math.prod, math.fsum,
    functools.reduce, np.fromiter, str.join, list.extend, collections.deque, collections.Counter,
    collections.defaultdict, dict.update, map, filter, zip, enumerate))


def goes_through(function: Any) -> bool:
    """Whether a function of Python's or NumPy's goes through an iterator once.

    >>> goes_through(sum), goes_through(itertools.chain), goes_through(itertools.tee)
    (True, True, False)
    """
    try:
        if function in THROUGH:
            return True
    except TypeError:
        return False
    owner = function if isinstance(function, type) else getattr(function, "__self__", None)
    return isinstance(owner, type) and module_of(owner) == itertools.__name__


def used_up_by(node: gast.stmt, name: str,
               callee: Callable[[gast.Call], tuple[Any, Any]]) -> bool:
    """Whether a statement that reads a name once goes through all that it is.

    callee: what a call calls, and its receiver.
    """
    if isinstance(node, gast.For):
        return any(getattr(n.value, "iterates", False) and syntax.is_name(n.value.value, name)
                   for n in node.body if isinstance(n, gast.Assign))
    if isinstance(node, syntax.COMPOUND):
        return False
    if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Tuple) \
            and syntax.is_name(node.value, name):
        return True
    for part in gast.walk(node):
        if isinstance(part, gast.Lambda):
            return False
        if (isinstance(part, gast.Starred) and syntax.is_name(part.value, name)) or (
                isinstance(part, COMPREHENSIONS) and syntax.is_name(part.generators[0].iter, name)):
            return not _repeats(node, part)
        if isinstance(part, gast.Call) and any(syntax.is_name(a, name) for a in _given(part)):
            return not _repeats(node, part) and handed_over(part, name, *callee(part))
    return False


def handed_over(call: gast.Call, given: Any, function: Any, receiver: Any) -> bool:
    """Whether what is called goes once through an argument, be it a name or an expression."""
    return goes_through(function) or _takes_once(call, given, function, receiver is not None)


def _takes_once(call: gast.Call, given: Any, function: Any, is_method: bool) -> bool:
    """Whether a function of the user, or `__init__` of a class, goes once through an argument."""
    if type(function) in (type, abc.ABCMeta) and function.__new__ is object.__new__:
        function, is_method = function.__init__, True
    tree = _tree_of(function)
    if tree is None:
        return False
    parameters = [a.id for a in tree.args.posonlyargs + tree.args.args][is_method:]
    found = None
    for number, argument in enumerate(call.args):
        if isinstance(argument, gast.Starred):
            return False
        if argument is given or syntax.is_name(argument, given):
            found = parameters[number] if number < len(parameters) else None
    for keyword in call.keywords:
        if keyword.value is given or syntax.is_name(keyword.value, given):
            found = keyword.arg
    mentions = [n for n in gast.walk(tree) if isinstance(n, gast.Name) and n.id == found]
    if found is None or len([n for n in mentions if not isinstance(n.ctx, gast.Param)]) != 1:
        return False
    for node in tree.body:              # not in a loop, where it may come by more than once
        if isinstance(node, gast.For) and syntax.is_name(node.iter, found):
            return True
        if isinstance(node, (gast.For, gast.While, gast.FunctionDef, gast.With, gast.Try)):
            continue
        for part in gast.walk(node):
            if isinstance(part, (gast.Lambda, gast.For, gast.While)):
                break
            if isinstance(part, gast.Call) and isinstance(part.func, gast.Name) \
                    and any(syntax.is_name(a, found) for a in part.args) \
                    and goes_through(_builtin(function, part.func.id)):
                return not _repeats(node, part)
            if isinstance(part, COMPREHENSIONS) and syntax.is_name(part.generators[0].iter, found):
                return not _repeats(node, part)
    return False


def _repeats(node: gast.stmt, part: gast.AST) -> bool:
    """Whether a part stands in a comprehension in a statement, where it is computed each time."""
    return any(inner is part for one in gast.walk(node)
               if isinstance(one, COMPREHENSIONS) and one is not part for inner in gast.walk(one))


def _builtin(function: Any, name: str) -> Any:
    """What a name means in a function, if it is Python's."""
    if isinstance(function, LocalFunction):
        space = function.origin.globals
        around = {n.id for n in syntax.names_in(function.origin.tree)
                  if not isinstance(n.ctx, gast.Load)}
    else:
        space = function.__globals__
        around = {*function.__code__.co_varnames, *function.__code__.co_freevars}
    return None if name in space or name in around else getattr(builtins, name, None)


def _tree_of(function: Any) -> gast.FunctionDef | None:
    """The text of a function of the user, if it can be read."""
    if isinstance(function, LocalFunction):
        return function.tree
    if not isinstance(function, types.FunctionType) or registry.is_library(function):
        return None
    try:
        return source_of(function).tree
    except TangentError:
        return None


def _given(call: gast.Call) -> list[gast.expr]:
    return [*call.args, *(k.value for k in call.keywords)]
