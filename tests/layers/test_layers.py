"""Imports point one way, files stay small, diagnostics have one code each, and solving starts light."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gamespec

PACKAGE = Path(gamespec.__file__).parent
ORDER = [
    "source",
    "interval",
    "types",
    "diagnostics",
    "budget",
    "report",
    "file",
    "syntax",
    "builtins",
    "game",
    "answers",
    "analysis",
    "kernel",
    "plan",
    "backends",
    "run",
    "play",
    "cli",
    "__main__",
]
RANK = {room: rank for rank, room in enumerate(ORDER)}
FILES = sorted(PACKAGE.rglob("*.py"))
ROOMED = [path for path in FILES if path != PACKAGE / "__init__.py"]  # the public API may import every room


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path) for path in FILES}


def room_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def imports_of(path: Path, *, top_only: bool = False) -> set[str]:
    """The modules of the package that a file imports; `top_only` leaves out imports inside functions and for types."""
    found = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        match node:
            case ast.Import(names):
                found |= {alias.name for alias in names}
            case ast.ImportFrom(module=str(module), names=names, level=0):
                inner = {f"{module}.{alias.name}" for alias in names}
                found |= {name if name in MODULES else module for name in inner}
        deferred = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        typing_only = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        if not (top_only and (deferred or typing_only)):
            todo += ast.iter_child_nodes(node)
    return {name for name in found if name.startswith("gamespec.")}


@pytest.mark.parametrize("path", ROOMED, ids=name_of)
def test_imports_point_one_way(path: Path) -> None:
    here = room_of(name_of(path))
    assert here in RANK, f"{here} has no place in the order of the rooms"
    wrong = {name for name in imports_of(path) if RANK[room_of(name)] > RANK[here]}
    assert not wrong


def test_builtins_import_types_and_intervals_only() -> None:
    rooms = {room_of(name) for path in (PACKAGE / "builtins").glob("*.py") for name in imports_of(path)}
    assert rooms <= {"builtins", "types", "interval"}


def test_there_are_no_cycles() -> None:
    names = {name_of(path): path for path in FILES}
    edges = {
        name: {other for other in imports_of(path, top_only=True) if other in names} - {name}
        for name, path in names.items()
    }
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " → ".join((*path[path.index(name) :], name))
        if name not in done:
            for other in sorted(edges[name]):
                visit(other, (*path, name))
            done.add(name)

    for name in names:
        visit(name, ())


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_files_are_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 600


def test_codes_of_diagnostics_are_unique() -> None:
    places: dict[str, set[str]] = {}
    for path in FILES:
        for code in re.findall(r"\bKind\(\s*\"(GS\d{3})\"", path.read_text(encoding="utf-8")):
            places.setdefault(code, set())
            key = f"{name_of(path)}"
            assert key not in places[code], f"{code} twice in {key}"
            places[code].add(key)
    assert not {code: names for code, names in places.items() if len(names) > 1}
    assert places


HEAVY = ("rich", "numpy", "dataclasses", "interegular", "difflib", "unittest", "importlib.metadata", "pdb", "asyncio")


def modules_after(script: str, *arguments: str, stdin: str = "") -> tuple[str, set[str]]:
    """What a script prints before its last line, and the modules loaded at its end, in a process of its own."""
    code = script + "\nimport sys\nsys.stdout.flush()\nprint('\\n' + ' '.join(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments], input=stdin, capture_output=True, text=True, check=True, timeout=120
    )
    printed, _, modules = run.stdout.rstrip("\n").rpartition("\n")
    return printed, set(modules.split())


def test_solve_starts_light(tmp_path: Path) -> None:
    """`inspect` comes with click, which is why it is not in the list."""
    spec = tmp_path / "halving.game"
    spec.write_text(
        "game halving\nstate n: 0..1000\nmove take choose k in 1..2 when k <= n do n -= k\n"
        'input cases until eof read n\noutput win "W" lose "L"\n'
    )
    script = "from gamespec.cli.main import run\nimport sys\nassert run(['solve', *sys.argv[1:]]) == 0"
    printed, modules = modules_after(script, str(spec), stdin="0 1 2 3\n")
    assert printed.split() == ["L", "W", "W", "L"]
    assert not modules & set(HEAVY)
    verbs = {name for name in modules if name.startswith("gamespec.cli.")}
    assert verbs <= {
        f"gamespec.cli.{name}"
        for name in ("door", "failure", "guard", "main", "option", "problems", "progress", "session", "solve")
    }


def test_help_starts_light() -> None:
    script = "from gamespec.cli.main import run\nrun(['--help'])"
    _, modules = modules_after(script)
    assert not modules & {"lark", "yaml", "llvmlite", *HEAVY}


def test_importing_the_package_imports_nothing() -> None:
    _, modules = modules_after("import gamespec")
    assert not {name for name in modules if name.startswith("gamespec.")}
    assert "click" not in modules
