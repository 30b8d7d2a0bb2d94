"""Which functions call their first argument with `args` behind what they give it themselves, and
whether that may change what is handed to it so.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.analyses import writers
from tangent_lite.calling.resolve import meant
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import module_of

CALLERS = {"scipy.integrate": {"odeint", "quad", "solve_ivp"},
           "scipy.optimize": {"bisect", "brenth", "brentq", "fixed_point", "fsolve", "newton",
                              "ridder", "root", "toms748"}}
# Other functions that are given args as well; they would need what the first one gets.
OTHERS = {"Dfun", "events", "fprime", "fprime2", "jac"}


def calls_its_first(function: Any) -> bool:
    """Whether a function is one of these."""
    home = next((names for module, names in CALLERS.items()
                 if module_of(function).startswith(module)), ())
    return getattr(function, "__name__", "") in home


def given_by_itself(function: Any) -> int:
    """How many arguments such a function gives to its first one by itself: a state and a time, or
    where a function is asked."""
    return 2 if function.__name__ in ("odeint", "solve_ivp") else 1


# What gives something new, or a number, whatever it is given.
_FRESH = {float, int, complex, abs, len, range, sum, max, min, np.array, np.dot, np.matmul, np.sum,
          np.mean, np.prod, np.zeros_like, np.ones_like, np.empty_like, np.concatenate, np.stack,
          np.outer, np.cross, np.linalg.norm, np.linalg.solve, np.linalg.inv}


def may_change(tree: gast.FunctionDef, names: Iterable[str], meaning: Callable[[str], Any]) -> bool:
    """Whether a function may change an array that one of these names means: writes into it, or into
    what may be a view of it, or hands it to what might.

    meaning: what a name means that the function does not bind, NO_OBJECT where that is not known.

    >>> tree = gast.parse("def f(y, t):\\n    row = a[1]\\n    row[0] = y\\n    return row").body[0]
    >>> may_change(tree, ["a"], lambda name: NO_OBJECT)
    True
    """
    own = {n.id for n in syntax.names_in(tree) if not isinstance(n.ctx, gast.Load)}
    handed = _HandedOn(set(names), lambda name: NO_OBJECT if name in own else meaning(name))
    while True:
        known = len(handed.names)
        for node in syntax.walk(tree):
            for target, value in _bound_in(node):
                if handed.may_be(value):
                    handed.names.update(syntax.bound_names(target))
        if len(handed.names) == known:
            break
    return any(_writes(node, handed) for node in syntax.walk(tree))


class _HandedOn:
    """names: those that may mean memory of what it began with."""

    def __init__(self, names: set[str], meaning: Callable[[str], Any]) -> None:
        self.names, self.meaning = names, meaning

    def called(self, node: gast.Call) -> Any:
        """The function that a call calls, NO_OBJECT where that is not known."""
        found = meant(node.func, self.meaning)
        return NO_OBJECT if found is None else found

    def may_be(self, node: gast.expr) -> bool:
        """Whether a value may be such memory, or hold some."""
        if isinstance(node, gast.BinOp):
            return any(isinstance(part, (gast.List, gast.Tuple)) and self.may_be(part)
                       for part in (node.left, node.right))
        if isinstance(node, (gast.UnaryOp, gast.Compare)):
            return False
        if isinstance(node, gast.Call):
            function = self.called(node)
            if isinstance(function, np.ufunc) or module_of(function) == "math" \
                    or writers.is_in(function, _FRESH):
                return any(self.may_be(k.value) for k in node.keywords)
        return any(isinstance(n, gast.Name) and n.id in self.names for n in syntax.walk(node))


def _bound_in(node: gast.AST) -> list[tuple[gast.expr, gast.expr]]:
    """What a statement or an expression binds, to what."""
    if isinstance(node, gast.Assign):
        return [(target, node.value) for target in node.targets]
    if isinstance(node, (gast.NamedExpr, gast.AnnAssign)):
        return [(node.target, node.value)] if node.value is not None else []
    if isinstance(node, (gast.For, gast.comprehension)):
        return [(node.target, node.iter)]
    if isinstance(node, gast.withitem):
        return [(node.optional_vars, node.context_expr)] if node.optional_vars is not None else []
    return []


def _writes(node: gast.AST, handed: _HandedOn) -> bool:
    if isinstance(node, (gast.Subscript, gast.Attribute)):
        return not isinstance(node.ctx, gast.Load) and handed.may_be(node.value)
    if isinstance(node, gast.AugAssign):
        return handed.may_be(node.target)
    if not isinstance(node, gast.Call):
        return False
    function = handed.called(node)
    given = [*node.args, *(k.value for k in node.keywords)]
    if function is NO_OBJECT:
        owner = node.func.value if isinstance(node.func, gast.Attribute) else None
        return any(map(handed.may_be, given)) or (
            handed.may_be(node.func) if owner is None
            else handed.may_be(owner) and node.func.attr in writers.CHANGING)
    if not any(map(handed.may_be, given)):
        return False
    return not (writers.is_numerical(function) or writers.is_in(function, _FRESH)
                or module_of(function) in ("math", "builtins")) \
        or any(map(handed.may_be, writers.written(node, function, None)))
