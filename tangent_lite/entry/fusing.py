"""A derivative and the way into it as one function, where it is straight code of floats and arrays,
and of tuples, dicts and objects that hold them.

    def ratio_grad(x=MISSING, y=MISSING, *more):
        try:
            try:
                fits = seen and type(x) is x_type and ... and not more
            except GONE:                            # a name is, or an attribute
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
when nothing is left to look at; until then, and for all else, calls are handed on. What a bound
method fills itself each object has for itself. Dataclasses and named tuples are made as
what is generated for them makes them.

It is done from Python 3.11 on, where `try` costs nothing and an error that is raised again keeps
the traceback that it was given.
"""
from __future__ import annotations

import ast
import copy
import re
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
from tangent_lite.entry.looks import Looks
from tangent_lite.records import by_position, is_made_of_fields, is_named_tuple
from tangent_lite.structures.bare_objects import fills
from tangent_lite.tracebacks import plain

IS_WORTHWHILE = sys.version_info >= (3, 11)
GONE = (KeyError, AttributeError)


class Fused(NamedTuple):
    """The derivative with its questions in front.

    code: of the function, for all objects; cells: of its names outside, at the `spots` those of
    `seen`, `hand_on` and `divided`, and of what a bound method fills, which each object has for
    itself; namespace: the user's module; has_seen: whether results need no look any more.
    """
    code: types.CodeType
    cells: list[types.CellType]
    spots: list[int]
    namespace: dict[str, Any]
    has_seen: Callable[[], bool]

    def call_of(self, method: Callable[..., Any], bound: Sequence[Any],
                visible: Sequence[str]) -> Callable[..., Any]:
        """What an object is called by, which hands on to a method; bound: what a bound method
        fills; visible: the other parameters."""
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
        for spot, cell in zip(self.spots, (seen, *map(types.CellType, (hand_on, divided, *bound)))):
            cells[spot] = cell
        made = types.FunctionType(self.code, self.namespace, None, (MISSING,) * len(visible),
                                  tuple(cells))
        made.__qualname__ = made.__name__               # Python's own errors say that
        return made


class Results(NamedTuple):
    """What a derivative returns: so many gradients, and before them the value, if that is asked
    for; numbers: which of them are to be made Python's floats; dressed: which of them are dicts of
    attributes that are to become objects of a class; single: one is no tuple."""
    gradients: int
    numbers: set[int]
    dressed: dict[int, type]
    has_value: bool
    single: bool


def fused(main: Any, names: list[str], bound: int, values: Sequence[Any], looks: Looks,
          meanings: list[str], defaults: list[str], results: Results,
          has_seen: Callable[[], bool]) -> Fused | None:
    """The emitted function `main` with its questions in front; None if it is none for that.

    names: of the parameters, which are x0, x1, ... in questions and defaults; bound: how many of
    them a bound method fills itself; values: what it is written for; looks: what is asked of
    arguments, and what names in questions and defaults mean; meanings: what is asked of names
    outside; defaults: lines that fill in defaults.
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
    means = Meanings(made_of, main.__globals__)
    stored = _stored(body)
    if not stored.isdisjoint(names[:bound]):
        return None                         # that would be another variable
    own_name = {f"x{k}": name for k, name in enumerate(names)}
    taken = {n.id for n in ast.walk(definition) if isinstance(n, ast.Name)} | {*names} \
        | {*made_of.known}
    numbers = {n for n, v in zip(names, values) if type(v) is float} \
        | {n for n in _read(body) - stored if type(means.named(n)) is float}
    arrays = arrays_of_floats(names, values)
    tuple_new = _free("made_tuple", taken)
    makes = _Made(means.of, tuple_new)
    body = [makes.visit(copy.deepcopy(node)) for node in body]
    body = leave_out_seed(body, given.args[-1].arg, numbers, arrays, means.of,
                          _paths(looks.floats, own_name, stored) if not _writes_parts(body) else ())
    space = {**looks.space, "float": float, "GONE": GONE, "new": object.__new__}
    own = {name: _free(name, taken) for name in [
        *space, *looks.parts, "seen", "hand_on", "divided", "more", "plain", "fits", "MISSING",
        "DIVIDED", "error"]}
    own.update(own_name)
    finished = _finished(body[-1], results, own, taken)
    if finished is None:
        return None
    body[-1:], more = finished
    more[tuple_new] = tuple.__new__
    space.update(more)
    own.update((name, name) for name in more)
    given_back = f"({''.join(f'x{k}, ' for k in range(bound, len(names)))})"
    front = "\n".join([
        "try:", *defaults, "    try:",
        f"        fits = {' and '.join(['seen', *looks.tests, *meanings])} and not more",
        "    except GONE:", "        fits = False",
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
        ast.arguments(posonlyargs=[], args=[ast.arg(name) for name in names[bound:]],
                      vararg=ast.arg(own["more"]), kwonlyargs=[], kw_defaults=[], defaults=[]),
        [whole], [])
    ast.fix_missing_locations(ast.copy_location(made, definition))
    cells = {own[name]: types.CellType(thing) for name, thing in {
        **space, "plain": plain, "MISSING": MISSING, "DIVIDED": DIVIDED}.items()}
    mine = [*(own[name] for name in ("seen", "hand_on", "divided")), *names[:bound]]
    known = {**made_of.known, **cells, **{name: types.CellType() for name in mine}}
    code = function_of(MadeOf(made, made_of.filename, known), main.__globals__).__code__
    spots = [code.co_freevars.index(name) for name in mine]
    return Fused(code, [known[name] for name in code.co_freevars], spots, main.__globals__,
                 has_seen)


def arrays_of_floats(names: Sequence[str], values: Sequence[Any]) -> dict[str, int]:
    """The parameters that are arrays of floats with axes, and how many these are."""
    return {n: v.ndim for n, v in zip(names, values)
            if type(v) is np.ndarray and v.ndim and v.dtype == float}


class Meanings:
    """What functions outside of an emitted function are."""

    def __init__(self, made_of: MadeOf, namespace: dict[str, Any]) -> None:
        self.known, self.namespace = made_of.known, namespace

    def named(self, name: str) -> Any:
        cell = self.known.get(name)
        return self.namespace.get(name) if cell is None else cell.cell_contents

    def of(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = self.of(node.value)
            return getattr(module, node.attr, None) if isinstance(module, types.ModuleType) \
                else None
        if not isinstance(node, ast.Name):
            return None
        found = self.named(node.id)
        return found if isinstance(found, Hashable) else None


class _Made(ast.NodeTransformer):
    """Objects that adjoints are, made faster: dataclasses by position, where fields are named, and
    named tuples (of positions) as tuples are. What is generated for both does the same."""

    def __init__(self, means: Callable[[ast.expr], Any], tuple_new: str) -> None:
        self.means, self.tuple_new = means, tuple_new

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        made: Any = self.means(node.func)
        if not isinstance(made, type):
            return node
        names = [str(one.arg) for one in node.keywords]
        if names and not node.args and is_made_of_fields(made, (*names,)) \
                and names == by_position(made)[:len(names)]:
            node.args, node.keywords = [one.value for one in node.keywords], []
        elif not names and is_named_tuple(made) and len(node.args) == len(_fields(made)) \
                and not any(isinstance(one, ast.Starred) for one in node.args):
            whole = ast.Tuple(node.args, ast.Load())
            made_so = ast.Call(ast.Name(self.tuple_new, ast.Load()), [node.func, whole], [])
            return ast.fix_missing_locations(ast.copy_location(made_so, node))
        return node


def _fields(kind: Any) -> tuple[str, ...]:
    """Those of a named tuple."""
    found: tuple[str, ...] = kind._fields
    return found


def _finished(last: Any, results: Results, own: dict[str, str],
              taken: set[str]) -> tuple[list[ast.stmt], dict[str, Any]] | None:
    """The statement that returns gradients as they are asked for, behind those that make objects of
    dicts of attributes, and what their names mean; None if that cannot be. own: our names."""
    space: dict[str, Any] = {}
    parts = _gradients(last, results)
    if parts is None:
        is_whole = not results.numbers and not results.dressed \
            and (not results.has_value or _is_pair(last.value))
        return ([last], space) if is_whole else None
    front: list[ast.stmt] = []
    for number, kind in results.dressed.items():
        made, fill, cls = (_free(name, taken) for name in ("made", "fill", "cls"))
        space.update({fill: fills(kind), cls: kind})
        lines: list[Any] = ast.parse(f"{made} = {own['new']}({cls})\n{fill}({made}, 0)").body
        for node in [n for line in lines for n in ast.walk(line)]:
            ast.copy_location(node, last)
        lines[1].value.args[1] = parts[number]
        parts[number] = ast.Name(made, ast.Load())
        front += lines
    for number in results.numbers:
        parts[number] = ast.Call(ast.Name(own["float"], ast.Load()), [parts[number]], [])
    made_so = parts[0] if results.single else ast.Tuple(parts, ast.Load())
    last.value = ast.Tuple([last.value.elts[0], made_so], ast.Load()) if results.has_value \
        else made_so
    return [*front, ast.fix_missing_locations(last)], space


def _gradients(last: Any, results: Results) -> list[ast.expr] | None:
    """The gradients that a statement returns; None if they are not all written there."""
    given = last.value
    if results.has_value:
        if not _is_pair(given):
            return None
        given = given.elts[1]
    if results.gradients == 1:
        return [given]
    if not isinstance(given, ast.Tuple) or len(given.elts) != results.gradients:
        return None
    return [*given.elts]


def _is_pair(node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple) and len(node.elts) == 2


def _stored(body: list[ast.stmt]) -> set[str]:
    """The names that statements bind."""
    return {n.id for node in body for n in ast.walk(node)
            if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}


def _read(body: list[ast.stmt]) -> set[str]:
    return {n.id for node in body for n in ast.walk(node) if isinstance(n, ast.Name)}


def _writes_parts(body: list[ast.stmt]) -> bool:
    return any(isinstance(n, (ast.Attribute, ast.Subscript)) and not isinstance(n.ctx, ast.Load)
               for node in body for n in ast.walk(node))


def _paths(floats: list[str], own_name: dict[str, str], stored: set[str]) -> list[str]:
    """Paths that are floats, by the names that parameters have, where these are bound to nothing
    else."""
    found = [re.sub(r"^x\d+", lambda root: own_name[root[0]], path) for path in floats
             if re.match(r"x\d+\W", path)]
    return [path for path in found if re.split(r"\W", path, maxsplit=1)[0] not in stored]


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
