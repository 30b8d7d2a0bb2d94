"""Duck arrays for tests: NumPy's functions take them by its protocols, and nothing else does.

Each call is recorded. What would turn one into an array of NumPy raises, and so does an array of
NumPy next to one, as CuPy has it.
"""

import numpy as np

_BINARY = ("add", "sub", "mul", "truediv", "pow", "matmul", "floordiv", "mod")
_COMPARED = ("lt", "le", "gt", "ge", "eq", "ne")
_UFUNCS = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.divide,
           "pow": np.power, "matmul": np.matmul, "floordiv": np.floor_divide,
           "mod": np.remainder, "lt": np.less, "le": np.less_equal, "gt": np.greater,
           "ge": np.greater_equal, "eq": np.equal, "ne": np.not_equal, "and": np.bitwise_and,
           "or": np.bitwise_or}


class Frozen:
    """A duck array that cannot be written into."""
    calls = []

    def __init__(self, data):
        assert type(data) is np.ndarray
        self._data = data

    def __array__(self, *args, **options):
        raise AssertionError("turned into an array of NumPy")

    def __float__(self):
        raise AssertionError("turned into a number")

    __int__ = __index__ = __complex__ = __iter__ = __float__

    def __bool__(self):
        self.calls.append("bool")
        return bool(self._data)

    def _bare(self, value):
        if isinstance(value, Frozen):
            assert type(value) is type(self), "two types of arrays in one call"
            return value._data
        assert not isinstance(value, np.ndarray) or value.ndim == 0, "an array of NumPy next to one"
        if isinstance(value, (tuple, list)):
            return type(value)([self._bare(part) for part in value])
        return value

    def _own(self, value):
        if isinstance(value, (np.ndarray, np.generic)):
            return type(self)(np.asarray(value))
        if isinstance(value, tuple) and hasattr(value, "_make"):    # as np.linalg's functions do
            return value._make(map(self._own, value))
        return type(value)(map(self._own, value)) if isinstance(value, (tuple, list)) else value

    def __array_function__(self, function, types, args, options):
        self.calls.append(function.__name__)
        if function is np.tensordot and not all(map(np.ndim, map(self._bare, args[:2]))):
            raise ValueError("CuPy has no such products with arrays without axes")
        return self._own(function(*[self._bare(a) for a in args],
                                  **{k: self._bare(v) for k, v in options.items()}))

    def __array_ufunc__(self, ufunc, method, *args, out=None, **options):
        if method == "at" and isinstance(args[0], Writable):
            ufunc.at(args[0]._data, args[0]._bare_index(args[1]), *map(self._bare, args[2:]))
            return None
        if method == "at" or out is not None:
            return NotImplemented
        self.calls.append(ufunc.__name__)
        return self._own(getattr(ufunc, method)(*[self._bare(a) for a in args], **options))

    def __getitem__(self, index):
        return self._own(self._data[self._bare(index)])

    def __len__(self):
        return len(self._data)

    shape = property(lambda self: self._data.shape)
    ndim = property(lambda self: self._data.ndim)
    size = property(lambda self: self._data.size)
    dtype = property(lambda self: self._data.dtype)
    T = property(lambda self: self._own(self._data.T))
    real = property(lambda self: self._own(self._data.real))

    def __neg__(self):
        return np.negative(self)

    def __abs__(self):
        return np.absolute(self)

    def __invert__(self):
        return np.invert(self)


class Writable(Frozen):
    """A duck array that can be written into, as CuPy's: an element is a view there as well."""

    def __getitem__(self, index):
        index = self._bare_index(index)
        parts = index if isinstance(index, tuple) else (index,)
        if not any(part is Ellipsis for part in parts):
            index = (*parts, Ellipsis)
        return type(self)(self._data[index])

    def __dlpack__(self, **options):
        raise AssertionError("handed out")

    def __iter__(self):
        return (self[k] for k in range(len(self)))

    def __setitem__(self, index, value):
        self._data[self._bare_index(index)] = self._bare(value)

    def _bare_index(self, index):
        """An index, for which arrays of NumPy are taken as well."""
        if isinstance(index, tuple):
            return tuple(map(self._bare_index, index))
        return index if isinstance(index, np.ndarray) else self._bare(index)


def _method(name):
    def call(self, *args, **options):
        self.calls.append(name)
        return self._own(getattr(self._data, name)(*map(self._bare, args), **options))
    return call


def _operation(ufunc, swapped=False, in_place=False):
    def call(self, other):
        return ufunc(other, self) if swapped else ufunc(self, other)

    def change(self, other):
        self._data[...] = self._bare(ufunc(self, other))
        return self
    return change if in_place else call


for _name in ("sum", "mean", "reshape", "transpose", "dot", "astype", "copy", "max", "ravel",
              "flatten"):
    setattr(Frozen, _name, _method(_name))
for _name in (*_BINARY, *_COMPARED, "and", "or"):
    setattr(Frozen, f"__{_name}__", _operation(_UFUNCS[_name]))
    if _name not in _COMPARED:
        setattr(Frozen, f"__r{_name}__", _operation(_UFUNCS[_name], swapped=True))
        setattr(Writable, f"__i{_name}__", _operation(_UFUNCS[_name], in_place=True))
Frozen.__hash__ = None
