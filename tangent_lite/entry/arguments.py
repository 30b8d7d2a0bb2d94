"""What a derivative is called by: arguments by position, by name and by default, for the way in.

    def call(p=MISSING, n=MISSING, *more):
        x1 = p
        x2 = n
        if x2 is MISSING and function.__defaults__ is defaults:
            x2 = default_x2
        if more or not (type(x1) is float and ...):
            return hand_on((x1, x2), more, {})
        ...

The parameters have the names that they have for the user, so Python itself binds them, unless these
are names of ours: then `**keywords` takes what is given by name, a dict at each call.

What it does not take it hands to the method that takes everything (see GradientFunction), as it was
given. What a bound method fills itself, x0 here, is known when the function is made.
"""
from __future__ import annotations

import ast
import re
import types
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tangent_lite.calling.keys import ELSEWHERE
from tangent_lite.calling.resolve import MISSING


class Entry(NamedTuple):
    """The way into a variant.

    enter: takes all arguments by position, and says ELSEWHERE to what it does not take; call,
    space: the function that an object is called by, and its names; arity: how many arguments go by
    position; fused: the derivative and its questions as one function, where that can be.
    """
    enter: Callable[..., Any]
    call: Any
    space: dict[str, Any]
    arity: int
    fused: Any = None

    def call_of(self, name: str, method: Callable[..., Any], bound: Sequence[Any],
                visible: Sequence[str]) -> Callable[..., Any]:
        """What an object of this name is called by, which hands on to a method; bound: what a
        bound method fills itself; visible: the names of the other parameters."""
        if self.fused is not None:
            return self.fused.call_of(method, bound, visible)
        known = {f"x{k}": value for k, value in enumerate(bound)}
        known["hand_on"] = hand_on_to(method, self.arity, visible)
        known["divided"] = divided_by(method, self.arity, visible)
        made = types.FunctionType(self.call.__code__, {**self.space, **known}, name,
                                  self.call.__defaults__)
        made.__kwdefaults__ = self.call.__kwdefaults__
        made.__qualname__ = name                        # Python's own errors say that
        return made


def hand_on_to(method: Callable[..., Any], count: int, visible: Sequence[str]) \
        -> Callable[..., Any]:
    """What gives to a method the arguments of a call as they were given; count: how many go by
    position; visible: the names of all."""
    def hand_on(values: tuple[Any, ...], more: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        args, named = _as_given(values, count, visible)
        return method(*args, *more, **named, **keywords)

    return hand_on


def divided_by(method: Callable[..., Any], count: int, visible: Sequence[str]) \
        -> Callable[..., Any]:
    """The same for a call in which a number was divided by zero; it may give MISSING."""
    of_object = method.__self__.divided                             # type: ignore[attr-defined]

    def divided(values: tuple[Any, ...], more: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        args, named = _as_given(values, count, visible)
        found = of_object((*args, *more), {**named, **keywords})
        return MISSING if found is ELSEWHERE else found

    return divided


def _as_given(values: tuple[Any, ...], count: int,
              visible: Sequence[str]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    # What stands behind something that is missing was given by name.
    given = next((k for k in range(count) if values[k] is MISSING), count)
    return values[:given], {n: v for n, v in zip(visible[given:], values[given:])
                            if v is not MISSING}


def called_by(request: Any, lines: list[str], names: list[str],
              space: dict[str, Any]) -> list[str]:
    """The lines of the function that an object is called by.

    lines: of the body of `enter`; names: of its parameters, to which more may be added in space.
    """
    names = names[len(request.bound):]
    defaults = defaults_filled(request, names, space) if request.binds_plainly else []
    more = "more or keywords"
    if request.binds_plainly and _are_free(request.visible, names, [*lines, *defaults]):
        parameters, binding = _by_name(request, names)
        keywords, more = "{}", "more"
    else:
        by_position = names[:len(names) - len(request.keyword_only)]
        parameters = [*(f"{name}=MISSING" for name in by_position),
                      *("/" for _ in by_position[:1]), "*more", "**keywords"]
        binding = [f"    {name} = MISSING" for name in names[len(by_position):]]
        keywords = "keywords"
        if request.binds_plainly:
            binding += ["    if keywords:", "        take = keywords.pop"]
            for name, visible in zip(names, request.visible):
                binding += [f"        if {name} is MISSING:",
                            f"            {name} = take({visible!r}, MISSING)"]
    hand_on = f"return hand_on(({', '.join(names)}{',' * bool(names)}), more, {keywords})"
    outer = [line for line in lines if line.startswith("    global ")]
    body = [line.replace("return ELSEWHERE", hand_on) for line in lines if line not in outer]
    divided = hand_on.replace("return hand_on", "found = divided", 1)
    return [f"def call({', '.join(parameters)}):", *outer, "    try:",
            *[f"    {line}" for line in [*binding, *defaults]],
            f"        if {more}:", f"            {hand_on}",
            *[f"    {line}" for line in body],
            "    except DIVIDED as error:", f"        {divided}",
            "        if found is MISSING:", "            raise plain(error)",
            "        return found",
            "    except Exception as error:", "        raise plain(error)"]


def _by_name(request: Any, names: list[str]) -> tuple[list[str], list[str]]:
    """The parameters under the names that they have for the user, and the lines that give them
    ours."""
    count = len(names) - len(request.keyword_only)
    given = [f"{visible}=MISSING" for visible in request.visible]
    return [*given[:count], "*more", *given[count:]], [
        f"    {name} = {visible}" for name, visible in zip(names, request.visible)
        if name != visible]


def _are_free(visible: Sequence[str], names: Sequence[str], lines: list[str]) -> bool:
    """Whether the user's names of parameters mean nothing else in the lines of ours."""
    taken = {"more", "hand_on", "divided", "plain", "error", "Exception", "DIVIDED", "MISSING",
             *names}
    words = {*taken, *re.findall(r"\w+", "\n".join(lines))}
    if words.isdisjoint(name for name, ours in zip(visible, names) if name != ours):
        return True                                     # as most are, without a look at the code
    for node in ast.walk(ast.parse("\n".join(["def call():", *lines, "    pass"]))):
        if isinstance(node, ast.Name):
            taken.add(node.id)
        elif isinstance(node, ast.Global):
            taken.update(node.names)
    return all(name == ours or name not in taken for name, ours in zip(visible, names))


def defaults_filled(request: Any, names: list[str], space: dict[str, Any]) -> list[str]:
    """The lines that fill in defaults, unless these have been replaced."""
    by_name = request.function.__kwdefaults__ or {}
    space.update(function=request.function, defaults=request.function.__defaults__, by_name=by_name)
    lines = []
    for name, visible in zip(names, request.visible):
        if visible not in request.defaults:
            continue
        space[f"default_{name}"] = request.defaults[visible]
        same = "function.__defaults__ is defaults" if visible not in by_name else \
            f"function.__kwdefaults__ is by_name and by_name.get({visible!r}) is default_{name}"
        lines += [f"    if {name} is MISSING and {same}:", f"        {name} = default_{name}"]
    return lines
