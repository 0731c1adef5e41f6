"""Small games drawn at random, as texts: plausible rules, many of them with faults."""

from __future__ import annotations

from random import Random

HEADER = """game drawn
param c = {c}
given g: 0..3
state a: {a}
state b: {b}
state s: set of 0..4
state p: array[0..2] of 0..3
let rest = (0..4) - s
let small = min(a, b)
let q = (a + b) / 2
"""

GUARDS = [
    "a > 0", "b > 0", "a >= b", "a != b", "b != 0", "s != {}", "a + b > 2", "p[0] > 0", "p[1] >= p[2]", "g > 0",
    "a % 2 == 0", "not a == 3", "a > 1 or b > 1", "0 in s", "2 not in s", "size(s) > 1", "any(p[j] > 0 for j in 0..2)",
    "all(p[j] < 3 for j in 0..2)", "small > 0", "q > 1", "if a > 2 then b > 0 else b < 3", "min(s) > 0 or a == 0",
]  # fmt: skip
SETS = [
    "1..a", "1..min(a, b)", "1..b", "0..a", "1..small", "1..q", "1..(a - 1) / 2", "{1, 2}", "{1, b}", "digits(a) - {0}",
    "powers(2, a)", "squares(b)", "divisors(a)", "1..max(a, b)", "1..a - b", "{max(a - 2, 0), 1}", "1..3 - p[0]",
    "{x + 1 for x in 0..a if x < b}", "{x * 2 for x in 1..b}", "(1..a) - {b}", "1..g", "rest", "1..a / max(b, 1)",
    "1..abs(a - b)", "{min(s), a}", "(if a > b then 1 else 0)..a", "1..b % 3",
]  # fmt: skip
MEMBERS = ["s", "s & {0, 1, 2}", "s - {0}", "rest", "s | {4}", "{y for y in s if y > a}"]
INDICES = ["0", "1", "2", "i", "2 - i", "k", "i + 1", "(i + 1) % 3", "x"]
VALUES = [
    "k", "1", "a - k", "b", "a / 2", "min(a, k)", "p[i]", "p[i] - 1", "3 - p[0]", "max(b - k, 0)", "k * b", "a - b",
    "a * b / 3", "small", "q", "b % 2", "(a + 1) % 4", "size(s)", "a xor 1", "a / b", "abs(k - b)", "0", "x", "k % 3",
    "if a > k then a - k else 0", "sum(p[j] for j in 0..2)", "max(s)", "2 * k - 1", "-k + a", "a ** 2 / 4",
]  # fmt: skip
SCALARS = ["{f} -= {v}", "{f} = {v}", "{f} += {v}", "{f} -= k", "{f} -= 1", "{f} = min({f}, {v})", "{f} = {f} - k"]
SET_CHANGES = [
    "s -= {x}", "s -= {x, 0}", "s |= {x}", "s = s - {x} | {max(x - 1, 0)}", "s &= {0, 1, 2}", "s = rest", "s -= rest",
    "s |= {x + 1}", "s -= closure({x} | rest, max(x, 1), 4)", "s -= {x + j} for j in 0..1", "s = s - {x} | {x + 1}",
    "s |= {j} for j in 0..a", "s = s - {x} | {y for y in 0..x - 1}", "s = s xor {x}", "s = s xor {x, 0}",
]  # fmt: skip
ARRAY_CHANGES = [
    "p[{n}] = {v}", "p[{n}] -= 1", "p[{n}] -= {v}", "p[j] = min(p[j], {v}) for j in i..2", "p[{n}] += 1",
    "p[0] -= 1, p[{n}] = {v}", "p[j] -= 1 for j in 0..2 if p[j] > 0", "p[j] = p[2 - j] for j in 0..2",
    "p[{n}] -= 1, p[{n2}] += 1", "p[j / 2] = {v} for j in 0..2", "p = 0", "p[j + 1] = {v} for j in 0..i",
]  # fmt: skip
REQUIRES = [
    "all(p[j] <= p[j + 1] for j in 0..1)",
    "all(p[j] > 0 for j in 0..2)",
    "all(p[j] + p[2 - j] <= 5 for j in 0..2)",
    "a <= b + 2",
    "a + b <= 8",
    "s != {}",
    "p[0] <= p[1] + 3",
    "b >= g or a > 0",
    "4 not in s",
    "all(p[j] >= p[j + 1] for j in 0..1)",
]
TERMINALS = ["a == 0", "b == 0 or a == 0", "s == {}", "stuck and a > 3", "a + b < 2"]


def drawn(seed: int) -> str:
    """A random game; the same seed gives the same one."""
    random = Random(seed)
    lines = [
        HEADER.replace("{c}", str(random.randint(1, 3)))
        .replace("{a}", random.choice(["0..5", "1..5", "0..6", "0..g + 2"]))
        .replace("{b}", random.choice(["0..4", "0..a", "0..5", "1..6", "0..max(a, g)"]))
    ]
    lines += [f"require {text}" for text in random.sample(REQUIRES, random.choice([0, 0, 0, 1]))]
    for number in range(random.randint(1, 3)):
        lines.append(_move(random, number))
    lines += [f"terminal {text}" for text in random.sample(TERMINALS, random.choice([0, 0, 1]))]
    return "\n".join(lines) + "\n"


def _move(random: Random, number: int) -> str:
    binds = [f"k in {random.choice(SETS)}", f"x in {random.choice(MEMBERS)}", "i in 0..2"]
    random.shuffle(binds)
    guards = random.sample(GUARDS, random.choice([0, 1, 1, 2]))
    if random.random() < 0.3:
        guards.append(random.choice(["k <= a", "k < b", "x != 0", "p[i] >= k", "i < 2", "x <= a", "p[i] > 0"]))
    updates = []
    for field in random.sample("absp", random.choice([1, 1, 1, 2])):
        value = random.choice(VALUES)
        if field in "ab":
            updates.append(random.choice(SCALARS).replace("{f}", field).replace("{v}", value))
        elif field == "s":
            updates.append(random.choice(SET_CHANGES))
        else:
            text = random.choice(ARRAY_CHANGES).replace("{n}", random.choice(INDICES)).replace("{v}", value)
            updates.append(text.replace("{n2}", random.choice(INDICES)))
    when = f" when {' and '.join(guards)}" if guards else ""
    return f"move m{number} choose {', '.join(binds)}{when} do {', '.join(updates)}"


EVERYWHERE = [
    "p[j] <= p[j + 1] for j in 0..1", "p[j] >= p[j + 1] for j in 0..1", "p[j] > 0 for j in 0..2",
    "p[j] + p[2 - j] <= 5 for j in 0..2", "p[j] < p[j + 1] for j in 0..1", "p[j] <= 2 or p[j + 1] > 0 for j in 0..1",
]  # fmt: skip
NEW_CELLS = [
    "p[i] -= k", "p[i] = k", "p[i] = min(p[i], k)", "p[j] = min(p[j], k) for j in i..2", "p[i] += k", "p[i] = p[0]",
    "p[j] = max(p[j], k) for j in 0..i", "p[j] += 1 for j in i..2", "p[j] -= 1 for j in 0..i", "p[2 - i] = k",
    "p[j] = k for j in i..2", "p[j] = p[2 - j] for j in 0..2", "p[j] -= 1 for j in 0..2",
]  # fmt: skip
CHOSEN = [
    "1..p[i]", "0..p[i] - 1", "p[i] + 1..3", "{0}", "{1}", "1..p[i] - 1",
    "(if i == 0 then 0 else p[i - 1])..p[i]", "p[i]..(if i == 2 then 3 else p[i + 1])",
    "(if i == 0 then 0 else p[i - 1] + 1)..p[i] - 1",
]  # fmt: skip
WHERE = ["", "when k > 0", "when p[i] > 0", "when i < 2", "when i > 0 and p[i - 1] < p[i]"]


def drawn_row(seed: int) -> str:
    """A random game on a row of three cells of which something is required everywhere."""
    random = Random(seed)
    require, choice = random.choice(EVERYWHERE), random.choice(CHOSEN)
    move = f"move m choose i in 0..2, k in {choice} {random.choice(WHERE)} do {random.choice(NEW_CELLS)}"
    return f"game drawn state p: array[0..2] of 0..3 require all({require}) {move}"


BOARD = """game drawn
players x, o
given near: array[0..3] of set of 0..3
state u, v: set of 0..3
state h: sorted array[1..3] of 0..2
let ahead = if mover == x then 1 else -1
let free(q) = q not in u and q not in v
"""
APART = [
    "u & v == {}", "u <= v", "v - u == {}", "all(q not in v for q in u)", "u & v == {} and 0 not in u", "h[1] <= 1",
    "all(h[j] <= 1 for j in 1..2)", "h[3] > 0", "all(q in v or q == 0 for q in u)", "u xor v != {}",
]  # fmt: skip
STARTS = ["u", "v", "u - v", "v - {0}", "near[0]", "near[2] & u", "(0..3) - u - v", "reach({0}, near, u)"]
TESTS = [
    "free(q)", "q not in v", "free(t)", "t not in u", "t in v", "q < 3", "t != q", "h[1] > 0", "mover == x",
    "q in near[t]", "0 <= q + ahead <= 3", "free(max(0, q - 1))", "near[q] != {}",
]  # fmt: skip
SETTINGS = [
    "u -= {q}", "u = u - {q} | {t}", "v |= {q}, u -= {q}", "u |= {t}", "v = v - {t} | {q}", "u = v, v = u",
    "u -= {q}, u |= {t}", "v = reach({t}, near, v)", "u = u - {q} | {q + ahead}", "u |= near[q], v -= near[q]",
    "u = u xor {q, t}", "v &= u, u -= v",
]  # fmt: skip
ROWS = [
    "",
    "",
    "h[i] = 0",
    "h[i] -= 1",
    "h[i] = 2, h[4 - i] = 0",
    "h[j] = min(h[j], 1) for j in i..3",
    "h[i] += 1, h[3] = 0",
]
TURNS = ["", "", "mover = mover", "mover = if q > 1 then mover else other"]


def drawn_board(seed: int) -> str:
    """A random game of two players with sets that a requirement binds to each other, a graph and a sorted array."""
    random = Random(seed)
    lines = [BOARD, *(f"require {text}" for text in random.sample(APART, random.choice([1, 1, 2])))]
    for number in range(random.randint(1, 3)):
        by = random.choice(["", " by x", " by o"])
        tests = random.sample(TESTS, random.choice([0, 1, 2, 2]))
        when = f" when {' and '.join(tests)}" if tests else ""
        updates = [random.choice(SETTINGS), random.choice(ROWS), random.choice(TURNS)]
        choose = (
            f"q in {random.choice(STARTS)}, t in {random.choice([*STARTS, '{q + 1}', '0..3', '0..q - 1'])}, i in 1..3"
        )
        lines.append(f"move m{number}{by} choose {choose}{when} do {', '.join(filter(None, updates))}")
    return "\n".join(lines) + "\n"


CELLS = ["b[r, c]", "b[r + ahead, c]", "b[r, d]", "b[r, c + 1]", "b[3 - r, c]", "b[r + ahead, d]", "b[1, c]"]
HELD = ["mover", "other", "empty", "x", "o"]


def drawn_pieces(seed: int) -> str:
    """A random game that moves pieces on a small board, so small that all positions can be looked at."""
    random = Random(seed)
    kinds = random.choice(["{empty, x, o}", "{x, empty, o}", "{o, x, empty}"])
    lines = [f"game drawn players x, o state b: array[1..2, 1..2] of {kinds} let ahead = if mover == x then 1 else -1"]
    for number in range(random.randint(1, 2)):
        by = random.choice(["", " by x", " by o"])
        cells = random.sample(CELLS, random.choice([1, 2, 2]))
        tests = [f"{cell} {random.choice(['==', '==', '!='])} {random.choice(HELD)}" for cell in cells]
        inside = ["1 <= r + ahead <= 2"] if any("ahead" in cell for cell in cells) else []
        if any("c + 1" in cell for cell in cells):
            inside.append("c < 2")
        extra = random.choice([[], [], ["c != d"], ["r == 1"], ["c < d"]])
        updates = [f"{cell} = {random.choice(HELD)}" for cell in cells]
        when = " and ".join([*inside, *extra, *tests])
        lines.append(f"move m{number}{by} choose r in 1..2, c in 1..2, d in 1..2 when {when} do {', '.join(updates)}")
    return "\n".join(lines) + "\n"
