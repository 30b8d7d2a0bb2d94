"""Everything that a function can reach, as its run on dual numbers sees it.

Modules become look-alikes; functions, methods, classes and instances are made anew over them.
What cannot be made anew stays as it is: where it then meets a dual number, the run fails, and
the gradient is confirmed by differences alone.
"""
import enum
import functools
import types

import numpy as np

from tests.reference.trees import is_object

SYSTEM = {"builtins", "numpy", "math", "collections", "dataclasses", "functools", "types", "enum",
          "abc", "typing", "contextlib", "itertools", "operator"}


class LookAlike:
    """A module of which some functions are replaced."""

    def __init__(self, module, table):
        self.module, self.table = module, table

    def __getattr__(self, name):
        return self.table[name] if name in self.table else getattr(self.module, name)


def boxed_tree(tree):
    """An array of floats as an array of objects, which can hold dual numbers."""
    is_float = isinstance(tree, np.ndarray) and tree.dtype.kind == "f"
    return tree.astype(object) if is_float else tree


def is_user_class(value):
    return isinstance(value, type) and value.__module__.split(".")[0] not in SYSTEM \
        and not issubclass(value, (tuple, BaseException, enum.Enum))


class World:
    """One run's view of the world: modules(value) gives what stands for a module or function of
    a library, or None; builtins replace those of Python."""

    def __init__(self, library, builtins):
        self.library, self.builtins = library, builtins
        self.spaces, self.made, self.kept = {}, {}, []

    def seen(self, value):
        """The value as the run sees it."""
        found = self.library(value)
        if found is not None:
            return found
        if id(value) in self.made:
            return self.made[id(value)]
        if isinstance(value, np.ndarray):
            return self.note(value, boxed_tree(value.copy(order="K")))
        if isinstance(value, types.FunctionType):
            return self.function(value)
        if is_user_class(value):
            return self.of_class(value)
        if isinstance(value, types.MethodType):
            return types.MethodType(self.seen(value.__func__), self.seen(value.__self__))
        if isinstance(value, functools.partial):
            return functools.partial(self.seen(value.func), *map(self.seen, value.args),
                                     **self.seen(value.keywords))
        if type(value) in (list, tuple, set):
            return self.note(value, type(value)(map(self.seen, value)))
        if type(value) is dict:
            return self.note(value, {key: self.seen(part) for key, part in value.items()})
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(self.seen, value))
        if is_object(value) and is_user_class(type(value)):
            new = self.note(value, object.__new__(self.of_class(type(value))))
            new.__dict__.update({key: self.seen(part) for key, part in vars(value).items()})
            return new
        return value

    def note(self, old, new):
        self.made[id(old)] = new
        self.kept.append(old)                      # so that no other takes its id
        return new

    def function(self, f):
        """The function over a copy of its globals and cells in which everything is replaced."""
        if id(f) in self.made:
            return self.made[id(f)]
        space = self.spaces.setdefault(id(f.__globals__), {
            "__builtins__": __builtins__, **self.builtins,
            "__name__": f.__globals__.get("__name__")})
        cells = None if f.__closure__ is None else tuple(types.CellType() for _ in f.__closure__)
        new = self.note(f, types.FunctionType(f.__code__, space, f.__name__, None, cells))
        new.__defaults__ = f.__defaults__ and tuple(map(self.seen, f.__defaults__))
        new.__kwdefaults__ = f.__kwdefaults__ and self.seen(f.__kwdefaults__)
        for name in sorted(names(f.__code__) & f.__globals__.keys() - space.keys()):
            space[name] = self.seen(f.__globals__[name])
        for old, cell in zip(f.__closure__ or (), cells or ()):
            cell.cell_contents = self.seen(old.cell_contents)
        return new

    def of_class(self, old):
        """A class like the old one, with methods that live in this world."""
        if id(old) in self.made:
            return self.made[id(old)]
        bases = tuple(self.of_class(b) if is_user_class(b) else b for b in old.__bases__)
        new = self.note(old, type(old)(old.__name__, bases, {"__module__": old.__module__}))
        for name, member in vars(old).items():
            if name not in ("__dict__", "__weakref__", "__module__", "__doc__"):
                setattr(new, name, self.member(name, member, new))
        return new

    def member(self, name, member, owner):
        if isinstance(member, (staticmethod, classmethod)):
            return type(member)(self.seen(member.__func__))
        if isinstance(member, property):
            return property(*(self.seen(f) for f in (member.fget, member.fset, member.fdel)))
        if isinstance(member, functools.cached_property):
            made = functools.cached_property(self.seen(member.func))
            made.__set_name__(owner, name)
            return made
        return self.seen(member)


def names(code):
    """All names that a piece of code, or code nested in it, looks up."""
    inner = [names(c) for c in code.co_consts if isinstance(c, types.CodeType)]
    return set(code.co_names).union(*inner)
