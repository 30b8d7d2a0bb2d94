"""An explanation as a page: both texts side by side, the picture, and what is told."""
from __future__ import annotations

import html

from tangent_lite.explain import Explanation, as_text
from tangent_lite.explain.drawing import picture
from tangent_lite.written.highlight import as_html

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ margin: 2em; font-family: system-ui, sans-serif; color: #1f2933; }}
h1 {{ font-size: 1.3em; }} h2 {{ font-size: 1.1em; margin-top: 1.6em; }}
pre {{ line-height: 1.35; margin: 0.6em; }}
.sides {{ display: flex; gap: 1.5em; flex-wrap: wrap; align-items: flex-start; }}
.sides > section {{ flex: 1 1 24em; overflow-x: auto; border: 1px solid #cbd5e1; border-radius: 6px;
  padding: 0 0.8em; }}
.scroll {{ overflow-x: auto; }}
</style>
</head>
<body>
<h1>{title}</h1>
{notes}
<div class="sides">
<section><h2>The function</h2>{function}</section>
<section><h2>Its derivative</h2>{derivative}</section>
</div>
<h2>What is computed from what</h2>
<p>Blue: on the way from what is asked for to the result, so differentiated. Dashed lines lead back
to the top of a loop. A box with a dashed frame is a value from above.</p>
<div class="scroll">
{picture}
</div>
<h2>Statement by statement</h2>
<pre>{told}</pre>
</body>
</html>
"""


def as_page(told: Explanation) -> str:
    """The whole page; it needs nothing from elsewhere."""
    return _PAGE.format(
        title=html.escape(told.title), notes="".join(f"<p>{html.escape(n)}</p>"
                                                     for n in told.notes),
        function=as_html(told.function), derivative=as_html(told.derivative),
        picture=as_picture(told), told=html.escape(as_text(told).partition("\n\n")[2]))


def as_picture(told: Explanation) -> str:
    """The picture alone."""
    return picture(told.graph, told.title.replace("How the derivative of",
                                                  "The computation graph of").partition(
        " comes about")[0])
