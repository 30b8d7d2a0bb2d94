"""What the passes that tidy a derivative know of it."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import gast

from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.inference import Typer
from tangent_lite.kinds import Kind


class Derived(Protocol):
    """What a derivative was written from: in reverse mode the context of its backward pass, in
    forward mode `tidy.Written`, where tangents stand for adjoints."""
    adjoints: dict[str, str]                # variable -> name of its adjoint or tangent
    adjoint_kinds: dict[str, Kind]
    aliases: Aliases
    facts: Inferred
    typer: Typer
    versions: dict[str, str]                # later versions -> the user's name


class DerivedInReverse(Derived, Protocol):
    """The same in reverse mode, where passes may write calls of other helpers."""

    @property
    def external(self) -> Callable[[Any, str], gast.expr]:
        """How emitted code spells an object."""
