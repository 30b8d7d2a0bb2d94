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
    by_shape = variant.fits_all is not None and all(
        type(v) in PLAIN or type(v) is np.ndarray for v in values)
    tests = [_is_like(names[k], values[k], space, not by_shape) for k in straight]
    tests += _names_mean_the_same(variant, space)
    lines = [f"def enter({arguments}):"]
    if tests:
        lines += [f"    if not ({' and '.join(tests)}):", "        return ELSEWHERE"]
    fit = _shapes_fit(variant, values, names, by_shape, space)
    if compiled is not None:
        space["otherwise"] = variant.otherwise
        space.update({f"pack_{k}": pack for k, pack in packers.items()})
        given = ", ".join(f"*pack_{k}({n})" if k in packers else n for k, n in enumerate(names))
        lines += ["    try:", f"        return main({given})", "    except Exception as error:",
                  f"        return otherwise(({arguments},), error)"]
    elif walked is not None:
        # Only once it is known what containers hold can be asked how large that is.
        lines += [*walked.before, *fit, f"    found = main({arguments})", *walked.behind]
    else:
        lines += [*fit, f"    found = main({arguments})"]
        lines += _result(variant, values, names, by_shape)
        lines.append(f"    return finish(found, ({arguments},))")
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


def _shapes_fit(variant: Any, values: Sequence[Any], names: list[str], by_shape: bool,
                space: dict[str, Any]) -> list[str]:
    """Look whether what is assumed of shapes holds. by_shape: it does where all are as they were
    when this was written, as they mostly are; else numbers of dimensions are looked at first."""
    if variant.fits_all is None:
        return []
    lines = []
    space["fits"] = variant.fits_all
    tests = [f"fits({', '.join(names)})"]
    if by_shape:
        arrays = [(n, v) for n, v in zip(names, values) if type(v) is np.ndarray]
        space.update({f"{name}_shape": value.shape for name, value in arrays})
        lines = [f"    {name}_now = {name}.shape" for name, _ in arrays]
        same = " and ".join(f"{name}_now == {name}_shape" for name, _ in arrays)
        ranks = " and ".join(f"{name}.ndim == {value.ndim}" for name, value in arrays)
        tests = [f"({same}) or ({ranks} and {tests[0]})"]
    return [*lines, f"    if not ({tests[0]}):", "        return ELSEWHERE"]


def _names_mean_the_same(variant: Any, space: dict[str, Any]) -> list[str]:
    """What `variant.holds()` asks, written out where it is short."""
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
        space[f"look_{number}"], space[f"old_{number}"] = table.get, old
        tests.append(f"look_{number}({name!r}, MISSING) is old_{number}")
    return tests


def _result(variant: Any, values: Sequence[Any], names: list[str], by_shape: bool) -> list[str]:
    """Return the gradients as they are, if that is how they are returned; by_shape: the shapes of
    arguments have been asked for."""
    if any(len(path) > 1 for path in variant.paths) \
            or not all(type(v) in PLAIN or type(v) is np.ndarray for v in values):
        return []
    parts = [f"b{k}" for k in range(len(variant.paths))]
    fresh = fresh_results(variant.derivative.main)
    tests, arrays = [], []
    for part, spot, own in zip(parts, variant.spots, fresh or [False] * len(parts)):
        name, value = names[spot], values[spot]
        if type(value) is float:
            tests.append(f"type({part}) is {name}_type")
        elif type(value) is np.ndarray and value.dtype.kind in "fc":
            tests.append(f"type({part}) is ndarray and {part}.dtype is {name}_dtype "
                         f"and {part}.shape == {name}{'_now' if by_shape else '.shape'}")
            tests += [] if own else [f"{part}.base is None", f"{part}.flags.writeable"]
            arrays.append(part)
        else:
            return []
    given = [n for n, v in zip(names, values) if type(v) is np.ndarray]
    if arrays and fresh is None:
        # Each owns its memory, so it is the caller's unless it is an array that is known already.
        ids = ", ".join(f"id({a})" for a in arrays)
        known = ", ".join(f"id({n}), id({n}.base)" for n in given)
        if len(arrays) > 1:
            tests.append(f"len(ids := {{{ids}}}) == {len(arrays)}")
            tests.append(f"ids.isdisjoint(({known}))")
        else:
            tests.append(f"{ids} not in ({known})")
    unpacked = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    whole = variant.form == "value_and_grad"
    lines = [f"    {'_, ' if whole else ''}{unpacked} = found",
             f"    if {' and '.join(tests)}:"]
    if len(parts) == 1 and not variant.single:
        return [*lines, f"        return {'found[0], ' if whole else ''}({parts[0]},)"]
    return [*lines, "        return found"]
