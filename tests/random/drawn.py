"""Small games drawn at random, as texts: most check and end, some have faults at some positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")

WORDS = ("red", "green", "blue")
WIDE = "10 ** 20"


class Known(NamedTuple):
    """What may be named at a place of a spec: names by kind; `first..last` are the indices of the arrays."""

    numbers: tuple[str, ...] = ()
    truths: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    rows: tuple[tuple[str, str, str], ...] = ()  # arrays of numbers: name, first, last

    def plus(self, **more: tuple[object, ...]) -> Known:
        return self._replace(**{kind: getattr(self, kind) + names for kind, names in more.items()})


class Field(NamedTuple):
    """A state field. `lo` and `hi` are texts: bounds of the number, the elements, the cells."""

    name: str
    kind: str  # "number", "truth", "word", "set", "row"
    lo: str
    hi: str
    last: str = ""  # of a row, whose first index is 0 or 1
    first: str = ""


class Writer:
    """Draws the parts of one spec. Choices that come first in a list are those that hypothesis shrinks to."""

    def __init__(self, integer: Callable[[int, int], int]) -> None:
        """`integer(lo, hi)` draws a number from lo to hi."""
        self.integer = integer
        self.count = 0

    def pick(self, options: Sequence[T]) -> T:
        return options[self.integer(0, len(options) - 1)]

    def chance(self, percent: int) -> bool:
        return self.integer(0, 99) >= 100 - percent

    def fresh(self, hint: str) -> str:
        self.count += 1
        return f"{hint}{self.count}"

    # --- expressions ---------------------------------------------------------------------------------------

    def number(self, known: Known, depth: int) -> str:
        leaves = [*known.numbers, "1", "0", "2", "3", "5", *known.numbers, *known.numbers]
        if depth <= 0:
            return self.pick(leaves)
        form = self.pick(NUMBER_FORMS)
        below = depth - 1
        match form:
            case "leaf":
                return self.pick(leaves)
            case "+" | "-" | "*":
                return f"({self.number(known, below)} {form} {self.number(known, below)})"
            case "/" | "%":
                divisor = self.pick(["2", "3", f"max(1, {self.number(known, below)})", self.number(known, below)])
                return f"({self.number(known, below)} {form} {divisor})"
            case "xor":
                return f"({self.number(known, below)} xor {self.number(known, below)})"
            case "neg":
                return f"(-{self.number(known, below)})"
            case "power":
                return f"({self.number(known, 0)} ** {self.pick(['2', '3', '(' + self.pick(leaves) + ' % 4)'])})"
            case "min" | "max" | "gcd":
                return f"{form}({self.number(known, below)}, {self.number(known, below)})"
            case "abs":
                return f"abs({self.number(known, below)})"
            case "popcount":
                return f"popcount({self.pick(['abs(' + self.number(known, below) + ')', self.number(known, 0)])})"
            case "bit":
                return f"bit({self.number(known, below)}, {self.pick(['0', '1', '2', self.number(known, 0)])})"
            case "if":
                then, other = self.number(known, below), self.number(known, below)
                return f"(if {self.truth(known, below)} then {then} else {other})"
            case "size" | "sum":
                return f"{form}({self.members(known, below)})"
            case "least":
                extreme = self.pick(["min", "max"])
                return f"{extreme}({self.set(known, below)}{self.pick([' | {1}', '', ' | {0}'])})"
            case "fold":
                op = self.pick(["sum", "count", "max", "min", "gcd"])
                inner, tail = self.tail(known, below)
                item = self.truth(inner, below) if op == "count" else self.number(inner, below)
                return f"{op}({item} {tail})"
            case "cell" if known.rows:
                return self.cell(known, below)
            case _:
                return self.pick(leaves)

    def cell(self, known: Known, depth: int) -> str:
        name, first, last = self.pick(known.rows)
        index = self.pick(
            [first, last, self.number(known, 0), f"min({last}, max({first}, {self.number(known, depth)}))"]
        )
        return f"{name}[{index}]"

    def truth(self, known: Known, depth: int) -> str:
        if depth <= 0:
            return self.pick([*known.truths, self.compared(known, 0), "true", *known.truths, self.compared(known, 0)])
        below = depth - 1
        match self.pick(["compare", "compare", "and", "or", "not", "in", "fold", "word", "sets", "leaf", "chain"]):
            case "compare":
                return self.compared(known, below)
            case "and" | "or" as op:
                return f"({self.truth(known, below)} {op} {self.truth(known, below)})"
            case "not":
                return f"(not {self.truth(known, below)})"
            case "in":
                return f"({self.number(known, below)} {self.pick(['in', 'not in'])} {self.members(known, below)})"
            case "fold":
                inner, tail = self.tail(known, below)
                return f"{self.pick(['any', 'all'])}({self.truth(inner, below)} {tail})"
            case "word" if known.words:
                return f"({self.pick(known.words)} {self.pick(['==', '!='])} {self.word(known)})"
            case "sets":
                op = self.pick(["==", "!=", "<=", ">=", "<", ">"])
                return f"({self.set(known, below)} {op} {self.set(known, below)})"
            case "chain":
                low, high = self.number(known, below), self.number(known, below)
                return f"({low} <= {self.number(known, below)} < {high})"
            case _:
                return self.truth(known, 0)

    def compared(self, known: Known, depth: int) -> str:
        op = self.pick([">", ">=", "==", "!=", "<", "<="])
        return f"({self.number(known, depth)} {op} {self.number(known, depth)})"

    def word(self, known: Known) -> str:
        return self.pick([*WORDS, *known.words, *known.words])

    def members(self, known: Known, depth: int) -> str:
        """A set, a list or an array."""
        if self.chance(20) and known.rows:
            return self.pick(known.rows)[0]
        if self.chance(20):
            return f"digits(abs({self.number(known, depth)}){self.pick(['', ', 2', ', 3'])})"
        return self.set(known, depth)

    def set(self, known: Known, depth: int) -> str:
        leaves = [*known.sets, "{1, 2}", f"(0..{self.number(known, 0)})", f"({self.number(known, 0)}..4)", *known.sets]
        if depth <= 0:
            return self.pick(leaves)
        below = depth - 1
        match self.pick(["range", "leaf", "items", "|", "&", "-", "xor", "made", "call", "call", "if", "list"]):
            case "range":
                return f"({self.number(known, below)}..{self.number(known, below)})"
            case "items":
                return "{" + ", ".join(self.number(known, below) for _ in range(self.pick([1, 2, 3]))) + "}"
            case "|" | "&" | "-" | "xor" as op:
                return f"({self.set(known, below)} {op} {self.set(known, below)})"
            case "made":
                inner, tail = self.tail(known, below)
                return "{" + f"{self.number(inner, below)} {tail}" + "}"
            case "if":
                return f"(if {self.truth(known, below)} then {self.set(known, below)} else {self.set(known, below)})"
            case "list":
                return (
                    f"(digits(abs({self.number(known, below)}){self.pick(['', ', 2'])}) {self.pick(['-', '|'])} {{0}})"
                )
            case "call":
                return self.listed(known, below)
            case _:
                return self.pick(leaves)

    def listed(self, known: Known, depth: int) -> str:
        limit = self.number(known, depth)
        match self.pick(["powers", "squares", "primes", "divisors", "closure"]):
            case "powers":
                return f"powers({self.pick(['2', '3', '1', self.number(known, 0)])}, {limit})"
            case "divisors":
                return f"divisors({self.pick([f'abs({limit}) + 1', limit])})"
            case "closure":
                step = self.pick(["2", "3", f"abs({self.number(known, 0)})", self.set(known, 0)])
                return f"closure({self.set(known, depth)}, {step}, {self.pick(['6', limit])})"
            case name:
                return f"{name}({limit})"

    def tail(self, known: Known, depth: int) -> tuple[Known, str]:
        """`for … if …` and what is known behind it."""
        parts = []
        for _ in range(self.pick([1, 1, 1, 2])):
            name = self.fresh("x")
            small = self.pick([f"0..{self.number(known, 0)} % 4", "{0, 1, 2}", self.members(known, depth)])
            parts.append(f"for {name} in {small}")
            known = known.plus(numbers=(name,))
        if self.chance(30):
            parts.append(f"if {self.truth(known, depth)}")
        return known, " ".join(parts)


NUMBER_FORMS = (
    "leaf", "leaf", "+", "-", "*", "/", "%", "min", "max", "if", "cell", "cell", "abs", "xor", "size", "sum", "fold",
    "least", "gcd", "neg", "power", "popcount", "bit",
)  # fmt: skip


class Spec(Writer):
    """Draws a whole spec."""

    def text(self) -> str:
        lines = ["game drawn"]
        self.known = Known()
        self.splits = self.chance(20)
        if self.splits:
            lines.append("sum")
        if self.chance(30):
            lines.append(f"param c = {self.pick([2, 1, 3, 4])}")
            self.known = self.known.plus(numbers=("c",))
        lines += self.givens()
        lines += self.fields()
        lines += self.lets()
        if self.chance(25):
            lines.append(f"require {self.requirement()}")
        for _ in range(self.pick([1, 1, 2, 2, 3])):
            lines.append(self.move())
        lines += self.ends()
        return "\n".join(lines) + "\n"

    # --- declarations --------------------------------------------------------------------------------------

    def givens(self) -> list[str]:
        lines = []
        if self.chance(35):
            lines.append(f"given g: {self.pick(['0..3', '1..3', '-1..2'])}")
            self.known = self.known.plus(numbers=("g",))
        if self.chance(20):
            last = self.pick(["2", "g" if "g" in self.known.numbers else "1"])
            lines.append(f"given v: array[0..{last}] of {self.pick(['0..4', '-2..2', '0..100'])}")
            self.known = self.known.plus(rows=(("v", "0", last),))
        if self.chance(15):
            lines.append(f"given z: set of {self.pick(['1..4', '0..3', '1..300'])}")
            self.known = self.known.plus(sets=("z",))
        return lines

    def fields(self) -> list[str]:
        lines = []
        self.own: list[Field] = []
        kinds = self.pick(KINDS)
        for name, kind in zip("abd", kinds, strict=False):
            field = self.field(name, kind)
            self.own.append(field)
            lines.append(self.declaration(field))
            match kind:
                case "number":
                    # Nothing may run over all the numbers up to a large one.
                    self.known = self.known.plus(numbers=(f"({name} - {WIDE})" if field.lo == WIDE else name,))
                case "truth":
                    self.known = self.known.plus(truths=(name,))
                case "word":
                    self.known = self.known.plus(words=(name,))
                case "set":
                    self.known = self.known.plus(sets=(name,))
                case "row":
                    self.known = self.known.plus(rows=((name, field.first, field.last),))
        return lines

    def field(self, name: str, kind: str) -> Field:
        earlier = [other for other in self.known.numbers if other in ("a", "b", "g", "c")]
        match kind:
            case "number":
                his = ["5", "8", "3", *(f"{other} + 3" for other in earlier), *(f"max(1, {o})" for o in earlier)]
                lo, hi = self.pick([("0", self.pick(his)), ("0", "7"), ("1", "6"), ("-2", "3"), ("2", "9")])
                if self.chance(4):
                    lo, hi = WIDE, f"{WIDE} + 4"
                return Field(name, kind, lo, hi)
            case "set":
                lo, hi = self.pick([("0", "4"), ("1", "4"), ("-1", "3"), ("0", self.pick(["3", *earlier]))])
                return Field(name, kind, lo, hi)
            case "row":
                given = [o for o in earlier if o in ("g", "c")]
                first, last = self.pick([("0", "2"), ("1", "3"), ("1", self.pick(["2", *given])), ("0", "1")])
                lo, hi = self.pick([("0", "3"), ("0", "2"), ("-1", "2"), ("0", self.pick(["1", *earlier]))])
                return Field(name, kind, lo, hi, last, first)
            case _:
                return Field(name, kind, "", "")

    def declaration(self, field: Field) -> str:
        span = f"{field.lo}..{field.hi}"
        order = "sorted " if field.kind == "row" and self.chance(25) else ""
        of = {
            "number": span,
            "set": f"set of {span}",
            "row": f"{order}array[{field.first}..{field.last}] of {span}",
            "truth": "bool",
            "word": "{" + ", ".join(WORDS) + "}",
        }
        return f"state {field.name}: {of[field.kind]}"

    def lets(self) -> list[str]:
        lines = []
        for _ in range(self.pick([0, 0, 0, 1, 1, 2])):
            match self.pick(["number", "set", "truth", "function"]):
                case "number":
                    name = self.fresh("q")
                    lines.append(f"let {name} = {self.number(self.known, 2)}")
                    self.known = self.known.plus(numbers=(name,))
                case "set":
                    name = self.fresh("w")
                    lines.append(f"let {name} = {self.set(self.known, 2)}")
                    self.known = self.known.plus(sets=(name,))
                case "truth":
                    name = self.fresh("t")
                    lines.append(f"let {name} = {self.truth(self.known, 2)}")
                    self.known = self.known.plus(truths=(name,))
                case _:
                    name = self.fresh("f")
                    lines.append(f"let {name}(y) = {self.number(self.known.plus(numbers=('y',)), 2)}")
                    self.known = self.known.plus(numbers=(f"{name}({self.number(self.known, 0)})",))
        return lines

    def requirement(self) -> str:
        options = ["true"]
        for field in self.own:
            match field.kind:
                case "number":
                    options.append(f"{field.name} != {self.pick(['1', '2', field.hi])}")
                case "row":
                    way = self.pick(["<=", ">="])
                    body = f"{field.name}[i] {way} {field.name}[i + 1]"
                    options.append(f"all({body} for i in {field.first}..{field.last} - 1)")
        options += [self.truth(self.known, 1), self.truth(self.known, 2)]
        return self.pick(options)

    # --- moves ---------------------------------------------------------------------------------------------

    def move(self) -> str:
        name = self.fresh("m")
        known = self.known
        falling = self.pick(self.own)
        binds, guards, change = self.fall(falling)
        known = known.plus(numbers=tuple(bind.split(" ")[0] for bind in binds))
        for _ in range(min(3 - len(binds), self.pick([0, 0, 0, 1, 1, 2]))):
            bind = self.fresh("k")
            within = self.pick([self.set(known, 1), self.set(known, 2), "digits(abs(" + self.number(known, 1) + "))"])
            place = self.pick([len(binds), 0])
            if place:
                known = known.plus(numbers=(bind,))
                binds.append(f"{bind} in {within}")
            else:
                binds.insert(0, f"{bind} in {self.set(self.known, 1)}")
                known = known.plus(numbers=(bind,))
        if self.chance(40):
            guards.append(self.truth(known, 2))
        choose = f" choose {', '.join(binds)}" if binds else ""
        when = f" when {' and '.join(guards)}" if guards else ""
        if self.splits and self.chance(60):
            effect = f"into {self.parts(known, falling, change)}"
        else:
            updates = [change] if change else []
            for field in self.own:
                if field is not falling and self.chance(40):
                    updates.append(self.update(field, known))
            effect = f"do {', '.join(updates)}" if updates else "do nothing"
        return f"move {name}{choose}{when} {effect}"

    def fall(self, field: Field) -> tuple[list[str], list[str], str]:
        """Choices, guards and an update that most likely lower a field."""
        k, name = self.fresh("k"), field.name
        match field.kind:
            case "number":
                if field.lo == WIDE:
                    return [f"{k} in 1..{name} - {WIDE}"], [], f"{name} -= {k}"
                room = self.pick([f"{name}", f"{name} - ({field.lo})", f"min(3, {name} - ({field.lo}))"])
                tight = f"min({name} - ({field.lo}), {self.number(self.known, 2)})"
                within = self.pick([f"1..{room}", f"1..{tight}", f"{self.set(self.known, 2)} & (1..{room})"])
                change = self.pick([f"{name} -= {k}", f"{name} = {name} - {k}"])
                if self.chance(25):
                    return [], [f"{name} > {field.lo}"], self.pick([f"{name} -= 1", f"{name} = {name} - 1"])
                if self.chance(15):
                    up = f"{name} += {k}"
                    return [f"{k} in 1..{self.pick([f'{field.hi} - {name}', self.number(self.known, 1)])}"], [], up
                return [f"{k} in {within}"], [], change
            case "set":
                within = self.pick([name, f"{name} & {self.set(self.known, 1)}", f"{name} - {self.set(self.known, 1)}"])
                more = self.pick([f"{{{k}}}", f"{{{k}}} | {self.set(self.known.plus(numbers=(k,)), 1)}"])
                change = self.pick([f"{name} -= {more}", f"{name} = {name} - {more}", f"{name} = {name} xor {{{k}}}"])
                return [f"{k} in {within}"], [], change
            case "row":
                i = self.fresh("k")
                indices = f"{i} in {field.first}..{field.last}"
                within = self.pick([f"1..{name}[{i}]", f"1..{name}[{i}] - ({field.lo})", "{1}"])
                inner = f"{name}[j] = min({name}[j], {name}[{i}] - {k}) for j in {i}..{field.last}"
                change = self.pick([f"{name}[{i}] -= {k}", f"{name}[{i}] = {name}[{i}] - {k}", inner])
                guards = [f"{name}[{i}] > {field.lo}"] if self.chance(50) else []
                return [indices, f"{k} in {within}"], guards, change
            case "truth":
                return [], [name], f"{name} = false"
            case _:
                return [], [f"{name} == {self.pick(['blue', 'green'])}"], f"{name} = {self.pick(['red', 'green'])}"

    def clamped(self, field: Field, known: Known) -> str:
        value = self.number(known, 2)
        if self.chance(15):
            return value
        return f"max({field.lo}, min({field.hi}, {value}))"

    def update(self, field: Field, known: Known) -> str:
        name = field.name
        match field.kind:
            case "number":
                less = f"{name} -= {self.pick([f'min(1, {name} - ({field.lo}))', f'{self.number(known, 0)} % 2'])}"
                return self.pick([f"{name} = {self.clamped(field, known)}", less])
            case "truth":
                return f"{name} = {self.truth(known, 2)}"
            case "word":
                other = f"if {self.truth(known, 1)} then {self.word(known)} else {self.word(known)}"
                return f"{name} = {self.pick([self.word(known), other])}"
            case "set":
                inside = f"({self.set(known, 2)} & ({field.lo}..{field.hi}))"
                op = self.pick(["-=", "|=", "=", "&="])
                value = inside if op in ("|=", "=") and self.chance(85) else self.set(known, 2)
                tail = f"{name} -= {{j}} for j in {self.set(known, 1)}"
                return self.pick([f"{name} {op} {value}", f"{name} {op} {value}", tail])
            case _:
                place = self.pick([field.first, field.last, self.number(known, 0)])
                one = f"{name}[{place}] = {self.clamped(field, known)}"
                inner = known.plus(numbers=("j",))
                each = f"{name}[j] = {self.clamped(field, inner)} for j in {field.first}..{field.last}"
                some = f"{each} if {self.truth(inner, 1)}"
                two = f"{name}[{field.first}] = {field.lo}, {name}[{field.last}] = {self.clamped(field, known)}"
                less = f"{name}[j] -= 1 for j in {field.first}..{field.last} if {name}[j] > {field.lo}"
                return self.pick([one, each, some, two, less, f"{name} = {field.lo}"])

    def parts(self, known: Known, falling: Field, change: str) -> str:
        """Components that a move leaves."""
        if self.chance(10):
            return "nothing"
        parts = []
        for _ in range(self.pick([1, 2, 2, 3])):
            args = []
            for field in self.own:
                match field.kind:
                    case "number":
                        lower = f"max({field.lo}, {field.name} - {self.pick(['1', '2', self.number(known, 1)])})"
                        k = next((n for n in known.numbers if n.startswith("k")), "1")
                        half = self.pick([lower, f"{field.name} - {k}", k, self.clamped(field, known)])
                        args.append(half if field is falling else self.pick([field.name, half]))
                    case "truth":
                        args.append(self.truth(known, 1))
                    case "word":
                        args.append(self.word(known))
                    case "set":
                        args.append(f"{field.name} - {self.set(known, 1)}")
                    case _:
                        args.append(field.name)
            parts.append(f"({', '.join(args)})")
        return ", ".join(parts)

    # --- the end -------------------------------------------------------------------------------------------

    def ends(self) -> list[str]:
        lines = []
        if not self.splits:
            if self.chance(25):
                lines.append(f"winner {self.pick(['last mover', 'stuck player'])}")
            if self.chance(25):
                verdict = self.pick(["mover loses", "mover wins"])
                extra = self.pick(["", "", " and stuck", " or stuck"])
                lines.append(f"terminal {verdict} when {self.truth(self.known, 1)}{extra}")
        if self.chance(25):
            lines.append(f"terminal {self.truth(self.known, 2)}")
        return lines


KINDS = (
    ("number",), ("number", "number"), ("number", "truth"), ("set",), ("row",), ("number", "set"), ("number", "row"),
    ("number", "word"), ("number", "number", "number"), ("set", "number"), ("set", "truth"),
    ("number", "number", "truth"), ("row", "number"), ("word", "truth", "number"), ("number", "number", "word"),
)  # fmt: skip


@st.composite
def specs(draw: st.DrawFn) -> str:
    """The text of a game."""
    return Spec(lambda lo, hi: draw(st.integers(lo, hi))).text()


def seeded(seed: int) -> str:
    """The text of a game; many of them differ more than those that hypothesis draws."""
    return Spec(Random(seed).randint).text()
