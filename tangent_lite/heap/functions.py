"""Emitted functions: a forward and a backward pass for each function that is called.

They are made when the function is first called. The forward pass takes a tape and the arguments,
the backward pass the tape and the adjoint of the value; it returns those of the arguments.
"""
from __future__ import annotations

import ast
import builtins
import inspect
import os
import sys
import types
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import gast

from tangent_lite import syntax
from tangent_lite.calling.depth import room_to_write
from tangent_lite.calling.resolve import Resolver
from tangent_lite.compile import in_a_file
from tangent_lite.emit import emit
from tangent_lite.errors import Place, TangentError, UnsupportedSyntaxError
from tangent_lite.functions.yields import NO_GENERATOR, first_yield, is_generator
from tangent_lite.heap.adjoin import adjoin, is_data
from tangent_lite.heap.failing import Left
from tangent_lite.heap.halves import Halves, in_halves, with_code, without_yields
from tangent_lite.heap.iteration import Lazy
from tangent_lite.heap.memory import Parts
from tangent_lite.heap.primitives import Back
from tangent_lite.heap.suspended import suspended
from tangent_lite.source import Source, source_of
from tangent_lite.tracebacks import note_lines
from tangent_lite.written.linemap import LineMap

Found = TypeVar("Found")


class ByCode(Generic[Found]):
    """What is known of code, by identity: code of two modules may be equal, and mean two things."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[types.CodeType, Found]] = {}

    def get(self, code: types.CodeType) -> Found | None:
        found = self._found.get(id(code))
        return None if found is None else found[1]

    def forget(self, code: types.CodeType) -> None:
        self._found.pop(id(code), None)

    def __setitem__(self, code: types.CodeType, thing: Found) -> None:
        self._found[id(code)] = (code, thing)


@dataclass
class Template:
    """The two passes of one piece of Python code."""
    source: Source
    text: str
    forward: types.CodeType
    backward: types.CodeType
    trees: tuple[gast.FunctionDef, gast.FunctionDef]
    steps: dict[int, int]                       # by lines of the forward pass, those of a trail
    generates: bool = False                     # whether it is that of a generator

    def line_map(self) -> LineMap:
        """For the lines of its text, the file and line of the user that each comes from."""
        return {number: (self.source.file, line) for code in (self.forward, self.backward)
                for number, line in (_served.get(code) or {}).items()}


@dataclass
class Pair:
    """The two passes of a function."""
    template: Template
    forward: Callable[..., Any]
    backward: Callable[..., Any]
    outside: dict[str, bool]                    # which globals hold data, when it was written

    def __post_init__(self) -> None:
        self.lines = self.forward.__code__, self.template.steps     # see Stepping


_Pairs = weakref.WeakKeyDictionary[Any, tuple[types.CodeType, Pair]]

# Functions that stand in emitted code: their trees, by what they were compiled to.
# Whether variables that several functions see are written as cells in them.
_inner: ByCode[tuple[gast.FunctionDef, Source, bool]] = ByCode()
# The passes of code, and of functions; those behind them have a trail for the whole body.
_halves: weakref.WeakKeyDictionary[Any, tuple[types.CodeType, Halves | None]] = \
    weakref.WeakKeyDictionary()
_split_codes: ByCode[tuple[tuple[types.CodeType, bool] | None]] = ByCode()
_templates: tuple[ByCode[Template], ByCode[Template]] = ByCode(), ByCode()
_pairs: tuple[_Pairs, _Pairs] = weakref.WeakKeyDictionary(), weakref.WeakKeyDictionary()
# The lines of the user that the lines of emitted code serve, by what they were compiled to.
_served: ByCode[dict[int, int]] = ByCode()
# Which line of emitted code stems from which statement of the user.
_lines: ByCode[tuple[Source, dict[int, gast.AST]]] = ByCode()


def pair_of(function: types.FunctionType, by_steps: bool = False) -> Pair:
    """The two passes of a function; UnsupportedSyntaxError if it cannot be followed. by_steps: it
    may fail halfway, and whoever called it goes on."""
    pairs = _pairs[by_steps]
    known = pairs.get(function)
    space = function.__globals__
    if known is not None and known[0] is function.__code__:
        if all(is_data(space.get(name)) is kept for name, kept in known[1].outside.items()):
            return known[1]
        _templates[by_steps].forget(function.__code__)
    template = template_of(function, by_steps)
    pair = Pair(template, types.FunctionType(template.forward, space),
                types.FunctionType(template.backward, space),
                {name: is_data(space.get(name)) for name in function.__code__.co_names})
    pairs[function] = (function.__code__, pair)
    return pair


def check_returns(template: Template) -> None:
    """Refuse to differentiate a generator itself."""
    if template.generates:
        source = template.source
        raise source.refuse(first_yield(source.tree), *NO_GENERATOR)


def template_of(function: types.FunctionType, by_steps: bool = False) -> Template:
    """The two passes of the code of a function."""
    code = function.__code__
    templates = _templates[by_steps]
    found = templates.get(code)
    if found is None:
        inner = _inner.get(code)
        if inner is None:
            source = source_of(function)
            tree, is_inner = source.tree, False
        else:
            tree, source, is_inner = inner
        resolver = Resolver(source)
        with room_to_write(function.__name__):
            found = templates[code] = _compiled(adjoin(
                tree, source, resolver.now, set(code.co_freevars), is_inner, by_steps), source)
            found.generates = is_generator(tree)
    return found


def halves_of(function: types.FunctionType) -> Halves | None:
    """The two halves of a generator of `contextlib.contextmanager`; None where it is not known
    what they are."""
    known = _halves.get(function)
    if known is not None and known[0] is function.__code__:
        return known[1]
    split = _split_code(function)
    found = None if split is None else Halves(with_code(function, split[0]), split[1])
    _halves[function] = function.__code__, found
    return found


def _split_code(function: types.FunctionType) -> tuple[types.CodeType, bool] | None:
    """The code of the function of both halves, and whether it handles exceptions: one code for
    all functions that a `def` inside another function makes, a new one at each call."""
    known = _split_codes.get(function.__code__)
    if known is not None:
        return known[0]
    inner = _inner.get(function.__code__)
    if inner is None:
        source = source_of(function)
        inner = source.tree, source, False
    tree, source, is_inner = inner
    split = in_halves(tree)
    found = None
    if split is not None:
        code = without_yields(function.__code__)
        _inner[code] = split[0], source, is_inner
        found = code, split[1]
    _split_codes[function.__code__] = (found,)
    return found


def _compiled(trees: tuple[gast.FunctionDef, gast.FunctionDef], source: Source) -> Template:
    text = "\n\n".join(emit(tree) for tree in trees)
    filename = in_a_file(trees[0].name, text)
    module = ast.parse(text)
    codes: list[types.CodeType] = []
    compiled = compile(module, filename, "exec")
    for number, tree in enumerate(trees):
        definition = module.body[number]
        code = next(c for c in compiled.co_consts if isinstance(c, types.CodeType)
                    and c.co_name == tree.name)
        codes.append(code)
        _note(code, definition, tree, source)
    steps = _steps_by_line(module.body[0], trees[0])
    template = Template(source, text, codes[0], codes[1], trees, steps)
    note_lines(filename, template)
    return template


def _note(code: types.CodeType, definition: ast.AST, tree: gast.AST, source: Source) -> None:
    """Remember where the lines of emitted code come from, and the functions in it."""
    theirs = [n for n in _statements(tree) if not syntax.is_comment(n)]
    ours = list(_statements(definition))
    lines: dict[int, gast.AST] = {}
    served: dict[int, int] = {}
    for mine, node in zip(ours, theirs):
        origin = getattr(node, "written_as", None)
        if origin is not None:
            lines.setdefault(mine.lineno, origin)
        spot = syntax.spot_of(origin if origin is not None else node)
        if spot is not None:
            served.setdefault(mine.lineno, spot[0])
        if isinstance(mine, ast.FunctionDef) and getattr(node, "to_adjoin", None) is not None:
            inner = next(c for c in code.co_consts if isinstance(c, types.CodeType)
                         and c.co_name == mine.name and c.co_firstlineno == mine.lineno)
            _inner[inner] = (node.to_adjoin, source, True)
    _lines[code], _served[code] = (source, lines), served


def _steps_by_line(definition: Any, tree: gast.FunctionDef) -> dict[int, int]:
    """Which step of a trail a line of emitted code does."""
    theirs = [n for n in _statements(tree) if not syntax.is_comment(n)]
    return {line: node.step for mine, node in zip(_statements(definition), theirs)
            if hasattr(node, "step") for line in range(mine.lineno, mine.end_lineno + 1)}


def _statements(tree: Any) -> Any:
    """The statements of a function in order, without those of functions in it."""
    for node in tree.body:
        yield node
        if not isinstance(node, (ast.FunctionDef, gast.FunctionDef)):
            for name in ("body", "handlers", "orelse", "finalbody"):
                part = getattr(node, name, None) or []
                for one in part:
                    if isinstance(one, (ast.ExceptHandler, gast.ExceptHandler)):
                        yield from _statements(one)
                    else:
                        yield from _statements(types.SimpleNamespace(body=[one]))


def is_of_user(file: str) -> bool:
    """Whether a file is neither ours nor of Python's library."""
    if file.startswith("<frozen "):
        return False
    return not os.path.abspath(file).startswith(_LIBRARIES) or "site-packages" in file


_LIBRARIES = (os.path.dirname(os.__file__), os.path.dirname(os.path.dirname(__file__)))


def line_map(templates: list[Template]) -> LineMap:
    """For the lines of the texts of templates, an empty line apart, the user's file and line."""
    found: LineMap = {}
    first = 0
    for template in templates:
        found.update((first + number, spot) for number, spot in template.line_map().items())
        first += template.text.count("\n") + 2
    return found


def place() -> Place | None:
    """Where the user's code is at this moment."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        found = _lines.get(frame.f_code)
        if found is not None and is_of_user(found[0].file):
            return _place_at(found, frame.f_lineno)
        frame = frame.f_back
    return None


def place_of(error: BaseException) -> Place | None:
    """Where the user's code was when an exception was raised."""
    found: Place | None = None
    trace = error.__traceback__
    while trace is not None:
        known = _lines.get(trace.tb_frame.f_code)
        if known is not None and is_of_user(known[0].file):
            found = _place_at(known, trace.tb_lineno) or found
        trace = trace.tb_next
    return found


def _place_at(known: tuple[Source, dict[int, gast.AST]], line: int) -> Place | None:
    source, lines = known
    while line > 0 and line not in lines:
        line -= 1
    return source.place(lines[line]) if line in lines else None


# Calling --------------------------------------------------------------------------------------
def call(tape: Any, function: types.FunctionType, args: tuple[Any, ...],
         keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """The value of a call of a function written in Python, and its pullback."""
    try:
        pair = tape.heap.followed.get(function) if not tape.tries else None
        if pair is None:
            pair = pair_of(function, tape.tries)
            if not tape.tries:
                tape.heap.followed[function] = pair
    except TangentError as error:
        if error.place is None or is_of_user(error.place.file):
            raise
        raise UnsupportedSyntaxError(f"{function.__qualname__} cannot be followed: {error.reason}",
                                     tape.place(), "write out what it does") from None
    for a in args:
        if isinstance(a, Lazy) and a.is_expression:
            raise UnsupportedSyntaxError("a generator is given to a function", tape.place(),
                                         "give it a list: [...]")
    values, origins = bound(tape, function, args, keywords)
    inner = type(tape)(tape.heap, function, place)
    inner.lines = pair.lines
    writes = tape.heap.writes
    count = len(args) + len(keywords)

    if pair.template.generates:
        takes = pair.backward.__code__.co_argcount - 1      # whether what it returns may vary
        made, parameters = suspended(
            tape, inner, lambda: pair.forward(inner, *values),
            lambda adjoint: pair.backward(inner.rewind(), *[adjoint][:takes]))
        return made, _to_operands(tape, function, values, origins, count,
                                  lambda _: parameters() or ())
    around, tape.heap.current = tape.heap.current, inner
    back: Back = lambda adjoint: pair.backward(inner.rewind(), adjoint)     # noqa: E731
    back = _to_operands(tape, function, values, origins, count, back)
    try:
        value = pair.forward(inner, *values)
    except BaseException as error:
        if tape.tries and not isinstance(error, TangentError) and inner.cut_off(error):
            tape.left_halfway(Left(error, (*args, *keywords.values()), writes, back))
        raise
    finally:
        tape.heap.current = around
    return value, back


def _to_operands(tape: Any, function: Any, values: Sequence[Any], origins: list[Any] | None,
                 count: int, back: Back) -> Back:
    """The adjoints of the operands of a call, by those of its parameters (see `bound`)."""
    if origins is None:
        return back

    def to_operands(adjoint: Any) -> Any:
        out: list[Any] = [None] * count
        for origin, value, part in zip(origins, values, back(adjoint)):
            if type(origin) is int:
                out[origin] = part
            elif isinstance(origin, str):
                if part is not None:
                    tape.adjoints.add_slot(function, origin, part)
            elif isinstance(origin, list):              # *args
                for key, one in (part or Parts()).items():
                    out[origin[key]] = one
            elif isinstance(origin, dict):              # **keywords
                slots = tape.adjoints.slots(value)
                for key, number in origin.items():
                    out[number] = slots.pop(key, None)
        return out
    return to_operands


def bound(tape: Any, function: types.FunctionType, args: tuple[Any, ...],
          keywords: dict[str, Any]) -> tuple[Sequence[Any], list[Any] | None]:
    """The values of the parameters in their order, and where each comes from: the number of an
    argument, the name of a default, or the numbers of several arguments; None where they are the
    arguments themselves."""
    code = function.__code__
    if len(args) == code.co_argcount and not keywords and not code.co_kwonlyargcount \
            and not code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        return args, None
    count, only = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames
    values: list[Any] = [None] * count
    origins: list[Any] = [None] * count
    is_set = [False] * count
    given = min(len(args), count)
    for k in range(given):
        values[k], origins[k], is_set[k] = args[k], k, True
    more = bool(code.co_flags & inspect.CO_VARARGS)
    if len(args) > count and not more:
        _raise(function, args, keywords)
    only_defaults = function.__kwdefaults__ or {}
    rest: dict[str, tuple[Any, int]] = {}
    by_name: dict[str, tuple[Any, int]] = {}
    positions = {name: k for k, name in enumerate(names[:count]) if k >= code.co_posonlyargcount}
    for number, (name, value) in enumerate(keywords.items(), len(args)):
        if name in positions:
            k = positions[name]
            if is_set[k]:
                _raise(function, args, keywords)
            values[k], origins[k], is_set[k] = value, number, True
        elif name in names[count:count + only]:
            by_name[name] = (value, number)
        else:
            rest[name] = (value, number)
    defaults = function.__defaults__ or ()
    own = (lambda value: value) if tape.heap.is_ours(function) else tape.heap.own
    for k in range(count):
        if not is_set[k]:
            if k < count - len(defaults):
                _raise(function, args, keywords)
            values[k], origins[k] = own(defaults[k - count]), names[k]
    for name in names[count:count + only]:
        if name in by_name:
            value, number = by_name[name]
            values.append(value)
            origins.append(number)
        elif name in only_defaults:
            values.append(own(only_defaults[name]))
            origins.append(name)
        else:
            _raise(function, args, keywords)
    if more:
        values.append(args[count:])
        origins.append(list(range(count, len(args))))
    if code.co_flags & inspect.CO_VARKEYWORDS:
        made = {name: value for name, (value, _) in rest.items()}
        values.append(made)
        origins.append({name: number for name, (_, number) in rest.items()})
    elif rest:
        _raise(function, args, keywords)
    return values, origins


def _raise(function: types.FunctionType, args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """The error that Python raises, before the function begins."""
    function(*args, **keywords)
    raise AssertionError(f"{function.__qualname__}() takes these arguments")


def helpers_of(template: Template) -> list[Template]:
    """The passes of the user's functions that a function names, and those of what they name."""
    found: dict[int, Template] = {id(template): template}
    todo = [template]
    while todo:
        one = todo.pop()
        resolver = Resolver(one.source)
        for node in syntax.walk(one.source.tree):
            if not isinstance(node, gast.Name) or not isinstance(node.ctx, gast.Load):
                continue
            thing = resolver.now(node.id)
            if isinstance(thing, types.FunctionType) and not hasattr(builtins, node.id) \
                    and thing.__module__ == one.source.globals.get("__name__"):
                try:
                    inner = template_of(thing)
                except Exception:
                    continue
                if id(inner) not in found:
                    found[id(inner)] = inner
                    todo.append(inner)
    return list(found.values())
