"""Write out what has no derivative of its own: calls of inner functions, comprehensions.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.kinds import FLOAT
>>> from tangent_lite.stages import stages
>>> def f(x):
...     def scaled(t):
...         return x * t
...     return scaled(2.0)
>>> print(emit(stages(f, x=FLOAT).prepared.tree), end="")
def f(x):
    f_1 = x * 2.0
    return f_1

What a call calls is known from the kinds, so this runs after `infer`, again and again until nothing
is left to write out: what a body calls is known when the body stands in its place. The tree in
front of `frame` is changed; `mark` numbers the expressions, so that what was found in the later
tree is found in the earlier one.
"""
from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.expansion import Context, Written
from tangent_lite.expansion.classes_apart import ClassesApart
from tangent_lite.structures.comprehensions import COMPREHENSIONS
from tangent_lite.syntax import COMPOUND, assign, load

__all__ = ["DICTS", "EFFECTS", "MAPS", "PLACES", "STRUCTURE", "Context", "Spot", "expand", "mark"]

_marks = itertools.count(1)


@dataclass
class Spot:
    """Where a marked expression stands in the tree that is changed."""
    block: list[gast.stmt]
    node: gast.stmt
    value: gast.expr


def mark(tree: gast.FunctionDef) -> dict[int, Spot]:
    """Number what may have to be written out, and say where it stands."""
    spots: dict[int, Spot] = {}
    blocks = [tree.body]
    while blocks:
        block = blocks.pop()
        for node in block:
            if isinstance(node, COMPOUND):
                blocks += [node.body, node.orelse]
            value = _marked(node)
            if value is not None:
                if not hasattr(value, "mark"):
                    value.mark = next(_marks)
                spots[value.mark] = Spot(block, node, value)
    return spots


def _marked(node: gast.stmt) -> gast.AST | None:
    """The part of a statement that carries its mark: an operation, or the whole of a loop, and of
    what unpacks something."""
    if isinstance(node, (gast.For, gast.AugAssign, gast.Delete)):
        return node
    if isinstance(node, gast.Assign) and isinstance(node.targets[0],
                                                    (gast.Subscript, gast.Attribute)):
        return node.targets[0]
    if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Tuple) \
            and isinstance(node.value, gast.Name):
        return node
    value = node.test if isinstance(node, gast.If) else getattr(node, "value", None)
    return None if value is None or isinstance(value, (gast.Name, gast.Constant)) \
        or hasattr(value, "marker") else value


EFFECTS, DICTS, STRUCTURE, MAPS = "effects", "dicts", "structure", "maps"
PLACES = "places"       # of what is told apart, by computed numbers
_PLAIN = frozenset({kinds.Number, kinds.Array, kinds.Numeric, kinds.Kind})
_ONLY = {DICTS: (gast.Call,), MAPS: (gast.Call, gast.For, gast.DictComp)}   # what phases look at


def expand(tree: gast.FunctionDef, spots: dict[int, Spot], numbered: gast.FunctionDef,
           facts: Inferred, context: Context, phases: tuple[str, ...]) -> bool:
    """Change the tree in place, by what is known of `numbered`, its later form; whether it did.

    phases: what may be written out. Which parts a dict or an object has is acted upon (DICTS: by
    the first call that changes which it has, STRUCTURE: by what takes them all, MAPS: by what does
    so with a dict whose keys are computed) only where nothing else is left that could give it
    others.
    """
    return _Expand(tree, facts, context).run(numbered, spots, phases)


class _Expand(ClassesApart):
    def run(self, numbered: gast.FunctionDef, spots: dict[int, Spot],
            phases: tuple[str, ...]) -> bool:
        self.spots, self.numbered = spots, numbered
        self.marked = []    # for all phases: the first that changes anything is the last
        for node in self.facts.beside_arithmetic(numbered):
            value = _marked(node)
            number = getattr(value, "mark", None)
            if number in spots and not self.is_arithmetic(value, node):
                self.marked.append((node, value, number))
        if PLACES in phases:
            return self.places_apart(self.marked)
        changed = (EFFECTS in phases and (self.generator_first(self.marked)
                                          or self.classes_apart(self.marked))) \
            or any(self.round(self.marked, phase) for phase in phases)
        if self.postponed is not None and not changed and self.context.settled and MAPS in phases:
            raise self.postponed
        return changed

    def is_arithmetic(self, value: Any, node: gast.stmt) -> bool:
        """Whether an operator is applied to numbers, arrays, or what nothing is known of: no phase
        writes that out."""
        if not isinstance(value, (gast.BinOp, gast.UnaryOp)):
            return False
        operands = [value.left, value.right] if isinstance(value, gast.BinOp) \
            else [value.operand]
        known = self.facts.before.get(id(node), {})
        return all(one.__class__ is gast.Constant or (
            one.__class__ is gast.Name and known.get(one.id).__class__ in _PLAIN)
            for one in operands)

    def round(self, marked: list[tuple[gast.stmt, Any, int]], phase: str) -> bool:
        self.phase = phase
        changes: list[tuple[Spot, list[gast.stmt], gast.expr | None]] = []
        only = _ONLY.get(phase)
        for node, value, number in marked:
            if number not in self.spots or (only is not None and value.__class__ not in only):
                continue
            spot = self.spots[number]
            self.typer.names = self.facts.before.get(id(node), {})
            self.changed = bool(changes)
            made = self.written(value, spot)
            if made is not None:
                changes.append((spot, *made))
                del self.spots[number]
                if phase == DICTS or isinstance(value, gast.List) \
                        or (phase == EFFECTS and isinstance(value, gast.For)):
                    break               # what the next calls call may depend on it
        for spot, statements, result in reversed(changes):
            for node in statements:
                syntax.place_within(node, spot.node)
            _hand_on_chain([*statements, *([result] if result else [])], spot)
            self.replace(spot, statements, result)
        return bool(changes)

    def written(self, value: Any, spot: Spot) -> Written | None:
        """What takes the place of something: statements, and what is left of an expression."""
        plain: Any = spot.value
        if self.phase == MAPS:
            return self.by_keys(value, plain, spot.node)
        if self.phase == STRUCTURE:
            return self.by_structure(value, plain, spot.node)
        if self.phase == DICTS:
            return self.dict_method(value, plain) if isinstance(value, gast.Call) else None
        if isinstance(value, gast.For):
            return self.over_functions(value, plain)
        if isinstance(value, gast.Delete):
            return self.part_goes(value, plain)
        if isinstance(value, gast.Assign):
            return self.unpacked_object(value, plain)
        made = self.with_default(value, plain, spot.node)
        if made is not None:
            return made
        if isinstance(value, gast.AugAssign):
            return self.list_grows(value, plain) or self.part_grows(value, plain) \
                or self.matrix_grows(value, plain) or self.object_grows(value, plain)
        if isinstance(getattr(value, "ctx", None), gast.Store):
            return self.key_is_named(value, plain, spot.node) \
                or self.part_changes(value, plain, spot.node)
        if isinstance(value, gast.Call):
            return self.call(value, spot)
        if isinstance(value, gast.Attribute):
            return self.attribute_of_matrix(value, plain) or self.attribute(value, plain)
        if isinstance(value, COMPREHENSIONS):
            return self.comprehension(value, plain, spot.node)
        if isinstance(value, (gast.Tuple, gast.List)):
            spread = any(isinstance(e, gast.Starred) for e in value.elts)
            if spread:
                return self.sequence_parts(value, plain)
            return self.list_of_functions(value, plain, spot.node) \
                if isinstance(value, gast.List) else None
        if isinstance(value, gast.Dict) and None not in value.keys and not all(
                isinstance(k, gast.Constant) for k in value.keys):
            return self.with_keys(plain, spot.node)
        made = self.operator(value, plain)
        if made is not None:
            return made
        if isinstance(value, gast.Subscript):
            return self.part_of_shape(value, plain) or self.slice_of_tuple(value, plain)
        if isinstance(value, gast.BinOp):
            return self.joined(value, plain)
        return None

    def replace(self, spot: Spot, statements: list[gast.stmt], result: gast.expr | None) -> None:
        node = spot.node
        at = next(i for i, n in enumerate(spot.block) if n is node)
        place = getattr(result, "place", None)
        if isinstance(node, gast.Expr) and place is not None:
            spot.block[at:at + 1] = [*statements, place]        # nobody else has a name for it
            return
        if result is None or (isinstance(node, gast.Expr) and all(map(
                syntax.is_atom, getattr(result, "elts", [result])))):
            spot.block[at:at + 1] = statements or [gast.copy_location(gast.Pass(), node)]
            return
        if isinstance(node, gast.If):
            node.test = result
        elif isinstance(node, gast.AugAssign):
            statements = [*statements, gast.copy_location(assign(node.target.id, result), node)]
            spot.block[at:at + 1] = statements
            return
        elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Tuple) \
                and isinstance(result, (gast.Tuple, gast.List)):
            statements = statements + self.unpacked(node.targets[0], result)
            spot.block[at:at + 1] = statements
            return
        else:
            node.value = result
            if place is not None and isinstance(node, gast.Assign):
                syntax.move(node, place)
        spot.block[at:at] = statements

    def unpacked(self, target: gast.Tuple, value: gast.expr) -> list[gast.stmt]:
        """`a, b = x, y`, one by one: the two are no tuple of which both would be parts."""
        bound = syntax.bound_names(target)
        if len(bound) == len(value.elts) and all(isinstance(t, gast.Name) for t in target.elts) \
                and not any(isinstance(e, gast.Starred) for e in value.elts):
            pairs = [(n, v) for n, v in zip(bound, value.elts) if getattr(v, "id", None) != n]
            if not {n for n, _ in pairs} & {n for _, v in pairs for n in syntax.read_names(v)}:
                made = [assign(n, v) for n, v in pairs]
            else:
                made = self.normal([gast.Assign([target], value, None)], target)
        else:
            name = self.context.names.fresh("parts")
            made = [assign(name, value), gast.Assign([target], load(name), None)]
        for node in made:
            syntax.place_within(node, target)
        return made


def _hand_on_chain(made: list[gast.AST], spot: Spot) -> None:
    """Let what is new know which functions were written out around it, so that one that calls
    itself, be it by an operator of an object, is not written out for ever."""
    chain = getattr(spot.value, "chain", getattr(spot.node, "chain", None))
    if chain is None:
        return
    for part in (part for node in made for part in syntax.walk(node)):
        if isinstance(part, (gast.stmt, gast.expr)) and not hasattr(part, "chain"):
            part.chain = chain
