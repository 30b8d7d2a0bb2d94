"""Which names of an emitted body may hold the same memory, whatever way led there.

>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import Array
>>> tree = gast.parse('''
... bx = bz * y
... part = bx[1:]
... by = part.copy()
... ''')
>>> vector = Array(1, "float")
>>> known = dict.fromkeys(["bz", "y", "bx", "part", "by"], vector)
>>> found = SameMemory(tree.body, ["bz", "y"], Typer({}, {}.get), known)
>>> found.apart("bx", "y"), found.apart("bx", "part"), found.apart("by", "bx")
(True, False, True)

Operations make new arrays, and so do copies; all else may be, or hold, what it is made of. What
comes from outside (parameters, globals, what functions of the user return) may be one thing.
Numbers are nobody's memory. What is left out of a body later on, or put into its place, takes
nothing from this.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import gast
import numpy as np

from tangent_lite import runtime, syntax
from tangent_lite.analyses.known_kinds import Scopes
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array, Kind, ListKind, Number
from tangent_lite.modules import package_of
from tangent_lite.runtime import shapes as runtime_shapes
from tangent_lite.syntax import COMPREHENSIONS

OUTSIDE = ""                # stands for all that the body does not make
_OPERATIONS = (gast.BinOp, gast.UnaryOp)
# Functions that always make a new array, or a number, as operations on elements do.
_MAKERS = (np.sum, np.prod, np.mean, np.max, np.min, np.zeros_like, np.ones_like, np.full_like,
           np.empty_like, np.zeros, np.ones, np.full, np.empty, np.outer, np.cross, np.var, np.std,
           np.eye, np.arange, np.linspace, np.cumsum, np.cumprod, np.concatenate, np.stack, np.roll,
           np.repeat, np.sort, np.linalg.solve, np.linalg.inv, np.linalg.cholesky, np.linalg.det,
           runtime_shapes.undiagonal, runtime_shapes.trace_adjoint)
_PURE = (*_MAKERS, np.tril, np.triu, np.diag, np.transpose, np.reshape, np.dot, np.where, np.array,
         runtime.unbroadcast, runtime.unreduce, len, float, int, abs)


class SameMemory:
    """Found when it is first asked for; typer, known: kinds of expressions and of names."""

    def __init__(self, body: list[gast.stmt], parameters: Iterable[str], typer: Typer,
                 known: Mapping[str, Kind]) -> None:
        self.body, self.parameters = body, parameters
        self.typer, self.known = typer, known
        self.over: dict[str, str] | None = None     # name -> another one of its class

    def apart(self, one: str, other: str) -> bool:
        """Whether what two names hold surely shares no memory."""
        if self.is_number(one) or self.is_number(other):
            return True
        return one != other and self.root(one) != self.root(other)

    def is_held_by(self, *names: str) -> bool:
        """Whether nothing but some names may hold what the last of them holds.

        >>> from tangent_lite.inference import Typer
        >>> body = gast.parse('bx = x * y; bz = bx; part = bz[1:]').body
        >>> found = SameMemory(body, "xy", Typer({}, {}.get), dict.fromkeys(
        ...     ["x", "y", "bx", "bz", "part"], Array(1, "float")))
        >>> found.is_held_by("bx", "bz"), found.is_held_by("part", "bx", "bz")
        (False, True)
        """
        root = self.root(names[-1])
        return root != OUTSIDE and all(
            one in names or self.is_number(one) or self.root(one) != root
            for one in self.over or ())

    def forget(self) -> None:
        """What was found does not hold any more: a name means what another one does."""
        self.over = None

    def has_arrays(self) -> bool:
        """Whether any name may mean an array."""
        tables = getattr(self.known, "maps", [self.known])
        return any(isinstance(kind, Array) for table in tables for kind in table.values())

    def has_only_numbers(self) -> bool:
        """Whether every name means a number: then nothing is copied, zero in parts, or shared."""
        tables = getattr(self.known, "maps", [self.known])
        return all(isinstance(kind, Number) for table in tables for kind in table.values())

    def is_number(self, name: str) -> bool:
        return isinstance(self.known.get(name), Number)

    def is_array(self, name: str) -> bool:
        return isinstance(self.known.get(name), Array)

    def kind(self, node: gast.expr) -> Kind:
        self.typer.names = Scopes({}, self.known)         # type: ignore[arg-type]
        return self.typer.kind(node)

    def is_fresh(self, value: gast.expr) -> bool:
        """Whether an expression surely makes an array that nobody holds, or a number."""
        kind = self.kind(value)
        if isinstance(kind, Number):
            return True
        if not isinstance(kind, Array):
            return False
        if isinstance(value, gast.Call):
            called = value.func
            if isinstance(called, gast.Attribute) and called.attr == "copy" and not value.args:
                return isinstance(self.kind(called.value), Array)
            return makes_array(self.object_of(called), value) or self.is_spread(value)
        return isinstance(value, _OPERATIONS)

    def is_spread(self, call: gast.Call) -> bool:
        """Whether a call makes a matrix of what is to stand on its diagonal: `undiag(dy, x)` of a
        matrix x. Of a vector x it is a part of dy."""
        if len(call.args) < 2 or call.keywords \
                or self.object_of(call.func) is not runtime_shapes.undiag:
            return False
        kind = self.kind(call.args[1])
        return isinstance(kind, Array) and kind.ndim == 2

    def object_of(self, node: gast.expr) -> Any:
        self.typer.names = Scopes({}, self.known)         # type: ignore[arg-type]
        return self.typer.object_of(node)

    def index_class(self, index: gast.expr) -> str:
        self.typer.names = Scopes({}, self.known)         # type: ignore[arg-type]
        found: str = self.typer.index_class(index)
        return found

    def changed(self, node: gast.stmt) -> set[str]:
        """Names of what a simple statement may write into (no names that it binds)."""
        found: set[str] = set()
        targets = node.targets if isinstance(node, gast.Assign) else \
            [node.target] if isinstance(node, gast.AugAssign) else []
        for target in targets:
            if isinstance(target, gast.Name):
                if isinstance(node, gast.AugAssign) and not self.is_number(target.id):
                    found.add(target.id)
            elif isinstance(target, (gast.Subscript, gast.Attribute)):
                found.update(syntax.written_roots(target))
        for call in syntax.all_of(node, gast.Call):
            if not self.is_pure(call):
                found.update(self.names(call))
        return found

    def is_pure(self, call: gast.Call) -> bool:
        """Whether a call surely writes into nothing."""
        called = call.func
        if isinstance(called, gast.Attribute) and called.attr == "copy" and not call.args:
            return True
        function = self.object_of(called)
        return makes_array(function, call) or self.is_spread(call) or (
            any(function is one for one in _PURE)
            and {k.arg for k in call.keywords} <= {"axis", "keepdims"} and len(call.args) <= 3)

    # Classes of names -------------------------------------------------------------------------
    def root(self, name: str) -> str:
        """The name that stands for the class of a name."""
        if self.over is None:
            self.over = {}
            self.find()
        if name not in self.over:
            return OUTSIDE
        while self.over[name] != name:
            self.over[name] = self.over[self.over[name]]
            name = self.over[name]
        return name

    def join(self, names: Iterable[str]) -> None:
        assert self.over is not None
        roots = {self.root(name) for name in names if not self.is_number(name)}
        if len(roots) > 1:
            first = OUTSIDE if OUTSIDE in roots else min(roots)
            for one in roots:
                self.over[one] = first

    def find(self) -> None:
        assert self.over is not None
        self.over[OUTSIDE] = OUTSIDE
        for node in self.body:
            for name in syntax.names_in(node):
                if not isinstance(name.ctx, gast.Load):
                    self.over[name.id] = name.id
        self.join([OUTSIDE, *(p for p in self.parameters if p in self.over)])
        for node in syntax.statements(self.body):
            if isinstance(node, gast.Assign):
                for target in node.targets:
                    self.bind(target, node.value)
            elif isinstance(node, gast.AugAssign):
                if not isinstance(node.target, gast.Name) or not (
                        self.is_array(node.target.id) or self.is_number(node.target.id)):
                    self.bind(node.target, node.value)
            elif isinstance(node, gast.For):
                self.join([*syntax.bound_names(node.target), *self.sources(node.iter)])
            elif isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
                held = self.names(node.value)           # a list may be handed what it keeps
                if not all(self.is_array(n) or self.is_number(n) for n in held):
                    self.join(held)
            elif not isinstance(node, (gast.If, gast.While, gast.Return, gast.Expr, gast.Pass,
                                       gast.Break, gast.Continue, gast.Delete, gast.Assert)):
                self.join([OUTSIDE, *syntax.all_names(node)])

    def bind(self, target: gast.expr, value: gast.expr) -> None:
        """Note that a target is given what a value is."""
        if isinstance(target, gast.Name):
            # An operation that gives an array makes a new one.
            is_new = isinstance(value, _OPERATIONS) and self.is_array(target.id)
            if not is_new and not self.is_number(target.id):
                self.join([target.id, *self.sources(value)])
            return
        root = syntax.root_name(target)
        if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) \
                and self.is_array(target.value.id):
            return                                      # numbers are copied into an array
        self.join([*([] if root is None else [root]), *syntax.all_names(target),
                   *self.sources(value)])

    def sources(self, value: gast.expr) -> list[str]:
        """Names of what the value of an expression may be, or may hold."""
        if isinstance(value, gast.Constant) or self.is_fresh(value) or _is_filled(value) \
                or (isinstance(value, gast.Call)
                    and self.object_of(value.func) is runtime.zeros_like):
            return []
        return self.names(value)

    def is_own_method(self, called: gast.expr) -> bool:
        """Whether a function is a method that gives what is in its owner, or made of it."""
        return isinstance(called, gast.Attribute) and (
            called.attr in ("pop", "append")
            or isinstance(self.kind(called.value), (Array, Number, ListKind)))

    def names(self, value: gast.expr) -> list[str]:
        """The names in an expression, and OUTSIDE if something in it may give anything."""
        found: list[str] = []
        functions: set[int] = set()
        for node in syntax.walk(value):
            if isinstance(node, gast.Call):
                function = self.object_of(node.func)
                if function is NO_OBJECT or not _is_known(function):
                    if not self.is_own_method(node.func):
                        found.append(OUTSIDE)
                else:
                    functions.update(id(n) for n in syntax.walk(node.func))
            elif isinstance(node, (gast.Lambda, *COMPREHENSIONS)):
                found.append(OUTSIDE)
            if isinstance(node, gast.Name) and id(node) not in functions:
                found.append(node.id)
        return found


def _is_filled(value: gast.expr) -> bool:
    """Whether an expression makes a list of numbers that stand there: `[0.0] * len(x)`."""
    return isinstance(value, gast.BinOp) and isinstance(value.op, gast.Mult) \
        and isinstance(value.left, gast.List) \
        and all(isinstance(item, gast.Constant) for item in value.left.elts)


def makes_array(function: Any, call: gast.Call) -> bool:
    """Whether a call of a function surely makes a new array, or a number; `np.exp(x, y)` writes
    into y."""
    if not {k.arg for k in call.keywords} <= {"axis", "keepdims"}:
        return False
    if isinstance(function, np.ufunc):
        return len(call.args) <= function.nin
    return any(function is one for one in _MAKERS) and len(call.args) <= 3


def _is_known(function: Any) -> bool:
    """Whether what a function returns is new, or made of its arguments."""
    return isinstance(function, np.ufunc) or package_of(function) in ("tangent_lite", "numpy")
