"""Lists of adjoints of which each part is received once: they are filled, not added to zeros.

    bparams = zeros_like(params)                        bparams = [None] * len(params)
    bparams[-1][0] += bW                                bparams[-1] = (bW, bb)
    bparams[-1][1] += bb                                for k in range(len(items) - 1, -1, -1):
    bitems = bparams[:-1]                       =>          ...
    for k in range(len(items) - 1, -1, -1):                 bparams[k] = (bW, bb)
        ...
        bitems[k][0] += bW
        bitems[k][1] += bb

That is how one writes it by hand, and saves zeros and a sum for each array. It takes that the items
named one by one and those of the loop are all items, each once: a loop over the whole list, or over
`params[:-1]` beside `params[-1]`, or over `params[1:]` beside `params[0]`; that all parts of an
item are received; and that what is put into the list is not changed in place later. As with other
zeros (fills.py) it is done in the text that is shown, saved and run. Where the items are objects of
several classes, each branch (`if type(item) is Dense`) puts in what one of its class has.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import gast

from tangent_lite import kinds, runtime, syntax
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.polish.array_parts import Unit, is_ours, is_part

# The slice that a loop goes over -> the item that is not in it, and what is added to the counter.
_REST = {(None, None): (None, 0), (None, -1): (-1, 0), (1, None): (0, 1)}


def fill_lists(derivative: Any) -> None:
    """Fill lists of adjoints where each part is received once; the trees are changed in place."""
    for unit in derivative.units:
        body = unit.tree.body
        for node in list(body):
            found = _plan(Unit(unit), node) if _structure(node) is not None else None
            if found is not None:
                found.carry_out(body)
                unit.leave_unread()


class _Received(NamedTuple):
    """The statements of one block that add to the parts of an item, and the item that they make."""
    block: list[gast.stmt]
    statements: list[gast.stmt]
    index: gast.expr
    item: gast.expr


class _Plan(NamedTuple):
    zeros: Any
    slice: gast.stmt | None             # `bitems = bparams[:-1]`
    received: list[_Received]

    def carry_out(self, body: list[gast.stmt]) -> None:
        name, items = self.zeros.targets[0], self.zeros.value.args[0]
        filled = []
        for block, added, index, item in self.received:
            target = syntax.subscript(syntax.load(name.id), index, gast.Store())
            made = gast.Assign([target], item, None)
            syntax.serve([made], added[-1])
            block[block.index(added[-1])] = made
            for node in added[:-1]:
                block.remove(node)
            filled.append((block, made))
        self.zeros.value = syntax.binary(
            gast.List([syntax.constant(None)], gast.Load()), "*",
            syntax.call(syntax.load("len"), items))
        self.zeros.value.filled = filled            # by these (see fresh_results.py)
        if self.slice is not None:
            body.remove(self.slice)


def _structure(node: gast.stmt) -> Any:
    """What is known of the items of a list, of whose adjoints a statement of ours makes zeros."""
    if isinstance(node, gast.Assign) and is_ours(node) and isinstance(node.targets[0], gast.Name) \
            and isinstance(node.value, gast.Call) and len(node.value.args) == 1 \
            and isinstance(node.value.args[0], gast.Name):
        return getattr(node.value, "structure", None)
    return None


def _plan(unit: Unit, zeros: Any) -> _Plan | None:
    """How a list is filled; None if it may not be."""
    name, owner, body = zeros.targets[0].id, zeros.value.args[0].id, unit.body
    steps = _steps_of_classes(_structure(zeros))
    if steps is None or unit.means(zeros.value.func.id) is not runtime.zeros_like:
        return None
    part, loop, single = _uses(body, zeros, name)
    if loop is None:
        return None
    counter, length = _goes_over_all(unit, loop)
    index = part.value.slice if part is not None else None
    if counter is None or length != (owner if part is None else _sliced(unit, owner, index)):
        return None
    lists = {owner, length}
    if any(lists & bound_in([n]) or (isinstance(n, gast.Expr) and lists & syntax.all_names(n))
           for n in syntax.statements(body[body.index(zeros):body.index(loop) + 1])):
        return None                         # it may not be the list that it was
    rest = _REST.get((None, None) if index is None else
                     (_number(index.lower), _number(index.upper)))
    if rest is None or (index is not None and index.step is not None):
        return None
    alone, shift = rest
    spot: gast.expr = syntax.load(counter)
    if shift:
        spot = syntax.binary(spot, "+", syntax.constant(shift))
    names = _Aliases(unit)
    adjoint = name if part is None else part.targets[0].id
    item = syntax.subscript(syntax.load(length), syntax.load(counter))
    received: list[Any] = [
        _received(names, block, adjoint, lambda index: getattr(index, "id", "") == counter, spot,
                  of)
        for block, of in _blocks(unit, loop, adjoint, item, steps) if of.varies]
    if alone is not None:
        received.append(_received(names, body, name, lambda index: _number(index) == alone,
                                  syntax.constant(alone), steps[None])
                        if None in steps else None)
    if not received or None in received or {
            id(n) for one in received for n in one.statements} != set(single):
        return None
    return _Plan(zeros, part, received)


class _Steps(NamedTuple):
    """The steps to the parts of an item, none if it is an array itself, those to numbers, and those
    to what has no adjoint."""
    all: list[Any]
    numbers: set[Any]
    constant: set[Any]
    varies: bool = True


def _steps_of_classes(item: Any) -> dict[Any, _Steps] | None:
    """The steps to the parts of an item by its class, where it is of one of several, else of None;
    None if those of one class are not."""
    if not isinstance(item, kinds.OneOf):
        steps = _steps(item)
        return None if steps is None else {None: steps}
    if item.path:
        return None
    found = {one.type: _steps(one) if kinds.can_vary(one) else _Steps([], set(), set(), False)
             for one in item.options}
    return None if None in found.values() else found        # type: ignore[return-value]


def _blocks(unit: Unit, loop: gast.For, name: str, item: gast.expr,
            steps: dict[Any, _Steps]) -> list[tuple[list[gast.stmt], _Steps]]:
    """The blocks of a loop that add to an item, each with the steps to the parts of such an item:
    its body, or a branch for each class (`type(item) is Dense`), where it is this item, and not
    one of another list, that is asked for its class."""
    if None in steps:
        return [(loop.body, steps[None])]
    left, found = dict(steps), []
    taken = {one.targets[0].id for one in loop.body if isinstance(one, gast.Assign)
             and isinstance(one.targets[0], gast.Name) and syntax.same(one.value, item)}
    taken -= {name for name in taken if sum(name in bound_in([one]) for one in loop.body) > 1}
    node: Any = next((one for one in loop.body if name in syntax.all_names(one)), None)
    while isinstance(node, gast.If) and len(left) > 1:
        asked: Any = node.test
        is_of_class = isinstance(asked, gast.Compare) and isinstance(asked.ops[0], gast.Is) \
            and isinstance(asked.left, gast.Call) and isinstance(asked.left.func, gast.Name) \
            and unit.means(asked.left.func.id, type) is type and len(asked.left.args) == 1 \
            and (getattr(asked.left.args[0], "id", None) in taken
                 or syntax.same(asked.left.args[0], item))
        cls = unit.means(getattr(asked.comparators[0], "id", "")) if is_of_class else None
        if cls not in left:
            break
        found.append((node.body, left.pop(cls)))
        if len(left) == 1:
            found.append((node.orelse, *left.values()))
        node = node.orelse[0] if len(node.orelse) == 1 else None
    return found if len(found) == len(steps) else []


def _steps(item: Any) -> _Steps | None:
    """None if the parts of an item are not arrays of floats, and numbers."""
    if isinstance(item, kinds.Array):
        return _Steps([], set(), set()) if item.dtype == "float" else None
    if isinstance(item, kinds.TupleKind) and item.type is tuple and item.items:
        parts: dict[Any, Any] = dict(enumerate(item.items))
    elif isinstance(item, kinds.DictKind) and item.items:
        parts = dict(zip(item.keys, item.items))
    elif isinstance(item, kinds.RecordKind) and item.items:
        parts = dict(zip(item.fields, item.items))
    else:
        return None
    constant = {step for step, part in parts.items()
                if isinstance(item, kinds.RecordKind) and not kinds.can_vary(part)}
    numbers = {step for step, part in parts.items() if isinstance(part, kinds.Number)}
    if len(constant) == len(parts) or any(
            part.type != "float" if isinstance(part, kinds.Number)
            else not isinstance(part, kinds.Array) or part.dtype != "float"
            for step, part in parts.items() if step not in constant):
        return None
    return _Steps(list(parts), numbers, constant)


def _uses(body: list[gast.stmt], zeros: Any, name: str) -> tuple[Any, Any, dict[int, gast.stmt]]:
    """The slice of a list of adjoints, the loop that adds to it (None if more is done to it than
    can be told), and by id all statements that add to parts of items."""
    part = loop = None
    added: dict[int, gast.stmt] = {}
    behind = body[body.index(zeros) + 1:]
    for node in behind:
        if isinstance(node, gast.Assign) and part is None and is_ours(node) \
                and isinstance(node.targets[0], gast.Name) and is_part(node.value) \
                and node.value.value.id == name and isinstance(node.value.slice, gast.Slice):
            part = node
    names = {name, part.targets[0].id} if part is not None else {name}
    before = body[:body.index(zeros)]
    if any(names & syntax.all_names(node) for node in before):
        return None, None, {}
    for node in behind:
        if node is part or not names & syntax.all_names(node):
            continue
        if isinstance(node, gast.Return):
            if sum(isinstance(n, gast.Name) and n.id in names
                   for n in syntax.walk(node)) != _returned(node.value, name):
                return None, None, {}
        elif isinstance(node, gast.For) and loop is None:
            loop = node
            for inner in _in_branches(node.body, names):
                if names & syntax.all_names(inner):
                    added[id(inner)] = inner
            if names & syntax.all_names(gast.Tuple([node.target, node.iter], gast.Load())):
                return None, None, {}
        else:
            added[id(node)] = node
    if not all(isinstance(n, gast.AugAssign) and isinstance(n.op, (gast.Add, gast.Sub))
               and is_ours(n) and not names & syntax.all_names(n.value) for n in added.values()):
        return None, None, {}
    return part, loop, added


def _in_branches(block: list[gast.stmt], names: set[str]) -> Iterator[gast.stmt]:
    """The statements of a block, and those of branches in which names are mentioned."""
    for node in block:
        if isinstance(node, gast.If) and not names & syntax.all_names(node.test):
            yield from _in_branches([*node.body, *node.orelse], names)
        else:
            yield node


def _returned(value: Any, name: str) -> int:
    """How often a name is returned as it is, be it in tuples and dicts."""
    if isinstance(value, (gast.Tuple, gast.Dict)):
        parts = value.elts if isinstance(value, gast.Tuple) else value.values
        return sum(_returned(part, name) for part in parts)
    return int(isinstance(value, gast.Name) and value.id == name)


def _goes_over_all(unit: Unit, loop: gast.For) -> tuple[str | None, str]:
    """The counter of a loop that goes over all places of a list, in whichever order, and that list.
    """
    call: Any = loop.iter
    if not unit.counts or unit.means("len", len) is not len or loop.orelse \
            or not isinstance(loop.target, gast.Name) or not isinstance(call, gast.Call) \
            or getattr(call.func, "id", "") != "range" or loop.target.id in bound_in(loop.body) \
            or any(isinstance(n, (gast.Break, gast.Continue, gast.Return))
                   for n in syntax.walk(loop)):
        return None, ""
    stop: Any = call.args[0]
    if len(call.args) == 3 and [_number(a) for a in call.args[1:]] == [-1, -1] \
            and isinstance(stop, gast.BinOp) and isinstance(stop.op, gast.Sub) \
            and _number(stop.right) == 1:
        stop = stop.left
    elif len(call.args) != 1:
        return None, ""
    if isinstance(stop, gast.Call) and getattr(stop.func, "id", "") == "len" \
            and len(stop.args) == 1 and isinstance(stop.args[0], gast.Name):
        return loop.target.id, stop.args[0].id
    return None, ""


def _sliced(unit: Unit, owner: str, index: Any) -> str | None:
    """The name of a slice of a list, in this half or in the one that saves for it."""
    halves = [unit.body] if unit.unit.forward is None else [unit.body,
                                                             unit.unit.forward.tree.body]
    for body in halves:
        for node in body:
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
                    and is_part(node.value) and node.value.value.id == owner \
                    and syntax.same(node.value.slice, index):
                found: str = node.targets[0].id
                return found
    return None


def _received(names: _Aliases, block: list[gast.stmt], name: str, is_item: Any, spot: gast.expr,
              steps_to: _Steps) -> _Received | None:
    """What one block adds to all parts of an item, each once."""
    steps = steps_to.all
    found: dict[Any, gast.stmt] = {}
    for node in block:
        if not isinstance(node, gast.AugAssign) or syntax.root_name(node.target) != name:
            continue
        target: Any = node.target
        step = None
        if steps:
            step = getattr(target.slice, "value", None)
            target = target.value
        if not is_part(target) or not is_item(target.slice) or step in found \
                or (steps and step not in steps):
            return None
        found[step] = node
    # Of what is a number, and is received nowhere, the adjoint is zero.
    missing = set(steps) - steps_to.constant - set(found)
    if not found or steps_to.constant & set(found) or not missing <= steps_to.numbers:
        return None
    added = list(found.values())
    between = block[block.index(added[0]):block.index(added[-1])]
    values: dict[Any, Any] = {step: syntax.constant(None) for step in steps_to.constant}
    values |= {step: syntax.constant(0.0) for step in missing}
    for step, node in found.items():
        value = node.value if isinstance(node.op, gast.Add) else syntax.minus(node.value)
        values[step] = value if step in steps_to.numbers or names.is_kept(value) \
            or names.is_summed_up(value, block, node) else syntax.method(value, "copy")
    if bound_in(between) & {n for v in values.values() for n in syntax.all_names(v)}:
        return None
    item: gast.expr
    if not steps:
        item = values[None]
    elif isinstance(steps[0], int):
        item = syntax.tuple_of(values[step] for step in steps)
    else:
        item = gast.Dict([syntax.constant(step) for step in steps],
                         [values[step] for step in steps])
    return _Received(block, added, spot, item)


class _Aliases:
    """Which names of a unit may mean one array, and which of them hold one that is somebody else's,
    or is changed in place."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.one: dict[str, set[str]] = {}              # name -> all names that may mean the same
        self.touched = set(syntax.parameter_names(unit.unit.tree.args))
        for node in syntax.statements(unit.body):
            self.note(node)

    def note(self, node: Any) -> None:
        if isinstance(node, gast.For):
            self.join(node.target, node.iter)
            self.touched |= syntax.all_names(node.target)
        elif isinstance(node, gast.AugAssign):
            self.touched.add(str(syntax.root_name(node.target)))
        elif isinstance(node, gast.Assign):
            target, value = node.targets[0], self.shown_by(node.value)
            if value is not None:
                self.join(target, value)
            if not isinstance(target, gast.Name) or not (
                    value is None or isinstance(value, gast.Name)):
                self.touched |= {n for t in node.targets for n in syntax.all_names(t)}
        elif isinstance(node, gast.Expr):
            self.touched |= syntax.all_names(node)

    def shown_by(self, value: Any) -> Any:
        """What the array of an expression may be an array of; None of a new one."""
        while not self.unit.makes_new(value):
            if isinstance(value, gast.Constant):
                return None
            if not isinstance(value, gast.Call) or not isinstance(value.func, gast.Name) \
                    or self.unit.means(value.func.id) is not runtime.unbroadcast:
                return value
            value = value.args[0]
        return None

    def join(self, *nodes: Any) -> None:
        names = {n for node in nodes for n in syntax.all_names(node)}
        for name in list(names):
            names |= self.one.get(name, set())
        self.one.update(dict.fromkeys(names, names))

    def is_summed_up(self, value: Any, block: list[gast.stmt], node: gast.stmt) -> bool:
        """Whether a name is bound to a new array further up in a block, and no more is done to that
        than to add to it before it is put into the list."""
        if not isinstance(value, gast.Name):
            return False
        spot = block.index(node)
        if any(value.id in syntax.all_names(n) for n in block[spot + 1:]):
            return False
        for above in reversed(block[:spot]):
            if isinstance(above, gast.Assign) and value.id in syntax.all_names(above):
                return isinstance(above.targets[0], gast.Name) \
                    and above.targets[0].id == value.id and self.unit.makes_new(above.value)
            mentioned = [n for n in syntax.walk(above)
                         if isinstance(n, gast.Name) and n.id == value.id]
            added = [n for n in syntax.statements([above]) if isinstance(n, gast.AugAssign)
                     and isinstance(n.target, gast.Name) and n.target.id == value.id]
            if len(added) != len(mentioned):
                return False
        return False

    def is_kept(self, value: Any) -> bool:
        """Whether an array is made here, and stays as it is."""
        value = self.shown_by(value)
        if value is None:
            return True
        return isinstance(value, gast.Name) and not self.touched & (
            {value.id} | self.one.get(value.id, set()))


def _number(node: Any) -> Any:
    """A whole number that is written out; None for none."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        inner = _number(node.operand)
        return None if inner is None else -inner
    value = getattr(node, "value", None)
    return value if type(value) is int else None
