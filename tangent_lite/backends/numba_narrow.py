"""Numbers of fewer bits than 64: ints that NumPy lets wrap around, and floats that it rounds.

Of an item `k` of an array of int32, NumPy computes `k * 1000` in int32, compiled code in int64:
they differ where the result has more bits. A pass over Numba's typed code looks at such results,
which takes a few instructions: where one does not fit, compiled code stops, and Python does the
call. For Numba the result is an int64 from there on, for NumPy it still has fewer bits: so what is
computed of it is looked at too, wherever it goes by names, tuples and lists. What is handed on to
another function, or returned by one, is refused.

Of an item of an array of float32 NumPy computes in float32 where it meets a number of Python's, and
in float64 where it meets one of its own; Numba's types do not tell these apart. Where it is not
clear which, that is refused, as is all of which NumPy's result has another type than Numba's.
"""
from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np
from llvmlite import ir as llvm
from numba import types
from numba.core import cgutils, ir, ir_utils, typing
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import TypingError
from numba.core.extending import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global

from tangent_lite.backends.numba_functions import is_array

_COMPARING = {operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge,
              operator.is_, operator.is_not, operator.contains}
_EXACT = {operator.add, operator.iadd, operator.sub, operator.isub, operator.mul, operator.imul,
          operator.truediv, operator.itruediv}
# Calls that make Python's numbers of what they are given, or numbers that say where and how many.
_OWN = {int, float, bool, range, len, slice}
# Functions and methods of NumPy, by name, whose results are of the same type as Numba's whatever an
# array is of, or that hand its items on.
_ALIKE = {"append", "argmax", "argmin", "argsort", "array", "asarray", "ascontiguousarray",
          "astype", "bincount", "copy", "count_nonzero", "empty", "empty_like", "flatten", "full",
          "item", "length", "limited", "nonzero", "ones", "pop", "put", "ravel", "repeat",
          "reshape", "searchsorted", "shape", "size", "sort", "take", "tolist", "transpose",
          "zeros", "zeros_like"}
# What loops over elements ask of arrays (`numba_inside`).
_ASKED = {"any_order", "apart", "held", "inside", "lie_apart", "turning", "unchecked", "within"}
_OF_INTS = {"abs", "all", "any", "cumsum", "max", "mean", "min", "prod", "sum", "unique"}
_NARROW = (types.int8, types.int16, types.int32, types.uint8, types.uint16, types.uint32)


def _fits_in(kind: Any) -> Any:
    """A function of one int, at which compiled code stops if the int does not fit into a type.

    It stands in this module by its name, where Numba looks for it.
    """
    def fits(x):
        raise NotImplementedError

    fits.__name__ = fits.__qualname__ = f"fits_{kind}"
    globals()[fits.__name__] = fits

    @infer_global(fits)
    class Fits(AbstractTemplate):
        key = fits

        def generic(self, args, kws):
            return typing.signature(*args, *args)

    low, high = int(kind.minval), int(kind.maxval)

    @lower_builtin(fits, types.Integer)
    def lower(context, builder, sig, args):
        number, = args
        compare = builder.icmp_signed if sig.args[0].signed else builder.icmp_unsigned
        is_in = compare("<=", number, llvm.Constant(number.type, high))
        if sig.args[0].signed:
            is_in = builder.and_(is_in, compare(">=", number, llvm.Constant(number.type, low)))
        with cgutils.if_unlikely(builder, builder.not_(is_in)):
            context.call_conv.return_user_exc(
                builder, OverflowError, (f"an int that is no {kind}",))
        return number
    return fits


_FITS = {kind: _fits_in(kind) for kind in _NARROW}
_SMALL = (types.int8, types.int16, types.uint8, types.uint16)   # functions of them are no float64


def _refused(what: str, spot: Any) -> TypingError:
    full = "float64" if "float32" in what else "int64"
    return TypingError(f"{what} is computed in other types by NumPy than by Numba; "
                       f".astype(np.{full}) makes them alike", loc=spot)


@register_pass(mutates_CFG=False, analysis_only=False)
class NarrowNumbers(FunctionPass):
    """Puts those looks into a function, and refuses the rest."""

    _name = "tangent_lite_narrow_numbers"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        self.typemap, self.calltypes = state.typemap, state.calltypes
        kinds = {_dtype(kind) for kind in self.typemap.values()}
        if not kinds & {*_NARROW, types.uint64, types.float32}:
            return False
        self.state = state
        self.values: dict[str, list[Any]] = {}
        blocks = state.func_ir.blocks.values()
        for block in blocks:
            for node in block.body:
                if isinstance(node, ir.Assign):
                    self.values.setdefault(node.target.name, []).append(node.value)
        self.listed = [one for values in self.values.values() for value in values
                       for one in self.put_into_lists(value)]
        self.known: dict[str, frozenset[Any]] = {}
        self.find()
        for block in blocks:
            body: list[Any] = []
            for node in block.body:
                body += self.statement(node, block.scope)
            block.body = body
        return True

    # One statement ----------------------------------------------------------------------------
    def statement(self, node: Any, scope: Any) -> list[Any]:
        if isinstance(node, (ir.SetItem, ir.StaticSetItem)):
            return self.written(node, scope)
        if isinstance(node, ir.Return):
            self.handed_on([node.value], node.loc)
        if not isinstance(node, ir.Assign):
            return [node]
        value = node.value
        if isinstance(value, ir.Var) or (isinstance(value, ir.Expr) and value.op == "cast"):
            source = value if isinstance(value, ir.Var) else value.value
            if self.kind(source) == types.float32 and self.kind(node.target) == types.float64:
                raise _refused("what is a float32 here and a float64 elsewhere",
                                    node.loc)
            return [node]
        if not isinstance(value, ir.Expr):
            return [node]
        if value.op in ("binop", "inplace_binop"):
            self.look(value, [value.lhs, value.rhs], value.fn, node.target)
        elif value.op == "unary":
            self.look(value, [value.value], value.fn, node.target)
        elif value.op == "call":
            self.look_at_call(value, node.target)
        else:
            return [node]
        fitting = self.computed(value)
        if not fitting or not _is_wide_int(self.kind(node.target)):
            return [node]
        made = [node]
        for kind in sorted(fitting, key=str):
            made += self.checked(made.pop(), kind, scope)
        return made

    def checked(self, node: Any, kind: Any, scope: Any) -> list[Any]:
        """`t = a + b` => `made = a + b; t = fits(made)`."""
        made = ir.Var(scope, ir_utils.mk_unique_var("wide"), node.loc)
        wide = self.kind(node.target)
        self.typemap[made.name] = wide
        return [ir.Assign(node.value, made, node.loc),
                ir.Assign(self.fits(made, kind), node.target, node.loc)]

    def fits(self, source: Any, kind: Any) -> Any:
        wide = self.kind(source)
        self.state.typingctx.resolve_function_type(_FITS[kind], (wide,), {})
        made = ir.Expr.unary(_FITS[kind], source, source.loc)
        self.calltypes[made] = typing.signature(wide, wide)
        return made

    def written(self, node: Any, scope: Any) -> list[Any]:
        """`x[i] = value`: NumPy refuses an int of Python's that does not fit, and Numba cuts it."""
        kind, value = _dtype(self.typemap[node.target.name]), self.kind(node.value)
        if not is_array(self.typemap[node.target.name]) or kind not in _FITS \
                or not _is_wide_int(value):
            return [node]
        made = ir.Var(scope, ir_utils.mk_unique_var("fitting"), node.loc)
        self.typemap[made.name] = value
        look = ir.Assign(self.fits(node.value, kind), made, node.loc)
        node.value = made
        return [look, node]

    # What is refused --------------------------------------------------------------------------
    def look(self, value: Any, operands: list[Any], function: Any, target: Any) -> None:
        """TypingError where NumPy's result of an operator may have another type than Numba's."""
        kinds = [self.kind(one) for one in operands]
        narrow = [_dtype(kind) for kind in kinds if _is_narrow(_dtype(kind))]
        if not narrow:
            return
        if function in _COMPARING:
            # A number of Python's is rounded first.
            if types.float32 in narrow and not self.are_of_one_width(operands):
                raise _refused("a float32 that is compared with a number", value.loc)
            return
        result = _dtype(self.kind(target))
        has_arrays = any(map(is_array, kinds))
        if types.float32 in narrow:
            if function not in _EXACT or not self.are_of_one_width(operands):
                raise _refused("arithmetic with float32", value.loc)
        elif types.uint64 in narrow and not all(
                one in (types.uint64, types.float64) for one in map(_dtype, kinds)):
            raise _refused("arithmetic with uint64", value.loc)
        elif has_arrays and not isinstance(result, (types.Float, types.Boolean)) and not (
                all(_dtype(kind) == result for kind in kinds)):
            raise _refused(f"arithmetic with an array of {narrow[0]}", value.loc)

    def handed_on(self, variables: list[Any], spot: Any) -> None:
        """TypingError where another function would take an int of fewer bits for one of 64."""
        for one in variables:
            kind = self.typemap[one.name]
            found = self.of(one.name) \
                if isinstance(kind, types.BaseTuple) or _is_wide_int(kind) else frozenset()
            if found:
                raise TypingError(
                    f"an int that is made of {min(map(str, found))} and handed on to another "
                    "function; int(...) around it makes it one of Python's", loc=spot)

    def are_of_one_width(self, operands: list[Any]) -> bool:
        """Whether all operands are float32, or those that are not are NumPy's own float64."""
        return len({self.kind(one) for one in operands if not is_array(self.kind(one))}
                   | {_dtype(self.kind(one)) for one in operands}) == 1 or all(
            _dtype(self.kind(one)) in (types.float32, types.float64) and (
                _dtype(self.kind(one)) == types.float32 or is_array(self.kind(one))
                or (not any(is_array(self.kind(other)) for other in operands)
                    and self.is_of_numpy(one.name, set())))
            for one in operands)

    def is_of_numpy(self, name: str, around: set[str]) -> bool:
        """Whether a float64 is surely NumPy's, and not Python's."""
        values = self.values.get(name, ())
        if name in around or not values:
            return False
        around = around | {name}
        return all(
            self.is_of_numpy(value.name, around) if isinstance(value, ir.Var) else
            isinstance(value, ir.Expr) and (
                (value.op in ("getitem", "static_getitem")
                 and is_array(self.typemap[value.value.name]))
                or (value.op == "binop" and value.fn in _EXACT
                    and any(self.is_of_numpy(one.name, around) for one in (value.lhs, value.rhs)))
                or (value.op == "cast" and self.is_of_numpy(value.value.name, around)))
            for value in values)

    def look_at_call(self, value: Any, target: Any) -> None:
        """TypingError for functions that NumPy computes in another type of such numbers."""
        kind = self.typemap[value.func.name]
        if isinstance(kind, types.Dispatcher) or \
                getattr(getattr(kind, "typing_key", None), "__name__", "") == "loops":
            self.handed_on([*value.args, *(one for _, one in value.kws)], value.loc)
        arguments = [self.typemap[one.name] for one in value.args]
        if isinstance(kind, types.BoundFunction):
            arguments.append(kind.this)
        narrow = [one for one in arguments if _is_narrow(_dtype(one))
                  and not isinstance(one, (types.BaseTuple, types.DTypeSpec))]
        if not narrow or isinstance(kind, types.Dispatcher):
            return
        key = getattr(kind, "typing_key", None)
        name = key.rpartition(".")[2] if isinstance(key, str) else getattr(
            key, "__name__", getattr(key, "name", ""))
        is_replaced = name.startswith(("np_", "own_"))      # a function of NumPy
        name = name.removeprefix("np_").removeprefix("own_")
        dtypes = set(map(_dtype, narrow))
        if any(key is one for one in _OWN) and not (key is float and types.float32 in dtypes):
            return
        is_ours = not is_replaced and _module_of(key).startswith("tangent_lite")
        if name in _ALIKE | _ASKED or (
                types.float32 not in dtypes and (name in _OF_INTS or is_ours)):
            return
        if _is_alike(key, arguments, _dtype(self.kind(target))):
            return
        raise _refused(f"{name} of {_said(narrow[0])}", value.loc)

    # What is of fewer bits --------------------------------------------------------------------
    def kind(self, variable: Any) -> Any:
        kind = types.unliteral(self.typemap[variable.name])
        return kind.type if isinstance(kind, types.Optional) else kind

    def of(self, name: str) -> frozenset[Any]:
        """The types that NumPy may give to what a name means, where it is an int of fewer bits."""
        kind = types.unliteral(self.typemap[name])
        if kind in _FITS:
            return frozenset([kind])
        if not isinstance(kind, types.BaseTuple) and not _is_wide_int(kind):
            return frozenset()
        return self.known.get(name, frozenset())

    def put_into_lists(self, value: Any) -> list[Any]:
        """What an expression puts into a list."""
        if isinstance(value, ir.Expr) and value.op == "build_list":
            return list(value.items)
        if isinstance(value, ir.Expr) and value.op == "call":
            kind = self.typemap[value.func.name]
            if isinstance(kind, types.BoundFunction) and isinstance(kind.this, types.List):
                return list(value.args)
        return []

    def find(self) -> None:
        """Ask for all names until nothing is added: what is made of itself in a loop may be."""
        is_changed = True
        while is_changed:
            is_changed = False
            for name, values in self.values.items():
                found = _join(map(self.computed, values))
                if found != self.known.get(name, frozenset()):
                    self.known[name] = found
                    is_changed = True

    def in_lists(self) -> frozenset[Any]:
        """The same for the items of lists, whichever list they are in."""
        return _join(self.of(one.name) for one in self.listed)

    def computed(self, value: Any) -> frozenset[Any]:
        if isinstance(value, ir.Var):
            return self.of(value.name)
        if not isinstance(value, ir.Expr):
            return frozenset()
        if value.op in ("binop", "inplace_binop"):
            if value.fn in _COMPARING or any(
                    is_array(self.typemap[one.name]) for one in (value.lhs, value.rhs)):
                return frozenset()
            return self.of(value.lhs.name) | self.of(value.rhs.name)
        if value.op in ("unary", "cast", "exhaust_iter"):
            return self.of(value.value.name)
        if value.op in ("static_getitem", "getitem", "iternext", "pair_first"):
            kind = self.typemap[value.value.name]
            if isinstance(kind, types.List) or value.op in ("iternext", "pair_first"):
                return self.in_lists()
            return self.of(value.value.name) if isinstance(kind, types.BaseTuple) else frozenset()
        if value.op == "build_tuple":           # also of the parts of a part
            return _join(self.of(one.name) for one in value.items)
        if value.op == "phi":
            return _join(self.of(one.name) for one in value.incoming_values
                             if isinstance(one, ir.Var))
        if value.op == "call":
            kind = self.typemap[value.func.name]
            key = getattr(kind, "typing_key", None)
            if isinstance(kind, types.Dispatcher) or any(key is one for one in _OWN):
                return frozenset()
            if isinstance(kind, types.BoundFunction) and isinstance(kind.this, types.List):
                return self.in_lists()
            return _join(self.of(one.name) for one in value.args
                             if not is_array(self.typemap[one.name]))
        return frozenset()


def _join(found: Iterable[frozenset[Any]]) -> frozenset[Any]:
    return frozenset().union(*found)


def _module_of(key: Any) -> str:
    return str(getattr(key, "__module__", None) or getattr(
        getattr(key, "_defn", None), "__module__", None) or "")


def _is_alike(key: Any, arguments: list[Any], result: Any) -> bool:
    """Whether NumPy's result of such arguments has the type that Numba's has, whatever numbers are
    Python's."""
    function = getattr(np, getattr(key, "__name__", "").removeprefix("own_"), None)
    if not isinstance(function, np.ufunc) or not isinstance(result, types.Float) \
            or result == types.float32:
        return False
    return not any(_dtype(kind) in (*_SMALL, types.float32, types.uint64) for kind in arguments)


def _dtype(kind: Any) -> Any:
    kind = types.unliteral(kind)
    if isinstance(kind, types.Optional):
        kind = kind.type
    return types.unliteral(kind.dtype) if is_array(kind) else kind


def _is_narrow(kind: Any) -> bool:
    return kind in _FITS or kind in (types.uint64, types.float32)


def _is_wide_int(kind: Any) -> bool:
    kind = types.unliteral(kind)
    return isinstance(kind, types.Integer) and not isinstance(kind, types.Boolean) \
        and kind not in _FITS


def _said(kind: Any) -> str:
    return f"an array of {_dtype(kind)}" if is_array(kind) else f"a number of type {_dtype(kind)}"
