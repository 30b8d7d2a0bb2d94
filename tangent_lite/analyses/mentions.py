"""What the statements of a body read and call, found out once for all that ask.

>>> tree = gast.parse('y = f(x) * x')
>>> found = Mentions()
>>> sorted(found[tree.body[0]].reads), found[tree.body[0]].names.count("x")
(['f', 'x'], 2)

The table is good for as long as its statements stay as they are. They may be dropped or moved; who
rewrites one says so (`rewritten`), and what it mentions then is found out when it is next asked.
"""
from __future__ import annotations

from collections.abc import Set
from typing import Any, NamedTuple

import gast

from tangent_lite import syntax
from tangent_lite.nodes import PARTS
from tangent_lite.syntax import COMPOUND, COMPREHENSIONS, bound_names, read_names


def head(node: gast.stmt) -> gast.AST:
    """What of a statement is evaluated where it stands: itself, or the head of a compound one."""
    if isinstance(node, gast.For):
        return node.iter
    return node.test if isinstance(node, (gast.If, gast.While)) else node


def mentioned(node: gast.stmt) -> set[str]:
    """Names that stand in a simple statement, or in the head of a compound one."""
    return {n.id for n in syntax.walk(head(node)) if isinstance(n, gast.Name)}


def uses(node: gast.stmt) -> set[str]:
    """Names that a simple statement reads (an array that is written into is read)."""
    if isinstance(node, gast.Assign):
        found = read_names(node.value)
        for target in node.targets:
            if target.__class__ is not gast.Name:       # a name is bound, and not read
                found |= read_names(target)
        return found
    if isinstance(node, gast.AugAssign):
        found = read_names(node.value) | read_names(node.target)
        if isinstance(node.target, gast.Name):
            found.add(node.target.id)
        return found
    return read_names(node)


def uses_here(node: gast.stmt) -> set[str]:
    """The same, and of a compound statement what its head reads."""
    return read_names(head(node)) if isinstance(node, COMPOUND) else uses(node)


def definitions(node: gast.stmt) -> list[str]:
    """Names that a simple statement binds."""
    kind = node.__class__
    if kind is gast.Assign:
        targets = node.targets
        if len(targets) == 1 and targets[0].__class__ is gast.Name:
            return [targets[0].id]
        return [name for target in targets for name in bound_names(target)]
    if kind is gast.AugAssign:
        return bound_names(node.target)
    return []


class Mentioned(NamedTuple):
    """What one statement mentions; of a compound statement, what its head does."""
    names: list[str]            # that are read, each as often as it stands there
    reads: set[str]             # those that are read from around it
    uses: set[str]              # those that count as live before it
    binds: list[str]            # as `definitions` gives them
    calls: list[gast.Call]
    classes: Set[type]          # of the nodes in it, but for names and literals


class Mentions(dict[gast.stmt, Mentioned]):
    """The table, filled as it is asked. What it gives is not to be changed.

    By the statements themselves, not by ids, which others may get that are made later.
    """

    def __init__(self) -> None:
        super().__init__()
        self.shortest: set[gast.stmt] = set()       # those in which `simplify` finds nothing
        self.begin_again()

    def begin_again(self) -> None:
        """Note from here on what is rewritten (see `ReadNoMore`)."""
        self.before: dict[gast.stmt, set[str]] = {}     # what such statements read until then
        self.moved: dict[gast.stmt, str] = {}           # those put into others, and what they bound

    def __missing__(self, node: gast.stmt) -> Mentioned:
        found = self[node] = _mentioned(node)
        return found

    def rewritten(self, node: gast.stmt) -> None:
        """Say that a statement is not what it was."""
        known = self.pop(node, None)
        if known is not None:
            self.before.setdefault(node, known.reads)
        self.shortest.discard(node)

    def put_into(self, node: gast.stmt, name: str, readers: list[gast.stmt]) -> None:
        """Say that the value of a statement which binds a name is going to stand where the name is
        read, in other statements, and nowhere else."""
        reads = self.before.get(node, set()) | self[node].reads
        for reader in readers:
            self.before[reader] = self.before.get(reader, self[reader].reads) | reads
        if readers:
            self.moved[node] = name


def _mentioned(node: gast.stmt) -> Mentioned:
    kind = node.__class__
    names: list[str] = []
    beside = None                           # what `effects` noted: read, but not live here
    if kind is gast.Assign:
        beside = node.__dict__.get("casting")
        if beside is None and len(node.targets) == 1 and node.targets[0].__class__ is gast.Name:
            value = node.value
            if value.__class__ is gast.BinOp and _are_atoms(value, names):
                reads = set(names)
                return _made(Mentioned, (names, reads, reads, [node.targets[0].id], _NO_CALLS,
                                         _OPERATION))
            calls: list[gast.Call] = []
            classes: set[type] = set()
            plain = _look([value], names, calls, classes)
            reads = set(names) if plain else read_names(value)
            return _made(Mentioned, (names, reads, reads, [node.targets[0].id], calls or _NO_CALLS,
                                     _once(classes)))
    calls, classes = [], set()
    whole = head(node)
    plain = _look([whole], names, calls, classes)
    reads = set(names) if plain else read_names(whole)
    live = reads
    if kind is gast.AugAssign and "repeats" not in node.__dict__:
        if node.target.__class__ is gast.Name:              # which is read as well
            live = reads | {node.target.id}
    elif beside is not None or kind is gast.AugAssign:
        live = uses_here(node)
    return _made(Mentioned, (names, reads, live, definitions(node), calls or _NO_CALLS,
                             _once(classes)))


# What many statements have in common is kept once: of thousands each set would be a place in memory
# to go to. And so is the call of `__new__`, which in a NamedTuple is one of Python.
_NO_CALLS: list[gast.Call] = []
_OPERATION: frozenset[type] = frozenset({gast.BinOp})
_KNOWN: dict[frozenset[type], frozenset[type]] = {}
_made: Any = tuple.__new__


def _once(classes: set[type]) -> frozenset[type]:
    """A set of classes, the same one for all statements that have it."""
    found = frozenset(classes)
    return _KNOWN.setdefault(found, found)


def _are_atoms(node: gast.BinOp, names: list[str]) -> bool:
    """Whether the operands are names and literals, as of most operations; the names are noted."""
    left, right = node.left, node.right
    if left.__class__ not in _ATOMS or right.__class__ not in _ATOMS:
        return False
    names += [one.id for one in (left, right) if one.__class__ is gast.Name]
    return True


_ATOMS = frozenset({gast.Name, gast.Constant})


def _look(todo: list[Any], names: list[str], calls: list[gast.Call], classes: set[type]) -> bool:
    """Note names that are read, calls, and classes; whether no name has a meaning of its own in
    there."""
    plain = True
    note = classes.add
    pop, push = todo.pop, todo.append
    parts_of, name_class, load_class = PARTS, gast.Name, gast.Load
    while todo:
        node = pop()
        kind = node.__class__
        if kind is name_class:
            if node.ctx.__class__ is load_class:
                names.append(node.id)
            continue
        note(kind)
        if kind is gast.Call:
            calls.append(node)
        elif kind in SCOPES:
            plain = False
        for field in parts_of[kind]:
            value = node.__dict__.get(field)
            kind = value.__class__
            if kind is name_class:              # most of what there is
                if value.ctx.__class__ is load_class:
                    names.append(value.id)
            elif kind is list:
                todo += value
            elif parts_of[kind]:
                push(value)
    return plain


# In them a name may mean what is bound there.
SCOPES = COMPREHENSIONS | {gast.Lambda}
