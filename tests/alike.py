"""Whether two gradients are the same, class by class and number by number."""
import numpy as np

from tangent_lite.runtime.tangents import attributes, is_record


def alike(found, wanted):
    if type(found) is not type(wanted):
        return False
    if isinstance(found, np.ndarray):
        return found.dtype == wanted.dtype and np.array_equal(found, wanted)
    if isinstance(found, (list, tuple)):
        return len(found) == len(wanted) and all(map(alike, found, wanted))
    if isinstance(found, dict):
        return list(found) == list(wanted) and all(alike(found[k], wanted[k]) for k in found)
    if is_record(found):
        return alike(attributes(found), attributes(wanted))
    return found is wanted or found == wanted
