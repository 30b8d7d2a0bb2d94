"""From emitted functions to callables, to text on a page, and to a file that stands alone.

An emitted function lives where the user's function lives: it has the same globals and the same
closure cells, so that names mean what they mean at the call. What the user's module does not know
(helpers, other emitted functions) reaches it through cells of its own. The text is kept in
linecache, so that tracebacks, pdb and inspect show real lines.
"""
from __future__ import annotations

import ast
import builtins
import inspect
import itertools
import linecache
import math
import types
from collections.abc import Callable, Iterable
from typing import Any

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.emit import emit
from tangent_lite.errors import TangentError
from tangent_lite.inference import NO_OBJECT
from tangent_lite.resolve import Resolver
from tangent_lite.transform import Derivative, Unit

_numbers = itertools.count(1)


def compile_units(derivative: Derivative) -> dict[str, Callable[..., Any]]:
    """Compile all emitted functions of a derivative; by name."""
    text = display(derivative)
    filename = f"<tangent_lite {derivative.main.name} {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    module = ast.parse(text)
    definitions = {n.name: n for n in module.body if isinstance(n, ast.FunctionDef)}
    cells: dict[int, types.CellType] = {}
    functions: dict[str, Callable[..., Any]] = {}
    for unit in derivative.units:
        functions[unit.name] = _function(unit, definitions[unit.name], filename, cells)
    for unit in derivative.units:
        cell = cells.get(id(unit))
        if cell is not None:
            cell.cell_contents = functions[unit.name]
    return functions


def _function(unit: Unit, definition: ast.FunctionDef, filename: str,
              cells: dict[int, types.CellType]) -> Callable[..., Any]:
    outer = {name: cell for name, cell in unit.source.cells.items()
             if name not in unit.external}
    names = [*unit.external, *outer]
    wrapper = ast.parse("def _outer(): pass")
    function = wrapper.body[0]
    assert isinstance(function, ast.FunctionDef)
    function.args.args = [ast.arg(n) for n in names]
    function.body = [definition, ast.Return(ast.Name(definition.name, ast.Load()))]
    ast.fix_missing_locations(wrapper)
    code = compile(wrapper, filename, "exec")
    outer_code = next(c for c in code.co_consts if isinstance(c, types.CodeType))
    inner = next(c for c in outer_code.co_consts
                 if isinstance(c, types.CodeType) and c.co_name == definition.name)
    closure = []
    for name in inner.co_freevars:
        if name in unit.external:
            thing = unit.external[name]
            if isinstance(thing, Unit):
                closure.append(cells.setdefault(id(thing), types.CellType()))
            else:
                closure.append(types.CellType(thing))
        else:
            closure.append(outer[name])
    made = types.FunctionType(inner, unit.source.globals, unit.name, None, tuple(closure))
    original = unit.source.function
    count = len(definition.args.args)
    if definition.args.defaults and not definition.args.kwonlyargs:
        made.__defaults__ = (*(original.__defaults__ or ()), 1.0)
    elif definition.args.kwonlyargs:
        made.__defaults__ = original.__defaults__
        made.__kwdefaults__ = {**(original.__kwdefaults__ or {}),
                               definition.args.kwonlyargs[-1].arg: 1.0}
    del count
    made.__module__ = original.__module__
    return made


# Text -----------------------------------------------------------------------------------------
def display(derivative: Derivative) -> str:
    """The emitted functions as a page to read: helpers imported, callees first."""
    _unique_names(derivative.units)
    lines = _imports(derivative.units, standalone=False)
    return _page(lines, derivative.units)


def _unique_names(units: list[Unit]) -> None:
    """Two helpers of one name in two modules: the second pair gets a number."""
    taken: dict[str, Unit] = {}
    for unit in units:
        name, number = unit.name, 0
        while unit.name in taken and taken[unit.name] is not unit:
            number += 1
            unit.name = f"{name}_{number}"
        taken[unit.name] = unit
        unit.tree.name = unit.name
    for unit in units:
        renamed = {}
        for name, thing in list(unit.external.items()):
            if isinstance(thing, Unit) and thing.name != name:
                if thing.name not in syntax.all_names(unit.tree):
                    renamed[name] = thing.name
        if renamed:
            syntax.Rename(renamed).visit(unit.tree)
            unit.external = {renamed.get(n, n): t for n, t in unit.external.items()}
            for other in units:
                if other is not unit and other.external is not unit.external \
                        and other.source is unit.source and set(renamed) & set(other.external):
                    pass


def _page(lines: list[str], units: list[Unit]) -> str:
    parts = ["\n".join(lines) + "\n"] if lines else []
    parts += [emit(unit.tree) for unit in units]
    return "\n\n".join(parts)


def used_names(unit: Unit) -> list[str]:
    """Free names of an emitted function, in order."""
    bound = set(syntax.parameter_names(unit.tree.args))
    found: dict[str, None] = {}
    for node in gast.walk(unit.tree):
        if isinstance(node, gast.Name):
            if isinstance(node.ctx, gast.Store):
                bound.add(node.id)
            else:
                found.setdefault(node.id)
    return [n for n in sorted(found) if n not in bound]


def _imports(units: list[Unit], standalone: bool) -> list[str]:
    """Import lines for the modules and helpers that emitted code uses."""
    plain: dict[str, None] = {}
    helpers: dict[str, str] = {}
    for unit in units:
        resolver = Resolver(unit.source)
        for name in used_names(unit):
            thing = unit.external.get(name, NO_OBJECT)
            if thing is NO_OBJECT:
                thing = resolver.now(name)
            if isinstance(thing, types.ModuleType):
                plain.setdefault(_import_line(thing, name))
            elif name in unit.external and not isinstance(thing, Unit) and hasattr(
                    thing, "__module__") and hasattr(thing, "__name__"):
                helpers[thing.__module__ + "." + thing.__name__] = \
                    f"from {thing.__module__} import {thing.__name__}" + (
                        f" as {name}" if thing.__name__ != name else "")
    lines = sorted(plain, key=lambda line: (line.split()[1] in ("numpy", "scipy"), line))
    if not standalone:
        lines += [helpers[k] for k in sorted(helpers)]
    return lines


def _import_line(module: types.ModuleType, name: str) -> str:
    if "." in module.__name__:
        parent, _, last = module.__name__.rpartition(".")
        return f"from {parent} import {last}" + (f" as {name}" if last != name else "")
    return f"import {module.__name__}" + (f" as {name}" if module.__name__ != name else "")


# A file that stands alone -----------------------------------------------------------------------
def standalone(derivative: Derivative) -> str:
    """The derivative as a module that needs NumPy only: helpers and constants are written out."""
    _unique_names(derivative.units)
    writer = _Standalone(derivative.units)
    writer.collect()
    return writer.text()


class _Standalone:
    def __init__(self, units: list[Unit]) -> None:
        self.units = units
        self.names: dict[str, Any] = {u.name: u for u in units}
        self.imports: dict[str, None] = {}
        self.constants: list[str] = []
        self.functions: list[str] = []
        self.trees = [(u, syntax.copy(u.tree)) for u in units]

    def collect(self) -> None:
        for unit, tree in self.trees:
            resolver = Resolver(unit.source)
            renamed: dict[str, str] = {}
            for name in used_names(unit):
                thing = unit.external.get(name, NO_OBJECT)
                if thing is NO_OBJECT:
                    thing = resolver.now(name)
                if thing is NO_OBJECT or getattr(builtins, name, NO_OBJECT) is thing:
                    continue
                given = thing.name if isinstance(thing, Unit) else self.give(name, thing, unit)
                if given != name:
                    renamed[name] = given
            if renamed:
                syntax.Rename(renamed).visit(tree)

    def give(self, name: str, thing: Any, unit: Unit) -> str:
        """Make a name mean a thing in the file; the name it has there."""
        number, wish = 0, name
        while name in self.names and self.names[name] is not thing \
                and not _equal(self.names[name], thing):
            number += 1
            name = f"{wish}_{number}"
        if name in self.names:
            return name
        self.names[name] = thing
        if isinstance(thing, types.ModuleType):
            self.imports[_import_line(thing, name)] = None
        elif _is_helper(thing):
            self.helper(thing, name)
        elif isinstance(thing, types.FunctionType) and thing.__module__ not in ("math",) \
                and not _importable_library(thing):
            self.user_function(thing, name, unit)
        elif hasattr(thing, "__module__") and hasattr(thing, "__name__"):
            self.imports[f"from {thing.__module__} import {thing.__name__}" + (
                f" as {name}" if thing.__name__ != name else "")] = None
        else:
            self.constants.append(f"{name} = {_text_of(thing, name, self.imports)}")
        return name

    def helper(self, thing: Any, name: str) -> None:
        """Write out a runtime helper and what it calls."""
        self.imports["import numpy as np"] = None
        module = inspect.getmodule(thing)
        for used in thing.__code__.co_names:
            other = getattr(module, used, None)
            if _is_helper(other) and used not in self.names:
                self.names[used] = other
                self.helper(other, used)
        self.functions.append(inspect.getsource(thing).rstrip() + "\n")

    def user_function(self, thing: Any, name: str, unit: Unit) -> None:
        """A function of the user that the derivative calls as it is (it has no derivative)."""
        from tangent_lite.source import source_of
        source = source_of(thing)
        tree = syntax.copy(source.tree)
        tree.name = name
        inner = Unit(name, tree, source)
        resolver = Resolver(source)
        renamed = {}
        for used in used_names(inner):
            found = resolver.now(used)
            if found is NO_OBJECT or getattr(builtins, used, NO_OBJECT) is found or found is thing:
                continue
            given = self.give(used, found, inner)
            if given != used:
                renamed[used] = given
        if renamed:
            syntax.Rename(renamed).visit(tree)
        self.functions.append(emit(tree))

    def text(self) -> str:
        lines = sorted(self.imports, key=lambda line: (line.split()[1] in ("numpy", "scipy"), line))
        if any("np." in c or c.endswith("np.nan") for c in self.constants) \
                and "import numpy as np" not in lines:
            lines.append("import numpy as np")
        parts = ["\n".join(lines) + "\n"] if lines else []
        if self.constants:
            parts.append("\n".join(self.constants) + "\n")
        parts += self.functions
        parts += [emit(tree) for _, tree in self.trees]
        return "\n\n".join(parts)


def _equal(a: Any, b: Any) -> bool:
    return type(a) is type(b) and isinstance(a, (int, float, str, bool, tuple)) and a == b


def _is_helper(thing: Any) -> bool:
    return isinstance(thing, types.FunctionType) and \
        (thing.__module__ or "").startswith("tangent_lite.runtime")


def _importable_library(thing: Any) -> bool:
    return (thing.__module__ or "").split(".")[0] in ("numpy", "scipy", "math", "operator")


def _text_of(thing: Any, name: str, imports: dict[str, None]) -> str:
    """A literal for a value; TangentError where it has none."""
    if isinstance(thing, float) and not math.isfinite(thing):
        return f'float("{thing}")'
    if isinstance(thing, np.generic):
        return _text_of(thing.item(), name, imports)
    if thing is None or isinstance(thing, (bool, int, float, complex, str, bytes)):
        return repr(thing)
    if isinstance(thing, (tuple, list)) and type(thing) in (tuple, list):
        inside = ", ".join(_text_of(t, name, imports) for t in thing)
        if isinstance(thing, list):
            return f"[{inside}]"
        return f"({inside},)" if len(thing) == 1 else f"({inside})"
    if type(thing) is dict:
        return "{" + ", ".join(f"{k!r}: {_text_of(v, name, imports)}"
                               for k, v in thing.items()) + "}"
    if isinstance(thing, np.ndarray) and thing.size <= 1000 and thing.dtype.kind in "fiub":
        imports["import numpy as np"] = None
        text = _text_of(thing.tolist(), name, imports)
        return f"np.array({text}, dtype=np.{thing.dtype.name})".replace("np.bool)", "bool)")
    raise TangentError(f"{name} ({type(thing).__name__}) cannot be written into a file",
                       None, "pass it as an argument of the function")


_: Iterable[Any] = ()
