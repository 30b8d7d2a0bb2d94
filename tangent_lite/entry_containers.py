"""The way into a variant whose arguments hold others: lists, tuples and dicts, walked once each.

    def enter(params):
        if type(params) is not list or not params: return ELSEWHERE
        for item in params:
            if type(item) is not tuple or len(item) != 2: return ELSEWHERE
            W, b = item
            ...
        found = main(params)
        if (type(found) is list or type(found) is tuple) and len(found) == len(params):
            made = []
            for gradient, item in zip(found, params):
                ...

`finish` of trees.py says what has to be done to a gradient. Here the cases in which that is
nothing, or a list that becomes a tuple, are written out; the others call it for their part.

Where the shapes of gradients follow from those of the arguments (see determined.py), shapes for
which nothing had to be done are noted, and gradients for such are not looked at again:

    shapes = []
    for item in params:
        ...
        shapes.append(W.shape)
    shapes = (*shapes,)
    if shapes in seen:
        return main(params)
"""
from __future__ import annotations

import keyword
from collections.abc import Callable
from typing import Any

import numpy as np

from tangent_lite import kinds
from tangent_lite.fresh_results import ZEROS, Filled
from tangent_lite.keys import PLAIN, key_of
from tangent_lite.records import attribute_names, defaults_of_class, is_made_of_fields

MOST_PARTS = 100            # of tuples and dicts: what is longer is looked at by `key_of`


class Walks:
    """Writes the lines that look at arguments and put gradients into their space.

    array_tests: of (name, value) the tests that an array is like another one; held: the text for
    what others hold, if the gradients are known to be arrays of their own. Else it is found as the
    arguments are walked.
    """

    def __init__(self, space: dict[str, Any],
                 array_tests: Callable[[str, Any, dict[str, Any], bool], str],
                 held: str | None = None) -> None:
        self.space, self.array_tests = space, array_tests
        self.collects, self.held = held is None, held or "held"
        self.notes = False          # whether shapes are noted
        self.lines: list[str] = []
        self.count = 0
        self.parts = 0

    def fresh(self, stem: str, value: Any = None) -> str:
        """A name that is not in use yet; with a value, one that means it."""
        self.count += 1
        name = f"{stem}_{self.count}"
        if value is not None:
            self.space[name] = value
        return name

    def write(self, depth: int, *lines: str) -> None:
        self.lines += ["    " * depth + line for line in lines]

    def fits(self, value: Any) -> bool:
        """Whether all of a value is of the types that are written out."""
        self.parts += 1
        kind = type(value)
        if kind in PLAIN or kind is np.ndarray:
            return self.parts <= MOST_PARTS
        if kind is list:
            return bool(value) and len({key_of(item) for item in value}) == 1 \
                and self.fits(value[0])
        if kind is tuple:
            return all(map(self.fits, value))
        if kind is dict:
            return all(type(k) in (str, int) for k in value) \
                and all(map(self.fits, value.values()))
        return self.parts <= MOST_PARTS and (
            isinstance(kinds.kind_of(value), kinds.Known) or (
                _is_bare(value) and all(map(self.fits, vars(value).values()))))

    # Arguments --------------------------------------------------------------------------------
    def look(self, name: str, value: Any, depth: int = 1) -> None:
        """Leave unless a value has the key of another, and note the arrays in it."""
        kind = type(value)
        if kind is np.ndarray or kind in PLAIN:
            # Where shapes are noted, they say how many dimensions there are.
            test = self.array_tests(name, value, self.space, not self.notes)
            self.write(depth, f"if not ({test}):", "    return ELSEWHERE")
            if self.notes and kind is np.ndarray:
                self.write(depth, f"shapes.append({name}.shape)")
            if kind is np.ndarray and self.collects:
                self.write(depth, f"held += (id({name}), id({name}.base))")
        elif kind is list:
            item = self.fresh("item")
            self.write(depth, f"if type({name}) is not list or not {name}:",
                       "    return ELSEWHERE")
            if self.notes:
                self.write(depth, f"shapes.append(len({name}))")
            self.write(depth, f"for {item} in {name}:")
            self.look(item, value[0], depth + 1)
        elif kind is tuple:
            self.write(depth, f"if type({name}) is not tuple or len({name}) != {len(value)}:",
                       "    return ELSEWHERE")
            for part, one in zip(self.unpack(name, len(value), depth), value):
                self.look(part, one, depth)
        elif kind is dict:
            self.write(depth, f"if type({name}) is not dict:", "    return ELSEWHERE")
            self.look_by_key(name, value, depth)
        elif isinstance(kinds.kind_of(value), kinds.Known):
            self.write(depth, f"if {name} is not {self.fresh('known', value)}:",
                       "    return ELSEWHERE")
        else:
            self.write(depth, f"if type({name}) is not {self.fresh('type', kind)}:",
                       "    return ELSEWHERE")
            self.look_by_key(f"{name}.__dict__", vars(value), depth)

    def look_by_key(self, name: str, value: dict[Any, Any], depth: int) -> None:
        self.write(depth, f"if [*{name}] != {self.fresh('keys', list(value))}:",
                   "    return ELSEWHERE")
        for part, one in zip(self.unpack(f"{name}.values()", len(value), depth), value.values()):
            self.look(part, one, depth)

    def unpack(self, whole: str, count: int, depth: int) -> list[str]:
        parts = [self.fresh("part") for _ in range(count)]
        if parts:
            self.write(depth, f"({', '.join(parts)},) = {whole}")
        return parts

    # Gradients --------------------------------------------------------------------------------
    def put(self, found: str, name: str, value: Any, own: Any = None, depth: int = 1) -> None:
        """Let what was found be a gradient in the space of an argument like a value.

        own: what is known of the memory of what was found (see fresh_results), if anything is.
        """
        kind = type(value)
        changed = "; whole = False" if self.notes else ""
        otherwise = f"{found} = finish_part({found}, {name}, {self.held}){changed}"
        if own is ZEROS and _is_made_of_arrays(value):
            like = self.like(found, value)
            if like != found:
                self.write(depth, f"{found} = {like}{changed}")
        elif kind is np.ndarray and value.dtype.kind in "fc":
            test = f"type({found}) is ndarray and {found}.dtype is {name}.dtype " \
                   f"and {found}.shape == {name}.shape"
            if own is not True:
                test += f" and {found}.base is None and {found}.flags.writeable"
            if self.collects:
                self.write(depth, f"if {test} and id({found}) not in held:",
                           f"    held.add(id({found}))", "else:", f"    {otherwise}")
            else:
                self.write(depth, f"if not ({test}):", f"    {otherwise}")
        elif kind is float:
            self.write(depth, f"if type({found}) is not float:", f"    {otherwise}")
        elif kind is list:
            made, part, item = self.fresh("made"), self.fresh("part"), self.fresh("item")
            self.asks_for(found, "list", depth)
            self.write(depth, f"if (type({found}) is list or type({found}) is tuple) "
                       f"and len({found}) == len({name}):", f"    {made} = []",
                       f"    for {part}, {item} in zip({found}, {name}):")
            # A list may be of another length in the next call.
            known = own.item if isinstance(own, Filled) else None
            self.put(part, item, value[0], known, depth + 2)
            self.write(depth, f"        {made}.append({part})", f"    {found} = {made}",
                       "else:", f"    {otherwise}")
        elif kind is tuple and value:
            self.asks_for(found, "tuple", depth)
            self.write(depth, f"if (type({found}) is list or type({found}) is tuple) "
                       f"and len({found}) == {len(value)}:")
            parts = self.unpack(found, len(value), depth + 1)
            items = self.unpack(name, len(value), depth + 1)
            owns = own if isinstance(own, list) and len(own) == len(value) else [None] * len(value)
            for part, item, one, known in zip(parts, items, value, owns):
                self.put(part, item, one, known, depth + 1)
            self.write(depth, f"    {found} = ({', '.join(parts)},)", "else:", f"    {otherwise}")
        elif kind is dict and value:
            keys = self.fresh("keys", list(value))
            self.write(depth, f"if type({found}) is dict and [*{found}] == {keys}:")
            parts = self.unpack(f"{found}.values()", len(value), depth + 1)
            items = self.unpack(f"{name}.values()", len(value), depth + 1)
            by_key = own if isinstance(own, dict) else {}
            for part, item, (key, one) in zip(parts, items, value.items()):
                self.put(part, item, one, by_key.get(key), depth + 1)
            made_of = ", ".join(f"{key!r}: {part}" for key, part in zip(value, parts))
            self.write(depth, f"    {found} = {{{made_of}}}", "else:", f"    {otherwise}")
        elif kind not in PLAIN and kind is not np.ndarray and _is_bare(value) \
                and _is_copied_bare(kind):
            self.put_object(found, name, value, otherwise, depth)
        else:
            self.write(depth, otherwise)

    def asks_for(self, found: str, kind: str, depth: int) -> None:
        """Note that what was found has to be made a list, or a tuple, if so."""
        if self.notes:
            self.write(depth, f"if type({found}) is not {kind}:", "    whole = False")

    def put_object(self, found: str, name: str, value: Any, otherwise: str, depth: int) -> None:
        """The same for an object: its gradient is one of its class, or a dict of attributes."""
        held, kind = vars(value), self.fresh("type", type(value))
        cls: Any = type(value)
        if is_made_of_fields(cls, tuple(held)):
            self.write(depth, f"if type({found}) is {kind} "
                       f"and [*{found}.__dict__] == {self.fresh('keys', list(held))}:")
            parts = self.unpack(f"{found}.__dict__.values()", len(held), depth + 1)
        else:
            self.write(depth, f"if type({found}) is dict:")
            parts = [self.fresh("part") for _ in held]
            self.write(depth + 1, *(f"{part} = {found}.get({key!r})"
                                    for part, key in zip(parts, held)))
        for part, (key, one) in zip(parts, held.items()):
            self.put(part, f"{name}.{key}", one, None, depth + 1)
        made = self.fresh("made")
        attributes = ", ".join(f"{key!r}: {part}" for key, part in zip(held, parts))
        self.write(depth, f"    {made} = {self.fresh('new', object.__new__)}"
                   f"({kind})",
                   f"    {made}.__dict__.update({{{attributes}}})",
                   f"    {found} = {made}", "else:", f"    {otherwise}")

    def like(self, found: str, value: Any) -> str:
        """What `zeros_like` made, which has lists for tuples, with tuples again."""
        if type(value) is list:
            item = self.fresh("item")
            inner = self.like(item, value[0])
            return found if inner == item else f"[{inner} for {item} in {found}]"
        parts = range(len(value)) if type(value) is tuple else list(value) \
            if type(value) is dict else []
        made = [self.like(f"{found}[{k!r}]", value[k]) for k in parts]
        if type(value) is tuple:
            plain = all(m == f"{found}[{k!r}]" for k, m in zip(parts, made))
            return f"(*{found},)" if plain else f"({', '.join(made)},)"
        if type(value) is dict:
            return f"{{{', '.join(f'{k!r}: {m}' for k, m in zip(parts, made))}}}"
        return found


def tells(own: Any, value: Any) -> bool:
    """Whether what is known of the memory of a gradient is known of each array in it."""
    kind = type(value)
    if own is ZEROS:
        return _is_made_of_arrays(value)
    if isinstance(own, Filled):
        return kind is list and tells(own.item, value[0])
    if kind is list or kind is tuple:
        return isinstance(own, list) and len(own) == len(value) and all(map(tells, own, value))
    if kind is dict:
        return isinstance(own, dict) and own.keys() == value.keys() and all(
            tells(own[key], value[key]) for key in value)
    return isinstance(own, bool)


def _is_bare(value: Any) -> bool:
    """Whether a value is an object whose attributes are its own, by names that can be written."""
    return isinstance(kinds.kind_of(value), kinds.RecordKind) and bool(getattr(
        value, "__dict__", None)) and attribute_names(value) == tuple(vars(value)) \
        and not defaults_of_class(value) \
        and all(name.isidentifier() and not keyword.iskeyword(name)
                and not hasattr(getattr(type(value), name, None), "__set__")
                for name in vars(value))


def _is_copied_bare(kind: type) -> bool:
    """Whether a copy of an object is one of its class with the same attributes, and no more."""
    return all(getattr(kind, name, None) is getattr(object, name, None)
               for name in ("__new__", "__copy__", "__reduce__", "__reduce_ex__", "__getstate__",
                            "__setstate__", "__getattribute__"))


def _is_made_of_arrays(value: Any) -> bool:
    """Whether a structure holds arrays of floats alone."""
    if type(value) is np.ndarray:
        return value.dtype.kind in "fc"
    if type(value) is list:
        return _is_made_of_arrays(value[0])         # the others have the same key
    parts = value if type(value) is tuple else value.values() if type(value) is dict else None
    return parts is not None and all(map(_is_made_of_arrays, parts))
