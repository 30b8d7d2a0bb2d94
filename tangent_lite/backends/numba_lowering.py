"""From emitted functions to functions that Numba compiles: one text, and what its names mean.

The statements stay what they are. What changes:

* Numbers and arrays from around a function become parameters, since Numba reads a global once and
  for all, and names mean what they mean at the call.
* Calls of NumPy and math that Numba lacks, or does with another outcome, go to functions of
  `numba_functions`; functions of the user that are called become functions beside the derivative.
* Names that may be read before they are bound get flags (`numba_binding`).
"""
from __future__ import annotations

import linecache
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.mentions import definitions, head
from tangent_lite.backends.numba_any_order import any_order
from tangent_lite.backends.numba_binding import guarded
from tangent_lite.backends.numba_containers import (
    PYTHON,
    length,
)
from tangent_lite.backends.numba_endless_records import endless_record
from tangent_lite.backends.numba_factors import form_factors
from tangent_lite.backends.numba_flat_tapes import flatten_tapes
from tangent_lite.backends.numba_functions import (
    JOINING,
    is_unset,
    limited,
    unbound,
    undecided,
)
from tangent_lite.backends.numba_fusing import fuse_loops, is_pure
from tangent_lite.backends.numba_groups import Group, grouped
from tangent_lite.backends.numba_handing import hand_over
from tangent_lite.backends.numba_inlining import functions_that_recur, inline_calls
from tangent_lite.backends.numba_inside import look_once
from tangent_lite.backends.numba_known import with_known_axes
from tangent_lite.backends.numba_lengths import name_lengths
from tangent_lite.backends.numba_list_items import begin_with_floats
from tangent_lite.backends.numba_lists import reserve_tapes
from tangent_lite.backends.numba_masks import combine_masks
from tangent_lite.backends.numba_memory import lie_apart, lie_apart_as_numbers
from tangent_lite.backends.numba_named_products import name_products
from tangent_lite.backends.numba_names import NamesOfModule
from tangent_lite.backends.numba_number_names import Known, known_in
from tangent_lite.backends.numba_own_value import compute_as_numpy
from tangent_lite.backends.numba_parts import TuplesWrittenOut, in_parts
from tangent_lite.backends.numba_raising import say_plainly
from tangent_lite.backends.numba_records import drop_unread, part_records
from tangent_lite.backends.numba_shared_names import Sharing, written_by_functions
from tangent_lite.backends.numba_small_arrays import (
    has_full_floats_alone,
    has_small_arrays,
    is_in_normal_form,
    take_apart,
)
from tangent_lite.backends.numba_small_elements import Surroundings, note_sizes
from tangent_lite.backends.numba_small_loops import write_steps
from tangent_lite.backends.numba_ties import count_ties
from tangent_lite.backends.numba_unchecked import held, inside, turning, unchecked, within
from tangent_lite.compile import settle_names, used_names
from tangent_lite.errors import Place, TangentError, UnsupportedSyntaxError
from tangent_lite.functions.units import Derivative, Unit
from tangent_lite.kinds import Kind
from tangent_lite.source import Source, source_of
from tangent_lite.written.linemap import LineMap, lines_of_units, place_of


@dataclass(eq=False)
class Piece:
    """A function of the compiled module; data: parameters for what it reads from outside."""
    name: str
    tree: gast.FunctionDef
    source: Source
    unit: Unit
    data: list[str] = field(default_factory=list)
    defaults: list[gast.expr] = field(default_factory=list)
    calls: list[Piece] = field(default_factory=list)

    def refuse(self, node: gast.AST, reason: str, fix: str = PYTHON) -> TangentError:
        return refused(reason, place_of(node, self.unit), fix)


def refused(reason: str, spot: tuple[str, int] | None, fix: str = PYTHON) -> TangentError:
    """The error that says why something is not compiled; spot: the file and line of the user."""
    reason = f'backend="numba": {reason}'
    text = linecache.getline(*spot).rstrip() if spot is not None else ""
    if spot is None or not text:
        where = f"{spot[0]}:{spot[1]}: " if spot is not None else ""
        return TangentError(where + reason, None, fix)
    place = Place(*spot, text, len(text) - len(text.lstrip()), len(text))
    return UnsupportedSyntaxError(reason, place, fix)


_JOINING_HELPERS = {"concatenated_part", "joined_part", "concatenated_parts", "np_concatenate"}


class Lowered:
    """The functions of a derivative as Numba is to compile them.

    pieces: callees first; names: what the free names of the text mean; data: for each parameter
    that was added, what looks its value up.
    by_elements: make loops of statements about arrays; groups: those that were (`numba_groups`).
    """

    def __init__(self, derivative: Derivative, by_elements: bool,
                 functions: dict[str, Any], kinds_given: Mapping[str, Kind],
                 kinds_sized: Mapping[str, Kind], for_sizes: bool = False,
                 is_strict: bool = False, is_exact: bool = False) -> None:
        """functions: what parameters of the derivative mean that are functions; kinds_given: the
        kinds of its parameters, and kinds_sized with the sizes of one call; for_sizes: the text
        may be for these sizes alone, and it is noted with them what it rests on; is_strict: nothing
        is taken for what a name means before something is bound to it; is_exact: the value is to be
        the function's own (`numba_own_value`)."""
        self.is_strict, self.for_sizes = is_strict, for_sizes
        self.has_parts = False                      # small arrays were made numbers
        self.rests_on_sizes = False                 # of arguments, as kinds_sized say them
        settle_names(derivative.units)
        self.pieces: list[Piece] = []
        self.names: dict[str, Any] = {}
        self.data: dict[str, Callable[[], Any]] = {}
        self.by_thing: dict[int, Piece] = {}
        self._kept: list[Any] = []                  # so that no id is given twice
        self._data_keys: dict[Any, str] = {}
        self.groups: list[Group] = []
        self._read(derivative, functions)
        self._settle(kinds_given, is_exact)
        self._write(kinds_given, kinds_sized, by_elements)

    def _read(self, derivative: Derivative, functions: dict[str, Any]) -> None:
        """Make pieces of the functions of a derivative, and of those that they call."""
        endless = endless_record(derivative.units)
        if endless is not None:
            raise refused("a recursion is compiled where the record of a call holds no record of "
                          "another one, which would have no type", place_of(endless[1], endless[0]))
        # Names that are somebody's variables, or functions of the module.
        self.taken = {unit.name for unit in derivative.units}
        for unit in derivative.units:
            self.taken |= syntax.all_names(unit.tree) - set(used_names(unit))
        for unit in derivative.units:
            piece = Piece(unit.name, syntax.copy(unit.tree), unit.source, unit)
            self.by_thing[id(unit)] = piece
        halves = {id(u) for u in derivative.units} - {id(derivative.main)}
        self.main = self.by_thing[id(derivative.main)]
        _by_position(self.main)
        _seed_inside(self.main.tree)
        given = self._known_functions(functions)
        for unit in derivative.units:
            external = unit.external if unit is not derivative.main else {**unit.external, **given}
            self.lower(self.by_thing[id(unit)], external, id(unit) in halves)
        self.pass_data()
        self.limit()

    def _settle(self, kinds_given: Mapping[str, Kind], is_exact: bool) -> None:
        """What is written in another way in any case, before statements become loops."""
        # Loops over what is taken apart at the boundary are told by its parts.
        parts_alone = {name for name, kind in kinds_given.items()
                       if isinstance(kind, (kinds.ListKind, kinds.TupleKind))}
        for piece in self.pieces:
            name_lengths(piece.tree, self.is_length, self.fresh, parts_alone if piece is self.main
                         else frozenset())
            form_factors(piece.tree, _names_of_user(piece), self.meant)
        if is_exact:
            for piece in self.pieces:
                if piece.unit.forward is None:              # no backward half
                    compute_as_numpy(piece.tree, piece is not self.main, self.meant, self.name_of)

    def _write(self, kinds_given: Mapping[str, Kind], kinds_sized: Mapping[str, Kind],
               by_elements: bool) -> None:
        """What rests on kinds: each step that changes something has them looked for again."""
        outside = {name: kinds.kind_of(look_up()) for name, look_up in self.data.items()}

        def all_known() -> dict[str, Known]:
            return known_in([piece.tree for piece in self.pieces], self.main.tree,
                            {**kinds_given, **outside}, {**kinds_sized, **outside}, self.names)

        known = all_known()
        have_floats = [begin_with_floats(piece.tree, known[piece.name].surely)
                       for piece in self.pieces]
        if any(have_floats):
            known = all_known()
        are_plain = all(is_in_normal_form(piece.tree, known[piece.name].kind)
                        and has_full_floats_alone(piece.tree, self.meant)
                        for piece in self.pieces)
        have_masks = [combine_masks(piece.tree, known[piece.name].kind, piece.refuse)
                      for piece in self.pieces]
        if any(have_masks):
            known = all_known()
        if by_elements:
            self.write_out(known)
            known = all_known()
        trees = [piece.tree for piece in self.pieces]
        if by_elements:
            if are_plain and self.write_steps(trees, known):
                known = all_known()
            have_parted = [part_records(tree, self.fresh, known[tree.name].is_array)
                           for tree in trees]
            are_flat = [flatten_tapes(tree, self.meant, self.fresh) for tree in trees]
            if any(have_parted) or any(are_flat):
                known = all_known()
            if are_plain and self.take_apart(trees, known):
                known = all_known()
        for tree in trees:
            reserve_tapes(tree)
        self._group(trees, known, by_elements)

    def _group(self, trees: list[gast.FunctionDef], known: dict[str, Known],
               by_elements: bool) -> None:
        """Mark the statements about arrays that become one loop, and what else is read by marks."""
        behind: dict[str, list[Group]] = {}         # what stands behind the calls of a function
        if by_elements:
            deep = functions_that_recur(trees)
            for tree in trees:
                if tree.name not in deep:
                    count_ties(tree, self.meant, self.fresh, self.name_of)
                    behind[tree.name] = grouped(tree, self.meant, self.fresh, known[tree.name])
                    self.groups += behind[tree.name]
        for piece in self.pieces:
            with_known_axes(piece.tree, self.meant, self.name_of)
            lie_apart_as_numbers(piece.tree, self.meant, known[piece.name].is_number)
            look_once(piece.tree, lambda wish: self.name_of(_LOOKING[wish], wish), self.fresh,
                      lambda call: is_pure(self.meant(call.func)), known[piece.name].is_number,
                      known[piece.name].is_whole)
            if by_elements:
                name_products(piece.tree, behind.get(piece.name, []), known[piece.name],
                              self.meant, self.name_of)

    def write_out(self, known: dict[str, Known]) -> None:
        """Write functions out where they are called, and make one loop of those that record and
        those that go back."""
        trees = [piece.tree for piece in self.pieces]
        gone = inline_calls(trees, self.fresh, {
            tree.name for tree in trees if has_small_arrays(tree, known[tree.name].kind)})
        self.pieces = [piece for piece in self.pieces if piece.name not in gone]
        for piece in self.pieces:
            fuse_loops(piece.tree, self.meant, self.fresh, piece is not self.main)
            hand_over(piece.tree)

    def _kind(self, known: Known) -> Callable[[gast.expr], Kind]:
        """What tells the kinds of expressions: with the sizes of arguments, if it may be for these
        alone."""
        return known.kind if self.for_sizes else known.surely

    def write_steps(self, trees: list[gast.FunctionDef], known: dict[str, Known]) -> bool:
        """Write loops over the elements of small arrays step by step; whether there are such."""
        found = [write_steps(tree, self._kind(known[tree.name])) for tree in trees]
        return any(found)

    def take_apart(self, trees: list[gast.FunctionDef], known: dict[str, Known]) -> bool:
        """Make numbers of small arrays; whether there are such."""
        written = written_by_functions(trees, self.meant, lambda name: known[name].is_number,
                                       lambda name: known[name].is_surely_array)
        for tree in trees:
            kind = self._kind(known[tree.name])
            around = Surroundings(known[tree.name].is_number, kind, self.meant, self.name_of,
                                  self.fresh)
            rests_on = take_apart(tree, around, Sharing(
                tree, self.meant, known[tree.name].is_number, written,
                known[tree.name].is_surely_array))
            if rests_on is not None:
                self.has_parts = True
                drop_unread(tree)
                are_asked = [note_sizes(kind(node)) for node in rests_on]
                self.rests_on_sizes |= any(are_asked)
        return self.has_parts

    # One function -----------------------------------------------------------------------------
    def _known_functions(self, functions: dict[str, Any]) -> dict[str, Any]:
        """Names of their own for functions that the derivative is given; what these mean."""
        tree, renamed = self.main.tree, {}
        for name, thing in functions.items():
            node = next((n for n in syntax.walk(tree) if isinstance(n, gast.Name) and n.id == name
                         and isinstance(n.ctx, (gast.Store, gast.Del))), None)
            if node is not None:
                raise self.main.refuse(
                    node, f"{name} is a function, and is bound to something else")
            renamed[name] = self.fresh(name)
            self._kept.append(thing)
        for node in syntax.walk(tree):
            if isinstance(node, gast.Name) and node.id in renamed \
                    and isinstance(node.ctx, gast.Load):
                node.id = renamed[node.id]
        return {renamed[name]: thing for name, thing in functions.items()}

    def lower(self, piece: Piece, external: dict[str, Any], is_half: bool) -> None:
        tree = piece.tree
        tree.decorator_list, tree.returns = [], None
        say_plainly(tree)
        if not {"tuple", "range"} & piece.source.globals.keys():
            TuplesWrittenOut().visit(tree)
        _fence(piece)
        in_parts(tree, self.fresh)
        free = set(used_names(Unit(piece.name, tree, piece.source)))
        NamesOfModule(self, piece, external, free).visit(tree)
        name = self.name_of(undecided if self.is_strict else unbound, "unbound")
        guarded(tree, is_half, name, syntax.all_names(piece.source.tree),
                (lambda: self.name_of(is_unset, "is_unset")) if piece is self.main else None)
        self.pieces.append(piece)

    def name_of(self, thing: Any, wish: str) -> str:
        """A name of the module for a thing."""
        for name, known in self.names.items():
            if known is thing:
                return name
        name = self.fresh(wish)
        self.names[name] = thing
        return name

    def means_joining(self, function: gast.expr) -> bool:
        """Whether a function of the module takes a list of arrays."""
        try:
            if self.meant(function) in JOINING:
                return True
        except TypeError:                                   # what cannot be in a set
            pass
        return isinstance(function, gast.Name) and function.id in self.names \
            and getattr(self.names[function.id], "__name__", None) in _JOINING_HELPERS

    def is_length(self, function: gast.expr) -> bool:
        """Whether a function of the module is `len`."""
        found = self.meant(function)
        return found is len or found is length or (
            isinstance(function, gast.Name) and function.id == "len" and "len" not in self.names)

    def meant(self, node: gast.expr) -> Any:
        """The function or module that an expression of the module means, or None."""
        if isinstance(node, gast.Name):
            found = self.names.get(node.id)
            return found if callable(found) or isinstance(found, types.ModuleType) else None
        if isinstance(node, gast.Attribute):
            owner = self.meant(node.value)
            return getattr(owner, node.attr, None) if isinstance(owner, types.ModuleType) else None
        return None

    def fresh(self, wish: str) -> str:
        name, number = wish, 0
        while name in self.taken or name in self.names or name in self.data:
            number += 1
            name = f"{wish}_{number}"
        self.taken.add(name)
        return name

    def data_of(self, piece: Piece, key: Any, wish: str, look_up: Callable[[], Any]) -> str:
        """The parameter for what is read from outside."""
        name = self._data_keys.get(key)
        if name is None:
            name = self._data_keys[key] = self.fresh(wish)
            self.data[name] = look_up
        if name not in piece.data:
            piece.data.append(name)
        return name

    def function(self, thing: types.FunctionType, piece: Piece) -> str:
        """A function of the user that the derivative calls as it is; its name in the module."""
        known = self.by_thing.get(id(thing))
        if known is None:
            source = source_of(thing)
            name = self.fresh(thing.__name__ if thing.__name__.isidentifier() else "function")
            tree = source.tree
            tree.name = name
            unit = Unit(name, tree, source)
            known = Piece(name, tree, source, unit)
            defaults = [*(thing.__defaults__ or ()), *(
                (thing.__kwdefaults__ or {}).get(p.id) for p in tree.args.kwonlyargs)]
            _by_position(known)
            known.defaults = [syntax.constant(value) for value in defaults]
            if not all(type(v) in (int, float, bool, str, type(None)) for v in defaults):
                raise known.refuse(tree, f"{thing.__name__} is called as it is, and a default of "
                                         "it is no number")
            self.taken |= syntax.all_names(tree) - set(used_names(unit))
            self.by_thing[id(thing)] = known
            self._kept.append(thing)
            for node in syntax.walk(tree):
                if isinstance(node, gast.Name):
                    node.annotation = None
            self.lower(known, {}, False)
        piece.calls.append(known)
        return known.name

    # Data that is passed on -------------------------------------------------------------------
    def pass_data(self) -> None:
        """Give each function the parameters that it and what it calls need."""
        changed = True
        while changed:
            changed = False
            for piece in self.pieces:
                for callee in piece.calls:
                    for name in callee.data:
                        if name not in piece.data:
                            piece.data.append(name)
                            changed = True
        by_name = {piece.name: piece for piece in self.pieces}
        for piece in self.pieces:
            called = set()
            for node in syntax.walk(piece.tree):
                if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) \
                        and node.func.id in by_name:
                    callee = by_name[node.func.id]
                    node.args = [syntax.load(n) for n in callee.data] + node.args
                    called.add(id(node.func))
            for statement in syntax.statements(piece.tree.body):
                for node in gast.walk(head(statement)):
                    if isinstance(node, gast.Name) and id(node) not in called \
                            and node.id in by_name and by_name[node.id].data:
                        raise piece.refuse(statement, f"the function {node.id} reads "
                                           f"{by_name[node.id].data[0]} from around it, and is "
                                           "handed on", "pass it to the function as an argument, "
                                           f"or {PYTHON}")
            arguments = piece.tree.args
            arguments.args = [gast.Name(n, gast.Param(), None, None) for n in piece.data] \
                + arguments.args

    def limit(self) -> None:
        """Look at the ints that the derivative is given, once: those made of them then need not be
        looked at (`numba_checks`)."""
        tree = self.main.tree
        name = self.name_of(limited, "limited")
        looks = [syntax.statement(syntax.call(syntax.load(name), syntax.load(p.id)))
                 for p in tree.args.args]
        at = 1 if isinstance(tree.body[0], gast.Expr) else 0
        tree.body[at:at] = looks

    def count(self) -> int:
        """How many statements there are, in loops that were made of them as well."""
        bodies = [p.tree.body for p in self.pieces] + [g.statements for g in self.groups]
        return sum(1 for body in bodies for _ in syntax.statements(body))

    def lines(self, first: int) -> LineMap:
        """Where the lines of the text come from; first: the line of the first `def`."""
        units = [Unit(p.name, p.tree, p.source) for p in self.pieces]
        return lines_of_units(units, first)


def _names_of_user(piece: Piece) -> set[str]:
    """The names of a function of the user, and of versions of them: what statements of the user
    bind in the derivative."""
    return syntax.all_names(piece.source.tree) | {
        name for node in syntax.statements(piece.tree.body)
        if getattr(node, "lineno", None) and not isinstance(node, syntax.COMPOUND)
        for name in definitions(node)}


def _by_position(piece: Piece) -> None:
    """Parameters that are passed by name only, behind the others: Numba has no such."""
    arguments = piece.tree.args
    for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        arguments.args.append(parameter)
        # Python has looked whether all are there.
        arguments.defaults.append(default or gast.Constant(None, None))
    arguments.kwonlyargs, arguments.kw_defaults = [], []


def _seed_inside(tree: gast.FunctionDef) -> None:
    """`def f_grad(x, bf=1.0): ...` => `def f_grad(x): bf = 1.0; ...`: a constant."""
    seed = tree.args.args.pop()
    tree.args.defaults.pop()
    at = 1 if isinstance(tree.body[0], gast.Expr) else 0        # behind the docstring
    tree.body.insert(at, syntax.assign(seed.id, gast.Constant(1.0, None)))


def _fence(piece: Piece) -> None:
    """Refuse what Numba cannot compile, or would do differently."""
    arguments = piece.tree.args
    if arguments.vararg or arguments.kwarg:
        raise piece.refuse(piece.tree, "starred parameters are not compiled")
    for statement in syntax.statements(piece.tree.body):
        # The number may come from a rule: the statement says where it is used.
        if any(isinstance(getattr(node, "value", None), complex)
               for node in gast.walk(head(statement))):
            raise piece.refuse(statement, "a complex number is not compiled")
    for node in syntax.walk(piece.tree):
        words = _REFUSED.get(type(node).__name__)
        if words is not None and node is not piece.tree:
            raise piece.refuse(node, f"{words} is not compiled")


_LOOKING = {"inside": inside, "unchecked": unchecked, "within": within, "turning": turning,
            "held": held, "lie_apart": lie_apart, "any_order": any_order, "min": min, "max": max}
_REFUSED = {"Try": "try", "TryStar": "try", "With": "with", "Lambda": "a lambda",
            "FunctionDef": "a function inside a function", "ClassDef": "a class",
            "Yield": "yield", "YieldFrom": "yield", "Await": "await", "JoinedStr": "an f-string",
            "DictComp": "a dict", "Set": "a set", "SetComp": "a set",
            "Starred": "a starred argument", "GeneratorExp": "a generator",
            "Import": "an import", "ImportFrom": "an import", "Global": "global",
            "Nonlocal": "nonlocal", "Delete": "del", "NamedExpr": ":="}
