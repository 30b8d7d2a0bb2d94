"""What lives during one run of a derivative by identity: adjoints, own copies, changes, cells."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tangent_lite.heap import arrays
from tangent_lite.heap.draws import Draws
from tangent_lite.heap.memory import Adjoints, Cell
from tangent_lite.heap.moving import Tangents
from tangent_lite.heap.own import Owner, Shared

if TYPE_CHECKING:
    from tangent_lite.heap.tape import Tape


class Heap:
    """All that lives during one call of a derivative; around: of the run that this is a step of."""

    def __init__(self, order: int = 0, records: bool = True, draws: Draws | None = None,
                 around: Heap | None = None) -> None:
        self.draws = draws or Draws()
        self.spaces: dict[int, tuple[Any, Any]] = {}     # see `space_of`
        self.adjoints = Adjoints(self.spaces)
        self.order, self.records = order, records   # along how many directions; with a way back
        self.tangents = Tangents(order)
        self.shared: Shared = Shared(None if around is None else around.shared)
        self.owner = Owner(self.shared)         # of what lives outside
        self.own, self.ours, self.is_ours = (
            self.owner.own, self.owner.ours, self.owner.is_known)
        self.entries: list[list[Any]] = []      # of all tapes of the run
        self.changes: list[arrays.Change] = []
        self.in_matrices: list[np.ndarray] = []     # numbers of sparse matrices, which were read
        self.writes = 0                         # how often anything was changed
        self.writes_of_numbers = 0              # and how often a number in an object
        self.writes_text = False                # whether numbers became text
        self.kept: dict[Any, Any] = {}          # what cached functions gave
        # Functions that are nothing but what stands in them, and their passes, once it is known.
        self.followed: dict[Any, Any] = {}
        self._cells: dict[Any, Cell] = {}
        self.current: Tape | None = None        # of the function that runs at this moment

    @property
    def written(self) -> tuple[int, int]:
        """What is another if anything changed in between that an adjoint may depend on."""
        return self.writes, self.writes_of_numbers

    def undo(self, change: arrays.Change) -> None:
        """Put back what a change wrote over."""
        change.swap()
        if change.lost is not None:
            self.adjoints.add(change.x, change.lost)

    def close(self) -> None:
        """Let go of all that was recorded: no backward pass will follow. Entries know their tape,
        and would stay, with the arrays they hold, until the garbage collector comes by."""
        for entries in self.entries:
            entries.clear()
        self.entries.clear()
        self.followed.clear()
        self._cells.clear()
        self.current = None
        self.shared.close()

    def again(self) -> None:
        """Make all changes again, after a backward pass, for another one."""
        for change in self.changes:
            change.swap()
        self.adjoints = Adjoints(self.spaces)

    def write(self, thing: Any) -> None:
        """Note that a container, or the memory of an array, is about to change."""
        self.writes += 1
        if id(thing) in self.spaces:
            thing = self.spaces[id(thing)][1]
        self.shared.write(thing)

    def space_of(self, x: Any) -> dict[str, Any]:
        """The attributes of an object, as a dict that is written to and read like the object."""
        found: dict[str, Any] = vars(x)
        self.spaces[id(found)] = found, x
        return found

    def cell_of(self, key: Any) -> Cell | None:
        """What stands for a variable outside in this run, if anything does."""
        return self._cells.get(key)

    def has_cell(self, key: Any) -> bool:
        """Whether something stands for a variable outside in this run, and may have changed."""
        return key in self._cells

    def keeps_as_it_is(self, variable: tuple[dict[str, Any], str]) -> bool:
        """Whether a global, a name in a space of names, means in this run what it means outside."""
        space, name = variable
        cell = self._cells.get(("global", id(space), name))
        return cell is None or getattr(cell, "value", None) is space.get(name, cell)

    @property
    def keeps_any(self) -> bool:
        """Whether anything stands in this run for what lives outside."""
        return bool(self._cells)

    def keeps_attributes_of(self, thing: Any) -> bool:
        """Whether something stands in this run for an attribute of a function or class from
        outside, or of the class of an object."""
        about = thing.__mro__ if isinstance(thing, type) else (thing, *type(thing).__mro__)
        return any(key[0] == "attribute" and any(key[1] is one for one in about)
                   for key in self._cells)

    def cell(self, key: Any, value: Callable[[], Any]) -> Cell:
        """What stands for a variable outside in this run."""
        found = self._cells.get(key)
        if found is None:
            found = self._cells[key] = Cell()
            found.heap = self
            try:
                found.value = self.own(value())
            except (KeyError, ValueError):
                pass                            # not bound
        return found
