"""What `infer` finds out about a function: the facts that most passes and analyses are given."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite.analyses.mentions import Mentions
from tangent_lite.kinds import UNKNOWN, Kind, is_pending, without_pending

Environment = dict[str, Kind]


@dataclass
class Inferred:
    """Kinds at statements (by id) and objects of calls (by id), and what statements mention."""
    before: dict[int, Environment] = field(default_factory=dict)    # names read, in front of it
    after: dict[int, Environment] = field(default_factory=dict)     # names bound, behind it
    names: Environment = field(default_factory=dict)                # all that a name may be
    callees: dict[int, tuple[Any, gast.expr | None]] = field(default_factory=dict)
    result: Kind = UNKNOWN
    mentions: Mentions = field(default_factory=Mentions)

    def is_open(self) -> bool:
        """Whether it is left open what some value is."""
        return any(is_pending(kind) for environments in (self.before, self.after)
                   for environment in environments.values() for kind in environment.values())

    def close(self) -> None:
        """Let nothing be known of what was left open."""
        for environments in (self.before, self.after):
            for environment in environments.values():
                for name, kind in environment.items():
                    environment[name] = without_pending(kind)
        self.result = without_pending(self.result)
