"""The two spellings of a spec give equal trees, and each converts into the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamespec.source import Source
from gamespec.syntax.format import convert_source, format_source
from gamespec.syntax.read import read

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TWINS = sorted(path.stem for path in (HERE / "twins").glob("*.game"))
SPECS = [*HERE.glob("twins/*"), *ROOT.glob("specs/*")]
DESIGNS = sorted((ROOT.parent / "shared/design/specs").glob("*.game"))
OTHER = {"text": "yaml", "yaml": "text"}


def source_of(path: Path) -> Source:
    text = path.read_text(encoding="utf-8").replace("then cases", "queries cases")  # an older word of the designs
    return Source(path.name, text, "yaml" if path.suffix in (".yaml", ".yml") else "text")


@pytest.mark.parametrize("stem", TWINS)
def test_twins_are_equal(stem: str) -> None:
    text, yaml = (source_of(HERE / "twins" / f"{stem}{suffix}") for suffix in (".game", ".yaml"))
    one, other = read(text), read(yaml)
    for field in one.__struct_fields__:
        assert getattr(one, field) == getattr(other, field), field


@pytest.mark.parametrize("path", [*SPECS, *DESIGNS], ids=lambda path: path.name)
def test_conversions_keep_the_tree(path: Path) -> None:
    source = source_of(path)
    tree = read(source)
    laid_out = Source("laid out", format_source(source), source.spelling)
    assert read(laid_out) == tree
    assert format_source(laid_out) == laid_out.text
    converted = Source("converted", convert_source(source, OTHER[source.spelling]), OTHER[source.spelling])
    assert read(converted) == tree
    assert format_source(converted) == converted.text
    back = Source("back", convert_source(converted, source.spelling), source.spelling)
    assert read(back) == tree
    for text in (laid_out.text, converted.text, back.text):
        for comment in comments(source):
            assert comment in text


def comments(source: Source) -> list[str]:
    from gamespec.syntax.comments import comments_of

    return [comment.text for comment in comments_of(source)]


def test_some_specs_have_comments() -> None:
    assert any(comments(source_of(path)) for path in SPECS)
