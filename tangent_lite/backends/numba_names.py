"""What the names of emitted functions mean in the module that Numba compiles (`numba_lowering`)."""
from __future__ import annotations

import builtins
import dataclasses
import enum
import math
import types
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import runtime, syntax
from tangent_lite.backends.numba_containers import (
    DTYPES,
    PYTHON,
    can_be_field,
    is_function,
    packed,
    record_class,
)
from tangent_lite.backends.numba_functions import (
    METHODS,
    REPLACED,
    TYPES,
    WITHOUT_EFFECT,
)
from tangent_lite.backends.numba_joining import OF_LISTS
from tangent_lite.backends.numba_known import as_tuples
from tangent_lite.backends.numba_making import MAKERS, as_tuple, made_array, with_arrays
from tangent_lite.backends.numba_memory import apart
from tangent_lite.backends.numba_out import written_by_out
from tangent_lite.backends.numba_parts import as_value
from tangent_lite.backends.numba_raising import raised_class
from tangent_lite.backends.numba_special import special
from tangent_lite.calling.resolve import STABLE_PACKAGES, meaning
from tangent_lite.errors import TangentError
from tangent_lite.functions.units import Unit
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import module_of
from tangent_lite.source import uncompiled

# Builtins that mean in compiled code what they mean in Python.
_BUILTINS = {"abs", "range", "float", "bool", "enumerate", "zip", "slice",
             "tuple", "ValueError", "RuntimeError", "ArithmeticError",
             "ZeroDivisionError", "AssertionError", "IndexError", "TypeError", "Exception",
             "UnboundLocalError", "OverflowError", "KeyError", "FloatingPointError",
             "NotImplementedError"}
_DTYPES = {"float": np.float64, "int": np.int64, "bool": np.bool_}
# Helpers whose second argument is an index.
_TAKING_INDEX = {"add_at", "np_add_at", "last_written"}


class NamesOfModule(gast.NodeTransformer):
    """Gives each free name of a function a meaning in the module."""

    def __init__(self, lowered: Any, piece: Any, external: dict[str, Any],
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
        node.body = [made for statement in node.body for made in _listed(self.visit(statement))]
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

    def visit_Expr(self, node: gast.Expr) -> Any:
        """`np.multiply(x, c, out=y)` => `y[...] = np.multiply(x, c)`, with a look at y."""
        if isinstance(node.value, gast.Call) and node.value.keywords:
            made = written_by_out(node, self._class(node.value.func), self.lowered.name_of)
            if made is not None:
                return [*map(self.visit, made)]
        return self.generic_visit(node)

    def visit_Raise(self, node: gast.Raise) -> gast.Raise:
        """`raise NotConverged("...")` => `raise RuntimeError("...")`"""
        made = node.exc
        named: Any = made.func if isinstance(made, gast.Call) else made
        kind = raised_class(self._class(named), _BUILTINS)
        if kind is None:
            return self.generic_visit(node)
        # By a name of the module: the function may have a variable called so.
        name = syntax.load(self.lowered.name_of(getattr(builtins, kind), kind))
        if isinstance(made, gast.Call):         # its arguments are constants (`say_plainly`)
            made.func = name
        else:
            node.exc = name
        return node

    def _class(self, node: Any) -> Any:
        """What a name, or a name in a module, means; None if it is something else."""
        path: list[str] = []
        while isinstance(node, gast.Attribute):
            path.append(node.attr)
            node = node.value
        if not isinstance(node, gast.Name) or node.id not in self.free:
            return None
        thing = self.thing(node.id)
        for name in reversed(path):
            thing = getattr(thing, name, None) if isinstance(thing, types.ModuleType) else None
        return thing

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
            if not isinstance(thing, (types.ModuleType, np.ufunc)):     # np.add.at
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

    def visit_Compare(self, node: gast.Compare) -> gast.expr:
        """`fn is relu` => `fn == relu`, where both are numbers: see `part_packed`."""
        path = _path(node.comparators[0])
        if len(node.ops) > 1 or not isinstance(node.ops[0], (gast.Is, gast.IsNot)) \
                or not path or path[0] not in self.free:
            return self.generic_visit(node)
        look_up = self._looking_up(path)
        if not is_function(look_up()):
            return self.generic_visit(node)
        name = self.lowered.data_of(self.piece, (*self._root_key(path[0]), path, id), path[-1],
                                    lambda: id(look_up()))
        node.left = self.visit(node.left)
        node.ops = [gast.Eq() if isinstance(node.ops[0], gast.Is) else gast.NotEq()]
        node.comparators = [syntax.copy_place(syntax.load(name), node)]
        return node

    def visit_Call(self, node: gast.Call) -> Any:
        function = node.func
        if isinstance(function, gast.Name) and function.id in self.free and len(node.args) == 2 \
                and not node.keywords and self.thing(function.id) is pow:
            made = gast.BinOp(node.args[0], gast.Pow(), node.args[1])
            return self.visit(syntax.copy_place(made, node))
        node.args = [self.visit(a) for a in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
            if keyword.arg is None:
                raise self.refused("a call with ** is not compiled")
        if isinstance(function, gast.Attribute) and function.attr in METHODS \
                and syntax.root_name(function.value) not in self._modules():
            # x.sum(axis=1): as the function of the value, so that types choose.
            thing = METHODS[function.attr]
            if function.attr == "reshape" and len(node.args) > 1:
                node.args = [gast.Tuple(node.args, gast.Load())]
            node.args = [self.visit(function.value), *node.args]
            node.func = syntax.load(self.lowered.name_of(thing, thing.__name__))
        else:
            node.func = self.visit(function) if not isinstance(function, gast.Name) \
                or function.id not in self.free else self.means(
                    function, self.thing(function.id), function.id, (function.id,))
            joins = self.lowered.means_joining(node.func)
            if joins or self.lowered.meant(node.func) is runtime.sum_of_structures:
                # A list of arrays of several kinds, or none of Numba's lists.
                node.args = [gast.Tuple(a.elts, gast.Load()) if isinstance(a, gast.List) else a
                             for a in node.args]
            if joins:
                self._join_lists(node)
            if self.lowered.meant(node.func) in MAKERS and node.args \
                    and isinstance(node.args[0], (gast.List, gast.Tuple)):
                node.func = syntax.load(self.lowered.name_of(made_array, "made_array"))
                node.args[0] = as_tuple(node.args[0])
        self._indices(node)
        self._as_overloads_take(node)
        return node

    def _join_lists(self, node: gast.Call) -> None:
        """`np.stack(rows)`: of a tuple or of a list, which the types say."""
        thing = OF_LISTS.get(self.lowered.meant(node.func))
        if thing is not None and node.args and not isinstance(node.args[0], gast.Tuple):
            node.func = syntax.load(self.lowered.name_of(thing, thing.__name__))

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
        thing = uncompiled(thing)                       # compiled by the user
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
        package = (module_of(thing) or "numpy").split(".")[0]
        if package == "tangent_lite" or (package in STABLE_PACKAGES
                                         and not isinstance(thing, types.FunctionType)) \
                or package == "numpy":
            if ".random" in module_of(thing) or "random" in path:
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
        look_up = self._looking_up(path)

        def as_passed() -> Any:
            found = look_up()
            return packed(found, wish) if isinstance(found, dict) else found

        name = self.lowered.data_of(self.piece, (*self._root_key(path[0]), path), wish, as_passed)
        return syntax.copy_place(syntax.load(name), node)

    def _looking_up(self, path: tuple[str, ...]) -> Callable[[], Any]:
        """What finds the thing that a dotted path means at that moment."""
        source, external, root = self.piece.source, self.external, path[0]

        def look_up() -> Any:
            found = external[root] if root in external else meaning(source, root)
            for name in path[1:]:
                found = getattr(found, name)
            return found

        return look_up

    def _root_key(self, root: str) -> tuple[int]:
        """Tells a name apart from the same name elsewhere."""
        if root in self.external:
            return (id(self.external[root]),)
        cell = self.piece.source.cells.get(root)
        return (id(self.piece.source.globals if cell is None else cell),)


def _listed(made: Any) -> list[Any]:
    """The statements in place of one."""
    return made if isinstance(made, list) else [made]


def _path(node: gast.expr) -> tuple[str, ...]:
    """The names of a dotted path; none for what is no path."""
    names: list[str] = []
    while isinstance(node, gast.Attribute):
        names.append(node.attr)
        node = node.value
    return (node.id, *reversed(names)) if isinstance(node, gast.Name) else ()


def _is_data(thing: Any) -> bool:
    if isinstance(thing, tuple):
        return type(thing) is tuple and all(map(_is_data, thing))
    if type(thing) is dict:
        return all(map(can_be_field, thing)) and all(map(_is_data, thing.values()))
    if type(thing) is np.ndarray:
        return thing.dtype.char in DTYPES
    return type(thing) in (bool, int, float, np.float64, np.int64, np.bool_) \
        or isinstance(thing, enum.Enum)
