"""What passes note on nodes themselves: the attributes that are no fields of gast.

Facts about nodes live in the results of analyses. These have to survive that trees are copied,
renamed and normalised again, so they are attributes, which `nodes.copy` copies. Whoever adds one
declares it here, with what it stands on. They are read by `getattr(node, name, None)`: no node has
to have them. Those that hold nodes are gone through with the tree (`nodes._ADDED`).
"""
from __future__ import annotations

from typing import Any, NamedTuple

import gast

from tangent_lite.nodes import all_of

# Of modules above this one, and of gast, which says no types.
Node = Any
Source = Any
LocalFunction = Any
Marker = Any
Kind = Any
TangentError = Any


class Marks:
    """The marks by name. Nothing is of this class: it is the list, held against the package by
    tests/syntax/test_marks.py."""

    # Where a node comes from
    origin: Source              # on what was taken from another function: where its text stands
    chain: tuple[Any, ...]      # on the same: the functions that were written out around it
    spot: tuple[int, Any]       # on a statement of ours: (line, origin) of the user's
    mark: int                   # on what may be written out later: by which it is found again
    place: Node                 # on what a written-out function returns: what bound it
    written_as: Node            # on a statement that heap made: the user's that it stands for
    local: LocalFunction        # on a Lambda, or the text that names it: what it stands for
    marker: Marker              # on a Call: the mark that it is (`markers`)
    way: tuple[int, int | None]     # on a test: the try, and its handler, that it chooses

    # Assignments that were written for something else
    is_entry_copy: str          # on an Assign: `x_1 = x.copy()` that own wrote: of what
    is_entry_part: bool         # on what own wrote for that of an object: it reads what lives
    #                             outside, and the object is known by its parts from there on
    goes_into: Node             # on an Assign: `t = f(x)` that effects made of `f(x, out=y)`; the
    #                             expression for np.empty_like
    result_of: bool             # on an Assign: `y[...] = t` of the same; whether t is made in y's
    #                             own type and order
    fits: bool                  # with it: t has the shape of y
    casting: list[Node]         # with it: the keywords that say what may be cast
    apart: bool                 # on an Assign into an array: what is read must not lie in it
    is_masked: bool             # with it: but for the array itself, since a mask chooses
    in_turn: bool               # on an Assign into an array: NumPy writes while it reads
    was_in_place: bool          # on an Assign: that of `x += v`, which settle wrote out
    repeats: Node               # on an AugAssign: np.add.at, which effects wrote as `y[k] += v`
    sees_owner: bool            # on an AugAssign: `x[i] += v` of which v reads x
    gives_back: bool            # on an Assign into an array: what a twin returned for it
    all_of_dict: bool           # on a Slice that stands for all that a dict holds
    is_of_twin: bool            # on a Call: the copy with which a twin begins
    is_done_by_call: bool       # on an Assign into an array: the call in front of it does so
    acts: bool                  # on a Call: it may do more than compute, and stays where it is

    # Parts of containers and objects
    is_told: bool               # on a List that own_parts wrote: it becomes a tuple (True: now)
    picks_last: bool            # on a Subscript of a Tuple: its other parts bind names, and no more
    of_class: type              # on a Subscript: which of several classes the item is of
    iterates: bool              # on a Subscript: `xs[k]` that desugar wrote for `for v in xs`
    part_of: Node               # on what is written to: `p["a"]` of `p["a"]["b"] = v`
    put_back: bool              # on a value that was put back into what it is a part of
    updates: str                # on a new value of an object or a dict: the name that it changes
    drops: str                  # on a Dict: the one of which it is all but the key that is popped
    dynamic: bool               # on a Subscript that is written to: the key is no field of a record
    is_there: bool              # on a Subscript: a key that the dict has
    in_place: bool              # on a part that was read for `part += v`: an array there is changed
    of_part: bool               # on a BinOp: `part + v` of the same: an array keeps shape and type,
    #                             or NumPy raises
    may_not_fit: bool           # with it: whether that matters
    keeps_shape: bool           # on a BinOp: `x + v` that bind wrote for `x += v`: it has x's shape
    sets_field: bool            # on an Attribute: `p.x = v` of a dataclass that is being made
    behind: type                # on an Attribute: `self.f` for `super().f`; the class behind which
    #                             f is looked for
    is_nested: bool             # on an index: `rows[i][j]` as one (`structures.nested`),
    is_swap: bool               # two items of a list that change places,
    is_grown: bool              # the place behind the last item of a list in a dict
    flat_use: str               # on `x.flat`: "item" or "slice" is read, or it is written to
    flat_index: Node            # with "item": which one, as it was written
    is_distinct: bool           # on a Subscript: each of its elements is another one

    # Loops, and what runs ahead of them
    n_steps: str                # on a For or While: the variable in which frame counts its steps
    checkpointed: bool          # on a For: it runs over checkpoint(...)
    lazily: list[Node]          # on a For: the names that an iterator reads while the loop runs
    looks_into: bool            # with it: not only to hand on what these hold
    runs_ahead: bool            # on a For or ListComp: its items are computed before they are asked
    may_raise: bool             # on an Expr that is a name: it is read to see whether it is bound
    of_next: bool               # on a Raise: that of `next`, where nothing is left
    takes_item: bool            # on a Call: where an item of a generator is used
    is_spread: bool             # on a comprehension: `f(*[...])`, of which only the items are taken
    momentary: bool             # on a comprehension or append: the list is read once, and gone
    manages: bool       # on a call: what it gives is entered and left, by `with`
    must_be_written: bool | TangentError    # on a call or comprehension: it is written out, or that
    #                             is the error

    # Conditions and ways out
    asks: bool                  # on a test: a pattern asks for it, whatever is known, or it
    #                             stands in a loop that was written out
    matched: bool               # on a Name: a case was met
    remembers: bool             # on a Compare: whether a cached function knows its result
    is_flagged: bool            # on a Return: its flag is set in front of it
    is_return: bool             # on a Break or Continue: it stands for a return
    is_held: bool               # on a NamedExpr: hold wrote it to keep the order of evaluation
    mirrored: bool              # on a withitem: the backward pass enters it, too

    # Values
    viewed: str                 # on a view: the name that it is a view of
    is_view: bool               # on a Call: it gives a view of a dict
    derived_as: Node            # on a value: the call that is differentiated in its place,
    derived_beside: Node | None     # and what that takes of it, under a name
    structure: Kind | None      # on zeros: the kind of each item (`polish.filled_lists`)
    filled: list[Any]           # on `[None] * n`: (block, statement) of what fills it
    tapes: list[str]            # on the If of a try: the tapes that its body fills
    is_column: bool             # on a Subscript: a vector as a column
    matrix: str                 # on a product: the side that is a matrix; the other is a vector
    shorter: str                # on a product or zeros: the way of NumPy that is shorter
    joins: bool                 # on a BinOp: it joins or repeats lists
    of_element: bool            # on `v.copy()`: batch wrote it, of an element
    is_copy: bool               # on `replaced(x, ...)` in a derivative: x stays as it is

    # What heap asks
    makes_class: bool           # on a Call of `type`: the statement that makes a class
    stands_for_generator: bool  # on a Call: a map or filter that comes to its end once
    to_adjoin: Node             # on a FunctionDef that is run as it is: as it is to be adjoined


# Those that stand in few functions, and that several steps look for once a function is written.
SOUGHT = frozenset({"of_class", "is_nested", "is_swap", "is_grown", "is_column", "shorter",
                    "structure"})


class Sought(NamedTuple):
    """What is looked for in a tree: which of those marks it has, and whether parts of anything are
    read or written to in it."""
    marks: frozenset[str]
    has_parts: bool


def sought_in(tree: gast.AST) -> Sought:
    """Found in one walk for all that look for one.

    >>> tree = gast.parse("y = A @ x")
    >>> tree.body[0].value.shorter = "dot"
    >>> sought_in(tree)
    Sought(marks=frozenset({'shorter'}), has_parts=False)
    """
    none_in = SOUGHT.isdisjoint
    marks: set[str] = set()
    has_parts = False
    for node in all_of(tree, gast.BinOp, gast.Call, gast.Subscript, gast.Tuple):
        if not none_in(node.__dict__):
            marks |= SOUGHT & node.__dict__.keys()
        has_parts |= node.__class__ is gast.Subscript
    return Sought(frozenset(marks), has_parts)
