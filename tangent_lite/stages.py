"""What the passes make of a function on the way to its derivative: for looking at.

`explain` and `lint` tell what is found here; the examples in the passes show what each of them
does.
"""
from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.adjoints.paths import Path
from tangent_lite.calling.collector import resting
from tangent_lite.calling.depth import room_to_write
from tangent_lite.functions.units import Prepared
from tangent_lite.kinds import Kind
from tangent_lite.names import Names
from tangent_lite.passes.activity import Activity, activity
from tangent_lite.passes.closures import closures
from tangent_lite.passes.shifts import shifts
from tangent_lite.source import Source
from tangent_lite.transform import Stages, Transformer
from tangent_lite.written.externals import Externals


def stages(function: Any, wrt: str | None = None, **parameter_kinds: Kind) -> Stages:
    """What the passes make of a function on the way to its gradient: for looking at."""
    registry.load_rules()
    transformer = Transformer()
    asked: list[Path] = [(wrt,)] if wrt else [(name,) for name, kind in parameter_kinds.items()
                                              if kinds.can_vary(kind)]
    return transformer.by_halves(function, parameter_kinds, True,
                                 functools.partial(_written, transformer, asked))


def _written(transformer: Transformer, wrt: list[Path], prepared: Prepared) -> Stages:
    """The back half in reverse mode."""
    seed = prepared.names.fresh(f"b{prepared.source.name}")
    return transformer.write(prepared, wrt, seed, Externals.of(prepared), False)


@dataclass
class Look:
    """What is known of a function on the way to its derivative."""
    prepared: Prepared
    activity: Activity
    stages: Stages | None           # of reverse mode


def looked_at(function: Any, parameter_kinds: dict[str, Kind], wrt: list[Path],
              general: bool = False, is_forward: bool = False,
              repaired: Callable[[Source], Source] | None = None,
              written: Callable[[Stages], None] | None = None) -> Look:
    """What the passes find out about a function, for explaining it.

    repaired: what to read in the place of each function that is read; written: is given what
    became of each, helpers too.
    """
    registry.load_rules()
    with room_to_write(function.__name__), resting():
        transformer = Transformer(general)
        transformer.forward = is_forward
        transformer.repaired = repaired or transformer.repaired
        transformer.written = written or transformer.written
        transformer.pairs.layouts.underway.append(function)
        if is_forward:
            prepared = transformer.prepare(function, parameter_kinds, True)
            returned = prepared.tree.body[-1].value
            found = activity(syntax.statements(prepared.tree.body), prepared.facts,
                             prepared.aliases, prepared.typer, {path[0] for path in wrt},
                             syntax.read_names(returned) if returned else set(),
                             shifts(prepared.tree, prepared.facts, prepared.aliases,
                                    prepared.typer))
            return Look(prepared, found, None)
        made = transformer.by_halves(function, parameter_kinds, True,
                                     functools.partial(_written, transformer, wrt))
        return Look(made.prepared, made.activity, made)


def normal_form(function: Any) -> tuple[Source, gast.FunctionDef]:
    """A function and its normal form, before anything is known of kinds."""
    transformer = Transformer()
    with room_to_write(function.__name__):
        source, tree, _ = transformer.read(function)
        names = Names()
        tree = closures(tree, names, source, source.refuse)
        return source, transformer.normal(tree, names)


def tangents_of(function: Any, wrt: str | None = None, **parameter_kinds: Kind) -> gast.FunctionDef:
    """What forward mode makes of a function before it is tidied: for looking at."""
    registry.load_rules()
    transformer = Transformer()
    transformer.forward = True
    prepared = transformer.prepare(function, parameter_kinds, True)
    external = Externals.of(prepared)
    asked = [wrt] if wrt else [n for n, kind in parameter_kinds.items() if kinds.can_vary(kind)]
    prepared.tree.body = transformer.jvps.body(prepared, asked, external)[0]
    return prepared.tree


def batch_of(function: Any, batched: list[str], **parameter_kinds: Kind) -> list[gast.stmt]:
    """The body of a function with a leading axis for some parameters: for looking at."""
    registry.load_rules()
    transformer = Transformer()
    transformer.batched = True
    prepared = transformer.prepare(function, parameter_kinds, True)
    external = Externals.of(prepared)
    return transformer.batches.body(prepared, dict.fromkeys(batched, True), external)[0][1:]
