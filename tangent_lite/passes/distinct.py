"""Mark the indices that name no element twice, since something in them counts.

`p[np.arange(n), labels]` takes one element of each row, so that what comes back to them is added to
each once: `bp[rows, labels] += b` will do, where positions that repeat take `np.add.at`.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.kinds import Array
>>> from tangent_lite.shapes.assumptions import Assumptions
>>> from tangent_lite.stages import stages
>>> def f(p, labels):
...     rows = np.arange(len(labels))
...     return np.sum(p[rows, labels] ** 2 + p[labels, labels])
>>> f.__globals__["np"] = __import__("numpy")
>>> made = stages(f, wrt="p", p=Array(2, "float"),
...               labels=Array(1, "int", Assumptions().sizes_of("labels", (3,))))
>>> print("".join(map(emit, made.written.backward[-3:])), end="")
add_at(bp, (labels, labels), bp_part_1)
bp_part = bt * (2.0 * p_part)
bp[rows, labels] += bp_part

What counts is `np.arange(n)`, from 0 upwards, and all arrays beside it are as long; else one of its
items might be taken with several of theirs. What sorting gives, or looking for what is not zero,
names each place once as well (`analyses.distinct_places`). What is written to is marked, too.
"""
from __future__ import annotations

import gast

from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.distinct_places import DistinctPlaces, makes_places
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.inference import Typer


def distinct(tree: gast.FunctionDef, facts: Inferred, aliases: Aliases, typer: Typer) -> None:
    """Mark the subscripts of a tree that are read or written so."""
    if not any(makes_places(function) for function, _ in facts.callees.values()):
        return
    known = DistinctPlaces(tree, facts, aliases, typer)
    for place in known.places:
        if isinstance(place.node, gast.Assign):
            for part in (place.node.targets[0], place.node.value):
                if isinstance(part, gast.Subscript) and known.is_distinct(part.slice, place):
                    part.is_distinct = True
