"""Lists and dicts of compiled code whose parts have types of their own: `[bW, bb]`, `{"w": bw}`.

Lists of Numba hold things of one type, and its tuples cannot be written to. The adjoint of a tuple
`(W, b)` is a list whose parts are added to, whatever their types; so is that of a dict. Here such a
list is a record on the heap, one field for each part: it is written to through any name that means
it, as in Python. Its parts are chosen by numbers that stand in the text.
"""
from __future__ import annotations

import functools
import operator
from typing import Any

from numba import types
from numba.core import imputils
from numba.core.datamodel import default_manager, models
from numba.core.extending import infer_getattr, lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.experimental import structref
from numba.extending import box

from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_boxing import boxed, can_be_handed, leaves_by_copy
from tangent_lite.backends.numba_functions import written_function


class CellsType(types.StructRef):
    """The type of a list with parts of these types, in turn."""

    def preprocess_fields(self, fields: Any) -> Any:
        return tuple((name, types.unliteral(kind)) for name, kind in fields)

    @property
    def parts(self) -> tuple[Any, ...]:
        return tuple(kind for _, kind in self._fields)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._fields)


class TupleCellsType(CellsType):
    """The type of such a list where a tuple stands: on its way out it becomes one."""


class NamedCellsType(CellsType):
    """The type of a dict with parts of these types under these names."""


def _register(cells: Any) -> None:
    """`structref.register`, for names with an underscore in front as well."""
    default_manager.register(cells, models.StructRefModel)

    @infer_getattr
    class _Parts(AttributeTemplate):
        key = cells

        def generic_resolve(self, kind, name):
            return kind.field_dict.get(name)

    @lower_getattr_generic(cells)
    def read(context, builder, kind, value, name):
        data = structref._Utils(context, builder, kind).get_data_struct(value)
        return imputils.impl_ret_borrowed(context, builder, kind.field_dict[name],
                                          data[kind.names.index(name)])

    @lower_setattr_generic(cells)
    def write(context, builder, signature, args, name):
        kind, given = signature.args
        data = structref._Utils(context, builder, kind).get_data_struct(args[0])
        number = kind.names.index(name)
        new = context.cast(builder, args[1], given, kind.field_dict[name])
        before = data[number]
        context.nrt.incref(builder, kind.field_dict[name], new)
        context.nrt.decref(builder, kind.field_dict[name], before)  # behind: it may be the same
        data[number] = new


for _cells in (CellsType, TupleCellsType, NamedCellsType):
    _register(_cells)


def cells_type(parts: Any, is_tuple: bool = False) -> CellsType:
    fields = [(f"part_{number}", kind) for number, kind in enumerate(parts)]
    return TupleCellsType(fields) if is_tuple else CellsType(fields)


def named_cells_type(names: Any, parts: Any) -> NamedCellsType:
    return NamedCellsType(list(zip(names, parts)))


@functools.cache
def maker(kind: CellsType) -> Any:
    """The function that makes cells of a type out of their parts."""
    names = [f"a{number}" for number in range(len(kind.parts))]
    lines = [f"def made({', '.join(names)}):", "    cells = new(kind)",
             *[f"    cells.{field} = {name}" for field, name in zip(kind.names, names)],
             "    return cells"]
    return written_function(lines, {"new": structref.new, "kind": kind})


# Parts ----------------------------------------------------------------------------------------
def _field(cells: Any, index: Any) -> str | None:
    """The field that an index chooses, or None."""
    if not isinstance(cells, CellsType) or isinstance(cells, NamedCellsType) \
            or not isinstance(index, types.IntegerLiteral):
        return None
    names, number = cells.names, index.literal_value
    return names[number] if -len(names) <= number < len(names) else None


@overload(operator.getitem, prefer_literal=True)
def _part(cells, index):
    field = _field(cells, index)
    return None if field is None else written_function(
        ["def part(cells, index):", f"    return cells.{field}"], {})


@overload(operator.setitem, prefer_literal=True)
def _put(cells, index, value):
    field = _field(cells, index)
    return None if field is None else written_function(
        ["def put(cells, index, value):", f"    cells.{field} = value"], {})


@overload(len)
def _count(cells):
    if not isinstance(cells, CellsType):
        return None
    count = len(cells.parts)
    return lambda cells: count


# The way out ----------------------------------------------------------------------------------
@overload(leaves_by_copy)
def _leave_by_copy(cells):
    if isinstance(cells, types.List) and isinstance(cells.dtype, (CellsType, types.List)):
        def of_list(cells):
            by_copy = True
            for part in cells:
                by_copy = by_copy and leaves_by_copy(part)
            return by_copy
        return of_list
    if not isinstance(cells, CellsType):
        return None
    tests = [f"leaves_by_copy(cells.{name})" for name in cells.names]
    return written_function(
        ["def of_cells(cells):", f"    return {' and '.join(tests) or 'True'}"],
        {"leaves_by_copy": leaves_by_copy})


@box(CellsType)
def _as_list(kind, value, c):
    made = c.pyapi.list_new(c.context.get_constant(types.intp, len(kind.names)))
    for number, part in enumerate(_boxed_parts(kind, value, c)):
        c.pyapi.list_setitem(made, c.context.get_constant(types.intp, number), part)
    return made


@box(TupleCellsType)
def _as_tuple(kind, value, c):
    made = c.pyapi.tuple_new(len(kind.names))
    for number, part in enumerate(_boxed_parts(kind, value, c)):
        c.pyapi.tuple_setitem(made, number, part)
    return made


@box(NamedCellsType)
def _as_dict(kind, value, c):
    made = c.pyapi.dict_new(len(kind.names))
    for name, part in zip(kind.names, _boxed_parts(kind, value, c)):
        c.pyapi.dict_setitem_string(made, name, part)
        c.pyapi.decref(part)
    return made


def _boxed_parts(kind, value, c):
    data = structref._Utils(c.context, c.builder, kind).get_data_struct(value)
    parts = []
    for number, part in enumerate(kind.parts):
        found = data[number]
        if can_be_handed(part):
            parts.append(boxed(part, found, c, is_ours=False))
        else:
            c.context.nrt.incref(c.builder, part, found)
            parts.append(c.box(part, found))
    c.context.nrt.decref(c.builder, kind, value)
    return parts
