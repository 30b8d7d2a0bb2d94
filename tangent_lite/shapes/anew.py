"""What is another one each time it is found: tokens for shapes, and what holds for now only.

Who keeps what was found asks whether any of that was met on the way: then it has to be found anew.
"""
from __future__ import annotations

import itertools

_tokens = itertools.count(1)
_last = [0]             # the token that was given out last


def token() -> int:
    """A number that equals no other token.

    >>> token() == token()
    False
    """
    found = _last[0] = next(_tokens)
    return found


def since() -> int:
    """The last token: as long as it stays the same, nothing of this sort was found.

    Another thread's tokens change it as well, which is on the safe side; and it does not come back.

    >>> before = since()
    >>> since() == before, token() and since() == before
    (True, False)
    """
    return _last[0]
