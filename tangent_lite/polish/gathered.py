"""Products that a loop adds up: their factors are gathered, and multiplied at once behind it.

                                                h_rows = []
                                                bz_rows = []
    for t in range(n - 1, -1, -1):              for t in range(n - 1, -1, -1):
        ...                                         ...
        bW += h[:, None] * bz           =>          h_rows.append(h)
                                                    bz_rows.append(bz)
                                                bW += np.array(h_rows).T @ np.array(bz_rows)

Here h and bz are vectors, so that each step makes a matrix and adds it to another one; the product
of matrices behind the loop reads and writes each of these once. That is how a careful person writes
the weights' gradient of a recurrent net; it takes a vector of each kind for each step, as tapes do.
`bb += bz` becomes the sum of rows that are there anyhow. As with other loops (reversals.py) it is
done in the text that is shown, saved and run.

It takes that nothing else in the loop has to do with bW, and that the vectors stay as they are
until the loop is over: that nothing is written into memory that they may share.
"""
from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import gast
import numpy as np

from tangent_lite import runtime, syntax
from tangent_lite.analyses.classes import Classes
from tangent_lite.analyses.writers import is_numerical, may_change, written
from tangent_lite.modules import module_of
from tangent_lite.names import Names, stem
from tangent_lite.polish.array_parts import Unit, is_ours, without_blocks

_PLAIN = (gast.Assign, gast.AugAssign, gast.Expr, gast.For, gast.While, gast.If, gast.Pass)
_LOOPS = (gast.For, gast.While)
# Methods that write into nothing but lists.
_METHODS = {"append", "pop", "copy", "reshape", "sum", "tolist", "item", "transpose", "astype"}
_NO_ARRAYS = {"shape", "size", "ndim", "dtype"}
_READERS = (len, range, float, int, abs, min, max, reversed, zip, enumerate, runtime.unbroadcast,
            runtime.where_larger, runtime.of_larger, runtime.where_positive, runtime.match,
            runtime.divide_or_zero, runtime.power_slope)


def gather_products(derivative: Any) -> None:
    """Gather the factors of products that loops add up; the trees are changed in place."""
    for unit in derivative.units:
        if "is_column" not in unit.sought.marks:
            continue
        known = Unit(unit)
        numpy = next((n for n in sorted(syntax.all_names(unit.tree)) if known.means(n) is np), None)
        if numpy is None:
            continue
        memory = _Memory(known)
        gatherer = _Gatherer(memory, numpy, Names({*syntax.all_names(unit.tree), *unit.external}))
        for block in syntax.all_blocks(unit.tree):
            for loop in [n for n in block if isinstance(n, _LOOPS)]:
                gatherer.loop(loop, block)


class _Sum(NamedTuple):
    """`sum += column[:, None] * row` in a block of a loop, or `sum += row`."""
    block: list[gast.stmt]
    node: Any
    sign: str
    column: Any
    row: gast.expr

    @property
    def name(self) -> str:
        name: str = self.node.target.id
        return name


class _Gatherer:
    """Gathers in the loops of one unit."""

    def __init__(self, memory: _Memory, numpy: str, names: Names) -> None:
        self.memory, self.numpy, self.names = memory, numpy, names

    def loop(self, loop: Any, block: list[gast.stmt]) -> None:
        """Gather the factors of what an innermost loop adds up."""
        inside = list(syntax.statements(loop.body))
        if loop.orelse or not all(isinstance(n, _PLAIN) for n in inside):
            return
        found = [s for b in _blocks_of_its_own(loop) for s in self.sums_in(b, loop)]
        version = self.memory.version
        rows = {version(part, s) for s in found if s.column is not None
                for part in (s.column, s.row)}
        found = [s for s in found if s.column is not None or version(s.row, s) in rows]
        # Nothing else in the loop may have to do with a sum.
        often = Counter(n.id for n in syntax.walk(loop) if isinstance(n, gast.Name))
        added = Counter(s.name for s in found)
        found = [s for s in found if added[s.name] == often[s.name]]
        if any(s.column is not None for s in found):
            _Gathered(self, loop, block, found).write()

    def sums_in(self, block: list[gast.stmt], loop: Any) -> list[_Sum]:
        """The sums of a block of a loop whose terms may be gathered."""
        found = []
        for node in block:
            if not isinstance(node, gast.AugAssign) or not is_ours(node) \
                    or not isinstance(node.op, (gast.Add, gast.Sub)) \
                    or not isinstance(node.target, gast.Name):
                continue
            sign = "+" if isinstance(node.op, gast.Add) else "-"
            sign, column, row = _factors(node, self.memory.counters) or (sign, None, node.value)
            if column is None and not isinstance(row, gast.Name):
                continue
            if all(part is None or self.memory.stays(part, node, block, loop)
                   for part in (column, row)):
                found.append(_Sum(block, node, sign, column, row))
        return found


class _Gathered:
    """The lists in which a loop gathers, and the statements behind it that read them."""

    def __init__(self, gatherer: _Gatherer, loop: Any, block: list[gast.stmt],
                 sums: list[_Sum]) -> None:
        self.gatherer, self.loop, self.block, self.sums = gatherer, loop, block, sums
        # The vectors, by the block and where they are bound -> the list; how often it is read.
        self.lists: dict[Any, str] = {}
        self.reads: dict[str, int] = {}

    def write(self) -> None:
        behind: list[tuple[_Sum, str | None, str]] = []
        for one in self.sums:
            column = None if one.column is None else self.gather(one, one.column)
            behind.append((one, column, self.gather(one, one.row)))
            one.block.remove(one.node)
        spot = self.block.index(self.loop)
        made: list[gast.stmt] = []
        arrays: dict[str, gast.expr] = {}
        for one, column, row in behind:
            begun = len(made)
            value = self.rows(row, arrays, made) if column is None else syntax.binary(
                syntax.attribute(self.rows(column, arrays, made), "T"), "@",
                self.rows(row, arrays, made))
            if column is None:
                value = self.numpy("sum", value, axis=syntax.constant(0))
            made.append(syntax.augment(one.name, one.sign, value))
            syntax.serve(made[begun:], one.node)
        lists: list[gast.stmt] = [syntax.assign(name, gast.List([], gast.Load()))
                                  for name in self.reads]
        syntax.serve(lists, self.loop)
        self.block[spot:spot + 1] = [*lists, self.loop, *made]

    def numpy(self, name: str, *args: gast.expr, **keywords: gast.expr) -> gast.expr:
        function = syntax.attribute(syntax.load(self.gatherer.numpy), name)
        return syntax.call(function, *args, **keywords)

    def rows(self, name: str, arrays: dict[str, gast.expr], made: list[gast.stmt]) -> gast.expr:
        """The array whose rows are gathered in a list; with a name, if it is read twice."""
        if name not in arrays:
            array = self.numpy("array", syntax.load(name))
            if self.reads[name] == 1:
                return array
            made.append(syntax.assign(name, array))
            arrays[name] = syntax.load(name)
        return syntax.load(name)

    def gather(self, one: _Sum, vector: Any) -> str:
        """The list in which a vector is gathered in front of where it is added."""
        spot = one.block.index(one.node)
        key = self.gatherer.memory.version(vector, one)
        name = self.lists.get(key)
        if name is None:
            wish = f"{stem(syntax.root_name(vector) or one.name)}_rows"
            name = self.lists[key] = self.gatherer.names.fresh(wish)
            added = syntax.statement(syntax.method(syntax.load(name), "append", vector))
            syntax.serve([added], one.node)
            one.block.insert(spot, added)
        self.reads[name] = self.reads.get(name, 0) + 1
        return name


# What may share memory ---------------------------------------------------------------------------
class _Memory(Classes):
    """Which names of a unit may share memory, in whatever order its statements run."""

    def __init__(self, unit: Unit) -> None:
        self.unit, self.writes = unit, _Writes(unit)
        self.arrays = unit.made_here()          # they hold arrays that were made here, or numbers
        self.counters = unit.counters
        self.parent: dict[str, str] = {}
        for node in syntax.statements(unit.body):
            self.note(node)

    def note(self, node: gast.stmt) -> None:
        """Note which names a statement may make share memory."""
        if isinstance(node, (gast.Assign, gast.AugAssign)):
            for target in node.targets if isinstance(node, gast.Assign) else [node.target]:
                # What is put into an array is copied there, and a sum in place is another array.
                if (isinstance(target, gast.Name) and isinstance(node, gast.Assign)) \
                        or syntax.root_name(target) not in self.arrays:
                    self.join(self.held_by(target) | self.held_by(node.value))
        elif isinstance(node, gast.For):
            self.join(self.held_by(node.target) | self.held_by(node.iter))
        elif isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
            self.join(self.held_by(node.value))
        elif not isinstance(node, (*_PLAIN, gast.Return)):
            self.join(syntax.all_names(node))

    def held_by(self, value: Any) -> set[str]:
        """Names with which what an expression gives may share memory."""
        if isinstance(value, gast.Name):
            return {value.id}
        if self.makes_new(value):
            return set()
        if isinstance(value, gast.Subscript):
            return self.held_by(value.value)
        if isinstance(value, gast.Attribute):
            return set() if value.attr in _NO_ARRAYS else self.held_by(value.value)
        if isinstance(value, gast.Call):
            if self.unit.function_of(value) in (len, range):
                return set()
            parts = [*value.args, *(k.value for k in value.keywords)]
            if isinstance(value.func, gast.Attribute):
                parts.append(value.func.value)
            return set().union(*map(self.held_by, parts))
        if isinstance(value, (gast.Tuple, gast.List)):
            return set().union(*map(self.held_by, value.elts))
        return syntax.all_names(value)

    def makes_new(self, value: gast.expr) -> bool:
        return self.unit.makes_new(value) or isinstance(value, gast.Constant)

    def join(self, names: set[str]) -> None:
        roots = {self.find(name) for name in names if self.is_variable(name)}
        for root in roots - {first := min(roots, default="")}:
            self.union(first, root)

    def is_variable(self, name: str) -> bool:
        """Whether a name is no module or function of the surroundings."""
        return name in self.unit.names or isinstance(
            self.unit.means(name), (np.ndarray, list, tuple, dict))

    def stays(self, vector: Any, added: gast.stmt, block: list[gast.stmt], loop: Any) -> bool:
        """Whether what a vector holds where it is added stays so until the loop is over."""
        if self.makes_new(vector):
            # But where it is, it may be computed once for two sums.
            return not any(getattr(c.func, "attr", "") == "pop" for c in _calls(vector))
        name = syntax.root_name(vector)
        if name is None:
            return False
        mine = self.find(name)
        writes = [node for node in syntax.statements(loop.body)
                  if any(self.find(n) == mine for n in self.writes.of(node))]
        if not writes:
            return True
        # Made anew in each step, and written to until it is added.
        spot = block.index(added)
        above = [n for n in block[:spot] if n in writes]
        made = next((n for n in block[:spot] if isinstance(n, gast.Assign)
                     and getattr(n.targets[0], "id", "") == name), None)
        return name in self.arrays and self.is_alone(name) and len(above) == len(writes) \
            and made is not None and block.index(made) < block.index(above[0])

    def version(self, vector: gast.expr, one: _Sum) -> tuple[Any, ...]:
        """A vector as it is where it is added: by its text, its block, and what has changed there
        above of what it is read from."""
        names = syntax.all_names(vector)
        roots = {*map(self.find, names)}
        above = one.block[:one.block.index(one.node)]
        return (syntax.key(vector), id(one.block), *[
            id(node) for node in above if any(
                names & _bound_by(inner) or roots & {*map(self.find, self.writes.of(inner))}
                for inner in syntax.statements([node]))])

    def is_alone(self, name: str) -> bool:
        return name not in self.parent and name not in self.parent.values()


class _Writes:
    """What statements of a unit may write into; above: the units that call this one."""

    def __init__(self, unit: Unit, above: tuple[Any, ...] = ()) -> None:
        self.unit, self.above = unit, (*above, unit.unit)

    def of(self, node: gast.stmt) -> set[str]:
        """Names into whose memory a statement may write."""
        found: set[str] = set()
        if isinstance(node, gast.AugAssign):
            found |= {*syntax.written_roots(node.target)}
        elif isinstance(node, gast.Assign):
            for target in node.targets:
                if not isinstance(target, (gast.Name, gast.Tuple)):
                    found |= {*syntax.written_roots(target)}
        for call in _calls(without_blocks(node)):
            found |= self.of_call(call)
        return found

    def of_call(self, call: gast.Call) -> set[str]:
        """The same of a call; of one that is not known, into all that it is given."""
        function: Any = self.unit.function_of(call)
        if isinstance(function, str):
            only_reads = function in _METHODS
        elif hasattr(function, "tree"):
            only_reads = any(function is unit for unit in self.above) \
                or _Writes(Unit(function), self.above).are_its_own()
        elif is_numerical(function):
            return set().union(*(syntax.all_names(e) for e in (
                *written(call, function, None), *may_change(call, function))))
        else:
            only_reads = function in _READERS or module_of(function) == "math"
        return set() if only_reads else syntax.all_names(call)

    def are_its_own(self) -> bool:
        """Whether the unit writes into no more than arrays that it has made itself."""
        made = self.unit.made_here()
        return all(isinstance(node, (*_PLAIN, gast.Return)) and self.of(node) <= made
                   for node in syntax.statements(self.unit.body))


# What stands there -------------------------------------------------------------------------------
def _factors(node: gast.stmt, counters: Collection[str]) -> tuple[str, Any, gast.expr] | None:
    """The sign and the two vectors of `sum += column[:, None] * row`.

    counters: names of numbers. What else stands next to the two vectors is a matrix as a rule, as
    in `column[:, None] * row * np.exp(W)`, which cannot be taken into the row.
    """
    if not isinstance(node, gast.AugAssign):
        return None
    minus, value = _signed(isinstance(node.op, gast.Sub), node.value)
    factors: list[gast.expr] = []           # what the column is multiplied by, nearest first
    while not getattr(value, "is_column", False):
        if not isinstance(value, gast.BinOp) or not isinstance(value.op, gast.Mult):
            return None
        inside, beside = value.left, value.right
        if not any(getattr(n, "is_column", False) for n in syntax.walk(inside)):
            inside, beside = beside, inside
        minus, factor = _signed(minus, beside)
        factors.insert(0, factor)
        minus, value = _signed(minus, inside)
    if sum(not _is_number(f, counters) for f in factors) != 1:
        return None
    return "-" if minus else "+", value.value, functools.reduce(
        lambda left, right: syntax.binary(left, "*", right), factors)


def _signed(minus: bool, node: Any) -> tuple[bool, Any]:
    """Whether there is a minus in front of an expression, and the expression without it."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) \
            and not isinstance(node.operand, gast.Constant):
        return not minus, node.operand
    return minus, node


def _is_number(node: Any, counters: Collection[str]) -> bool:
    if isinstance(node, gast.BinOp):
        return _is_number(node.left, counters) and _is_number(node.right, counters)
    if isinstance(node, gast.UnaryOp):
        return _is_number(node.operand, counters)
    return isinstance(node, gast.Constant) or getattr(node, "id", None) in counters


def _blocks_of_its_own(loop: Any) -> Iterator[list[gast.stmt]]:
    """The blocks of a loop that belong to no loop in it."""
    todo = [loop.body]
    while todo:
        block = todo.pop()
        yield block
        todo += [inner for node in block if isinstance(node, gast.If)
                 for inner in syntax.blocks_of(node)]


def _calls(node: Any) -> Iterator[gast.Call]:
    return (n for n in syntax.walk(node) if isinstance(n, gast.Call))


def _bound_by(node: gast.stmt) -> set[str]:
    """Names that a statement binds itself."""
    targets = node.targets if isinstance(node, gast.Assign) else \
        [node.target] if isinstance(node, (gast.AugAssign, gast.For)) else []
    return set().union(*(syntax.all_names(t) for t in targets))
