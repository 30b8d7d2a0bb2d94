"""From emitted functions to functions that Numba compiles: one text, and what its names mean.

The statements stay what they are. What changes:

* Numbers and arrays from around a function become parameters, since Numba reads a global once and
  for all, and names mean what they mean at the call.
* Calls of NumPy and math that Numba lacks, or does with another outcome, go to functions of
  `numba_functions`; functions of the user that are called become functions beside the derivative.
* Names that may be read before they are bound get flags (`numba_binding`).
"""
from __future__ import annotations

import builtins
import dataclasses
import enum
import linecache
import math
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.backends.numba_binding import guarded
from tangent_lite.backends.numba_containers import (
    DTYPES,
    PYTHON,
    can_be_field,
    packed,
    record_class,
)
from tangent_lite.backends.numba_factors import form_factors
from tangent_lite.backends.numba_functions import (
    JOINING,
    METHODS,
    REPLACED,
    TYPES,
    WITHOUT_EFFECT,
    limited,
    unbound,
)
from tangent_lite.backends.numba_fusing import fuse_loops
from tangent_lite.backends.numba_groups import Group, grouped
from tangent_lite.backends.numba_handing import hand_over
from tangent_lite.backends.numba_inlining import functions_that_recur, inline_single_calls
from tangent_lite.backends.numba_known import as_tuples, with_known_axes
from tangent_lite.backends.numba_lists import reserve, reserve_tapes
from tangent_lite.backends.numba_making import MAKERS, as_tuple, made_array, with_arrays
from tangent_lite.backends.numba_memory import apart
from tangent_lite.backends.numba_parts import as_value, in_parts
from tangent_lite.backends.numba_special import special
from tangent_lite.compile import settle_names, used_names
from tangent_lite.errors import Place, TangentError, UnsupportedSyntaxError
from tangent_lite.inference import NO_OBJECT
from tangent_lite.linemap import LineMap, lines_of_units, place_of
from tangent_lite.mentions import head
from tangent_lite.resolve import STABLE_PACKAGES, meaning
from tangent_lite.source import Source, source_of
from tangent_lite.units import Derivative, Unit

# Builtins that mean in compiled code what they mean in Python.
_BUILTINS = {"abs", "range", "float", "bool", "enumerate", "zip",
             "tuple", "ValueError", "RuntimeError", "ArithmeticError",
             "ZeroDivisionError", "AssertionError", "IndexError", "TypeError", "Exception",
             "UnboundLocalError", "OverflowError", "KeyError", "FloatingPointError",
             "NotImplementedError"}


@dataclass(eq=False)
class Piece:
    """A function of the compiled module; data: parameters for what it reads from outside."""
    name: str
    tree: gast.FunctionDef
    source: Source
    unit: Unit
    data: list[str] = field(default_factory=list)
    defaults: list[gast.expr] = field(default_factory=list)
    calls: list[Piece] = field(default_factory=list)

    def refuse(self, node: gast.AST, reason: str, fix: str = PYTHON) -> TangentError:
        return refused(reason, place_of(node, self.unit), fix)


def refused(reason: str, spot: tuple[str, int] | None, fix: str = PYTHON) -> TangentError:
    """The error that says why something is not compiled; spot: the file and line of the user."""
    reason = f'backend="numba": {reason}'
    text = linecache.getline(*spot).rstrip() if spot is not None else ""
    if spot is None or not text:
        where = f"{spot[0]}:{spot[1]}: " if spot is not None else ""
        return TangentError(where + reason, None, fix)
    place = Place(*spot, text, len(text) - len(text.lstrip()), len(text))
    return UnsupportedSyntaxError(reason, place, fix)


class Lowered:
    """The functions of a derivative as Numba is to compile them.

    pieces: callees first; names: what the free names of the text mean; data: for each parameter
    that was added, what looks its value up.
    by_elements: make loops of statements about arrays; groups: those that were (`numba_groups`).
    """

    def __init__(self, derivative: Derivative, by_elements: bool,
                 functions: dict[str, Any]) -> None:
        """functions: what parameters of the derivative mean that are functions."""
        settle_names(derivative.units)
        self.pieces: list[Piece] = []
        self.names: dict[str, Any] = {}
        self.data: dict[str, Callable[[], Any]] = {}
        self.by_thing: dict[int, Piece] = {}
        self._kept: list[Any] = []                  # so that no id is given twice
        self._data_keys: dict[Any, str] = {}
        # Names that are somebody's variables, or functions of the module.
        self.taken = {unit.name for unit in derivative.units}
        for unit in derivative.units:
            self.taken |= syntax.all_names(unit.tree) - set(used_names(unit))
        for unit in derivative.units:
            piece = Piece(unit.name, syntax.copy(unit.tree), unit.source, unit)
            self.by_thing[id(unit)] = piece
        halves = {id(u) for u in derivative.units} - {id(derivative.main)}
        self.main = self.by_thing[id(derivative.main)]
        _by_position(self.main)
        _seed_inside(self.main.tree)
        known = self._known_functions(functions)
        for unit in derivative.units:
            external = unit.external if unit is not derivative.main else {**unit.external, **known}
            self.lower(self.by_thing[id(unit)], external, id(unit) in halves)
        self.pass_data()
        self.limit()
        for piece in self.pieces:
            form_factors(piece.tree, syntax.all_names(piece.source.tree), self.meant)
        self.groups: list[Group] = []
        if by_elements:
            gone = inline_single_calls([piece.tree for piece in self.pieces], self.fresh)
            self.pieces = [piece for piece in self.pieces if piece.name not in gone]
            for tree in [piece.tree for piece in self.pieces]:
                fuse_loops(tree, self.meant, self.fresh)
                hand_over(tree)
                reserve_tapes(tree, lambda: self.name_of(reserve, "reserve"))
            deep = functions_that_recur([piece.tree for piece in self.pieces])
            for tree in [piece.tree for piece in self.pieces]:
                if tree.name not in deep:
                    self.groups += grouped(tree, self.meant, self.fresh)
        for piece in self.pieces:
            with_known_axes(piece.tree, self.meant, self.name_of)

    # One function -----------------------------------------------------------------------------
    def _known_functions(self, functions: dict[str, Any]) -> dict[str, Any]:
        """Names of their own for functions that the derivative is given; what these mean."""
        tree, renamed = self.main.tree, {}
        for name, thing in functions.items():
            node = next((n for n in syntax.walk(tree) if isinstance(n, gast.Name) and n.id == name
                         and isinstance(n.ctx, (gast.Store, gast.Del))), None)
            if node is not None:
                raise self.main.refuse(
                    node, f"{name} is a function, and is bound to something else")
            renamed[name] = self.fresh(name)
            self._kept.append(thing)
        for node in syntax.walk(tree):
            if isinstance(node, gast.Name) and node.id in renamed \
                    and isinstance(node.ctx, gast.Load):
                node.id = renamed[node.id]
        return {renamed[name]: thing for name, thing in functions.items()}

    def lower(self, piece: Piece, external: dict[str, Any], is_half: bool) -> None:
        tree = piece.tree
        tree.decorator_list, tree.returns = [], None
        _fence(piece)
        in_parts(tree, self.fresh)
        free = set(used_names(Unit(piece.name, tree, piece.source)))
        _Names(self, piece, external, free).visit(tree)
        name = self.name_of(unbound, "unbound")
        guarded(tree, is_half, name)
        self.pieces.append(piece)

    def name_of(self, thing: Any, wish: str) -> str:
        """A name of the module for a thing."""
        for name, known in self.names.items():
            if known is thing:
                return name
        name = self.fresh(wish)
        self.names[name] = thing
        return name

    def means_joining(self, function: gast.expr) -> bool:
        """Whether a function of the module takes a list of arrays."""
        try:
            if self.meant(function) in JOINING:
                return True
        except TypeError:                                   # what cannot be in a set
            pass
        return isinstance(function, gast.Name) and function.id in self.names \
            and getattr(self.names[function.id], "__name__", None) in _JOINING_HELPERS

    def meant(self, node: gast.expr) -> Any:
        """The function or module that an expression of the module means, or None."""
        if isinstance(node, gast.Name):
            found = self.names.get(node.id)
            return found if callable(found) or isinstance(found, types.ModuleType) else None
        if isinstance(node, gast.Attribute):
            owner = self.meant(node.value)
            return getattr(owner, node.attr, None) if isinstance(owner, types.ModuleType) else None
        return None

    def fresh(self, wish: str) -> str:
        name, number = wish, 0
        while name in self.taken or name in self.names or name in self.data:
            number += 1
            name = f"{wish}_{number}"
        self.taken.add(name)
        return name

    def data_of(self, piece: Piece, key: Any, wish: str, look_up: Callable[[], Any]) -> str:
        """The parameter for what is read from outside."""
        name = self._data_keys.get(key)
        if name is None:
            name = self._data_keys[key] = self.fresh(wish)
            self.data[name] = look_up
        if name not in piece.data:
            piece.data.append(name)
        return name

    def function(self, thing: types.FunctionType, piece: Piece) -> str:
        """A function of the user that the derivative calls as it is; its name in the module."""
        known = self.by_thing.get(id(thing))
        if known is None:
            source = source_of(thing)
            name = self.fresh(thing.__name__ if thing.__name__.isidentifier() else "function")
            tree = source.tree
            tree.name = name
            unit = Unit(name, tree, source)
            known = Piece(name, tree, source, unit)
            defaults = [*(thing.__defaults__ or ()), *(
                (thing.__kwdefaults__ or {}).get(p.id) for p in tree.args.kwonlyargs)]
            _by_position(known)
            known.defaults = [syntax.constant(value) for value in defaults]
            if not all(type(v) in (int, float, bool, str, type(None)) for v in defaults):
                raise known.refuse(tree, f"{thing.__name__} is called as it is, and a default of "
                                         "it is no number")
            self.taken |= syntax.all_names(tree) - set(used_names(unit))
            self.by_thing[id(thing)] = known
            self._kept.append(thing)
            for node in syntax.walk(tree):
                if isinstance(node, gast.Name):
                    node.annotation = None
            self.lower(known, {}, False)
        piece.calls.append(known)
        return known.name

    # Data that is passed on -------------------------------------------------------------------
    def pass_data(self) -> None:
        """Give each function the parameters that it and what it calls need."""
        changed = True
        while changed:
            changed = False
            for piece in self.pieces:
                for callee in piece.calls:
                    for name in callee.data:
                        if name not in piece.data:
                            piece.data.append(name)
                            changed = True
        by_name = {piece.name: piece for piece in self.pieces}
        for piece in self.pieces:
            called = set()
            for node in syntax.walk(piece.tree):
                if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) \
                        and node.func.id in by_name:
                    callee = by_name[node.func.id]
                    node.args = [syntax.load(n) for n in callee.data] + node.args
                    called.add(id(node.func))
            for statement in syntax.statements(piece.tree.body):
                for node in gast.walk(head(statement)):
                    if isinstance(node, gast.Name) and id(node) not in called \
                            and node.id in by_name and by_name[node.id].data:
                        raise piece.refuse(statement, f"the function {node.id} reads "
                                           f"{by_name[node.id].data[0]} from around it, and is "
                                           "handed on", "pass it to the function as an argument, "
                                           f"or {PYTHON}")
            arguments = piece.tree.args
            arguments.args = [gast.Name(n, gast.Param(), None, None) for n in piece.data] \
                + arguments.args

    def limit(self) -> None:
        """Look at the ints that the derivative is given, once: those made of them then need not be
        looked at (`numba_checks`)."""
        tree = self.main.tree
        name = self.name_of(limited, "limited")
        looks = [syntax.statement(syntax.call(syntax.load(name), syntax.load(p.id)))
                 for p in tree.args.args]
        at = 1 if isinstance(tree.body[0], gast.Expr) else 0
        tree.body[at:at] = looks

    def lines(self, first: int) -> LineMap:
        """Where the lines of the text come from; first: the line of the first `def`."""
        units = [Unit(p.name, p.tree, p.source) for p in self.pieces]
        return lines_of_units(units, first)


def _by_position(piece: Piece) -> None:
    """Parameters that are passed by name only, behind the others: Numba has no such."""
    arguments = piece.tree.args
    for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        arguments.args.append(parameter)
        # Python has looked whether all are there.
        arguments.defaults.append(default or gast.Constant(None, None))
    arguments.kwonlyargs, arguments.kw_defaults = [], []


def _seed_inside(tree: gast.FunctionDef) -> None:
    """`def f_grad(x, bf=1.0): ...` => `def f_grad(x): bf = 1.0; ...`: a constant."""
    seed = tree.args.args.pop()
    tree.args.defaults.pop()
    at = 1 if isinstance(tree.body[0], gast.Expr) else 0        # behind the docstring
    tree.body.insert(at, syntax.assign(seed.id, gast.Constant(1.0, None)))


def _fence(piece: Piece) -> None:
    """Refuse what Numba cannot compile, or would do differently."""
    arguments = piece.tree.args
    if arguments.vararg or arguments.kwarg:
        raise piece.refuse(piece.tree, "starred parameters are not compiled")
    for statement in syntax.statements(piece.tree.body):
        # The number may come from a rule: the statement says where it is used.
        if any(isinstance(getattr(node, "value", None), complex)
               for node in gast.walk(head(statement))):
            raise piece.refuse(statement, "a complex number is not compiled")
    for node in syntax.walk(piece.tree):
        words = _REFUSED.get(type(node).__name__)
        if words is not None and node is not piece.tree:
            raise piece.refuse(node, f"{words} is not compiled")


_REFUSED = {"Try": "try", "TryStar": "try", "With": "with", "Lambda": "a lambda",
            "FunctionDef": "a function inside a function", "ClassDef": "a class",
            "Yield": "yield", "YieldFrom": "yield", "Await": "await", "JoinedStr": "an f-string",
            "DictComp": "a dict", "Set": "a set", "SetComp": "a set",
            "Starred": "a starred argument", "GeneratorExp": "a generator",
            "Import": "an import", "ImportFrom": "an import", "Global": "global",
            "Nonlocal": "nonlocal", "Delete": "del", "NamedExpr": ":="}


_DTYPES = {"float": np.float64, "int": np.int64, "bool": np.bool_}
# Helpers whose second argument is an index.
_TAKING_INDEX = {"add_at", "np_add_at", "last_written"}
_JOINING_HELPERS = {"concatenated_part", "joined_part", "concatenated_parts", "np_concatenate"}


class _Names(gast.NodeTransformer):
    """Gives each free name of a function a meaning in the module."""

    def __init__(self, lowered: Lowered, piece: Piece, external: dict[str, Any],
                 free: set[str]) -> None:
        self.lowered, self.piece, self.external, self.free = lowered, piece, external, free
        self.statement: gast.AST = piece.tree   # what stands in it may come from a rule

    def visit(self, node: gast.AST) -> Any:
        if isinstance(node, gast.stmt):
            self.statement = node
        return super().visit(node)

    def refused(self, reason: str, fix: str = PYTHON) -> TangentError:
        return self.piece.refuse(self.statement, reason, fix)

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:
        node.body = [self.visit(statement) for statement in node.body]
        # Those of the derivative are filled in at the call.
        node.args.defaults = self.piece.defaults
        for parameter in node.args.args:
            parameter.annotation = None
        return node

    def visit_AnnAssign(self, node: gast.AnnAssign) -> Any:
        if node.value is None:
            return gast.Pass()
        made = syntax.copy_place(syntax.assign(node.target, node.value), node)
        return self.visit(made)

    def visit_AugAssign(self, node: gast.AugAssign) -> gast.AugAssign:
        """`u[1:] += v` => `u[1:] += apart(v, u)`, unless v is made on the spot."""
        root = syntax.root_name(node.target)
        node = self.generic_visit(node)
        if root is not None and not isinstance(node.value, (gast.BinOp, gast.UnaryOp,
                                                            gast.Constant)):
            name = self.lowered.name_of(apart, "apart")
            node.value = syntax.call(syntax.load(name), node.value, syntax.load(root))
        return node

    def thing(self, name: str) -> Any:
        if name in self.external:
            return self.external[name]
        return meaning(self.piece.source, name)

    def visit_Name(self, node: gast.Name) -> gast.expr:
        if not isinstance(node.ctx, gast.Load) or node.id not in self.free:
            return node
        if node.id in _DTYPES and self.thing(node.id) is getattr(builtins, node.id):
            # It is not called, so it is a dtype: np.zeros(3, int).
            thing = _DTYPES[node.id]
            return syntax.copy_place(
                syntax.load(self.lowered.name_of(thing, thing.__name__)), node)
        return self.means(node, self.thing(node.id), node.id, (node.id,))

    def visit_Attribute(self, node: gast.Attribute) -> gast.expr:
        path: list[str] = []
        inner: gast.expr = node
        while isinstance(inner, gast.Attribute):
            path.append(inner.attr)
            inner = inner.value
        if not isinstance(inner, gast.Name) or inner.id not in self.free \
                or not isinstance(node.ctx, gast.Load):
            node.value = self.visit(node.value)
            return node
        thing = self.thing(inner.id)
        path.reverse()
        for number, name in enumerate(path):
            if not isinstance(thing, types.ModuleType):
                # An attribute of a number or array from outside, `TABLE.shape`.
                found = self.means(node, thing, inner.id, (inner.id, *path[:number]))
                return syntax.copy_place(syntax.attribute(found, *path[number:]), node)
            if not hasattr(thing, name):
                raise self.refused(f"{inner.id}.{'.'.join(path)} means nothing")
            owner, thing = thing, getattr(thing, name)
        return self.means(node, thing, path[-1], (inner.id, *path), owner)

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        """`p["w"]` => `p.w`"""
        if self._makes_indices(node.value):
            return self.visit(as_value(node.slice, self.lowered.name_of(slice, "slice")))
        node.value = self.visit(node.value)
        key = node.slice
        if isinstance(key, gast.Constant) and isinstance(key.value, str):
            if not can_be_field(key.value):
                raise self.refused("a dict that changes is not compiled")
            made = gast.Attribute(node.value, key.value, node.ctx)
            return syntax.copy_place(made, node)
        if syntax.is_whole(key):                # Numba knows `x[...]` as one of several indices
            node.slice = gast.Tuple([key], gast.Load())
            return node
        node.slice = with_arrays(self.visit(key), self._maker)
        return node

    def _makes_indices(self, node: gast.expr) -> bool:
        """Whether an expression means np.s_."""
        return isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name) \
            and node.value.id in self.free \
            and getattr(self.thing(node.value.id), node.attr, None) is np.s_

    def visit_Dict(self, node: gast.Dict) -> gast.expr:
        """`{"w": x}` => `Record(x, None)`"""
        keys = [key.value if isinstance(key, gast.Constant) else None for key in node.keys]
        if not all(map(can_be_field, keys)):
            raise self.refused("a dict whose keys are not all names is not compiled")
        thing = record_class(tuple(keys), True)
        values = [self.visit(value) for value in node.values]
        made = syntax.call(syntax.load(self.lowered.name_of(thing, "Record")), *values,
                           gast.Constant(None, None))
        return syntax.copy_place(made, node)

    def visit_Call(self, node: gast.Call) -> gast.expr:
        function = node.func
        node.args = [self.visit(a) for a in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
            if keyword.arg is None:
                raise self.refused("a call with ** is not compiled")
        if isinstance(function, gast.Attribute) and function.attr in METHODS \
                and syntax.root_name(function.value) not in self._modules():
            # x.sum(axis=1): as the function of the value, so that types choose.
            thing = METHODS[function.attr]
            node.args = [self.visit(function.value), *node.args]
            node.func = syntax.load(self.lowered.name_of(thing, thing.__name__))
        else:
            node.func = self.visit(function) if not isinstance(function, gast.Name) \
                or function.id not in self.free else self.means(
                    function, self.thing(function.id), function.id, (function.id,))
            if self.lowered.means_joining(node.func):
                # A list of arrays of several kinds, or none of Numba's lists.
                node.args = [gast.Tuple(a.elts, gast.Load()) if isinstance(a, gast.List) else a
                             for a in node.args]
            if self.lowered.meant(node.func) in MAKERS and node.args \
                    and isinstance(node.args[0], (gast.List, gast.Tuple)):
                node.func = syntax.load(self.lowered.name_of(made_array, "made_array"))
                node.args[0] = as_tuple(node.args[0])
        self._indices(node)
        self._as_overloads_take(node)
        return node

    def _indices(self, node: gast.Call) -> None:
        """The lists in what a helper is given as an index."""
        name = getattr(self.lowered.meant(node.func), "__name__", None)
        if name in _TAKING_INDEX and len(node.args) > 1:
            node.args[1] = with_arrays(node.args[1], self._maker)

    def _maker(self) -> str:
        return self.lowered.name_of(made_array, "made_array")

    def _as_overloads_take(self, node: gast.Call) -> None:
        """Lists of ints that are written out, `axes=([1], [0])`, are tuples, whose numbers Numba
        knows; options that change no result are left out."""
        thing = self.lowered.meant(node.func)
        if thing is np.concatenate and any(
                k.arg == "axis" and isinstance(k.value, gast.Constant) and k.value.value is None
                for k in node.keywords):
            raise self.refused("np.concatenate with axis=None is not compiled")
        dropped = WITHOUT_EFFECT.get(thing, ())
        node.keywords = [k for k in node.keywords if k.arg not in dropped]
        # A function of the user, and a list that is appended to, are given the list itself.
        if thing is not None:
            node.args = [as_tuples(a) for a in node.args]
            for keyword in node.keywords:
                keyword.value = as_tuples(keyword.value)

    def _modules(self) -> set[str]:
        return {n for n in self.free if isinstance(self.thing(n), types.ModuleType)}

    def means(self, node: gast.expr, thing: Any, wish: str, path: tuple[str, ...],
              owner: Any = None) -> gast.expr:
        """The expression that means a thing in the module."""
        if isinstance(thing, Unit):
            callee = self.lowered.by_thing[id(thing)]
            self.piece.calls.append(callee)
            return syntax.copy_place(syntax.load(callee.name), node)
        if thing is NO_OBJECT:
            raise self.refused(f"{'.'.join(path)} is not bound")
        if isinstance(thing, types.ModuleType):
            return syntax.copy_place(syntax.load(self.lowered.name_of(thing, wish)), node)
        thing = getattr(thing, "py_func", thing)            # compiled by the user
        try:
            replaced = REPLACED.get(thing) or special(thing)
        except TypeError:                                   # an array, a list
            replaced = None
        if replaced is not None:
            return syntax.copy_place(
                syntax.load(self.lowered.name_of(replaced, replaced.__name__)), node)
        if isinstance(thing, type) and thing in TYPES:
            return syntax.copy_place(
                syntax.load(self.lowered.name_of(thing, thing.__name__)), node)
        if getattr(builtins, wish, NO_OBJECT) is thing:
            if wish not in _BUILTINS:
                raise self.refused(f"{wish} is not compiled")
            return node
        if isinstance(thing, type) and issubclass(thing, enum.Enum):
            return syntax.copy_place(
                syntax.load(self.lowered.name_of(thing, thing.__name__)), node)
        if isinstance(thing, type) and hasattr(thing, "_fields"):
            return syntax.copy_place(
                syntax.load(self.lowered.name_of(thing, thing.__name__)), node)
        if isinstance(thing, type) and dataclasses.is_dataclass(thing):
            fields = tuple(f.name for f in dataclasses.fields(thing))
            record = record_class(fields, False)
            return syntax.copy_place(
                syntax.load(self.lowered.name_of(record, thing.__name__)), node)
        if callable(thing):
            return self._function(node, thing, wish, path, owner)
        return self._data(node, thing, wish, path, owner)

    def _function(self, node: gast.expr, thing: Any, wish: str, path: tuple[str, ...],
                  owner: Any) -> gast.expr:
        package = (getattr(thing, "__module__", None) or "numpy").split(".")[0]
        if package == "tangent_lite" or (package in STABLE_PACKAGES
                                         and not isinstance(thing, types.FunctionType)) \
                or package == "numpy":
            if ".random" in (getattr(thing, "__module__", None) or "") or "random" in path:
                raise self.refused(
                    "Numba draws other random numbers than NumPy",
                    "draw them before, and pass them as an argument")
            if thing is np.argpartition:
                raise self.refused("Numba orders equal numbers otherwise than NumPy")
            if isinstance(owner, types.ModuleType) and owner in (np, np.linalg, np.fft, math):
                base = syntax.load(self.lowered.name_of(np if owner is not math else math,
                                                        "math" if owner is math else "np"))
                if owner not in (np, math):
                    base = syntax.attribute(base, owner.__name__.rpartition(".")[2])
                return syntax.copy_place(syntax.attribute(base, path[-1]), node)
            name = getattr(thing, "__name__", wish)
            return syntax.copy_place(syntax.load(self.lowered.name_of(thing, name)), node)
        if isinstance(thing, types.FunctionType) and package not in STABLE_PACKAGES:
            return syntax.copy_place(
                syntax.load(self.lowered.function(thing, self.piece)), node)
        if package == "_operator":
            return syntax.copy_place(
                syntax.load(self.lowered.name_of(thing, thing.__name__)), node)
        raise self.refused(f"{'.'.join(path)} is not compiled")

    def _data(self, node: gast.expr, thing: Any, wish: str, path: tuple[str, ...],
              owner: Any) -> gast.expr:
        """A value from outside: a constant of NumPy's, else a parameter that is looked up at each
        call."""
        if thing is None or thing is Ellipsis or isinstance(thing, str) or (
                isinstance(owner, types.ModuleType)
                and owner.__name__.split(".")[0] in STABLE_PACKAGES
                and isinstance(thing, (int, float, complex))):
            if isinstance(thing, float):
                name = self.lowered.name_of(thing, wish)
                return syntax.copy_place(syntax.load(name), node)
            return syntax.copy_place(gast.Constant(thing, None), node)
        if not _is_data(thing):
            raise self.refused(
                f"{'.'.join(path)} is of type {type(thing).__name__}, which is not compiled",
                f"pass it as an argument, or {PYTHON}")
        source = self.piece.source
        root = path[0]
        external = self.external

        def look_up() -> Any:
            found = external[root] if root in external else meaning(source, root)
            for name in path[1:]:
                found = getattr(found, name)
            return packed(found, wish) if isinstance(found, dict) else found

        cell = source.cells.get(root)
        key = (id(external[root]) if root in external else id(cell) if cell is not None
               else id(source.globals), path)
        name = self.lowered.data_of(self.piece, key, wish, look_up)
        return syntax.copy_place(syntax.load(name), node)


def _is_data(thing: Any) -> bool:
    if isinstance(thing, tuple):
        return type(thing) is tuple and all(map(_is_data, thing))
    if type(thing) is dict:
        return all(map(can_be_field, thing)) and all(map(_is_data, thing.values()))
    if type(thing) is np.ndarray:
        return thing.dtype.char in DTYPES
    return type(thing) in (bool, int, float, np.float64, np.int64, np.bool_) \
        or isinstance(thing, enum.Enum)
