"""What was found out about a spec, kept for the next run: the checked game, what its solver asks of the facts, the
plan, and the machine code of its kernels.

An entry is about one text of a spec with its params and the options that choose a plan, on one processor, with one
version of this package and of Python. What an entry does not hold is worked out as if there were none: facts from the
game, kernels from their bodies.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import msgspec

from gamespec.backends.image import Image, Unfit
from gamespec.backends.native import from_image
from gamespec.budget import Budget
from gamespec.game.model import Game
from gamespec.kernel.ir import Function
from gamespec.plan.demand import Compile, settle
from gamespec.plan.plan import Kernel, Plan, Solver
from gamespec.run.freeze import Unkept, frozen, thawed
from gamespec.run.store import Entry, Store, digest
from gamespec.source import Source

if TYPE_CHECKING:
    from gamespec.analysis.facts import Facts

_PROCESSOR = 8192  # bytes that describe the first processor
_VARYING = ("cpu MHz", "bogomips", "BogoMIPS", "processor", "core id", "apicid", "initial apicid", "physical id")
_SOURCES = (".py", ".bin", ".lark")
_FOUND = "found"  # the facts that are looked for on demand


def key_of(source: Source, defines: Mapping[str, str], options: Sequence[object]) -> bytes | None:
    """The key of a spec with the values of `-D` and options that decide the plan; None where it cannot be told what
    processor and what package this is."""
    try:
        processor, package = _processor(), _package()
    except OSError:  # a package that is no folder
        return None
    about = (
        source.text,
        source.spelling,
        sorted(defines.items()),
        [str(option) for option in options],
        processor,
        sys.version,
        sys.implementation.cache_tag,
        package,
    )
    return digest(repr(about).encode())  # marshal would tell apart values that are referred to more often


@cache
def _processor() -> list[bytes]:
    """What the system says of the first processor, without what changes from moment to moment. Raises OSError."""
    with open("/proc/cpuinfo", "rb", buffering=0) as stream:
        text = stream.read(_PROCESSOR)
    lines = text.partition(b"\n\n")[0].split(b"\n")
    varying = tuple(name.encode() for name in _VARYING)
    return [line for line in lines if not line.startswith(varying)]


@cache
def _package() -> list[tuple[str, int, int]]:
    """The files of this package, and the folder of the packages that it needs, each with its size and its time."""
    found = []
    folders = [os.path.dirname(os.path.dirname(__file__))]
    for folder in folders:
        for entry in os.scandir(folder):
            if entry.name.endswith(_SOURCES):
                about = entry.stat()
                found.append((entry.path, about.st_size, about.st_mtime_ns))
            elif "." not in entry.name and entry.name != "__pycache__":
                folders.append(entry.path)
    needed = os.path.dirname(os.path.dirname(msgspec.__file__))
    return [*sorted(found), (needed, 0, os.stat(needed).st_mtime_ns)]


def name_of(store: Store, entry: Entry) -> str:
    """The name of the game that an entry is about; `?` for one that is not whole."""
    body = store.get(bytes.fromhex(entry.name), use=False)
    try:
        name = marshal.loads(body or b"")["name"]
    except (EOFError, ValueError, TypeError, LookupError):
        return "?"
    return name if isinstance(name, str) and name.isidentifier() else "?"


class _Asked:
    """Facts that note what is asked of them; each is known, or taken from the facts, which are made if need be."""

    def __init__(self, known: Mapping[str, bytes], outside: Sequence[object], make: Callable[[], Facts]) -> None:
        self._known = known
        self._outside = outside
        self._make = make
        self._facts: Facts | None = None
        self._noted: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._noted:
            if name == _FOUND and name in self._known:
                self._noted[name] = _Found(self._known[name], self._outside)
            elif name in self._known:
                self._noted[name] = thawed(self._known[name], self._outside)
            else:
                self._facts = self._facts or self._make()
                self._noted[name] = getattr(self._facts, name)
        return self._noted[name]

    def frozen(self) -> dict[str, bytes]:
        """All that was asked for and can be taken apart, and all that was known."""
        kept = dict(self._known)
        for name, value in self._noted.items():
            if isinstance(value, _Found):
                kept[name] = value.frozen()
            elif name == _FOUND:
                each = {key: self._frozen(found) for key, found in value.items()}
                kept[name] = marshal.dumps({key: data for key, data in each.items() if data is not None})
            elif name not in kept:
                data = self._frozen(value)
                if data is not None:
                    kept[name] = data
        return kept

    def _frozen(self, value: object) -> bytes | None:
        try:
            return frozen(value, self._outside)
        except Unkept:
            return None


class _Found(dict[str, Any]):
    """Facts that were found on demand, each made of its bytes when it is first looked at."""

    def __init__(self, known: bytes, outside: Sequence[object]) -> None:
        self._bytes: dict[str, bytes] = marshal.loads(known)
        self._kept: dict[str, bytes] = {}
        self._outside = outside
        super().__init__(dict.fromkeys(self._bytes))

    def __getitem__(self, key: str) -> Any:
        data = self._bytes.pop(key, None)
        if data is not None:
            self[key] = thawed(data, self._outside)
            self._kept[key] = data
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            return default

    def frozen(self) -> bytes:
        """The bytes of all, those that are new among them; what cannot be taken apart is looked for again."""
        found = {**self._bytes, **self._kept}
        for key, value in self.items():
            if key not in found:
                with suppress(Unkept):
                    found[key] = frozen(value, self._outside)
        return marshal.dumps(found)


class Program:
    """A spec made ready to run, whether just now or in an earlier run."""

    def __init__(self, game: Game, facts: _Asked, plan: Plan, compile: Compile, codes: dict[str, Any]) -> None:
        self.game = game
        self.plan = plan
        self.is_new = False  # some of it is in no entry yet
        self._facts = facts
        self._compile = compile
        self._codes = codes
        self._bodies: Callable[[str], Function] = self.plan.functions.__getitem__
        self._entry: dict[str, Any] = {}

    @classmethod
    def made(cls, game: Game, facts: Facts, plan: Plan, compile: Compile) -> Program:
        """A program of what was found out just now."""
        program = cls(game, _Asked({}, (game.source, game), lambda: facts), plan, compile, {})
        program.is_new = True
        _ = program._facts.disabled  # is noted
        return program

    @classmethod
    def kept(cls, body: bytes, source: Source, compile: Compile) -> Program:
        """The program of an entry about this text. Raises Unkept."""
        try:
            entry = marshal.loads(body)
            game = thawed(entry["game"], (source,))
            plan = thawed(entry["plan"], (source, game))
            facts, bodies, codes = entry["facts"], entry["bodies"], entry["codes"]
            disabled = thawed(facts["disabled"], (source, game))
        except (EOFError, ValueError, TypeError, LookupError) as error:
            raise Unkept(str(error)) from error
        if not (isinstance(game, Game) and isinstance(plan, Plan)):
            raise Unkept("another kind of entry")

        def analysed() -> Facts:
            from gamespec.analysis.facts import analyse

            return analyse(game, cast("frozenset[str]", disabled))

        program = cls(game, _Asked(facts, (source, game), analysed), plan, compile, codes)
        program._bodies = lambda name: cast(Function, thawed(bodies[name], (source, game)))
        program._entry = entry
        return program

    def solver(self, budget: Budget) -> Solver:
        """What answers, its kernels taken from the entry where they are in it."""
        from gamespec.plan.choose import make_solver

        return make_solver(self.game, cast("Facts", self._facts), self.plan, budget, self.compiled)

    def compiled(self, functions: Sequence[Function]) -> dict[str, Kernel]:
        """Kernels by name."""
        return {function.name: self._kernel(function) for function in functions}

    def _kernel(self, function: Function) -> Kernel:
        name = function.name
        code = self._codes.get(name)
        if code is not None and (code[4] or not function.hot):
            with suppress(Unfit, TypeError):
                return from_image([function], Image(*code[:3]), {name: code[3]})[name]
        whole = function if function.body else msgspec.structs.replace(self._bodies(name), hot=function.hot)
        kernel = self._compile([whole])[name]
        origin = getattr(kernel, "origin", None)
        if origin is not None:
            image, symbol = origin
            self._codes[name] = (image.code, image.symbols, image.imports, symbol, function.hot)
            self.is_new = True
        return kernel

    def keep(self, store: Store, key: bytes) -> bool:
        """Puts into a store what another run may need, if there is something new and it can be taken apart.

        Waits for kernels that are being compiled once more.
        """
        settle()
        if not self.is_new:
            return False
        source = self.game.source
        try:
            entry = self._entry or self._taken_apart(source)
        except Unkept:
            return False
        entry = {**entry, "facts": self._facts.frozen(), "codes": self._codes}
        self.is_new = False
        return store.put(key, marshal.dumps(entry))

    def _taken_apart(self, source: Source) -> dict[str, Any]:
        plan = self.plan
        replace = msgspec.structs.replace
        shells = {name: replace(function, body=()) for name, function in plan.functions.items()}
        bare = replace(plan, functions=shells, bid=replace(plan.bid, reasons=()), others=(), passes=())
        outside = (source, self.game)
        return {
            "name": self.game.name,
            "game": frozen(self.game, (source,)),
            "plan": frozen(bare, outside),
            "bodies": {name: frozen(function, outside) for name, function in plan.functions.items()},
        }
