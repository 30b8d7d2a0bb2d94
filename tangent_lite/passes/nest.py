"""Give what is written in a list of lists or arrays one place: `rows[i][j]`, not an element of a
row.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, INT, ListKind
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(rows, i, x):
...     part = rows[i - 1]
...     above = part[0]
...     row = rows[i]
...     for j in range(1, len(row)):
...         row[j] = above
...     return rows
... ''').body[0]
>>> typer = Typer({}, {}.get)
>>> kinds_of = {"rows": ListKind(ListKind(FLOAT)), "i": INT, "x": FLOAT}
>>> facts = infer(tree, kinds_of, typer)
>>> nest(tree, tree, facts, typer)
True
>>> tree.body = nested.written_out(tree.body)
>>> print(emit(tree), end="")
def f(rows, i, x):
    above = rows[i - 1][0]
    row = rows[i]
    for j in range(1, len(row)):
        rows[i][j] = above
    return rows

Two items that change places do so in one statement, `rows[i], rows[j] = rows[j], rows[i]`: it is
undone by the same, and no list is in two places.

The passes know what changes by its name. A row that has one of its own, and is a part of a list,
would be known by two; and a name that is bound to it as the program runs says nothing of which row
it is. All of an array that has such a name is read from the list again where it is read, and
`row += v` puts what it makes back. Where two rows are one list or array, or others hold one, is
looked at by `alias`, as with lists.
"""
from __future__ import annotations

import itertools
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in, definitions
from tangent_lite.inference import Typer
from tangent_lite.kinds import ListKind
from tangent_lite.names import Names
from tangent_lite.structures import nested


@dataclass(eq=False, repr=False)
class _Row:
    """A name for a list or an array in a list: where it is bound, what is done through that name,
    and what stands in the way of doing it there."""
    rows: str                                               # the outer list, as a version
    is_array: bool
    block: list[gast.stmt]
    bound: gast.Assign
    spots: list[gast.Subscript] = field(default_factory=list)
    wholes: list[gast.stmt] = field(default_factory=list)   # where all of an array is read
    appends: list[gast.stmt] = field(default_factory=list)  # where a list is made longer
    there: list[gast.stmt] = field(default_factory=list)    # where the name is that list there
    is_left: bool = False               # it is asked for its length as well, or more is done
    is_held: bool = False               # something else may mean it, or it is no item itself

    @property
    def is_written(self) -> bool:
        return bool(self.appends) or any(isinstance(spot.ctx, gast.Store) for spot in self.spots) \
            or any(map(self.is_grown_by, self.wholes))

    @property
    def is_late(self) -> bool:
        """Whether all of an array is read where something may have been written meanwhile."""
        at = next(k for k, node in enumerate(self.block) if node is self.bound)
        here = [id(node) for node in itertools.takewhile(lambda node: isinstance(
            node, gast.Assign) and isinstance(node.targets[0], gast.Name), self.block[at + 1:])]
        here += [id(node) for node in self.block[at + 1 + len(here):][:1]]
        return any(id(node) not in here for node in self.wholes)

    def is_grown_by(self, node: gast.stmt) -> bool:
        """Whether a statement is `row += v`, or another operation in place."""
        return isinstance(node, gast.AugAssign) \
            and getattr(node.target, "id", None) == self.bound.targets[0].id


def nest(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
         users: Container[str] = (), names: Names | None = None) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.

    users: names of the user; next to a list of lists that is written, rows of others are read so
    too where they have no name of the user's.
    """
    plain = list(syntax.statements(tree.body))
    versions = list(syntax.statements(numbered.body))
    if not any(isinstance(syntax.target_of(node), gast.Subscript)
               or isinstance(node, (gast.AugAssign, gast.Expr)) for node in plain):
        return False
    fresh = (names or Names(syntax.all_names(tree))).fresh
    if _swap(tree, plain, versions, facts, typer) \
            or _name_places(tree, plain, versions, facts, typer, fresh):
        return True
    rows = _rows(tree, plain, versions, facts, typer)
    known = dict(zip(map(id, plain), versions, strict=True))
    for name, row in rows.items():
        _find_spots(row, known, facts, typer)
        if row.appends:
            _find_wholes(name, row, rows, plain, versions)
    _hold_what_is_gone_through(plain, rows)
    for name, row in rows.items():
        _look_for_others(name, row, plain, versions)
    written = {row.rows for row in rows.values() if row.is_written and not row.is_held}
    written |= {target.value.id for target in map(syntax.target_of, versions)
                if isinstance(target, gast.Subscript) and nested.is_nested(target.slice)}
    changed: list[_Row] = []
    for row in rows.values():
        is_brief = bool(written) and not row.is_left and row.bound.targets[0].id not in users
        if not (row.spots or row.is_written or row.is_late) or (row.is_written and row.is_held) \
                or (row.rows not in written and not is_brief):
            continue
        changed.append(row)
        whole: Any = row.bound.value
        for spot in row.spots:
            spot.value = syntax.copy_place(syntax.load(whole.value.id), spot.value)
            spot.slice = syntax.copy_place(
                nested.joined(syntax.copy(whole.slice), spot.slice), spot.slice)
            for noted in ("part_of", "iterates"):       # of the row, under its name
                if hasattr(spot, noted):
                    delattr(spot, noted)
    for row in changed:
        for node in row.appends:
            _append_there(tree, node, row)
    for row in changed:
        for node in row.wholes:
            if not row.is_grown_by(node):
                _read_anew(tree, node, row, fresh)
    for row in changed:
        for node in row.wholes:
            if row.is_grown_by(node):
                _put_anew(tree, node, row, fresh)
        if not row.is_left:
            row.block[:] = [node for node in row.block if node is not row.bound]
    return bool(changed)


def _swap(tree: gast.FunctionDef, plain: list[gast.stmt], versions: list[gast.stmt],
          facts: Inferred, typer: Typer) -> bool:
    """Write two items that change places as that, where four statements do it; whether there were
    any: `t = xs[j]; t_1 = xs[i]; xs[i] = t; xs[j] = t_1`."""
    known = dict(zip(map(id, plain), versions, strict=True))
    uses: dict[str, int] = {}
    for node in versions:
        for name in _names(node):
            uses[name] = uses.get(name, 0) + 1
    found = False
    for block in syntax.all_blocks(tree):
        for number in range(len(block) - 3, 0, -1):
            four: list[Any] = list(block[number - 1:number + 3])
            if len(four) == 4 and _is_swap(four, [known[id(n)] for n in four], uses, facts, typer):
                target: Any = four[2].targets[0]
                other: Any = four[3].targets[0]
                block[number - 1:number + 3] = [syntax.copy_place(
                    nested.swap(target.value.id, target.slice, other.slice), four[2])]
                found = True
                break                       # what stands there now is looked at the next time
    return found


def _is_swap(four: list[Any], versions: list[Any], uses: dict[str, int], facts: Inferred,
             typer: Typer) -> bool:
    if not all(isinstance(node, gast.Assign) for node in four):
        return False
    reads, writes = [(n.targets[0], n.value) for n in four[:2]], [
        (n.value, n.targets[0]) for n in four[2:]]
    spots = [spot for _, spot in reads + writes]
    if not all(isinstance(name, gast.Name) and isinstance(spot, gast.Subscript)
               and isinstance(spot.value, gast.Name) and spot.value.id == spots[0].value.id
               and not nested.is_swap(spot.slice) and not nested.is_nested(spot.slice)
               for name, spot in reads + writes):
        return False
    (first, here), (second, there) = reads
    taken = {name.id: spot for name, spot in writes}
    return first.id != second.id and taken.keys() == {first.id, second.id} \
        and all(uses[n.targets[0].id] == 2 for n in versions[:2]) \
        and syntax.same(taken[first.id].slice, there.slice) \
        and syntax.same(taken[second.id].slice, here.slice) \
        and not {first.id, second.id, here.value.id} & (
            syntax.read_names(here.slice) | syntax.read_names(there.slice)) \
        and all(_reads_item(node, facts, typer) for node in versions[:2])


def _reads_item(node: gast.Assign, facts: Inferred, typer: Typer) -> bool:
    """Whether a statement reads one item of a list."""
    typer.names = facts.before.get(id(node), {})
    value: Any = node.value
    return isinstance(typer.kind(value.value), ListKind) and _is_place(value.slice, typer)


def _names(node: gast.stmt) -> list[str]:
    return [n.id for head in _heads(node) for n in syntax.walk(head) if isinstance(n, gast.Name)]


def _rows(tree: gast.FunctionDef, plain: list[gast.stmt], versions: list[gast.stmt],
          facts: Inferred, typer: Typer) -> dict[str, _Row]:
    """The names of lists in lists that are bound once, by version."""
    blocks = {id(node): block for block in syntax.all_blocks(tree) for node in block}
    found: dict[str, _Row] = {}
    many: set[str] = set()
    for node, version in zip(plain, versions, strict=True):
        names = definitions(version) if not isinstance(version, syntax.COMPOUND) else \
            syntax.bound_names(version.target) if isinstance(version, gast.For) else []
        if isinstance(version, gast.AugAssign):         # in place, of an array
            names = [name for name in names if not getattr(found.get(name), "is_array", False)]
        many |= {name for name in names if name in found}
        value: Any = getattr(version, "value", None)
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
                and isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name):
            typer.names = facts.before.get(id(version), {})
            owner = typer.kind(value.value)
            if _holds_lists(owner) and _is_place(value.slice, typer):
                found.setdefault(names[0], _Row(value.value.id, isinstance(
                    typer.kind(value), kinds.Array), blocks[id(node)], node,
                    is_held=nested.is_in_array(owner, value.slice)))
                continue
        many |= set(names)
    return {name: row for name, row in found.items() if name not in many}


def _holds_lists(kind: kinds.Kind) -> bool:
    return isinstance(kind, ListKind) and isinstance(kind.item, (ListKind, kinds.Array))


def _is_place(index: gast.expr, typer: Typer) -> bool:
    """Whether an index is one number, or one for each list, that can be written again."""
    return all(isinstance(typer.kind(one), kinds.Number) and not any(
        isinstance(n, (gast.Call, gast.Subscript)) for n in syntax.walk(one))
        for one in nested.places(index))


def _name_places(tree: gast.FunctionDef, plain: list[gast.stmt], versions: list[gast.stmt],
                 facts: Inferred, typer: Typer, fresh: Callable[[str], str]) -> bool:
    """Give the place of a list that is appended to a name, where it cannot be written again:
    `row = rows[k(x)]` is `at = k(x); row = rows[at]`; whether there was any."""
    appended = {node.value.func.value.id for node in plain if _appends_to(node)}
    found = False
    for block in syntax.all_blocks(tree) if appended else ():
        for number in range(len(block) - 1, -1, -1):
            node: Any = block[number]
            if not isinstance(node, gast.Assign) or getattr(node.targets[0], "id", "") not in \
                    appended or not isinstance(node.value, gast.Subscript):
                continue
            index = node.value.slice
            version: Any = next(v for n, v in zip(plain, versions) if n is node)
            typer.names = facts.before.get(id(version), {})
            if not _holds_lists(typer.kind(version.value.value)) \
                    or not isinstance(typer.kind(version.value.slice), kinds.Number):
                continue
            if _is_place(version.value.slice, typer) \
                    and not bound_in(block[number + 1:]) & syntax.read_names(index):
                continue
            at = fresh("at")
            block.insert(number, syntax.copy_place(syntax.assign(at, index), node))
            node.value.slice = syntax.copy_place(syntax.load(at), node)
            found = True
    return found


def _find_spots(row: _Row, versions: dict[int, gast.stmt], facts: Inferred, typer: Typer) -> None:
    """The places behind the binding where its name still is that part of that list; versions: of
    the statements, by id."""
    whole: Any = row.bound.value
    name, owner = row.bound.targets[0].id, whole.value.id
    fixed = syntax.read_names(whole)
    behind = row.block[[id(n) for n in row.block].index(id(row.bound)) + 1:]
    for node in behind:
        if fixed & bound_in([node]) or name in _bound_anew(node, row) or any(
                not _leaves(one, owner) for one in syntax.statements([node])):
            return
        for one in syntax.statements([node]):
            row.there.append(one)
            typer.names = facts.before.get(id(versions[id(one)]), {})
            for spot in _subscripts(one):
                if getattr(spot.value, "id", None) == name \
                        and (typer.index_class(spot.slice) in ("basic", "mask") if row.is_array
                             else syntax.is_colon(spot.slice) or not _is_slice(spot.slice)) \
                        and name not in syntax.read_names(spot.slice):
                    row.spots.append(spot)
            if _appends_to(one, name) and not row.is_array:
                row.appends.append(one)
            if row.is_array and not isinstance(one, syntax.COMPOUND) \
                    and any(n.id == name for n in syntax.names_in(one)) \
                    and not any(getattr(n.value, "id", None) == name for n in _subscripts(one)):
                row.wholes.append(one)


def _find_wholes(name: str, row: _Row, rows: dict[str, _Row], plain: list[gast.stmt],
                 versions: list[gast.stmt]) -> None:
    """Where more is asked of a list that is appended to than an element: it is read anew for that,
    where the name is that list. Elsewhere it is another one, or under that name alone."""
    row.is_held |= row.rows in rows         # a list in a list in a list
    known = {id(spot) for spot in row.spots} | {id(one) for one in row.appends}
    there = {id(one) for one in row.there}
    for one, version in zip(plain, versions, strict=True):
        asked = _names(version).count(name) - sum(
            id(part) in known for head in _heads(one) for part in syntax.walk(head))
        if one is row.bound or id(one) in known or not asked:
            continue
        row.is_held |= id(one) not in there or isinstance(one, gast.While)
        row.wholes.append(one)


def _hold_what_is_gone_through(plain: list[gast.stmt], rows: dict[str, _Row]) -> None:
    """A list that is appended to while a loop goes through it has no end that is known in front of
    the loop: whether it is that list, no index tells."""
    for loop in plain:
        if not isinstance(loop, gast.For):
            continue
        gone_through = {row.rows for row in rows.values() for spot in row.spots
                        if hasattr(spot, "iterates") and any(
                            spot is part for one in loop.body for part in _subscripts(one))}
        inside = [*map(id, syntax.statements(loop.body))] if gone_through else []
        for row in rows.values():
            row.is_held |= row.rows in gone_through and any(
                id(one) in inside for one in row.appends)


def _bound_anew(node: gast.stmt, row: _Row) -> set[str]:
    """What a statement binds; what `row += v` changes is the array that the name is bound to."""
    return {name for one in syntax.statements([node])
            if not (row.is_array and isinstance(one, gast.AugAssign)) for name in bound_in([one])}


def _read_anew(tree: gast.FunctionDef, node: gast.stmt, row: _Row,
               fresh: Callable[[str], str]) -> gast.Assign:
    """Read all of an array from the list where a statement reads it by its name: `part = rows[i]`,
    which is given back."""
    name = row.bound.targets[0].id
    part = fresh(name)
    read: gast.Assign = syntax.copy_place(syntax.assign(part, syntax.copy(row.bound.value)), node)
    for noted in ("part_of", "iterates"):
        if hasattr(read.value, noted):
            delattr(read.value, noted)
    block, at = syntax.spot_in(tree, node)
    block.insert(at, read)
    for one in syntax.walk(node):
        if isinstance(one, gast.Name) and one.id == name:
            one.id = part
    return read


def _put_anew(tree: gast.FunctionDef, node: gast.AugAssign, row: _Row,
              fresh: Callable[[str], str]) -> None:
    """`row += v` as `part = rows[i]; t = part + v; rows[i] = t`."""
    read = _read_anew(tree, node, row, fresh)
    read.value.in_place = True
    total = syntax.copy_place(
        gast.BinOp(syntax.load(node.target.id), node.op, node.value), node)
    total.of_part = True
    changed = fresh("t")
    whole: Any = syntax.copy(row.bound.value)
    whole.ctx = gast.Store()
    block, at = syntax.spot_in(tree, node)
    block[at:at + 1] = [syntax.copy_place(one, node) for one in (
        syntax.assign(changed, total), gast.Assign([whole], syntax.load(changed), None))]


def _append_there(tree: gast.FunctionDef, node: Any, row: _Row) -> None:
    """`row.append(v)` as what is written behind the last item of the list in the list."""
    whole: Any = row.bound.value
    block, at = syntax.spot_in(tree, node)
    block[at] = syntax.copy_place(
        nested.grown(whole.value, whole.slice, node.value.args[0]), node)


def _appends_to(node: gast.stmt, name: str | None = None) -> bool:
    """Whether a statement is `name.append(v)`, of something else; name: None for any."""
    call: Any = getattr(node, "value", None)
    if not isinstance(node, gast.Expr) or not isinstance(call, gast.Call) \
            or not isinstance(call.func, gast.Attribute) or call.func.attr != "append" \
            or not isinstance(call.func.value, gast.Name) or len(call.args) != 1 or call.keywords:
        return False
    owner: str = call.func.value.id
    return name in (None, owner) and owner not in syntax.read_names(call.args[0])


def _leaves(node: gast.stmt, owner: str) -> bool:
    """Whether a statement leaves the lists that a list holds where they are: it reads an item, or
    asks for the length."""
    allowed = 0
    for head in _heads(node):
        for part in syntax.walk(head):
            if isinstance(part, gast.Subscript) and getattr(part.value, "id", None) == owner:
                allowed += part is not syntax.target_of(node) or nested.is_nested(part.slice)
            elif syntax.is_length_of(part, owner):
                allowed += 1
    return allowed == sum(n.id == owner for head in _heads(node) for n in syntax.names_in(head))


def _look_for_others(name: str, row: _Row, plain: list[gast.stmt],
                     versions: list[gast.stmt]) -> None:
    """Note what else is done with a row: it is left under its name for that."""
    known = {id(spot) for spot in row.spots}
    for node, version in zip(plain, versions, strict=True):
        if node is row.bound:
            continue
        for head, other in zip(_heads(node), _heads(version), strict=True):
            if any(node is one for one in (*row.wholes, *row.appends)):
                continue
            mentions = sum(n.id == name for n in syntax.names_in(other))
            if not mentions:                    # as in most statements
                continue
            places = sum(id(n) in known for n in syntax.walk(head))
            lengths = sum(syntax.is_length_of(n, name) for n in syntax.walk(other))
            row.is_left |= mentions > places
            row.is_held |= mentions > places + lengths


def _is_slice(index: gast.expr) -> bool:
    return isinstance(index, gast.Slice) or (isinstance(index, gast.Tuple)
                                             and not nested.is_nested(index))


def _heads(node: gast.stmt) -> list[gast.AST]:
    """What of a statement is not in its blocks."""
    if isinstance(node, gast.For):
        return [node.target, node.iter]
    return [node.test] if isinstance(node, (gast.If, gast.While)) else [node]


def _subscripts(node: gast.stmt) -> list[gast.Subscript]:
    return [n for head in _heads(node) for n in syntax.walk(head) if isinstance(n, gast.Subscript)]
