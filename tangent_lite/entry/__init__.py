"""The way into a variant: one function written for it, which does what a call needs and no more.

    def enter(x, y):
        if not (type(x) is ndarray and x.ndim == 1 and x.dtype is x_dtype and type(y) is float):
            return ELSEWHERE
        bx = f_grad(x, y)
        if type(bx) is ndarray and bx.dtype is x_dtype and bx.shape == x.shape and ...
            return bx
        return finish(bx, (x, y))

It takes what has the same key as the arguments that the variant was built for, and says ELSEWHERE
to all else. What it does to the gradient is what `finish` does, where that is nothing. Where the
derivative is in two halves, it calls both.

The same lines make the function that an object is called by (see entry/arguments.py); of short
derivatives, one function that asks and computes (see entry/fusing.py).
"""
from __future__ import annotations

import functools
import itertools
import linecache
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tangent_lite import trees
from tangent_lite.calling.collector import resting
from tangent_lite.calling.divided import DIVIDED
from tangent_lite.calling.keys import ELSEWHERE, PLAIN, key_of
from tangent_lite.calling.request import at_path
from tangent_lite.calling.resolve import MISSING
from tangent_lite.entry.arguments import Entry, called_by, defaults_filled
from tangent_lite.entry.asking import Shapes, is_like, leave_unless
from tangent_lite.entry.containers import Walks, is_dressed, is_dressed_at_once, tells
from tangent_lite.entry.fusing import Fused, Results, fused
from tangent_lite.entry.looks import Looks
from tangent_lite.entry.meanings import names_mean_the_same
from tangent_lite.entry.objects import (
    are_settled,
    counts_in,
    holds_numpys,
    is_numpys,
    names_held,
    parts_of,
    says_how_often,
)
from tangent_lite.entry.seedless import without_seed
from tangent_lite.polish.determined import is_determined, names_read
from tangent_lite.polish.fresh_results import are_own, fresh_results
from tangent_lite.runtime import zeros_like
from tangent_lite.tracebacks import THE_WAY_INTO, plain

MOST_SEEN = 100             # combinations of shapes that are noted
_numbers = itertools.count(1)


@resting()
def entry(variant: Any, values: Sequence[Any],
          compiled: Callable[..., Any] | None = None,
          packers: dict[int, Callable[[Any], Any]] | None = None) -> Entry | None:
    """The way into a variant for arguments like these; None if it takes more than that.

    values: of all parameters, those that a bound method fills itself included;
    compiled: machine code, whose results are as they are to be returned, and which may stop: also
    where what is written into may share memory with something else;
    packers: by position, what looks at an argument itself and takes it apart for machine code.
    """
    request = variant.request
    in_halves = variant.form == "pair" and compiled is None and not variant.has_ducks
    if request.form not in ("grad", "value_and_grad") \
            or not (in_halves or compiled is not None or variant.form == request.form):
        return None
    space: dict[str, Any] = {"main": compiled or variant.call,
                             "gradients": functools.partial(_gradients, variant),
                             "ndarray": np.ndarray, "float64": np.float64,
                             "ELSEWHERE": ELSEWHERE, "MISSING": MISSING, "key_of": key_of,
                             "plain": plain, "DIVIDED": DIVIDED}
    names = [f"x{k}" for k in range(len(values))]
    together = None
    if compiled is None:
        way = _Way(variant, values, names, space)
        lines = way.lines()
        together = None if variant.sharing.is_needed else way.fused()
        if together is None and not in_halves and not request.debug:
            space["main"] = without_seed(variant.call, request.names, values)
    else:
        lines = _into_compiled(variant, values, names, space, packers or {})
    call = called_by(request, lines, names, space)
    lines = [f"def enter({', '.join(names)}):", *lines, "", *call]
    text = "\n".join(lines) + "\n"
    filename = f"{THE_WAY_INTO}{variant.derivative.main.name} {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    exec(compile(text, filename, "exec"), space)
    return Entry(space["enter"], space["call"], space,
                 len(names) - len(request.bound) - len(request.keyword_only), together)


def _into_compiled(variant: Any, values: Sequence[Any], names: list[str], space: dict[str, Any],
                   packers: dict[int, Callable[[Any], Any]]) -> list[str]:
    """The lines of the way into machine code."""
    space["otherwise"] = variant.otherwise
    space.update({f"pack_{k}": pack for k, pack in packers.items()})
    arguments = ", ".join(names)
    given = ", ".join(f"*pack_{k}({n})" if k in packers else n for k, n in enumerate(names))
    shapes = Shapes(variant, values, names, space)
    return [*leave_unless([is_like(names[k], values[k], space, not shapes.are_compared)
                     for k in range(len(values)) if k not in packers]
                    + names_mean_the_same(variant, space)),
            *shapes.fit(), "    try:", f"        return main({given})",
            "    except Exception as error:", f"        return otherwise(({arguments},), error)"]


class _Way:
    """The lines of the way into functions in Python: looks at arguments, the call, looks at what it
    returns.

    once: where types and shapes of results follow from those of arguments, they are looked at until
    they have been found to be as they are to be returned.
    """

    def __init__(self, variant: Any, values: Sequence[Any], names: list[str],
                 space: dict[str, Any]) -> None:
        self.variant, self.values, self.names, self.space = variant, values, names, space
        self.given = ", ".join(names)
        self.has_value = variant.request.form == "value_and_grad"
        self.has_aux = variant.request.has_aux
        self.of_value = variant.derivative.seeds_value
        self.beside = ", value" if self.has_aux else ""      # what the caller gets as well
        self.parts = [f"b{k}" for k in range(len(variant.paths))]
        # Where the arguments are whose gradients these are.
        self.places = [(".".join([names[spot], *(step for _, step in path[1:])]),
                        at_path(values[spot], path))
                       for spot, path in zip(variant.spots, variant.paths)]
        self.fresh = fresh_results(variant.derivative.backward or variant.derivative.main,
                                   [value for _, value in self.places],
                                   self.has_value and variant.form != "pair")
        self.arrays = [n for n, v in zip(names, values) if type(v) is np.ndarray]
        self.are_plain = all(type(v) in PLAIN or type(v) is np.ndarray for v in values)
        # What NumPy computes is a number of its own, also where it is for one of Python's.
        self.numbers = {part for part, (_, value) in zip(self.parts, self.places)
                        if type(value) is float} if self.computes_with_numpy() else set()
        self.once = self.are_plain and self.looks_once()
        self.shapes = Shapes(variant, values, names, space, self.once)
        # Where arguments hold others: what types and shapes of results follow from, and whether
        # whole numbers are a part of that.
        self.noted: tuple[Any, ...] | None = None
        self.counts = False

    def looks_once(self) -> bool:
        return self.fresh is not None and all(own is True for own in self.fresh) \
            and self.gives_all() and all(map(_are_floats, self.values)) \
            and is_determined(self.variant.derivative.main)

    def computes_with_numpy(self) -> bool:
        """Whether numbers may be NumPy's: where arguments are arrays, globals may hold some, or
        functions of NumPy's are read."""
        return bool(self.arrays) \
            or any(holds_numpys(thing) for thing, _ in self.variant.watched.changeable) or any(
            is_numpys(unit.external.get(name, unit.source.globals.get(name)))
            for unit in self.variant.derivative.units for name in names_read([unit]))

    def gives_all(self) -> bool:
        """Whether what the emitted function returns may be what is to be returned."""
        variant = self.variant
        return variant.pushed is None and variant.form != "pair" \
            and (not self.has_value or variant.single or len(variant.paths) > 1)

    def lines(self) -> list[str]:
        walks = self.walks()
        spots = [k for k, v in enumerate(self.values) if _holds_others(v)] if walks else []
        tests = [is_like(self.names[k], self.values[k], self.space, not self.shapes.are_compared)
                 for k in range(len(self.values)) if k not in spots]
        lines = leave_unless(tests + names_mean_the_same(self.variant, self.space))
        if self.variant.sharing.is_needed:      # else it is by identity, or refused
            self.space["are_apart"] = self.variant.sharing.are_apart
            lines += [f"    if not are_apart(({self.given},)):", "        return ELSEWHERE"]
        if walks is None:
            return [*lines, *self.straight()]
        if walks.collects:
            ids = ", ".join(f"id({n}), id({n}.base)" for n in self.arrays)
            walks.write(1, f"held = [{ids}]")
        walks.notes = self.notes_shapes()
        if walks.notes:
            self.space.update(seen=set(), fitting=set())
            walks.counts = self.counts = self.shapes.is_asked or self.reads_counts()
        before = len(walks.lines)
        for k in spots:
            walks.look(self.names[k], self.values[k])
        if walks.lists_shapes:
            walks.lines.insert(before, "    shapes = []")
        # Only once it is known what containers hold can be asked how large that is.
        if walks.notes:
            if self.shapes.asks_items is not None:      # which the shapes that were seen do not say
                self.space["has_items"] = self.shapes.asks_items
                walks.write(0, f"    if not has_items({self.given}):", "        return ELSEWHERE")
            self.keys(walks, spots)
        else:
            walks.write(0, *self.shapes.fit())
        walks.write(0, *self.call())
        walks.write(1, f"{self.unpacked()} = found")
        if walks.collects:
            walks.write(1, "held = {*held, *held_by(value)}" if self.has_aux else "held = {*held}")
        known: list[Any] = [*self.fresh] if self.fresh else [None] * len(self.parts)
        for part, (name, value), own in zip(self.parts, self.places, known):
            walks.put(part, name, value, own)
        if walks.notes:
            walks.write(1, f"if whole and len(seen) < {MOST_SEEN}:", "    seen.add(shapes)")
        walks.write(1, f"return {self.returned(self.settled())}")
        return [*lines, *walks.lines]

    def notes_shapes(self) -> bool:
        """Whether gradients need not be looked at for shapes for which nothing was done to them,
        where arguments hold others."""
        return self.fresh is not None and all(map(are_own, self.fresh)) \
            and self.gives_all() and not self.shapes.outside and not self.shapes.has_items \
            and (self.shapes.is_asked or not any(map(_holds_lists, self.values))
                 or not all(type(v) in PLAIN for _, v in self.places)) \
            and all(map(are_settled, self.values)) \
            and is_determined(self.variant.derivative.main, names_held(self.values))

    def reads_counts(self) -> bool:
        """Whether a whole number or the like is read, which may say how often something is done."""
        names = self.variant.renamed.values()
        held = {name for name, value in zip(names, self.values) for name in counts_in(value, name)}
        return None in held or not held.isdisjoint(names_read(self.variant.derivative.units))

    def keys(self, walks: Walks, spots: list[int]) -> None:
        """The lines that end a call with shapes that have been seen, and ask of others, once, what
        shapes do not say, and whether they fit."""
        tests = walks.other_ranks
        for k in spots:
            if _holds_lists(self.values[k]):            # and only the key says of which ranks
                self.space[f"{self.names[k]}_key"] = key_of(self.values[k])
                tests.append(f"key_of({self.names[k]}) != {self.names[k]}_key")
        noted = [f"{name}.shape" for name in self.arrays]
        noted += [n for n, v in zip(self.names, self.values)
                  if walks.counts and says_how_often(v)]
        noted += walks.noted
        if walks.lists_shapes:
            noted.append("*shapes")
        walks.write(1, f"shapes = ({''.join(f'{one}, ' for one in noted)})")
        if self.shapes.asks_items is None and not walks.lists_shapes:
            self.noted = self.noted_now(walks.lines)
        walks.write(1, "if shapes in seen:" if noted else "if seen:")
        start = len(walks.lines)
        for part, (_, value), own in zip(self.parts, self.places, self.fresh or []):
            walks.dress(part, value, own, 2)
        if len(walks.lines) == start:
            walks.write(2, f"return {self.bare('main(' + self.given + ')')}")
        else:
            walks.lines[start:start] = [f"    {line}" for line in [
                *self.call(), f"    {self.unpacked()} = found"]]
            walks.write(2, f"return {self.returned(self.settled())}")
        ask = [*([f"if {' or '.join(tests)}:", "    return ELSEWHERE"] if tests else []),
               *[line[4:] for line in self.shapes.fit()]]
        if ask:
            walks.write(1, "if shapes not in fitting:", *[f"    {line}" for line in ask],
                        f"    if len(fitting) < {MOST_SEEN}:", "        fitting.add(shapes)")
        walks.write(1, "whole = True")

    def noted_now(self, lines: list[str]) -> tuple[Any, ...]:
        """What is noted of the arguments that this is written for, by the lines that note it."""
        space = {**self.space}
        exec("\n".join([f"def note({self.given}):", *lines, "    return shapes"]), space)
        found: tuple[Any, ...] = space["note"](*self.values)
        return found

    def settled(self) -> str:
        """The gradients, one for each path, as they are asked for."""
        return self.parts[0] if self.variant.single else f"({', '.join(self.parts)},)"

    def fused(self) -> Fused | None:
        """The derivative and what it asks as one function: what has been looked at once."""
        request = self.variant.request
        dressed = self.dressed()
        if not request.binds_plainly or not (self.once or self.noted is not None) \
                or dressed is None or any(map(_holds_lists, self.values)):
            return None
        bound = len(request.bound)
        looks = Looks({}, self.counts)
        for name, value in zip(self.names, self.values):
            looks.look(value, name)
        meanings = names_mean_the_same(self.variant, looks.space)
        lines = defaults_filled(request, self.names[bound:], looks.space)
        here, noted = self.space, self.noted
        results = Results(len(self.parts), {self.parts.index(part) for part in self.numbers},
                          dressed, self.has_value, self.variant.single)
        return fused(self.variant.main, request.names, bound, self.values, looks, meanings, lines,
                     results, lambda: here["seen"] if noted is None else noted in here["seen"])

    def dressed(self) -> dict[int, type] | None:
        """Which gradients are dicts of attributes that become objects; None where more has to be
        dressed."""
        found: dict[int, type] = {}
        for number, ((_, value), own) in enumerate(zip(self.places, self.fresh or [])):
            if is_dressed(value, own):
                if not is_dressed_at_once(value, own):
                    return None
                found[number] = type(value)
        return found

    def walks(self) -> Walks | None:
        """What looks at arguments that hold others, if there are such and it can."""
        fresh = self.fresh
        if fresh is not None and not (len(fresh) == len(self.places) and all(
                tells(own, value) for own, (_, value) in zip(fresh, self.places))):
            self.fresh = None
        self.space["held_by"] = lambda *given: trees.owners(trees.arrays_in(given))
        self.space.update(finish_part=trees.finish, set_attribute=object.__setattr__)
        walks = Walks(self.space, is_like, None if self.fresh is None
                      else f"held_by({self.given}{self.beside})")
        if self.variant.has_ducks or not any(map(_holds_others, self.values)) \
                or not all(map(walks.fits, self.values)):
            return None
        return walks

    def straight(self) -> list[str]:
        """The lines where no argument holds others, or it is not known how."""
        tests = self.result_tests()
        self.once = self.once and bool(tests)
        whole = [f"        return {self.bare('main(' + self.given + ')')}"]
        if self.numbers:
            whole = [*(f"    {line}" for line in [*self.call(), f"    {self.unpacked()} = found"]),
                     f"        return {self.returned(self.made_numbers())}"]
        lines = [*self.shapes.fit(["    if same and seen:", *whole] if self.once else None),
                 *(["    if seen:", *whole] if self.once and not self.shapes.are_compared else []),
                 *self.call()]
        if tests:
            lines += [f"    {self.unpacked()} = found", f"    if {' and '.join(tests)}:"]
            if self.once:
                compared = self.shapes.are_compared
                lines = ["    global seen", *lines,
                         f"        seen = {'seen or same' if compared else 'True'}"]
                self.space["seen"] = False
            made = self.made_numbers() if self.numbers else self.bare("found")
            lines.append(f"        return {self.returned(made)}")
        return [*lines, f"    found = gradients(found, ({self.given},){self.beside})",
                f"    return {self.returned('found')}"]

    def made_numbers(self) -> str:
        """The gradients, one for each path, where those of numbers are made Python's."""
        parts = [f"float({part})" if part in self.numbers else part for part in self.parts]
        return parts[0] if self.variant.single else f"({', '.join(parts)},)"

    def call(self) -> list[str]:
        """Bind `found` to the gradients, and `value` to what else is returned."""
        if self.variant.form != "pair":
            return [f"    {'value, ' if self.has_value else ''}found = main({self.given})"]
        self.space.update(seeds=tuple(self.variant.seeds.values()), backward=self.variant.backward,
                          number_of=self.variant.number_of, seed_of=self.variant.seed,
                          number_types=(float, np.float64), zeros_like=zeros_like)
        more = ", *seeds" if self.variant.seeds else ""
        lines = [f"    value, saved = main({self.given}{more})"]
        if self.has_aux and not self.of_value:
            lines.append("    number_of(value)")
        number = "value"
        if self.has_aux:
            number = "number"
            lines.append("    number, aux = value")
        lines.append(f"    seed = 1.0 if type({number}) in number_types else seed_of({number})")
        if self.has_aux and not self.of_value:
            lines.append("    seed = seed, zeros_like(aux)")
        return [*lines, "    found = backward(saved, seed)"]

    def unpacked(self) -> str:
        return self.parts[0] if len(self.parts) == 1 else f"({', '.join(self.parts)})"

    def bare(self, found: str) -> str:
        """What is asked for, of what the emitted function returns."""
        return found if self.variant.single or len(self.parts) > 1 else f"({found},)"

    def returned(self, gradient: str) -> str:
        """What the way in returns."""
        if self.has_value:
            return f"value, {gradient}"
        return f"{gradient}, aux" if self.has_aux else gradient

    def result_tests(self) -> list[str]:
        """Whether the gradients are as they are to be returned; none if that is not so at all."""
        if not self.are_plain:
            return []
        tests, arrays = [], []
        for part, (name, value), own in zip(self.parts, self.places,
                                            self.fresh or [False] * len(self.parts)):
            if part in self.numbers:
                tests.append(f"(type({part}) is float64 or type({part}) is {name}_type)")
            elif type(value) is float or type(value) is np.float64:
                tests.append(f"type({part}) is {name}_type")
            elif type(value) is np.ndarray and value.dtype.kind in "fc":
                now = "_now" if self.shapes.are_compared else ".shape"
                tests.append(f"type({part}) is ndarray and {part}.dtype is {name}_dtype "
                             f"and {part}.shape == {name}{now}")
                tests += [] if own else [f"{part}.base is None", f"{part}.flags.writeable"]
                arrays.append(part)
            else:
                return []
        if arrays and self.fresh is None:
            if self.has_aux:
                return []                   # they may be arrays in what is returned beside them
            # Each owns its memory, so it is the caller's unless it is an array known already.
            ids = ", ".join(f"id({a})" for a in arrays)
            known = ", ".join(f"id({n}), id({n}.base)" for n in self.arrays)
            if len(arrays) > 1:
                tests.append(f"len(ids := {{{ids}}}) == {len(arrays)}")
                tests.append(f"ids.isdisjoint(({known}))")
            else:
                tests.append(f"{ids} not in ({known})")
        return tests


def _gradients(variant: Any, found: Any, values: tuple[Any, ...], *beside: Any) -> Any:
    """Gradients in the space of the arguments, in memory of their own; beside: what else is
    returned."""
    return variant.gradients(found, values,
                             trees.arrays_in((values, beside)) if beside else None)


def _are_floats(value: Any) -> bool:
    return type(value) is float or (type(value) is np.ndarray and value.dtype == float)


def _holds_lists(value: Any) -> bool:
    """Whether a value is a list or holds one."""
    return type(value) is list or any(map(_holds_lists, parts_of(value).values()))


def _holds_others(value: Any) -> bool:
    return type(value) is not np.ndarray and type(value) not in PLAIN
