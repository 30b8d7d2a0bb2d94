"""What holds on one way through a function: which names are bound, what numbers and flags are.

>>> way = Way({"x"})
>>> for node in gast.parse('k = 0; k += 1; is_first = k == 1').body:
...     way.runs(node, {"x", "y"})
>>> way.sizes["k"], way.truth(syntax.parse_expression("not is_first"))
((1, 1), False)

Of conditions of which the value is not known it is kept which names are bound where they hold
(`if flag: b = x`), for as long as nothing binds what they read.
"""
from __future__ import annotations

from collections.abc import Set
from typing import Any, NamedTuple

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import definitions

Size = tuple[float, float]              # between what a number lies; of a flag: 0 or 1

_COMPARED: dict[Any, Any] = {           # whether it holds, for numbers between bounds
    gast.Lt: lambda a, b: True if a[1] < b[0] else False if a[0] >= b[1] else None,
    gast.LtE: lambda a, b: True if a[1] <= b[0] else False if a[0] > b[1] else None,
    gast.Gt: lambda a, b: True if a[0] > b[1] else False if a[1] <= b[0] else None,
    gast.GtE: lambda a, b: True if a[0] >= b[1] else False if a[1] < b[0] else None,
    gast.Eq: lambda a, b: False if a[1] < b[0] or b[1] < a[0]
    else True if a[0] == a[1] == b[0] == b[1] else None,
    gast.NotEq: lambda a, b: True if a[1] < b[0] or b[1] < a[0]
    else False if a[0] == a[1] == b[0] == b[1] else None,
}
_OPPOSITES: dict[Any, Any] = {gast.GtE: gast.Lt, gast.LtE: gast.Gt, gast.NotEq: gast.Eq,
                              gast.IsNot: gast.Is, gast.NotIn: gast.In}
_TESTS = (gast.Compare, gast.UnaryOp, gast.BoolOp, gast.Name, gast.Constant)


class Key(NamedTuple):
    """A condition, to find it again; holds: whether it is that one, or its opposite."""
    code: Any
    holds: bool
    reads: frozenset[str]


class Way:
    """What holds at one place. bound: of the names that are asked for, those that surely are."""

    def __init__(self, bound: set[str]) -> None:
        self.bound = bound
        self.sizes: dict[str, Size] = {}
        self.means: dict[str, gast.expr] = {}       # `cond = k > 5`, under which name it is
        # Which names are bound where a condition holds, and what the condition reads.
        self.then: dict[tuple[Any, bool], tuple[frozenset[str], frozenset[str]]] = {}

    def copy(self) -> Way:
        made = Way(set(self.bound))
        made.sizes, made.means, made.then = dict(self.sizes), dict(self.means), dict(self.then)
        return made

    def forgetting(self, names: Set[str]) -> Way:
        """The same without what is known of the values of some names."""
        made = self.copy()
        for name in sorted(names):
            made.changes(name)
        return made

    def widened(self, later: Way) -> Way:
        """What holds in both, where numbers that have grown may go on to grow."""
        made = self.copy()
        for name, (low, high) in self.sizes.items():
            other = later.sizes.get(name)
            if other is None or other[0] < low:
                del made.sizes[name]
            elif other[1] > high:
                made.sizes[name] = low, float("inf")
        made.means = {n: v for n, v in self.means.items() if later.means.get(n) is v}
        made.then = {k: (reads, names) for k, (reads, names) in self.then.items()
                     if k in later.then or names <= later.bound}
        return made

    # What statements do -----------------------------------------------------------------------
    def runs(self, node: gast.stmt, asked: Set[str]) -> None:
        """Go on behind a simple statement."""
        size = value = None
        if isinstance(node, gast.Assign):
            size, value = self.size(node.value), node.value
        elif isinstance(node, gast.AugAssign) and isinstance(node.op, (gast.Add, gast.Sub)):
            size = self.size(gast.BinOp(syntax.as_read(node.target), node.op, node.value))
        for name in definitions(node):
            self.binds(name, asked)
        target = syntax.target_of(node)
        if isinstance(target, gast.Name):
            if size is not None:
                self.sizes[target.id] = size
            elif isinstance(value, _TESTS) and target.id not in syntax.read_names(value):
                self.means[target.id] = value
        elif isinstance(target, (gast.Subscript, gast.Attribute)):
            for name in syntax.written_roots(target.value):
                self.changes(name)
        elif isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
            for name in syntax.read_names(node.value) - self.sizes.keys():
                self.changes(name)              # numbers stay what they are

    def binds(self, name: str, asked: Set[str]) -> None:
        self.changes(name)
        if name in asked:
            self.bound.add(name)

    def changes(self, name: str) -> None:
        """Forget what rests on the value of a name."""
        self.sizes.pop(name, None)
        self.means.pop(name, None)
        for other in [n for n, v in self.means.items() if name in syntax.read_names(v)]:
            del self.means[other]
        for key in [k for k, (reads, _) in self.then.items() if name in reads]:
            del self.then[key]

    # What conditions say ----------------------------------------------------------------------
    def size(self, node: gast.AST) -> Size | None:
        """Between which bounds a number lies, None: nothing is known."""
        if isinstance(node, gast.Constant):
            value = node.value
            return (value, value) if isinstance(value, (bool, int, float)) and value == value \
                else None
        if isinstance(node, gast.Name):
            return self.sizes.get(node.id)
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)):
            left, right = self.size(node.left), self.size(node.right)
            if left is None or right is None:
                return None
            if isinstance(node.op, gast.Sub):
                right = -right[1], -right[0]
            return left[0] + right[0], left[1] + right[1]
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            inner = self.size(node.operand)
            return None if inner is None else (-inner[1], -inner[0])
        if isinstance(node, _TESTS):
            holds = self.truth(node)
            return None if holds is None else (holds, holds)
        return None

    def truth(self, node: gast.expr) -> bool | None:
        """Whether a condition holds, None: nothing tells."""
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            holds = self.truth(node.operand)
            return None if holds is None else not holds
        if isinstance(node, gast.BoolOp):
            ways = [self.truth(one) for one in node.values]
            deciding = isinstance(node.op, gast.Or)
            return deciding if deciding in ways else None if None in ways else not deciding
        if isinstance(node, gast.Compare):
            compare = _COMPARED.get(type(node.ops[0]))
            sides = self.size(node.left), self.size(node.comparators[0])
            return None if len(node.ops) > 1 or compare is None or None in sides \
                else compare(*sides)
        if isinstance(node, gast.Name) and node.id in self.means:
            return self.truth(self.means[node.id])
        size = self.size(node) if isinstance(node, (gast.Name, gast.Constant)) else None
        return None if size is None or size[0] < 0.0 < size[1] or (size[0] != size[1] and (
            size[0] == 0.0 or size[1] == 0.0)) else size != (0, 0)

    def key_of(self, node: gast.expr) -> Key | None:
        """What a condition, or what a loop goes through, is found again by."""
        holds = True
        while True:
            if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
                node, holds = node.operand, not holds
            elif isinstance(node, gast.Name) and node.id in self.means:
                node = self.means[node.id]
            elif isinstance(node, gast.Compare) and len(node.ops) == 1 \
                    and type(node.ops[0]) in _OPPOSITES:
                node = gast.Compare(node.left, [_OPPOSITES[type(node.ops[0])]()], node.comparators)
                holds = not holds
            else:
                break
        if any(isinstance(n, (gast.NamedExpr, gast.Lambda)) or (isinstance(n, gast.Call) and not (
                isinstance(n.func, gast.Name) and n.func.id in (
                    "len", "range", "isinstance", "enumerate", "zip")))
                for n in syntax.walk(node)):
            return None                         # another call may give another answer
        return Key(syntax.key(node), holds, frozenset(syntax.read_names(node)))

    def where(self, node: gast.expr, holds: bool) -> Way:
        """The way on which a condition holds, or does not."""
        made = self.copy()
        made.take(node, holds)
        return made

    def take(self, node: gast.expr, holds: bool) -> None:
        key = self.key_of(node)
        if key is not None:
            known = self.then.get((key.code, key.holds is holds))
            if known is not None:
                self.bound |= known[1]
        while isinstance(node, gast.Name) and node.id in self.means:
            node = self.means[node.id]
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            self.take(node.operand, not holds)
        elif isinstance(node, gast.BoolOp) and isinstance(node.op, gast.And) is holds:
            for one in node.values:
                self.take(one, holds)
        elif isinstance(node, gast.Compare) and len(node.ops) == 1 and holds:
            self.narrow(node.left, type(node.ops[0]), node.comparators[0])

    def narrow(self, left: gast.expr, operator: Any, right: gast.expr) -> None:
        """Note that a comparison of a name with what is known holds."""
        if not isinstance(left, gast.Name) or operator is not gast.Eq:
            return
        size = self.size(right)
        if size is not None:
            self.sizes[left.id] = size


def joined(one: Way, other: Way, key: Key | None) -> Way:
    """What holds where two ways meet; key: the condition that held on the first alone."""
    made = Way(one.bound & other.bound)
    for name, (low, high) in one.sizes.items():
        if name in other.sizes:
            made.sizes[name] = min(low, other.sizes[name][0]), max(high, other.sizes[name][1])
    made.means = {n: v for n, v in one.means.items() if other.means.get(n) is v}
    for code in {**one.then, **other.then}:
        found = [way.then.get(code) for way in (one, other)]
        reads = next(f[0] for f in found if f)
        names = frozenset.intersection(*(
            frozenset(way.bound) | (f[1] if f else frozenset())
            for way, f in zip((one, other), found))) - made.bound
        if names:
            made.then[code] = reads, names
    keys = [] if key is None else [key]
    for name in one.sizes.keys() & other.sizes.keys():      # flags that say which way was taken
        flag = gast.Name(name, gast.Load(), None, None)
        here, there = one.truth(flag), other.truth(flag)
        if here is not None and there is not None and here is not there:
            keys.append(Key(syntax.key(flag), here, frozenset((name,))))
    for key in keys:
        for way, holds in ((one, key.holds), (other, not key.holds)):
            names = frozenset(way.bound - made.bound)
            code = key.code, holds
            if names or code in made.then:
                made.then[code] = key.reads, names | made.then.get(code, ((), frozenset()))[1]
    return made
