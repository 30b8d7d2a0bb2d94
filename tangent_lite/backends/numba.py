"""Derivatives compiled by Numba: from the emitted functions to one that runs at machine speed.

The text of the compiled functions is a page like that of the Python backend, and tracebacks of
Numba name its lines; `_refusal` says which lines of the user those are.
"""
from __future__ import annotations

import os
import re
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numba
from numba import types
from numba.core.errors import NumbaError, NumbaPerformanceWarning

import tangent_lite.backends.numba_called
import tangent_lite.backends.numba_cumulative
import tangent_lite.backends.numba_extremes
import tangent_lite.backends.numba_factorisations
import tangent_lite.backends.numba_grids
import tangent_lite.backends.numba_helpers
import tangent_lite.backends.numba_joining
import tangent_lite.backends.numba_limits
import tangent_lite.backends.numba_linalg
import tangent_lite.backends.numba_making
import tangent_lite.backends.numba_math
import tangent_lite.backends.numba_moving
import tangent_lite.backends.numba_numpy
import tangent_lite.backends.numba_orders
import tangent_lite.backends.numba_pieces
import tangent_lite.backends.numba_places
import tangent_lite.backends.numba_products
import tangent_lite.backends.numba_reshaping
import tangent_lite.backends.numba_shapes
import tangent_lite.backends.numba_structures  # noqa: F401
from tangent_lite import syntax
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_by_numpy import declare
from tangent_lite.backends.numba_checks import CheckedCompiler, CheckedCompilerOfMain
from tangent_lite.backends.numba_containers import PYTHON
from tangent_lite.backends.numba_disk import digest_of, keep, load, spelled
from tangent_lite.backends.numba_elements import OtherShapes
from tangent_lite.backends.numba_functions import unbound
from tangent_lite.backends.numba_groups import Group
from tangent_lite.backends.numba_linking import by_address
from tangent_lite.backends.numba_loop_writing import emit_statements
from tangent_lite.backends.numba_loops import written
from tangent_lite.backends.numba_lowering import Lowered, refused
from tangent_lite.backends.numba_packers import Part
from tangent_lite.backends.numba_passing import meaning, opened
from tangent_lite.backends.numba_settled_calls import settled_call
from tangent_lite.emit import emit
from tangent_lite.errors import TangentError
from tangent_lite.functions.units import Derivative
from tangent_lite.kinds import Kind
from tangent_lite.written.linemap import LineMap

declare()
_FIRST = 3                      # the line of the first `def`
# Types of Numba's that one type of Python's has, and nothing else of it.
_EXACT = (types.float64, types.int64, types.boolean)


class Compiled:
    """The compiled form of a derivative.

    main: what Numba made of the derivative itself; call(*values): the same with what it reads from
    outside filled in; seconds: the time that compiling took, so far.
    """

    def __init__(self, derivative: Derivative, options: dict[str, bool], lists: list[int],
                 functions: dict[str, Any], kinds_given: Mapping[str, Kind],
                 kinds_sized: Mapping[str, Kind], for_sizes: bool, returns_value: bool) -> None:
        """lists: the positions of arguments that are lists or hold some; functions: the arguments
        that are functions; kinds_given, kinds_sized, for_sizes: the kinds of the arguments
        (`Lowered`); returns_value: whether anybody is given the value."""
        # Who asks for another order of sums has one.
        self.is_exact = returns_value and not (options["fastmath"] or options["parallel"])
        self.given_functions = functions
        self.kinds_given, self.kinds_sized, self.for_sizes = kinds_given, kinds_sized, for_sizes
        self.name = derivative.main.name
        self.derivative, self.options, self.lists = derivative, options, lists
        self.seconds = 0.0
        self.lock = threading.RLock()           # one thread at a time compiles, or changes the form
        self.is_strict = False                  # see Lowered
        self.is_called = False                  # by compiled code
        self.whole: set[str] = set()            # groups of statements that have met other shapes
        # Whole arrays are what Numba divides among processors.
        self._make("statements" if options["parallel"] else "loops")

    def _make(self, how: str) -> None:
        """how: statements about arrays become "loops" for arrays of one shape (`numba_loops`), but
        for the groups in `self.whole`, "whole" functions for all shapes, or stay "statements"."""
        self.how = how
        lowered = self.lowered = Lowered(self.derivative, how != "statements", self.given_functions,
                                         self.kinds_given, self.kinds_sized, self.for_sizes,
                                         self.is_strict, self.is_exact)
        self.text = _text(lowered)
        self.lines: LineMap = lowered.lines(_FIRST)
        whole = {g.name for g in lowered.groups if how == "whole" or g.is_whole} | self.whole
        self.filename, functions = _load(self.text, lowered, self.options, whole, self.is_called)
        self.functions = functions
        self.main = functions[lowered.main.name]
        self.count = len(lowered.main.tree.args.args) - len(lowered.main.data)
        self.outside = [lowered.data[name] for name in lowered.main.data]
        self.entries: dict[Any, Any] = {}
        self.call = self._with_outside(self._opening() if self.lists else self.main)

    @property
    def rests_on_sizes(self) -> bool:
        """Whether it is for the sizes that `kinds_sized` say, and no others."""
        return self.lowered.rests_on_sizes

    def _with_outside(self, compiled: Any) -> Callable[..., Any]:
        """A function that is compiled, with what it reads from outside filled in at each call."""
        outside = self.outside
        if not outside:
            return compiled
        return lambda *values: compiled(*[look_up() for look_up in outside], *values)

    def _opening(self) -> Callable[..., Any]:
        """The derivative with its lists as they are passed (`numba_passing`)."""
        made: dict[Any, Any] = {}

        def opening(*values: Any) -> Any:
            kinds = _kinds(list(values))
            if kinds not in made:
                self.compile_kinds(kinds)
                made[kinds] = self._opening_of(kinds)
            return made[kinds](*values)

        return opening

    def _opening_of(self, kinds: tuple[Any, ...]) -> Any:
        """The same for arguments of these types, what is read from outside in front of them."""
        names = [f"a{k}" for k in range(len(kinds))]
        given = [f"opened({n})" if k - len(self.outside) in self.lists else n
                 for k, n in enumerate(names)]
        text = f"def {self.name}({', '.join(names)}): return main({', '.join(given)})"
        inside = tuple(map(meaning, kinds))
        digest = digest_of(text, os.path.basename(self.filename), *map(str, kinds))
        _, space, kept = load(digest, self.name, text, {
            "main": by_address(self.main, inside, self.symbol(inside)), "opened": opened},
            self.is_kept)
        made = numba.njit(error_model="python")(space[self.name])
        return keep(made) if kept else made

    @property
    def is_kept(self) -> bool:
        """Whether it lies on disk."""
        return not self.filename.startswith("<")

    def symbol(self, kinds: tuple[Any, ...]) -> str | None:
        """By which what is kept on disk calls it, compiled for arguments of these types."""
        said = digest_of(os.path.basename(self.filename), *map(str, kinds))
        return f"tangent_lite_{self.name}_{said}" if self.is_kept else None

    def make_for_callers(self) -> None:
        """From here on for compiled code too, which cannot come back for arrays of other shapes."""
        with self.lock:
            if self.how == "loops" and not self.is_called:
                self.is_called = True
                self._make("loops")

    def make_for(self, stopped: OtherShapes) -> None:
        """From here on for arrays of all shapes where those of a call were others: in that group of
        statements, and, if it is the second that was met, everywhere."""
        with self.lock:
            if self.how != "loops" or stopped.args[0] in self.whole:
                return
            self.whole.add(stopped.args[0])
            self._make("loops" if len(self.whole) == 1 else "whole")

    def compile_for(self, values: tuple[Any, ...]) -> Any:
        """Compile for arguments like these, if that was not done; the type of the result."""
        return self.compile_kinds(_kinds([*[look_up() for look_up in self.outside], *values]))

    def settled(self, with_value: bool, drops_value: bool, python: Any, values: tuple[Any, ...],
                kinds: tuple[Any, ...], holders: Mapping[int, Part],
                written: Mapping[int, str], attributes: list[tuple[str, ...]],
                asked: str) -> Callable[..., Any] | None:
        """What a call from Python runs for arguments of these types, and no others; None if Python
        has to look at the results.

        values: such arguments, those that hold others one by one; written, attributes, asked: see
        `settled_call`.
        """
        given = _kinds(list(values))
        with self.lock:
            known = self.entries.get(kinds)
            if known is None:
                outer = _kinds([look_up() for look_up in self.outside])
                try:
                    known = settled_call(
                        self, with_value, drops_value, python.spots, not python.single, kinds,
                        holders=holders, written=written, attributes=attributes, asked=asked)
                    start = time.perf_counter()
                    known.compile((*outer, *given))
                    self.seconds += time.perf_counter() - start
                except NumbaError:
                    return None
                known.disable_compile()
                self.entries[kinds] = known
            if not self.outside and all(kind in _EXACT for kind in given):
                # What looks at the types of the arguments has been done by the way in.
                return known.overloads[given].entry_point
            return self._with_outside(known)

    def kinds_of(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The types that Numba gives to arguments."""
        return _kinds(list(values))

    def compile_kinds(self, kinds: tuple[Any, ...]) -> Any:
        """Compile for arguments of these types of Numba; the type of the result."""
        try:
            kinds = tuple(map(meaning, kinds))
        except NumbaError as error:
            raise TangentError(f'backend="numba": {_first_words(error)}', None, PYTHON) from None
        with self.lock:
            known = self.main.overloads.get(kinds) or self._compiled(kinds)
            return known.signature.return_type

    def _compiled(self, kinds: tuple[Any, ...]) -> Any:
        """What Numba makes of the derivative for arguments of these types."""
        start = time.perf_counter()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", NumbaPerformanceWarning)
                warnings.simplefilter("ignore", numba.NumbaPendingDeprecationWarning)
                self.main.compile(kinds)
        except Exception as error:
            if self.lowered.groups or self.lowered.has_parts:
                # The statements as they are say which one cannot be compiled, if one cannot.
                self._make("statements")
                return self._compiled(kinds)
            if not self.is_strict and any(
                    thing is unbound for thing in self.lowered.names.values()):
                # Names that were taken for numbers may be arrays.
                refused_first, self.is_strict = self._refusal(error), True
                self._make("statements" if self.options["parallel"] else "loops")
                try:
                    return self._compiled(kinds)
                except TangentError:
                    raise refused_first from None
            refusal = self._refusal(error)
            refusal.numba_error = error         # type: ignore[attr-defined]
            raise refusal from None
        self.seconds += time.perf_counter() - start
        return self.main.overloads[kinds]

    def _refusal(self, error: Exception) -> TangentError:
        """What Numba could not compile, as an error that names the user's statement."""
        lines = [int(number) for file, number in
                 re.findall(r'File "([^"\n]+)", line (\d+)', _plain(str(error)))
                 if file == self.filename or os.path.basename(file) == os.path.basename(
                     self.filename)]
        location = getattr(error, "loc", None)
        if location is not None and location.filename == self.filename:
            lines.insert(0, location.line)
        lines += _lines_reached(error, self.filename)
        for number in reversed(lines):
            if number in self.lines:
                emitted = self.text.splitlines()[number - 1].strip()
                return refused(f"Numba cannot compile what becomes of this: {_first_words(error)}"
                               f" (in the derivative: {emitted})", self.lines[number])
        return refused(f"Numba cannot compile the derivative of {self.name}: "
                       f"{_first_words(error)}", None)


def _lines_reached(error: BaseException, filename: str) -> list[int]:
    """The lines of a text at which Numba was when it broke off, where its message has none: what
    goes wrong in its own code says nothing."""
    if isinstance(error, NumbaError):
        return []
    found = []
    for frame, _ in traceback.walk_tb(error.__traceback__):
        location = getattr(frame.f_locals.get("self"), "loc", None)
        if getattr(location, "filename", None) == filename:
            found.append(location.line)                 # type: ignore[union-attr]
    return found


def _plain(text: str) -> str:
    """Without the colours of a terminal, and without where things lie in memory, which is another
    place in each run."""
    return re.sub(r"\x1b\[[0-9;]*m| at 0x[0-9a-fA-F]+", "", text)


_NOISE = ("Failed in", "During:", "File ", "- Resolution", "<source", "[1]", "- of which",
          "There are", "Overload", "^", "def ", "Use of unsupported NumPy function")


def _first_words(error: BaseException) -> str:
    """What a message of Numba says, without the way there."""
    return _plain(_words_of(error))


def _words_of(error: BaseException) -> str:
    if isinstance(error, AssertionError):
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        if any(type(frame.f_locals.get("self")).__name__ == "BooleanArrayIndexer"
               for frame in frames):
            return "Numba has masks of one axis only; np.where(mask, ...) takes any"
        if any(frame.f_code.co_name == "list_to_list" for frame in frames):
            return ("a list of arrays, and one of arrays that lie otherwise in memory, have one "
                    "name; .copy() of what is put into the first makes them alike")
    if not isinstance(error, (NumbaError, ValueError, TypeError)):
        return f"it fails in its own code ({type(error).__name__}: {error})"
    unknown = re.search(r"Untyped global name '(\w+)'", _plain(str(error)))
    if unknown is not None:
        return f"{unknown[1]} is a function that compiled code does not have"
    missing = re.search(r"No implementation of function Function\(<(?:function|intrinsic|built-in "
                        r"function|ufunc) '?([\w.]+)", _plain(str(error)))
    if missing is not None:
        name = missing[1].rpartition(".")[2].replace("np_", "np.", 1)
        said = next((line.strip() for line in _plain(str(error)).splitlines()
                     if ".astype(" in line), None)      # of `numba_narrow`
        return said or f"there is no compiled {name} for what it is given here"
    for line in _plain(str(error)).splitlines():
        line = line.strip()
        if line and not line.startswith(_NOISE):
            return line if len(line) < 200 else line[:200] + " ..."
    return type(error).__name__


def _kinds(values: list[Any]) -> tuple[Any, ...]:
    """The types that Numba gives to values."""
    try:
        # An int may be too large for Numba: then the call stops, and runs in Python.
        return tuple(types.int64 if type(v) is int else numba.typeof(v) for v in values)
    except (NumbaError, ValueError, TypeError) as error:
        raise TangentError(f'backend="numba": {_first_words(error)}', None, PYTHON) from error


# The module -----------------------------------------------------------------------------------
_SHORT = 80             # statements of a derivative that is written out in what calls it


def _text(lowered: Lowered) -> str:
    """The functions to compile, callees first; the first line says what their names mean, so that
    equal texts are equal programs."""
    names = ", ".join(f"{name}: {spelled(thing)}" for name, thing in sorted(
        lowered.names.items()))
    parts = [emit(piece.tree) for piece in lowered.pieces]
    return f"# {names}\n\n" + "\n\n".join(parts)


def _load(text: str, lowered: Lowered, options: dict[str, bool], whole: set[str],
          is_called: bool) -> tuple[str, dict[str, Any]]:
    """Run the text; its functions, ready to be compiled; whole: the groups for all shapes;
    is_called: by compiled code."""
    said = ",".join([*(name for name, on in options.items() if on), *sorted(whole),
                     *(["called"] if is_called else [])])
    behind = [emit_statements(group.statements) for group in lowered.groups]
    filename, space, kept = load(digest_of(said, text, *behind), lowered.main.name, text,
                                 lowered.names, options["cache"])
    # What a short derivative costs is handing arrays on, from its caller to it and to its loops.
    is_inlined = is_called and lowered.count() <= _SHORT
    for group in lowered.groups:
        space[group.name] = _behind(group, lowered, options, group.name in whole, is_called,
                                    group.is_inside or is_inlined)
    for piece in lowered.pieces:
        space[piece.name].is_inlined = is_inlined and not any(
            piece.name in syntax.all_names(node) for node in piece.tree.body)
        compiler = CheckedCompilerOfMain if piece is lowered.main else CheckedCompiler
        made = numba.njit(
            pipeline_class=compiler, error_model="python", boundscheck=options["boundscheck"],
            fastmath=options["fastmath"], parallel=options["parallel"])(space[piece.name])
        space[piece.name] = keep(made) if kept else made
    return filename, space


def _behind(group: Group, lowered: Lowered, options: dict[str, bool], is_whole: bool,
            is_called: bool, is_inlined: bool) -> Callable[..., Any]:
    """The function behind the call of a group, written when its types are known; is_called: for
    compiled code, that cannot come back for another one; is_inlined: LLVM is to write it out."""
    def made(is_whole: bool, otherwise: Callable[..., Any] | None) -> Callable[..., Any]:
        def loops(*args: Any) -> Any:
            raise NotImplementedError           # Numba only looks at its overload

        def typed(*kinds: Any) -> Callable[..., Any]:
            function: Any = written(group, dict(zip(group.parameters, kinds)), lowered.meant,
                                    lowered.names, is_whole, options["fastmath"], otherwise)
            function.is_inlined = is_inlined
            return function

        overload(loops, strict=False, jit_options={
            "pipeline_class": CheckedCompiler, "error_model": "python",
            "boundscheck": options["boundscheck"], "fastmath": options["fastmath"]})(typed)
        return loops

    whole = made(True, None) if is_whole or is_called else None
    # What begins again must not have written into what it was given.
    return whole if whole is not None and (not is_called or group.writes) else made(False, whole)
