"""Specs of games that the tests of `play` play."""

NOUGHTS = """\
game noughts "Three in a row."
rules "Players mark empty squares in turn."
players x, o
state board: array[1..3, 1..3] of {empty, x, o}
let marks(p) = count(board[r, c] == p for r in 1..3 for c in 1..3)
start mover = if marks(x) == marks(o) then x else o
move mark choose r in 1..3, c in 1..3 when board[r, c] == empty do board[r, c] = mover
terminal
    mover loses when any(all(board[q] == other for q in line) for line in lines(board, 3))
    draw when stuck
input cases until eof read board[3, 3] as chars ".xo"
"""

HEXAPAWN = """\
game hexapawn
players white, black
state board: array[1..3, 1..3] of {empty, white, black}
let ahead = if mover == white then 1 else -1
start board[r, c] = (if r == 1 then white else if r == 3 then black else empty) for r in 1..3 for c in 1..3
move step
    choose r in 1..3, c in 1..3
    when board[r, c] == mover and r + ahead in 1..3 and board[r + ahead, c] == empty
    do board[r, c] = empty, board[r + ahead, c] = mover
move take
    choose r in 1..3, c in 1..3, d in {c - 1, c + 1}
    when board[r, c] == mover and r + ahead in 1..3 and d in 1..3 and board[r + ahead, d] == other
    do board[r, c] = empty, board[r + ahead, d] = mover
terminal
    white wins when any(board[3, c] == white for c in 1..3)
    black wins when any(board[1, c] == black for c in 1..3)
"""

HEAPS = "game heaps\nsum\nstate n: 0..100\nmove take choose k in 1..n do n -= k\n"

PILES = """\
game piles
given most: 1..9
state box: array[1..3] of 0..9
move take choose i in 1..3, k in 1..min(most, box[i]) do box[i] -= k
winner stuck player
"""

WORDS = """\
game words
given m: 0..6
given pattern: array[1..6] of {L, R}
state length: 0..6
state cells: array[1..6] of {gap, left, right}
move drop when length > 0 do length -= 1
input read pattern[m] as word "LR", cells[length] as word ".lr"
"""

LIST = """\
game list
given n: 1..9
given words: array[1..n, 1..4] of {end, a, b, c}
state length: 0..4
state left: set of 1..n
start length = 0, left = 1..n
move say
    choose letter in {a, b, c}
    when length < 4 and any(words[i, length + 1] == letter for i in left)
    do left = {i for i in left if words[i, length + 1] == letter}, length += 1
input read n, [words[k] as word "_abc"] * n
"""

COINS = "game coins\nstate n: 0..60\nmove take choose k in {1, 3, 4} when k <= n do n -= k\n"

ROW = """\
game row
given v: array[1..4] of 0..99
state lo: 1..5
state hi: 0..4
start lo = 1, hi = 4
move left when lo <= hi do lo += 1 gain v[lo]
move right when lo <= hi do hi -= 1 gain v[hi]
winner highest score
"""

WALK = """\
game walk
players a, b
state at: array[0..4] of {empty, a, b}
start at[i] = (if i == 0 then a else if i == 4 then b else empty) for i in 0..4
move go choose i in 0..4, j in {i - 1, i + 1} when at[i] == mover and j in 0..4 and at[j] == empty
    do at[i] = empty, at[j] = mover
ENDLESS
"""

PACE = """\
game pace
players a, b
state at: 0..3
move step choose d in {at - 1, at + 1} when d in 0..3 do at = d
endless VERDICT
"""

SPLIT = """\
game split
sum
state n: 0..20
start into (1), (5)
move take choose k in 1..min(2, n), a in 0..n - k into (a), (n - k - a)
winner stuck player
"""

STRINGS = """\
game strings
players blue, red
sum
state height: 0..5
given edge: array[1..5] of {blue, red}
move cut choose i in 1..height when edge[i] == mover do height = i - 1
input cases count read k, [height, edge[5]] * k
"""

LOOPS = """\
game loops
sum
state at: 0..6
let back = if at == 4 then {3, 2} else if at == 3 then {4} else if at == 6 then {5, 3} else {at - 1}
let on = if at == 0 then {} else back
move step choose d in on do at = d
endless draw
"""

HUGE = """\
game huge
players x, o
state board: array[1..7, 1..6] of {empty, x, o}
start board = empty
move drop choose c in 1..7, r in 1..6
    when board[c, r] == empty and (r == 1 or board[c, r - 1] != empty)
    do board[c, r] = mover
terminal
    mover loses when any(all(board[q] == other for q in line) for line in lines(board, 4))
    draw when stuck
"""

WINNING = ("x", "x", "x", "empty", "o", "o", "empty")

PAIRS = """
game pairs
given n: 1..1000
state a: array[1..n] of 0..10**9
move take choose i in 1..n - 1 when a[i] > 0 and a[i + 1] > 0 do a[i] -= 1, a[i + 1] -= 1
input read n, a[n]
"""

SPECS = {
    "pairs": PAIRS,
    "noughts": NOUGHTS,
    "hexapawn": HEXAPAWN,
    "heaps": HEAPS,
    "piles": PILES,
    "coins": COINS,
    "row": ROW,
    "walk": WALK.replace("ENDLESS", "endless draw"),
    "pace": PACE.replace("VERDICT", "draw"),
    "chase": PACE.replace("VERDICT", "b wins"),
    "loop": WALK.replace("ENDLESS", ""),
    "split": SPLIT,
    "strings": STRINGS,
    "loops": LOOPS,
    "huge": HUGE,
    "words": WORDS,
    "list": LIST,
}
