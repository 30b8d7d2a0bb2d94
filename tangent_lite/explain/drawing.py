"""A computation graph as a picture: SVG that needs nothing else."""
from __future__ import annotations

import html

from tangent_lite.explain.graph import Graph, Group, Node
from tangent_lite.explain.layered import Box, Frame, Line, layout

CHARACTER, SMALL = 7.3, 6.1         # widths of characters: monospaced, so that texts fit
_STYLE = """
text { font-family: ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #1f2933; }
.label { font-size: 12px; text-anchor: middle; } .name { font-size: 10px; text-anchor: middle; }
.head text { font-weight: bold; text-anchor: middle; font-size: 12px; }
.frame { fill: #64748b; fill-opacity: 0.07; stroke: #94a3b8; }
.box { fill: #ffffff; stroke: #94a3b8; }
.active .box { fill: #dbeafe; stroke: #1d4ed8; stroke-width: 1.6; }
.input .box, .result .box { stroke-width: 2.2; } .again .box { stroke-dasharray: 3 2; }
.constant .box { fill: #f1f5f9; stroke: #cbd5e1; } .carried .box { stroke-dasharray: 6 2; }
.head .box { fill: none; stroke: none; }
.line { fill: none; stroke: #94a3b8; stroke-width: 1.2; }
.line.active { stroke: #1d4ed8; stroke-width: 1.6; } .back { stroke-dasharray: 5 3; }
.tip { fill: #94a3b8; } .tip.active { fill: #1d4ed8; }
"""


def placed(graph: Graph) -> tuple[Frame, list[Line]]:
    """The boxes, frames and lines of a graph, in their places."""
    root = _framed(graph.root, is_root=True)
    return root, layout(root, graph.edges)


def picture(graph: Graph, title: str) -> str:
    """The picture of a graph, as an <svg> element."""
    root, lines = placed(graph)
    width, height = root.width, root.height
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:.0f}" '
             f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">',
             f"<title>{html.escape(title)}</title>", f"<style>{_STYLE}</style>"]
    parts += [f'<rect class="frame" x="{f.x:.1f}" y="{f.y:.1f}" width="{f.width:.1f}" '
              f'height="{f.height:.1f}" rx="6"/>' for f in root.frames()]
    reaching = _reaching(graph)
    quiet: list[str] = []
    loud: list[str] = []
    for line in lines:
        is_active = graph.nodes[line.source].active and (
            line.enters is None or graph.nodes[line.enters].active) and line.source in reaching
        (loud if is_active else quiet).append(_line(line, is_active))
    parts += quiet + loud
    parts += [_node(graph.nodes[box.key], box) for box in root.boxes()]
    parts.append("</svg>")
    return "\n".join(parts)


def _reaching(graph: Graph) -> set[str]:
    return {one for one, other in graph.edges if graph.nodes[other].active}


def _framed(group: Group, is_root: bool = False) -> Frame:
    frame = Frame(group.key, has_head=not is_root)
    for child in group.children:
        if isinstance(child, Group):
            frame.children.append(_framed(child))
        else:
            frame.children.append(Box(child.key, *_size(child),
                                      sinks=child.kind in ("again", "constant")))
    return frame


def _size(node: Node) -> tuple[float, float]:
    wide = max(len(node.label) * CHARACTER, len(node.name) * SMALL)
    return max(wide + 16.0, 30.0), 36.0 if _has_name(node) else 24.0


def _has_name(node: Node) -> bool:
    return bool(node.name) and node.name != node.label


def _node(node: Node, box: Box) -> str:
    middle, state = box.x + box.width / 2, " active" if node.active else ""
    told = f"{node.title}: on the way of the derivative" if node.active else node.title
    radius = box.height / 2 if node.kind in ("input", "result") else 4
    texts = f'<text class="label" x="{middle:.1f}" y="{box.y + 16:.1f}">' \
            f"{html.escape(node.label)}</text>"
    if _has_name(node):
        texts += f'<text class="name" x="{middle:.1f}" y="{box.y + 29:.1f}">' \
                 f"{html.escape(node.name)}</text>"
    return (f'<g class="{node.kind}{state}"><title>{html.escape(told)}</title>'
            f'<rect class="box" x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
            f'height="{box.height:.1f}" rx="{radius:.0f}"/>{texts}</g>')


def _line(line: Line, is_active: bool) -> str:
    """Straight down, and with a bend where it goes across to the next row."""
    (x, y), *others = line.points
    way = [f"M{x:.1f} {y:.1f}"]
    for to_x, to_y in others:
        if (line.is_back and len(line.points) > 4) or x == to_x:
            way.append(f"L{to_x:.1f} {to_y:.1f}")
        else:
            middle = (y + to_y) / 2
            way.append(f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}")
        x, y = to_x, to_y
    state = (" active" if is_active else "") + (" back" if line.is_back else "")
    drawn = f'<path class="line{state}" d="{" ".join(way)}"/>'
    if line.enters is not None:
        drawn += f'<path class="tip{state}" d="M{x:.1f} {y:.1f}l-3.2 -6h6.4z"/>'
    return drawn
