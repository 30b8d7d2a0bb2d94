"""Loops over elements look at their indices once, in front of the loop.

    for i in range(1, stop):                        if inside(u, ((0, 1, stop - 2, stop),)):
        u[i] = u[i + 1] - u[i - 1]      =>              u_in = unchecked(u, ...)
                                                        for i in range(1, stop):
                                                            u_in[i] = u_in[i + 1] - u_in[i - 1]
                                                        held(u)
                                                    else:
                                                        (the loop as it is)

An index that is looked at, and that counts from the end where it is negative, costs more than what
is computed of the element, and lets the processor take one element at a time. Indices made of the
number of the step by sums, differences and products lie between what they are at the first step and
at the last; those that are divided by a number, with what remains, lie below it. Where the text
says that one of them is below zero, `f[i - 1]` from i = 0 on, they are looked at as what counts
from either end, by `within` and `turning`.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import gast

from tangent_lite import syntax
from tangent_lite.backends.numba_any_order import sum_in_any_order
from tangent_lite.backends.numba_directions import (
    AnyOrder,
    IsPure,
    live_behind_loops,
    turn_around,
)
from tangent_lite.backends.numba_gathering import gather
from tangent_lite.backends.numba_index_sums import folded, is_negative, plus
from tangent_lite.backends.numba_lists import ends
from tangent_lite.backends.numba_number_names import IsKind
from tangent_lite.backends.numba_rings import hoist, peel

NameOf = Callable[[str], str]

_MOST = 24                  # arrays that the loops of a nest read and write
_FEW = 4                    # steps of a loop that is written out anyway
_SUMS = (gast.BinOp, gast.UnaryOp, gast.operator, gast.unaryop, gast.expr_context)


def look_once(tree: gast.FunctionDef, name_of: NameOf, fresh: Callable[[str], str],
              is_pure: IsPure, is_number: IsKind, is_whole: IsKind) -> None:
    """Rewrite the loops of a function in place: the outermost ones in front of which as many
    indices can be looked at as in front of the innermost.

    name_of: the name that `inside` and the others have in the module; fresh: a name nobody has;
    is_pure: whether a call only computes; is_number, is_whole: whether an expression is a number,
    an int, as far as is known.
    """
    live = live_behind_loops(tree)
    found = AnyOrder({}, [])
    looked_at: set[str] = set()                 # names of arrays that look no more
    peeled: set[int] = set()                    # loops over the steps between

    def turning(loop: gast.For, from_the_end: set[str]) -> Iterable[tuple[str, str]]:
        here = turn_around(loop, live, is_pure, is_number, from_the_end)
        found.free.extend(here.free)
        return here.apart

    def rings(block: list[gast.stmt]) -> None:
        """Take the first and the last steps of the loops in a block apart, where these differ."""
        for inside in list(syntax.blocks_in(block)):
            for at, node in reversed(list(enumerate(inside))):
                made = peel(node, fresh, name_of, is_whole) if isinstance(node, gast.For) else None
                if made is not None:
                    inside[at:at + 1] = made[0]
                    peeled.add(id(made[1]))
                    found.free[:] = [(made[1] if loop is node else loop, sums)
                                     for loop, sums in found.free]
        for inside in syntax.blocks_in(block):
            for at, node in enumerate(inside):
                in_front = hoist(node, fresh, is_whole) if isinstance(node, gast.For) else None
                inside[at] = in_front or node

    todo: list[tuple[list[gast.stmt], frozenset[str]]] = [(tree.body, frozenset())]
    while todo:
        block, few = todo.pop()
        for at, node in enumerate(block):
            nest = _Nest.of(node, looked_at) if isinstance(node, gast.For) else None
            if nest is not None and not _have_few_steps(nest.loops(), few) and nest.is_worth_it():
                is_new = id(node) not in peeled
                block[at] = both = nest.in_two(name_of, fresh, turning if is_new else _nothing)
                looked_at.update(nest.looked_at)
                if is_new:
                    rings(both.body)
                    todo += [(one, few) for one in syntax.blocks_in(both.body)
                             if any(id(loop) in peeled for loop in one)]
                continue
            inside = few
            if isinstance(node, gast.For) and ends(node) and _have_few_steps([node], few):
                inside = few | {node.target.id}
            todo += [(one, inside) for one in syntax.blocks_of(node)]
    _sum_up(tree, found, name_of, fresh)


def _nothing(loop: gast.For, from_the_end: set[str]) -> Iterable[tuple[str, str]]:
    return ()


def _sum_up(tree: gast.FunctionDef, found: AnyOrder, name_of: NameOf,
            fresh: Callable[[str], str]) -> None:
    """Write the loops whose steps may be gone through in any order as the processor likes them."""
    sums = {id(loop): names for loop, names in found.free}
    for block in syntax.all_blocks(tree):
        for at, node in reversed(list(enumerate(block))):
            if id(node) in sums:
                made = gather(node, sums[id(node)], fresh)
                block[at:at + 1] = made or [node]
                sum_in_any_order(made or [node], sums[id(node)], name_of)


def _have_few_steps(loops: list[gast.For], few: frozenset[str]) -> bool:
    """Whether the text says that no loop has more than a few steps: all of them are written out
    when they are compiled, and to look beforehand takes as long as to look at each.

    few: the numbers of steps of loops around that have few.
    """
    known = few | {loop.target.id for loop in loops}
    return all(abs(part.value) <= _FEW if isinstance(part, gast.Constant) else
               isinstance(part, _SUMS) or (isinstance(part, gast.Name) and part.id in known)
               for loop in loops for end in loop.iter.args for part in gast.walk(end))


@dataclass
class _Array:
    """What loops ask of one array by indices of as many parts: of each part the indices between
    which all others lie, and the places in the text. turns: some of them count from the end."""
    name: str
    turns: bool
    axes: list[dict[str, gast.expr]]
    uses: list[gast.Subscript] = field(default_factory=list)


@dataclass
class _Nest:
    """A loop over a range, with all loops in it, which have as many steps each time."""
    node: gast.For
    bound: dict[str, int]               # how often the body binds a name
    counters: set[str]                  # names that nothing but loops binds, none inside another
    ends: dict[str, list[gast.expr]] = field(default_factory=dict)  # of loops around: first, last
    values: dict[str, gast.expr] = field(default_factory=dict)      # of names bound once, so far
    arrays: dict[tuple[str, int, bool], _Array] = field(default_factory=dict)
    looked_at: set[str] = field(default_factory=set)        # names of arrays that look no more

    @classmethod
    def of(cls, node: gast.For, looked_at: set[str]) -> _Nest | None:
        """A loop, if its indices can be looked at beforehand; those of some arrays have been."""
        bound: dict[str, int] = {}
        counted: dict[str, int] = {}
        for statement in [node, *syntax.statements(node.body)]:
            if isinstance(statement, gast.While):
                return None
            for one in _targets(statement):
                bound[one] = bound.get(one, 0) + 1
                counted[one] = counted.get(one, 0) + isinstance(statement, gast.For)
        nest = cls(node, bound, {name for name, count in counted.items() if count == bound[name]},
                   looked_at=set(looked_at))
        return nest if nest.read_loop(node) else None

    def loops(self) -> list[gast.For]:
        """The loop, and those in it."""
        return [one for one in [self.node, *syntax.statements(self.node.body)]
                if isinstance(one, gast.For)]

    def is_worth_it(self) -> bool:
        """Whether something is looked at, and all that would be in front of the loops inside."""
        uses = {id(use) for array in self.arrays.values() for use in array.uses
                if self.varies(use.slice)}
        if not uses or len(self.arrays) > _MOST:
            return False
        for loop in syntax.statements(self.node.body):
            inner = _Nest.of(loop, self.looked_at) if isinstance(loop, gast.For) else None
            if inner is not None and any(
                    id(use) not in uses for array in inner.arrays.values()
                    for use in array.uses if inner.varies(use.slice)):
                return False
        return True

    # Reading ----------------------------------------------------------------------------------
    def read_loop(self, node: gast.For) -> bool:
        """Read a loop and those in it; False if its ends are not known in front of all."""
        found = ends(node)
        if found is None or node.target.id not in self.counters or node.target.id in self.ends:
            return False
        start, stop, step = found
        last = plus(stop, -step)
        if self.bound.keys() & (syntax.read_names(start) | syntax.read_names(last)):
            return False
        before = dict(self.values)
        self.ends[node.target.id] = [start, last]
        for statement in node.body:
            if isinstance(statement, gast.For):
                if not self.read_loop(statement):
                    return False
            else:
                if any(isinstance(one, gast.For) for block in syntax.blocks_of(statement)
                       for one in syntax.statements(block)):
                    return False            # nobody knows whether it comes to that loop
                self.read(statement)
        del self.ends[node.target.id]
        self.values = before
        return True

    def read(self, statement: gast.stmt) -> None:
        """Note what a statement does at each step."""
        for node, is_certain in _subscripts(statement, True):
            self.note(node, is_certain)
        if isinstance(statement, gast.Assign) and len(statement.targets) == 1 \
                and isinstance(statement.targets[0], gast.Name):
            name, value = statement.targets[0].id, self.plain(statement.value)
            if self.bound[name] == 1 and self.between(value, True) is not None:
                self.values[name] = value

    def plain(self, index: gast.expr) -> gast.expr:
        """An index, with what names of the loop stand for."""
        return syntax.substitute(index, self.values)

    def note(self, node: gast.Subscript, is_certain: bool) -> None:
        if not isinstance(node.value, gast.Name) or node.value.id in self.bound \
                or node.value.id in self.looked_at:
            return
        parts = [self.plain(part) for part in syntax.key_parts(node.slice)]
        between = [self.between(part, is_certain) for part in parts]
        if not parts or any(one is None for one in between):
            return
        turns = any(is_negative(one) for found in between for one in found or ())
        key = node.value.id, len(parts), turns
        array = self.arrays.setdefault(key, _Array(node.value.id, turns, [{} for _ in parts]))
        array.uses.append(node)
        for axis, found in zip(array.axes, between):
            for one in found or ():
                axis.setdefault(repr(syntax.key(one)), one)

    def between(self, part: gast.expr, is_certain: bool) -> list[gast.expr] | None:
        """The indices between which one part of an index lies; None where that is not known, or
        where the loop may have an `if` in front of it that keeps it inside."""
        if isinstance(part, gast.BinOp) and isinstance(part.op, gast.Mod):
            divisor = part.right
            if not self.is_linear(part.left) or not self.is_linear(divisor) \
                    or self.variables(divisor):
                return None
            # What is divided is there for its type.
            number = syntax.binary(self.corners(part.left)[0], "*", syntax.constant(0))
            return [number, plus(divisor, -1)]
        if not self.is_linear(part):
            return None
        if not is_certain and self.variables(part) and not isinstance(part, gast.Name):
            return None
        return self.corners(part)

    def corners(self, part: gast.expr) -> list[gast.expr]:
        """A linear expression at the first and at the last step of the loops it depends on."""
        found = [part]
        for name in sorted(self.variables(part)):
            found = [syntax.substitute(one, {name: end}) for one in found
                     for end in self.ends[name]]
        return [folded(one) for one in found]

    def varies(self, index: gast.expr) -> bool:
        """Whether an index may be another one at each step."""
        return not self.bound.keys().isdisjoint(syntax.read_names(index))

    def variables(self, node: gast.expr) -> set[str]:
        """The numbers of steps that an expression of indices is made of."""
        return syntax.read_names(node) & self.counters

    def is_linear(self, node: gast.expr) -> bool:
        """Whether an expression is made of numbers of steps, none of them multiplied by itself."""
        if isinstance(node, gast.Constant):
            return type(node.value) is int
        if isinstance(node, gast.Name):
            return node.id not in self.bound or node.id in self.ends
        if isinstance(node, gast.UnaryOp):
            return isinstance(node.op, gast.USub) and self.is_linear(node.operand)
        if not isinstance(node, gast.BinOp):
            return False
        both = self.is_linear(node.left) and self.is_linear(node.right)
        if isinstance(node.op, (gast.Add, gast.Sub)):
            return both
        return isinstance(node.op, gast.Mult) and both \
            and not self.variables(node.left) & self.variables(node.right)

    # Writing ----------------------------------------------------------------------------------
    def in_two(self, name_of: NameOf, fresh: Callable[[str], str],
               turned: Callable[[gast.For, set[str]], Iterable[tuple[str, str]]]) -> gast.If:
        """The loop behind a look at its indices, and as it is; turned: lets a loop go forward, and
        says of which names that asks that they are not the same memory."""
        as_it_is = syntax.copy(self.node)
        apart = turned(self.node, {array.name for array in self.arrays.values() if array.turns})
        tests, made = [], []
        for array in self.arrays.values():
            indices = syntax.tuple_of([syntax.tuple_of(list(axis.values()))
                                       for axis in array.axes])
            name = fresh(f"{array.name}_in")
            self.looked_at.add(name)
            asked, way = ("within", "turning") if array.turns else ("inside", "unchecked")
            tests.append(syntax.call(syntax.load(name_of(asked)), syntax.load(array.name),
                                     indices))
            made.append(syntax.assign(name, syntax.call(
                syntax.load(name_of(way)), syntax.load(array.name), syntax.copy(indices))))
            for use in array.uses:
                use.value = syntax.load(name)
        tests += [syntax.call(syntax.load(name_of("lie_apart")), *map(syntax.load, pair))
                  for pair in apart]
        test = tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), tests)
        kept = [syntax.statement(syntax.call(syntax.load(name_of("held")), syntax.load(name)))
                for name in dict.fromkeys(array.name for array in self.arrays.values())]
        both = gast.If(test, [*made, self.node, *kept], [as_it_is])
        syntax.copy_place(both, self.node)
        syntax.serve([*made, *kept], self.node)
        return both


def _targets(statement: gast.stmt) -> list[str]:
    """The names that a statement itself binds."""
    if isinstance(statement, gast.Assign):
        return [name for one in statement.targets for name in syntax.bound_names(one)]
    if isinstance(statement, (gast.AugAssign, gast.AnnAssign, gast.For)):
        return syntax.bound_names(statement.target)
    return []


def _subscripts(node: gast.AST, is_certain: bool) -> Iterator[tuple[gast.Subscript, bool]]:
    """The elements that a statement names, and whether each step does so."""
    if isinstance(node, gast.Subscript):
        yield node, is_certain
    if isinstance(node, syntax.KEPT):
        return
    for name, value in gast.iter_fields(node):
        certain = is_certain and not (
            isinstance(node, (gast.If, gast.IfExp)) and name != "test")
        for number, one in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(one, gast.AST):
                yield from _subscripts(one, certain and not (
                    isinstance(node, gast.BoolOp) and number))
