"""Games with players, draws, scores, extra turns and loops, written by hand, each small enough for the definition."""

from __future__ import annotations

FINITE = {
    "conditions": """
        game conditions
        players a, b
        state n: 0..4
        state m: 0..2
        state s: set of 1..2
        state row, kept: array[1..2] of 0..1
        move take choose k in 1..2 when k <= n
            do n -= k, m += 1 if m < 2 and m != k, m -= m if m == k, s |= {k} if n > 2,
               row[k] = 1 if n > 1, mover = mover if m == 2, kept = row if n == 3
        move fill when n > 1
            do n -= 1, row = 0 if n < 3, s &= {1} if m == 1, kept[1] += 1 if kept[1] == 0 and m < 2
    """,
    "turns": """
        game turns
        players red, blue
        state n: 0..30
        move one when n > 0 do n -= 1
        move three by red when n >= 3 do n -= 3, mover = red
        move four by blue choose k in {4, 5} when n >= k do n -= k
        terminal draw when n == 2
        terminal red wins when n == 1 and mover == blue
    """,
    "kept": """
        game kept
        players a, b
        state n: 0..40
        move take choose k in 1..4 when k <= n do n -= k, mover = if k == 2 or n % 5 == 0 then mover else other
    """,
    "kept_misere": """
        game kept_misere
        players a, b
        state n: 0..40
        winner stuck player
        move take choose k in 1..3 when k <= n do n -= k, mover = if k == 2 then mover else other
    """,
    "kept_by_some": """
        game kept_by_some
        players a, b
        state board: array[0..4] of bool
        move mark by b choose i in 0..4 when not board[i]
            do board[i] = true, mover = if i in {0, 3} then mover else other
        move fill by a choose i in 1..4 when board[i] and not board[i - 1]
            do board[i - 1] = true, mover = if i == 2 then a else b
        terminal a loses when all(board[i] for i in 0..4)
    """,
    "drawn": """
        game drawn
        state n: 0..60
        move take choose k in {1, 4, 9} when k <= n do n -= k
        terminal draw when n == 3 or n == 11
        terminal mover wins when n == 0
    """,
    "drawn_many": """
        game drawn_many
        state n: 0..90
        move take choose k in 1..min(n, 70) do n -= k
        terminal draw when n == 30
        terminal mover loses when n == 1
    """,
    "drawn_misere": """
        game drawn_misere
        state n: 0..20
        state m: 0..6
        winner stuck player
        move take choose k in 1..3 when k <= n do n -= k
        move pairs choose k in 2..3 when k <= m and n > 0 do m -= k, n -= 1
        terminal draw when stuck and m == 1
    """,
    "noughts": """
        game noughts
        players x, o
        state board: array[0..5] of {empty, x, o}
        move mark choose i in 0..5 when board[i] == empty do board[i] = mover
        terminal mover loses when any(board[i] == other == board[i + 1] and board[i + 2] == other for i in 0..3)
        terminal draw when stuck
    """,
    "breaks": """
        game breaks
        sum
        state n: 0..12
        move take choose k in 1..3 when k <= n do n -= k
        move break choose k in 1..n when n != 3 into (n - k), (max(n - k - 1, 0))
        move drop when n == 7 into nothing
        endless draw
    """,
    "ends": """
        game ends
        given v: array[1..7] of -9..20
        state lo: 1..8
        state hi: 0..7
        require lo <= hi + 1
        move left when lo <= hi do lo += 1 gain v[lo]
        move right when lo <= hi do hi -= 1 gain v[hi]
        winner highest score
    """,
    "long_ends": """
        game long_ends
        given v: array[1..7] of -10**14..10**15
        state lo: 1..8
        state hi: 0..7
        require lo <= hi + 1
        move left when lo <= hi do lo += 1 gain v[lo]
        move right when lo <= hi do hi -= 1 gain v[hi]
        winner highest score
    """,
    "scored_turns": """
        game scored_turns
        players a, b
        state n: 0..30
        move take choose k in 1..3 when k <= n do n -= k, mover = if k == 3 then mover else other gain k * k - n % 4
        move pay by b when n > 4 do n -= 4 gain -2
        winner highest score
    """,
}

LOOPY = {
    "conditions_loopy": """
        game conditions_loopy
        players a, b
        state p, q: 0..4
        state row: array[1..2] of {none, a, b}
        move run by a choose k in 1..2 when p + k <= 4
            do p += k, q = 0 if q == p + k and q < 4, row[k] = none if row[k] == b
        move go by b choose k in 1..2 when q + k <= 4
            do q += k, p = 0 if p == q + k and p < 4, row[k] = b if k == 2, mover = mover if q == 1 and row[1] == none
        terminal mover loses when (if mover == a then q else p) == 4
        endless draw
    """,
    "ring": """
        game ring
        players a, b
        state at: 0..11
        move step choose k in {1, 5} do at = (at + k) % 12
        move back by a when at > 3 do at -= 3
        terminal mover wins when at == 7
        terminal b wins when at == 2
        endless draw
    """,
    "kept_ring": """
        game kept_ring
        players a, b
        state at: 0..19
        move step choose k in {1, 3, 8} do at = (at + k) % 20, mover = if k == 3 then mover else other
        terminal mover loses when at == 7 or at == 12
        terminal draw when at == 3
        endless draw
    """,
    "chase": """
        game chase
        players cat, mouse
        state c: 0..6
        state m: 0..6
        move prowl by cat choose k in {1, 6} do c = (c + k) % 7
        move run by mouse choose k in {0, 1, 2} do m = (m + k) % 7
        terminal cat wins when c == m
        terminal mouse wins when m == 5 and c != 4
        terminal draw when c == 6 and m == 1
        endless mouse wins
    """,
    "chase_cat": """
        game chase_cat
        players cat, mouse
        state c: 0..6
        state m: 0..6
        move prowl by cat choose k in {1, 6} do c = (c + k) % 7
        move run by mouse choose k in {0, 1, 2} do m = (m + k) % 7
        terminal cat wins when c == m
        terminal mouse wins when m == 5 and c != 4
        terminal draw when c == 6 and m == 1
        endless cat wins
    """,
    "walk": """
        game walk
        given next: array[0..9] of set of 0..9
        state at: 0..9
        move go choose to in next[at] do at = to
        endless draw
    """,
    "heap_walk": """
        game heap_walk
        sum
        state at: 0..11
        move go choose k in {1, 5} when at != 4 and at != 9 into ((at + k) % 12)
        move back when at > 2 do at -= 1
        endless draw
    """,
    "walk_misere": """
        game walk_misere
        given next: array[0..9] of set of 0..9
        state at: 0..9
        winner stuck player
        move go choose to in next[at] do at = to
        move jump when at == 4 do at = 0
        endless draw
    """,
}

SUMS = {
    "misere_kayles": """
        game misere_kayles
        sum
        state n: 0..5
        move one choose a in 0..n - 1 when n > 0 into (a), (n - 1 - a)
        move two choose a in 0..n - 2 when n > 1 into (a), (n - 2 - a)
        winner stuck player
    """,
    "misere_nim": """
        game misere_nim
        sum
        given m: 1..4
        state n: 0..5
        move take choose k in 1..min(n, m) do n -= k
        winner stuck player
    """,
    "misere_subtraction": """
        game misere_subtraction
        sum
        given take: set of 1..5
        state n: 0..6
        move remove choose k in take when k <= n do n -= k
        winner stuck player
    """,
    "colours": """
        game colours
        sum
        players left, right
        state a: 0..3
        state b: 0..3
        move lefts by left choose k in 1..a when a > 0 do a -= k, b = if b > 2 then b - 1 else b
        move rights by right choose k in 1..2 when b >= k do b -= k
        move splits by right when a > 1 and b > 0 into (a - 1, 0), (1, b - 1)
        start mover = left
    """,
    "tints": """
        game tints
        sum
        players left, right
        state n: 0..3
        state a: 0..2
        state b: 0..2
        move paint by left choose i in 1..n when (i > 1 or a != 1) and (i < n or b != 1)
            into (i - 1, a, 1), (n - i, 1, b)
        move tint by right choose i in 1..n when (i > 1 or a != 2) and (i < n or b != 2)
            into (i - 1, a, 2), (n - i, 2, b)
        move rub when n == 2 and a == 1 do n = 0
    """,
    "ended": """
        game ended
        sum
        state n: 0..8
        move take choose k in 1..3 when k <= n do n -= k
        terminal mover loses when n == 1
        terminal n == 5
    """,
    "ended_twice": """
        game ended_twice
        sum
        players left, right
        state n: 0..6
        move take choose k in 1..2 when k <= n do n -= k
        move break by left when n > 3 into (n - 3), (n - 2)
        terminal draw when n == 1 and mover == left
        terminal mover loses when n == 2
        terminal right wins when n == 0 or n == 5
    """,
    "colours_drawn": """
        game colours_drawn
        sum
        players left, right
        state n: 0..7
        move lefts by left choose k in {1, 3} when n >= k do n -= k
        move rights by right choose k in {2, 3} when n >= k do n -= k
        terminal draw when n == 4
        winner stuck player
    """,
    "rounds": """
        game rounds
        sum
        players left, right
        state at: 0..5
        move on by left choose k in 1..2 when at != 3 do at = (at + k) % 6
        move back by right when at > 1 do at -= 1
        endless draw
    """,
    "rounds_right": """
        game rounds_right
        sum
        players left, right
        state at: 0..5
        move on by left choose k in 1..2 when at != 3 do at = (at + k) % 6
        move back by right when at > 1 do at -= 1
        terminal draw when at == 4
        endless right wins
    """,
}
