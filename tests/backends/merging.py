"""What the backend makes of text before Numba sees it, and what text does that Python runs."""
import copy

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.backends.numba_aside import stand_aside
from tangent_lite.backends.numba_functions import REPLACED
from tangent_lite.backends.numba_fusing import fuse_loops
from tangent_lite.backends.numba_handing import hand_over
from tangent_lite.backends.numba_inlining import inline_calls
from tangent_lite.backends.numba_records import part_records
from tangent_lite.emit import emit
from tangent_lite.names import Names


def means(node):
    if isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name) \
            and node.value.id == "np":
        found = getattr(np, node.attr, None)
        return REPLACED.get(found, found)
    return None


def merged(text, steps=("inline", "fuse", "hand", "part", "aside")):
    """The text of a module after these."""
    trees = gast.parse(text).body
    taken = {name for tree in trees for name in syntax.all_names(tree)}

    fresh = Names(taken).fresh

    if "inline" in steps:
        gone = inline_calls(trees, fresh)
        trees = [tree for tree in trees if tree.name not in gone]
    for tree in trees:
        if "fuse" in steps:
            fuse_loops(tree, means, fresh)
        if "hand" in steps:
            hand_over(tree)
        if "part" in steps:
            part_records(tree, fresh, lambda node: True)
        if "aside" in steps:
            for block in syntax.all_blocks(tree):
                stand_aside(block, can_join)
    return "\n\n".join(map(emit, trees))


def can_join(node):
    """Whether a statement may be one of a run, as if it were about arrays."""
    return isinstance(node, (gast.Assign, gast.AugAssign)) and not any(
        isinstance(part, gast.Attribute) and part.attr in ("append", "pop")
        for part in syntax.walk(node))


def outcome(text, args):
    """What a module's f returns and leaves of its arguments, or the class of the error."""
    space = {"np": np}
    exec(text, space)
    given = copy.deepcopy(args)
    try:
        return repr((space["f"](*given), given))
    except Exception as error:
        return type(error)
