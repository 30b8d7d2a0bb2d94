"""What is refused, and in which sequences of modes; the sequences of the slow tests included."""
from tests.orders.derivatives import SEQUENCES

HIGHER = [s for s in SEQUENCES if len(s) > 1]
OVER_REVERSE = "rr fr rrr rfr frr ffr".split()
THIRD_OVER_REVERSE = "rrr rrf frr frf".split()

REFUSED = {
    # By identity, or by forward mode at the first order: neither is read again.
    "arrays-flattened": HIGHER,
    "containers-list_sliced": OVER_REVERSE,
    "containers-object_called": HIGHER,
    "mixed-list_taken_apart": OVER_REVERSE,
    # Values under keys that are not known are taken out of a dict of adjoints.
    "containers-dict_with_unknown_keys": "rr fr rrr rrf rfr frr frf ffr".split(),
    # Arrays in lists that came from a caller, or in containers in lists: who else holds them is
    # not known.
    "mixed-list_of_dicts": "rr fr rrr rrf rfr frr frf ffr".split(),
    "mixed-list_and_number_returned": "rr fr rrr rrf rfr frr frf ffr".split(),
    "mixed-gradient_of_a_list": THIRD_OVER_REVERSE,
    # What a helper returns is one of two things, as an argument says.
    "mixed-singular": ["rrf", "frf"],
    # Parts of a factorisation that is kept for a helper of a helper.
    "mixed-eigenvectors": ["rrr", "frr"],
}
