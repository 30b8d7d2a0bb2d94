"""Which reads no way through a function tells to be of what is bound."""
import gast
import pytest

from tangent_lite.analyses.unsure_reads import unsure_reads

SURE = {
    "the first round binds": """
for k in range(n):
    if k == 0:
        h = x
    s = s + h
""",
    "a condition holds again": """
if c > 1:
    b = x
if not c <= 1:
    s = b
""",
    "a flag of each way": """
found = False
for k in range(n):
    if x > k:
        y = x
        found = True
        break
if not found:
    y = s
s = y
""",
    "both loops in their first round": """
for i in range(n):
    for j in range(n):
        if i == 0 and j == 0:
            h = x
        else:
            h = h + x
""",
    "numbers handed to a call stay": """
k = 0
while k < n:
    if k > 0:
        s = h
    h = x
    print(k)
    k += 1
""",
}
UNSURE = {
    "the condition is another one": ("""
if c > 1:
    b = x
c = c + 1
if c > 1:
    s = b
""", "b"),
    "what the condition reads is written to": ("""
if x[0] > 1:
    b = x
x[0] = 2
if x[0] > 1:
    s = b
""", "b"),
    "another range": ("""
for i in range(n):
    h = x
for i in range(c):
    s = h
""", "h"),
    "a loop that is left before it binds": ("""
for i in range(n):
    if x > i:
        break
    h = x
for i in range(n):
    s = h
""", "h"),
    "the counter begins again": ("""
for i in range(n):
    k = 0
    for j in range(c):
        if k > 0:
            s = h
        k = k + 1
    h = x
""", "h"),
}


@pytest.mark.parametrize("text", SURE.values(), ids=SURE)
def test_what_is_bound(text):
    assert not unsure_reads(gast.parse(text).body, {"x", "n", "c", "s"})


@pytest.mark.parametrize("text, name", UNSURE.values(), ids=UNSURE)
def test_what_may_be_unbound(text, name):
    found = unsure_reads(gast.parse(text).body, {"x", "n", "c", "s"})
    assert [{name}] == list(found.values())
