"""Which arrays have an axis of one item, as far as the text tells.

    m = np.mean(x, axis=-1, keepdims=True)
    s = np.sqrt(v + 1e-5)                       as thin as v
    y = m - top[:, None]
    saved_tape.append((m, x))
    m_1, x_1 = saved_tape.pop()                 m_1 is as thin as m

Loops are written for such arrays stretched over others, and look at their shapes when they run:
what is found here saves compiling them twice. It need not be so: `x[:, 2:3]` may be empty, and of
what is added up nobody knows the number of axes here.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.mentions import definitions
from tangent_lite.backends.numba_words import ELEMENTWISE, UNBROADCAST, UNREDUCE, ZEROS, Means
from tangent_lite.modules import module_of

# What is known of a value: the axis of one item; of a tuple what is known of its parts; of a list,
# what is known of each item. UNSEEN: no statement that was looked at binds it yet.
Form = Any
UNSEEN, NOTHING = "unseen", None
_ROUNDS = 20


class ListOf:
    """A list of things of one form."""

    def __init__(self, item: Form) -> None:
        self.item = item

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ListOf) and self.item == other.item

    __hash__ = None                                             # type: ignore[assignment]


def thin_names(tree: gast.FunctionDef, means: Means) -> dict[str, int]:
    """The names of arrays that are thin wherever they are bound, and the axis of one item."""
    forms: dict[str, Form] = dict.fromkeys(syntax.parameter_names(tree.args), NOTHING)
    nodes = list(syntax.statements(tree.body))
    for _ in range(_ROUNDS):
        before = dict(forms)
        for node in nodes:
            for name, form in _bindings(node, forms, means):
                forms[name] = _joined(forms.get(name, UNSEEN), form)
        if forms == before:
            return {name: form for name, form in forms.items() if type(form) is int}
    return {}                                   # a tuple that is put into itself grows for ever


def _bindings(node: gast.stmt, forms: dict[str, Form], means: Means) -> list[tuple[str, Form]]:
    """What a statement says of names."""
    if isinstance(node, gast.For):
        return [(name, NOTHING) for name in syntax.bound_names(node.target)]
    if isinstance(node, gast.Assign) and len(node.targets) == 1:
        target: Any = node.targets[0]
        form = _form(node.value, forms, means)
        if isinstance(target, gast.Name):
            return [(target.id, form)]
        if isinstance(target, gast.Tuple) and all(isinstance(t, gast.Name) for t in target.elts):
            parts = form if isinstance(form, tuple) and len(form) == len(target.elts) else \
                [UNSEEN if form is UNSEEN else NOTHING] * len(target.elts)
            return [(t.id, part) for t, part in zip(target.elts, parts)]
        return [(name, NOTHING) for name in definitions(node)]
    call = getattr(node, "value", None)
    if isinstance(node, gast.Expr) and isinstance(call, gast.Call) \
            and isinstance(call.func, gast.Attribute) and call.func.attr == "append" \
            and isinstance(call.func.value, gast.Name) and len(call.args) == 1:
        return [(call.func.value.id, ListOf(_form(call.args[0], forms, means)))]
    if isinstance(node, gast.AugAssign):
        return []                               # in place, or a number
    return [(name, NOTHING) for name in definitions(node)]


def _form(node: Any, forms: dict[str, Form], means: Means) -> Form:
    if isinstance(node, gast.Name):
        return forms.get(node.id, UNSEEN)
    if isinstance(node, gast.Tuple):
        return tuple([_form(part, forms, means) for part in node.elts])
    if isinstance(node, gast.List) and not node.elts:
        return ListOf(UNSEEN)
    if isinstance(node, gast.UnaryOp):
        return _form(node.operand, forms, means)
    if isinstance(node, gast.BinOp):
        return _alike([node.left, node.right], forms, means)
    if isinstance(node, gast.Subscript):
        return _part(node.slice)
    if not isinstance(node, gast.Call):
        return NOTHING
    if isinstance(node.func, gast.Attribute) and isinstance(node.func.value, gast.Name) \
            and node.func.attr in ("pop", "copy"):
        form = forms.get(node.func.value.id, UNSEEN)
        return form.item if isinstance(form, ListOf) and node.func.attr == "pop" else \
            form if type(form) is int else NOTHING
    function = means(node.func)
    if function in ZEROS:
        return _form(node.args[0], forms, means)
    if (function is UNBROADCAST or function is UNREDUCE) and len(node.args) == 2:
        return _form(node.args[1], forms, means)
    if function in ELEMENTWISE:
        return _alike(node.args, forms, means)
    axis = kept_axis(node, means)
    return NOTHING if axis is None else axis


def _part(index: gast.expr) -> Form:
    """The form of `x[:, None]`, of `x[None]`, and of `x[:, 2:3]`; `x[2:3]` may be a vector, of
    which nothing is stretched."""
    parts = syntax.shown_parts(index)
    if not all(isinstance(part, (gast.Slice, gast.Constant)) for part in parts):
        return NOTHING
    if any(isinstance(part, gast.Constant) and part.value is not None for part in parts):
        return NOTHING                          # a place: that axis goes
    thin = [axis for axis, part in enumerate(parts) if _is_one(part)]
    is_vector = len(parts) == 1 and isinstance(parts[0], gast.Slice)
    return thin[0] if len(thin) == 1 and not is_vector else NOTHING


def _is_one(part: gast.expr) -> bool:
    """Whether None, or a slice whose bounds are written out, makes an axis of one item."""
    if not isinstance(part, gast.Slice):
        return True
    if part.upper is None or part.step is not None:
        return False
    start = 0 if part.lower is None else syntax.constant_int(part.lower)
    stop = syntax.constant_int(part.upper)
    return start is not None and stop is not None and stop - start == 1 \
        and (start < 0) == (stop < 0)           # x[-1:0] is empty


def _alike(operands: list[Any], forms: dict[str, Form], means: Means) -> Form:
    """The form of what is computed element by element: of operands that are as thin, and of
    numbers."""
    found = [_form(one, forms, means) for one in operands
             if not isinstance(one, gast.Constant)]
    form: Form = UNSEEN
    for one in found:
        form = _joined(form, one)
    return form if form is UNSEEN or type(form) is int else NOTHING


def _joined(one: Form, other: Form) -> Form:
    """What is known of a value that is the one or the other."""
    if one is UNSEEN or one == other:
        return other
    if other is UNSEEN:
        return one
    if isinstance(one, ListOf) and isinstance(other, ListOf):
        return ListOf(_joined(one.item, other.item))
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return tuple([_joined(a, b) for a, b in zip(one, other)])
    return NOTHING


def kept_axis(call: Any, means: Means) -> int | None:
    """The axis of one item in `np.max(x, axis=1, keepdims=True)` and the like."""
    if not isinstance(call, gast.Call):
        return None
    owner = module_of(means(call.func)) + "."
    if not owner.startswith(("numpy.", f"{__package__}.")):     # it may mean another thing by that
        return None
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    keepdims = named.get("keepdims")
    axis = named.get("axis") or (call.args[1] if len(call.args) > 1 else None)
    if not isinstance(keepdims, gast.Constant) or keepdims.value is not True:
        return None
    return syntax.constant_int(axis) if axis is not None else None
