"""Draws the decision table of one V1 type as an SVG: rows from the top, the first that fits wins."""

from dataclasses import dataclass, field
from html import escape

SANS = "-apple-system, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"
MONO = "ui-monospace, 'SF Mono', Menlo, 'DejaVu Sans Mono', monospace"

WIDTH = 960
RAIL = 22
CARD, CARD_END = 52, 586
RESULT, RESULT_END = 632, 950
LINE = 19
PADDING = 12

LIGHT = {
    "text": "#1d1d1f", "quiet": "#5f5f66", "rail": "#a1a1a8", "card": "#f6f6f8", "edge": "#d9d9de", "chip": "#ffffff",
    "not": "#b3261e", "head": "#1d1d1f", "headText": "#ffffff",
    "documented": ("#e3f4ea", "#1b7f4b"), "corroborated": ("#e4effb", "#1f66b5"), "inferred": ("#fdf1da", "#92600a"),
    "ambiguous": ("#f4e8fa", "#8334a8"), "absorbed": ("#eeeef1", "#5f5f66"),
}
DARK = {
    "text": "#f2f2f5", "quiet": "#a9a9b2", "rail": "#6f6f78", "card": "#202024", "edge": "#3a3a40", "chip": "#2c2c31",
    "not": "#ff8a80", "head": "#f2f2f5", "headText": "#161618",
    "documented": ("#12301f", "#5fd394"), "corroborated": ("#132a44", "#78b4f5"), "inferred": ("#3a2b0c", "#f0bd5a"),
    "ambiguous": ("#341d42", "#d99af5"), "absorbed": ("#2a2a2f", "#b4b4bd"),
}


@dataclass
class Event:
    """A V2 event that a row may give, and what would have to be known to choose it."""

    name: str
    needs: str = ""


@dataclass
class Row:
    """One row of the decision table."""

    says: str
    all: list[str]
    none: list[str]
    events: list[Event]
    confidence: str
    absorbed: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """Which colour it has."""
        if len(self.events) > 1:
            return "ambiguous"
        return "absorbed" if self.absorbed else self.confidence

    @property
    def label(self) -> str:
        if len(self.events) > 1:
            return "ambiguous: the first is the best reading"
        return f"absorbed, {self.confidence}" if self.absorbed else self.confidence


def wide(text: str, size: float, mono: bool = False) -> float:
    """About how wide a text is."""
    if mono:
        return len(text) * size * 0.61
    return sum(0.32 if letter in "iljtf.,;:'|! " else 0.86 if letter in "mwMW" else 0.57 for letter in text) * size


def wrapped(text: str, size: float, room: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if wide(longer, size) > room and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


class Drawing:
    """Collects the parts of an SVG."""

    def __init__(self, palette: dict, title: str):
        self.palette = palette
        self.title = title
        self.parts: list[str] = []

    def text(self, x: float, y: float, words: str, size: float, colour: str, mono=False, bold=False, anchor="start"):
        weight = ' font-weight="600"' if bold else ""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-family="{MONO if mono else SANS}" font-size="{size:g}" fill="{colour}"'
            f'{weight} text-anchor="{anchor}">{escape(words)}</text>'
        )

    def box(self, x: float, y: float, width: float, height: float, fill: str, stroke: str, radius=8, dash="", thick=1.0):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius}" fill="{fill}"'
            f' stroke="{stroke}" stroke-width="{thick:g}"{dashes}/>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str, arrow=False):
        marker = ' marker-end="url(#tip)"' if arrow else ""
        self.parts.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}" stroke-width="1.5"{marker}/>'
        )

    def svg(self, height: float) -> str:
        tip = (
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"'
            f' orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="{self.palette["rail"]}"/></marker></defs>'
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}"'
            f' viewBox="0 0 {WIDTH} {height:g}" role="img">'
            f"<title>{escape(self.title)}</title>{tip}\n" + "\n".join(self.parts) + "\n</svg>\n"
        )


def chips(row: Row) -> list[list[tuple[str, bool, float]]]:
    """The conditions as lines of chips: words, whether it must not hold, width."""
    words = [(fact, False) for fact in row.all] + [(f"not {fact}", True) for fact in row.none]
    lines: list[list[tuple[str, bool, float]]] = [[]]
    room = CARD_END - CARD - 2 * PADDING
    for text, is_not in words or [("otherwise", False)]:
        width = wide(text, 11.5, mono=bool(words)) + 16
        if lines[-1] and sum(chip[2] + 6 for chip in lines[-1]) + width > room:
            lines.append([])
        lines[-1].append((text, is_not, width))
    return lines


def draw_card(drawing: Drawing, row: Row, y: float, height: float):
    palette = drawing.palette
    drawing.box(CARD, y, CARD_END - CARD, height, palette["card"], palette["edge"])
    at = y + PADDING + 12
    for line in wrapped(row.says, 13.5, CARD_END - CARD - 2 * PADDING):
        drawing.text(CARD + PADDING, at, line, 13.5, palette["text"])
        at += LINE
    at += 5
    for line in chips(row):
        x = CARD + PADDING
        for words, is_not, width in line:
            edge = palette["not"] if is_not else palette["edge"]
            drawing.box(x, at - 13, width, 21, palette["chip"], edge, radius=6, dash="3 2" if is_not else "")
            is_plain = words == "otherwise"
            ink = palette["not" if is_not else "quiet" if is_plain else "text"]
            drawing.text(x + 8, at + 2, words, 11.5, ink, mono=not is_plain)
            x += width + 6
        at += 27


def draw_result(drawing: Drawing, row: Row, y: float, height: float):
    palette = drawing.palette
    fill, ink = palette[row.kind]
    dash = "5 3" if row.kind in ("ambiguous", "absorbed") else ""
    drawing.box(RESULT, y, RESULT_END - RESULT, height, fill, ink, dash=dash, thick=1.3)
    at = y + PADDING + 11
    for event in row.events:
        for line in name_lines(event):
            drawing.text(RESULT + PADDING, at, line, 12, palette["text"], mono=True, bold=True)
            at += LINE - 2
        at -= LINE - 2
        if event.needs:
            at += LINE - 2
            drawing.text(RESULT + PADDING, at, f"if {event.needs}", 11.5, palette["quiet"])
        at += LINE + 4
    drawing.text(RESULT + PADDING, at, row.label, 11.5, ink, bold=True)


def name_lines(event: Event) -> list[str]:
    """The event's name; in two lines where it is long."""
    if wide(event.name, 12.5, mono=True) <= RESULT_END - RESULT - 2 * PADDING:
        return [event.name]
    main, _, subtype = event.name.partition("/")
    return [main, f"/{subtype}"]


def heights(row: Row) -> tuple[float, float]:
    """The heights of a row's card and of its result."""
    card = 2 * PADDING + LINE * len(wrapped(row.says, 13.5, CARD_END - CARD - 2 * PADDING)) + 27 * len(chips(row))
    lines = sum((LINE - 2) * (len(name_lines(event)) - 1 + bool(event.needs)) + LINE + 4 for event in row.events)
    return card, 2 * PADDING + lines + 10


def decision(name: str, rows: list[Row], palette: dict) -> str:
    """The decision table of one V1 type."""
    drawing = Drawing(palette, f"The decision table of {name}: {len(rows)} rows, read from the top")
    width = wide(name, 15, mono=True) + 32
    drawing.box(0.5, 1, width, 34, palette["head"], palette["head"], radius=8)
    drawing.text(16, 23, name, 15, palette["headText"], mono=True, bold=True)
    y = 54.0
    before = 35.0
    for number, row in enumerate(rows, start=1):
        card, result = heights(row)
        height = max(card, result)
        middle = y + height / 2
        drawing.line(RAIL, before, RAIL, middle - 14, palette["rail"], arrow=True)
        drawing.parts.append(
            f'<circle cx="{RAIL}" cy="{middle:g}" r="13" fill="{palette["card"]}" stroke="{palette["rail"]}"'
            ' stroke-width="1.5"/>')
        drawing.text(RAIL, middle + 4, str(number), 11.5, palette["text"], anchor="middle", bold=True)
        drawing.line(RAIL + 13, middle, CARD, middle, palette["rail"])
        draw_card(drawing, row, y + (height - card) / 2, card)
        drawing.line(CARD_END, middle, RESULT - 2, middle, palette["rail"], arrow=True)
        draw_result(drawing, row, y + (height - result) / 2, result)
        before = middle + 13
        y += height + 14
    return drawing.svg(y)


def legend(palette: dict) -> str:
    """What the colours of the results mean."""
    drawing = Drawing(palette, "What the colours mean")
    says = [
        ("documented", "Apple says so"), ("corroborated", "real bodies show it"), ("inferred", "our conclusion"),
        ("ambiguous", "all candidates are named"), ("absorbed", "V2 sends no message for it"),
    ]
    room = WIDTH / len(says)
    for place, (kind, meaning) in enumerate(says):
        fill, ink = palette[kind]
        x = place * room
        dash = "5 3" if kind in ("ambiguous", "absorbed") else ""
        drawing.box(x + 1, 1, room - 12, 50, fill, ink, dash=dash, thick=1.3)
        drawing.text(x + 13, 22, kind, 12.5, ink, bold=True)
        drawing.text(x + 13, 40, meaning, 11.5, palette["text"])
    return drawing.svg(52)
