"""Whether what is said of a value is true of it."""
import numpy as np

from tangent_lite import kinds
from tangent_lite.kinds import Array, Number, Numeric, kind_of


def holds(said, value):
    """Whether a kind holds of a value, and those of its parts of what it holds."""
    if said == kinds.UNKNOWN:
        return True
    if isinstance(said, (Number, Numeric, Array)):
        return _holds_of_numbers(said, value, kind_of(value))
    if isinstance(said, kinds.TupleKind):
        return isinstance(value, tuple) and len(value) == len(said.items) \
            and all(map(holds, said.items, value))
    if isinstance(said, kinds.ListKind):                # of queues, too
        return not isinstance(value, (np.ndarray, tuple, dict)) \
            and all(holds(said.item, part) for part in value)
    if isinstance(said, kinds.DictKind):
        return isinstance(value, dict) and set(value) == set(said.keys) and all(
            holds(item, value[key]) for key, item in zip(said.keys, said.items))
    if isinstance(said, kinds.MapKind):
        return isinstance(value, dict) and all(
            holds(kinds.item_of(said), item) for item in value.values())
    if isinstance(said, kinds.RecordKind):
        return isinstance(value, said.type) and all(
            holds(item, getattr(value, name)) for name, item in zip(said.fields, said.items)
            if hasattr(value, name))
    return kinds.join(said, kind_of(value)) == said


def _holds_of_numbers(said, value, actual):
    if isinstance(said, Number):
        # An array without dimensions is treated as a number, and a number as a larger one.
        good = isinstance(actual, Number) or (isinstance(actual, Array) and actual.ndim == 0)
        return good and _within(said.type, kinds.dtype_of(actual), bool_is_int=True) \
            and (said.value is kinds.NO_VALUE or said.value == value)
    if isinstance(said, Numeric):
        return isinstance(actual, (Number, Array)) \
            and _within(said.dtype, kinds.dtype_of(actual), bool_is_int=True)
    if isinstance(actual, Number):
        return said.ndim in (None, 0)
    return isinstance(actual, Array) and said.ndim in (None, actual.ndim) \
        and _within(said.dtype, actual.dtype)


def _within(said, actual, bool_is_int=False):
    """Whether a class of numbers holds another: a join says the larger one."""
    return said is None or kinds.join_dtype(said, actual) == said \
        or (bool_is_int and {said, actual} == {"bool", "int"})
