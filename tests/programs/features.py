"""What a generated program may contain: flags that can be dialled one by one, and named levels."""
import dataclasses
from dataclasses import dataclass


@dataclass(frozen=True)
class Features:
    """Which constructs may appear. Everything up to `helpers` makes up the level foundation."""

    overwrite: bool = True          # x = x * y
    chains: bool = True             # a = b = e
    unpacking: bool = True          # a, b = e, f and swaps
    augmented: bool = True          # x += e on numbers, u += e on arrays
    branches: bool = True           # if / elif / else
    ternaries: bool = True
    conditions: bool = True         # walrus, and / or / not, chained comparisons
    ranges: bool = True             # for over range: start, stop, step, zero trips
    iteration: bool = True          # for over arrays, enumerate, zip, reversed, list displays
    whiles: bool = True
    nesting: bool = True
    arrays: bool = True             # 1-D arrays at all
    matrices: bool = True
    elements: bool = True           # u[i] = e, u[i] += e
    slices: bool = True             # u[1:-1] = e, u[:] = e
    views: bool = True              # v = u[1:], kept and written
    aliases: bool = True            # y = u, kept and written
    locals_: bool = True            # np.zeros, np.empty, copies
    reductions: bool = True
    shaping: bool = True            # reshape, transpose, concatenate, stack, where, cumsum
    integers: bool = True           # k = i % 3, n = n - 1
    odd_names: bool = True          # names that collide with ours
    helpers: bool = True            # pure helper functions, defaults, keyword arguments
    # From here on: the level full
    exits: bool = False             # break and continue
    returns: bool = False           # early return anywhere
    loop_else: bool = False
    guards: bool = False            # try, with
    lists: bool = False             # list variables, append, pop
    tuples: bool = False
    dicts: bool = False
    comprehensions: bool = False
    closures: bool = False          # nested functions and lambdas
    recursion: bool = False
    writers: bool = False           # helpers that write their arguments
    passing: bool = False           # helpers that return their argument, or get an array twice
    masks: bool = False             # boolean masks and integer index arrays
    more_numpy: bool = False        # diff, roll, clip, norms, einsum and the like
    idioms: bool = False            # pieces as scientists write them: tests/programs/idioms
    forms: bool = False             # parameters in objects, methods, closures
    # Which idioms; all of them if none is named
    chosen: tuple = ()


_BASE = ("overwrite", "unpacking", "augmented")
_NAMES = tuple(f.name for f in dataclasses.fields(Features) if f.name != "chosen")


def only(*names):
    """The features named and no others."""
    unknown = set(names) - set(_NAMES)
    if unknown:
        raise ValueError(f"unknown features: {', '.join(sorted(unknown))}; there are {_NAMES}")
    return Features(**{name: name in names for name in _NAMES})


def adjusted(features, add=(), drop=()):
    """A level with some features switched on and others off."""
    on = {name for name in _NAMES if getattr(features, name)} | set(add)
    only(*add, *drop)
    return only(*(on - set(drop)))


LEVELS = {
    "straight": only(*_BASE, "chains", "ternaries"),
    "scalar": only(*_BASE, "chains", "branches", "ternaries", "conditions", "ranges", "whiles",
                   "nesting", "integers", "odd_names"),
    "vector": only(*_BASE, "chains", "arrays", "matrices", "reductions", "shaping", "locals_"),
    "foundation": Features(),
    "full": only(*_NAMES),
}
