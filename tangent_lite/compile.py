"""From emitted functions to callables, and to text on a page.

An emitted function lives where the user's function lives: it has the same globals and the same
closure cells, so that names mean what they mean at the call. What the user's module does not know
(helpers, other emitted functions) reaches it through cells of its own. The text is kept in
linecache, so that tracebacks, pdb and inspect show real lines.
"""
from __future__ import annotations

import ast
import functools
import itertools
import linecache
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import gast

from tangent_lite import runtime, syntax
from tangent_lite.calling.depth import room_to_write
from tangent_lite.calling.resolve import meaning
from tangent_lite.emit import emit
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import module_of
from tangent_lite.polish.divisions import divide_as_numpy, numpys_zero
from tangent_lite.polish.freeing import forget_names
from tangent_lite.polish.shortcuts import take_shortcuts
from tangent_lite.polish.written_out import write_out_calls
from tangent_lite.tracebacks import EMITTED, note_lines
from tangent_lite.transform import Derivative, Unit
from tangent_lite.written.linemap import LineMap, lines_of_units, sums_of_units

_numbers = itertools.count(1)
LONGEST = 60                # statements of a function of which the tree is kept: see MadeOf


def in_a_file(name: str, text: str) -> str:
    """Put emitted text where tracebacks, pdb and inspect find it, under a name that no other text
    has; that name."""
    filename = f"{EMITTED}{name} {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    return filename


def compile_units(derivative: Derivative, frees: bool = False, writes_out: bool = False,
                  as_numpy: bool = False) -> dict[str, Callable[..., Any]]:
    """Compile all emitted functions of a derivative; by name.

    frees: whether arrays are given back when they are used up (see freeing.py); writes_out: whether
    short functions are written out where they are called (see written_out.py); as_numpy: whether
    numbers are divided by zero as NumPy's are (see divisions.py), ZeroDivisionError where that
    cannot be.
    """
    with room_to_write(derivative.main.source.name):        # Python's own compiler nests as well
        return _compiled(derivative, frees, writes_out, as_numpy)


def _compiled(derivative: Derivative, frees: bool, writes_out: bool, as_numpy: bool) \
        -> dict[str, Callable[..., Any]]:
    text = display(derivative)
    filename = in_a_file(derivative.main.name, text)
    module = ast.parse(text)
    definitions = {n.name: n for n in module.body if isinstance(n, ast.FunctionDef)}
    for unit in derivative.units:
        if "shorter" in unit.sought.marks:
            take_shortcuts(unit.tree, definitions[unit.name])
    known = write_out_calls(derivative.units, definitions) if writes_out else {}
    if frees:
        for definition in definitions.values():
            forget_names(definition)
    also: dict[str, Any] = {}
    if as_numpy:
        name = fresh_in(text, numpys_zero.__name__)
        also[name] = numpys_zero
        if not all(divide_as_numpy(definition, name) for definition in definitions.values()):
            raise ZeroDivisionError
    cells: dict[int, types.CellType] = {}
    functions: dict[str, Callable[..., Any]] = {}
    for unit in derivative.units:
        functions[unit.name] = _function(unit, definitions[unit.name], filename, cells,
                                         {**known.get(unit.name, unit.external), **also})
    for unit in derivative.units:
        cell = cells.get(id(unit))
        if cell is not None:
            cell.cell_contents = functions[unit.name]
    lines = functools.cache(functools.partial(line_map, derivative))
    sums = functools.cache(functools.partial(sums_of_user, derivative))
    note_lines(filename, functions[derivative.main.name])
    for function in functions.values():
        # Whoever differentiates it again rests on the same names, and comes from the same lines.
        function.rests_on = derivative.resolvers            # type: ignore[attr-defined]
        function.line_map = lines                           # type: ignore[attr-defined]
        function.sums_of_user = sums                        # type: ignore[attr-defined]
    return functions


def fresh_in(text: str, name: str) -> str:
    """A name that a text does not hold."""
    while name in text:
        name += "_"
    return name


class MadeOf(NamedTuple):
    """What an emitted function was compiled from; known: the cells of the names outside.

    definition: None of a long one. It is for entries (see entry/fusing.py), which leave those
    alone; and trees that are kept are many objects for the garbage collector to go through.
    """
    definition: ast.FunctionDef | None
    filename: str
    known: dict[str, types.CellType]


def function_of(made_of: MadeOf, namespace: dict[str, Any]) -> types.FunctionType:
    """A definition as a function of a module: it keeps its lines and has no defaults yet."""
    definition, filename, known = made_of
    assert definition is not None
    wrapper = ast.parse(f"def _outer({', '.join(known)}): return {definition.name}")
    function = wrapper.body[0]
    assert isinstance(function, ast.FunctionDef)
    function.body.insert(0, definition)
    code = compile(wrapper, filename, "exec")
    outer_code = next(c for c in code.co_consts if isinstance(c, types.CodeType))
    inner = next(c for c in outer_code.co_consts
                 if isinstance(c, types.CodeType) and c.co_name == definition.name)
    return types.FunctionType(inner, namespace, definition.name, None,
                              tuple(known[name] for name in inner.co_freevars))


def _function(unit: Unit, definition: ast.FunctionDef, filename: str,
              cells: dict[int, types.CellType], external: dict[str, Any]) -> Callable[..., Any]:
    """external: what the function knows beside its module."""
    known = {name: cell for name, cell in unit.source.cells.items() if name not in external}
    for name, thing in external.items():
        known[name] = cells.setdefault(id(thing), types.CellType()) if isinstance(thing, Unit) \
            else types.CellType(thing)
    made_of = MadeOf(definition, filename, known)
    made = function_of(made_of, unit.source.globals)
    if len(definition.body) > LONGEST:
        made_of = made_of._replace(definition=None)
    made.made_of = made_of                                      # type: ignore[attr-defined]
    original = unit.source.function
    if unit.defaults is not None:
        made.__defaults__ = unit.defaults
    elif definition.args.defaults and not definition.args.kwonlyargs:
        made.__defaults__ = (*(original.__defaults__ or ()), 1.0)
    elif definition.args.kwonlyargs:
        made.__defaults__ = original.__defaults__
        made.__kwdefaults__ = {**(original.__kwdefaults__ or {}),
                               definition.args.kwonlyargs[-1].arg: 1.0}
    made.__module__ = original.__module__
    return made


# Text -----------------------------------------------------------------------------------------
def display(derivative: Derivative) -> str:
    """The emitted functions as a page to read: helpers imported, callees first; written once."""
    if derivative.text is None:
        derivative.text = _page(derivative)
    return derivative.text


def _page(derivative: Derivative) -> str:
    settle_names(derivative.units)
    lines = _imports(derivative.units)
    parts = ["\n".join(lines) + "\n"] if lines else []
    parts += [emit(unit.tree) for unit in derivative.units]
    return "\n\n".join(parts)


def line_map(derivative: Derivative) -> LineMap:
    """For the lines of `display`, the file and line of the user that each comes from."""
    return lines_of_units(derivative.units, _first_line(derivative))


def sums_of_user(derivative: Derivative) -> frozenset[int]:
    """The lines of `display` in which the user adds in place."""
    return sums_of_units(derivative.units, _first_line(derivative))


def _first_line(derivative: Derivative) -> int:
    """The line of the first `def` of `display`."""
    settle_names(derivative.units)
    imports = len(_imports(derivative.units))
    return imports + 3 if imports else 1


def settle_names(units: list[Unit]) -> None:
    """One name for each emitted function, used by all that call it.

    Two helpers of one name from two modules: the second pair gets a number. In each caller a name
    may be taken by a variable, so the names are chosen to be free in all of them.
    """
    def others(unit: Unit) -> set[str]:
        ours = {name for name, thing in unit.external.items() if isinstance(thing, Unit)}
        return syntax.all_names(unit.tree) - ours - {unit.tree.name}

    calls = any(isinstance(t, Unit) for u in units for t in u.external.values())
    variables = {id(unit): others(unit) for unit in units} if calls else {}
    taken: set[str] = set()
    for unit in units:
        callers = [u for u in units if any(t is unit for t in u.external.values())]
        name, number = unit.name, 0
        while unit.name in taken or any(unit.name in variables[id(u)] for u in callers):
            number += 1
            unit.name = f"{name}_{number}"
        taken.add(unit.name)
    for unit in units:
        unit.tree.name = unit.name
        renamed = {name: thing.name for name, thing in unit.external.items()
                   if isinstance(thing, Unit) and thing.name != name}
        if renamed:
            syntax.Rename(renamed).visit(unit.tree)
            unit.external = {renamed.get(n, n): t for n, t in unit.external.items()}


def used_names(unit: Unit) -> list[str]:
    """Free names of an emitted function, in order."""
    bound = set(syntax.parameter_names(unit.tree.args))
    found: dict[str, None] = {}
    for node in (*syntax.names_in(unit.tree.args), *(
            syntax.names_in(unit.tree) if unit.named is None else unit.named)):
        if isinstance(node.ctx, gast.Load):
            found.setdefault(node.id)
        else:
            bound.add(node.id)
    return [n for n in sorted(found) if n not in bound]


def _imports(units: list[Unit]) -> list[str]:
    """Import lines for the modules and helpers that emitted code uses."""
    lines: dict[str, None] = {}
    helpers: dict[str, set[str]] = {}
    for unit in units:
        for name in used_names(unit):
            thing = unit.external.get(name, NO_OBJECT)
            if thing is NO_OBJECT:
                thing = meaning(unit.source, name)
            if isinstance(thing, types.ModuleType):
                lines.setdefault(import_line(thing, name))
            elif (isinstance(thing, types.FunctionType) or _is_class_from_outside(unit, thing)) \
                    and _can_be_imported(thing) and (
                        name in unit.external or _is_helper_of(unit, thing)):
                spelled = thing.__name__ + (f" as {name}" if thing.__name__ != name else "")
                helpers.setdefault(_home(thing), set()).add(spelled)
            elif name in unit.external and thing is vars(runtime).get(name):    # a mark of ours
                helpers.setdefault(runtime.__name__, set()).add(name)
    return sorted_imports(lines) + [line for module in sorted(helpers)
                                    for line in _import_lines(module, sorted(helpers[module]))]


def _import_lines(module: str, spelled: list[str]) -> list[str]:
    """An import from a module, as its lines.

    >>> _import_lines("math", ["cos", "sin as s"])
    ['from math import cos, sin as s']
    """
    return emit(gast.parse(f"from {module} import {', '.join(spelled)}")).splitlines()


def _is_class_from_outside(unit: Unit, thing: Any) -> bool:
    """Whether a class is one that the user's module does not know: of what np.linalg.eigh gives."""
    return isinstance(thing, type) and module_of(thing) not in (
        "builtins", "", unit.source.globals.get("__name__"))


def _is_helper_of(unit: Unit, thing: Any) -> bool:
    """Whether a function is a helper that a derivative calls which was read again."""
    return hasattr(unit.source.function, "rests_on") \
        and module_of(thing).startswith("tangent_lite.runtime")


def _home(function: Any) -> str:
    """The module that a function is imported from: a helper that most derivatives need is had from
    `runtime`, wherever it stands."""
    return runtime.__name__ if vars(runtime).get(function.__name__) is function \
        else function.__module__


def _can_be_imported(function: Any) -> bool:
    """Whether its module knows a function or a class by its name."""
    module = sys.modules.get(function.__module__)
    return getattr(module, function.__name__, None) is function


def sorted_imports(lines: Iterable[str]) -> list[str]:
    """Import lines as people sort them: the standard library first."""
    return sorted(lines, key=lambda line: (line.split()[1].split(".")[0]
                                           not in sys.stdlib_module_names, line))


def import_line(module: types.ModuleType, name: str) -> str:
    """The line that binds a module to a name.

    >>> import_line(ast, "ast"), import_line(gast, "tree")
    ('import ast', 'import gast as tree')
    """
    if "." in module.__name__:
        parent, _, last = module.__name__.rpartition(".")
        return f"from {parent} import {last}" + (f" as {name}" if last != name else "")
    return f"import {module.__name__}" + (f" as {name}" if module.__name__ != name else "")
