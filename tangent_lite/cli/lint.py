"""The command lint: what is looked at, how it is printed, and the exit code."""
from __future__ import annotations

import argparse
import inspect
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tangent_lite import cli
from tangent_lite.api import GradientFunction
from tangent_lite.lint import CODES, Finding, Report, report
from tangent_lite.operators import Operator

OK, FOUND, COULD_NOT = 0, 1, 2
_GRAVITIES = ("error", "warning", "note")


def run(options: argparse.Namespace) -> int:
    """Look at all targets and print what is found; 0: nothing but notes, 1: errors or warnings, 2:
    something could not be looked at."""
    chosen = _Chosen(options)
    found: dict[Any, Finding] = {}
    failures: list[str] = []
    reports: list[Report] = []
    for target in _targets(options, failures):
        try:
            reports.append(report(target.function, target.arguments, target.wrt,
                                  options.mode == "forward", target.is_asked_for))
        except Exception as error:          # a fault of ours: the other functions are still told of
            failures.append(f"tangent_lite: {target.function.__qualname__}: "
                            f"{type(error).__name__}: {error}")
            continue
        for one in reports[-1].findings:
            found.setdefault((one.code, one.place, one.message), one)
    shown = [one for one in found.values() if chosen.is_shown(one)]
    show = short if options.format == "short" else full
    for one in shown:
        print(show(one))
    hidden = sum(chosen.is_hidden_note(one) for one in found.values())
    if options.format == "full" and (reports or not failures):
        print(("\n" if shown else "") + _summary(shown, hidden, reports))
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures:
        return COULD_NOT
    return FOUND if any(one.severity != "note" for one in shown) else OK


class _Chosen:
    """Which findings are asked for."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.select, self.ignore = _codes(options.select), _codes(options.ignore)
        self.notes = options.notes

    def is_shown(self, one: Finding) -> bool:
        return self._is_chosen(one) and (
            self.notes or one.severity != "note" or bool(self.select))

    def is_hidden_note(self, one: Finding) -> bool:
        return self._is_chosen(one) and not self.is_shown(one)

    def _is_chosen(self, one: Finding) -> bool:
        return one.code.startswith(self.select or ("TL",)) and not (
            self.ignore and one.code.startswith(self.ignore))


def _codes(text: str | None) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in (text or "").split(",") if part.strip())
    for part in parts:
        if not any(code.startswith(part) for code in CODES):
            raise cli.Refusal(f"tangent_lite: there is no code {part}; there are "
                              f"{', '.join(CODES)}")
    return parts


# What is looked at ------------------------------------------------------------------------------
@dataclass
class _Target:
    """A function, the arguments and the parameters for which to look at it, and whether it was
    named."""
    function: Any
    arguments: tuple[Any, ...] | None
    wrt: Any
    is_asked_for: bool


def _targets(options: argparse.Namespace, failures: list[str]) -> Iterator[_Target]:
    """All functions that are to be looked at; failures: is told of what cannot be."""
    seen: set[Any] = set()
    wrt = cli.wrt_of(options.wrt)
    if options.args is not None and (len(options.targets) > 1 or _file_of(options.targets[0])):
        raise cli.Refusal("tangent_lite: --args are the arguments of one function: "
                          "FILE.py:FUNCTION")
    for target in options.targets:
        files = _file_of(target)
        try:
            if not files:
                yield _named(target, options, wrt)
        except cli.Refusal as error:
            failures.append(str(error))
        for file in files:
            try:
                module = cli.module_at(file)
            except cli.Refusal as error:
                failures.append(str(error))
                continue
            for function, first in _all_of(module):
                if function not in seen:
                    seen.add(function)
                    yield _Target(function, None, first if wrt is None else wrt, False)


def _named(target: str, options: argparse.Namespace, wrt: Any) -> _Target:
    """The function that FILE.py:FUNCTION names."""
    path = Path(target)
    if path.is_dir():
        raise cli.Refusal(f"tangent_lite: there is no Python file in {target}")
    if not path.exists() and ":" not in target.removeprefix(path.drive):
        raise cli.Refusal(f"tangent_lite: there is no file or folder {target}")
    module, function = cli.function_of(target)
    arguments = None if options.args is None else cli.arguments_of(options, module, function)
    return _Target(function, arguments, 0 if wrt is None else wrt, True)


def _file_of(target: str) -> list[Path]:
    """The files that a target means as a whole; none if it names a function."""
    path = Path(target)
    if path.is_dir():
        return sorted(p for p in path.rglob("*.py") if not any(
            part.startswith((".", "__pycache__")) for part in p.relative_to(path).parts))
    return [path] if path.suffix == ".py" and path.is_file() else []


def _all_of(module: types.ModuleType) -> Iterator[tuple[Any, int]]:
    """The functions of a module and the methods of its classes that take something, and which
    parameter is asked for: of a method that behind self."""
    for name in cli.functions_of(module):
        owner: Any = module
        *around, last = name.split(".")
        for part in around:
            owner = getattr(owner, part)
        found = getattr(owner, last)
        if isinstance(found, (GradientFunction, Operator)):
            found = found.primal
        if isinstance(found, types.FunctionType) and found.__code__.co_argcount \
                and found.__code__.co_filename == module.__file__:
            is_method = isinstance(owner, type) and not isinstance(
                inspect.getattr_static(owner, last), staticmethod)
            yield found, int(is_method and found.__code__.co_argcount > 1)


# How it is printed --------------------------------------------------------------------------------
def full(one: Finding) -> str:
    """A finding as a block: where, what, the line with carets, what to write instead."""
    parts = [f"{_where(one)}: {one.code} {one.severity}: {one.message}"]
    if one.place is not None:
        parts.append(one.place.show())
    if one.fix is not None:
        parts.append(f"    Instead: {one.fix}".replace("\n", "\n             "))
    return "\n".join(line.rstrip() for line in "\n".join(parts).splitlines())


def short(one: Finding) -> str:
    """A finding on one line, as editors read it."""
    return f"{_where(one)}: {one.code} {' '.join(one.message.split())}"


def _where(one: Finding) -> str:
    return one.function if one.place is None else f"{one.place.where()}:{one.place.column + 1}"


def _summary(shown: list[Finding], hidden: int, reports: list[Report]) -> str:
    passed = sum(one.is_passed_over for one in reports)
    numbers = [(sum(one.severity == word for one in shown), word) for word in _GRAVITIES]
    told = ", ".join(_number(n, word) for n, word in numbers if n) or "nothing found"
    lines = [f"{told} in {_number(len(reports) - passed, 'function')}" if len(reports) > passed
             else "no function was looked at"]
    if passed:
        lines[0] += f", {passed} passed over, which take or give no numbers"
    if hidden:
        lines[0] += f" ({_number(hidden, 'note')} more with --notes)"
    unclear = sum(one.is_open for one in reports)
    if unclear:
        lines.append(f"of {_number(unclear, 'function')} more may be found if the arguments are "
                     "known: by annotations or --args")
    return "\n".join(lines)


def _number(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
