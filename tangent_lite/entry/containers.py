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

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangent_lite import kinds
from tangent_lite.calling.keys import PLAIN, key_of
from tangent_lite.entry.objects import (
    cannot_vary,
    field_names,
    holds_nothing,
    says_how_often,
)
from tangent_lite.polish.fresh_results import ZEROS, Fields, Filled
from tangent_lite.records import is_named_tuple
from tangent_lite.runtime.tangents import attributes
from tangent_lite.structures.bare_objects import fills, is_bare, is_copied_bare, is_slotted
from tangent_lite.structures.line_writer import LineWriter

MOST_PARTS = 100            # of tuples and dicts: what is longer is looked at by `key_of`


class Walks(LineWriter):
    """Writes the lines that look at arguments and put gradients into their space.

    array_tests: of (name, value) the tests that an array is like another one; held: the text for
    what others hold, if the gradients are known to be arrays of their own. Else it is found as the
    arguments are walked.
    """

    def __init__(self, space: dict[str, Any],
                 array_tests: Callable[[str, Any, dict[str, Any], bool], str],
                 held: str | None = None) -> None:
        super().__init__(space)
        self.array_tests = array_tests
        self.collects, self.held = held is None, held or "held"
        self.notes = self.counts = False        # whether shapes are noted, and whole numbers,
        self.noted: list[str] = []              # which ones, but for those in lists,
        self.other_ranks: list[str] = []        # and when these are of other ranks
        self.lists_shapes = False               # whether there are some in lists
        self.parts = 0

    def fits(self, value: Any) -> bool:
        """Whether all of a value is of the types that are written out."""
        self.parts += 1
        kind = type(value)
        if kind in PLAIN or kind is np.ndarray:
            return self.parts <= MOST_PARTS
        if kind is list:
            sorts = sorts_of(value)
            return bool(sorts) and all(map(self.fits, sorts))
        if kind is tuple or (isinstance(value, tuple) and is_named_tuple(kind)):
            return all(map(self.fits, value))
        if kind is dict:
            return all(type(k) in (str, int) for k in value) \
                and all(map(self.fits, value.values()))
        return self.parts <= MOST_PARTS and (
            isinstance(kinds.kind_of(value), kinds.Known) or holds_nothing(value) or (
                is_bare(value) and all(map(self.fits, attributes(value).values()))))

    # Arguments --------------------------------------------------------------------------------
    def look(self, name: str, value: Any, depth: int = 1) -> None:
        """Leave unless a value has the key of another, and note the arrays in it."""
        kind = type(value)
        if kind is np.ndarray or kind in PLAIN:
            # Where shapes are noted, they say how many dimensions there are.
            test = self.array_tests(name, value, self.space, not self.notes)
            self.write(depth, f"if not ({test}):", "    return ELSEWHERE")
            if kind is np.ndarray:
                self.note(f"{name}.shape", depth, f"{name}.ndim != {value.ndim}")
                if self.collects:
                    self.write(depth, f"held += (id({name}), id({name}.base))")
            elif self.counts and says_how_often(value):
                self.note(name, depth)
        elif kind is list:
            item = self.fresh("item")
            self.write(depth, f"if type({name}) is not list or not {name}:",
                       "    return ELSEWHERE")
            self.note(f"len({name})", depth)
            self.write(depth, f"for {item} in {name}:")
            sorts = sorts_of(value)
            if len(sorts) > 1 and told_by(value):
                self.look_if_told(item, sorts[0], depth + 1)
            for inner, one in self.by_class(item, value, depth + 1):
                self.look(item, one, inner)
            if len(sorts) > 1:
                self.write(depth + 1, "else:", "    return ELSEWHERE")
        elif isinstance(value, tuple):
            of_type = "tuple" if kind is tuple else self.fresh("type", kind)
            self.write(depth, f"if type({name}) is not {of_type} or len({name}) != {len(value)}:",
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
            if holds_nothing(value):
                self.write(depth, f"if {name}.__dict__:", "    return ELSEWHERE")
            else:
                self.look_at_attributes(name, value, depth)

    def look_if_told(self, name: str, value: Any, depth: int) -> None:
        """Leave unless something is a tuple as long, or an object with attributes of these names,
        so that it can be asked of which class a part is."""
        of_type = self.fresh("type", type(value))
        is_tuple = isinstance(value, tuple)
        more = f" or len({name}) != {len(value)}" if is_tuple else ""
        self.write(depth, f"if type({name}) is not {of_type}{more}:", "    return ELSEWHERE")
        if not is_tuple and not is_slotted(value):
            self.keys_are(f"{name}.__dict__", attributes(value), depth)

    def by_class(self, item: str, values: list[Any], depth: int) -> Iterator[tuple[int, Any]]:
        """Write a branch for each class of the items of a list, if there are several; how deep that
        is, and an item of the class."""
        sorts, path = sorts_of(values), told_by(values) or ()
        if len(sorts) == 1:
            yield depth, sorts[0]
            return
        asked = item + "".join(f".{one}" if isinstance(one, str) else f"[{one}]" for one in path)
        for number, one in enumerate(sorts):
            self.write(depth, f"{'elif' if number else 'if'} type({asked}) is "
                       f"{self.fresh('type', type(kinds.value_at(one, path)))}:")
            yield depth + 1, one

    def look_at_attributes(self, name: str, value: Any, depth: int) -> None:
        held, slotted = attributes(value), is_slotted(value)
        if not slotted:
            self.keys_are(f"{name}.__dict__", held, depth)
        parts = self.read_attributes(name, held, slotted, depth)
        for part, one in zip(parts, held.values()):
            self.look(part, one, depth)

    def keys_are(self, name: str, value: dict[Any, Any], depth: int) -> None:
        self.write(depth, f"if [*{name}] != {self.fresh('keys', list(value))}:",
                   "    return ELSEWHERE")

    def look_by_key(self, name: str, value: dict[Any, Any], depth: int) -> None:
        self.keys_are(name, value, depth)
        for part, one in zip(self.unpack(f"{name}.values()", len(value), depth), value.values()):
            self.look(part, one, depth)

    def note(self, what: str, depth: int, other_rank: str | None = None) -> None:
        """Note what types and shapes of results follow from; other_rank: the test that an array has
        another number of dimensions."""
        if not self.notes:
            return
        if depth == 1:
            self.noted.append(what)
            self.other_ranks += [other_rank] if other_rank else []
        else:
            self.lists_shapes = True
            self.write(depth, f"shapes.append({what})")

    # Gradients --------------------------------------------------------------------------------
    def put(self, found: str, name: str, value: Any, own: Any = None, depth: int = 1,
            then: str = "") -> None:
        """Let what was found be a gradient in the space of an argument like a value.

        own: what is known of the memory of what was found (see fresh_results), if anything is;
        then: what to do when something else takes the place of what was found.
        """
        kind = type(value)
        then = f"; {then}" if then else ""
        changed = f"{then}; whole = False" if self.notes else then
        otherwise = f"{found} = finish_part({found}, {name}, {self.held}){changed}"
        if own is ZEROS and _is_made_of_arrays(value):
            like = self.like(found, value)
            if like != found:
                self.write(depth, f"{found} = {like}{changed}")
        elif holds_nothing(value) and is_copied_bare(kind):
            self.write(depth, f"{found} = {self.fresh('new', object.__new__)}"
                       f"({self.fresh('type', kind)})")
        elif cannot_vary(value):
            self.write(depth, f"if {found} is not None:", f"    {found} = None{changed}")
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
        elif kind in PLAIN:
            other = self.fresh("type", kind)
            # Between Python's floats and those of NumPy it is a matter of the type alone.
            alike = self.fresh("floats", {float, np.float64, kind} - {complex, np.complex128})
            self.write(depth, f"if type({found}) is not {other}:",
                       f"    {found} = {other}({found}) if type({found}) in {alike} "
                       f"else finish_part({found}, {name}, {self.held}){changed}")
        elif kind is list:
            made, part, item = self.fresh("made"), self.fresh("part"), self.fresh("item")
            self.asks_for(found, "list", depth)
            self.write(depth, f"if (type({found}) is list or type({found}) is tuple) "
                       f"and len({found}) == len({name}):", f"    {made} = []",
                       f"    for {part}, {item} in zip({found}, {name}):")
            # A list may be of another length in the next call.
            known = own.item if isinstance(own, Filled) else None
            for inner, one in self.by_class(item, value, depth + 2):
                self.put(part, item, one, known, inner)
            self.write(depth, f"        {made}.append({part})", f"    {found} = {made}{then}",
                       "else:", f"    {otherwise}")
        elif isinstance(value, tuple) and value:
            self.put_tuple(found, name, value, own, depth, then, otherwise)
        elif kind is dict and value:
            keys = self.fresh("keys", list(value))
            self.write(depth, f"if type({found}) is dict and [*{found}] == {keys}:")
            parts = self.unpack(f"{found}.values()", len(value), depth + 1)
            items = self.unpack(f"{name}.values()", len(value), depth + 1)
            by_key = own if isinstance(own, dict) else {}
            for part, item, (key, one) in zip(parts, items, value.items()):
                self.put(part, item, one, by_key.get(key), depth + 1)
            made_of = ", ".join(f"{key!r}: {part}" for key, part in zip(value, parts))
            self.write(depth, f"    {found} = {{{made_of}}}{then}", "else:", f"    {otherwise}")
        elif is_bare(value) and is_copied_bare(kind):
            self.put_object(found, name, value, own, depth, then, otherwise)
        else:
            self.write(depth, otherwise)

    def put_tuple(self, found: str, name: str, value: tuple[Any, ...], own: Any, depth: int,
                  then: str, otherwise: str) -> None:
        is_plain = type(value) is tuple
        of_type = "tuple" if is_plain else self.fresh("type", type(value))
        self.asks_for(found, of_type, depth)
        named = "" if is_plain else f" or type({found}) is {of_type}"
        self.write(depth, f"if (type({found}) is list or type({found}) is tuple{named}) "
                   f"and len({found}) == {len(value)}:")
        parts = self.unpack(found, len(value), depth + 1)
        items = self.unpack(name, len(value), depth + 1)
        owns = own if isinstance(own, list) and len(own) == len(value) else [None] * len(value)
        for part, item, one, known in zip(parts, items, value, owns):
            self.put(part, item, one, known, depth + 1)
        self.write(depth, f"    {found} = {self.tuple_of(value, parts)}{then}",
                   "else:", f"    {otherwise}")

    def tuple_of(self, value: tuple[Any, ...], parts: list[str]) -> str:
        """A tuple like a value."""
        of_type = "" if type(value) is tuple else self.fresh("type", type(value))
        return f"{of_type}({', '.join(parts)}{'' if of_type else ','})"

    def asks_for(self, found: str, kind: str, depth: int) -> None:
        """Note that what was found has to be made a list, or a tuple, if so."""
        if self.notes:
            self.write(depth, f"if type({found}) is not {kind}:", "    whole = False")

    def put_object(self, found: str, name: str, value: Any, own: Any, depth: int, then: str,
                   otherwise: str) -> None:
        """The same for an object: its gradient is one of its class, or a dict of attributes."""
        held, kind = attributes(value), self.fresh("type", type(value))
        if isinstance(own, Fields) and [*held] == field_names(value):
            # It was made for us: what it holds is replaced where that is not as it is to be.
            self.write(depth, f"if type({found}) is {kind}:")
            for key, one in held.items():
                part = self.fresh("part")
                self.write(depth, f"    {part} = {found}.{key}")
                self.put(part, f"{name}.{key}", one, own[key], depth + 1,
                         f"set_attribute({found}, {key!r}, {part})")
            self.write(depth, "else:", f"    {otherwise}")
            return
        parts = [self.fresh("part") for _ in held]
        as_dict = f"({', '.join(f'{found}.get({key!r})' for key in held)},)"
        as_object = f"({', '.join(f'{found}.{key}' for key in held)},)"
        whole = self.fresh("parts")
        self.write(depth, f"{whole} = {as_dict} if type({found}) is dict else "
                   f"{as_object} if type({found}) is {kind} else None",
                   f"if {whole} is not None:", f"    ({', '.join(parts)},) = {whole}")
        by_key = own if isinstance(own, dict) else {}
        for part, (key, one) in zip(parts, held.items()):
            self.put(part, f"{name}.{key}", one, by_key.get(key), depth + 1)
        self.write(depth + 1, *self.object_of(found, value, kind, parts, then))
        self.write(depth, "else:", f"    {otherwise}")

    def object_of(self, found: str, value: Any, kind: str, parts: list[str],
                  then: str) -> list[str]:
        """The lines that make an object like a value; none of its code is run."""
        made, lines = self.made_object(type(value), kind, dict(zip(attributes(value), parts)),
                                       is_slotted(value))
        return [*lines, f"{found} = {made}{then}"]

    # Gradients that are known to need no look ---------------------------------------------------
    def dress(self, found: str, value: Any, own: Any, depth: int, then: str = "") -> None:
        """Let dicts of attributes become objects in what was found, of which nothing else is left
        to be done."""
        if not is_dressed(value, own):
            return
        then = f"; {then}" if then else ""
        if isinstance(value, list) and isinstance(own, list):       # each item is another one
            for k, (one, known) in enumerate(zip(value, own)):
                if is_dressed(one, known):
                    part = self.fresh("part")
                    self.write(depth, f"{part} = {found}[{k}]")
                    self.dress(part, one, known, depth, f"{found}[{k}] = {part}")
        elif isinstance(value, list):
            made, part = self.fresh("made"), self.fresh("part")
            self.write(depth, f"{made} = []", f"for {part} in {found}:")
            self.dress(part, value[0], own.item if isinstance(own, Filled) else None, depth + 1)
            self.write(depth, f"    {made}.append({part})", f"{found} = {made}{then}")
        elif isinstance(value, tuple):
            parts = self.unpack(found, len(value), depth)
            for part, one, known in zip(parts, value, own):
                self.dress(part, one, known, depth)
            self.write(depth, f"{found} = {self.tuple_of(value, parts)}{then}")
        elif isinstance(value, dict) or isinstance(own, Fields):
            by_name = value if isinstance(value, dict) else attributes(value)
            for key, one in by_name.items():
                if is_dressed(one, own[key]):
                    part = self.fresh("part")
                    if isinstance(value, dict):
                        self.write(depth, f"{part} = {found}[{key!r}]")
                        self.dress(part, one, own[key], depth, f"{found}[{key!r}] = {part}")
                    else:
                        self.write(depth, f"{part} = {found}.{key}")
                        self.dress(part, one, own[key], depth,
                                   f"set_attribute({found}, {key!r}, {part})")
        else:
            for key, one in attributes(value).items():
                part = self.fresh("part")
                self.write(depth, *([f"{part} = {found}[{key!r}]"]
                                    if is_dressed(one, own[key]) else []))
                self.dress(part, one, own[key], depth, f"{found}[{key!r}] = {part}")
            kind = self.fresh("type", type(value))
            names, made = attributes(value), self.fresh("made")
            if not is_slotted(value) and [*own] == [*names]:
                self.write(depth, f"{made} = {self.fresh('new', object.__new__)}({kind})",
                           f"{self.fresh('fill', fills(type(value)))}({made}, {found})",
                           f"{found} = {made}{then}")
            else:
                parts = [f"{found}[{key!r}]" for key in names]
                self.write(depth, *self.object_of(found, value, kind, parts, then))

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


def sorts_of(items: list[Any]) -> list[Any]:
    """An item of each sort that there is in a list; none if no class tells the sorts."""
    found = {key_of(item): item for item in reversed(items)}
    path = told_by(items) if len(found) > 1 else ()
    if path is None or len(path) > 1:
        return []
    return [*found.values()] if len({type(kinds.value_at(item, path)) for item in found.values()}) \
        == len(found) else []


def told_by(items: list[Any]) -> tuple[Any, ...] | None:
    """By which number or name the part of the items of a list is found whose class tells of which
    sort they are; None if there is none."""
    kind: Any = kinds.kind_of(items)
    return kind.item.path if isinstance(kind.item, kinds.OneOf) else None


def tells(own: Any, value: Any) -> bool:
    """Whether what is known of the memory of a gradient is known of each array in it."""
    kind = type(value)
    if own is ZEROS:
        return _is_made_of_arrays(value)
    if isinstance(own, Filled):
        return kind is list and len(sorts_of(value)) == 1 and tells(own.item, value[0])
    if kind is list or isinstance(value, tuple):
        return isinstance(own, list) and len(own) == len(value) and all(map(tells, own, value))
    if kind is not np.ndarray and kind not in PLAIN and (kind is dict or is_bare(value)):
        held = value if kind is dict else attributes(value)
        return isinstance(own, dict) and own.keys() == held.keys() and all(
            tells(own[key], held[key]) for key in held) \
            and not (isinstance(own, Fields) and [*held] != field_names(value))
    return isinstance(own, bool)


def is_dressed(value: Any, own: Any) -> bool:
    """Whether there are objects in a value whose gradients are found as dicts of attributes."""
    kind = type(value)
    if kind in PLAIN or kind is np.ndarray or own is ZEROS \
            or isinstance(kinds.kind_of(value), kinds.Known):
        return False
    if isinstance(value, list) and not isinstance(own, list):
        return bool(value) and is_dressed(value[0], own.item if isinstance(own, Filled) else None)
    if isinstance(value, (tuple, list)):
        return any(map(is_dressed, value, own))
    if isinstance(value, dict) or isinstance(own, Fields):
        parts = value if isinstance(value, dict) else attributes(value)
        return any(is_dressed(one, own[key]) for key, one in parts.items())
    return True


def is_dressed_at_once(value: Any, own: Any) -> bool:
    """Whether a dict of attributes may be all that an object holds, as it is."""
    return isinstance(own, dict) and not isinstance(own, Fields) and is_bare(value) \
        and not is_slotted(value) and [*own] == [*attributes(value)] \
        and not any(is_dressed(one, own[key]) for key, one in attributes(value).items())


def _is_made_of_arrays(value: Any) -> bool:
    """Whether a structure holds arrays of floats alone."""
    if type(value) is np.ndarray:
        return value.dtype.kind in "fc"
    if type(value) is list:
        return bool(value) and _is_made_of_arrays(value[0])     # the others have the same key
    parts = value if type(value) is tuple else value.values() if type(value) is dict else None
    return parts is not None and all(map(_is_made_of_arrays, parts))
