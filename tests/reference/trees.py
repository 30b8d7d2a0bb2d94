"""Nested arguments: dicts, lists, tuples, dataclasses and plain objects of arrays and floats.

A place says what to differentiate by: a position, a parameter's name, or a path of attributes
that begins with one, "self.W".
"""
import copy
import dataclasses
import functools
import inspect
import types

import numpy as np

NO_OBJECTS = (type, types.ModuleType, types.FunctionType, types.MethodType, functools.partial,
              np.ndarray, np.generic, np.ufunc, dict, list, tuple, BaseException)


def is_object(value):
    """Whether a value is an instance of a class written in Python, with attributes."""
    return hasattr(value, "__dict__") and not isinstance(value, NO_OBJECTS)


def attributes(value):
    """The attributes of an object, in an order that does not depend on who made it."""
    if not hasattr(value, "__dict__"):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return dict(sorted(vars(value).items()))


def with_attributes(value, new):
    """A copy of an object with other attributes."""
    made = copy.copy(value)
    made.__dict__.update(new)
    return made


def floats(tree):
    """All floats of a nested argument, in order: {"w": array([1., 2.]), "n": 3} -> [1., 2.]."""
    if isinstance(tree, dict):
        return [x for part in tree.values() for x in floats(part)]
    if isinstance(tree, (tuple, list)):
        return [x for part in tree for x in floats(part)]
    if isinstance(tree, np.ndarray):
        return tree.astype(float).ravel().tolist() if tree.dtype.kind == "f" else []
    if is_object(tree):
        return floats(attributes(tree))
    return [float(tree)] if isinstance(tree, (float, np.floating)) else []


def rebuilt(tree, values):
    """A deep copy of a nested argument with its floats, in order, taken from an iterator."""
    if isinstance(tree, dict):
        return {key: rebuilt(part, values) for key, part in tree.items()}
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(rebuilt(part, values) for part in tree))
    if isinstance(tree, (tuple, list)):
        return type(tree)([rebuilt(part, values) for part in tree])
    if isinstance(tree, np.ndarray) and tree.dtype.kind == "f":
        parts = [next(values) for _ in range(tree.size)]
        plain = all(isinstance(part, (float, np.floating)) for part in parts)
        out = np.empty_like(tree, dtype=float if plain else object)
        for place, part in zip(np.ndindex(*tree.shape), parts):
            out[place] = part
        return out
    if is_object(tree):
        return with_attributes(tree, rebuilt(attributes(tree), values))
    if isinstance(tree, (float, np.floating)):
        return next(values)
    return tree if callable(tree) else copy.deepcopy(tree)


def copies(args):
    """Fresh copies of the arguments, for functions that write to them; dtypes are kept."""
    return tuple(arg if callable(arg) and not is_object(arg) else copy.deepcopy(arg)
                 for arg in args)


# Places ------------------------------------------------------------------------------------------
def located(f, place):
    """A place as the position of an argument and the path of attributes below it."""
    if not isinstance(place, str):
        return place, ()
    name, *path = place.split(".")
    return list(inspect.signature(f).parameters).index(name), tuple(path)


def part_at(f, args, place):
    """What stands at a place of the arguments."""
    position, path = located(f, place)
    return functools.reduce(getattr, path, args[position])


def with_parts(f, args, parts):
    """Copies of the arguments with parts {place: part} put in; parts are not copied."""
    new = list(copies(args))
    for place, part in parts.items():
        position, path = located(f, place)
        if path:
            owner = functools.reduce(getattr, path[:-1], new[position])
            owner.__dict__[path[-1]] = part
        else:
            new[position] = part
    return new
