"""Private copies of what a call is given, which share memory and parts as the originals do.

A derivative changes nothing that it is given. What a function may change is therefore copied when
it comes in (arguments, globals, what closures hold): two arguments that are one array become one
copy, and a view of an array a view of its copy.
"""
from __future__ import annotations

import array
import collections
import copy
import dataclasses
import enum
import functools
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from tangent_lite import trees
from tangent_lite.analyses import special_methods
from tangent_lite.analyses.special_names import END, HASH
from tangent_lite.calling.parts_held import own_dict
from tangent_lite.errors import AliasError, InputError, UnsupportedSyntaxError
from tangent_lite.heap.memory import Cell, byte_bounds, lowest_address, overlaps_itself, root_of
from tangent_lite.modules import module_of, package_of
from tangent_lite.records import hides_fields
from tangent_lite.registry import owns_rules
from tangent_lite.runtime.objects import blank
from tangent_lite.runtime.sparse import is_sparse
from tangent_lite.runtime.tangents import attributes

_SAME = (int, float, complex, str, bytes, bool, type(None), np.generic, type, types.ModuleType,
         types.FunctionType, np.ufunc, enum.Enum, range, slice, np.dtype,
         Cell)
# Of these a class may be derived that does anything when it is read or written.
_BUILT_IN = (list, dict, set, frozenset, collections.deque, np.ndarray)


class Shared:
    """What several owners copied: each argument, and what lives outside, has an owner of its own,
    since the derivative with respect to one argument holds the others fixed. What is copied twice
    must not be written to, or the copies would not show it.

    outer: of the run that this one is a step of. What is several things there is none here.
    """

    def __init__(self, outer: Shared | None = None) -> None:
        self.made: dict[int, Any] = {}          # all copies: they are not copied again
        self.first: dict[int, tuple[Any, Any, Any]] = {}     # original -> (it, owner, copy)
        # memory -> owner, or layer of one -> its copy, and the arrays there that were copied
        self.arrays: dict[int, dict[Any, tuple[np.ndarray, list[np.ndarray]]]] = {}
        self._kept: dict[int, tuple[Any, Any]] = {}     # attributes -> they, copy of what has them
        self.originals: dict[int, Any] = {}     # copy -> what the user holds
        self.owners: dict[int, Any] = {}        # copy, of memory or of a container -> its owner
        self._stand_for: dict[int, Any] = {}    # copy of an array or a tuple -> what was given
        self.several: dict[int, Any] = {}       # copies of which there are others
        self.written: dict[int, Any] = {}       # copies that were written to
        self.counted: dict[int, Any] = {}       # objects in which whole numbers or texts changed
        # What goes on as a copy, and the copies: why they may not change, and what to do.
        self.watched: dict[int, tuple[Any, str, str]] = {}
        self.outer: dict[int, Any] = {} if outer is None else outer.several
        self._further: dict[int, Any] = {} if outer is None else outer.originals

    def close(self) -> None:
        """Let go of the owners, who know this: nothing will be copied any more."""
        self.first.clear()
        self._kept.clear()
        self.owners.clear()
        self.arrays.clear()

    def note(self, original: Any, owner: Owner, copied: Any) -> None:
        """Note a copy of a thing."""
        known = self.first.setdefault(id(original), (original, owner, copied))
        self.owners[id(copied)] = owner
        self.originals[id(copied)] = self._further.get(id(original), original)
        self._note(original, known[2:] if known[1] is not owner else (), copied)
        # An object and the dict of its attributes, which is one thing, have copies that are two.
        for kept in [original] if type(original) is dict else own_dict(original):
            _, theirs = self._kept.setdefault(id(kept), (kept, copied))
            if isinstance(theirs, dict) is not isinstance(copied, dict):
                self._note(original, (theirs,), copied)

    def note_array(self, value: np.ndarray, root: np.ndarray, owner: Any,
                   copied: np.ndarray) -> None:
        """Note a copy of the memory in which an array lies; owner: or a layer of one."""
        self.first.setdefault(id(root), (root, owner, copied))
        self.owners[id(copied)] = owner
        lying = self.arrays.setdefault(id(root), {})
        self._note(root, [theirs for other, (theirs, arrays) in lying.items() if other is not owner
                          and not (id(theirs) in self.several and id(copied) in self.several)
                          and any(np.shares_memory(one, value) for one in arrays)], copied)
        lying.setdefault(owner, (copied, []))[1].append(value)

    def note_stands_for(self, original: Any, copied: Any) -> None:
        """Note which array or tuple a copy was made of."""
        self._stand_for[id(copied)] = original

    def original(self, thing: Any) -> Any:
        """What the function is given where the run has a copy; the thing itself if it has none."""
        if isinstance(thing, (np.ndarray, tuple)):
            return self._stand_for.get(id(thing), thing)
        return self.originals.get(id(thing), thing)

    def is_one(self, a: Any, b: Any) -> bool:
        """`a is b`, as it is of what the function is given."""
        return a is b or self.original(a) is self.original(b)

    def are_several(self, a: Any, b: Any) -> bool:
        """Whether two arrays lie in copies that are apart, as the memory may not be."""
        roots = [root_of(x) for x in (a, b) if isinstance(x, np.ndarray)]
        return len(roots) == 2 and roots[0] is not roots[1] \
            and all(id(root) in self.several for root in roots)

    def tie(self, copies: Iterable[tuple[Any, Any]]) -> None:
        """Note what became several things in copies of copies, though the function is given one:
        pairs of what was copied and its copy."""
        seen: dict[int, Any] = {}
        for one, copied in copies:
            if isinstance(one, np.ndarray):
                other = seen.setdefault(id(self.original(one)), copied)
                if other is not copied:
                    self.several.update((id(root_of(x)), root_of(x)) for x in (other, copied))

    def _note(self, original: Any, others: Iterable[Any], copied: Any) -> None:
        """Note that there are other copies of what a copy was made of."""
        for other in others:
            if id(other) in self.written or id(copied) in self.written:
                raise self.refusal()
            self.several[id(other)] = other
            self.several[id(copied)] = copied
        if id(original) in self.outer:
            self.several[id(copied)] = copied

    def bare(self, original: int, made: Any) -> None:
        """Note that a container without tangents stands for one that was copied, by its id."""
        if original in self.several:
            self.several[id(made)] = made

    def watch(self, reason: str, fix: str, *things: Any) -> None:
        """Note that memory or a container goes on as a copy: neither may change; if one does, the
        error gives the reason and the fix."""
        self.watched.update((id(one), (one, reason, fix)) for one in things)

    def is_changed(self, thing: Any) -> bool:
        """Whether a copy was written to, or anything in it that has no adjoint."""
        return id(thing) in self.written or id(thing) in self.counted

    def is_as_given(self, thing: Any) -> bool:
        """Whether a container or an array, with all that it holds, came from outside or with an
        argument of which no derivative is asked, and is what it was."""
        seen: set[int] = set()
        todo = [thing]
        while todo:
            one = todo.pop()
            if isinstance(one, types.MethodType):
                one = one.__self__
            if id(one) in seen or (isinstance(one, _SAME) and one is not thing):
                continue
            seen.add(id(one))
            whole = root_of(one) if isinstance(one, np.ndarray) else one
            if (not isinstance(one, tuple) or one is thing) and (
                    type(self.owners.get(id(whole))) is not Owner or self.is_changed(whole)):
                return False
            if isinstance(one, functools.partial):
                todo += [*one.args, *one.keywords.values()]
            elif isinstance(one, dict):
                todo += one.values()
            elif isinstance(one, (list, tuple, set, frozenset, collections.deque)):
                todo += one
            elif is_record(one):
                todo += attributes(one).values()
        return True

    def write(self, thing: Any) -> None:
        """Note that a container, or the memory of an array, is about to change."""
        if id(thing) in self.watched:
            _, reason, fix = self.watched[id(thing)]
            raise AliasError(reason, None, fix)
        if id(thing) in self.several:
            raise self.refusal()
        self.written[id(thing)] = thing

    def refusal(self) -> AliasError:
        """The error for what is changed and was given twice."""
        return AliasError("what is changed here was given twice: as two arguments, as an argument "
                          "and from outside, or at two places of one", None, "pass a copy")


class Owner:
    """Copies of what comes from outside; each thing has one copy."""

    def __init__(self, shared: Shared | None = None) -> None:
        self.shared = shared or Shared()
        self._copies: dict[int, tuple[Any, Any]] = {}
        self._memory: dict[int, tuple[np.ndarray, np.ndarray, int]] = {}

    def own(self, value: Any) -> Any:
        """The copy of a value; the value itself where it cannot change or was made in this run."""
        if isinstance(value, _SAME) or id(value) in self.shared.made:
            return value
        found = self._copies.get(id(value))
        return found[1] if found is not None else self._copy(value)

    def own_argument(self, value: Any) -> Any:
        """The copy of an argument. An array whose elements lie on top of each other, and that
        nothing else in the argument shares memory with, is laid out anew: each element has a
        derivative of its own."""
        arrays = trees.arrays_in(value)
        for one in filter(overlaps_itself, arrays):
            if sum(root_of(other) is root_of(one) for other in arrays) == 1:
                self._keep(one, one.copy())
        return self.own(value)

    def is_known(self, value: Any) -> bool:
        """Whether a thing came in, or was made, in this run."""
        return id(value) in self.shared.made

    def pairs(self) -> list[tuple[Any, Any]]:
        """All that was copied, and the copies."""
        return list(self._copies.values())

    def ours(self, value: Any) -> None:
        """Note that a container was made in this run, though others may hold it."""
        self.shared.made[id(value)] = value

    def _keep(self, value: Any, made: Any) -> Any:
        self._copies[id(value)] = (value, made)
        self.shared.made[id(made)] = made
        if isinstance(value, (np.ndarray, tuple)):
            self.shared.note_stands_for(value, made)
        else:
            self.shared.note(value, self, made)
        return made

    def _copy(self, value: Any) -> Any:
        kind = type(value)
        _check_copied(value)
        if kind in (np.ndarray, np.memmap):
            return self._keep(value, self._array(value))
        if isinstance(value, tuple):
            return self._tuple(value)
        if kind in (list, collections.deque):
            made = self._keep(value, [] if kind is list else collections.deque(maxlen=value.maxlen))
            made.extend(self.own(item) for item in value)
            return made
        if kind in (dict, collections.OrderedDict, collections.Counter, collections.defaultdict):
            made = self._keep(value, kind(self.own(value.default_factory))
                              if kind is collections.defaultdict else kind())
            for key, item in value.items():
                made[self.own(key)] = self.own(item)
            return made
        if kind in (set, frozenset):
            return self._keep(value, kind(self.own(item) for item in value))
        if kind in (bytearray, array.array):
            return self._keep(value, copy.copy(value))
        if kind is types.MethodType:
            owner = self.own(value.__self__)
            return value if owner is value.__self__ else \
                self._keep(value, types.MethodType(value.__func__, owner))
        if kind is types.BuiltinMethodType:
            owner = self.own(value.__self__)
            return value if owner is value.__self__ else \
                self._keep(value, getattr(owner, value.__name__))
        if kind is functools.partial:
            args, keywords = self.own(value.args), {k: self.own(v)
                                                    for k, v in value.keywords.items()}
            return self._keep(value, functools.partial(value.func, *args, **keywords))
        if is_record(value):
            return self._object(value)
        for base in _BUILT_IN:
            if base is np.ndarray and isinstance(value, base):
                raise of_another_class(kind)
            if isinstance(value, base):
                raise UnsupportedSyntaxError(
                    f"a {kind.__name__} is a {base.__name__} of a kind of its own, which cannot be "
                    "followed", None, f"use a {base.__name__}, or keep one in an attribute")
        return value

    def _tuple(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        items = [self.own(item) for item in value]
        kind: Any = type(value)
        if (kind is not tuple and not is_plain_tuple(kind)) or getattr(value, "__dict__", None):
            raise UnsupportedSyntaxError(f"a {kind.__name__} is a tuple of a kind of its own, "
                                         "which cannot be followed", None,
                                         "use a plain namedtuple")
        if all(a is b for a, b in zip(items, value)):
            return value
        return self._keep(value, kind(*items) if hasattr(value, "_fields") else kind(items))

    def _array(self, value: np.ndarray) -> np.ndarray:
        root = root_of(value)
        found = self._memory.get(id(root))
        if found is None:
            found = self._memory[id(root)] = (root, *copied_memory(value, root))
        self.shared.note_array(value, root, self, found[1])
        return lying(value, *found)

    def _object(self, value: Any) -> Any:
        made = self._keep(value, blank(type(value)))
        for name, item in attributes(value).items():
            keep(value, made, name, self.own_attribute(value, name, item))
        return made

    def own_attribute(self, owner: Any, name: str, value: Any) -> Any:
        """The copy of an attribute of an object."""
        return self.own(value)


def of_another_class(kind: type, place: Any = None) -> UnsupportedSyntaxError:
    """The error for an array that is no plain one; names say better what is to be written."""
    error = UnsupportedSyntaxError(
        f"the operations of a {kind.__name__} are not those of plain arrays", place,
        "use a plain array, made outside the function")
    error.is_told_better_by_names = True
    return error


def unseen(method: str, place: Any = None) -> UnsupportedSyntaxError:
    """The error for a special method that something calls that nobody looks into."""
    return UnsupportedSyntaxError(f"{method} changes something, and is called unseen here", place,
                                  "call a method of another name")


def _check_copied(value: Any) -> None:
    """Refuse what changes something as a copy of it is made, or goes."""
    found = None
    if isinstance(value, (dict, set, frozenset)):
        found = special_methods.changing_in(list(value), HASH)
    elif is_record(value):
        found = special_methods.changing(type(value), END)
    if found is not None:
        raise unseen(found)


def copied_memory(value: np.ndarray, root: np.ndarray) -> tuple[np.ndarray, int]:
    """A copy of the memory that an array lies in, and how many bytes further on all lies there."""
    if root.dtype.kind in "OV":
        raise InputError(f"an array of {root.dtype} cannot be followed", None,
                         "use arrays of floats")
    return _as_of(value, root, _memory_of(root))


def lying(value: np.ndarray, root: np.ndarray, copied: np.ndarray, shift: int) -> np.ndarray:
    """The array in the copy of a memory that lies as an array lies in the memory. One that has the
    memory to itself is the copy, so that it is a view of nothing, and others are views of it."""
    if value is root and value.flags.c_contiguous:
        return copied
    return np.ndarray(value.shape, value.dtype, copied,
                      value.__array_interface__["data"][0] - lowest_address(root) + shift
                      if value.size else 0, value.strides)


def _memory_of(root: np.ndarray) -> np.ndarray:
    """A copy of the memory of an array, from its lowest address to its highest."""
    if root.flags.c_contiguous:
        return np.array(root, order="C")
    start, end = byte_bounds(root)
    copied = np.empty(-(-(end - start) // root.itemsize), root.dtype)
    np.ndarray(root.shape, root.dtype, copied, root.__array_interface__["data"][0] - start,
               root.strides)[...] = root
    return copied


def _as_of(value: np.ndarray, root: np.ndarray, copied: np.ndarray) -> tuple[np.ndarray, int]:
    """The copy of memory as its adjoint can be: of bytes, in which arrays lie that came from
    another process or a file, numbers of the type that the first array in them has; and how many
    bytes further on all lies there, so that this array lies at whole numbers."""
    if root.dtype != np.uint8 or value.dtype.kind not in "fc" or not value.size:
        return copied, 0
    shift = -(value.__array_interface__["data"][0] - lowest_address(root)) % value.itemsize
    made = np.zeros(-(-(shift + copied.size) // value.itemsize), value.dtype)
    made.view(np.uint8)[shift:shift + copied.size] = copied.reshape(-1)
    return made, shift


def holds_state(thing: Any) -> bool:
    """Whether something that can be called holds what may change: an object, a list."""
    if isinstance(thing, (types.MethodType, types.BuiltinMethodType)):
        return not isinstance(thing.__self__, (type, types.ModuleType, type(None), np.ufunc))
    return isinstance(thing, functools.partial) or is_record(thing)


def is_plain_tuple(kind: Any) -> bool:
    """Whether a class of tuples holds just what it is given: a namedtuple, maybe with methods."""
    if kind.__module__ in ("time", "sys", "os", "builtins"):
        return True
    reading = ("__iter__", "__getitem__", "__len__", "__getattribute__", "__getattr__")
    return all(not hasattr(getattr(kind, name, None), "__code__") for name in reading) \
        and module_of(kind.__new__).startswith("namedtuple_") \
        and kind.__init__ is object.__init__ and not hides_fields(kind)


def is_record(value: Any) -> bool:
    """Whether a value is an object of a class written in Python, made of attributes only."""
    kind: Any = type(value)
    return isinstance(value, kind) and _makes_records(kind) and not owns_rules(value) \
        and not is_sparse(value)


@functools.lru_cache(1024)
def _makes_records(kind: Any) -> bool:
    if kind is types.SimpleNamespace or (       # what solve_ivp and root return here
            module_of(kind).startswith(("tangent_lite.runtime.", "tangent_lite.rules."))
            and dataclasses.is_dataclass(kind)):
        return True
    if issubclass(kind, (type, BaseException)) or kind.__new__ is not object.__new__ \
            or package_of(kind) in ("", "functools", "types", "numpy", "tangent_lite", "threading",
                                    "logging", "warnings") \
            or module_of(kind).startswith("_cython"):
        return False                    # "": compiled code, of which no object can be copied
    return all(base is object or _is_written_in_python(base) for base in kind.__mro__)


def _is_written_in_python(kind: type) -> bool:
    """Whether a class was made by a class statement: then Python made its attributes as well.
    (Locks, files and connections are of classes that are made as the program runs, too, but in C,
    with slots of their own.)"""
    if kind.__flags__ & (1 << 9) == 0 or any(
            isinstance(one, types.WrapperDescriptorType) and one.__objclass__ is kind
            for one in vars(kind).values()):
        return False
    try:
        object.__new__(kind)
    except TypeError as error:
        return "abstract" in str(error)
    return True


def keep(value: Any, made: Any, name: str, item: Any) -> None:
    """Give a copy an attribute that the original has, past what its class says of attributes."""
    if name in getattr(value, "__dict__", ()):
        made.__dict__[name] = item
    else:
        object.__setattr__(made, name, item)
