"""Calls that no statement shows: in comprehensions, assertions, f-strings and the like.

Statements are what the passes follow. `n = xs.append(v)` is one that changes a list; in
`any(xs.append(v) for v in vs)` it is a part of an expression that stays as it is, if nothing about
it seems to matter. So what such a call may change is asked by what it calls, and by as little of it
as can be trusted: a method by its name, a function of the user by its text.
"""
from __future__ import annotations

import abc
import bisect
import collections
import contextlib
import functools
import heapq
import inspect
import itertools
import operator
import random
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses import writers
from tangent_lite.analyses.called_back import called_back
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.made_here import MadeHere
from tangent_lite.analyses.meant_outside import (
    Global,
    Key,
    asked,
    global_meaning,
    lacking,
    lookups,
    meant,
    note_method,
)
from tangent_lite.analyses.parameters_used import (
    bound_anywhere,
    called_by_name,
    handed_on_by,
    only_asked_for_attributes,
)
from tangent_lite.analyses.purity import ACTING, can_be_hashed
from tangent_lite.analyses.special_names import UNSEEN
from tangent_lite.errors import TangentError
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.modules import held_by_class, is_of_library, package_of
from tangent_lite.records import is_named_tuple
from tangent_lite.source import source_of
from tangent_lite.structures.updates import fields_of_class

_BUILT_IN = (list, dict, set, frozenset, tuple, str, bytes, int, float, complex, np.ndarray,
             np.generic, range)
_OF_LIBRARY = {heapq.heappush, heapq.heappop, heapq.heapify, heapq.heapreplace, heapq.heappushpop,
               bisect.insort, bisect.insort_left, bisect.insort_right, random.shuffle}
_SAFE = {abs, len, range, zip, enumerate, map, filter, reversed, iter, np.ndindex, np.ndenumerate,
         operator.add, operator.sub, operator.mul, operator.neg}
# What makes functions: what these call is looked at where they are made.
_MAKING_FUNCTIONS = {operator.itemgetter, operator.attrgetter, functools.partial}
_SAFE_OPERATORS = (gast.Add, gast.Sub, gast.Mult)
_HEAP_TYPE = 1 << 9
# What is called by such a name is taken for what it is of containers and arrays.
CALLED_BY_NAME = frozenset(name for kind in _BUILT_IN for name in dir(kind)
                           if not name.startswith("__"))
_SAYING = {print, isinstance, issubclass, callable, hasattr, getattr, len, repr, str, iter}

Meaning = Callable[[gast.Call], tuple[Any, "gast.expr | None"]]


def may_change(node: gast.AST, meaning: Meaning) -> gast.Call | None:
    """A call in an expression that may change what it does not own; meaning: as Typer.callee."""
    return next((call for call in syntax.all_of(node, gast.Call)
                 if call_may_change(call, *meaning(call))), None)


def may_fail(node: gast.AST, meaning: Callable[[gast.expr], Any]) -> bool:
    """Whether the items of an iterator may raise something, print or change something as they are
    computed, by its expression; meaning: what an expression is known to mean."""
    for part in syntax.walk(node):
        if (isinstance(part, gast.BinOp) and not isinstance(part.op, _SAFE_OPERATORS)) \
                or (isinstance(part, gast.Subscript) and not isinstance(part.slice, gast.Slice)) \
                or isinstance(part, gast.NamedExpr):
            return True
        called = part.func if isinstance(part, gast.Call) else part
        found = meaning(called) if isinstance(called, (gast.Name, gast.Attribute)) else NO_OBJECT
        local = getattr(found, "tree", None) or getattr(getattr(part, "local", None), "tree", None)
        if local is not None:
            if may_fail(local, meaning):
                return True
        elif (isinstance(part, gast.Call) or callable(found)) and not _is_safe(found):
            return True
    return False


def _is_safe(function: Any) -> bool:
    """Whether a function raises nothing, whatever numbers it is given."""
    return isinstance(function, np.ufunc) or (can_be_hashed(function) and function in _SAFE) \
        or getattr(function, "__module__", "") == itertools.__name__


def call_may_change(call: gast.Call, function: Any, receiver: gast.expr | None) -> bool:
    """Whether a call may change what it is given, or what the function that it calls has seen."""
    if hasattr(call, "marker") or isinstance(call.func, gast.Constant) \
            or getattr(function, "__code__", None) is _MANAGED:
        return False                            # what is entered runs then, and is looked at there
    if function is NO_OBJECT:
        name = getattr(call.func, "attr", None)
        return name is None or name in writers.CHANGING or not (
            name in CALLED_BY_NAME or any(hasattr(t, name) for t in _BUILT_IN))
    if isinstance(function, type):
        return keeps_what_it_is_given(function)
    name = getattr(function, "__name__", "")
    if receiver is not None and getattr(function, "__objclass__", None) in _BUILT_IN:
        return name in writers.CHANGING or bool(writers.outs(call, function, receiver))
    if isinstance(function, types.FunctionType) and registry.lookup(function) is None \
            and not registry.is_library(function):
        return not leaves_all(function)
    return bool(writers.written(call, function, receiver)) or (
        can_be_hashed(function) and (function in _OF_LIBRARY
                                     or (function in ACTING and function not in _SAYING)))


def is_for_effect(call: gast.Call, function: Any, typer: Typer) -> bool:
    """Whether `n = call` may change a container, and no pass knows how: `n = d.setdefault(key, v)`
    of a dict whose keys are not known. What is done to arrays is known, and functions are read."""
    if isinstance(function, type) or (can_be_hashed(function) and function in _OF_LIBRARY) \
            or (writers.changes_its_first(function) and typer.callee(call)[1] is None):
        return True
    return getattr(call.func, "attr", None) in writers.CHANGING \
        and not hasattr(function, "__code__") and not isinstance(
            typer.kind(call.func.value), (kinds.Array, kinds.Number, kinds.Text, kinds.Known))


def keeps_what_it_is_given(kind: type) -> bool:
    """Whether a class is the user's and makes its objects by itself: they may change later what
    they were given."""
    return not issubclass(kind, BaseException) and not registry.is_library(kind) and any(
        isinstance(method := getattr(kind, name, None), types.FunctionType)
        and method.__code__.co_filename != MADE
        for name in ("__init__", "__new__", "__post_init__"))


_CONTAINERS = (kinds.ListKind, kinds.TupleKind, kinds.DictKind, kinds.MapKind, kinds.RecordKind)
_COMPUTING = (gast.BinOp, gast.UnaryOp, gast.Compare)       # of numbers, arrays or containers


def what_may_vary(tree: gast.FunctionDef, facts: Inferred) -> set[str]:
    """The variables that what varies may reach, whatever the calls in the function do: a statement
    brings it to all that it binds, and to the containers that it mentions."""
    found = {name for name in syntax.parameter_names(tree.args)
             if kinds.can_vary(facts.names.get(name, kinds.UNKNOWN))}
    bound = set(facts.names)
    steps: list[tuple[set[str], set[str]]] = []
    for statement in syntax.statements(tree.body):
        mentioned = facts.mentions[statement]
        read = mentioned.reads & bound
        binds = set(syntax.bound_names(statement.target)) if isinstance(statement, gast.For) \
            else set(mentioned.binds)
        keeps = _CONTAINERS if isinstance(getattr(statement, "value", None), _COMPUTING) else None
        steps.append((read | binds, binds | {n for n in read if not isinstance(
            facts.names.get(n), (kinds.Number, kinds.Text)) and (
                keeps is None or isinstance(facts.names.get(n), keeps))}))
    count = -1
    while count < len(found):
        count = len(found)
        for names, reached in steps:
            if not found.isdisjoint(names):
                found |= reached
    return found


# Functions of the user -------------------------------------------------------------------------
_MANAGED = contextlib.contextmanager(lambda: iter(())).__code__
MADE = "<string>"          # the file of what dataclass and namedtuple write


class _Kept(threading.local):
    """Answers that are kept while a derivative is written, during which nothing of the user's runs:
    also of functions of which an answer may be another the next time."""
    answers: dict[tuple[Any, ...], bool] | None = None
    rests: dict[Any, Global] = {}       # what these rest on


_kept = _Kept()
_known: dict[Key, tuple[bool, dict[Any, Global]]] = {}


@contextlib.contextmanager
def keeping() -> Iterator[Callable[[], list[tuple[Any, str, Any]]]]:
    """Ask of each function once, within this; gives what tells on what the answers rest: (table,
    name, what it means)."""
    before, rests = _kept.answers, _kept.rests
    if before is None:
        _kept.answers, _kept.rests = {}, {}
    found = _kept.rests
    try:
        yield lambda: lookups(found.values())
    finally:
        _kept.answers, _kept.rests = before, rests


def rest_on_names(kind: type, names: frozenset[str]) -> None:
    """Note that it matters that a class has none but those it has of some methods."""
    if _kept.answers is not None:
        _kept.rests |= lacking(kind, names)


def leaves_all(function: Any, owner: type | None = None, makes: bool = False,
               handed: frozenset[str] = frozenset()) -> bool:
    """Whether a function changes only what it made itself, as far as its text tells at once; owner:
    of whose objects it is a method; makes: whether it is the `__init__` of one that is made;
    handed: parameters that are functions which change nothing."""
    while hasattr(function, "__wrapped__") and is_of_library(function):
        function = function.__wrapped__             # under functools.cache, contextlib's managers
    if not isinstance(function, types.FunctionType):
        return False
    code = function.__code__
    if code.co_filename == MADE:
        return True
    key = code, owner, id(function.__globals__), makes, handed
    if key in asked.answers:
        return asked.answers[key]
    if not asked.answers and _kept.answers is not None:
        again = function, owner, makes, handed
        if again not in _kept.answers:
            _kept.answers[again] = _asked_anew(function, owner, makes, handed, key)
        return _kept.answers[again]
    return _asked_anew(function, owner, makes, handed, key)


def _asked_anew(function: types.FunctionType, owner: type | None, makes: bool,
                handed: frozenset[str], key: Key) -> bool:
    if key in _known and all(one.still_holds() for one in _known[key][1].values()):
        if asked.answers:                       # the answer that is being found rests on this one
            asked.read |= _known[key][1]
        elif _kept.answers is not None and _known[key][0]:
            _kept.rests |= _known[key][1]
        return _known[key][0]
    is_first = not asked.answers
    asked.answers[key] = True                   # of one that calls itself: what the rest of it says
    try:
        answer = asked.answers[key] = _leaves_all(function, owner, makes, handed)
        if is_first and asked.lasts:           # a yes on the way may rest on this one's
            _known.update((one, (found, asked.read)) for one, found in asked.answers.items()
                          if answer or not found)
        if is_first and answer and _kept.answers is not None:
            _kept.rests |= asked.read
    finally:
        if is_first:
            vars(asked).clear()
            asked.__init__()                   # type: ignore[misc]
    return answer


def _leaves_all(function: types.FunctionType, owner: type | None, makes: bool,
                handed: frozenset[str]) -> bool:
    try:
        tree = source_of(function).tree
    except TangentError:
        return False
    if owner is not None:
        note_method(function, owner)
    bound = bound_anywhere(tree)
    # What goes through an object changes nothing between its items, and none that it gave out.
    is_lazy = owner is not None and tree.name == "__iter__" \
        and function.__code__.co_flags & inspect.CO_GENERATOR != 0
    here = MadeHere(tree, function, bound)
    if is_lazy:
        here.names = set()
    own = here.names
    handed = called_by_name(tree, handed)
    made = syntax.parameter_names(tree.args)[:1] if makes else []
    known, outside = _objects_outside(tree, function)
    if owner is not None:
        known |= _classes_of(tree, function, owner)
    if not all(map(_may_be_looked_at, outside)):
        return False
    for name, kind in known.items():
        if not only_asked_for_attributes(tree, name) and not all(
                leaves_all(method, kind) for method in _called_unseen(kind)):
            return False
    for node in syntax.walk(tree):
        if isinstance(node, gast.Attribute) and getattr(node.value, "id", None) in known:
            kind = known[node.value.id]
            found = held_by_class(kind, node.attr)
            getter = getattr(found, "fget", getattr(found, "func", None))
            if getter is not None and not (isinstance(getter, types.FunctionType)
                                           and leaves_all(getter, kind)):
                return False
        if isinstance(node, (gast.Global, gast.Nonlocal, gast.Await, gast.Delete)) \
                or (isinstance(node, (gast.Yield, gast.YieldFrom)) and not is_lazy):
            return False
        if isinstance(node, gast.AugAssign) and not here.changes_own(node):
            return False
        if isinstance(node, gast.Attribute) and not isinstance(node.ctx, gast.Load) \
                and not _binds_in(node, made, owner):
            return False
        if isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load) \
                and getattr(node.value, "id", None) not in own:
            return False
        if isinstance(node, gast.withitem) and not _is_entered_quietly(
                node.context_expr, function, bound):
            return False
        if isinstance(node, gast.Call):
            methods = _methods_of(node.func, known, owner)
            is_start = makes and isinstance(node.func, gast.Attribute) \
                and node.func.attr == "__init__" and isinstance(node.func.value, gast.Call)
            if not (all(leaves_all(method, kind, is_start) for method, kind in methods) if methods
                    else _is_harmless(node, function, own, handed, bound)):
                return False
            called = NO_OBJECT if methods else meant(node.func, function, bound)
            for one in called_back(node, called):
                methods = _methods_of(one, known, owner)
                if not (all(leaves_all(method, kind) for method, kind in methods) if methods
                        else _is_harmless_function(one, function, own, handed, bound)):
                    return False
    return True


def _binds_in(node: gast.Attribute, made: list[str], owner: type | None) -> bool:
    """Whether `self.x = v` does no more than to bind an attribute, of an object that is made."""
    if getattr(node.value, "id", None) not in made:
        return False
    found = held_by_class(owner, node.attr) if owner is not None else None
    return not isinstance(getattr(type(found), "__set__", None), types.FunctionType) \
        and not isinstance(found, property)


def _is_entered_quietly(manager: gast.expr, function: types.FunctionType,
                        bound: frozenset[str]) -> bool:
    """Whether a context manager is one of a library, made where it is entered: `np.errstate()`."""
    called = meant(manager.func, function, bound) if isinstance(manager, gast.Call) else NO_OBJECT
    return called is not NO_OBJECT and registry.is_library(called)


def _only_makes(kind: type, call: gast.Call) -> bool:
    """Whether a class of the user makes an object and changes nothing else: by its `__init__`."""
    own = [one for one in kind.__mro__ if not is_of_library(one)]
    return type(kind) in (type, abc.ABCMeta) and not issubclass(kind, _BUILT_IN) and not any(
        isinstance(vars(one).get(name), (types.FunctionType, staticmethod)) for one in own
        for name in ("__new__", "__setattr__", "__post_init__")) and all(
            part.arg is not None for part in call.keywords) and (
                kind.__init__ is object.__init__
                or leaves_all(kind.__init__, kind, True))


def _methods_of(called: gast.expr, known: dict[str, type],
                owner: type | None) -> list[tuple[types.FunctionType, type]]:
    """The methods, written in Python, that a call may mean: of self, or of super()."""
    if not isinstance(called, gast.Attribute):
        return []
    kind = known.get(getattr(called.value, "id", ""))
    found = [] if kind is None else [held_by_class(kind, called.attr)]
    if owner is not None and isinstance(called.value, gast.Call) \
            and getattr(called.value.func, "id", None) == "super":
        kind, found = owner, [vars(one).get(called.attr) for one in owner.__mro__]
    return [(method, kind) for method in found
            if kind is not None and isinstance(method, types.FunctionType)]


def _objects_outside(tree: gast.FunctionDef, function: types.FunctionType) \
        -> tuple[dict[str, type], list[type]]:
    """The classes of the user's objects that a function reads by names that it does not bind, and
    those of what these and containers hold, as far as the function may come to it."""
    read = {n.id for n in syntax.names_in(tree) if isinstance(n.ctx, gast.Load)}
    attributes = {n.attr for n in syntax.all_of(tree, gast.Attribute)}
    found = {name: value for name, value in _defaults(function).items() if name in read}
    local = {*function.__code__.co_varnames, *function.__code__.co_cellvars}
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    for name in sorted(read - local):
        try:
            found[name] = cells[name].cell_contents if name in cells \
                else global_meaning(function, name)
        except ValueError:                      # not bound yet
            continue
    if set(cells) - {"__class__"} or _defaults(function):
        asked.lasts = False                    # another function of this text has others
    inside: dict[int, Any] = {}
    todo = [*found.values()]
    while todo:
        parts = [part for part in _parts(todo.pop(), attributes) if id(part) not in inside]
        inside |= {id(part): part for part in parts}
        todo += parts
    return {name: type(value) for name, value in found.items() if _is_of_user(value)}, \
        [type(part) for part in inside.values() if _is_of_user(part)]


def _parts(value: Any, attributes: set[str]) -> list[Any]:
    """What a container holds, and what an object has as some attributes, as far as it may hold
    objects of the user; that may be others the next time."""
    if _is_of_user(value):
        parts = [part for name, part in getattr(value, "__dict__", {}).items()
                 if name in attributes]
    elif isinstance(value, dict):
        parts = [*value.keys(), *value.values()]
    else:
        parts = [*value] if isinstance(value, _HOLDING) else []
    if parts or isinstance(value, (dict, *_HOLDING)):
        asked.lasts = False
    if {*map(type, parts)} <= _PLAIN:           # a long list of numbers
        return []
    return [part for part in parts if _is_of_user(part) or isinstance(part, (dict, *_HOLDING))]


_HOLDING = (list, tuple, set, frozenset, collections.deque)
_PLAIN = {int, float, complex, str, bool, type(None), np.float64, np.ndarray}


def _is_of_user(value: Any) -> bool:
    """Whether something is an object of a class that the user has written."""
    return not isinstance(value, (type, types.FunctionType, types.ModuleType, *_BUILT_IN)) \
        and type(value).__flags__ & _HEAP_TYPE != 0 and not registry.is_library(type(value)) \
        and package_of(type(value)) != "tangent_lite"


def _may_be_looked_at(kind: type) -> bool:
    """Whether nothing changes by what Python calls unseen where such an object is looked at, or by
    methods that are called as those of containers and arrays are."""
    found = [(name, value) for one in kind.__mro__ if not registry.is_library(one)
             for name, value in vars(one).items()]
    getters = [getattr(value, "fget", getattr(value, "func", None)) for _, value in found]
    named = [value for name, value in found if name in CALLED_BY_NAME]
    return all(leaves_all(method, kind) for method in [*_called_unseen(kind), *getters, *named]
               if isinstance(method, types.FunctionType))


def _defaults(function: types.FunctionType) -> dict[str, Any]:
    code, values = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[:code.co_argcount]
    return {**dict(zip(names[len(names) - len(values):], values)),
            **(function.__kwdefaults__ or {})}


def _classes_of(tree: gast.FunctionDef, function: types.FunctionType,
                owner: type) -> dict[str, type]:
    """The classes of the parameters of a method: that of self is known, and others are asked for
    theirs."""
    names = syntax.parameter_names(tree.args)
    found = dict.fromkeys(names[:1], owner)
    for call in syntax.all_of(tree, gast.Call):
        if getattr(call.func, "id", None) == "isinstance" and len(call.args) == 2:
            kind = meant(call.args[1], function)
            name = getattr(call.args[0], "id", "")
            if isinstance(kind, type) and name in names[1:]:
                found[name] = kind
    return found


def _called_unseen(kind: type) -> list[types.FunctionType]:
    """The special methods of a class, written in Python, that no call in a text shows."""
    asked.read |= lacking(kind, UNSEEN)
    found = [inspect.getattr_static(kind, name, None) for name in UNSEEN]
    return [method for method in found if isinstance(method, types.FunctionType)
            and not registry.is_library(method)]


def _is_harmless(call: gast.Call, function: types.FunctionType, own: set[str],
                 handed: frozenset[str], bound: frozenset[str]) -> bool:
    if (isinstance(call.func, gast.Attribute) and getattr(call.func.value, "id", None) in own) \
            or getattr(call.func, "id", None) in handed:
        return True
    called = meant(call.func, function, bound)
    if handed and isinstance(called, types.FunctionType) and registry.lookup(called) is None \
            and not registry.is_library(called):
        return leaves_all(called, handed=handed_on_by(call, called, handed))
    if isinstance(called, type):
        return package_of(called) in ("builtins", "numpy") or (_may_be_looked_at(called) and (
            is_named_tuple(called) or _only_makes(called, call)
            or fields_of_class(called, len(call.args), [k.arg for k in call.keywords]) is not None))
    return not call_may_change(call, called, None)


def _is_harmless_function(node: gast.expr, function: types.FunctionType, own: set[str],
                          handed: frozenset[str], bound: frozenset[str]) -> bool:
    """Whether what a function of a library calls changes nothing, or no more than what is own."""
    if isinstance(node, (gast.Constant, gast.Lambda)):          # what a lambda does stands here
        return True
    if isinstance(node, gast.Call):                             # `itemgetter(1)`, `partial(f, 2.0)`
        made = meant(node.func, function, bound)
        return can_be_hashed(made) and made in _MAKING_FUNCTIONS
    if isinstance(node, gast.Name) and node.id in own:          # it cannot be called
        return True
    return _is_harmless(gast.Call(node, [], []), function, own, handed, bound)
