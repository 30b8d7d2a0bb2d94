"""Operations on arrays of many axes, without a question for each axis of each array.

In the loops that Numba writes for `x + y` it asks at each element and for each axis whether the
array is stretched along it. LLVM takes such questions out of loops by writing the loops twice: of
two arrays with four axes it makes 256 loops, and takes half a minute. Here what is stretched has a
stride of zero along that axis, which is found before the loops; these have no questions then.
"""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.np import npyimpl

_FEWEST = 3                     # axes; loops over fewer are not written many times


@contextmanager
def stretched_by_strides() -> Iterator[None]:
    """While this lasts, and Numba's lock on compiling is held, loops of Numba's are such."""
    numbas = npyimpl._prepare_argument

    def prepared(context: Any, builder: Any, value: Any, kind: Any,
                 where: str = "input operand") -> Any:
        operand = numbas(context, builder, value, kind, where)
        if isinstance(operand, npyimpl._ArrayHelper) and operand.ndim >= _FEWEST:
            return _Operand(*operand)
        return operand

    npyimpl._prepare_argument = prepared
    try:
        yield
    finally:
        npyimpl._prepare_argument = numbas


class _Operand(npyimpl._ArrayHelper):
    """An array that loops read, or write where it is the result."""

    def create_iter_indices(self) -> _Places:
        word = self.context.get_value_type(types.intp)
        one, none = ir.Constant(word, 1), ir.Constant(word, 0)
        return _Places([self.builder.select(
            self.builder.icmp_unsigned(">", length, one), self._steps(stride), none)
            for length, stride in zip(self.shape, self.strides)], [])

    def _steps(self, stride: Any) -> Any:
        if not self._is_whole:
            return stride
        size = self.context.get_abi_sizeof(self.context.get_data_type(self.base_type))
        return self.builder.sdiv(stride, ir.Constant(stride.type, size), flags=("exact",))

    @property
    def _is_whole(self) -> bool:
        """Whether strides are counted in elements: LLVM then has vector instructions for where
        they are one. A field of an array of records need not lie whole elements apart."""
        return self.layout != "A"

    def load_data(self, places: Any) -> Any:
        far: Any = None
        for place, stride in places:
            step = self.builder.mul(place, stride, flags=("nsw",))
            far = step if far is None else self.builder.add(far, step, flags=("nsw",))
        if self._is_whole:
            pointer = self.builder.gep(self.data, [far], inbounds=True)
        else:
            pointer = cgutils.pointer_add(self.builder, self.data, far)
        model = self.context.data_model_manager[self.base_type]
        return model.load_from_data_pointer(self.builder, pointer)


class _Places(NamedTuple):
    """Where a loop is, axis by axis, and how far apart the items of the array lie there."""
    strides: list[Any]
    indices: list[Any]

    def update_indices(self, loop_indices: list[Any], _name: Any) -> None:
        # Axes that the array has not are the first ones.
        self.indices[:] = loop_indices[len(loop_indices) - len(self.strides):]

    def as_values(self) -> list[tuple[Any, Any]]:
        return list(zip(self.indices, self.strides))
