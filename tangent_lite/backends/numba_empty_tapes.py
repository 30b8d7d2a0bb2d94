"""Tapes that nothing is put on, since Numba has dropped the branch that would.

    order = 2
    t_tape = []
    for i in range(n):
        if order == 3:                  # Numba knows that it is not, and leaves the branch out
            t_tape.append(t)

What is left of such a tape is an empty list, of which Numba cannot say what it is a list of; it
would refuse the function. `NothingOnTapes`, a pass over Numba's code before its types are found,
takes the list out. Where something is still taken off it, there is no way there but by mistake:
the function ends there with the IndexError that an empty list raises.

A list that something else is done with (it is returned, or the user asks for its length) cannot be
taken out. There `BranchesThatFill` leaves the branches as they are, and the list has its type from
what they would put into it.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numba.core import ir
from numba.core.analysis import dead_branch_prune
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import build_definitions
from numba.core.untyped_passes import DeadBranchPrune, LiteralPropagationSubPipelinePass

BEHIND = LiteralPropagationSubPipelinePass      # the last that drops branches
_TAKING = ("pop", "take")
_ASKING = ("room", "hold")                      # nothing comes of them
_FILLING = ("append", "put", "insert", "extend")


@register_pass(mutates_CFG=True, analysis_only=False)
class BranchesThatFill(DeadBranchPrune):
    """Numba's pass that drops branches, but where a list would lose all that is put into it."""

    _name = "tangent_lite_branches_that_fill"

    def run_pass(self, state: Any) -> bool:
        function = state.func_ir
        blocks = {label: block.copy() for label, block in function.blocks.items()}
        joined = [(statement, statement.value, list(statement.value.incoming_values),
                   list(statement.value.incoming_blocks)) for statement in _assigned(function)
                  if _is(statement.value, "phi")]
        super().run_pass(state)
        if not any(one.is_left_empty for one in _lists(function)):
            return True
        function.blocks = blocks
        for statement, value, values, places in joined:
            statement.value = value
            value.incoming_values[:], value.incoming_blocks[:] = values, places
        function._definitions = build_definitions(function.blocks)
        return False


@register_pass(mutates_CFG=True, analysis_only=False)
class NothingOnTapes(FunctionPass):
    """Takes out the lists that nothing is put into."""

    _name = "tangent_lite_nothing_on_tapes"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        function = state.func_ir
        empty = {name for one in _lists(function) if one.can_go for name in one.names}
        if not empty:
            return False
        methods = _methods(function)
        for block in function.blocks.values():
            block.body = list(_without(block.body, empty, methods))
        dead_branch_prune(function, state.args)         # and what nothing leads to any more
        function._definitions = build_definitions(function.blocks)
        return True


class _List:
    """A list that is empty at first, and what is done with it under all its names."""

    def __init__(self, names: set[str], filled: set[str], used: set[str]) -> None:
        self.names = names
        self.is_filled = bool(names & filled)
        self.is_used = bool(names & used)

    @property
    def can_go(self) -> bool:
        return not self.is_filled and not self.is_used

    @property
    def is_left_empty(self) -> bool:
        """Nothing is put into it, and it cannot be taken out."""
        return not self.is_filled and self.is_used


def _lists(function: ir.FunctionIR) -> list[_List]:
    """The lists that are made empty. Filled are also those whose names mean something else at
    times; used is what something else is done with than taking from it."""
    made: set[str] = set()
    filled: set[str] = set()
    used: set[str] = set()
    same: list[set[str]] = []
    for statement in _statements(function):
        is_bound = isinstance(statement, ir.Assign)
        value: Any = statement.value if is_bound else None
        bound = {statement.target.name} if is_bound else set()
        names = {name.name for name in statement.list_vars()} - bound
        if _is(value, "build_list") and not value.items:
            made |= bound
        elif isinstance(value, ir.Var):
            same.append(bound | names)
        elif _is(value, "phi"):
            same.append(bound | {one.name for one in value.incoming_values
                                 if isinstance(one, ir.Var)})
        else:
            filled |= bound
            if _is(value, "getattr") and value.attr in _FILLING:
                filled |= names
            elif not (_is(value, "getattr") and value.attr in _TAKING + _ASKING):
                used |= names
    groups = [{name} for name in sorted(made)]
    found: list[_List] = []
    while groups:
        group = groups.pop()
        more = [one for one in same if one & group and not one <= group]
        while more:
            group.update(*more)
            more = [one for one in same if one & group and not one <= group]
        groups = [one for one in groups if not one & group]
        found.append(_List(group, filled, used))
    return found


def _without(body: list[Any], empty: set[str], methods: dict[str, Any]) -> Iterator[Any]:
    """The statements of a block, without these lists."""
    for statement in body:
        value: Any = getattr(statement, "value", None)
        if isinstance(statement, (ir.Assign, ir.Del)) and _name_of(statement) in empty:
            continue
        if _is(value, "getattr") and value.value.name in empty:
            continue
        method = methods.get(value.func.name) if _is(value, "call") else None
        if method is None or method.value.name not in empty:
            yield statement
        elif method.attr in _TAKING:
            yield ir.StaticRaise(IndexError, ("pop from empty list",), statement.loc)
            return
        else:
            yield ir.Assign(ir.Const(None, statement.loc), statement.target, statement.loc)


def _methods(function: ir.FunctionIR) -> dict[str, Any]:
    """Which name means which method that takes from a list, or asks it."""
    return {statement.target.name: statement.value for statement in _assigned(function)
            if _is(statement.value, "getattr") and statement.value.attr in _TAKING + _ASKING}


def _statements(function: ir.FunctionIR) -> Iterator[Any]:
    for block in function.blocks.values():
        for statement in block.body:
            if not isinstance(statement, ir.Del):
                yield statement


def _assigned(function: ir.FunctionIR) -> Iterator[ir.Assign]:
    for block in function.blocks.values():
        yield from block.find_insts(ir.Assign)


def _name_of(statement: Any) -> str:
    return statement.value if isinstance(statement, ir.Del) else statement.target.name


def _is(value: Any, operation: str) -> bool:
    return isinstance(value, ir.Expr) and value.op == operation
