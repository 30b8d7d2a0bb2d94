"""What patterns of `match` ask of values."""
from __future__ import annotations


def is_sequence(value):
    """Whether `case [*_]` matches: lists, tuples, ranges and the like, but no text.

    >>> is_sequence((1, 2)), is_sequence("ab")
    (True, False)
    """
    match value:
        case [*_]:
            return True
    return False


def is_mapping(value):
    """Whether `case {}` matches: dicts and the like."""
    match value:
        case {}:
            return True
    return False
