"""What calls change: methods of the user's that are named as those of lists and dicts are followed
by names, whatever they do."""
import numpy as np
import pytest

import tangent_lite as tl


class Filter:
    def __init__(self, gain):
        self.gain, self.total, self.last = gain, np.zeros(2), None

    def update(self, state):
        return np.tanh(self.gain @ state)

    def add(self, state):
        self.total += state

    def insert(self, state):
        state *= 2.0
        self.last = state
        return np.sum(state)

    def clear(self):
        self.total[:] = 0.0


def changes_nothing(gain):
    kept, state = Filter(gain), np.ones(2)
    for _ in range(3):
        state = kept.update(state)
    return np.sum(state * gain)


def changes_its_arrays(gain):
    kept, state = Filter(gain), 3.0 * gain[0]
    total = kept.total
    for k in range(3):
        kept.add(k * state)
        kept.add(state * state)
    first = np.sum(total * state)
    kept.clear()
    kept.add(gain[1])
    return first + np.sum(total ** 3)


def changes_what_it_is_given(gain):
    kept, state = Filter(gain), 3.0 * gain[0]
    first = kept.insert(state)
    return first * kept.last[0] * state[1]


@pytest.mark.parametrize("f", [changes_nothing, changes_its_arrays, changes_what_it_is_given])
def test_methods_named_as_those_of_containers(f):
    gain = np.array([[0.3, -0.2], [0.5, 0.8]])
    tl.check_grads(f, (gain,), order=2)
    # What is kept in an attribute and written to afterwards goes by identity.
    assert ("tape.call" in tl.grad(f).source_for(gain)) is (f is changes_what_it_is_given)
