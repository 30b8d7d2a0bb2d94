"""Sets that methods change: those of the caller and of the module stay as they were."""
from tests.traps.case import case

SEEN = {1, 2, 3}


class Box:

    def __init__(self, numbers):
        self.numbers = numbers


def taken_out(x, numbers):
    numbers.difference_update({1})
    return len(numbers) * x * x


def kept_in_common(x, numbers):
    same = numbers
    same.intersection_update({1})
    return len(numbers) * x * x


def put_in_or_taken_out(x, numbers):
    numbers.symmetric_difference_update({1, 7, 8})
    return len(numbers) * x * x


def of_the_module(x):
    SEEN.difference_update({2})
    found = len(SEEN) * x
    SEEN.update({2})
    return found * x


def in_an_object(x, box):
    box.numbers.difference_update({2})
    return len(box.numbers) * x * x


def in_a_dict(x, parts):
    parts["a"].intersection_update({2})
    return len(parts["a"]) * x * x


case(taken_out, 3.0, {1, 2})
case(kept_in_common, 3.0, {1, 2})
case(put_in_or_taken_out, 3.0, {1, 2})
case(of_the_module, 3.0)
case(in_an_object, 3.0, Box({1, 2}))
case(in_a_dict, 3.0, {"a": {1, 2}})
