"""Runs the text that `numba_loops` writes as Python, with functions of Python for what it calls."""
import textwrap

import gast
import numba
import numpy as np

from tangent_lite import runtime
from tangent_lite.backends.numba_groups import grouped
from tangent_lite.backends.numba_loop_writing import WORDS
from tangent_lite.backends.numba_loops import Writer
from tangent_lite.backends.numba_memory import apart
from tangent_lite.backends.numba_number_names import NOTHING_KNOWN
from tangent_lite.backends.numba_numpy import np_sum, np_where, np_zeros_like
from tangent_lite.backends.numba_products import np_dot
from tangent_lite.emit import emit
from tangent_lite.names import Names


def unreduce(*args):
    """As in compiled code: an array of its own, and no view."""
    return np.copy(runtime.unreduce(*args))


def unbroadcast(dy, x):
    """As in compiled code: an array that may be written."""
    found = runtime.unbroadcast(dy, x)
    return found.copy() if isinstance(found, np.ndarray) and not found.flags.writeable else found


def add_at(x, index, values):
    """As in compiled code: an index out of bounds is an error (a gather has looked before)."""
    np.add.at(x, index, values)


SPACE = {"np": np, "np_sum": np_sum, "np_where": np_where, "np_zeros_like": np_zeros_like,
         "np_dot": np_dot, "unbroadcast": unbroadcast, "unreduce": unreduce,
         "broadcast": runtime.broadcast,
         "zeros_like": runtime.zeros_like, "add_at": add_at, "apart": apart,
         "where_larger": runtime.where_larger}
MEANING = {**SPACE, "unreduce": runtime.unreduce, "unbroadcast": runtime.unbroadcast,
           "add_at": runtime.add_at}


def extent(x):
    """The first and the last byte of an array, as of compiled code."""
    return np.lib.array_utils.byte_bounds(x) if x.size and hasattr(np.lib, "array_utils") \
        else np.byte_bounds(x) if x.size else (0, 0)


def put(x, value, *index):
    assert all(0 <= i < n for i, n in zip(index, x.shape)) and len(index) == x.ndim
    x[index] = value


def item(x, *index):
    assert all(0 <= i < n for i, n in zip(index, x.shape)) and len(index) == x.ndim
    return x[index]


def empty(shape):
    return np.full(shape, np.nan)


def hollow(shape):
    """What may be asked for its shape, and for nothing else."""
    return np.broadcast_to(np.nan, shape)


ON_STACK = []


def empty_in(memory, shape):
    """What is gone when the function returns."""
    ON_STACK.append(empty(shape))
    return ON_STACK[-1]


def empties(shape, each):
    """Parts of one piece of memory."""
    block = empty((len(each) * shape[0],))
    return [block[k * shape[0]:(k + 1) * shape[0]] for k in range(len(each))]


PYTHON = {"hollow": hollow, "empty_in": empty_in, "room": lambda: None, "empties": empties,
          "item": item, "put": put, "extent": extent, "empty": empty, "in_order": lambda x: x,
          "in_whole_steps": WORDS["in_whole_steps"],
          "exponential": np.exp, "hyperbolic_tangent": np.tanh,
          "meet": lambda x, y: x[0] < y[1] and y[0] < x[1],
          **{name: WORDS[name] for name in (
              "shifted", "stepped", "place", "first_of", "length_from", "length_to_end", "zeros",
              "divide", "power", "square", "real")}}


def means(node):
    if isinstance(node, gast.Name):
        return MEANING.get(node.id)
    if isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name) \
            and node.value.id == "np":
        return getattr(np, node.attr, None)
    return None


def both(statements, values, results):
    """Functions of the values: the statements as they are, and as loops; and the loops' texts."""
    text = f"def f({', '.join(values)}):\n{textwrap.indent(statements, '    ')}\n" \
           f"    return {', '.join(results)},\n"
    plain = dict(SPACE)
    exec(text, plain)
    tree = gast.parse(text).body[0]
    taken = set(SPACE) | set(values)

    fresh = Names(taken).fresh

    groups = grouped(tree, means, fresh, NOTHING_KNOWN)
    space = dict(SPACE)
    texts = []

    def behind(group):
        def made(kinds, *options):
            writer = Writer(group, kinds, means, {*SPACE, "otherwise"}, *options)
            texts.append(writer.text())
            inner = dict(SPACE)
            inner.update({writer.words[n]: thing for n, thing in PYTHON.items()
                          if n in writer.words})
            exec(texts[-1], inner)
            return inner

        def called(function, args):
            found = function(*args)
            for array in ON_STACK:
                array[...] = np.nan
            ON_STACK.clear()
            return found

        def run(*args):
            kinds = {name: kind_of(value) for name, value in zip(group.parameters, args)}
            whole = made(kinds)[group.name]
            before = [np.copy(a) for a in args]
            found = called(whole, args)
            if not group.writes:                # as it is written for compiled callers
                for old, new in zip(before, args):
                    assert np.array_equal(old, new, equal_nan=True)
                space = made(kinds, False, False, "otherwise")
                space["otherwise"] = whole
                again = called(space[group.name], args)
                many = isinstance(found, tuple)
                for one, other in zip(found if many else [found], again if many else [again]):
                    assert one is other is None or np.shape(one) == np.shape(other) \
                        and np.array_equal(one, other, equal_nan=True)
            return found
        return run

    for group in groups:
        space[group.name] = behind(group)
    exec(emit(tree), space)
    return plain["f"], space["f"], texts


def kind_of(value):
    if isinstance(value, np.generic):
        value = value.item()
    return numba.typeof(value)
