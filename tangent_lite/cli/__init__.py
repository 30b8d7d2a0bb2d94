"""The command line: look at, write, and check derivatives of functions in files.

    python -m tangent_lite show FILE.py:FUNCTION      print the derivative (-o page.html: a page)
    python -m tangent_lite grad FILE.py:FUNCTION      the derivative as a module of its own
    python -m tangent_lite check FILE.py:FUNCTION     compare it with differences
    python -m tangent_lite lint FILE.py[:FUNCTION]    what stands in the way of a good derivative
    python -m tangent_lite explain FILE.py:FUNCTION   how the derivative comes about (-o page.html:
                                                      with a picture of the computation graph)
    python -m tangent_lite rules [NAME]               the rules, as their formulas
"""
from __future__ import annotations

import argparse
import contextlib
import inspect
import sys
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tangent_lite.api import GradientFunction, grad
from tangent_lite.api.reading import called
from tangent_lite.errors import TangentError, WrtError
from tangent_lite.modules import module_of
from tangent_lite.operators import Operator
from tangent_lite.tracebacks import place_of_user

_OK, _WRONG, _ERROR = 0, 1, 2
_PROGRAM = "tangent_lite"


class Refusal(Exception):
    """Something that the user can put right: printed as it is."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; 0 if all is well, 1 if a derivative is wrong or lint found something, 2 for an
    error."""
    options = _parser().parse_args(argv)
    try:
        return options.command(options)
    except Refusal as error:
        print(error, file=sys.stderr)
    except (TangentError, OSError) as error:
        print(f"{_PROGRAM}: {error}", file=sys.stderr)
    except UnicodeEncodeError as error:
        print(f"{_PROGRAM}: the output has characters that {error.encoding} has not\n"
              "    Instead: set PYTHONIOENCODING=utf-8, or write it to a file with -o",
              file=sys.stderr)
    except Exception as error:
        # A fault of the function, as check runs it, or of ours.
        print(f"{_PROGRAM}: {_last_line(error)}{_where(error)}", file=sys.stderr)
    return _ERROR


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=_PROGRAM, description="Derivatives of plain Python and NumPy, as source.",
        epilog='COMMAND -h tells more. For example:  python -m tangent_lite show model.py:height '
               '--args "9.0, 0.1, 40"')
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def command(name: str, run: Callable[[argparse.Namespace], int], about: str,
                output: str | None) -> None:
        one = commands.add_parser(name, help=about, description=about)
        one.set_defaults(command=run)
        one.add_argument("target", metavar="FILE.py:FUNCTION",
                         help="a function, or a method as Class.method")
        one.add_argument("--wrt", metavar="a,b", help="parameters (names, positions, self.W)")
        one.add_argument("--args", metavar='"1.0, np.ones(3)"',
                         help="example arguments: the derivative for such arguments")
        one.add_argument("--mode", choices=("reverse", "forward"), default="reverse")
        if output:
            one.add_argument("-o", "--output", metavar="FILE", help=output)

    command("show", _show, "print the derivative of a function",
            "write it there; a name in .html makes a page")
    command("grad", _grad, "write the derivative as a module that needs NumPy only",
            "the module to write (printed if left out)")
    command("check", _check, "compare the derivative with differences of the function", None)
    command("explain", _explain, "tell how the derivative comes about, statement by statement",
            "write it there; a name in .html makes a page with a picture, one in .svg the picture")
    lint = commands.add_parser("lint", help="tell what stands in the way of a good derivative",
                               description="tell all that stands in the way of a good derivative")
    lint.set_defaults(command=_lint)
    lint.add_argument("targets", metavar="FILE.py[:FUNCTION]", nargs="+",
                      help="a function, all functions of a file, or of the files of a folder")
    lint.add_argument("--wrt", metavar="a,b", help="parameters (the first, if left out)")
    lint.add_argument("--args", metavar='"1.0, np.ones(3)"',
                      help="example arguments of the function: more can be told of it")
    lint.add_argument("--mode", choices=("reverse", "forward"), default="reverse")
    lint.add_argument("--format", choices=("full", "short"), default="full",
                      help="short: file:line:column: CODE message, for editors")
    lint.add_argument("--select", metavar="CODES", help="only these codes (TL102,TL2)")
    lint.add_argument("--ignore", metavar="CODES", help="not these codes")
    lint.add_argument("--notes", action="store_true",
                      help="kinks, jumps and what loops record as well")
    rules = commands.add_parser("rules", help="print rules as their formulas",
                                description="print rules as their formulas")
    rules.set_defaults(command=_rules)
    rules.add_argument("name", nargs="?", metavar="NAME",
                       help="a function, as np.tanh or tanh; left out: the names of all")
    return parser


# Commands -------------------------------------------------------------------------------------
def _show(options: argparse.Namespace) -> int:
    from tangent_lite.written.highlight import as_page, for_terminal
    derivative, arguments = _derivative(options)
    if arguments is not None:
        text = derivative.source_for(*arguments)
    else:
        text = derivative.source
    if options.output is None:
        print(for_terminal(text) if sys.stdout.isatty() else text, end="")
        return _OK
    if Path(options.output).suffix.lower() in (".html", ".htm"):
        text = as_page(text, derivative.__name__)
    return _write(options.output, text, derivative)


def _grad(options: argparse.Namespace) -> int:
    derivative, arguments = _derivative(options)
    text = derivative.standalone(*(arguments or ()))
    if options.output is None:
        print(text, end="")
        return _OK
    return _write(options.output, text, derivative)


def _check(options: argparse.Namespace) -> int:
    from tangent_lite.checking import Mismatch, compare
    module, function = function_of(options.target)
    arguments = arguments_of(options, module, function)
    if arguments is None:
        raise Refusal(_no_arguments(function))
    try:
        number = compare(function, arguments, wrt_of(options.wrt),
                         mode="fwd" if options.mode == "forward" else "rev")
    except Mismatch as error:
        print(error)
        return _WRONG
    print(f"{_named(function)}: "
          f"{'1 derivative agrees' if number == 1 else f'{number} derivatives agree'} "
          "with differences")
    return _OK


def _explain(options: argparse.Namespace) -> int:
    from tangent_lite.explain import as_text, explain
    from tangent_lite.explain.page import as_page, as_picture
    derivative, arguments = _derivative(options)
    told = explain(derivative, arguments)
    if options.output is None:
        print(as_text(told), end="")
        return _OK
    kind = Path(options.output).suffix.lower()
    text = as_page(told) if kind in (".html", ".htm") else \
        as_picture(told) + "\n" if kind == ".svg" else as_text(told)
    return _write(options.output, text, derivative)


def _lint(options: argparse.Namespace) -> int:
    from tangent_lite.cli.lint import run
    return run(options)


def _rules(options: argparse.Namespace) -> int:
    from tangent_lite.cli.rules import run
    return run(options)


# What is asked for ----------------------------------------------------------------------------
def _derivative(options: argparse.Namespace) -> tuple[Any, tuple[Any, ...] | None]:
    module, function = function_of(options.target)
    arguments = arguments_of(options, module, function)
    wrt = wrt_of(options.wrt)
    wrt = 0 if wrt is None else wrt
    if options.mode == "forward":
        moving = wrt if isinstance(wrt, tuple) else (wrt,)
        return GradientFunction("jvp", function, moving, False, True), arguments
    return grad(function, wrt=wrt), arguments


def wrt_of(text: str | None) -> Any:
    """a,b as a tuple; one name alone stays alone."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",") if part.strip()]
    found = [int(part) if part.lstrip("-").isdigit() else part for part in parts]
    if not found:
        raise WrtError(f"--wrt {text!r} names nothing")
    return tuple(found) if len(found) > 1 else found[0]


def arguments_of(options: argparse.Namespace, module: types.ModuleType,
               function: Any) -> tuple[Any, ...] | None:
    """Example arguments: those of --args, else the defaults; None if some have none."""
    signature = inspect.signature(function)
    if options.args is None:
        values = [_example(parameter) for parameter in signature.parameters.values()]
        found = [value[0] for value in values if value is not None]
        return tuple(found) if len(found) == len(values) else None
    import numpy
    space = {"np": numpy, "numpy": numpy, **vars(module), "_call": lambda *a, **k: (a, k)}
    try:
        args, keywords = eval(f"_call({options.args})", space)
        bound = signature.bind(*args, **keywords)
    except Exception as error:
        raise Refusal(f"{_PROGRAM}: --args {options.args!r}: {type(error).__name__}: {error}\n"
                       f"    Instead: write the arguments of {_named(function)}{signature} "
                       "as in a call") from None
    bound.apply_defaults()
    return tuple(bound.arguments.values())


def _example(parameter: inspect.Parameter) -> tuple[Any] | None:
    """A value for a parameter: its default, or one that its annotation allows."""
    if parameter.default is not parameter.empty:
        return (parameter.default,)
    if parameter.annotation in (float, "float"):
        return (0.5,)
    if parameter.annotation in (complex, "complex"):
        return (0.5 + 0.25j,)
    return None


def _named(function: Any) -> str:
    """How messages name a function; a partial has no name."""
    return getattr(function, "__qualname__", None) or called(function)


def _no_arguments(function: Any) -> str:
    parameters = inspect.signature(function).parameters.values()
    missing = [p.name for p in parameters if _example(p) is None]
    shown = ", ".join("..." for _ in parameters)
    return (f"{_PROGRAM}: {_named(function)} has no default or plain annotation for "
            f"{', '.join(missing)}\n    Instead: give example arguments: --args \"{shown}\"")


# From FILE.py:FUNCTION to the function ----------------------------------------------------------
def function_of(target: str) -> tuple[types.ModuleType, Any]:
    """The function that FILE.py:FUNCTION means, and its module; Refusal if there is none."""
    name, _, function = target.rpartition(":")  # the last colon: a drive letter has one too
    if not function or not name.endswith(".py"):
        raise Refusal(f"{_PROGRAM}: {target!r} is not of the form FILE.py:FUNCTION")
    path = Path(name)
    if not path.is_file():
        raise Refusal(f"{_PROGRAM}: there is no file {name}")
    module = module_at(path)
    found: Any = module
    for part in function.split("."):
        found = getattr(found, part, None) if part else None
        if found is None:
            functions = functions_of(module)
            raise Refusal(f"{_PROGRAM}: {name} has no function {function}; it has "
                           f"{', '.join(functions) or 'none'}")
    if isinstance(found, (GradientFunction, Operator)):     # decorated with @grad and the like
        found = found.primal
    if not callable(found) or isinstance(found, type):
        raise Refusal(f"{_PROGRAM}: {function} in {name} is no function, but "
                       f"{'a class' if isinstance(found, type) else type(found).__name__}")
    return module, found


def functions_of(module: types.ModuleType) -> list[str]:
    """The names of the functions and methods that a module defines itself."""
    found = []
    for name, thing in vars(module).items():
        if module_of(thing) != module.__name__ or name.startswith("__"):
            continue
        if isinstance(thing, type):
            found += [f"{name}.{inner}" for inner, method in vars(thing).items()
                      if isinstance(method, (types.FunctionType, staticmethod))
                      and (not inner.startswith("__") or inner == "__call__")]
        elif callable(thing):
            found.append(name)
    return found


def module_at(path: Path) -> types.ModuleType:
    """Import a file as the module that it would be for scripts beside it."""
    import importlib
    import importlib.util
    folder, name = path.resolve().parent, path.stem
    while (folder / "__init__.py").is_file():   # a file of a package, with relative imports
        folder, name = folder.parent, f"{folder.name}.{name}"
    sys.path.insert(0, str(folder))
    try:
        with contextlib.redirect_stdout(sys.stderr):    # what it prints is no part of the answer
            if "." in name:
                return importlib.import_module(name)
            spec = importlib.util.spec_from_file_location(name, path.resolve())
            assert spec is not None and spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            # Not in the place of a module of that name which others use, such as code or types.
            sys.modules.setdefault(name, module)
            spec.loader.exec_module(module)
            return module
    except (Exception, SystemExit) as error:
        raise Refusal(f"{_PROGRAM}: {path} cannot be imported: {_last_line(error)}"
                       f"{_where(error, path)}") from None


def _last_line(error: BaseException) -> str:
    import traceback
    told = "".join(traceback.format_exception_only(type(error), error)).splitlines()
    notes = sum(note.count("\n") + 1 for note in getattr(error, "__notes__", ()))
    return told[-1 - notes].strip()


def _where(error: BaseException, path: Path | None = None) -> str:
    """The last place of the error (in the file, if there is one), with its line; of what a
    derivative computes, the line of the function."""
    import traceback
    if isinstance(error, SyntaxError) and error.lineno is not None:
        told = "".join(traceback.format_exception_only(type(error), error)).splitlines()
        file: Any = error.filename
        shown = path if path is not None and Path(file) == path.resolve() else file
        return "\n".join([f"\n    {shown}:{error.lineno}", *("    " + one for one in told[1:-1])])
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if path is None or Path(frame.filename) == path.resolve()]
    if not frames:
        return ""
    place = place_of_user(frames[-1].filename, frames[-1].lineno or 0)
    file, number, line = (place.file, place.line, place.text) if place is not None else (
        path or frames[-1].filename, frames[-1].lineno, frames[-1].line)
    return f"\n    {file}:{number}\n        {(line or '').strip()}"


def _write(path: str, text: str, derivative: GradientFunction) -> int:
    derivative.check_path(path)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refusal(f"{_PROGRAM}: {path} cannot be written: {error.strerror}") from None
    return _OK
