"""What is refused of calls that stay calls, and of functions that are handed on: what they do must
be known where they are written, and change nothing unseen.
"""
from __future__ import annotations

import collections
import sys
import types
from collections.abc import Iterator, Mapping
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses import unseen, writers
from tangent_lite.analyses.aliases import may_hold_buffer
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.analyses.looked_at import Looking, rest_on_attributes
from tangent_lite.analyses.mentions import head
from tangent_lite.analyses.purity import in_hook
from tangent_lite.analyses.special_methods import names_of_globals
from tangent_lite.analyses.stopping import raises_stop
from tangent_lite.emit import emit_expression
from tangent_lite.functions.local_functions import holds_local, is_tagged, is_whole
from tangent_lite.inference import NO_OBJECT, Typer, methods
from tangent_lite.kinds import is_special
from tangent_lite.modules import LIBRARIES, looks_at_calls, package_of
from tangent_lite.source import Source
from tangent_lite.source.variables import Variables, bound_by, is_bound
from tangent_lite.structures.lists import list_change

_SPECIAL = {f"__{side}{name}__" for side in ("", "r") for name in (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "divmod")} | {
    "__neg__", "__pos__", "__abs__"}
_KEEPING_NOTHING = ("posix", "nt", "time", "_warnings")         # os.remove(name)
_OF_SETS = (gast.BitAnd, gast.BitOr, gast.BitXor, gast.Sub)     # tuples here are keys of dicts
_REFLECTED = {gast.Lt: "__gt__", gast.Gt: "__lt__", gast.LtE: "__ge__", gast.GtE: "__le__",
              gast.Eq: "__eq__", gast.NotEq: "__ne__"}


def cached_for_what_varies(tree: gast.FunctionDef, facts: Inferred, typer: Typer,
                           source: Source) -> None:
    """A cached function that was written with a dict (`passes/remembered`) computes anew what it is
    called for with numbers that vary: equal ones may come from different places."""
    for node in syntax.statements(tree.body):
        if gast.Compare not in facts.mentions[node].classes:
            continue
        for part in syntax.all_of(head(node), gast.Compare):
            if getattr(part, "remembers", False):
                typer.names = facts.before[id(node)]
                kind = typer.kind(part.left)
                if kinds.can_vary(kind):
                    raise source.refuse(part, "a cached function is called for what may vary",
                                        "take the cache away")
                if isinstance(kind, kinds.Number) and kind.type == "bool":
                    raise source.refuse(part, "a cached function tells True from 1, which a dict "
                                              "does not", "call it with an int")


def functions_as_values(tree: gast.FunctionDef, plain: gast.FunctionDef, facts: Inferred,
                        source: Source) -> None:
    """What is left of the functions defined inside is handed on: it has to mean the same there."""
    bindings: dict[str, int] = {}
    others = facts.beside_arithmetic(tree)
    lambdas = any(gast.Lambda in facts.mentions[statement].classes for statement in others)
    has_tags = any(map(is_tagged, facts.names.values()))
    if lambdas:
        for node in syntax.walk(plain):
            if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
                bindings[node.id] = bindings.get(node.id, 0) + 1
    for statement in others:
        for node in syntax.all_of(head(statement), gast.Lambda) if lambdas else ():
            local = getattr(node, "local", None)
            if local is None:
                continue
            changing = sorted(n for n in local.captured if bindings.get(n, 0) > 1)
            if local.tag is None and (changing or not is_whole(node)):
                _check_callee(node, statement, facts, source)
            if local.tag is None and not is_whole(node):
                raise source.refuse(node, "a function of several statements is handed on to what "
                                          "cannot be looked into", registry.WRITE_OUT)
            if local.tag is None and changing:
                raise source.refuse(node, f"a function that is handed on reads {changing[0]}, "
                                          "which is bound several times", registry.WRITE_OUT)
        if isinstance(statement, (gast.If, gast.For, gast.While)):
            continue
        known = facts.before.get(id(statement), {})
        if (lambdas or has_tags) and not _ASKING.isdisjoint(facts.mentions[statement].classes):
            _attributes_of_functions(statement, known, source)
        for call in facts.mentions[statement].calls:
            # What may be any of the texts that stand for functions cannot be called.
            if has_tags and known.get(getattr(call.func, "id", "")) == kinds.UNKNOWN:
                raise source.refuse(call, f"which function {call.func.id} is, is known only "
                                          "when it runs",
                                    "call the function itself")
            for argument in (*call.args, *(k.value for k in call.keywords)):
                kind = known.get(getattr(argument, "id", ""), kinds.UNKNOWN)
                if is_tagged(kind) and facts.callees.get(id(call), (None,))[0] is not len:
                    raise source.refuse(argument, "one of several functions is handed on to what "
                                                  "cannot be looked into", "call it here")


def _check_callee(handed: gast.expr, statement: gast.stmt, facts: Inferred,
                  source: Source) -> None:
    """Say of what a function is handed on to that it has no rule, if nobody shall write one."""
    for call in facts.mentions[statement].calls:
        if any(handed is one for one in (*call.args, *(k.value for k in call.keywords))):
            function = facts.callees.get(id(call), (None, None))[0]
            if function is not None and registry.refusal_of(function) is not None:
                raise registry.missing_rule(function, emit_expression(call.func),
                                            source.place(call), [])


_ASKING = frozenset((gast.Attribute, gast.Call))


def _attributes_of_functions(node: gast.stmt, known: Mapping[str, kinds.Kind],
                             source: Source) -> None:
    """A function that is defined inside is written as a lambda, or as a text that stands for it,
    and neither has its attributes."""
    for part in syntax.all_of(node, gast.Attribute, gast.Call):
        if isinstance(part, gast.Attribute):
            asked, what = part.value, part.attr
        elif getattr(part.func, "id", "") == "getattr" and len(part.args) > 1:
            asked, what = part.args[0], "an attribute"
        else:
            continue
        kind = known.get(getattr(asked, "id", ""))
        if hasattr(asked, "local") or (isinstance(kind, (kinds.Known, kinds.Choice))
                                       and holds_local(kind)):
            raise source.refuse(part, f"{what} of a function that is defined inside is not kept",
                                "define the function outside")


_CHANGED = (kinds.ListKind, kinds.DictKind, kinds.MapKind, kinds.Array)


def methods_as_values(tree: gast.FunctionDef, facts: Inferred, typer: Typer,
                      source: Source) -> None:
    """`add = xs.append`: where it is called, nothing shows that xs changes."""
    for statement in facts.beside_arithmetic(tree):
        if gast.Attribute not in facts.mentions[statement].classes:
            continue
        found = [n for n in syntax.all_of(head(statement), gast.Attribute)
                 if n.attr in writers.CHANGING and isinstance(n.ctx, gast.Load)]
        if not found:
            continue
        calls = syntax.all_of(head(statement), gast.Call)
        called = {*(id(call.func) for call in calls),
                  *(id(part) for call in calls for part in in_hook(call, facts))}
        typer.names = facts.before.get(id(statement), {})
        for node in found:
            if id(node) not in called and isinstance(typer.kind(node.value), _CHANGED):
                raise source.refuse(node, f"{node.attr} is handed on as a function here, and what "
                                          "it changes is not seen where it is called",
                                    f"write lambda v: {syntax.root_name(node) or 'x'}"
                                    f".{node.attr}(v), or call it here")


def unseen_changes(tree: gast.FunctionDef, facts: Inferred, typer: Typer, source: Source) -> None:
    """What is left of calls in expressions must change nothing that varies, and neither must
    `if log:`, f"{log}" or `log == x`, by a special method of log; see `looked_at`."""
    looking = Looking(tree, facts, typer)
    rest_on_attributes(tree, facts)
    found: list[tuple[gast.expr, set[str] | None, str, str]] = []
    for statement in syntax.statements(tree.body) if looking.is_wary \
            else facts.beside_arithmetic(tree):
        if isinstance(statement, gast.Raise):
            continue
        if not facts.mentions[statement].calls and not looking.is_wary:
            continue
        typer.names = facts.before.get(id(statement), {})
        for call in _unseen_calls(statement, facts, typer):
            read = facts.mentions[statement].reads
            if isinstance(typer.callee(call)[0], type):     # of numbers an object has its own
                read = {n for n in read if not isinstance(facts.names.get(n), kinds.Number)}
            found.append((call, read, "a call that may change an active value is not handled yet",
                          "call it in a statement of its own"))
        for node, method, outside in looking.changed_by(statement, head(statement)):
            found.append((node, None if outside else facts.mentions[statement].reads,
                          f"{method} changes something, and is called unseen here",
                          "call a method of another name"))
    reached = unseen.what_may_vary(tree, facts) if found else set()
    for node, names, reason, fix in found:
        if names is None or not reached.isdisjoint(names):
            raise source.refuse(node, reason, fix)


def _unseen_calls(statement: gast.stmt, facts: Inferred, typer: Typer) -> list[gast.Call]:
    """Calls in a statement that may change something, and that are not what it does."""
    calls = facts.mentions[statement].calls
    if not calls:
        return []
    own: Any = getattr(statement, "value", None)
    is_followed = isinstance(statement, gast.Expr) \
        or list_change(statement, typer.names) is not None
    within = {id(part) for call in calls for part in in_hook(call, facts)}
    found = []
    for call in calls:
        function, receiver = typer.callee(call)
        if id(call) in within or not unseen.call_may_change(call, function, receiver):
            continue
        if call is not own or (not is_followed and unseen.is_for_effect(call, function, typer)):
            found.append(call)
    return found


def unknown_calls(tree: gast.FunctionDef, facts: Inferred, found: Any, source: Source) -> None:
    """A function of which nothing is known, or no more than that it is written in C, may put what
    varies somewhere: `n = struct.pack_into("d", row, 0, x)`, `n = functions[k](x)`. What it returns
    does not tell. So may `print(x, file=text)`."""
    for statement in syntax.statements(tree.body):
        for call in facts.mentions[statement].calls:
            function, _ = facts.callees.get(id(call), (NO_OBJECT, None))
            if not isinstance(function, types.BuiltinFunctionType) and not (
                    function is NO_OBJECT and unseen.call_may_change(call, function, None)):
                continue
            is_file = function is print and any(
                k.arg == "file" and not _shows(k.value, facts, source) for k in call.keywords)
            its_module = syntax.read_names(call.func).difference(facts.names)
            given = {n for part in ([call] if is_file else writers.may_change(call, function))
                     for n in syntax.read_names(part)} - its_module
            is_kept = is_file or function is NO_OBJECT or (
                package_of(function) not in _KEEPING_NOTHING and any(
                    may_hold_buffer(facts.names.get(n, kinds.UNKNOWN)) for n in given))
            if is_kept and not given.isdisjoint(found.varied) \
                    and found.active.isdisjoint(facts.mentions[statement].binds):
                raise source.refuse(call, "a call that may change an active value is not handled "
                                          "yet", "write x[...] = value, or xs.append(value) of a "
                                          "list")


def _shows(file: gast.expr, facts: Inferred, source: Source) -> bool:
    """Whether what is printed to a file is shown, and nobody reads it again."""
    if isinstance(file, gast.Attribute):
        return file.attr in ("stdout", "stderr")
    name = getattr(file, "id", "")
    if name in facts.names:
        return isinstance(facts.names[name], kinds.Nothing)
    return source.globals.get(name) in (sys.stdout, sys.stderr)


def _is_of_constants(statement: gast.stmt, call: gast.Call, facts: Inferred) -> bool:
    """Whether a counter is empty, or counts what does not vary and has a name."""
    names = syntax.bound_names(statement.targets[0]) if isinstance(statement, gast.Assign) \
        and statement.value is call else []
    return not (call.args or call.keywords) or any(
        isinstance(facts.names.get(name), kinds.MapKind) for name in names)


def callees(tree: gast.FunctionDef, facts: Inferred, source: Source) -> None:
    """Functions that are called as they are must not bind globals, which outlive the call; and a
    function defined inside is called in plain terms, or what it captures is not seen."""
    for statement in facts.beside_arithmetic(tree):
        if isinstance(statement, (gast.If, gast.For, gast.While)):
            continue
        if raises_stop(statement):
            raise source.refuse(statement, "StopIteration ends the iterator that calls this",
                                "return a value that says so")
        for call in facts.mentions[statement].calls:
            function, _ = facts.callees.get(id(call), (NO_OBJECT, None))
            if isinstance(function, type) and is_special(function) and not (
                    function is collections.Counter and _is_of_constants(statement, call, facts)):
                raise source.refuse(call, f"a {function.__name__} may do anything when an item of "
                                          "it is read or written", "use a plain container")
            if looks_at_calls(function):
                raise source.refuse(call, f"{function.__name__} tells who calls it, which is the "
                                          "derivative", "write the name of the function")
            bound = _bound_outside(function)
            if bound is not None:
                raise source.refuse(call, f"{function.__name__} binds {bound}",
                                    "return the new value")
            names = facts.before.get(id(statement), {})     # none behind a raise
            if isinstance(call.func, gast.Attribute) and call.func.attr in _SPECIAL and isinstance(
                    names.get(getattr(call.func.value, "id", "")), (kinds.Number, kinds.Known)):
                raise source.refuse(call, f"{call.func.attr} is called", "write the operation")
            kind = names.get(getattr(call.func, "id", ""), kinds.UNKNOWN)
            if holds_local(kind) and (any(isinstance(a, gast.Starred) for a in call.args)
                                      or any(k.arg is None for k in call.keywords)):
                raise source.refuse(call, "a function that is defined inside is called with *",
                                    "name the arguments")


def outer_variables(tree: gast.FunctionDef, facts: Inferred, typer: Typer, source: Source,
                    variables: Variables) -> None:
    """What the function binds around it, and has for itself here, must not be read where it is
    outside: by what is called as it is, or by methods of what is handed on."""
    bound = bound_in(tree.body).union(syntax.parameter_names(tree.args))
    seen: set[int] = set()
    for statement in syntax.statements(tree.body):
        mention = facts.mentions[statement]
        known = facts.before.get(id(statement), {})
        things = [facts.callees.get(id(call), (NO_OBJECT, None))[0] for call in mention.calls]
        things += [typer.free(name) for name in mention.names if name not in bound]
        things += [thing for name in mention.names if name in known
                   for thing in _objects_in(known[name])]
        if any(thing is not NO_OBJECT and variables.reached(thing, seen) for thing in things):
            raise source.refuse(statement, "what is called here may read a variable that the "
                                "function binds around it", "hand the variable over")


def _objects_in(kind: kinds.Kind) -> Iterator[Any]:
    """The functions and classes that are known of what is of a kind."""
    todo: list[Any] = [kind]
    for one in todo:                    # which grows as it is gone through
        if isinstance(one, kinds.Known):
            yield one.object
        if isinstance(one, (kinds.RecordKind, kinds.Other)):
            yield one.type
        for part in vars(one).values():
            todo += [p for p in (part if isinstance(part, tuple) else (part,))
                     if isinstance(p, kinds.Kind)]


def _bound_outside(function: Any) -> str | None:
    """What kind of variable around it a function of the user binds, or one that it names."""
    todo, seen = [function], set[int]()
    for one in todo:                    # which grows as it is gone through
        if id(one) in seen or not isinstance(one, types.FunctionType) \
                or package_of(one) in LIBRARIES or registry.lookup(one) is not None:
            continue
        seen.add(id(one))
        for how, _ in bound_by(one):
            return "a global" if how.endswith("GLOBAL") else "an outer variable"
        todo += [one.__globals__.get(name) for name in names_of_globals(one.__code__)]
        todo += [cell.cell_contents for cell in one.__closure__ or () if is_bound(cell)]
    return None


PLAIN_NUMBER = "make it a plain number: float(x)"
_OPERATORS = frozenset({gast.Assign, gast.AugAssign, gast.BinOp, gast.UnaryOp, gast.Compare})
_NUMBERS = frozenset({kinds.Number, kinds.Array})


def special_methods(tree: gast.FunctionDef, facts: Inferred, typer: Typer, source: Source) -> None:
    """Comparisons that end in a method of the right operand, or of an item, are not written out,
    nor are operators of which it shows at the call only whose method they are."""
    for statement in facts.beside_arithmetic(tree):
        typer.names = known = facts.before.get(id(statement), {})
        mention = facts.mentions[statement]
        if mention.classes <= _OPERATORS and all(
                known.get(name).__class__ in _NUMBERS for name in mention.reads):
            continue                            # as most do: Python and NumPy say what it means
        for name in mention.names:
            kind = known[name] if name in known else typer.kind(syntax.load(name))
            if isinstance(kind, kinds.Other) and isinstance(kind.type, type) \
                    and (is_special(kind.type) or kinds.computes_by_itself(kind.type)):
                place = next(n for n in syntax.names_in(head(statement)) if n.id == name)
                reason, fix = _decides(kind.type.__name__)
                raise source.refuse(place, reason, fix if is_special(kind.type) else PLAIN_NUMBER)
        for node in syntax.all_of(head(statement), gast.Compare) \
                if gast.Compare in mention.classes else ():
            found = _method_of(node, typer)
            if found is not None:
                raise source.refuse(node, *_decides(found))
        if isinstance(statement, gast.AugAssign):
            _is_decided(statement, statement.op, statement.target, statement.value, typer, source)
        for node in _operations(statement) if gast.BinOp in mention.classes else ():
            _is_decided(node, node.op, node.left, node.right, typer, source)
            if isinstance(node.op, _OF_SETS) and all(isinstance(
                    typer.kind(side), kinds.TupleKind) for side in (node.left, node.right)):
                raise source.refuse(node, *_decides("the dict"))


def _is_decided(node: gast.AST, op: gast.AST, left: gast.expr, right: gast.expr, typer: Typer,
                source: Source) -> None:
    in_place = isinstance(node, gast.AugAssign)
    if methods.behind(typer, op, left, right, in_place) is methods.UNDECIDED:
        found = [one.__name__ for kind in (typer.kind(left), typer.kind(right))
                 if (one := methods.class_of(kind)) is not None]
        raise source.refuse(node, *_decides(found[0] if found else "the object"))


def _operations(statement: gast.stmt) -> list[gast.BinOp]:
    """The binary operations in a statement: one of names and literals, as most are, is the only
    one."""
    value: Any = getattr(statement, "value", None)
    if isinstance(value, gast.BinOp) and isinstance(statement, gast.Assign) \
            and isinstance(statement.targets[0], gast.Name) \
            and syntax.is_atom(value.left) and syntax.is_atom(value.right):
        return [value]
    return syntax.all_of(head(statement), gast.BinOp)


def _decides(what: str) -> tuple[str, str]:
    return f"{what} decides what this means", "call the method"


def _method_of(node: gast.Compare, typer: Typer) -> str | None:
    """The method, written in Python, by which a comparison may be decided."""
    operands = [typer.kind(part) for part in (node.left, *node.comparators)]
    for operator, left, right in zip(node.ops, operands, operands[1:]):
        if isinstance(operator, (gast.In, gast.NotIn)):
            items = right.items if isinstance(right, kinds.TupleKind) else \
                (right.item,) if isinstance(right, kinds.ListKind) else ()
            found = _defined(right, "__contains__") or next(
                (f for kind in (left, *items) if (f := _defined(kind, "__eq__"))), None)
        elif type(operator) in _REFLECTED:
            found = _defined(right, _REFLECTED[type(operator)])
            if len(node.ops) == 1 and methods.behind(
                    typer, operator, node.left, node.comparators[0]) is methods.UNDECIDED:
                owner: Any = getattr(left, "type", right)
                found = found or owner.__name__
        else:
            continue
        if found is not None:
            return found
    return None


def _defined(kind: Any, name: str) -> str | None:
    method = getattr(getattr(kind, "type", None), name, None) \
        if isinstance(kind, (kinds.RecordKind, kinds.TupleKind)) else None
    return method.__qualname__ if isinstance(method, types.FunctionType) \
        and method.__code__.co_filename != "<string>" else None
