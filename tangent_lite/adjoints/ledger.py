"""The book of the adjoints: which exist, and whether they are our own.

    not there yet               bx = by * 2.0
    there, a number             bx += by * 2.0
    there, not our own          bx = bx + by * 2.0

The first contribution assigns, later ones add; in place only where the array is our own. The
adjoints of the parts of a container are kept apart, by their path, and put together at the end
(`ledger_wholes.py`).
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, runtime, syntax
from tangent_lite.adjoints.ledger_book import Context, Spot, State  # noqa: F401
from tangent_lite.adjoints.ledger_wholes import Wholes
from tangent_lite.adjoints.paths import CONTAINERS, Path, items, select, spelled
from tangent_lite.adjoints.steps import Contribution, index_value
from tangent_lite.algebra import algebra
from tangent_lite.analyses.known_kinds import Scopes
from tangent_lite.errors import AliasError, UnsupportedSyntaxError
from tangent_lite.inference import NO_OBJECT
from tangent_lite.kinds import Array, Kind, Number
from tangent_lite.minus import signed
from tangent_lite.modules import module_of
from tangent_lite.records import is_made_of_fields
from tangent_lite.result_kinds import numbers_in
from tangent_lite.runtime import duck as runtime_duck
from tangent_lite.runtime.linalg import real_for
from tangent_lite.syntax import assign, augment, binary, call, load, subscript

# Helpers that make a new list of what numbers receive that one was made of: where that one stands.
_NEW_LISTS = {runtime.repeated_parts: 0, runtime.largest_part: 2, runtime.smallest_part: 2}


class Ledger(Wholes):
    """Adjoints at one place of the backward pass; `out` receives the statements."""

    def move(self, source: Path, target: Path) -> None:
        """The adjoint of one variable becomes (a contribution to) that of another."""
        adjoint = load(self.name_of(source))
        owned = self.state.pop(source)
        kind = self.kind_of_path(source)
        self.know({adjoint.id: kind})
        if not kinds.can_vary(self.kind_of_path(target)) or target[0] not in self.context.active:
            return
        value = self.as_real(source, self.kind_of_path(target) if isinstance(
            kind, kinds.ListKind) else kind)
        if self.is_list(target[0]) and len(target) > 1:
            self.own(target[0])
            spot: gast.expr = load(self.name_of(target[:1]))
            for step in target[1:]:
                spot = subscript(spot, syntax.constant(step[1]))
            self.add_item(spot, value, kind)
            return
        if not isinstance(value, gast.Name):
            self.add(Contribution(target[0], value, steps=target[1:]))
            return
        if isinstance(self.kind_of_path(target), CONTAINERS) and not self.is_list(target[0]):
            # One adjoint for all that it holds, of what may be None on other ways: it is as
            # `zeros_like` makes it, a list for a tuple and a dict for any object.
            self.receive_at(target, adjoint, from_list=True)
            return
        fresh = target not in self.state
        if fresh and len(target) > 1 and target not in self.paths and self.depth == 0 \
                and len(source) == 1:
            # Nothing needs to be written: the part is known by the name of the variable.
            self.paths[target] = adjoint.id
            self.state[target] = owned
            return
        if fresh and owned and len(source) == len(target) == 1 \
                and self.may_be_handed_on(source[0], target[0]):
            self.out.append(assign(self.name_of(target), adjoint))
            self.state[target] = True
            return
        self.add(Contribution(target[0], adjoint, steps=target[1:]))
        if fresh and target in self.state:
            # An array of the target's own stays that: it may be a view of the shadow of another.
            self.state[target] = self.state[target] or owned

    def as_real(self, path: Path, kind: Kind) -> gast.expr:
        """The adjoint of a variable that is of a kind here; its real part, or that of its items, if
        these are real and the variable holds complex numbers later on, or in another iteration."""
        return self.real_of(load(self.name_of(path)), kind, self.kind_of_path_joined(path))

    def real_of(self, adjoint: gast.expr, kind: Kind, later: Kind) -> gast.expr:
        """An adjoint of what is of a kind here and may be of another later on; its real part, or
        that of its items, if these are real and not so later on."""
        if not _may_become_complex(kind, later):
            return adjoint
        if not isinstance(kind, kinds.ListKind):
            return self.real_part(adjoint)
        item = self.context.fresh("item")
        return gast.ListComp(self.real_of(load(item), kind.item, later.item), [  # type: ignore[attr-defined]
            gast.comprehension(syntax.store(item), adjoint, [], 0)])

    def real_part(self, value: gast.expr) -> gast.expr:
        return call(syntax.attribute(self.context.external(np, "np"), "real"), value)

    def given_back(self, path: Path, entering: Mapping[str, Kind]) -> gast.expr:
        """The adjoint of a parameter, or of a part of one: real where that was real at first,
        whatever the function bound its name to."""
        made, kind = self.whole(path, self.kind_of_path(path)), entering.get(path[0])
        return self.as_real(path, kind) if kind is not None and len(path) == 1 \
            and isinstance(made, gast.Name) and path in self.state else made

    def may_be_handed_on(self, source: str, target: str) -> bool:
        """Whether the list or the array that is the adjoint of one variable, and our own, may be
        that of another, which has none yet."""
        kind = self.kind(target)
        if target in self.context.twins or not isinstance(kind, (kinds.ListKind, Array)):
            return False
        if isinstance(kind, kinds.ListKind):
            return isinstance(self.kind(source), kinds.ListKind)
        return kind == self.kind(source) and kind.dtype in ("float", "complex") \
            and not any(map(self.is_viewed, (source, target))) \
            and not self.context.aliases.laid_out & {source, target}

    def clear(self, path: Path) -> gast.stmt:
        """Set an adjoint back to zero, for what the variable held at the start of a block."""
        return assign(self.name_of(path), self.zeros(path))

    def exists(self, path: Path) -> None:
        """Make sure that an adjoint exists (as zero, or as a view of the shadow it mirrors)."""
        if path in self.state or path[0] in self.context.twins:
            return
        if path in self.zero:
            self.zero.remove(path)
            self.state[path] = True
            return
        name = path[0]
        if len(path) == 1 and self.is_view(name):
            node = self.context.aliases.views[name]
            base = syntax.viewed_name(node.value)
            self.exists((base,))
            self.own(base)
            value = syntax.substitute(node.value, {base: load(self.context.adjoints[base])})
            if name in self.context.aliases.decided:
                helper = self.context.external(runtime.shadow_view, "shadow_view")
                value = call(helper, value, load(self.context.adjoints[base]),
                             syntax.copy(node.value), load(base))
            self.out.append(assign(self.name_of(path), value))
            self.state[path] = True
            return
        self.out.append(assign(self.name_of(path), self.zeros(path)))
        self.state[path] = True

    def own(self, name: str) -> None:
        """Make sure that an adjoint that is about to be written is an array of our own."""
        path = (name,)
        if name in self.context.twins:
            return
        self.exists(path)
        if not self.state[path] and not isinstance(self.kind(name), Number):
            if self.is_view(name):      # a copy would no longer be part of what it mirrors
                raise AliasError(f"whether the adjoint of {name} is a view of another is not known",
                                 None, f"write {name}.copy() where it is bound")
            self.out.append(self.copy(name))
            self.state[path] = True

    def copy(self, name: str) -> gast.stmt:
        """Make an adjoint an array of our own."""
        adjoint = self.name_of((name,))
        if isinstance(self.kind(name), kinds.DuckArray):
            return assign(adjoint, self.copy_of(adjoint, self.kind(name)))
        if isinstance(self.kind(name), Array) and name not in self.context.records.undefined \
                and not _may_have_no_dimensions(self.kind(name)):
            own = self.copied(load(adjoint), self.kind(name), None)
            if name in self.context.aliases.laid_out:
                own.keywords.append(gast.keyword("order", syntax.constant("K")))
            return assign(adjoint, own)
        return assign(adjoint, self.copy_of(adjoint, self.kind(name)))

    def copied(self, adjoint: gast.expr, kind: Kind, numbers: str | None) -> gast.expr:
        """A copy of an array that will receive what a complex one does, if its variable is one."""
        if _holds_all(kind, numbers):
            return syntax.method(adjoint, "copy")
        made = syntax.method(adjoint, "astype")
        made.args = [syntax.attribute(self.context.external(np, "np"), "complex128")]
        return made

    def copy_of(self, adjoint: str, kind: Kind) -> gast.expr:
        """A copy of an adjoint that may be a number as well. What copies arrays of all types is a
        function of elements; np.array would make one of NumPy's, and compute what is lazy."""
        if isinstance(kind, (kinds.ListKind, kinds.MapKind, kinds.DictKind)) \
                or kind == kinds.UNKNOWN:
            # Of arrays of any shapes, or it may be.
            return call(self.context.external(runtime.copied_parts, "copied_parts"),
                        load(adjoint))
        maker = "positive" if isinstance(kind, kinds.DuckArray) else "array"
        return call(syntax.attribute(self.context.external(np, "np"), maker), load(adjoint))

    def add(self, contribution: Any) -> None:
        """Add to an adjoint: assign if it is the first, else add."""
        name, value = contribution.name, contribution.value
        if name not in self.context.active:
            return
        path = (name, *contribution.steps)
        if name in self.context.twins:
            self.context.typer.names = Scopes(self.context.typer.names, self.context.facts.names)
        kind = self.kind_of_path(path)
        if not kinds.can_vary(kind):
            return
        value_kind = self.context.typer.kind(value)
        numbers = self.numbers_of(value, value_kind)
        if numbers == "complex" and kinds.dtype_of(kind) == "float":
            value = self.real_part(value)
        elif name in self.context.twins and isinstance(kind, Array) and kind.dtype == "complex" \
                and self.is_real_somewhere(name):
            # A view that a loop makes complex: as long as it is real, its shadow is a real one.
            helper = self.context.external(real_for, "real_for")
            value = call(helper, value, load(self.name_of(path)))
        if contribution.index is not None and path not in self.state \
                and self.may_be_reordered(name, contribution, value_kind):
            self.out.append(assign(self.name_of(path), _reordered(value, contribution.index)))
            self.state[path] = False
        elif contribution.index is not None and not (
                isinstance(kind, kinds.Numeric) and syntax.means_number(contribution.index)):
            self.add_part(contribution, value)
        elif len(path) == 1 and self.is_list(name):
            self.add_to_list(path, kind, value)
        elif name in self.context.twins:
            operator, value = signed(value)
            self.out.append(augment(self.name_of(path), operator, value))
        elif isinstance(kind, CONTAINERS):
            raise UnsupportedSyntaxError(
                f"what {spelled(path)} holds is known in one place and not in another", None,
                "let functions that call themselves return one kind of value")
        elif path in self.state or not self.begin(path, kind, value, value_kind, numbers):
            self.add_whole(path, kind, value, value_kind, numbers)

    def is_real_somewhere(self, name: str) -> bool:
        """Whether a statement binds an array to a variable that is known to be real there."""
        return any(kinds.dtype_of(known[name]) == "float"
                   for known in self.context.facts.after.values() if name in known)

    def numbers_of(self, value: gast.expr, kind: Kind) -> str | None:
        """The class of the numbers in a contribution of that kind, as far as that is known."""
        typer = self.context.typer
        numbers = kinds.dtype_of(kind)
        if kind == kinds.UNKNOWN and isinstance(value, gast.Call) and value.args:
            numbers = kinds.dtype_of(typer.kind(value.args[0]))     # unbroadcast(bz, x)
        if numbers is None and any(_may_be_complex(typer.kind(load(name)))
                                   for name in syntax.read_names(value)):
            numbers = "complex"             # helper(bz) * z
        return numbers

    def add_to_list(self, path: Path, kind: Kind, value: Any) -> None:
        """Add to all items of the adjoint of a list, or of a dict."""
        name, adjoint = path[0], self.name_of(path)
        if path not in self.state and name not in self.context.twins \
                and self.is_list_of_numbers(value, kind):
            if self.context.typer.callee(value)[0] is runtime.spread_over:
                value.structure = getattr(kind, "item", None)   # (see numbers_in_lists.py)
            self.out.append(assign(adjoint, value))
            self.state[path] = True
            return
        self.own(name)
        if isinstance(kind, kinds.MapKind):
            helper = self.context.external(runtime.add_items, "add_items")
            self.out.append(syntax.statement(call(helper, load(adjoint), value)))
        else:
            self.add_list(load(adjoint), gast.Slice(None, None, None), value)

    def begin(self, path: Path, kind: Kind, value: gast.expr, value_kind: Kind,
              numbers: str | None) -> bool:
        """Let the first that an adjoint receives be what it is; False where that may not be, and it
        is zeros to which that has to be added."""
        name, adjoint = path[0], self.name_of(path)
        if len(path) == 1 and (self.is_view(name) or name in self.context.aliases.laid_out):
            self.exists(path)
            return False
        if len(path) == 1 and self.is_shadow(name) and (
                not self.is_fresh(value, value_kind) or _may_have_no_dimensions(kind)
                or (isinstance(kind, Array) and not isinstance(value_kind, Array))):
            if not (isinstance(value, gast.Name) and isinstance(kind, Array) and kind.ndim):
                self.exists(path)
                return False
            self.out.append(assign(adjoint, self.copied(value, kind, numbers)))
            self.state[path] = True
            return True
        self.out.append(assign(adjoint, value))
        self.state[path] = _holds_all(kind, numbers) and self.is_fresh(value, value_kind)
        return True

    def add_whole(self, path: Path, kind: Kind, value: gast.expr, value_kind: Kind,
                  numbers: str | None) -> None:
        """Add to all of an adjoint that there is, in place where nobody else holds it."""
        name, adjoint = path[0], self.name_of(path)
        in_place = isinstance(kind, Number) or (
            isinstance(kind, Array) and kind.dtype == "float" and self.state[path]
            and kinds.dtype_of(value_kind) in ("float", "int", "bool"))
        if len(path) == 1 and (self.is_view(name) or self.is_shadow(name)) \
                and isinstance(kind, (Array, kinds.Numeric)):
            self.own(name)
            in_place = not isinstance(kind, kinds.DuckArray)
        if not in_place and len(path) == 1 and self.is_viewed(name):
            raise AliasError(f"whether {name} is an array is not known, it is written to, and has "
                             "a second name", None, f"give it one name, or write {name}.copy()")
        operator, value = signed(value)
        if in_place:
            self.out.append(augment(adjoint, operator, value))
        else:
            self.out.append(assign(adjoint, self.sum_of(load(adjoint), value, kind, operator)))
            self.state[path] = isinstance(kind, Array) and not _may_have_no_dimensions(kind) and (
                self.state.get(path, False) or _holds_all(kind, numbers))

    def may_be_reordered(self, name: str, contribution: Any, value_kind: Kind) -> bool:
        """Whether the first that an array receives is all of its adjoint, in another order: then
        that is a view, and nothing is added to zeros."""
        kind, index = self.kind(name), contribution.index
        return not contribution.steps and not contribution.repeated and syntax.reorders(index) \
            and isinstance(kind, Array) and isinstance(value_kind, Array) \
            and kind.dtype == value_kind.dtype == "float" \
            and kinds.same_shape(kind, value_kind) and name not in self.context.twins \
            and not self.is_view(name) and not self.is_viewed(name) \
            and name not in self.context.aliases.laid_out \
            and not self.context.aliases.is_written(name)

    def add_part(self, contribution: Any, value: gast.expr) -> None:
        """Add to the part of an array's adjoint at an index."""
        name = contribution.name
        self.own(name)
        adjoint = self.name_of((name,))
        if isinstance(self.kind(name), kinds.DuckArray):
            helper = self.context.external(runtime_duck.plus_at, "plus_at")
            added = call(helper, load(adjoint), index_value(
                contribution.index, self.context.external), value)
            if contribution.repeated:
                added.args.append(syntax.constant(True))
            self.out.append(assign(load(adjoint), added))
            return
        if contribution.repeated:
            helper = self.context.external(runtime.add_at, "add_at")
            index = index_value(contribution.index, self.context.external)
            added = call(helper, load(adjoint), index, value)
            self.out.append(syntax.statement(added))
            return
        part = self.context.typer.kind(subscript(load(name), syntax.copy(contribution.index)))
        if part == kinds.UNKNOWN:
            self.add_item(subscript(load(adjoint), syntax.copy(contribution.index)), value, part)
            return
        spot = subscript(load(adjoint), syntax.copy(contribution.index), gast.Store())
        operator, value = signed(value)
        self.out.append(augment(spot, operator, value))

    def add_item(self, spot: gast.expr, value: gast.expr, kind: Kind) -> None:
        """`blist[k] += value`: in place in an array of the list, which is its own."""
        target = syntax.copy(spot)
        target.ctx = gast.Store()
        if isinstance(kind, Number) or (isinstance(kind, Array) and kind.dtype == "float"):
            self.out.append(augment(target, "+", value))
        else:
            self.out.append(assign(target, self.sum_of(spot, value, kind)))

    def add_list(self, owner: gast.expr, index: gast.expr, value: gast.expr) -> None:
        """Add a list of adjoints to those at the positions of a slice."""
        helper = self.context.external(runtime.add_parts, "add_parts")
        self.out.append(syntax.statement(call(helper, owner, index_value(
            index, self.context.external), value)))

    def sum_of(self, old: gast.expr, value: gast.expr, kind: Kind,
               operator: str = "+") -> gast.expr:
        """old + value; where lists and dicts may stand there, part by part."""
        if kind in (kinds.UNKNOWN, kinds.EMPTY) or isinstance(
                kind, (*CONTAINERS, kinds.ListKind, kinds.MapKind)):
            if operator == "-":
                value = syntax.minus(value)
            helper = self.context.external(runtime.sum_of_structures, "sum_of_structures")
            return call(helper, old, value)
        return binary(old, operator, value)

    def is_list_of_numbers(self, value: gast.expr, kind: Kind) -> bool:
        """Whether an expression makes a new list of numbers, shaped as a list of numbers is."""
        ndim, item = 0, kind
        while isinstance(item, kinds.ListKind):
            item, ndim = item.item, ndim + 1
        if not isinstance(value, gast.Call) or not isinstance(item, Number) or not ndim:
            return False
        helper = self.context.typer.callee(value)[0]
        if helper is np.ndarray.tolist:
            return self.context.typer.kind(value) == kind
        part = self.context.typer.kind(value.args[0])
        if helper in _NEW_LISTS:
            # Of numbers that are known to be real, so that what they receive is.
            read = value.args[_NEW_LISTS[helper]]
            read = read.elts[0] if isinstance(read, gast.Tuple) and len(read.elts) == 1 else read
            whole = self.context.typer.kind(read)
            return ndim == 1 and item.type == "float" and isinstance(whole, kinds.ListKind) \
                and numbers_in(whole) == "float" and numbers_in(part) == "float"
        return helper is runtime.spread_over and ndim == 1 and isinstance(part, Number)

    def receive(self, name: str, value: gast.expr, from_list: bool = False,
                later: Kind = kinds.UNKNOWN) -> None:
        """Add an adjoint that is structured as the variable is; from_list: it lay in a list of
        adjoints; later: what that holds wherever it is, perhaps complex numbers for real ones."""
        self.receive_at((name,), value, from_list, later)

    def receive_at(self, path: Path, value: gast.expr, from_list: bool = False,
                   later: Kind = kinds.UNKNOWN) -> None:
        """The same for a part of a variable."""
        self.receive_parts(path, self.kind_of_path(path), value, from_list, later)

    def receive_parts(self, path: Path, kind: Kind, node: gast.expr, from_list: bool,
                      later: Kind) -> None:
        if isinstance(kind, CONTAINERS) and not self.is_list(path[0]):
            # The adjoint of an object is a dict of its attributes, unless it is a dataclass;
            # in lists it is always one, as `zeros_like` makes it.
            as_dict = isinstance(kind, kinds.RecordKind) and (
                from_list or not is_made_of_fields(kind.type, kind.fields))
            parts = dict(items(later)) if isinstance(later, CONTAINERS) else {}
            for step, item in items(kind):
                if kinds.can_vary(item):
                    part = select(node, ("[", step[1]) if as_dict else step)
                    self.receive_parts((*path, step), item, part, from_list,
                                       parts.get(step, kinds.UNKNOWN))
            return
        self.add(Contribution(path[0], self.real_of(node, kind, later), steps=path[1:]))

    def is_fresh(self, node: gast.expr, kind: Kind | None = None) -> bool:
        """Whether an expression makes an array that nobody else holds; kind: its own, if known."""
        typer = self.context.typer
        kind = typer.kind(node) if kind is None else kind
        if not isinstance(kind, Array):
            return isinstance(kind, Number)
        if isinstance(node, (gast.BinOp, gast.UnaryOp)):
            node = algebra(syntax.copy(node))           # `by * 1.0` is going to be by
        if isinstance(node, (gast.BinOp, gast.UnaryOp)):
            return True
        if isinstance(node, gast.Call):
            function, _ = typer.callee(node)
            if function is NO_OBJECT:
                return False
            if function in (np.zeros_like, np.sum, np.outer, np.exp, np.ndarray.copy):
                return True
            entry = registry.lookup(function)
            return entry is not None and entry.view == "never" \
                and function not in (runtime.unbroadcast, runtime.unreduce) \
                and not module_of(function).startswith(runtime.__name__)
        return False


def _may_have_no_dimensions(kind: Kind) -> bool:
    """Whether operations with what is like an array may give numbers, which cannot be written."""
    return isinstance(kind, kinds.Numeric) or (isinstance(kind, Array) and not kind.ndim)


def _holds_all(kind: kinds.Kind, numbers: str | None) -> bool:
    """Whether an array of such numbers can be written into as the adjoint of a variable: real ones
    (of `np.real(w)`) hold no part of what a complex one receives."""
    return numbers == "complex" or kinds.dtype_of(kind) != "complex"


def _reordered(value: gast.expr, index: gast.expr) -> gast.expr:
    """`value[::-1]`, which is x where value is `x[::-1]`."""
    if isinstance(value, gast.Subscript) and syntax.same(value.slice, index):
        return value.value
    return subscript(value, syntax.copy(index))


def _may_become_complex(kind: Kind, later: Kind) -> bool:
    """Whether what is real here, or what a list holds, may be complex later on."""
    if isinstance(kind, kinds.ListKind) and isinstance(later, kinds.ListKind):
        return _may_become_complex(kind.item, later.item)
    return kinds.dtype_of(kind) == "float" and _may_be_complex(later)


def _may_be_complex(kind: kinds.Kind) -> bool:
    """Whether a value is complex, or numbers of an unknown type."""
    return isinstance(kind, (Number, Array, kinds.Numeric)) and \
        kinds.dtype_of(kind) in (None, "complex")
