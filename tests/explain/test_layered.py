"""Places of boxes: nothing overlaps, and lines lead downwards or are marked."""

import itertools
import random

import pytest

from tangent_lite.explain.layered import Box, Frame, layout


def program(seed, number=60):
    """A random nest of frames, and edges between its boxes; back edges to the tops of loops."""
    draw = random.Random(seed)
    root, edges, boxes, counter = Frame("f0"), [], [], itertools.count()

    def fill(frame, depth):
        for _ in range(draw.randint(2, 8)):
            if depth < 3 and draw.random() < 0.25:
                inner = Frame(f"f{next(counter)}x", has_head=True)
                frame.children.append(inner)
                fill(inner, depth + 1)
            else:
                box = Box(f"b{next(counter)}", draw.randint(20, 90), draw.randint(20, 40))
                edges.extend((other, box.key) for other in draw.sample(boxes, min(2, len(boxes))))
                boxes.append(box.key)
                frame.children.append(box)
        own = [c.key for c in frame.children if isinstance(c, Box)]
        if frame.has_head and own:
            edges.append((boxes[-1], own[0]))

    while next(counter) < number:
        fill(root, 0)
    return root, edges


def apart(one, other):
    return (one.x + one.width <= other.x or other.x + other.width <= one.x
            or one.y + one.height <= other.y or other.y + other.height <= one.y)


@pytest.mark.parametrize("seed", range(12))
def test_nothing_overlaps(seed):
    root, edges = program(seed)
    lines = layout(root, edges)
    for frame in (root, *root.frames()):
        for one, other in itertools.combinations(frame.children, 2):
            assert apart(one, other)
        for child in frame.children:
            assert frame.x <= child.x and child.x + child.width <= frame.x + frame.width
            assert frame.y <= child.y and child.y + child.height <= frame.y + frame.height
    for line in lines:
        rows = [y for _, y in line.points]
        assert line.is_back or rows == sorted(rows)


@pytest.mark.parametrize("seed", range(12))
def test_every_edge_arrives(seed):
    root, edges = program(seed)
    arrived = {(line.source, line.enters) for line in layout(root, edges) if line.enters}
    assert arrived == set(edges)
