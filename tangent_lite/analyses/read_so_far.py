"""What adjoints read up to a place of the forward pass: the state of to-be-recorded analysis."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import gast


@dataclass
class State:
    """Names and buffer classes that some adjoint so far reads; names certainly bound.

    Of new arrays that nothing else holds, by their names: `unread`, those that no adjoint reads as
    they are up to here; `elements`, those of which adjoints read elements alone, each as one
    statement (its id) has left it, which writes to each element but once.
    """
    names: set[str]
    buffers: set[str]
    bound: set[str]
    unread: set[str] = field(default_factory=set)
    elements: dict[str, int] = field(default_factory=dict)

    @property
    def own(self) -> set[str]:
        """New arrays that nothing else holds."""
        return self.unread | self.elements.keys() if self.elements else self.unread

    def is_own(self, name: str | None, node: gast.stmt) -> bool:
        """Whether a statement that writes to an array writes over nothing that is read."""
        return name in self.unread or (name is not None and self.elements.get(name) == id(node))

    def copy(self) -> State:
        return State(set(self.names), set(self.buffers), set(self.bound), set(self.unread),
                         dict(self.elements))

    def lose(self, names: Iterable[str], contents_of: Callable[[str], set[str]]) -> None:
        """Arrays are to be taken for any others of their classes from here on: what adjoints read
        of them is to stay as it is."""
        self.unread.difference_update(names)
        for name in self.elements.keys() & names if self.elements else ():
            del self.elements[name]
            self.buffers |= contents_of(name)

    def joined(self, other: State, contents_of: Callable[[str], set[str]]) -> State:
        """What holds where two ways meet."""
        found = State(self.names | other.names, self.buffers | other.buffers,
                      self.bound & other.bound, self.unread & other.unread)
        if not self.elements and not other.elements:
            return found
        for name in self.elements.keys() | other.elements.keys():
            writers = {state.elements[name] for state in (self, other) if name in state.elements}
            if len(writers) == 1 and all(name in state.elements or name in state.unread
                                         for state in (self, other)):
                (found.elements[name],) = writers
            else:
                found.buffers |= contents_of(name)
        return found
