"""Make an array, by name, of each list that NumPy makes an array of.

>>> import numpy as np
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, Array, ListKind
>>> from tangent_lite.passes.infer import infer
>>> registry.load_rules()
>>> tree = gast.parse('''
... def f(x, p, q):
...     y = np.maximum([x, 2.0 * x], 1.0)
...     q = q * p
...     p = 2 * p
...     return y, p, q
... ''').body[0]
>>> typer = Typer({}, {"np": np}.get)
>>> facts = infer(tree, {"x": FLOAT, "p": ListKind(FLOAT), "q": Array(1, "float")}, typer)
>>> arrays(tree, tree, facts, typer, Names(), lambda thing, name: syntax.load(name))
True
>>> print(emit(tree), end="")
def f(x, p, q):
    array = np.array([x, 2.0 * x])
    y = np.maximum(array, 1.0)
    array_p = np.array(p)
    q = q * array_p
    p = 2 * p
    return y, p, q

So the rules of NumPy's functions are about arrays: what a list receives is cut into a list in one
place, and no formula does to a list what means something else there (`2 * p`, `p < q`). Lists that
a rule goes through (np.stack) stay, and what is in them is looked at.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, syntax, template
from tangent_lite.analyses import writers
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.operands import at, put
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array, Kind, Number
from tangent_lite.modules import module_of
from tangent_lite.names import Names

External = Callable[[Any, str], gast.expr]
# Libraries whose functions make an array of a list wherever their rules speak of arrays.
_LIBRARIES = ("numpy", "scipy.special", "scipy.linalg", "scipy.fft", "scipy.ndimage",
              "scipy.signal", "scipy.spatial")
_MAKERS = (np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray,
           np.block)                    # which lays out what is in lists beside each other


def arrays(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
           names: Names, external: External, refuse: Callable[[gast.AST, str, str], Exception]
           = lambda *told: TypeError(*told)) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.

    refuse: makes the error for a part that is written where a list or an array may be.
    """
    plain = list(syntax.statements(tree.body))
    made: dict[int, list[gast.stmt]] = {}
    mixed, arithmetic = _mixed(numbered, facts), facts.arithmetic(numbered)
    for number, node in enumerate(syntax.statements(numbered.body)):
        if id(node) in arithmetic or id(node) not in facts.before \
                or not isinstance(node, (gast.Assign, gast.AugAssign, gast.Expr)):
            continue
        typer.names = facts.before[id(node)]
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) \
                    and target.value.id in mixed and typer.kind(target.value) == kinds.UNKNOWN:
                original = plain[number]
                name = names.versions.get(target.value.id, target.value.id)
                raise refuse(original, f"whether {name} is a list or an array is not known",
                             "make it an array on all ways: np.array(...)")
        lists = {id(one) for one in _Lists(facts, typer, mixed).of(node)}
        if not lists:
            continue
        original, new = plain[number], []
        if _gives_a_list(node.value, lists, facts, typer):
            raise refuse(original, "of a list NumPy makes another list here, not an array",
                         "make an array of it first: np.array(...)")
        places = list(zip(_places(original), _places(node), strict=True))
        for (place, field), (known_place, known_field) in places:
            if id(at(known_place, known_field)) not in lists:
                continue
            given = at(place, field)
            name = names.fresh(f"array_{given.id}" if isinstance(given, gast.Name) else "array")
            call = syntax.call(syntax.attribute(external(np, "np"), "array"), given)
            new.append(syntax.placed(syntax.assign(name, syntax.placed(call, given)), original))
            put(place, field, syntax.copy_place(syntax.load(name), given))
        if isinstance(original, gast.AugAssign) and id(node.target) in lists:
            # f *= w, where w is an array and f a list: f is bound to an array.
            old = syntax.copy_place(syntax.load(original.target.id), original.target)
            made[id(original)] = [syntax.copy_place(gast.Assign(
                [original.target], syntax.copy_place(
                    gast.BinOp(old, original.op, original.value), original), None), original)]
            continue
        made[id(original)] = [*new, original]
    if made:
        for block in syntax.all_blocks(tree):
            block[:] = [one for n in block for one in made.get(id(n), [n])]
    return bool(made)


def _mixed(numbered: gast.FunctionDef, facts: Inferred) -> set[str]:
    """Names of which nothing is known, and which are lists on some ways."""
    found: set[str] = set()
    known = -1
    while len(found) > known:
        known = len(found)
        for node in facts.beside_arithmetic(numbered):
            value = getattr(node, "value", None)
            for name, kind in facts.after.get(id(node), {}).items():
                if facts.names.get(name) == kinds.UNKNOWN and (
                        _is_list(kind) or kind.may_be_list or (
                        any(isinstance(n, gast.Name) and n.id in found
                            for n in _what_may_be_lists(value))) or (
                        isinstance(value, gast.Call)
                        and facts.callees.get(id(value), (NO_OBJECT,))[0] in (tuple, list))):
                    found.add(name)
    return found


def _what_may_be_lists(value: Any) -> list[gast.expr]:
    """The expressions of which a value is a list where one of them is."""
    if isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Add, gast.Mult)):
        return [value.left, value.right]
    if isinstance(value, gast.Subscript) and isinstance(value.slice, gast.Slice):
        return [value.value]
    return [value]


class _Lists:
    """The operands of statements that are lists, or may be, and of which NumPy makes arrays."""

    def __init__(self, facts: Inferred, typer: Typer, mixed: set[str]) -> None:
        self.facts, self.typer, self.mixed = facts, typer, mixed

    def is_list(self, node: gast.expr, whatever: bool = True) -> bool:
        kind = self.typer.kind(node)
        return _is_list(kind, whatever) or (
            kind == kinds.UNKNOWN and (kind.may_be_list or (
                isinstance(node, gast.Name) and node.id in self.mixed)))

    def is_array(self, node: gast.expr) -> bool:
        return isinstance(self.typer.kind(node), (Array, kinds.DuckArray))

    def makes_array(self, op: gast.operator, other: gast.expr) -> bool:
        """Whether what an operator gives of a list and something is an array, or an error."""
        kind = self.typer.kind(other)
        if isinstance(op, (gast.Add, gast.Mult)):
            return self.is_array(other)
        return self.is_array(other) or isinstance(kind, kinds.Numeric) or kind == kinds.UNKNOWN

    def of(self, node: Any) -> Iterator[gast.expr]:
        """Those of a statement."""
        value = node.value
        if isinstance(node, gast.AugAssign):
            target = syntax.as_read(node.target)
            if self.is_array(target) and self.is_list(value):
                yield value
            elif isinstance(node.target, gast.Name) and self.is_array(value) \
                    and _is_list(self.typer.kind(target)):
                yield node.target
        elif isinstance(value, gast.BinOp):
            for one, other in ((value.left, value.right), (value.right, value.left)):
                if self.is_list(one) and self.makes_array(value.op, other):
                    yield one
        elif isinstance(value, gast.Call) and not hasattr(value, "marker"):
            yield from self.arguments(value)

    def arguments(self, call: gast.Call) -> Iterator[gast.expr]:
        """Those of a call."""
        function, receiver = self.facts.callees.get(id(call), (NO_OBJECT, None))
        if function is NO_OBJECT or not _is_of_arrays(function) \
                or any(isinstance(a, gast.Starred) for a in call.args) \
                or any(k.arg is None for k in call.keywords):
            return
        entry = registry.lookup(function)
        rule = None if entry is None else entry.adjoint or entry.tangent
        if rule is None:
            return
        given = [*([] if receiver is None else [receiver]), *call.args]
        try:
            bound = template.bind(rule, given, {k.arg: k.value for k in call.keywords})
        except template.BindingError:
            return
        own = {id(a) for a in [*call.args, *(k.value for k in call.keywords)]}
        is_ufunc = isinstance(function, np.ufunc)
        for name, argument in bound.items():
            if name not in rule.covered or isinstance(argument, template.Parts) \
                    or (name in rule.without_effect and not is_ufunc):
                continue
            parts = [argument]
            if isinstance(argument, list):
                parts = argument
            elif name in rule.sequences:
                parts = argument.elts if isinstance(argument, (gast.List, gast.Tuple)) else []
            for part in parts:
                if (id(part) in own or part is not argument) and self.is_list(part, is_ufunc):
                    yield part


def _is_of_arrays(function: Any) -> bool:
    if isinstance(function, np.ufunc) or writers.is_ufunc_method(function):
        return True
    if any(function is maker for maker in _MAKERS):
        return False
    module = module_of(function)
    return function is getattr(np.ndarray, getattr(function, "__name__", ""), None) or any(
        module == library or module.startswith(f"{library}.") for library in _LIBRARIES)


def _gives_a_list(call: Any, lists: set[int], facts: Inferred, typer: Typer) -> bool:
    """Whether a function gives a list for one of these lists: np.trim_zeros a part of it, np.diff
    itself where no differences are taken."""
    function, _ = facts.callees.get(id(call), (NO_OBJECT, None))
    if function is not np.trim_zeros and function is not np.diff:
        return False
    options = {k.arg: k.value for k in call.keywords}
    first = call.args[0] if call.args else options.get("a", options.get("filt"))
    if id(first) not in lists:
        return False
    times = call.args[1] if len(call.args) > 1 else options.get("n")
    count = 1 if times is None else kinds.value_of(typer.kind(times))
    return function is np.trim_zeros or not isinstance(count, int) or count < 1


def _is_list(kind: Kind, whatever: bool = True) -> bool:
    """Whether a value is a list or tuple; unless whatever is in it: of numbers that may vary, or
    of alike lists or arrays of them."""
    return isinstance(kind, (kinds.ListKind, kinds.TupleKind)) and (
        whatever or (_depth(kind) is not None and not _is_whole(kind)))


def _depth(kind: Kind) -> tuple[int, int | None] | None:
    """How deep lists lie within each other, and the axes of what is in them; None if they differ.
    """
    if isinstance(kind, Number):
        return 0, 0
    if isinstance(kind, Array):
        return 0, kind.ndim
    if isinstance(kind, kinds.ListKind) and kind.item == kinds.UNKNOWN:
        return 1, None                      # what it holds is alike, or NumPy refuses it
    inner = {_depth(item) for item in _items(kind)}
    found = inner.pop() if len(inner) == 1 else None
    return None if found is None else (found[0] + 1, found[1])


def _is_whole(kind: Kind) -> bool:
    """Whether all numbers in lists are whole ones: indices, shapes, axes."""
    if isinstance(kind, Number):
        return kind.type in ("int", "bool")
    if isinstance(kind, Array):
        return kind.dtype in ("int", "bool")
    return kind != kinds.UNKNOWN and all(map(_is_whole, _items(kind)))


def _items(kind: Kind) -> tuple[Kind, ...]:
    if isinstance(kind, kinds.ListKind):
        return (kind.item,)
    return kind.items if isinstance(kind, kinds.TupleKind) else ()


# Places in a statement -------------------------------------------------------------------------
def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Where the operands of a statement stand: a node and the name of a field, or a list and a
    number; in the same order in a statement and in its version."""
    value = node.value
    if isinstance(node, gast.AugAssign):
        yield node, "value"
    elif isinstance(value, gast.BinOp):
        yield value, "left"
        yield value, "right"
    elif isinstance(value, gast.Call):
        for held in [*zip([value.args] * len(value.args), range(len(value.args))),
                     *((k, "value") for k in value.keywords)]:
            yield held
            part = at(*held)
            if isinstance(part, (gast.List, gast.Tuple)):
                yield from ((part.elts, number) for number in range(len(part.elts)))
