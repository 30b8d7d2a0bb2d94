"""Builtins that call a method of what they are given, if its class says in Python what they do."""
from __future__ import annotations

import math
import operator
from typing import Any

BY_METHOD: tuple[tuple[Any, str], ...] = (
    (len, "__len__"), (abs, "__abs__"), (operator.abs, "__abs__"), (round, "__round__"),
    (float, "__float__"), (complex, "__complex__"), (int, "__int__"), (divmod, "__divmod__"),
    (math.floor, "__floor__"), (math.ceil, "__ceil__"), (math.trunc, "__trunc__"))
