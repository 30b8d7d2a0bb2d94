"""copy.deepcopy: all that a thing holds is copied, what is held twice once."""
from __future__ import annotations

from typing import Any

import numpy as np

from tangent_lite.heap.own import Owner
from tangent_lite.heap.primitives import Back


def deep_copy(tape: Any, x: Any) -> tuple[Any, Back | None]:
    """copy.deepcopy(x)"""
    owner = Owner()
    made = owner.own(x)
    pairs = owner.pairs()

    def back(adjoint: Any) -> Any:
        adjoints = tape.adjoints
        for original, copied in pairs:
            if original is copied:
                continue
            if isinstance(copied, np.ndarray):
                found = adjoints.take(copied) if copied.dtype.kind in "fc" else None
                if found is not None:
                    adjoints.add(original, found)
            else:
                slots = adjoints.slots(copied)
                for key in list(slots):
                    adjoints.add_slot(original, key, slots.pop(key))
        return (adjoint,)

    return made, back
