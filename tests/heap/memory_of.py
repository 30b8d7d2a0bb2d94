"""Whether arrays are known to lie in one memory."""
from tangent_lite.heap.memory import root_of


def same_memory(a, b):
    return root_of(a) is root_of(b)
