"""Which calls may be run a second time in the backward pass: those that compute and do no more.

A call whose callee is not known, one that draws random numbers, prints or reads, and a method of
an object that Python does not show us may not. Functions of the user are looked into.
"""
from __future__ import annotations

import builtins
import inspect
import random
import types
from collections.abc import Iterable
from typing import Any

import gast
import numpy as np

from tangent_lite import registry, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.inference import NO_OBJECT
from tangent_lite.markers import marker_of
from tangent_lite.modules import mark_of, module_of, package_of
from tangent_lite.runtime import grad_hook
from tangent_lite.runtime.custom import hooked
from tangent_lite.runtime.objects import blank, replaced
from tangent_lite.structures.updates import fields_of_class

# Builtins that do more than compute; `next` and `iter` because they move what they are given.
ACTING = {getattr(builtins, name) for name in (
    "print", "input", "open", "next", "iter", "exec", "eval", "compile", "setattr", "delattr",
    "breakpoint", "__import__", "exit", "quit") if hasattr(builtins, name)}
COMPUTING = {"builtins", "math", "cmath", "operator", "_operator", "numpy", "scipy", "functools",
             "_functools", "dataclasses"}
READING = {"get", "keys", "values", "items", "index", "count", "copy", "format", "join", "split",
           "startswith", "endswith", "sum", "mean", "max", "min", "dot", "item"}
# What keeps a state that each of its methods may change; methods in Cython are no builtins.
DRAWING = (np.random.Generator, np.random.RandomState, np.random.SeedSequence,
           np.random.BitGenerator, random.Random)
OWN_VALUES = (list, dict, tuple, set, frozenset, str, int, float, complex, bool, np.ndarray,
              np.generic)


def computes(function: Any) -> bool | None:
    """Whether a function only computes; None for a function of the user, to be looked into."""
    if function is NO_OBJECT:
        return False
    if function in (blank, replaced):
        return True
    entry = registry.lookup(function)
    if entry is not None:
        return entry.pure and function is not print
    if isinstance(function, type):
        return package_of(function) in COMPUTING \
            or issubclass(function, BaseException) or fields_of_class(function, 0, []) is not None \
            or hasattr(function, "_fields") or hasattr(function, "__dataclass_fields__")
    if mark_of(function, "makes_derivative") or hasattr(function, "rests_on"):
        return True
    module = module_of(function)
    if isinstance(function, types.FunctionType):
        if module.split(".")[0] in COMPUTING:
            return "random" not in module
        return None
    owner = getattr(function, "__objclass__", None)
    if owner is not None:                                   # list.append, str.join
        return issubclass(owner, OWN_VALUES)
    receiver = getattr(function, "__self__", None)
    if isinstance(function, types.BuiltinFunctionType) and receiver is not None \
            and not inspect.ismodule(receiver):
        # A draw from a generator changes it, and so does list.append of a list from outside.
        return isinstance(receiver, OWN_VALUES) and function.__name__ in READING
    if isinstance(receiver, DRAWING) or getattr(function, "__name__", "") == "rvs":
        return False
    if not can_be_hashed(function) or function in ACTING:
        return False
    return module.split(".")[0] in COMPUTING or isinstance(function, np.ufunc)


def calls_of(block: list[gast.stmt], facts: Inferred) -> Iterable[tuple[gast.Call, Any]]:
    """The calls in a block in A-normal form, and what they call; facts: what is known of it."""
    callees = facts.callees
    for node in syntax.statements(block):
        calls = facts.mentions[node].calls
        if not calls or marker_of(node) is not None:
            continue
        for part in calls:
            if getattr(part, "marker", None) is None \
                    and not isinstance(part.func, gast.Constant):
                yield part, callees.get(id(part), (NO_OBJECT, None))[0]


class Purity:
    """What is known of the functions of the user that a derivative calls."""

    def __init__(self) -> None:
        self.acting: dict[Any, Any] = {}            # function -> place of a call that acts, or None
        self.calls: dict[Any, set[Any]] = {}        # function -> functions that it calls

    def note(self, function: Any, prepared: Any) -> None:
        """Note what a function calls, once the facts about it are known."""
        self.calls.setdefault(function, set())
        for call, called in calls_of(prepared.tree.body, prepared.facts):
            found = computes(called)
            if found is None:
                self.calls[function].add(called)
            elif not found:
                self.acting.setdefault(function, prepared.source.place(call))

    def mark(self, tree: gast.FunctionDef, facts: Inferred) -> None:
        """Mark the calls that may do more than compute: they stay where they stand."""
        for call, called in calls_of(tree.body, facts):
            found = computes(called)
            if not (self.place_of_act(called) is None if found is None else found):
                call.acts = True

    def place_of_act(self, function: Any) -> Any:
        """Where a function does more than compute, itself or through what it calls; None if it
        does not, False if that is not known."""
        seen, todo = {function}, [function]
        while todo:
            one = todo.pop()
            if one in self.acting:
                return self.acting[one]
            if one not in self.calls:
                return False
            new = [c for c in self.calls[one] if c not in seen]
            seen.update(new)
            todo += new
        return None


def can_be_hashed(thing: Any) -> bool:
    """Whether a thing has a hash, so that it may be looked for in sets and dicts."""
    try:
        hash(thing)
    except TypeError:
        return False
    return True


def in_hook(node: gast.Call, facts: Inferred) -> list[gast.AST]:
    """What stands in the hook of a grad_hook: it is the user's, and not called where it stands."""
    function, _ = facts.callees.get(id(node), (NO_OBJECT, None))
    if function not in (grad_hook, hooked):
        return []
    return [n for part in (*node.args[1:], *(k.value for k in node.keywords))
            for n in syntax.walk(part)]
