"""Places for boxes in frames, and ways for the lines between them: a layered drawing.

Boxes stand in rows, each below all that leads to it; a frame holds boxes and further frames, is
laid out by itself first, and is one box to the frame around it. So nothing overlaps by
construction. A line that passes rows does so through places of its own in them, and one that
crosses the border of a frame does so at a port; lines from one box share their way as far as it is
the same. What leads backwards leaves its loop's frame at the bottom and comes in again at the top,
along the right side.

Rows: longest paths. Order in a row: barycentres, a few sweeps. Places in a row: as near to what a
box is joined to as the order allows, which is isotonic regression.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

GAP = 18.0                  # between boxes in a row
ROW = 30.0                  # between rows
PAD = 14.0                  # between a frame and what is in it
LANE = 9.0                  # between lines that lead backwards
SWEEPS = 4

Point = tuple[float, float]


@dataclass
class Box:
    """Something with a text; x, y: its left upper corner; sinks: where nothing leads to it, it
    stands right above what it leads to."""
    key: str
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0
    sinks: bool = False


@dataclass
class Frame:
    """Boxes and frames in the order of the program; the first box of one with a head is above all
    others."""
    key: str
    children: list[Box | Frame] = field(default_factory=list)
    has_head: bool = False
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0

    def boxes(self) -> Iterator[Box]:
        """All boxes in it, those of frames in it too."""
        for child in self.children:
            if isinstance(child, Frame):
                yield from child.boxes()
            else:
                yield child

    def frames(self) -> Iterator[Frame]:
        """All frames in it."""
        for child in self.children:
            if isinstance(child, Frame):
                yield child
                yield from child.frames()


@dataclass
class Line:
    """A piece of the way from a box to others: points, joined from each to the next.

    is_back: it belongs to a way that leads backwards; enters: the key of the box that it ends at.
    """
    source: str
    points: list[Point]
    is_back: bool = False
    enters: str | None = None


@dataclass
class _Item:
    """What stands in a row: a box, a frame, a port, or the place of a line that passes."""
    width: float
    height: float
    row: int = 0
    x: float = 0.0
    y: float = 0.0
    what: Box | Frame | None = None
    # Where lines enter and leave a frame, by where they come from.
    into: dict[str, float] = field(default_factory=dict)
    out_of: dict[str, float] = field(default_factory=dict)

    def entry(self, net: str) -> float:
        return self.into.get(net, self.width / 2)

    def exit(self, net: str) -> float:
        return self.out_of.get(net, self.width / 2)


@dataclass
class _Plan:
    """What is drawn in one frame: links (from, to, net); a net is all that comes from one box."""
    links: dict[tuple[str, str, str], None] = field(default_factory=dict)
    back: dict[str, None] = field(default_factory=dict)     # nets that lead backwards in it
    items: dict[str, _Item] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)         # relative to the frame


def layout(root: Frame, edges: Iterable[tuple[str, str]]) -> list[Line]:
    """Give all boxes and frames their places; the lines of the edges (keys of boxes). An edge to a
    box that stands above in the program leads backwards: to one of a frame around its start."""
    around: dict[str, list[Frame]] = {}
    order: dict[str, int] = {}
    todo: list[tuple[Frame, list[Frame]]] = [(root, [root])]
    while todo:
        frame, path = todo.pop()
        for child in frame.children:
            around[child.key] = path
            if isinstance(child, Frame):
                todo.append((child, [*path, child]))
    for number, box in enumerate(root.boxes()):
        order[box.key] = number
    plans = {frame.key: _Plan() for frame in (root, *root.frames())}
    for start, end in dict.fromkeys(edges):
        _route(start, end, order[end] <= order[start], around, plans)
    lines: list[Line] = []
    for frame in reversed([root, *_outside_in(root)]):
        _place(frame, plans)
    todo_frames = [root]
    while todo_frames:
        frame = todo_frames.pop(0)
        for line in plans[frame.key].lines:
            lines.append(Line(line.source, [(x + frame.x, y + frame.y) for x, y in line.points],
                              line.is_back, line.enters))
        for child in frame.children:
            child.x += frame.x
            child.y += frame.y
            if isinstance(child, Frame):
                todo_frames.append(child)
    return lines


def _outside_in(frame: Frame) -> Iterator[Frame]:
    todo = [frame]
    while todo:
        one = todo.pop(0)
        inner = [c for c in one.children if isinstance(c, Frame)]
        yield from inner
        todo += inner


def _route(start: str, end: str, is_back: bool, around: dict[str, list[Frame]],
           plans: dict[str, _Plan]) -> None:
    """Note in each frame which part of the way of an edge lies in it."""
    out, into = around[start], around[end]
    shared = 0
    while shared < min(len(out), len(into)) and out[shared] is into[shared]:
        shared += 1
    common = plans[out[shared - 1].key]
    first = start
    for frame in reversed(out[shared:]):
        plans[frame.key].links[first, f"out {start}", start] = None
        first = frame.key
    last = into[shared].key if shared < len(into) else end
    net = start
    if is_back:
        net = f"back {start}"
        common.links[first, f"out {net}", start] = None
        common.links[f"in {net}", last, net] = None
        common.back[net] = None
    else:
        common.links[first, last, start] = None
    for number, frame in enumerate(into[shared:], shared):
        inner = into[number + 1].key if number + 1 < len(into) else end
        plans[frame.key].links[f"in {net}", inner, net] = None


def _place(frame: Frame, plans: dict[str, _Plan]) -> None:
    """Rows, order and places of what is in one frame, whose own frames have their sizes."""
    plan = plans[frame.key]
    items = plan.items
    for link in plan.links:
        if link[0].startswith("in "):
            items[link[0]] = _Item(2.0, 0.0)
    for child in frame.children:
        items[child.key] = item = _Item(child.width, child.height, what=child)
        if isinstance(child, Frame):
            for name, port in plans[child.key].items.items():
                side, _, net = name.partition(" ")
                if side in ("in", "out") and net not in plans[child.key].back and port.what is None:
                    spot = port.x + port.width / 2
                    (item.into if side == "in" else item.out_of)[net] = spot
    for link in plan.links:
        if link[1].startswith("out "):
            items.setdefault(link[1], _Item(2.0, 0.0))
    segments = _rows(frame, plan)
    rows: list[list[_Item]] = [[] for _ in range(max((i.row for i in items.values()), default=0)
                                                 + 1)]
    for item in items.values():
        rows[item.row].append(item)
    above: dict[int, list[tuple[_Item, str]]] = {}
    below: dict[int, list[tuple[_Item, str]]] = {}
    for one, other, net in segments:
        above.setdefault(id(other), []).append((one, net))
        below.setdefault(id(one), []).append((other, net))
    _order(rows, above, below)
    _spread(rows, above, below)
    left = min((item.x for item in items.values()), default=0.0)
    y, bottoms = PAD, []
    for row in rows:
        height = max((item.height for item in row), default=0.0)
        for item in row:
            item.x += PAD - left
            item.y = y
        bottoms.append(y + height)
        y += height + ROW
    right = max((item.x + item.width for item in items.values()), default=0.0)
    frame.height = bottoms[-1] + PAD
    frame.width = right + PAD + LANE * len(plan.back)
    _draw(frame, plan, segments, bottoms)
    for item in items.values():
        if item.what is not None:
            item.what.x, item.what.y = item.x, item.y


def _rows(frame: Frame, plan: _Plan) -> list[tuple[_Item, _Item, str]]:
    """Give each item its row, and lines that pass rows places in them; the links between rows."""
    items = plan.items
    leading: dict[str, list[str]] = {}
    for one, other, _ in plan.links:
        leading.setdefault(other, []).append(one)
    first = 1 if any(name.startswith("in ") and item.what is None
                     for name, item in items.items()) else 0
    head = frame.children[0].key if frame.has_head and frame.children else None
    last = 0
    for child in frame.children:                # the order of the program is one of all that leads
        before = [items[name].row for name in leading.get(child.key, ())]
        if head is not None and child.key != head:
            before.append(items[head].row)
        items[child.key].row = max([first - 1, *before]) + 1
        last = max(last, items[child.key].row)
    following: dict[str, list[str]] = {}
    for one, other, _ in plan.links:
        following.setdefault(one, []).append(other)
    for child in frame.children:
        if isinstance(child, Box) and child.sinks and child.key not in leading:
            behind = [items[name].row for name in following.get(child.key, ())
                      if items[name].what is not None]
            items[child.key].row = max(items[child.key].row, min(behind, default=1) - 1)
    for name, item in items.items():
        if name.startswith("out ") and item.what is None:
            item.row = last + 1
    segments = []
    passing: dict[tuple[str, str, int], _Item] = {}
    for one, other, net in plan.links:
        start, end = items[one], items[other]
        at = start
        for row in range(start.row + 1, end.row):
            key = (one, net, row)
            through = passing.get(key)
            if through is None:
                through = passing[key] = _Item(2.0, 0.0, row)
                items[f"pass {one} {net} {row}"] = through
                segments.append((at, through, net))
            at = through
        segments.append((at, end, net))
    return segments


def _order(rows: list[list[_Item]], above: dict[int, list[tuple[_Item, str]]],
           below: dict[int, list[tuple[_Item, str]]]) -> None:
    """Order each row by where what its items are joined to stands, downwards and upwards in turn.
    """
    place: dict[int, float] = {}

    def note(row: list[_Item]) -> None:
        for number, item in enumerate(row):
            place[id(item)] = (number + 0.5) / len(row)

    for row in rows:
        note(row)
    for sweep in range(SWEEPS):
        joined = above if sweep % 2 == 0 else below
        for row in rows if sweep % 2 == 0 else reversed(rows):
            middle = {}
            for item in row:
                others = joined.get(id(item), ())
                middle[id(item)] = sum(place[id(o)] for o, _ in others) / len(others) \
                    if others else place[id(item)]
            row.sort(key=lambda item: middle[id(item)])
            note(row)


def _spread(rows: list[list[_Item]], above: dict[int, list[tuple[_Item, str]]],
            below: dict[int, list[tuple[_Item, str]]]) -> None:
    """Find the place of each item in its row, near to what it is joined to."""
    for row in rows:
        x = 0.0
        for item in row:
            item.x = x
            x += item.width + GAP
    for sweep in range(2 * SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wished = []
            for item in row:
                spots = [o.x + o.exit(net) - item.entry(net) for o, net in
                         above.get(id(item), ())] if sweep % 2 == 0 or sweep > SWEEPS else []
                if sweep % 2 == 1 or sweep > SWEEPS:
                    spots += [o.x + o.entry(net) - item.exit(net) for o, net in
                              below.get(id(item), ())]
                wished.append(sum(spots) / len(spots) if spots else item.x)
            _fit(row, wished)


def _fit(row: list[_Item], wished: list[float]) -> None:
    """The places nearest to those that are wished for, without overlaps: pooled neighbours."""
    offset, offsets = 0.0, []
    for item in row:
        offsets.append(offset)
        offset += item.width + GAP
    pools: list[tuple[float, int]] = []         # (mean, count)
    for want, shift in zip(wished, offsets):
        mean, count = want - shift, 1
        while pools and pools[-1][0] > mean:
            other, many = pools.pop()
            mean, count = (mean * count + other * many) / (count + many), count + many
        pools.append((mean, count))
    number = 0
    for mean, count in pools:
        for _ in range(count):
            row[number].x = mean + offsets[number]
            number += 1


def _draw(frame: Frame, plan: _Plan, segments: list[tuple[_Item, _Item, str]],
          bottoms: list[float]) -> None:
    """The lines of one frame: down to the end of the row, across to the next, down to the item."""
    for one, other, net in segments:
        source = net.removeprefix("back ")
        x, end = one.x + one.exit(net), other.x + other.entry(net)
        y = one.y + one.height
        points = [(x, y)]
        if bottoms[one.row] > y:
            points.append((x, bottoms[one.row]))
        points.append((end, other.y))
        enters = other.what.key if isinstance(other.what, Box) else None
        plan.lines.append(Line(source, points, net.startswith("back "), enters))
    for name, item in plan.items.items():
        side, _, net = name.partition(" ")
        if item.what is not None or side not in ("in", "out"):
            continue
        x = item.x + item.width / 2
        if net in plan.back:
            continue
        points = [(x, 0.0), (x, item.y)] if side == "in" else [(x, item.y), (x, frame.height)]
        plan.lines.append(Line(net.removeprefix("back "), points, net.startswith("back ")))
    right = frame.width - LANE * len(plan.back)
    for number, net in enumerate(plan.back):
        out, into = plan.items[f"out {net}"], plan.items[f"in {net}"]
        lane = right + LANE * number
        low = frame.height - PAD * (number + 1) / (len(plan.back) + 1)
        high = PAD * (number + 1) / (len(plan.back) + 1)
        plan.lines.append(Line(net.removeprefix("back "), [
            (out.x + 1.0, out.y), (out.x + 1.0, low), (lane, low), (lane, high),
            (into.x + 1.0, high), (into.x + 1.0, into.y)], True))
