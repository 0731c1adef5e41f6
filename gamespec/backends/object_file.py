"""Object files for x86-64 (ELF), made into images."""

from __future__ import annotations

import struct
from typing import NamedTuple

from gamespec.backends.image import IMPORTS, Image, Unfit

_HEADER = struct.Struct("<16xHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QIIq")
_MAGIC = b"\x7fELF\x02\x01\x01"
_X86_64, _RELOCATABLE = 62, 1
_PROGBITS, _SYMTAB, _RELA, _REL = 1, 2, 4, 9
_ALLOCATED, _WRITABLE = 2, 1
_PC32, _PLT32 = 2, 4
_UNDEFINED = 0
_MOST_SECTIONS = 1000
_STUB = b"\xff\x25\x00\x00\x00\x00"  # a jump to the address in the eight bytes behind it
_FRAMES = ".eh_frame"  # for unwinding, which kernels never do


class _Section(NamedTuple):
    name: str
    kind: int
    flags: int
    data: bytes
    link: int
    info: int
    align: int


def image(data: bytes) -> Image:
    """The image of an object file for x86-64; raises Unfit."""
    try:
        return _image(data)
    except (struct.error, LookupError, ValueError, ArithmeticError) as error:
        raise Unfit("the object file is damaged") from error


def _image(data: bytes) -> Image:
    sections = _sections(data)
    code, places = _laid_out(sections)
    table = next((each for each in sections if each.kind == _SYMTAB), None)
    if table is None:
        raise Unfit("the object file has no symbols")
    names = sections[table.link].data
    symbols = []
    for name, _, _, section, value, _ in _SYMBOL.iter_unpack(table.data):
        symbols.append((_text(names, name), section, value))
    stubs: dict[str, int] = {}
    for section in sections:
        if section.kind == _REL:
            raise Unfit("relocations without addends")
        if section.kind != _RELA or sections[section.info].name == _FRAMES:
            continue
        if section.info not in places:
            raise Unfit(f"relocations of {sections[section.info].name}")
        for offset, kind, symbol, addend in _RELOCATION.iter_unpack(section.data):
            if kind not in (_PC32, _PLT32):
                raise Unfit(f"a relocation of kind {kind}")
            name, home, value = symbols[symbol]
            if home in places:
                target = places[home] + value
            elif home == _UNDEFINED and name in IMPORTS:
                if name not in stubs:
                    code += bytes(-len(code) % 16)
                    stubs[name] = len(code)
                    code += _STUB + bytes(8)
                target = stubs[name]
            else:
                raise Unfit(f"the symbol {name}")
            at = places[section.info] + offset
            struct.pack_into("<i", code, at, target + addend - at)
    found = {name: places[section] + value for name, section, value in symbols if name and section in places}
    return Image(bytes(code), found, tuple((name, at + len(_STUB)) for name, at in stubs.items()))


def _sections(data: bytes) -> list[_Section]:
    header = _HEADER.unpack_from(data)
    kind, machine, _, _, _, start, _, _, _, _, size, count, names = header
    if not data.startswith(_MAGIC) or kind != _RELOCATABLE or machine != _X86_64 or size != _SECTION.size:
        raise Unfit("not an object file for x86-64")
    if count > _MOST_SECTIONS:
        raise Unfit("too many sections")
    raw = [_SECTION.unpack_from(data, start + number * size) for number in range(count)]
    texts = data[raw[names][4] : raw[names][4] + raw[names][5]]
    return [
        _Section(_text(texts, name), kind, flags, data[at : at + length], link, info, align)
        for name, kind, flags, _, at, length, link, info, align, _ in raw
    ]


def _laid_out(sections: list[_Section]) -> tuple[bytearray, dict[int, int]]:
    """All code and constants, one section behind the other, and the place of each section by its number."""
    code = bytearray()
    places = {}
    for number, section in enumerate(sections):
        if not section.flags & _ALLOCATED or section.name == _FRAMES or not section.data:
            continue
        if section.kind != _PROGBITS or section.flags & _WRITABLE or section.align > 64:
            raise Unfit(f"a section {section.name}")
        code += bytes(-len(code) % max(1, section.align))
        places[number] = len(code)
        code += section.data
    return code, places


def _text(texts: bytes, at: int) -> str:
    return texts[at : texts.index(b"\0", at)].decode("ascii")
