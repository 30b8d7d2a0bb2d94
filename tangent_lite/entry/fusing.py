"""A derivative and the way into it as one function, where it is straight code of floats and arrays.

    def ratio_grad(x=MISSING, y=MISSING, *more):
        try:
            try:
                fits = seen and type(x) is x_type and ... and not more
            except KeyError:                        # a name is gone
                fits = False
            if not fits:
                return hand_on((x, y), more)
            bx = 1.0 / y                            the statements of the derivative, with the lines
            by = -x / (y * y)                       that they have in its text
            return bx, by
        except DIVIDED as error:
            fits = divided((x, y), more)
            if fits is MISSING:                     # the function divides by zero itself
                plain(error)
                raise
            return fits
        except Exception as error:
            plain(error)
            raise

Of a derivative that takes a microsecond, the call of one function by another, what binds arguments
by name, and the product with a seed that is one are a good part. The arguments have the names that
they have for the user, so Python itself binds them. What looks at results once (see `entry`) says
when nothing is left to look at; until then, and for all else, calls are handed on.

It is done from Python 3.11 on, where `try` costs nothing and an error that is raised again keeps
the traceback that it was given.
"""
from __future__ import annotations

import ast
import sys
import types
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tangent_lite.adjoints.seed_of_one import leave_out_seed
from tangent_lite.calling.divided import DIVIDED
from tangent_lite.calling.resolve import MISSING
from tangent_lite.compile import MadeOf, function_of
from tangent_lite.entry.arguments import divided_by, hand_on_to
from tangent_lite.tracebacks import plain

IS_WORTHWHILE = sys.version_info >= (3, 11)


class Fused(NamedTuple):
    """The derivative with its questions in front.

    code: of the function, for all objects; cells: of its names outside, at the `spots` those of
    `seen`, `hand_on` and `divided`, which each object has for itself; namespace: the user's module;
    has_seen: whether results need no look any more.
    """
    code: types.CodeType
    cells: list[types.CellType]
    spots: list[int]
    namespace: dict[str, Any]
    has_seen: Callable[[], bool]

    def call_of(self, method: Callable[..., Any], visible: Sequence[str]) -> Callable[..., Any]:
        """What an object is called by, which hands on to a method; visible: the parameters."""
        seen = types.CellType(False)
        to_method = hand_on_to(method, len(visible), visible)
        by_numpy = divided_by(method, len(visible), visible)

        def hand_on(values: tuple[Any, ...], more: tuple[Any, ...]) -> Any:
            found = to_method(values, more, {})
            seen.cell_contents = self.has_seen()
            return found

        def divided(values: tuple[Any, ...], more: tuple[Any, ...]) -> Any:
            return by_numpy(values, more, {})

        cells = self.cells.copy()
        for spot, cell in zip(self.spots, (seen, types.CellType(hand_on), types.CellType(divided))):
            cells[spot] = cell
        made = types.FunctionType(self.code, self.namespace, None, (MISSING,) * len(visible),
                                  tuple(cells))
        made.__qualname__ = made.__name__               # Python's own errors say that
        return made


class Results(NamedTuple):
    """What a derivative returns: so many gradients, and before them the value, if that is asked
    for; numbers: which of them are to be made Python's floats; single: one is no tuple."""
    gradients: int
    numbers: set[int]
    has_value: bool
    single: bool


def fused(main: Any, names: list[str], values: Sequence[Any], tests: list[str],
          defaults: list[str], space: dict[str, Any], results: Results,
          has_seen: Callable[[], bool]) -> Fused | None:
    """The emitted function `main` with its questions in front; None if it is none for that.

    names: of the parameters, which are x0, x1, ... in tests and defaults; values: floats and
    arrays of them, that it is written for; tests: expressions that hold for arguments like these;
    defaults: lines that fill in defaults; space: what other names in both mean.
    """
    made_of: MadeOf = main.made_of
    definition = made_of.definition
    if definition is None:
        return None                         # it takes longer than its call
    given = definition.args
    body: list[Any] = [n for n in definition.body if not _is_text(n)]
    last: Any = body[-1]
    if not IS_WORTHWHILE or not isinstance(last, ast.Return) \
            or any(isinstance(n, ast.For) for n in body) \
            or given.kwonlyargs or given.posonlyargs \
            or [a.arg for a in given.args[:-1]] != names:
        return None
    numbers = {n for n, v in zip(names, values) if type(v) is float}
    arrays = {n for n, v in zip(names, values) if type(v) is np.ndarray and v.ndim}
    body = leave_out_seed(body, given.args[-1].arg, numbers, arrays,
                          _Meanings(made_of, main.__globals__).of)
    space = {**space, "float": float}
    taken = {n.id for n in ast.walk(definition) if isinstance(n, ast.Name)} | {*names} \
        | {*made_of.known}
    own = {name: _free(name, taken) for name in [
        *space, "seen", "hand_on", "divided", "more", "plain", "fits", "MISSING", "DIVIDED",
        "error"]}
    own.update((f"x{k}", name) for k, name in enumerate(names))
    if not _finish(body[-1], results, own["float"]):
        return None
    given_back = f"({', '.join(f'x{k}' for k in range(len(names)))},)"
    front = "\n".join([
        "try:", *defaults, "    try:",
        f"        fits = {' and '.join(['seen', *tests])} and not more",
        "    except KeyError:", "        fits = False",
        "    if not fits:",
        f"        return hand_on({given_back}, more)",
        "    pass",
        "except DIVIDED as error:", f"    fits = divided({given_back}, more)",
        "    if fits is MISSING:", "        plain(error)", "        raise", "    return fits",
        "except Exception as error:", "    plain(error)", "    raise"])
    whole = _Renamed(own, definition.lineno).visit(ast.parse(front)).body[0]
    whole.body[-1:] = body
    made = ast.FunctionDef(
        definition.name,
        ast.arguments(posonlyargs=[], args=[ast.arg(name) for name in names],
                      vararg=ast.arg(own["more"]), kwonlyargs=[], kw_defaults=[], defaults=[]),
        [whole], [])
    ast.fix_missing_locations(ast.copy_location(made, definition))
    cells = {own[name]: types.CellType(thing) for name, thing in {
        **space, "plain": plain, "MISSING": MISSING, "DIVIDED": DIVIDED}.items()}
    mine = [own[name] for name in ("seen", "hand_on", "divided")]
    known = {**made_of.known, **cells, **{name: types.CellType() for name in mine}}
    code = function_of(MadeOf(made, made_of.filename, known), main.__globals__).__code__
    spots = [code.co_freevars.index(name) for name in mine]
    return Fused(code, [known[name] for name in code.co_freevars], spots, main.__globals__,
                 has_seen)


def _finish(last: Any, results: Results, make: str) -> bool:
    """Return the gradients as they are asked for, numbers as `make` makes them; whether that can
    be."""
    given = last.value
    if results.has_value:
        if not isinstance(given, ast.Tuple) or len(given.elts) != 2:
            return False
        given = given.elts[1]
    parts = [given]
    if results.gradients > 1:
        if not isinstance(given, ast.Tuple) or len(given.elts) != results.gradients:
            return not results.numbers
        parts = given.elts
    parts = [ast.Call(ast.Name(make, ast.Load()), [part], []) if number in results.numbers
             else part for number, part in enumerate(parts)]
    made = parts[0] if results.single else ast.Tuple(parts, ast.Load())
    last.value = ast.Tuple([last.value.elts[0], made], ast.Load()) if results.has_value else made
    ast.fix_missing_locations(ast.copy_location(last.value, last))
    return True


class _Meanings:
    """What functions outside of an emitted function are."""

    def __init__(self, made_of: MadeOf, namespace: dict[str, Any]) -> None:
        self.known, self.namespace = made_of.known, namespace

    def of(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = self.of(node.value)
            return getattr(module, node.attr, None) if isinstance(module, types.ModuleType) \
                else None
        if not isinstance(node, ast.Name):
            return None
        cell = self.known.get(node.id)
        found = self.namespace.get(node.id) if cell is None else cell.cell_contents
        return found if isinstance(found, Hashable) else None


class _Renamed(ast.NodeTransformer):
    """Names by a table, everything on one line: that of the `def`."""

    def __init__(self, names: dict[str, str], line: int) -> None:
        self.names, self.line = names, line

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = self.line           # type: ignore[attr-defined]
        return super().generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.names.get(node.id, node.id)
        return self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        if node.name:
            node.name = self.names.get(node.name, node.name)
        return self.generic_visit(node)


def _free(wish: str, taken: set[str]) -> str:
    """A name like this one that is not taken; it is from now on."""
    name = wish
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
