"""What is refused, and in which sequences of modes; the sequences of the slow tests included."""
from tests.orders.derivatives import SEQUENCES

HIGHER = [s for s in SEQUENCES if len(s) > 1]

REFUSED = {
    # By identity, or by forward mode at the first order: neither is read again.
    "arrays-flattened": HIGHER,
    "containers-list_sliced": "rr fr rrr rfr frr ffr".split(),
    "containers-object_called": HIGHER,
    "containers-dict_with_unknown_keys": "rr fr rrr rrf rfr frr frf ffr".split(),
    # A helper without rules of a higher order.
    "arrays-reductions": [s for s in SEQUENCES if len(s) == 3],
    # What a call hands on may be memory that is written to.
    "arrays-einsums": "rrr frr".split(),
    "flow-helpers_of_arrays": "rrr frr".split(),
    "containers-named_tuple_argument": "rr rrr rrf rfr frr".split(),
    "containers-list_argument": "rrr frr".split(),
    "containers-list_of_arrays_argument": "rrr frr".split(),
    "containers-list_returned": "rrr frr".split(),
    # Arrays in lists that may have a second name.
    "containers-list_stacked": "rrr frr".split(),
    "containers-comprehension_of_arrays": "rrr rrf frr frf".split(),
    "containers-list_copied": "rrr frr".split(),
    # Kinds that are lost on the way.
    "flow-recursion": "rrf frf".split(),
    "containers-object_changed": "rrr frr".split(),
    "containers-list_of_lists": "rrr frr".split(),
}
