"""The command lint: what is looked at, how it is printed, and the exit code."""
from __future__ import annotations

import argparse
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tangent_lite import cli
from tangent_lite.api import GradientFunction
from tangent_lite.lint import CODES, Finding, lint
from tangent_lite.operators import Operator

OK, FOUND, COULD_NOT = 0, 1, 2
_GRAVITIES = ("error", "warning", "note")


def run(options: argparse.Namespace) -> int:
    """Look at all targets and print what is found; 0: nothing but notes, 1: errors or warnings, 2:
    something could not be looked at."""
    chosen = _Chosen(options)
    found: dict[Any, Finding] = {}
    failures: list[str] = []
    count = 0
    for function, arguments, is_asked_for in _functions(options, failures):
        count += 1
        try:
            findings = lint(function, arguments, _wrt(options, function, is_asked_for),
                            options.mode == "forward", is_asked_for)
        except Exception as error:          # a fault of ours: the other functions are still told of
            failures.append(f"tangent_lite: {function.__qualname__}: "
                            f"{type(error).__name__}: {error}")
            continue
        for one in findings:
            found.setdefault((one.code, one.place, one.message), one)
    shown = [one for one in found.values() if chosen.is_shown(one)]
    show = short if options.format == "short" else full
    for one in shown:
        print(show(one))
    hidden = sum(chosen.is_hidden_note(one) for one in found.values())
    if options.format == "full":
        print(("\n" if shown else "") + _summary(shown, hidden, count))
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
def _functions(options: argparse.Namespace, failures: list[str]) \
        -> Iterator[tuple[Any, tuple[Any, ...] | None, bool]]:
    """The functions, the arguments for which to look at each, and whether it was named."""
    seen: set[Any] = set()
    if options.args is not None and (len(options.targets) > 1 or _file_of(options.targets[0])):
        raise cli.Refusal("tangent_lite: --args are the arguments of one function: "
                          "FILE.py:FUNCTION")
    for target in options.targets:
        files = _file_of(target)
        if not files:
            module, function = cli.function_of(target)
            arguments = None if options.args is None else \
                cli.arguments_of(options, module, function)
            yield function, arguments, True
        for file in files:
            try:
                module = cli.module_at(file)
            except cli.Refusal as error:
                failures.append(str(error))
                continue
            for function in _all_of(module):
                if function not in seen:
                    seen.add(function)
                    yield function, None, False


def _file_of(target: str) -> list[Path]:
    """The files that a target means as a whole; none if it names a function."""
    path = Path(target)
    if path.is_dir():
        return sorted(p for p in path.rglob("*.py") if not any(
            part.startswith((".", "__pycache__")) for part in p.relative_to(path).parts))
    return [path] if path.suffix == ".py" and path.is_file() else []


def _all_of(module: types.ModuleType) -> Iterator[Any]:
    """The functions of a module and the methods of its classes that take something."""
    for name in cli.functions_of(module):
        found: Any = module
        for part in name.split("."):
            found = getattr(found, part)
        if isinstance(found, (GradientFunction, Operator)):
            found = found.primal
        if isinstance(found, types.FunctionType) and found.__code__.co_argcount \
                and found.__code__.co_filename == module.__file__:
            yield found


def _wrt(options: argparse.Namespace, function: Any, is_asked_for: bool) -> Any:
    """What is asked for: of a method of a file the parameter behind self."""
    if options.wrt is not None:
        return cli.wrt_of(options.wrt)
    is_method = "." in function.__qualname__.rpartition("<locals>.")[2]
    return 1 if is_method and not is_asked_for and function.__code__.co_argcount > 1 else 0


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


def _summary(shown: list[Finding], hidden: int, count: int) -> str:
    numbers = [(sum(one.severity == word for one in shown), word) for word in _GRAVITIES]
    told = ", ".join(_number(n, word) for n, word in numbers if n) or "nothing found"
    more = f" ({_number(hidden, 'note')} more with --notes)" if hidden else ""
    return f"{told} in {_number(count, 'function')}{more}"


def _number(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
