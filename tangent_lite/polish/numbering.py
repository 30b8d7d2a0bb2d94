"""The numbers in our names, in the order in which a reader meets them.

    t_7 = x * y                     t = x * y
    for k_2 in range(n):            for k in range(n):
        bt_7 = bs[k_2]      =>          bt = bs[k]

A name was given its number when it was made, and most of those made with it have been folded away
since. What belongs together keeps one number: a value, its adjoint, its tangent, and the tape that
holds it (`t_tape_1.append(t_1)`). The number of a loop serves in that loop alone, so that another
loop, which stands not in it, may count by the same name. The names of the user stay as they are.
"""
from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.names import RESERVED
from tangent_lite.polish.tapes import appended_to

_NUMBERED = re.compile(r"(.+?)((?:_[1-9]\d*)+)$")
_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Global, gast.Nonlocal)


def number(derivative: Any) -> None:
    """Number the names of a derivative anew; the trees are changed in place."""
    numbered = []
    for unit in derivative.units:
        everything = syntax.every_statement(unit.tree.body)
        if not any(node.__class__ in _SCOPES for node in everything):
            numbered.append((unit, everything, syntax.names_in(*unit.tree.body)))
    # A node may stand in two places, in other units too.
    held = {*map(id, itertools.chain.from_iterable(names for *_, names in numbered))}
    if len(held) < sum(len(names) for *_, names in numbered):
        for unit, *_ in numbered:
            unit.tree.body = syntax.copy(unit.tree.body)
        numbered = [(unit, syntax.every_statement(unit.tree.body),
                     syntax.names_in(*unit.tree.body)) for unit, *_ in numbered]
    # What one half of a function has saved goes by its name in the other.
    elements: dict[Any, set[str]] = {}
    for unit, everything, _ in numbered:
        elements.setdefault(unit.source, set()).update(_elements(everything))
    for unit, everything, names in numbered:
        fixed = set(syntax.parameter_names(unit.tree.args)) | unit.source.names \
            | unit.external.keys() | RESERVED
        ours = {one.id for one in names if one.ctx.__class__ is not gast.Load} - fixed
        if not ours:
            continue
        everywhere = Counter([one.id for one in names])
        fixed |= everywhere.keys() - ours
        counters = _Counters(everything, everywhere, ours, fixed)
        counters.rename(unit.tree.body)
        for one, name in counters.named:
            one.id = name
        ours -= counters.local
        renamed = _numbered(_in_reading_order(everything, names, ours),
                            fixed | everywhere.keys() - ours, elements[unit.source],
                            _held_by_tapes(everything))
        for one in names if renamed else ():
            if one.id in renamed:
                one.id = renamed[one.id]
    for unit, _, names in numbered:
        unit.named = names


def _elements(everything: list[gast.stmt]) -> set[str]:
    """Names that say of which element: `x_2 = x[2]`, `x_0_1 = x[0, 1]`."""
    found = set()
    for node in everything:
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
                and isinstance(node.value, gast.Subscript):
            index = node.value.slice
            parts = syntax.shown_parts(index)
            if node.targets[0].id.endswith("".join(f"_{getattr(p, 'value', '')}" for p in parts)):
                found.add(node.targets[0].id)
    return found


def _in_reading_order(everything: list[gast.stmt], names: list[gast.Name],
                      ours: set[str]) -> Iterable[str]:
    """Names of ours, as statements from the top on bind them; those that expressions bind last."""
    found: dict[str, None] = {}
    for node in everything:
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        for target in targets:
            if target.__class__ is gast.Name:
                found[target.id] = None
            elif target.__class__ in (gast.Tuple, gast.List):
                found.update(dict.fromkeys(syntax.bound_names(target)))
    found.update(dict.fromkeys([one.id for one in names]))
    return [name for name in found if name in ours]


def _held_by_tapes(everything: list[gast.stmt]) -> dict[str, str]:
    """Tapes that are called by what is put on them, `x_tape_2.append(x_1)`, and are not alone in
    that: the number tells which it is."""
    held: dict[str, str] = {}
    for node in everything:
        tape = appended_to(node)
        if tape is not None and node.value.args[0].__class__ is gast.Name:
            name = node.value.args[0].id
            if _split(tape)[0] == f"{_split(name)[0]}_tape":
                held.setdefault(tape, name)
    bases = Counter([_split(tape)[0] for tape in held])
    return {tape: name for tape, name in held.items() if bases[_split(tape)[0]] > 1}


def _numbered(found: Iterable[str], taken: set[str], elements: set[str],
              held: dict[str, str]) -> dict[str, str]:
    """New names for ours; found: these, in the order in which they first appear; held: what is put
    on tapes that are called by it."""
    split = {name: _split(name) for name in found}
    bases = {base for base, _ in split.values()}
    groups: dict[tuple[str, str], list[str]] = {}
    for name, (base, numbers) in split.items():
        root = base
        while root[0] in "bd" and root[1:] in bases:            # the adjoint of bx is bbx
            root = root[1:]
        groups.setdefault((root, numbers), []).append(name)
    taken = set(taken)
    next_of: dict[str, int] = {}
    made: dict[str, str] = {}
    for spot, group in list(groups.items()):
        # What belongs to a name of the user has that name, without a number.
        if not elements.isdisjoint(group) or (not spot[1] and any(
                part in taken for name in group for part in _meant(name))):
            taken.update(groups.pop(spot))
    # What tapes hold has its number first.
    for (root, _), group in sorted(groups.items(), key=lambda one: one[1][0] in held):
        count = next_of.get(root, 0)
        if group[0] in held:
            name = held[group[0]]
            numbers = _split(made.get(name, name))[1]
            count = int(numbers[1:]) if numbers[1:].isdigit() else 0
        while not taken.isdisjoint(_joined(split[n][0], count) for n in group):
            count += 1
        made.update((name, _joined(split[name][0], count)) for name in group)
        taken.update(made[name] for name in group)
        if group[0] not in held:
            next_of[root] = count
    return made


def _meant(name: str) -> Iterator[str]:
    """What a name may be an adjoint or a tangent of, itself included."""
    yield name
    for k, letter in enumerate(name[:-1], 1):
        if letter not in "bd":
            return
        yield name[k:]


def _split(name: str) -> tuple[str, str]:
    """A name without numbers, and these: `bt`, `_3` of `bt_3`."""
    found = _NUMBERED.match(name)
    return (found[1], found[2]) if found else (name, "")


def _joined(base: str, count: int) -> str:
    return f"{base}_{count}" if count else base


class _Counters:
    """The names of the numbers of loops, in each loop the first that is free."""

    def __init__(self, everything: list[gast.stmt], everywhere: Counter[str], ours: set[str],
                 fixed: set[str]) -> None:
        self.ours = ours
        inside: Counter[str] = Counter()
        self.within: dict[int, list[gast.Name]] = {}    # by id of a loop: the names in it
        self.named: list[tuple[gast.Name, str]] = []    # names, and what each is to be
        for node in everything:
            if isinstance(node, gast.For) and isinstance(node.target, gast.Name):
                found = self.within[id(node)] = syntax.names_in(node.target, *node.body)
                name = node.target.id
                inside[name] += len([one for one in found if one.id == name])
        # Names that are mentioned nowhere but in loops over them.
        alone = {name for name, count in inside.items() if count == everywhere[name]}
        self.local = alone & ours
        self.taken = (set(everywhere) | fixed) - alone
        self.users = alone - ours

    def rename(self, body: list[gast.stmt]) -> None:
        """Name the loops of a body."""
        # With each block, what the loops around it count by.
        todo: list[tuple[list[gast.stmt], frozenset[str]]] = [(body, frozenset())]
        while todo:
            block, around = todo.pop()
            for node in block:
                if isinstance(node, syntax.COMPOUND):
                    inner = self.named_in(node, around)
                    todo += [(node.body, inner), (node.orelse, around)]

    def named_in(self, node: Any, around: frozenset[str]) -> frozenset[str]:
        """Name a loop; what it and the loops around it count by."""
        name = node.target.id if id(node) in self.within else ""
        if name not in self.local:
            return around | {name} if name else around
        base, count = _split(name)[0], 0
        names = self.within[id(node)]
        here = {one.id for one in names if one.id in self.users} if self.users else self.users
        while (new := _joined(base, count)) in self.taken or new in around or new in here:
            count += 1
        self.named += [(one, new) for one in names if one.id == name]
        return around | {new}
