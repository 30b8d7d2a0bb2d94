"""Tapes of numbers that one function makes, fills and empties: three variables of its own.

How many records a list holds, and where they lie, is read from memory at each append, since
whatever is written in between may have changed it, for all that the compiler knows. A list of
numbers that nothing but its methods is asked for cannot be changed by anything else: `LocalTapes`,
a pass over Numba's typed code, finds such lists, and where they stand is kept in variables, which
the compiler has in registers.

Where a loop says beforehand how many records it makes (`tape.room(n)`) or takes (`tape.hold(n)`),
its steps do not look at all (`put`, `take`), so that the processor can take several at a time. Of
other lists `put` is `append`, and `take` is `pop`. `mark` says how many records there are, and
`cut` takes those off that are more (`numba_flat_tapes`).
"""
from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm
from llvmlite.ir.instructions import LoadInstr, StoreInstr
from numba import types
from numba.core import cgutils, ir, typing
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.datamodel import models
from numba.core.extending import lower_builtin
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    bound_function,
    infer_global,
)
from numba.cpython.listobj import ListInstance, get_itemsize
from numba.extending import infer_getattr, register_model

METHODS = ("append", "pop", "room", "put", "hold", "take", "mark", "cut")


@infer_getattr
class TapeMethods(AttributeTemplate):
    """What lists of compiled code have besides the methods of Python's."""

    key = types.List

    @bound_function("tangent_lite.put")
    def resolve_put(self, items, args, kws):
        item, = args
        unified = self.context.unify_pairs(items.dtype, item)
        if unified is None:
            return None
        return typing.signature(types.none, unified).replace(recvr=items.copy(dtype=unified))

    @bound_function("tangent_lite.take")
    def resolve_take(self, items, args, kws):
        return typing.signature(items.dtype)

    @bound_function("tangent_lite.room")
    def resolve_room(self, items, args, kws):
        return typing.signature(types.none, types.intp)

    @bound_function("tangent_lite.hold")
    def resolve_hold(self, items, args, kws):
        return typing.signature(types.none, types.intp)

    @bound_function("tangent_lite.mark")
    def resolve_mark(self, items, args, kws):
        return typing.signature(types.intp)

    @bound_function("tangent_lite.cut")
    def resolve_cut(self, items, args, kws):
        return typing.signature(types.none, types.intp)


# Lists of which others know, or of something else than numbers ------------------------------------
class Push(AbstractTemplate):
    """`tape.append(x)`; its types were found when it was still Numba's."""

    key = "tangent_lite.push"


class Pop(AbstractTemplate):
    """`tape.pop()`."""

    key = "tangent_lite.pop"


@lower_builtin("tangent_lite.put", types.List, types.Any)
@lower_builtin(Push.key, types.List, types.Any)
def _push(context, builder, sig, args):
    items = ListInstance(context, builder, sig.args[0], args[0])
    count = items.size
    with builder.if_then(builder.icmp_signed("==", count, items._payload.allocated),
                         likely=False):
        items.resize(_larger(builder, count))
    items._payload.size = builder.add(count, llvm.Constant(count.type, 1))
    items.inititem(count, args[1], incref=True)
    return context.get_dummy_value()


@lower_builtin("tangent_lite.take", types.List)
@lower_builtin(Pop.key, types.List)
def _pop(context, builder, sig, args):
    items = ListInstance(context, builder, sig.args[0], args[0])
    count = items.size
    cgutils.guard_zero(context, builder, count, (IndexError, "pop from empty list"))
    last = builder.sub(count, llvm.Constant(count.type, 1))
    found = items.getitem(last)             # what the list held is the caller's now
    items._payload.size = last
    if context.data_model_manager[items.dtype].contains_nrt_meminfo():
        items.zfill(last, count)
    return found


@lower_builtin("tangent_lite.room", types.List, types.intp)
@lower_builtin("tangent_lite.hold", types.List, types.intp)
def _nothing(context, builder, sig, args):
    return context.get_dummy_value()


@lower_builtin("tangent_lite.mark", types.List)
def _mark(context, builder, sig, args):
    return ListInstance(context, builder, sig.args[0], args[0]).size


@lower_builtin("tangent_lite.cut", types.List, types.intp)
def _cut(context, builder, sig, args):
    items = ListInstance(context, builder, sig.args[0], args[0])
    count = items.size
    with builder.if_then(builder.icmp_signed(">", count, args[1]), likely=False):
        with cgutils.for_range_slice(builder, args[1], count, count.type(1)) as (k, _):
            items.clear_value(k)
        items._payload.size = args[1]
    return context.get_dummy_value()


def _larger(builder, count):
    """How many records a list gets room for that is full of so many."""
    half = builder.ashr(count, llvm.Constant(count.type, 1))
    return builder.add(count, builder.add(half, llvm.Constant(count.type, 8)))


# Those of numbers that stay in the function -------------------------------------------------------
class LocalTape(types.List):
    """A list of numbers that one function has for itself; number: which of its lists it is."""

    def __init__(self, dtype: Any, number: int) -> None:
        super().__init__(dtype)
        self.number = number
        self.name = f"local tape {number} of {dtype}"

    @property
    def key(self):
        return self.dtype, self.number, "local tape"

    def __unliteral__(self):
        return self


register_model(LocalTape)(models.ListModel)


class _Local:
    """Where a tape stands: variables of the function that is being written."""

    def __init__(self, context: Any, builder: Any, kind: LocalTape) -> None:
        self.context, self.builder, self.kind = context, builder, kind
        self.item = context.data_model_manager[kind.dtype]
        known = builder.function.__dict__.setdefault("tangent_lite_tapes", {})
        if kind.number not in known:
            integer = context.get_value_type(types.intp)
            data = self.item.get_data_type().as_pointer()
            known[kind.number] = [cgutils.alloca_once(builder, one)
                                  for one in (integer, integer, data)]
        self.count, self.space, self.data = known[kind.number]

    def number(self, value: int) -> Any:
        return llvm.Constant(self.context.get_value_type(types.intp), value)

    def moved(self, items: ListInstance) -> None:
        """The list lies somewhere else, or has other room."""
        self.builder.store(items._payload.allocated, self.space)
        self.builder.store(items.data, self.data)

    def grow(self, value: Any, least: Any) -> None:
        """Let there be room for at least so many records, and half as many as there are more."""
        context, builder = self.context, self.builder
        items = ListInstance(context, builder, self.kind, value)
        larger = _larger(builder, builder.load(self.count))
        wanted = builder.select(builder.icmp_signed(">", least, larger), least, larger)
        # Numba's own way would fill the room with zeros.
        head = context.get_abi_sizeof(context.get_data_type(types.ListPayload(self.kind)))
        size = get_itemsize(context, self.kind)
        total, overflows = cgutils.muladd_with_overflow(
            builder, wanted, self.number(size), self.number(head))
        with builder.if_then(overflows, likely=False):
            context.call_conv.return_user_exc(builder, MemoryError, ("a tape that is too long",))
        found = context.nrt.meminfo_varsize_realloc_unchecked(builder, items.meminfo, size=total)
        cgutils.guard_memory_error(context, builder, found, "a tape that is too long")
        items._payload.allocated = wanted
        self.moved(items)

    def write(self, item: Any) -> None:
        builder, count = self.builder, self.builder.load(self.count)
        self.is_of_tape(builder.store(
            self.item.as_data(builder, item),
            builder.gep(builder.load(self.data), [count], inbounds=True)))
        builder.store(builder.add(count, self.number(1), flags=["nsw"]), self.count)

    def read(self) -> Any:
        builder = self.builder
        last = builder.sub(builder.load(self.count), self.number(1), flags=["nsw"])
        builder.store(last, self.count)
        return self.item.from_data(builder, self.is_of_tape(builder.load(
            builder.gep(builder.load(self.data), [last], inbounds=True))))

    def is_of_tape(self, access: Any) -> Any:
        """Note that an instruction reads or writes a record, for `keep_apart`."""
        access.tangent_lite_tape = self.kind.number
        return access


def keep_apart(function: Any) -> None:
    """Say of each read and write of a function that was written that it is not in the memory of a
    local tape, but for those that are: nothing else knows where that lies. What a step puts on a
    tape then changes none of the elements that the compiler has in registers."""
    numbers = sorted(function.__dict__.get("tangent_lite_tapes", ()))
    if not numbers:
        return
    made = function.module.add_metadata
    domain = made([f"tapes of {function.name}"])
    scopes = {number: made([f"tape {number}", domain]) for number in numbers}
    everywhere = made(list(scopes.values()))
    for block in function.blocks:
        for access in block.instructions:
            if isinstance(access, (LoadInstr, StoreInstr)):
                number = getattr(access, "tangent_lite_tape", None)
                if number is None:
                    access.set_metadata("noalias", everywhere)
                    continue
                access.set_metadata("alias.scope", made([scopes[number]]))
                if len(numbers) > 1:
                    access.set_metadata("noalias", made(
                        [scope for other, scope in scopes.items() if other != number]))


def begin(tape):
    """A local tape that was made, with what is done first. It is what stands under the name of the
    tape: a statement of which nobody reads the result is none to Numba's passes for several
    processors, which drop it."""


@infer_global(begin)
class _Begin(AbstractTemplate):
    def generic(self, args, kws):
        return typing.signature(*args, *args)


@lower_builtin(begin, LocalTape)
def _begin(context, builder, sig, args):
    local = _Local(context, builder, sig.args[0])
    builder.store(local.number(0), local.count)
    local.moved(ListInstance(context, builder, sig.args[0], args[0]))
    return impl_ret_borrowed(context, builder, sig.return_type, args[0])


@lower_builtin("tangent_lite.local.append", LocalTape, types.Any)
def _append(context, builder, sig, args):
    local = _Local(context, builder, sig.args[0])
    count = builder.load(local.count)
    with builder.if_then(builder.icmp_signed("==", count, builder.load(local.space)),
                         likely=False):
        local.grow(args[0], count)
    local.write(args[1])
    return context.get_dummy_value()


@lower_builtin("tangent_lite.local.put", LocalTape, types.Any)
def _put(context, builder, sig, args):
    _Local(context, builder, sig.args[0]).write(args[1])
    return context.get_dummy_value()


@lower_builtin("tangent_lite.local.room", LocalTape, types.intp)
def _room(context, builder, sig, args):
    local = _Local(context, builder, sig.args[0])
    least = builder.add(builder.load(local.count), args[1])
    with builder.if_then(builder.icmp_signed(">", least, builder.load(local.space)),
                         likely=False):
        local.grow(args[0], least)
    return context.get_dummy_value()


@lower_builtin("tangent_lite.local.pop", LocalTape)
def _local_pop(context, builder, sig, args):
    local = _Local(context, builder, sig.args[0])
    cgutils.guard_zero(context, builder, builder.load(local.count),
                       (IndexError, "pop from empty list"))
    return local.read()


@lower_builtin("tangent_lite.local.hold", LocalTape, types.intp)
def _hold(context, builder, sig, args):
    local = _Local(context, builder, sig.args[0])
    with builder.if_then(builder.icmp_signed("<", builder.load(local.count), args[1]),
                         likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("pop from empty list",))
    return context.get_dummy_value()


@lower_builtin("tangent_lite.local.take", LocalTape)
def _take(context, builder, sig, args):
    return _Local(context, builder, sig.args[0]).read()


@lower_builtin("tangent_lite.local.mark", LocalTape)
def _local_mark(context, builder, sig, args):
    return builder.load(_Local(context, builder, sig.args[0]).count)


@lower_builtin("tangent_lite.local.cut", LocalTape, types.intp)
def _local_cut(context, builder, sig, args):
    local = _Local(context, builder, sig.args[0])
    count = builder.load(local.count)
    is_more = builder.icmp_signed(">", count, args[1])
    builder.store(builder.select(is_more, args[1], count), local.count)
    return context.get_dummy_value()


_LOCAL = {method: type(f"Local_{method}", (AbstractTemplate,),
                       {"key": f"tangent_lite.local.{method}"}) for method in METHODS}
_SHARED = {"append": Push, "pop": Pop}


@register_pass(mutates_CFG=False, analysis_only=False)
class LocalTapes(FunctionPass):
    """Gives lists their own methods in the place of Numba's, and makes local tapes of those that
    can be."""

    _name = "tangent_lite_local_tapes"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        self.typemap, self.calltypes = state.typemap, state.calltypes
        self.blocks = state.func_ir.blocks
        self.receivers: dict[str, int] = {}
        tapes = self.tapes()
        for block in self.blocks.values():
            body: list[Any] = []
            for node in block.body:
                body.append(node)
                if isinstance(node, ir.Assign) and isinstance(node.value, ir.Expr):
                    if node.value.op == "call":
                        self.call(node.value)
                    elif node.target.name in tapes:
                        body.append(self.beginning(node, block.scope, tapes[node.target.name]))
            block.body = body
        for name, number in tapes.items():
            self.retype(name, LocalTape(self.typemap[name].dtype, number))
            # Numba looks up only what was asked for by these types before.
            state.typingctx.resolve_function_type(begin, (self.typemap[name],), {})
        return True

    def retype(self, name: str, kind: Any) -> None:
        del self.typemap[name]
        self.typemap[name] = kind

    def tapes(self) -> dict[str, int]:
        """The names of lists that may be local, each with a number, names of one list the same."""
        made: dict[str, int] = {}
        counts: dict[str, int] = {}
        assigned = [node for block in self.blocks.values() for node in block.body
                    if isinstance(node, ir.Assign)]
        for node in assigned:
            name, value = node.target.name, node.value
            counts[name] = counts.get(name, 0) + 1
            if isinstance(value, ir.Expr) and value.op == "build_list" and not value.items \
                    and _holds_numbers(self.typemap[name]):
                made[name] = len(made)
        for node in assigned:
            if isinstance(node.value, ir.Var) and node.value.name in made \
                    and self.typemap[node.target.name] == self.typemap[node.value.name]:
                made[node.target.name] = made[node.value.name]
        receivers = {node.target.name: made[node.value.value.name] for node in assigned
                     if isinstance(node.value, ir.Expr) and node.value.op == "getattr"
                     and node.value.attr in METHODS and node.value.value.name in made}
        parts = made | receivers
        gone = {number for name, number in parts.items() if counts[name] > 1}
        for block in self.blocks.values():
            for node in block.body:
                gone |= {parts[name] for name in self.uses(node, made, receivers)
                         if name in parts}
        self.receivers = {n: number for n, number in receivers.items() if number not in gone}
        return {name: number for name, number in made.items() if number not in gone}

    def uses(self, node: Any, made: dict[str, int], receivers: dict[str, int]) -> list[str]:
        """The names that a statement uses in another way than a local tape may be."""
        if isinstance(node, ir.Del):
            return []
        used = [one.name for one in node.list_vars()]
        if not isinstance(node, ir.Assign):
            return used
        name, value = node.target.name, node.value
        if name in made or name in receivers:       # it is made, named, or asked for a method
            return []
        used.remove(name)
        if isinstance(value, ir.Expr) and value.op == "call" and value.func.name in receivers \
                and self.is_method(value):
            used.remove(value.func.name)
        return used

    def is_method(self, value: Any) -> bool:
        """Whether a call is one of those we have: `pop` of a place is not."""
        kind = self.typemap[value.func.name]
        return str(kind.typing_key).rpartition(".")[2] != "pop" or not value.args

    def call(self, value: Any) -> None:
        """Let the call of a method of a list be one of ours."""
        name = value.func.name
        kind = self.typemap[name]
        if not isinstance(kind, types.BoundFunction) or not isinstance(kind.this, types.List) \
                or kind.this.reflected or not self.is_method(value):
            return
        method = str(kind.typing_key).rpartition(".")[2]
        if name in self.receivers:
            tape = LocalTape(kind.this.dtype, self.receivers[name])
            self.retype(name, types.BoundFunction(_LOCAL[method], tape))
            found = self.calltypes.pop(value)
            self.calltypes[value] = found.replace(recvr=tape)
        elif method in _SHARED:
            self.retype(name, types.BoundFunction(_SHARED[method], kind.this))

    def beginning(self, node: Any, scope: Any, number: int) -> Any:
        """Give what a statement makes another name, and the name of the tape to what is begun."""
        tape = LocalTape(self.typemap[node.target.name].dtype, number)
        made = ir.Var(scope, f"{node.target.name}.made", node.loc)
        self.typemap[made.name] = tape
        value = ir.Expr.unary(begin, made, node.loc)
        self.calltypes[value] = typing.signature(tape, tape)
        begun = ir.Assign(value, node.target, node.loc)
        node.target = made
        return begun


def _holds_numbers(kind: Any) -> bool:
    return isinstance(kind, types.List) and not kind.reflected \
        and isinstance(kind.dtype, (types.Float, types.Integer, types.Boolean))
