"""Small arrays of known sizes are numbers: one for each element, and no array.

    y = np.array([1.0, 0.0])                    y_0 = 1.0
    for i in range(n):                          y_1 = 0.0
        y = y + h * rates           =>          for i in range(n):
        y_tape.append(y)                            y_0 = y_0 + h * rates_0
                                                    y_1 = y_1 + h * rates_1
                                                    y_0_tape.append(y_0)
                                                    y_1_tape.append(y_1)

To make an array takes as long as a hundred additions, and numbers are in registers. So are rows of
arrays of which each has two, three or four items (`pos[i] - pos[j]`). `numba_small_elements` says
expressions by elements; what cannot be said so is given an array that is made of the elements.

An array that changes may be known by several names, and numbers are not: it is taken apart only if
nothing that may be the same memory is read behind the statement that gives it another name.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.analyses.mentions import definitions, head
from tangent_lite.backends.numba_functions import unbound, undecided
from tangent_lite.backends.numba_lists import list_of
from tangent_lite.backends.numba_making import made_array
from tangent_lite.backends.numba_shared_names import Sharing
from tangent_lite.backends.numba_small_elements import (
    ByArray,
    Elements,
    Surroundings,
    Table,
    rests_on_arguments,
    small_sizes,
    taken,
)
from tangent_lite.backends.numba_small_indices import literal_index
from tangent_lite.backends.numba_small_layouts import names_by_rows
from tangent_lite.kinds import Kind, ListKind, RangeKind

_LONGEST = 700                  # statements that a function may come to have


def take_apart(tree: gast.FunctionDef, around: Surroundings,
               sharing: Sharing) -> list[gast.expr] | None:
    """Rewrite a function in place; the arrays whose sizes that rests on, None where nothing was
    taken apart."""
    tapes = _tapes(tree)
    found = _candidates(tree, tapes, around, sharing)
    changing = sharing.changing(found)
    found = {name: sizes for name, sizes in found.items() if name not in changing}
    names = {name: _names(name, sizes, around.fresh) for name, sizes in found.items()}
    around = around._replace(by_rows=names_by_rows(tree, found, around.meant, around.kind))
    while found:
        writer = _Writer({name: names[name] for name in found}, tapes, around, sharing)
        body = writer.block(tree.body)
        if writer.gone:
            if not writer.gone & found.keys():
                return None                     # a statement that nothing is known of
            found = {name: sizes for name, sizes in found.items() if name not in writer.gone}
            continue
        idle = writer.idle()
        if not idle:
            if sum(1 for _ in syntax.statements(body)) > _LONGEST:
                return None
            tree.body = body
            return writer.rests_on
        found = {name: sizes for name, sizes in found.items() if name not in idle}
    return None


def has_small_arrays(tree: gast.FunctionDef, kind: Callable[[gast.expr], Kind]) -> bool:
    """Whether a function binds names of small arrays, or is given such."""
    names = {*syntax.parameter_names(tree.args), *(
        name for node in syntax.statements(tree.body) for name in definitions(node))}
    return any(small_sizes(kind(syntax.load(name))) for name in names)


def is_in_normal_form(tree: gast.FunctionDef, kind: Callable[[gast.expr], Kind]) -> bool:
    """Whether what is known of names can be relied on: a function that is called as it is may have
    forms that emitted text has not, of which kinds tell less than they seem to."""
    nodes = list(syntax.statements(tree.body))
    returns = [node for node in nodes if isinstance(node, gast.Return)]
    return returns == tree.body[-1:] and not any(
        isinstance(node, gast.Continue)
        or (isinstance(node, (gast.For, gast.While)) and bool(node.orelse))
        or (isinstance(node, gast.For) and not (
            isinstance(node.target, gast.Name) and isinstance(kind(node.iter), RangeKind)))
        or (isinstance(node, gast.Assign) and (len(node.targets) > 1 or any(
            isinstance(part, gast.Tuple) for part in getattr(node.targets[0], "elts", ()))))
        for node in nodes)


_FULL = (float, int, bool, np.float64, np.int64, np.bool_)
_BY_NAME = {"float": float, "int": int, "bool": bool}       # builtins, if nothing has their names


def has_full_floats_alone(tree: gast.FunctionDef, meant: Callable[[gast.expr], Any]) -> bool:
    """Whether a function asks for no floats of fewer bits, whose arrays round what is put into
    them; kinds say only that they are floats."""
    def is_full(asked: gast.expr) -> bool:
        if isinstance(asked, gast.Constant):
            try:
                return np.dtype(asked.value) in [np.dtype(kind) for kind in _FULL]
            except (TypeError, ValueError):             # no name of a type
                return True
        if isinstance(asked, gast.Attribute) and asked.attr == "dtype":
            return True                                 # that of an array which is here already
        found = meant(asked)
        if found is None and isinstance(asked, gast.Name):
            found = _BY_NAME.get(asked.id)
        return any(found is kind for kind in _FULL)     # what is not known may be any

    def asked_by(call: gast.Call) -> list[gast.expr]:
        if getattr(call.func, "attr", "") in ("astype", "view"):
            return [*call.args, *(one.value for one in call.keywords)]
        # The first argument is the spec of einsum, or what an array is made of.
        words = call.args if meant(call.func) is np.dtype else call.args[1:]
        return [one.value for one in call.keywords if one.arg == "dtype"] + [
            one for one in call.args if isinstance(meant(one), type)] + [
            one for one in words if isinstance(one, gast.Constant) and isinstance(one.value, str)]

    return all(is_full(asked) for call in syntax.all_of(tree, gast.Call)
               for asked in asked_by(call))


def _candidates(tree: gast.FunctionDef, tapes: set[str], around: Surroundings,
                sharing: Sharing) -> dict[str, tuple[int, ...]]:
    """The names of arrays of known sizes, and of tapes that hold such, with the sizes; where these
    are those of arguments, the arrays that loops make or read: elsewhere the code had better serve
    all sizes."""
    parameters = set(syntax.parameter_names(tree.args))
    names = dict.fromkeys(name for node in syntax.statements(tree.body)
                          for name in definitions(node) if name not in parameters)
    in_loops = {name for node in syntax.statements(tree.body) if sharing.is_inside(node)
                for name in (*definitions(node), *syntax.read_names(head(node)))}
    found = {}
    for name in names:
        kind = around.kind(syntax.load(name))
        if isinstance(kind, ListKind) and name in tapes:
            kind = around.kind(syntax.method(syntax.load(name), "pop"))
        sizes = small_sizes(kind)
        if sizes is None:
            continue
        # Of matrices of arguments the square ones, which turn vectors: others are tables, and
        # have other lengths in other calls.
        if not rests_on_arguments(kind) or (name in in_loops and len(set(sizes)) == 1):
            found[name] = sizes
    return found


def _tapes(tree: gast.FunctionDef) -> set[str]:
    """The lists with which nothing is done but to make them empty, fill them and take from them."""
    counts = Counter(n.id for n in syntax.walk(tree) if isinstance(n, gast.Name))
    uses: Counter[str] = Counter()
    made = set()
    for node in syntax.statements(tree.body):
        value: Any = getattr(node, "value", None)
        if isinstance(node, gast.Expr):
            uses[list_of(value, "append", 1) or ""] += 1
        elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
            uses[list_of(value, "pop", 0) or ""] += 1
            if isinstance(value, gast.List) and not value.elts:
                uses[node.targets[0].id] += 1
                made.add(node.targets[0].id)
    return {name for name in made if uses[name] == counts[name]}


class _NotApart(Exception):
    """Names that have to stay arrays."""

    def __init__(self, names: set[str]) -> None:
        self.names = names


class _Writer:
    """One attempt to take arrays apart.

    apart: the names of their elements; rests_on: the arrays whose sizes it rests on; said, made:
    how often something is computed of the elements of a name, and an array made of them, or they
    of an array; gone: names that have to stay arrays, of which nothing may be taken over then.
    """

    def __init__(self, apart: dict[str, Table], tapes: set[str], around: Surroundings,
                 sharing: Sharing) -> None:
        self.around, self.sharing, self.apart = around, sharing, apart
        self.tapes = tapes & apart.keys()
        self.arrays = {name: table for name, table in self.apart.items() if name not in self.tapes}
        self.rests_on: list[gast.expr] = []
        self.said: dict[str, int] = {}
        self.made: dict[str, int] = {}
        self.gone: set[str] = set()
        self.loops: list[set[str]] = []         # what those around a statement bind

    def idle(self) -> set[str]:
        """Names of arrays that are made as such more often than something is computed of their
        elements."""
        return {name for name in self.apart if self.made.get(name, 0)
                > self.said.get(name, 0) - (name in self.tapes)}

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        made: list[gast.stmt] = []
        for node in block:
            try:
                made += self.placed(node)
            except _NotApart as stopped:
                self.gone |= stopped.names      # all of them are found at once
        return made

    def placed(self, node: Any) -> list[gast.stmt]:
        """What stands in place of a statement."""
        touched = (syntax.read_names(node) | set(definitions(node))) if not isinstance(
            node, syntax.COMPOUND) else set()
        if isinstance(node, syntax.COMPOUND):
            return self.compound(node)
        elements = Elements(self.around, self.arrays)
        made = self.statement(node, elements)
        if made is None:
            return [node]
        for name in touched & self.apart.keys():
            self.said[name] = self.said.get(name, 0) + 1
        self.rests_on += elements.arrays
        made = [*elements.before, *made]
        syntax.serve(made, node)
        return made

    # Compound statements ----------------------------------------------------------------------
    def compound(self, node: Any) -> list[gast.stmt]:
        """A loop or a branch, with what is in it."""
        made = gast.copy_location(type(node)(**dict(gast.iter_fields(node))), node)
        if not isinstance(node, gast.If):
            self.loops.append({name for one in syntax.statements(node.body)
                               for name in definitions(one)})
        for field in ("body", "orelse"):
            setattr(made, field, self.block(getattr(node, field)))
        if not isinstance(node, gast.If):
            self.loops.pop()
        before: list[gast.stmt] = []
        field = "iter" if isinstance(node, gast.For) else "test"
        value = getattr(node, field)
        if syntax.read_names(value) & self.apart.keys():
            elements = Elements(self.around, self.arrays)
            try:
                value = elements.number(value)
            except ByArray:
                value = self.converted(getattr(node, field), node)
            if elements.before and isinstance(node, gast.While):
                raise _NotApart(syntax.read_names(node.test))
            before = elements.before
            self.rests_on += elements.arrays
            setattr(made, field, value)
        if isinstance(node, gast.For) and set(syntax.bound_names(node.target)) & self.apart.keys():
            raise _NotApart(set(syntax.bound_names(node.target)))
        syntax.serve(before, node)
        return [*before, made]

    # Simple statements ------------------------------------------------------------------------
    def statement(self, node: Any, elements: Elements) -> list[gast.stmt] | None:
        """What stands in place of a simple statement; None: it itself."""
        value = getattr(node, "value", None)
        if isinstance(node, gast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, gast.Name) and target.id in self.apart:
                return self.bound(node, target.id, elements)
            if isinstance(target, gast.Subscript):
                return self.stored(node, target, elements)
        if isinstance(node, gast.AugAssign):
            mine = (syntax.read_names(node) | set(definitions(node))) & self.apart.keys()
            if not isinstance(node.op, (gast.Add, gast.Sub, gast.Mult, gast.Div)):
                if mine:
                    raise _NotApart(mine)
                return None
            if isinstance(node.target, gast.Name) and node.target.id in self.apart:
                names = self.apart[node.target.id]
                table = self.of_shape(node, value, names.shape, elements)
                table = _as_before(table, names, elements)
                return [_written(node, syntax.store(name), one, elements)
                        for name, one in zip(names.flat, table.flat)]
            if isinstance(node.target, gast.Subscript):
                return self.stored(node, node.target, elements)
        tape = list_of(value, "append", 1) if isinstance(node, gast.Expr) else None
        if tape is not None and tape in self.tapes:
            names, call = self.apart[tape], node.value
            table = self.of_shape(node, call.args[0], names.shape, elements, spreads=False)
            if not syntax.read_names(call.args[0]) & self.arrays.keys():
                self.note_made([tape])          # of elements of an array that is there
            return [syntax.statement(syntax.method(syntax.load(name), "append", one))
                    for name, one in zip(names.flat, table.flat)]
        mine = (syntax.read_names(node) | set(definitions(node))) & self.apart.keys()
        if not mine:
            return None
        if set(definitions(node)) & mine or isinstance(node, gast.Delete):
            raise _NotApart(mine)               # a, b = f(x)
        return self.others(node, elements)

    def others(self, node: Any, elements: Elements) -> list[gast.stmt]:
        """A statement that reads elements, or arrays made of them."""
        made = syntax.copy(node)
        value = node.value
        if not isinstance(value, gast.expr):
            raise _NotApart(syntax.read_names(node))
        tape = list_of(value, "pop", 0)
        if tape is not None and tape in self.tapes:
            self.note_made([tape])
            made.value = self.array([syntax.method(syntax.load(name), "pop")
                                     for name in self.apart[tape].flat], self.apart[tape].shape)
            return [made]
        before = len(elements.before)
        try:
            made.value = elements.number(value)
        except ByArray:
            del elements.before[before:]
            made.value = self.converted(value, node)
        return [made]

    def bound(self, node: Any, name: str, elements: Elements) -> list[gast.stmt]:
        """`name = value`, by elements."""
        names, value = self.apart[name], node.value
        if name in self.tapes:
            return [syntax.assign(one, syntax.copy(value)) for one in names.flat]
        tape = list_of(value, "pop", 0)
        if tape in self.tapes and self.apart[tape].shape == names.shape:
            return [syntax.assign(one, syntax.method(syntax.load(other), "pop"))
                    for one, other in zip(names.flat, self.apart[tape].flat)]
        if isinstance(value, gast.Call) and self.around.meant(value.func) in (unbound, undecided):
            return [syntax.assign(one, syntax.copy(value)) for one in names.flat]
        table = self.of_shape(node, value, names.shape, elements, spreads=False)
        table = _as_before(table, names, elements)
        return [syntax.assign(one, element) for one, element in zip(names.flat, table.flat)]

    def of_shape(self, node: Any, value: gast.expr, shape: tuple[int, ...],
                 elements: Elements, spreads: bool = True) -> Table:
        """The elements of a value of a shape, or spread over it."""
        before = len(elements.before)
        try:
            table = elements.of(value)
        except ByArray:
            del elements.before[before:]
            table = self.elements_of_array(node, value, elements)
        if table.shape != shape:
            try:
                if not spreads:
                    raise ValueError
                table = np.broadcast_to(elements.named(table), shape)
            except ValueError:
                raise _NotApart(set(definitions(node)) | syntax.read_names(node)) from None
        return table

    def elements_of_array(self, node: Any, value: gast.expr, elements: Elements) -> Table:
        """The elements of an array that is computed as one, if it is a new one."""
        sizes = self.around.sizes(value)
        if sizes is None or self.sharing.may_share(value):
            raise _NotApart(set(definitions(node)) or syntax.read_names(node))
        self.rests_on.append(value)
        self.note_made(definitions(node))
        name = elements.name(self.converted(value, node), "array").id
        found = np.empty(sizes, object)
        for place in np.ndindex(*sizes):
            parts = list(map(syntax.constant, place))
            found[place] = syntax.subscript(
                syntax.load(name), parts[0] if len(parts) == 1 else syntax.tuple_of(parts))
        return found

    def stored(self, node: Any, target: gast.Subscript, elements: Elements) \
            -> list[gast.stmt] | None:
        """`x[index] = value`, `x[index] += value`."""
        base = target.value
        if isinstance(base, gast.Name) and base.id in self.arrays:
            index = literal_index(target.slice)
            try:
                names = taken(self.arrays[base.id], index) if index is not None else None
            except ByArray:
                names = None
            if names is None:
                raise _NotApart({base.id})
            table = self.of_shape(node, node.value, names.shape, elements)
            if names.size > 1:
                table = _kept(table, elements)
            return [_written(node, syntax.store(name), one, elements)
                    for name, one in zip(names.flat, table.flat)]
        places = None
        if isinstance(base, gast.Name) and self.sharing.is_inside(node):
            read = syntax.subscript(syntax.load(base.id), target.slice)
            places = elements.places(read)
        if places is not None:
            before = len(elements.before)
            try:
                table = elements.of(node.value)
                if table.shape != places.shape:
                    table = np.broadcast_to(elements.named(table), places.shape)
                table = _kept(table, elements)
                return [_written(node, syntax.subscript(syntax.load(name), index, gast.Store()),
                                 one, elements)
                        for (name, index), one in zip(places.flat, table.flat)]
            except (ByArray, ValueError):
                del elements.before[before:]
        del elements.arrays[:], elements.before[:]
        if not (syntax.read_names(node) & self.apart.keys()):
            return None
        made = syntax.copy(node)
        written = made.target if isinstance(made, gast.AugAssign) else made.targets[0]
        try:
            written.slice = elements.number(target.slice)
        except ByArray:
            written.slice = self.converted(target.slice, node)
        try:
            made.value = elements.number(node.value)
        except ByArray:
            made.value = self.converted(node.value, node)
        return [made]

    # Arrays that are made again ---------------------------------------------------------------
    def converted(self, value: gast.expr, node: gast.stmt) -> gast.expr:
        """An expression with arrays in the place of what was taken apart."""
        names = syntax.read_names(value) & self.apart.keys()
        if names & self.tapes:
            raise _NotApart(names & self.tapes)
        changed = names & self.sharing.written_in(head(node))
        if changed:
            raise _NotApart(changed)
        self.note_made(names)
        # Each step of a loop would make one array more of the same elements.
        for name in names if self.loops else ():
            if name not in self.loops[-1]:
                self.made[name] += _LONGEST
        return syntax.substitute(syntax.copy(value), {
            name: self.array(list(map(syntax.load, self.apart[name].flat)), self.apart[name].shape)
            for name in names})

    def note_made(self, names: Iterable[str]) -> None:
        for name in names:
            self.made[name] = self.made.get(name, 0) + 1
            self.said[name] = self.said.get(name, 0) - 1

    def array(self, elements: list[gast.expr], shape: tuple[int, ...]) -> gast.expr:
        """An array of elements."""
        def rows(parts: list[gast.expr], sizes: tuple[int, ...]) -> gast.expr:
            if len(sizes) > 1:
                step = len(parts) // sizes[0]
                parts = [rows(parts[k * step:(k + 1) * step], sizes[1:]) for k in range(sizes[0])]
            return syntax.tuple_of(parts)
        return syntax.call(syntax.load(self.around.name_of(made_array, "made_array")),
                           rows(elements, shape))


def _names(name: str, sizes: tuple[int, ...], fresh: Any) -> Table:
    """Names for the elements of an array."""
    found = np.empty(sizes, object)
    for place in np.ndindex(*sizes):
        found[place] = fresh(f"{name}_{''.join(map(str, place))}")
    return found


def _as_before(table: Table, names: Table, elements: Elements) -> Table:
    """Elements that are bound to names one after the other: as they are before the first is."""
    bound: set[str] = set()
    for name, element in zip(names.flat, table.flat):
        if syntax.read_names(element) & bound:
            return _kept(table, elements)
        bound.add(name)
    return table


def _kept(table: Table, elements: Elements) -> Table:
    """Elements under names that nothing else binds."""
    found = np.empty(table.shape, object)
    for place in np.ndindex(*table.shape):
        one = table[place]
        if not isinstance(one, gast.Constant):
            name = elements.around.fresh("part")
            elements.before.append(syntax.assign(name, one))
            one = syntax.load(name)
        found[place] = one
    return found


def _written(node: Any, target: Any, value: gast.expr, elements: Elements) -> gast.stmt:
    """What is written to one element by `array = value` or `array += value`."""
    if not isinstance(node, gast.AugAssign):
        return syntax.assign(target, value)
    if not isinstance(node.op, gast.Div):
        return gast.AugAssign(target, node.op, value)
    # Where arrays give inf and nan, numbers would stop.
    read = syntax.copy(target)
    read.ctx = gast.Load()
    return syntax.assign(target, elements.call(np.divide, read, value))
