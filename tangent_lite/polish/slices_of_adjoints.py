"""The adjoints of a slice of a list, as the same slice of the adjoints of the list.

    bitems = zeros_like(items)                          bitems = bparams[:-1]
    for k in range(len(items) - 1, -1, -1):     =>      for k in range(len(items) - 1, -1, -1):
        bitems[k][0] += bW                                  bitems[k][0] += bW
    add_parts(bparams, np.s_[:-1], bitems)

where `items` is `params[:-1]`, and `bparams` was made by `zeros_like(params)`. Each item has a list
of adjoints of its own, which is in both lists; so what is added to the one is added to the other,
and no second set of zeros is made. As with loops over tapes (reversals.py) this is done in the text
that is shown, saved and run; code that is read again keeps lists that share nothing.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import runtime, syntax
from tangent_lite.polish.array_parts import without_blocks


def share_slices(derivative: Any) -> None:
    """Let adjoints of slices be slices of adjoints; the trees are changed in place."""
    for unit in derivative.units:
        body = unit.tree.body
        for node in list(body):
            _share(body, node, unit)


def _share(body: list[gast.stmt], made: gast.stmt, unit: Any) -> None:
    """Let what a statement makes as zeros be a slice, if all that is done to it allows that."""
    part, items = _bound(made, _call(made, unit, runtime.zeros_like))
    if part is None:
        return
    start = body.index(made)
    added = next((n for n in body[start:] if _adds(n, unit, part)), None)
    if added is None:
        return
    whole, index, _ = added.value.args
    end = body.index(added)
    zeros = next((n for n in body[:end]
                  if syntax.is_name(getattr(n, "targets", [None])[0], whole.id)), None)
    owner = _bound(zeros, _call(zeros, unit, runtime.zeros_like))[1] if zeros is not None else None
    sliced, handed = _definition(items, owner, body[:start], unit)
    if owner is None or not isinstance(getattr(sliced, "value", None), gast.Subscript) \
            or not syntax.is_name(sliced.value.value, owner) \
            or not syntax.same(sliced.value.slice, index.slice) \
            or not _is_constant(index.slice):
        return
    known = {id(made), id(added), id(zeros), id(sliced), id(handed)}
    everywhere = list(syntax.statements(body))
    for node in everywhere:
        if id(node) in known:
            continue
        names = syntax.all_names(without_blocks(node))
        if part in names and not _adds_inside(node, part):
            return
        # What comes behind may do with the adjoints of the whole list what it likes.
        behind = node in body and body.index(node) > end
        if whole.id in names and not behind and not _adds_inside(node, whole.id):
            return
        if (items in names and not _looks(node, items)) \
                or (owner in names and not _looks(node, owner)):
            return
    if any(isinstance(n, gast.For) and {part, whole.id, items, owner} & syntax.all_names(n.target)
           for n in everywhere) or any(part in syntax.all_names(n) for n in body[end + 1:]):
        return
    made.value = syntax.subscript(syntax.load(whole.id), syntax.copy(index.slice))
    body.remove(added)
    if body.index(zeros) > start:
        body.remove(zeros)
        body.insert(start, zeros)
    last, following = body[end - 1], body[end]
    if syntax.is_comment(last) and (syntax.is_comment(following)
                                    or isinstance(following, gast.Return)):
        body.remove(last)               # a comment with nothing under it
    unit.leave_unread()


def _definition(items: str, owner: str | None, body: list[gast.stmt],
                unit: Any) -> tuple[Any, gast.stmt | None]:
    """What binds a slice; in a backward half, in the forward half, if both lists are only looked at
    there, and the statement that they are handed over by."""
    def binds(node: gast.stmt) -> bool:
        return isinstance(node, gast.Assign) and syntax.is_name(node.targets[0], items)

    found = next(filter(binds, body), None)
    handed = next((n for n in body if isinstance(n, gast.Assign)
                   and isinstance(n.targets[0], gast.Tuple)
                   and {items, owner} <= syntax.all_names(n.targets[0])), None)
    if found is not None or unit.forward is None or handed is None \
            or not syntax.is_name(handed.value, unit.tree.args.args[0].id):
        return found, None
    for node in syntax.statements(unit.forward.tree.body):
        if binds(node):
            if found is not None:
                return None, None
            found = node
        elif isinstance(node, gast.Return):
            if {items, owner} & syntax.all_names(node.value.elts[0]):
                return None, None
        elif (isinstance(node, gast.For) and {items, owner} & syntax.all_names(node.target)) \
                or not all(_looks(node, str(name)) for name in (items, owner)):
            return None, None
    return found, handed


def _call(node: gast.stmt, unit: Any, helper: Any) -> gast.Call | None:
    """The call of a helper that a statement of ours is."""
    value: Any = getattr(node, "value", None)
    if isinstance(value, gast.Call) and isinstance(value.func, gast.Name) and not value.keywords \
            and unit.external.get(value.func.id) is helper:
        return value
    return None


def _bound(node: gast.stmt, made: gast.Call | None) -> tuple[Any, Any]:
    """(b, x) of `b = zeros_like(x)`."""
    if made is None or not isinstance(node, gast.Assign) or len(made.args) != 1 \
            or not isinstance(node.targets[0], gast.Name) \
            or not isinstance(made.args[0], gast.Name):
        return None, None
    return node.targets[0].id, made.args[0].id


def _adds(node: gast.stmt, unit: Any, part: str) -> bool:
    """Whether a statement is `add_parts(bparams, np.s_[...], part)`."""
    call = _call(node, unit, runtime.add_parts)
    return call is not None and isinstance(node, gast.Expr) and len(call.args) == 3 \
        and isinstance(call.args[0], gast.Name) and isinstance(call.args[1], gast.Subscript) \
        and isinstance(call.args[1].slice, gast.Slice) and syntax.is_name(call.args[2], part)


def _is_constant(index: gast.Slice) -> bool:
    """Whether a slice means the same wherever it stands."""
    return not any(isinstance(n, gast.Name) for n in syntax.walk(index))


def _adds_inside(node: gast.stmt, name: str) -> bool:
    """Whether a statement does no more to a list than to add to parts of its items:
    `bitems[k][0] += bW`."""
    target = getattr(node, "target", None)
    if not isinstance(node, gast.AugAssign) or name in syntax.all_names(node.value) \
            or not isinstance(target, gast.Subscript) \
            or not isinstance(target.value, gast.Subscript):
        return False
    spot: Any = target
    while isinstance(spot, gast.Subscript):
        if name in syntax.all_names(spot.slice) or isinstance(spot.slice, gast.Slice):
            return False
        spot = spot.value
    return syntax.is_name(spot, name)


def _looks(node: gast.stmt, name: str) -> bool:
    """Whether a statement takes parts of a list, or asks for its length, and binds it not."""
    total = inside = 0
    for part in syntax.walk(without_blocks(node)):
        if isinstance(part, gast.Name) and part.id == name:
            total += 1
        elif isinstance(part, gast.Subscript):
            inside += syntax.is_name(part.value, name) and isinstance(part.ctx, gast.Load)
        elif isinstance(part, gast.Call) and len(part.args) == 1:
            inside += syntax.is_name(part.args[0], name) and getattr(part.func, "id", "") == "len"
    return total == inside
