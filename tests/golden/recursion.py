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
