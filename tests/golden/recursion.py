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
def power_fwd(x, n):
    """Value of power (recursion.py:4) and what its backward pass needs."""
    power_saved = half = t = None
    if n == 0:
        result = 1.0
    else:
        half, power_saved = power_fwd(x, n // 2)
        if n % 2 == 1:
            t = half * half
            result = t * x
        else:
            result = half * half
    return result, (power_saved, half, x, t, n)


def power_bwd(saved, bpower):
    """Backward pass of power (recursion.py:4): adjoints of x."""
    power_saved, half, x, t, n = saved
    bx = 0.0
    if n != 0:
        if n % 2 == 1:
            # return half * half * x
            bx = bpower * t
            bhalf = 2.0 * bpower * x * half
        else:
            # return half * half
            bhalf = 2.0 * bpower * half
        # half = power(x, n // 2)
        bx += power_bwd(power_saved, bhalf)
    return bx


def power_grad(x, n, bpower=1.0):
    """Gradient of power (recursion.py:4) with respect to x."""
    _, saved = power_fwd(x, n)
    return power_bwd(saved, bpower)
