"""Source text in colours: for a terminal, and as a page for browsers and notebooks."""
from __future__ import annotations

import html

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>body {{ margin: 2em; }} pre {{ line-height: 1.35; }}</style>
</head>
<body>
{body}
</body>
</html>
"""


def for_terminal(text: str) -> str:
    """The text with escape codes, if pygments is installed; else as it is."""
    try:
        from pygments import highlight
        from pygments.formatters import TerminalFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return text
    return highlight(text, PythonLexer(), TerminalFormatter())


def as_html(text: str) -> str:
    """The text as a piece of HTML, in colours if pygments is installed."""
    try:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return f"<pre>{html.escape(text)}</pre>"
    return highlight(text, PythonLexer(), HtmlFormatter(noclasses=True))


def as_page(text: str, title: str) -> str:
    """A whole HTML page."""
    return _PAGE.format(title=html.escape(title), body=as_html(text))
