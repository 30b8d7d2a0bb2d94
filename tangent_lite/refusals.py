"""What of a function is refused once its kinds are known, and once it is known what shares memory.

Each check stands in `checks/`; here is their order. They are given the function as it is on its way
through the front half, a `Preparation`.
"""
from __future__ import annotations

from typing import Any

from tangent_lite import checks
from tangent_lite.checks.array_classes import arrays_of_other_classes
from tangent_lite.checks.defaults import defaults_left
from tangent_lite.checks.duck import writes_next_to_ducks
from tangent_lite.checks.items import generators_left, items_that_change, views_asked
from tangent_lite.checks.never_bound import never_bound
from tangent_lite.passes.delete import deleted


def by_kinds(function: Any) -> None:
    """Refuse what kinds tell of."""
    numbered, facts, typer = function.numbered, function.facts, function.typer
    source, half = function.source, function.half
    checks.left_in_attempts(numbered, function.left, source)
    deleted(numbered, source.refuse)
    generators_left(numbered, facts, source)
    views_asked(numbered, facts, typer, source)
    checks.loops(numbered, facts, typer, source, half.general)
    checks.supers_left(numbered, facts, source)
    checks.attributes(numbered, facts, source)
    checks.functions_as_values(numbered, function.plain, facts, source)
    checks.callees(numbered, facts, source)
    checks.cached_for_what_varies(numbered, facts, typer, source)
    if half.variables is not None:
        checks.outer_variables(numbered, facts, typer, source, half.variables)
    checks.methods_as_values(numbered, facts, typer, source)
    checks.unseen_changes(numbered, facts, typer, source)
    defaults_left(numbered, facts, typer, source)
    checks.special_methods(numbered, facts, typer, source)
    checks.attributes_in_place(numbered, facts, source)
    arrays_of_other_classes(numbered, facts, typer, source)
    writes_next_to_ducks(numbered, facts, typer, source)


def by_aliases(function: Any) -> None:
    """Refuse what shared memory makes wrong."""
    numbered, facts, aliases = function.numbered, function.facts, function.aliases
    source = function.source
    checks.rebound(numbered, facts, aliases, source, function.typer, function.outermost)
    items_that_change(numbered, facts, aliases, source)
    if not function.half.forward:
        checks.nested_alike(numbered, facts, source)
    checks.keys_of_dicts(numbered, facts, source)
    checks.keys_that_vary(numbered, facts, source)
    checks.overlapping(numbered, aliases, source)
    resolver = function.resolver
    never_bound(function.tree, resolver.variables - resolver.injected.keys(), source)
    if not function.outermost:
        checks.helper_updates(source, function.parameters, aliases, facts.result)
        checks.helper_may_write(source, function.parameter_kinds, aliases, facts.result)
