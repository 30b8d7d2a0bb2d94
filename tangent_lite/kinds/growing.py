"""What is known of objects while calls are yet to be written out that give them attributes."""
from __future__ import annotations

from tangent_lite.kinds import UNKNOWN, Kind, RecordKind, join


def join_growing(a: Kind, b: Kind) -> Kind:
    """What holds of a value that is of one of two kinds: as `kinds.join`, but of two objects of one
    class each attribute of one is there, though nothing is known of what the other one may not
    have. So methods are found that are called in the same loop; in the end, when they are written
    out, an object that has an attribute on some ways only is of no known kind. Which attributes
    there are is not known here, and who asks for all of them waits.

    >>> from tangent_lite.kinds import FLOAT
    >>> class Layer:
    ...     pass
    >>> with_both = join_growing(RecordKind(Layer, ("W",), (FLOAT,)),
    ...                          RecordKind(Layer, ("W", "x"), (FLOAT, FLOAT)))
    >>> dict(zip(with_both.fields, with_both.items)) == {"W": FLOAT, "x": UNKNOWN}
    True
    """
    if not (isinstance(a, RecordKind) and isinstance(b, RecordKind) and a.type is b.type):
        return join(a, b)
    one, other = dict(zip(a.fields, a.items)), dict(zip(b.fields, b.items))
    fields = (*one, *(field for field in other if field not in one))
    return RecordKind(a.type, fields, tuple(
        join_growing(one[field], other[field]) if field in one and field in other else UNKNOWN
        for field in fields))


def grows(a: Kind, b: Kind) -> bool:
    """Whether `join_growing` makes something else of two kinds than `kinds.join`: they are objects
    of one class with other attributes, or hold such."""
    return a is not b and isinstance(a, RecordKind) and isinstance(b, RecordKind) \
        and a.type is b.type and (a.fields != b.fields or any(map(grows, a.items, b.items)))
