"""Finds the comments of a spec and sets them into its new layout."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

import msgspec

from gamespec.source import Source

TEXTS_AND_COMMENTS = re.compile(r'"""(?:\\[\s\S]|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|(?P<comment>#[^\n]*)')
YAML_COMMENT = re.compile(r"(?:^|(?<=[ \t\n]))#[^\n]*", re.MULTILINE)

BLOCK_HEADER = re.compile(r"(?:^|\s)[|>][-+0-9]*$")


class Line(msgspec.Struct, frozen=True):
    """One line of a layout, or several that belong together (a long text).

    `anchor` is the offset in the source of what the line prints. `head` says that a comment goes behind the first of
    several lines, not behind the last.
    """

    text: str
    anchor: int
    indent: int = 0
    head: bool = False

    def written(self, behind: str = "") -> str:
        """The line with its indentation and a comment behind it."""
        lead = " " * self.indent
        comment = f"  {behind}" if behind else ""
        if self.head:
            first, newline, rest = self.text.partition("\n")
            return f"{lead}{first}{comment}{newline}{rest}"
        return f"{lead}{self.text}{comment}"


class Comment(msgspec.Struct, frozen=True):
    """A comment: the place it belongs to and where its line begins, and whether something stands in front of it there.

    `opens` if that is only the key of a YAML mapping or list, which may have no line of its own in the layout.
    """

    text: str
    start: int
    line: int
    trails: bool
    opens: bool


def comments_of(source: Source) -> list[Comment]:
    """The comments of a source, in order."""
    spans = yaml_comments(source) if source.spelling == "yaml" else text_comments(source)
    found = []
    for start, end in spans:
        line = source.text.rfind("\n", 0, start) + 1
        front = source.text[line:start].strip()
        opens = source.spelling == "yaml" and front.endswith(":")
        place = start
        if source.spelling == "yaml" and BLOCK_HEADER.search(front):  # it belongs to the text below
            place = len(source.text) - len(source.text[end:].lstrip())
        found.append(Comment(source.text[start:end].rstrip(), place, line, bool(front), opens))
    return found


def text_comments(source: Source) -> Iterator[tuple[int, int]]:
    for match in TEXTS_AND_COMMENTS.finditer(source.text):
        if match.group("comment"):
            yield match.span()


def yaml_comments(source: Source) -> Iterator[tuple[int, int]]:
    """A comment is a `#` behind a blank that no scalar holds."""
    import yaml

    scalars: list[tuple[int, int]] = []
    for event in yaml.parse(source.text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        if isinstance(event, yaml.ScalarEvent) and event.start_mark and event.end_mark:
            start, end = event.start_mark.index, event.end_mark.index
            if event.style in ("|", ">"):
                start = source.text.find("\n", start, end)
            scalars.append((start, end))
    starts = [start for start, _ in scalars]
    match = YAML_COMMENT.search(source.text)
    while match:
        row = bisect_right(starts, match.start()) - 1
        end = match.end()
        if row < 0 or match.start() >= scalars[row][1]:
            yield match.span()
        else:  # a sharp within a text, which a comment may follow
            end = scalars[row][1]
        match = YAML_COMMENT.search(source.text, end)


def laid_out(lines: Sequence[Line], source: Source) -> str:
    """The lines as a text, with the source's comments and single blank lines at their places.

    A comment that stands alone goes in front of the line that prints what followed it; one behind something goes
    behind the line that prints that.
    """
    order = sorted(range(len(lines)), key=lambda index: lines[index].anchor)
    anchors = [lines[index].anchor for index in order]
    before: dict[int, list[Comment]] = {}
    behind: dict[int, list[str]] = {}
    for comment in comments_of(source):
        row = bisect_right(anchors, comment.start)
        if comment.trails and row and not (comment.opens and anchors[row - 1] < comment.line):
            behind.setdefault(order[row - 1], []).append(comment.text)
        else:
            before.setdefault(order[row] if row < len(order) else len(lines), []).append(comment)
    written: list[str] = []
    begun: set[int] = set()

    def spaced(offset: int) -> None:
        """Keeps a blank line that stands above the source line of an offset."""
        start = source.text.rfind("\n", 0, offset) + 1
        if start not in begun and written and written[-1] and blank_above(source.text, start):
            written.append("")
        begun.add(start)

    for index, line in enumerate(lines):
        for comment in before.get(index, ()):
            spaced(comment.start)
            written.append(" " * line.indent + comment.text)
        spaced(line.anchor)
        written.append(line.written(" ".join(behind.get(index, ()))))
    for comment in before.get(len(lines), ()):
        spaced(comment.start)
        written.append(comment.text)
    return "\n".join(written) + "\n"


def blank_above(text: str, start: int) -> bool:
    """Whether the line above the one that begins at an offset is blank."""
    if start == 0:
        return False
    above = text.rfind("\n", 0, start - 1) + 1
    return not text[above : start - 1].strip()
