"""What is computed again in the backward pass, and what is recorded."""
import numpy as np

import tangent_lite as tl


def test_what_a_function_gives_is_recorded_in_place_of_what_it_is_given():
    def layer(w, x):
        total = 0.0
        for i in range(len(x)):
            a = w[0]
            for k in range(3):
                a += w[k] * x[i]
            total += np.tanh(a) * w[1]
        return total

    def of_both(w, x):
        total = 0.0
        for i in range(len(x)):
            a = w[0]
            for k in range(3):
                a += w[k] * x[i]
            total += np.tanh(a) * a
        return total

    w, x = np.array([0.3, -0.2, 0.5]), np.array([0.7, -1.1])
    assert "append(np.tanh(a))" in tl.grad(layer).source_for(w, x)
    assert "append(a)" not in tl.grad(layer).source_for(w, x)
    assert "a_tape.append(a)" in tl.grad(of_both).source_for(w, x)      # which is read itself
    for function in (layer, of_both):
        tl.check_grads(function, (w, x))
