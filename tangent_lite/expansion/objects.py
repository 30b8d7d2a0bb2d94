"""Objects: attributes, methods of classes further up, and what makes an object."""
from __future__ import annotations

import dataclasses
import functools
import inspect
import types
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.expansion import Written, name_of
from tangent_lite.expansion.containers import Containers
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import LIBRARIES, package_of
from tangent_lite.records import is_made_of_fields, sets_plainly
from tangent_lite.runtime.objects import blank
from tangent_lite.structures.updates import fields_of_class, is_descriptor, other_fields
from tangent_lite.syntax import assign, load


class Objects(Containers):
    """What takes the place of attributes of objects, and of calls that make objects."""

    def attribute(self, value: gast.Attribute, plain: gast.Attribute) -> Written | None:
        """A property is a call of its function; a method that is not called is a function that
        remembers its object."""
        owner = self.typer.kind(value.value)
        behind = getattr(value, "behind", None)
        flat = self.flat(value, plain)
        if flat is not None:
            return flat
        if isinstance(owner, kinds.TupleKind):
            if value.attr in getattr(owner.type, "_fields", (value.attr,)):
                return None
        elif not isinstance(owner, kinds.RecordKind) or (
                behind is None and value.attr in owner.fields
                and not is_descriptor(owner.type, value.attr)):
            return None
        found = self.typer.of_class(owner.type, value.attr, behind)
        if isinstance(found, functools.cached_property):
            raise self.context.refuse(plain, "a cached property changes its object when it is read",
                                      "make it a property, or a method")
        if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
            made = gast.Call(self.inject(found.fget, value.attr), [plain.value], [])
            return [], gast.copy_location(made, plain)
        if isinstance(found, types.FunctionType):
            called = gast.Call(self.inject(functools.partial, "partial"),
                               [self.inject(found, value.attr), plain.value], [])
            return [], gast.copy_location(called, plain)
        return None

    def part_of_shape(self, value: gast.Subscript, plain: gast.Subscript) -> Written | None:
        """`grid.shape[0]` of an object of the user's, which need be no array's: the attribute has a
        name first."""
        if not isinstance(value.value, gast.Attribute) or not isinstance(
                self.typer.kind(value.value.value), (kinds.RecordKind, kinds.TupleKind)):
            return None
        made = self.attribute(value.value, plain.value)
        if made is None and not kinds.can_vary(self.typer.kind(value.value)):
            return None
        first, whole = ([], plain.value) if made is None else made
        name = self.named(first, plain.value.attr, whole)
        return first, gast.copy_location(syntax.subscript(name, plain.slice), plain)

    def call_of_super(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """`super().method(x)` is a call of the function that comes next in the order of the
        classes."""
        function, receiver = self.facts.callees.get(id(value), (NO_OBJECT, None))
        if function is NO_OBJECT:
            return None
        if function is object.__init__:
            return None if plain.args or plain.keywords else ([], gast.Constant(None, None))
        first = [] if receiver is None else [plain.func.value]
        name = plain.func.behind.__name__ if function.__name__ == "__init__" \
            else function.__name__
        called = self.calling(self.inject(function, name), plain, [*first, *plain.args])
        called.must_be_written = function.__name__ == "__init__"
        return [], called

    def made_of_class(self, cls: type, plain: gast.Call, node: gast.stmt) -> Written | None:
        """`Body(x, v)`: an empty object, and what `__init__` does with it."""
        if fields_of_class(cls, len(plain.args), [k.arg for k in plain.keywords]) is not None:
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Tuple):
                result: list[gast.stmt] = []        # `w, v = EighResult(x, y)`
                return result, self.named(result, name_of(cls), plain)
            return None                 # its kind says it all
        with_defaults = self.with_defaults(cls, plain)
        if with_defaults is not None:
            return with_defaults
        if cls is types.SimpleNamespace and not plain.args:
            return self.given_one_by_one(plain, [self.inject(cls, cls.__name__)])
        start = self.typer.of_class(cls, "__init__")
        new: Any = cls.__new__
        # Metaclasses may have a __call__ of their own; that of abstract classes has none.
        called_by: Any = type(cls).__call__
        custom = new is not object.__new__ or called_by is not type.__call__ \
            or inspect.isabstract(cls) or (type(cls) is not type and package_of(cls) in LIBRARIES)
        if custom or not sets_plainly(cls) or "__getattribute__" in _defined(cls):
            return None
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        name = target.id if isinstance(target, gast.Name) and target.id not in \
            syntax.read_names(plain) else self.context.names.fresh(cls.__name__.lower())
        owner = self.inject(cls, cls.__name__)
        first: list[gast.stmt] = [assign(name, gast.Call(self.inject(blank, "blank"), [owner], []))]
        if dataclasses.is_dataclass(cls) and start.__code__.co_filename == "<string>":
            made = self.fields_given(cls, name, plain, first)
            return (first, load(name)) if made else None
        if isinstance(start, types.FunctionType):
            called = self.calling(self.inject(start, cls.__name__), plain,
                                  [load(name), *plain.args])
            called.must_be_written = True
            first.append(gast.Expr(called))
        return first, load(name)

    def given_one_by_one(self, plain: gast.Call, cls: list[gast.expr]) -> Written:
        """`SimpleNamespace(x=x)`; `instance(Body, x=x)`, as it stands in a derivative that is read
        again."""
        name = self.context.names.fresh("made")
        made = gast.copy_location(gast.Call(self.inject(blank, "blank"), cls, []), plain)
        return [assign(name, made), *[gast.Assign(
            [gast.Attribute(load(name), k.arg, gast.Store())], k.value, None)
            for k in plain.keywords]], load(name)

    def with_defaults(self, cls: type, plain: gast.Call) -> Written | None:
        """`State(x)` of a dataclass or named tuple that does no more than to hold its fields, with
        all of them: `State(x, t=0.0)`."""
        defaults: dict[str, gast.expr | None] = {}
        known: list[str] = []                   # what arguments without names are for
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            known = list(cls._fields)
            defaults = {f: self.constant(cls._field_defaults[f], f)     # type: ignore[attr-defined]
                        if f in cls._field_defaults else None           # type: ignore[attr-defined]
                        for f in known}
        elif dataclasses.is_dataclass(cls):
            every = dataclasses.fields(cls)
            if not is_made_of_fields(cls, tuple(f.name for f in every)):
                return None
            known = [f.name for f in every if not f.kw_only]
            defaults = {f.name: self.default_of(f) for f in every}
        given = {*known[:len(plain.args)], *(k.arg for k in plain.keywords)}
        first: list[gast.stmt] = []
        keywords = list(plain.keywords)
        for name, default in defaults.items():
            if name in given:
                continue
            if default is None:
                return None                     # an error
            keywords.append(gast.keyword(name, default if isinstance(default, gast.Constant)
                                         else self.named(first, name, default)))
        if len(keywords) == len(plain.keywords):
            return None
        return first, self.calling(plain.func, plain, plain.args, keywords)

    def constant(self, value: Any, wish: str) -> gast.expr:
        """A value that stands for itself, or has a name."""
        if type(value) in (bool, int, float, complex, str, type(None)):
            return syntax.constant(value)
        return self.inject(value, wish)

    def default_of(self, field: Any) -> gast.expr | None:
        """What a field of a dataclass holds where nothing is given."""
        if field.default is not dataclasses.MISSING:
            return self.constant(field.default, field.name)
        if field.default_factory in (list, dict):
            return gast.List([], gast.Load()) if field.default_factory is list \
                else gast.Dict([], [])
        if field.default_factory is not dataclasses.MISSING:
            return gast.Call(self.inject(field.default_factory, field.name), [], [])
        return None

    def other_fields(self, value: gast.Call, plain: gast.Call,
                     receiver: gast.expr | None) -> Written | None:
        """`replace(s, x=y)` of a dataclass is `State(x=y, t=s.t)`; so is `s._replace(x=y)` of a
        named tuple."""
        seen = value.args if receiver is None else [receiver, *value.args]
        owner = plain.args[0] if receiver is None and plain.args else plain.func
        owner = owner.value if receiver is not None and isinstance(owner, gast.Attribute) else owner
        if len(seen) != 1 or not isinstance(owner, gast.Name):
            return None
        kind = self.typer.kind(seen[0])
        given = {k.arg: k.value for k in plain.keywords}
        every = other_fields(kind, given)
        if every is None or not isinstance(kind, (kinds.RecordKind, kinds.TupleKind)):
            return None
        first: list[gast.stmt] = []
        for name in every:
            if name not in given:
                part = syntax.attribute(load(owner.id), name)
                given[name] = self.named(first, f"{owner.id}_{name}", part)
        made = self.inject(kind.type, kind.type.__name__)
        return first, self.calling(made, plain, [], [gast.keyword(name, given[name])
                                                     for name in every])

    def fields_given(self, cls: type, name: str, plain: gast.Call,
                     first: list[gast.stmt]) -> bool:
        """The fields of a dataclass, one by one, and its `__post_init__`."""
        given: dict[str, gast.expr] = {}
        every = [f for f in dataclasses.fields(cls) if f.init]
        if len(plain.args) > len(every) or any(f.kw_only for f in every):
            return False
        given.update(zip((f.name for f in every), plain.args))
        given.update((k.arg, k.value) for k in plain.keywords)
        if not given.keys() <= {f.name for f in every} or any(
                f.name not in given and self.default_of(f) is None for f in every):
            return False                        # a TypeError in Python
        for field in dataclasses.fields(cls):
            if field.name in given:
                continue
            default = self.default_of(field)
            if default is not None:
                given[field.name] = default
        for attribute, value in given.items():
            part = self.context.names.fresh(attribute)
            first.append(assign(part, value))
            target = gast.Attribute(load(name), attribute, gast.Store())
            target.sets_field = True            # as object does, be the class a frozen one
            first.append(gast.Assign([target], load(part), None))
        after = self.typer.of_class(cls, "__post_init__")
        if isinstance(after, types.FunctionType):
            called = self.calling(self.inject(after, cls.__name__), plain, [load(name)], [])
            called.must_be_written = True
            first.append(gast.Expr(called))
        return True


def _defined(cls: type) -> set[str]:
    """What a class and those it comes from define, but for object."""
    return {name for one in cls.__mro__[:-1] for name in vars(one)}
