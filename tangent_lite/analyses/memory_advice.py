"""What to write where an array may share memory with another one, and is written to."""
from __future__ import annotations

import re

from tangent_lite.errors import Place


def says(at: Place, name: str) -> bool:
    """Whether the user has written a name at a place: it may be ours."""
    return re.search(rf"\b{re.escape(name)}\b", at.text) is not None


def own_memory(name: str, owner: str | None, at: Place) -> str:
    """How to give memory of its own, not that of its owner, to a name that is bound at a place.

    The statement may have been taken apart, so it is the text that tells what the user can do.
    """
    text = at.text[at.column:at.end_column]
    plain = re.match(rf"{re.escape(name)}\s*(:[^=]+)?=(?!=)\s*(.*)", text)
    if plain and owner and plain[2].startswith(("[", "(", "{")) and re.search(
            rf"\b{re.escape(owner)}\b", plain[2]):
        return f"put {owner}.copy() in, or do not write to it"     # the copy of a list is shallow
    if plain:
        return "put .copy() behind what is assigned here, or do not write to it"
    bound = re.match(r"(?:async )?for (.*?) in |([^=]*?)=(?!=)", text)
    names = re.findall(r"\w+", (bound[1] or bound[2]) if bound else "")
    if name in names and "[" not in text.partition("=")[0]:
        return f"write {name} = {name}.copy() behind it, or do not write to it"
    if text.startswith(("for ", "async for ")):
        return "write to copies of what this loop hands out, or do not write to it"
    return "write to a copy of this part, and put that in its place"
