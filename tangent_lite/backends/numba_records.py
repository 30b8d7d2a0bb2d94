"""Tapes of tuples are tapes of their parts, and what one tape holds no other holds again.

    i = t                                       i = t
    i_tape.append(i)                            i_tape.append(i)
    saved = (t, n)                    =>        part_tape.append(n)
    saved_tape.append(saved)
    ...                                         ...
    saved = saved_tape.pop()                    v = part_tape.pop()
    i = i_tape.pop()                            i = i_tape.pop()
    u, v = saved                                u = i

So it is once both halves of a call in a loop are written out (`numba_inlining`): the statements
behind have nothing between them that makes records or takes them apart, and may share a loop.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import liveness
from tangent_lite.backends.numba_lists import leaves, list_of
from tangent_lite.backends.numba_number_names import IsKind


def part_records(tree: gast.FunctionDef, fresh: Callable[[str], str], is_array: IsKind) -> bool:
    """Rewrite the tapes of a function that are filled in one place and emptied in one, in place;
    whether there are new ones.

    is_array: whether an expression is an array. Of numbers that have two names, one may be an int
    and the other one a float, for what else is bound to it.
    """
    are_new = [_part(tree, tape, fresh) for tape in _tapes(tree)
               if isinstance(tape.value, gast.Name)]
    kept: list[_Tape] = []
    for tape in _tapes(tree):
        if not is_array(tape.value) or not any(
                _is_twin(tape, other) and _leave_to(tape, other) for other in kept):
            kept.append(tape)
    return any(are_new)


@dataclass(eq=False)
class _Tape:
    """made, filled, emptied: the blocks and statements of `tape = []`, `tape.append(value)` and
    `target = tape.pop()`."""
    name: str
    made: tuple[list[gast.stmt], Any]
    filled: tuple[list[gast.stmt], Any]
    emptied: tuple[list[gast.stmt], Any]

    @property
    def value(self) -> gast.expr:
        found: gast.expr = self.filled[1].value.args[0]
        return found

    @property
    def target(self) -> str:
        found: str = self.emptied[1].targets[0].id
        return found


def _tapes(tree: gast.FunctionDef) -> list[_Tape]:
    """The tapes that are made empty once, filled in one place and emptied in one, in blocks that
    run to their ends."""
    places: dict[str, dict[str, tuple[list[gast.stmt], Any]]] = {}
    for block in syntax.all_blocks(tree):
        for node in block:
            found = _use(node)
            if found is not None:
                places.setdefault(found[0], {})[found[1]] = block, node
    counts = Counter(n.id for n in syntax.walk(tree) if isinstance(n, gast.Name))
    return [_Tape(name, **uses) for name, uses in places.items()
            if len(uses) == counts[name] == 3
            and not leaves(uses["filled"][0]) and not leaves(uses["emptied"][0])]


def _use(node: Any) -> tuple[str, str] | None:
    """The tape that a statement makes, fills or empties, and which of these it does."""
    value = getattr(node, "value", None)
    if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
            and len(node.targets) == 1:
        if isinstance(value, gast.List) and not value.elts:
            return node.targets[0].id, "made"
        tape = list_of(value, "pop", 0)
        return (tape, "emptied") if tape is not None else None
    tape = list_of(value, "append", 1) if isinstance(node, gast.Expr) else None
    return (tape, "filled") if tape is not None else None


def drop_unread(tree: gast.FunctionDef) -> None:
    """Take tapes out of which nothing is read that is taken from them, and second names that
    nothing reads, in place."""
    is_changed = True
    while is_changed:
        unread = liveness(tree.body).unread
        uses: dict[str, list[tuple[list[gast.stmt], gast.stmt, str]]] = {}
        gone: list[tuple[list[gast.stmt], gast.stmt]] = []
        for block in syntax.all_blocks(tree):
            for node in block:
                found = _use(node)
                if found is not None:
                    uses.setdefault(found[0], []).append((block, node, found[1]))
                elif id(node) in unread and isinstance(node, gast.Assign) \
                        and isinstance(node.targets[0], gast.Name) \
                        and isinstance(node.value, (gast.Name, gast.Constant)):
                    gone.append((block, node))
        counts = Counter(n.id for n in syntax.walk(tree) if isinstance(n, gast.Name))
        for name, mine in uses.items():
            if counts[name] == len(mine) and all(
                    use != "emptied" or id(node) in unread for _, node, use in mine):
                gone += [(block, node) for block, node, _ in mine]
        for block, node in gone:
            _replace(block, node, [gast.Pass()] if len(block) == 1 else [])
        is_changed = bool(gone)


# Tuples -------------------------------------------------------------------------------------------
def _part(tree: gast.FunctionDef, tape: _Tape, fresh: Callable[[str], str]) -> bool:
    """A tape for each part of the tuples on a tape, where these are made in front of it and taken
    apart behind it; whether that is so."""
    block, put = tape.filled
    packed = _last_binding(block, put, tape.value.id)
    if packed is None or not isinstance(packed.value, gast.Tuple) \
            or not all(isinstance(one, gast.Name) for one in packed.value.elts):
        return False
    parts = [one.id for one in packed.value.elts]
    back, taken = tape.emptied
    unpacked = next((node for node in back[syntax.place_in(back, taken) + 1:]
                     if tape.target in syntax.all_names(node)), None)
    if not isinstance(unpacked, gast.Assign) or not isinstance(unpacked.value, gast.Name) \
            or not isinstance(target := unpacked.targets[0], gast.Tuple) \
            or not all(isinstance(one, gast.Name) for one in target.elts):
        return False
    names = [one.id for one in target.elts]
    passed = back[syntax.place_in(back, taken) + 1:syntax.place_in(back, unpacked)]
    # Nobody else reads the tuples, and names mean the same in both places.
    reads = Counter(n.id for n in syntax.walk(tree) if isinstance(n, gast.Name)
                    and isinstance(n.ctx, gast.Load))
    expected = Counter([tape.value.id, tape.target])
    if len(names) != len(parts) or len(set(names)) != len(names) \
            or any(reads[name] != count for name, count in expected.items()) \
            or set(names) & _named(passed):
        return False
    tapes = [fresh(f"{name}_tape") for name in parts]
    _replace(*tape.made, [syntax.assign(one, gast.List([], gast.Load())) for one in tapes])
    # Where the tuple was made: behind that its parts may have other names.
    _replace(block, packed, [syntax.statement(syntax.method(
        syntax.load(one), "append", syntax.load(part))) for one, part in zip(tapes, parts)])
    block.remove(put)
    _replace(*tape.emptied, [syntax.assign(name, syntax.method(syntax.load(one), "pop"))
                             for one, name in zip(tapes, names)])
    back.remove(unpacked)
    return True


# Twins --------------------------------------------------------------------------------------------
def _is_twin(tape: _Tape, other: _Tape) -> bool:
    """Whether each step puts one thing on both tapes, and takes it off both."""
    if tape.filled[0] is not other.filled[0] or tape.emptied[0] is not other.emptied[0]:
        return False
    block = tape.filled[0]
    ends = [_origin(block, one.filled[1], one.value) for one in (tape, other)]
    return ends[0] is not None and ends[0] == ends[1]


def _origin(block: list[gast.stmt], put: gast.stmt, value: gast.expr) -> tuple[str, int] | None:
    """The name that a value had first in a block, and where it was bound: of `a = t; b = a` the
    `t`."""
    if not isinstance(value, gast.Name):
        return None
    name, node = value.id, put
    while True:
        binding = _last_binding(block, node, name)
        if binding is None or not isinstance(binding.value, gast.Name):
            # What compound statements in between may bind has been looked at.
            changed = any(name in _bound([one]) for one in block[:syntax.place_in(block, node)]
                          if one is not binding)
            at = -1 if binding is None else syntax.place_in(block, binding)
            return None if binding is None and changed else (name, at)
        name, node = binding.value.id, binding


def _leave_to(tape: _Tape, other: _Tape) -> bool:
    """Take a tape out that holds what another one holds, if names allow; whether they do."""
    back = tape.emptied[0]
    first, second = sorted((tape, other), key=lambda one: syntax.place_in(back, one.emptied[1]))
    between = back[syntax.place_in(back, first.emptied[1]) + 1:
                   syntax.place_in(back, second.emptied[1])]
    if first.target == second.target or first.target in _bound(between):
        return False
    first.emptied[1].value.func.value.id = other.name
    second.emptied[1].value = syntax.load(first.target)
    other.emptied = first.emptied
    _replace(*tape.made, [])
    _replace(*tape.filled, [])
    return True


# Blocks -------------------------------------------------------------------------------------------
def _last_binding(block: list[gast.stmt], before: gast.stmt, name: str) -> Any:
    """The statement `name = value` in front of another one, if nothing in between binds the
    name."""
    for node in reversed(block[:syntax.place_in(block, before)]):
        if name in _bound([node]):
            is_plain = isinstance(node, gast.Assign) and len(node.targets) == 1 \
                and isinstance(node.targets[0], gast.Name)
            return node if is_plain else None
    return None


def _bound(block: list[gast.stmt]) -> set[str]:
    return {n.id for node in block for n in syntax.walk(node)
            if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}


def _named(block: list[gast.stmt]) -> set[str]:
    return {name for node in block for name in syntax.all_names(node)}


def _replace(block: list[gast.stmt], node: gast.stmt, made: list[gast.stmt]) -> None:
    syntax.serve(made, node)
    at = syntax.place_in(block, node)
    block[at:at + 1] = made
