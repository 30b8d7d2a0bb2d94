"""The only traps that are refused, by either strategy, and what the error says."""

REFUSED = {
    "inplace-copyto_torn": "NumPy overwrites some of it unread",
    "inplace-copyto_torn~2": "NumPy overwrites some of it unread",
    "inplace-mask_torn": "NumPy overwrites some of it unread",
    "inplace-mask_torn~2": "NumPy overwrites some of it unread",
    "identity_calls-fromfunction_closure": "<lambda> is handed to fromfunction",
    "protocols-array_in_a_box": "an array of objects holds what varies or changes",
    "protocols-number_in_a_box": "an array of objects holds what varies or changes",
    "protocols-numbers_as_objects": "an array of objects holds what varies or changes",
    "identity_effects-array_record2": "NumPy makes arrays of objects of VecT",
    "identity_lists-list_subclass": "L is built on a class that is not written in Python",
    "identity_lists-dict_subclass": "D is built on a class that is not written in Python",
    "identity_lists-dict_subclass_global": "a D is a dict of a kind of its own",
    "identity_lists-list_subclass_global": "a L is a list of a kind of its own",
    "identity_lists-list_subclass_arg": "list_subclass_arg: the argument l is of type L",
    "identity_lists-deepcopy_own_inside": "DC says in __deepcopy__ how it is copied",
    "identity_objects-contains_writes": "a number that a comparison or a key is given is kept",
    "identity_tuples-nt_new": "how a Scaled comes to be cannot be followed",
    "identity_tuples-nt_getitem": "how a TwiceIndex comes to be cannot be followed",
}
