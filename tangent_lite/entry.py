"""The way into a variant: one function written for it, which does what a call needs and no more.

    def enter(x, y):
        if not (type(x) is ndarray and x.ndim == 1 and x.dtype is x_dtype and type(y) is float):
            return ELSEWHERE
        bx = f_grad(x, y)
        if type(bx) is ndarray and bx.dtype is x_dtype and bx.shape == x.shape and ...
            return bx
        return finish(bx, (x, y))

It takes what has the same key as the arguments that the variant was built for, and says ELSEWHERE
to all else. What it does to the gradient is what `finish` does, where that is nothing.

The same lines make the function that an object is called by: `call` hands all that it does not take
to the method that does (see GradientFunction).
"""
from __future__ import annotations

import itertools
import linecache
import types
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tangent_lite import trees
from tangent_lite.determined import is_determined
from tangent_lite.entry_containers import Walks, tells
from tangent_lite.fresh_results import fresh_results
from tangent_lite.keys import ELSEWHERE, PLAIN, key_of
from tangent_lite.resolve import MISSING
from tangent_lite.tracebacks import THE_WAY_INTO, plain

_numbers = itertools.count(1)


class Entry(NamedTuple):
    """The way into a variant.

    enter: takes arguments by position, and says ELSEWHERE to what it does not take; code, space,
    arity: of the function that an object is called by.
    """
    enter: Callable[..., Any]
    code: types.CodeType
    space: dict[str, Any]
    arity: int

    def call_of(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        """What an object of this name is called by, which hands on to a method."""
        def hand_on(given: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
            while given and given[-1] is MISSING:
                given = given[:-1]
            return method(*given, **keywords)

        return types.FunctionType(self.code, {**self.space, "hand_on": hand_on}, name,
                                  (MISSING,) * self.arity)


def entry(variant: Any, values: Sequence[Any],
          compiled: Callable[..., Any] | None = None,
          packers: dict[int, Callable[[Any], Any]] | None = None) -> Entry | None:
    """The way into a variant for arguments like these; None if it takes more than that.

    compiled: machine code, whose results are as they are to be returned, and which may stop;
    packers: by position, what looks at an argument itself and takes it apart for machine code.
    """
    request = variant.request
    if variant.form not in ("grad", "value_and_grad") or request.keyword_only or request.bound \
            or variant.sharing.is_needed:
        return None
    space: dict[str, Any] = {"main": compiled or variant.call, "finish": variant.finish,
                             "ndarray": np.ndarray,
                             "ELSEWHERE": ELSEWHERE, "MISSING": MISSING, "key_of": key_of,
                             "plain": plain}
    names = [f"x{k}" for k in range(len(values))]
    arguments = ", ".join(names)
    walked = _walks(variant, values, names, space) if compiled is None else None
    packers = packers or {}
    looked_at = packers if walked is None else walked.spots
    straight = [k for k in range(len(values)) if k not in looked_at]
    way = _Plain(variant, values, names, space, compiled is None)
    tests = [_is_like(names[k], values[k], space, not way.by_shape) for k in straight]
    tests += _names_mean_the_same(variant, space)
    lines = [f"def enter({arguments}):"]
    if tests:
        lines += ["    try:", f"        if not ({' and '.join(tests)}):",
                  "            return ELSEWHERE",
                  "    except KeyError:", "        return ELSEWHERE"]
    if compiled is not None:
        space["otherwise"] = variant.otherwise
        space.update({f"pack_{k}": pack for k, pack in packers.items()})
        given = ", ".join(f"*pack_{k}({n})" if k in packers else n for k, n in enumerate(names))
        lines += [*way.shapes_fit(), "    try:", f"        return main({given})",
                  "    except Exception as error:",
                  f"        return otherwise(({arguments},), error)"]
    elif walked is not None:
        # Only once it is known what containers hold can be asked how large that is.
        lines += [*walked.before, *way.shapes_fit(), f"    found = main({arguments})",
                  *walked.behind]
    else:
        lines += way.lines()
    lines += ["", *_called_by(lines, names)]
    text = "\n".join(lines) + "\n"
    filename = f"{THE_WAY_INTO}{variant.derivative.main.name} {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    exec(compile(text, filename, "exec"), space)
    return Entry(space["enter"], space["call"].__code__, space, len(names))


def _called_by(lines: list[str], names: list[str]) -> list[str]:
    """The lines of `enter` as those of the function that an object is called by."""
    given = "".join(f"{name}, " for name in names)
    hand_on = f"return hand_on(({given}*more), keywords)"
    body = [line.replace("return ELSEWHERE", hand_on) for line in lines[1:]]
    return [f"def call({given}/, *more, **keywords):" if names else
            "def call(*more, **keywords):", "    try:",
            "        if more or keywords:", f"            {hand_on}",
            *[f"    {line}" for line in body],
            "    except Exception as error:", "        raise plain(error)"]


class _Walked(NamedTuple):
    """What stands in front of and behind the call where arguments hold others."""
    spots: list[int]            # of these arguments
    before: list[str]
    behind: list[str]


def _walks(variant: Any, values: Sequence[Any], names: list[str],
           space: dict[str, Any]) -> _Walked | None:
    spots = [k for k, v in enumerate(values) if type(v) in (list, tuple, dict)]
    fresh = fresh_results(variant.derivative.main)
    if fresh is not None and not (len(fresh) == len(variant.paths) and all(
            tells(own, values[spot]) for own, spot in zip(fresh, variant.spots))):
        fresh = None
    space["held_by"] = lambda *given: trees.owners(trees.arrays_in(given))
    walks = Walks(space, _is_like, None if fresh is None else f"held_by({', '.join(names)})")
    if not spots or any(len(path) > 1 for path in variant.paths) or variant.has_ducks \
            or not all(map(walks.fits, values)):
        return None
    space["finish_part"] = trees.finish
    given = [n for n, v in zip(names, values) if type(v) is np.ndarray]
    if walks.collects:
        walks.write(1, f"held = [{', '.join(f'id({n}), id({n}.base)' for n in given)}]")
    for k in spots:
        walks.look(names[k], values[k])
    before, walks.lines = walks.lines, []
    parts = [f"b{k}" for k in range(len(variant.paths))]
    unpacked = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    whole = variant.form == "value_and_grad"
    walks.write(1, f"{'value, ' if whole else ''}{unpacked} = found")
    if walks.collects:
        walks.write(1, "held = {*held}")
    known: list[Any] = [*fresh] if fresh else [None] * len(parts)
    for part, spot, own in zip(parts, variant.spots, known):
        walks.put(part, names[spot], values[spot], own)
    result = parts[0] if variant.single else f"({', '.join(parts)},)"
    walks.write(1, f"return {'value, ' if whole else ''}{result}")
    return _Walked(spots, before, walks.lines)


def _is_like(name: str, value: Any, space: dict[str, Any], with_rank: bool = True) -> str:
    """Whether an argument has the key of a value; with_rank: the number of dimensions too."""
    kind = type(value)
    if kind is np.ndarray:
        space[f"{name}_dtype"] = value.dtype
        rank = f"and {name}.ndim == {value.ndim} " if with_rank else ""
        return f"type({name}) is ndarray {rank}and {name}.dtype is {name}_dtype"
    if kind in PLAIN:
        space[f"{name}_type"] = kind
        return f"type({name}) is {name}_type"
    space[f"{name}_key"] = key_of(value)
    return f"key_of({name}) == {name}_key"


def _names_mean_the_same(variant: Any, space: dict[str, Any]) -> list[str]:
    """What `variant.holds()` asks, written out where it is short; KeyError: a name is gone."""
    watched = variant.watched
    if watched.varies or watched.changeable or watched.defaults \
            or len(watched.checks) + len(watched.codes) > 12:
        space["holds"] = variant.holds
        return ["holds()"]
    tests = []
    for number, (function, code) in enumerate(watched.codes):
        space[f"function_{number}"], space[f"code_{number}"] = function, code
        tests.append(f"function_{number}.__code__ is code_{number}")
    for number, (table, name, old) in enumerate(watched.checks):
        space[f"old_{number}"] = old
        if type(table) is dict and old is not MISSING:
            space[f"table_{number}"] = table
            tests.append(f"table_{number}[{name!r}] is old_{number}")
        else:
            space[f"look_{number}"] = table.get
            tests.append(f"look_{number}({name!r}, MISSING) is old_{number}")
    return tests


class _Plain:
    """The way for arguments of which none holds others: looks at shapes, the call, looks at what
    it returns.

    by_shape: shapes are first compared with those of the arguments that this is written for, as
    they mostly are; else numbers of dimensions are looked at beforehand; once: where they are the
    same, results are looked at until they have been found to be as they are to be returned.
    """

    def __init__(self, variant: Any, values: Sequence[Any], names: list[str],
                 space: dict[str, Any], in_python: bool) -> None:
        self.variant, self.values, self.names, self.space = variant, values, names, space
        self.given = ", ".join(names)
        self.arrays = [(n, v) for n, v in zip(names, values) if type(v) is np.ndarray]
        self.are_plain = all(type(v) in PLAIN or type(v) is np.ndarray for v in values)
        self.fresh = fresh_results(variant.derivative.main)
        self.once = self.are_plain and in_python and self.looks_once()
        self.by_shape = self.are_plain and bool(self.arrays) \
            and (variant.fits_all is not None or self.once)
        if variant.fits_all is not None:
            space["fits"] = variant.fits_all
        if self.by_shape:
            space.update({f"{name}_shape": value.shape for name, value in self.arrays})

    def looks_once(self) -> bool:
        """Whether results that were found to be as they are to be returned will be so again, for
        arguments of the same types and shapes."""
        variant = self.variant
        return self.fresh is not None and all(own is True for own in self.fresh) \
            and variant.pushed is None \
            and (variant.form == "grad" or variant.single or len(variant.paths) > 1) \
            and all(type(v) is float or (type(v) is np.ndarray and v.dtype == float)
                    for v in self.values) \
            and is_determined(variant.derivative.main)

    def shapes_fit(self) -> list[str]:
        """Look whether what is assumed of shapes holds."""
        call = f"main({self.given})"
        if self.by_shape:
            ranks = [f"{name}.ndim == {value.ndim}" for name, value in self.arrays]
            fits = [f"fits({self.given})"] if self.variant.fits_all is not None else []
            return [*[f"    {name}_now = {name}.shape" for name, _ in self.arrays],
                    f"    same = {' and '.join(f'{n}_now == {n}_shape' for n, _ in self.arrays)}",
                    *(["    if same and seen:", f"        return {self.returned(call)}"]
                      if self.once else []),
                    f"    if not (same or ({' and '.join([*ranks, *fits])})):",
                    "        return ELSEWHERE"]
        if self.once:
            return ["    if seen:", f"        return {self.returned(call)}"]
        if self.variant.fits_all is not None:
            return [f"    if not fits({self.given}):", "        return ELSEWHERE"]
        return []

    def lines(self) -> list[str]:
        tests = self.result_tests()
        self.once = self.once and bool(tests)
        lines = [*self.shapes_fit(), f"    found = main({self.given})"]
        if tests:
            parts = [f"b{k}" for k in range(len(self.variant.paths))]
            unpacked = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
            whole = self.variant.form == "value_and_grad"
            lines += [f"    {'_, ' if whole else ''}{unpacked} = found",
                      f"    if {' and '.join(tests)}:"]
            if self.once:
                lines = ["    global seen", *lines,
                         f"        seen = {'seen or same' if self.by_shape else 'True'}"]
                self.space["seen"] = False
            lines.append(f"        return {self.returned('found')}")
        return [*lines, f"    return finish(found, ({self.given},))"]

    def returned(self, found: str) -> str:
        """What the way in returns, of what the emitted function does."""
        if self.variant.single or len(self.variant.paths) > 1:
            return found
        return f"{found}[0], ({found}[1],)" if self.variant.form == "value_and_grad" \
            else f"({found},)"

    def result_tests(self) -> list[str]:
        """Whether the gradients are as they are to be returned; none if that is not so at all."""
        variant = self.variant
        if any(len(path) > 1 for path in variant.paths) or not self.are_plain:
            return []
        parts = [f"b{k}" for k in range(len(variant.paths))]
        tests, arrays = [], []
        for part, spot, own in zip(parts, variant.spots, self.fresh or [False] * len(parts)):
            name, value = self.names[spot], self.values[spot]
            if type(value) is float:
                tests.append(f"type({part}) is {name}_type")
            elif type(value) is np.ndarray and value.dtype.kind in "fc":
                tests.append(f"type({part}) is ndarray and {part}.dtype is {name}_dtype "
                             f"and {part}.shape == {name}{'_now' if self.by_shape else '.shape'}")
                tests += [] if own else [f"{part}.base is None", f"{part}.flags.writeable"]
                arrays.append(part)
            else:
                return []
        if arrays and self.fresh is None:
            # Each owns its memory, so it is the caller's unless it is an array known already.
            ids = ", ".join(f"id({a})" for a in arrays)
            known = ", ".join(f"id({n}), id({n}.base)" for n, _ in self.arrays)
            if len(arrays) > 1:
                tests.append(f"len(ids := {{{ids}}}) == {len(arrays)}")
                tests.append(f"ids.isdisjoint(({known}))")
            else:
                tests.append(f"{ids} not in ({known})")
        return tests
