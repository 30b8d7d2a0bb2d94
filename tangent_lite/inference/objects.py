"""Which object a name or a dotted path means, and what a call calls: by what is known before it
runs.
"""
from __future__ import annotations

from collections.abc import Callable, MutableMapping
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from tangent_lite import kinds, registry
from tangent_lite.kinds import UNKNOWN, Array, Kind, Known, Number, sets, value_of
from tangent_lite.modules import attribute_of, held_by_class, package_of, says
from tangent_lite.runtime.tangents import is_log
from tangent_lite.source import uncompiled

NO_OBJECT: Any = type("NoObject", (), {})()


class Objects:
    """The part of a Typer that finds objects."""

    names: MutableMapping[str, Kind]
    free: Callable[[str], Any]
    asked: dict[tuple[type, str, type | None], None]

    def kind(self, node: gast.AST | None) -> Kind:
        """The kind of an expression; see `inference`."""
        raise NotImplementedError

    if TYPE_CHECKING:
        def items_of(self, owner: Kind) -> Kind:
            """What a loop over a value hands out: of `Items`, the other part of a Typer."""

    def of_class(self, cls: type, name: str, behind: type | None = None) -> Any:
        """What a class says of an attribute: a function, a property, ...; NO_OBJECT if nothing.

        behind: look only in the classes that come behind this one, as super() does.
        """
        self.asked[cls, name, behind] = None
        if behind is None:
            return held_by_class(cls, name, NO_OBJECT)
        order = list(cls.__mro__)
        if behind not in order:
            return NO_OBJECT
        return next((vars(one)[name] for one in order[order.index(behind) + 1:]
                     if name in vars(one)), NO_OBJECT)

    def object_of(self, node: Any) -> Any:
        """The object that a name or dotted path certainly means; NO_OBJECT if unknown."""
        path: list[str] = []
        while node.__class__ is gast.Attribute:
            if hasattr(node, "behind"):
                return NO_OBJECT
            path.append(node.attr)
            node = node.value
        if node.__class__ is not gast.Name:
            return NO_OBJECT
        if node.id in self.names:
            kind = self.names[node.id]
            if not isinstance(kind, Known):
                return NO_OBJECT
            found = kind.object
        else:
            found = self.free(node.id)
        for attr in reversed(path):
            if found is NO_OBJECT or not (isinstance(
                    found, (type(np), type, CellType, np.ufunc)) or registry.owns_rules(found)
                    or (is_log(found) and says(getattr(found, attr, None)))):
                return NO_OBJECT
            found = attribute_of(found, attr, NO_OBJECT) if isinstance(found, type(np)) \
                else getattr(found, attr, NO_OBJECT)
        return found

    def default_at(self, node: gast.Subscript) -> Any:
        """The default that `f.__defaults__[0]` is, of a function that is known; else NO_OBJECT."""
        if not isinstance(node.value, gast.Attribute) or not isinstance(node.slice, gast.Constant) \
                or node.value.attr not in ("__defaults__", "__kwdefaults__"):
            return NO_OBJECT
        function = self.object_of(node.value.value)
        if not isinstance(function, FunctionType):
            return NO_OBJECT
        return getattr(function, node.value.attr)[node.slice.value]

    def method_called(self, thing: Any) -> FunctionType | None:
        """The method that a call of an object of the user's calls; None of all else: functions,
        classes, derivatives, objects of libraries."""
        if isinstance(thing, (FunctionType, type)) or hasattr(type(thing), "emitted_for") \
                or registry.is_ours(type(thing)) or registry.is_library(type(thing)) \
                or package_of(type(thing)) == "numba":          # which call compiled code
            return None
        method = self.of_class(type(thing), "__call__")
        return method if isinstance(method, FunctionType) else None

    def callee(self, node: gast.Call) -> tuple[Any, gast.expr | None]:
        """The function that a call calls, and the receiver if it is a method."""
        function, receiver = self._called(node)
        if registry.lookup(function) is None:
            function = uncompiled(function)
        if hasattr(type(function), "emitted_for"):
            return self.emitted(function, node, receiver), receiver
        return function, receiver

    def _called(self, node: gast.Call) -> tuple[Any, gast.expr | None]:
        function = self.object_of(node.func)
        if function is not NO_OBJECT:
            return function, None
        known = self.kind(node.func)
        if isinstance(known, Known):
            return known.object, None
        if isinstance(node.func, gast.Attribute):
            receiver = self.kind(node.func.value)
            if hasattr(node.func, "behind"):
                return self._behind(receiver, node.func)
            if isinstance(receiver, (Array, kinds.Numeric)):
                return getattr(np.ndarray, node.func.attr, NO_OBJECT), node.func.value
            if isinstance(receiver, Number) and hasattr(np.ndarray, node.func.attr):
                return getattr(np.ndarray, node.func.attr), node.func.value
            if isinstance(receiver, kinds.ListKind):
                return getattr(list, node.func.attr, NO_OBJECT), node.func.value
            if isinstance(receiver, (kinds.DictKind, kinds.MapKind)):
                return getattr(dict, node.func.attr, NO_OBJECT), node.func.value
            if isinstance(receiver, kinds.SetKind):
                return self._of_set(node), node.func.value
            if isinstance(receiver, kinds.Text):
                return getattr(str, node.func.attr, NO_OBJECT), node.func.value
            if isinstance(receiver, (kinds.RecordKind, kinds.Other, kinds.MatrixKind)):
                return self._method(receiver.type, node.func)
            if isinstance(receiver, kinds.TupleKind) and receiver.type is list:
                # What else a list can do would change what items it has.
                return (list.copy, node.func.value) if node.func.attr == "copy" \
                    else (NO_OBJECT, None)
            if isinstance(receiver, kinds.TupleKind) and receiver.type is not tuple:
                return self._method(receiver.type, node.func)
            if isinstance(receiver, Known) and self.method_called(receiver.object) is not None:
                return self._method(type(receiver.object), node.func)
        return NO_OBJECT, None

    def _of_set(self, node: gast.Call) -> Any:
        """The method of a set that a call means, if it gives another set of whole numbers."""
        name = node.func.attr
        given = [sets.set_of(self.items_of(self.kind(one))) for one in node.args]
        return getattr(set, name) if name in sets.GIVING and all(
            isinstance(kind, kinds.SetKind) for kind in given) else NO_OBJECT

    def _method(self, owner: type, node: gast.Attribute) -> tuple[Any, gast.expr | None]:
        """What an attribute of an object means that its class defines, and the receiver of the
        call."""
        found = self.of_class(owner, node.attr)
        if isinstance(found, (staticmethod, classmethod)):
            return getattr(owner, node.attr), None
        if isinstance(found, FunctionType) or (found is not NO_OBJECT
                                               and registry.lookup(found) is not None):
            return found, node.value
        return NO_OBJECT, None

    def _behind(self, receiver: Kind, node: gast.Attribute) -> tuple[Any, gast.expr | None]:
        """What `super().method` means."""
        if isinstance(receiver, (kinds.RecordKind, kinds.TupleKind, kinds.Other)):
            found = self.of_class(receiver.type, node.attr, node.behind)
            if isinstance(found, FunctionType):
                return found, node.value
            if isinstance(found, staticmethod):
                return found.__func__, None
            if isinstance(found, classmethod):
                return found.__get__(None, receiver.type), None
            return (found, node.value) if found is object.__init__ else (NO_OBJECT, None)
        if isinstance(receiver, Known) and isinstance(receiver.object, type):
            found = self.of_class(receiver.object, node.attr, node.behind)
            if isinstance(found, (staticmethod, classmethod)):
                return found.__get__(None, receiver.object), None
        return NO_OBJECT, None

    def emitted(self, derivative: Any, node: gast.Call, receiver: gast.expr | None) -> Any:
        """The function that is emitted for a derivative and the arguments of a call."""
        given = [*([receiver] if receiver is not None else []), *node.args]
        args = [self.kind(a) for a in given]
        keywords = {k.arg: self.kind(k.value) for k in node.keywords}
        if any(isinstance(a, gast.Starred) for a in given) or None in keywords \
                or any(map(_brings_variables, (*args, *keywords.values()))):
            return derivative
        found = derivative.kinds_of_call(args, keywords)
        return derivative if found is None else derivative.emitted_for(found)

    def made(self, operator: Any, node: gast.Call) -> Kind:
        """The derivative that `tl.grad(f, wrt=1)` makes, if f and the options are known."""
        args = [self.known(a) for a in node.args]
        keywords = {k.arg: self.known(k.value) for k in node.keywords}
        if None in keywords or any(v is NO_OBJECT for v in (*args, *keywords.values())):
            return UNKNOWN
        if args and not callable(args[0]):
            return UNKNOWN                      # a function that is defined inside
        if not hasattr(operator, "of"):
            return UNKNOWN                      # `product = hvp(f)`, which is not called here
        return Known(operator.of(*args, **keywords))

    def known(self, node: gast.expr) -> Any:
        """The value of a literal, or the object that an expression certainly means."""
        kind = self.kind(node)
        if isinstance(kind, Known):
            return kind.object
        value = value_of(kind)
        return NO_OBJECT if value is kinds.NO_VALUE else value


def _brings_variables(kind: Kind) -> bool:
    """Whether a value is a function that reads variables of the function around it, or holds one:
    the text of a derivative, which stands by itself, would not know them."""
    return any(map(_brings_variables, kinds.parts(kind))) or (
        isinstance(kind, Known) and bool(getattr(kind.object, "captured", None)))
