"""What has no derivative for good: NumPy's functions of types and settings, of text and files, and
those that are refused on purpose, each with what to write in its place."""
import logging
import operator

import numpy as np

from tangent_lite.registry import entry_for, nondifferentiable, refuse
from tangent_lite.result_kinds import (
    nothing,
    pending,
    scalar_bool,
    text,
    unknown,
)
from tangent_lite.result_kinds.of_matrices import np_matrix_kind
from tangent_lite.runtime.vectorized import arrays_of, elements_of


def _of_numpy(*names):
    """NumPy's functions of these names, as far as this version has them."""
    return [getattr(np, name) for name in names if hasattr(np, name)]


# Of types, shapes and places in memory, which do not vary.
nondifferentiable(*_of_numpy("can_cast", "isdtype", "issubdtype", "isfortran", "may_share_memory",
                             "shares_memory", "is_busday"), kind=scalar_bool)
nondifferentiable(*_of_numpy(
    "common_type", "min_scalar_type", "mintypecode", "promote_types", "mask_indices",
    "einsum_path", "busday_count", "busday_offset", "busdaycalendar", "datetime_data",
    "bitwise_count", "packbits", "unpackbits",
    "in1d", "get_printoptions", "geterr", "geterrcall", "getbufsize"), kind=unknown)
# Text is written of numbers, for people to read.
nondifferentiable(*_of_numpy(
    "array2string", "array_repr", "array_str", "base_repr", "binary_repr", "datetime_as_string",
    "format_float_positional", "format_float_scientific", "typename", "get_include"), kind=text)
# Files and settings: what is read is constant, and nothing is done twice.
nondifferentiable(*_of_numpy("memmap", "seterr", "seterrcall", "setbufsize"),
                  kind=unknown, pure=False)
nondifferentiable(*_of_numpy("save", "savetxt", "savez", "savez_compressed", "set_printoptions",
                             "show_config", "show_runtime", "info", "test"),
                  kind=nothing, pure=False)
nondifferentiable(np.linalg.test, np.fft.test,
                  kind=nothing, pure=False)
# What is said to a log is for people to read; whether anybody listens may change.
_SAYING = ("debug", "info", "warning", "error", "critical", "exception", "log")
nondifferentiable(*[getattr(logging, name) for name in _SAYING],
                  *[getattr(logging.Logger, name) for name in _SAYING], kind=nothing, pure=False)
nondifferentiable(logging.Logger.isEnabledFor, kind=scalar_bool, pure=False)
nondifferentiable(logging.getLogger, kind=unknown, pure=False)

# Refused on purpose -----------------------------------------------------------------------------
refuse(*_of_numpy("matrix", "asmatrix", "bmat"),
       why="for a matrix, * means another product than for arrays",
       instead="use arrays, with @ for the product and np.block in the place of np.bmat")
entry_for(np.asmatrix).kind = np_matrix_kind
refuse(*_of_numpy("recarray", "ndarray"), why="it lays numbers over memory of any meaning",
       instead="make the array by np.array, np.zeros or np.empty")
refuse(*_of_numpy("frombuffer", "from_dlpack"), why="it reads numbers out of memory of any meaning",
       instead="hand on the array itself, or np.asarray of it")
refuse(*_of_numpy("intersect1d"), why="numbers that are in both arrays are so by chance, and not "
       "any more when one of them changes",
       instead="find the positions with np.intersect1d(..., return_indices=True) of constant "
               "arrays, and index with them")
refuse(*_of_numpy("unique_all", "unique_counts", "unique_inverse"),
       why="its result is made of values and of positions",
       instead="call np.unique(x) for the values, and np.unique(tangent_lite.stop_gradient(x), "
               "return_counts=True) for the rest")
refuse(*_of_numpy("broadcast", "nditer", "nested_iters", "flatiter"),
       why="it is an iterator over memory",
       instead="use np.broadcast_arrays, x.ravel(), or a loop over positions")
refuse(*_of_numpy("frompyfunc"), why="its results are arrays of objects",
       instead="use np.vectorize, or a loop")
refuse(elements_of, arrays_of,
       why="np.vectorize is written out where its arguments are numbers and arrays of numbers, and "
           "its results are numbers", instead="write a loop over the elements")
entry_for(elements_of).kind = entry_for(arrays_of).kind = pending
refuse(*_of_numpy("load", "loadtxt", "genfromtxt", "fromfile", "fromregex", "fromstring"),
       why="which number stands in which text is not followed",
       instead="keep numbers that vary in an array, and read others before")
for _function in _of_numpy("load", "loadtxt", "genfromtxt", "fromfile", "fromregex", "fromstring"):
    entry_for(_function).kind, entry_for(_function).pure = unknown, False
refuse(*_of_numpy("fromfunction"), why="which arrays the function gets is not seen in the call",
       instead="call the function on np.indices(shape)")
refuse(*_of_numpy("ufunc"), why="a ufunc is made by a library",
       instead="register a rule for the one that you call")

refuse(np.lib.stride_tricks.as_strided, why="it shows memory as it is told, whatever lies there",
       instead="use np.lib.stride_tricks.sliding_window_view, np.broadcast_to, or an index")

# Members of arrays.
nondifferentiable(np.ndarray.__len__, np.ndarray.__bool__, np.ndarray.__int__,
                  np.ndarray.__index__, np.ndarray.__contains__, kind=unknown)
refuse(np.ndarray.view, np.ndarray.getfield, np.ndarray.byteswap, np.ndarray.setfield,
       why="it reads the bytes of numbers as other numbers",
       instead="use x.real, x.imag or x.astype; np.asarray(x) for x.view(np.ndarray)")
refuse(np.ndarray.tobytes, np.ndarray.dump, np.ndarray.dumps, np.ndarray.tofile,
       why="it writes the bytes of numbers", instead="return the array")
for _name in ("itemset", "newbyteorder", "tostring"):       # of NumPy 1
    if hasattr(np.ndarray, _name):
        refuse(getattr(np.ndarray, _name), why="NumPy has taken it back",
               instead="write x[index] = value, x.astype or x.tolist")
refuse(np.ndarray.resize, why="it changes the array, and with it all that share its memory",
       instead="write x = x[:n].copy(), or x = np.pad(x, (0, more)) where it grows")
refuse(np.ndarray.flat, why="it is an iterator that writes into its array",
       instead="use x.ravel(), or x.flatten() for a copy")
refuse(np.ndarray.data, np.ndarray.ctypes, np.ndarray.base, why="it is memory of any meaning",
       instead="use the array itself")

# Python's own.
refuse(eval, exec, compile, why="code that is made while the program runs is not seen",
       instead="write the code into a function")
refuse(open, why="what a file holds is text", instead="read the numbers before, and pass them")
refuse(bytes, bytearray, memoryview, why="it is the bytes of numbers",
       instead="keep the numbers in an array or a list")
refuse(breakpoint, help, why="it stops the program",
       instead="call it through tangent_lite.grad_hook, which sees the adjoints as well")
refuse(aiter, anext, why="what runs beside the program is not followed", instead="write a loop")
refuse(vars, locals, globals, dir, why="names that are made while the program runs are not seen",
       instead="read the attributes by their names")
refuse(operator.concat, operator.iconcat, why="which sequences it joins is not seen",
       instead="write x + y")
refuse(operator.delitem, why="it takes a part out of a container", instead="write del x[key]")
if hasattr(operator, "call"):                   # Python 3.11
    refuse(operator.call, why="which function it calls is not seen", instead="write f(x)")
