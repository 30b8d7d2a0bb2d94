"""A function that calls itself: so does its pair."""


def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    if n % 2 == 1:
        return half * half * x
    return half * half


FUNCTION = power
ARGS = (1.3, 5)
WRT = ("x",)


# Emitted -----------------------------------------------------------------------------------------
from tangent_lite.runtime import sum_of_structures, unbroadcast, zeros_like


def power_fwd(x, n):
    """Value of power (recursion.py:4) and what its backward pass needs."""
    power_saved = None
    half = None
    t_1 = None
    if n == 0:
        result = 1.0
    else:
        half, power_saved = power_fwd(x, n // 2)
        if n % 2 == 1:
            t_1 = half * half
            result = t_1 * x
        else:
            result = half * half
    return result, (power_saved, half, x, t_1, n)


def power_bwd(saved, bpower):
    """Backward pass of power (recursion.py:4): adjoints of x."""
    power_saved, half, x, t_1, n = saved
    bx = 0.0
    if not n == 0:
        bhalf = zeros_like(half)
        if n % 2 == 1:
            # return half * half * x
            bt_1 = unbroadcast(bpower * x, t_1)
            bx += unbroadcast(bpower * t_1, x)
            bhalf = sum_of_structures(bhalf, 2.0 * unbroadcast(bt_1 * half, half))
        else:
            # return half * half
            bhalf = sum_of_structures(bhalf, 2.0 * unbroadcast(bpower * half, half))
        # half = power(x, n // 2)
        bx_1 = power_bwd(power_saved, bhalf)
        bx += bx_1
    return bx


def power_grad(x, n, bpower=1.0):
    """Gradient of power (recursion.py:4) with respect to x."""
    # Forward pass
    if not n == 0:
        half, power_saved = power_fwd(x, n // 2)
        if n % 2 == 1:
            t_1 = half * half

    # Backward pass
    bx = 0.0
    if not n == 0:
        bhalf = zeros_like(half)
        if n % 2 == 1:
            # return half * half * x
            bt_1 = unbroadcast(bpower * x, t_1)
            bx += unbroadcast(bpower * t_1, x)
            bhalf = sum_of_structures(bhalf, 2.0 * unbroadcast(bt_1 * half, half))
        else:
            # return half * half
            bhalf = sum_of_structures(bhalf, 2.0 * unbroadcast(bpower * half, half))
        # half = power(x, n // 2)
        bx_1 = power_bwd(power_saved, bhalf)
        bx += bx_1
    return bx
