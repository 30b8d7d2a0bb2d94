"""A derivative as a module of its own: all it reads is written out, and NumPy is all it needs.

Three steps: find every function that runs (`_Piece`s: emitted functions, the runtime helpers and
the user's functions that they call) and what each of its free names means; give every such thing
one name in the file; write the file. Modules and library functions become imports, data literals.
"""
from __future__ import annotations

import builtins
import inspect
import math
import symtable
import sys
import types
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.calling.resolve import Resolver
from tangent_lite.compile import import_line, settle_names, sorted_imports
from tangent_lite.emit import emit
from tangent_lite.errors import TangentError
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import module_of, package_of
from tangent_lite.source import source_of
from tangent_lite.transform import Derivative, Unit

_LIBRARIES = {"numpy", "scipy", *sys.stdlib_module_names} - {"__main__"}
_LARGEST = 1000             # elements of an array that is still written out as a literal


def standalone(derivative: Derivative) -> str:
    """The text of the module; TangentError where something has no text."""
    settle_names(derivative.units)
    file = _File(derivative.units)
    file.assign_names()
    return file.text()


@dataclass(eq=False)
class _Piece:
    """A function of the file, or a class of ours; `means`: its free names and what they stand for.
    """
    name: str
    tree: Any
    thing: Any
    as_written: str | None = None           # the text of a helper, comments included
    means: dict[str, Any] = field(default_factory=dict)
    local: set[str] = field(default_factory=set)


class _File:
    def __init__(self, units: list[Unit]) -> None:
        self.pieces: list[_Piece] = []
        self.things: dict[int, Any] = {}                # by id, in the order they were met
        self.wishes: dict[int, tuple[str, list[_Piece]]] = {}
        self.names: dict[int, str] = {}
        self.imports: dict[str, None] = {}
        for unit in units:
            self.things[id(unit)] = unit
        for unit in units:
            self.add(_Piece(unit.name, syntax.copy(unit.tree), unit), Resolver(unit.source),
                     unit.external)

    # What runs --------------------------------------------------------------------------------
    def add(self, piece: _Piece, resolver: Resolver, external: dict[str, Any]) -> None:
        """Take a function into the file, with all that it calls."""
        self.pieces.append(piece)
        self.wishes.setdefault(id(piece.thing), (piece.name, []))
        self.things[id(piece.thing)] = piece.thing
        direct = _Direct(resolver, external, syntax.all_names(piece.tree))
        piece.tree = direct.visit(piece.tree)
        external = {**external, **direct.found}
        free, piece.local = _free_and_local(piece.tree)
        for name in free:
            thing = external[name] if name in external else resolver.now(name)
            if thing is NO_OBJECT or getattr(builtins, name, NO_OBJECT) is thing:
                continue
            self.submodules(piece.tree, name, thing)
            piece.means[name] = thing
            known = id(thing) in self.things
            self.things[id(thing)] = thing
            self.wishes.setdefault(id(thing), (name, []))[1].append(piece)
            if not known and isinstance(thing, types.FunctionType):
                self.function(thing, name)
            elif not known and isinstance(thing, type) and package_of(thing) == "tangent_lite" \
                    and not _is_refusal(thing):
                text = inspect.getsource(thing).rstrip() + "\n"
                self.add(_Piece(thing.__name__, gast.parse(text).body[0], thing, text), resolver,
                         vars(sys.modules[thing.__module__]))

    def function(self, thing: types.FunctionType, name: str) -> None:
        """A function that is called: written out unless it can be imported from a library."""
        package = package_of(thing)
        if package in _LIBRARIES:
            return
        source = source_of(thing)
        tree = source.tree
        tree.returns = None
        for node in syntax.walk(tree):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Param):
                node.annotation = None
        as_written = inspect.getsource(thing).rstrip() + "\n" if package == "tangent_lite" else None
        self.add(_Piece(name if as_written is None else thing.__name__, tree, thing, as_written),
                 Resolver(source), {})

    def submodules(self, tree: gast.AST, name: str, thing: Any) -> None:
        """`import scipy.special` for scipy.special.gamma, which `import scipy` may not find."""
        if not isinstance(thing, types.ModuleType) or thing.__name__ != name:
            return
        for node in syntax.walk(tree):
            if isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name) \
                    and node.value.id == name and f"{name}.{node.attr}" in sys.modules \
                    and name not in ("numpy", "math"):
                self.imports[f"import {name}.{node.attr}"] = None

    # Names ------------------------------------------------------------------------------------
    def assign_names(self) -> None:
        """One name for each thing: the one it has in the code, numbered where that is taken."""
        taken: dict[str, Any] = {}
        # The emitted functions, which come first, keep their names.
        for key in self.things:
            wish, users = self.wishes[key]
            name, number = wish, 0
            while any(name in user.local for user in users) or (
                    name in taken and not _equal(taken[name], self.things[key])):
                number += 1
                name = f"{wish}_{number}"
            taken[name] = self.things[key]
            self.names[key] = name

    # Text -------------------------------------------------------------------------------------
    def text(self) -> str:
        written = {id(piece.thing) for piece in self.pieces}
        constants: dict[str, None] = {}
        for key, thing in self.things.items():
            if key not in written and not _is_refusal(thing):
                self.binding(self.names[key], thing, constants)
        if any("np." in line for line in constants):
            self.imports["import numpy as np"] = None
        # Callees first: helpers, functions of the user, the derivative.
        order = sorted(self.pieces, key=lambda p: (isinstance(p.thing, Unit), p.as_written is None))
        functions = [*self.errors(), *(self.written_out(piece) for piece in order)]
        head = [f"{line}\n" for line in ("\n".join(sorted_imports(self.imports)),
                                         "\n".join(constants)) if line]
        return "\n".join(head) + ("\n\n" if head else "") + "\n\n".join(functions)

    def binding(self, name: str, thing: Any, constants: dict[str, None]) -> None:
        """The line that makes a name mean a thing: an import or an assignment."""
        if isinstance(thing, types.ModuleType):
            line = import_line(thing, name)
            if not any(other.startswith(f"{line}.") for other in self.imports):
                self.imports[line] = None
            return
        home = _home(thing)
        if home is not None:
            module, spelled = home
            self.imports[f"from {module} import {spelled}"
                         + (f" as {name}" if spelled != name else "")] = None
            return
        if _is_logger(thing):
            self.imports["import logging"] = None
            constants[f"{name} = logging.getLogger({literal(thing.name, name)})"] = None
            return
        constants[f"{name} = {literal(thing, name)}"] = None

    def errors(self) -> list[str]:
        """The errors of ours that helpers raise, as the errors of Python that they also are."""
        return [f"class {self.names[key]}({_python_error(thing).__name__}):\n"
                f"    def __str__(self):\n        return self.args[0]\n"
                for key, thing in self.things.items() if _is_refusal(thing)]

    def written_out(self, piece: _Piece) -> str:
        name = self.names[id(piece.thing)]
        renamed = {spelled: self.names[id(thing)] for spelled, thing in piece.means.items()
                   if self.names[id(thing)] != spelled}
        if piece.as_written is not None and not renamed and name == piece.tree.name:
            return piece.as_written
        tree = piece.tree
        tree.name = name
        if renamed:
            syntax.Rename(renamed).visit(tree)
        if isinstance(piece.thing, Unit) and piece.thing.defaults is None:
            self.fill_in_defaults(tree.args, piece.thing.source.function)
        return emit(tree)

    def fill_in_defaults(self, arguments: gast.arguments, function: types.FunctionType) -> None:
        """Give an emitted function the defaults of the user's (see compile), as far as they have a
        text: nothing writes into what is passed, so a list or an array may stand there as well."""
        if not arguments.defaults and not arguments.kwonlyargs:
            return                                              # the half of a pair
        by_position = [self.default(value) for value in function.__defaults__ or ()]
        while None in by_position:
            del by_position[:by_position.index(None) + 1]
        seed = [] if arguments.kwonlyargs else arguments.defaults[-1:]
        arguments.defaults = [*by_position, *seed]
        by_name = function.__kwdefaults__ or {}
        arguments.kw_defaults = [
            self.default(by_name[one.id]) if default is None and one.id in by_name else default
            for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]

    def default(self, value: Any) -> gast.expr | None:
        try:
            text = literal(value, "a default")
        except TangentError:
            return None                                         # the argument has to be given
        if "np." in text:
            self.imports["import numpy as np"] = None
        return gast.parse(text, mode="eval").body


class _Direct(gast.NodeTransformer):
    """`tl.stop_gradient(x)` => `stop_gradient(x)`: the file shall not import tangent_lite."""

    def __init__(self, resolver: Resolver, external: dict[str, Any], taken: set[str]) -> None:
        self.resolver, self.external, self.taken = resolver, external, taken
        self.found: dict[str, Any] = {}

    def visit_Attribute(self, node: gast.Attribute) -> gast.expr:
        self.generic_visit(node)
        if isinstance(node.value, gast.Name) and isinstance(node.ctx, gast.Load):
            name = node.value.id
            owner = self.found.get(name, self.external.get(name, NO_OBJECT))
            owner = self.resolver.now(name) if owner is NO_OBJECT else owner
            if isinstance(owner, types.ModuleType) \
                    and owner.__name__.split(".")[0] == "tangent_lite":
                name = node.attr
                while name in self.taken:           # a variable is called that
                    name += "_"
                self.found[name] = getattr(owner, node.attr)
                return syntax.load(name)
        return node


def _free_and_local(tree: gast.FunctionDef) -> tuple[list[str], set[str]]:
    """The names that a function takes from its module, in order, and those that are its own."""
    free: dict[str, None] = {}
    local: set[str] = set()
    module = symtable.symtable(emit(tree), "<file>", "exec")
    for symbol in module.get_symbols():         # defaults are read outside the function
        if symbol.is_referenced() and not symbol.is_assigned():
            free.setdefault(symbol.get_name())
    todo = list(module.get_children())
    while todo:
        table = todo.pop(0)
        for symbol in table.get_symbols():
            if symbol.is_global():
                free.setdefault(symbol.get_name())
            else:
                local.add(symbol.get_name())
        todo += table.get_children()
    return sorted(free), local


def _is_logger(thing: Any) -> bool:
    """Whether something is the logger that `logging` hands out for its name."""
    found = sys.modules.get("logging")
    return found is not None and isinstance(thing, found.Logger) and (
        thing is found.root or found.Logger.manager.loggerDict.get(thing.name) is thing)


def _is_refusal(thing: Any) -> bool:
    return isinstance(thing, type) and issubclass(thing, TangentError)


def _python_error(error: type[TangentError]) -> type:
    """What an error of ours is besides."""
    return next(cls for cls in error.__mro__ if not issubclass(cls, TangentError))


def _home(thing: Any) -> tuple[str, str] | None:
    """The module that a function or class can be imported from, and its name there."""
    name = getattr(thing, "__name__", None)
    if not isinstance(name, str) or isinstance(thing, types.ModuleType):
        return None
    for module in (module_of(thing), "numpy", "math", "scipy.special"):
        if module and getattr(sys.modules.get(module), name, None) is thing:
            if module == "__main__" or module.split(".")[0] == "tangent_lite":
                raise TangentError(f"{name} is defined in {module}, which a file cannot import",
                                   None, "move it to a module of its own")
            return ("numpy" if module.startswith("numpy._") and getattr(np, name, None) is thing
                    else module), name
    raise TangentError(f"{name} cannot be imported by name", None,
                       "define it at the top of a module")


def _equal(a: Any, b: Any) -> bool:
    """Whether two things may share a name: the same one, or the same number."""
    if a is b:
        return True
    return type(a) is type(b) and isinstance(a, (int, float, str, bool)) and repr(a) == repr(b)


def literal(thing: Any, name: str) -> str:
    """The text of a value; TangentError where it has none.

    >>> literal((1.5, [np.float32(2.0), float("-inf")]), "settings")
    '(1.5, [np.float32(2.0), float("-inf")])'
    >>> literal(np.dtype(float), "DOUBLE")
    'np.dtype("float64")'
    """
    kind = type(thing)
    if isinstance(thing, np.generic) and thing.dtype.kind in "fiubc":
        return f"np.{thing.dtype.name.replace('bool', 'bool_')}({literal(thing.item(), name)})"
    if kind is float:
        return repr(thing) if math.isfinite(thing) else f'float("{thing}")'
    if kind is complex:
        finite = math.isfinite(thing.real) and math.isfinite(thing.imag)
        return repr(thing) if finite else \
            f"complex({literal(thing.real, name)}, {literal(thing.imag, name)})"
    if thing is None or thing is Ellipsis or kind in (bool, int, str, bytes, range):
        return repr(thing)
    if kind in (tuple, list):
        inside = ", ".join(literal(part, name) for part in thing)
        return f"[{inside}]" if kind is list else f"({inside}{',' * (len(thing) == 1)})"
    if kind is dict:
        return "{" + ", ".join(f"{literal(key, name)}: {literal(part, name)}"
                               for key, part in thing.items()) + "}"
    if isinstance(thing, np.dtype) and thing.kind in "fiubc" and thing.isnative:
        return f'np.dtype("{thing.name}")'
    if kind is np.ndarray and thing.size <= _LARGEST and thing.dtype.kind in "fiubc":
        dtype = f"np.{thing.dtype.name.replace('bool', 'bool_')}"
        if thing.size == 0:
            return f"np.zeros({thing.shape}, dtype={dtype})"
        return f"np.array({literal(thing.tolist(), name)}, dtype={dtype})"
    what = f"an array of {thing.size} numbers" if kind is np.ndarray else f"of type {kind.__name__}"
    raise TangentError(f"{name} is {what} and cannot be written into a file", None,
                       "pass it as an argument of the function")
