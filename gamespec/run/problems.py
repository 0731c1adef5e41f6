"""Diagnostics of the input (GS2xx). Each names the case, the line and the word where that makes sense."""

from gamespec.diagnostics import Kind

TOO_FEW = Kind("GS201", "case {case}: the input ends on line {line}, where {what} should follow", label="to be read")
NOT_A_NUMBER = Kind(
    "GS202",
    "case {case}, line {line}: `{word}` is not a whole number; {what} must be {expected}",
    label="declared here",
)
NOT_A_NAME = Kind("GS203", "case {case}, line {line}: `{word}` is not a value of {what}", label="must be {expected}")
OUT_OF_RANGE = Kind(
    "GS204", "case {case}, line {line}: {what} is {value}; it must be {expected}", label="declared here"
)
TOO_LONG = Kind(
    "GS218",
    "case {case}, line {line}: `{word}` is a number with thousands of zeros in front; {what} must be {expected}",
    label="declared here",
)
REQUIRE_BROKEN = Kind(
    "GS205",
    "case {case}, line {line}: the input gives a position that `require` forbids: {position}",
    label="does not hold here",
)
FEWER_CASES = Kind(
    "GS206", "the input announces {announced|case}, and ends on line {line} after {found}", label="`cases count`"
)
NEGATIVE_COUNT = Kind(
    "GS207", "case {case}, line {line}: {count} {things} cannot be read", label="the count is {count} here"
)
WRONG_LENGTH = Kind(
    "GS208",
    "case {case}, line {line}: {count|value is|values are} given for `{what}`, which has {length}",
    label="declared here",
)
TEXT_LEFT = Kind(
    "GS209", "line {line}: `{word}` and what follows stand after the last case and are not read", severity="warning"
)
START_OUT_OF_RANGE = Kind(
    "GS210",
    "case {case}: with this input `start` makes `{what}` {value}; it must be {expected}",
    label="declared here",
)
MEASURED_OUT_OF_RANGE = Kind(
    "GS229", "case {case}: with this input `{what}` is {value}; it must be {expected}", label="declared here"
)
EACH_OUT_OF_RANGE = Kind(
    "GS220",
    "case {case}: `cases for` asks about `{what}` = {value}; it must be {expected}",
    label="declared here",
)
WRONG_COUNT = Kind(
    "GS221",
    "case {case}, line {line}: the {place} holds {found}, and not {wanted}",
    label="{wanted} here",
)
RAGGED_LINE = Kind(
    "GS222",
    "case {case}, line {line}: the {words|word} left on the line cannot be divided into rows of {width}",
    label="to be read",
)
WRONG_SHAPE = Kind("GS223", "case {case}, line {line}: `{what}` is given {given}; it has {size}", label="declared here")
NO_CHARACTER = Kind(
    "GS224",
    "case {case}, line {line}: `{char}` in `{word}` stands for no value of {what}; these do: {known}",
    label="declared here",
)
NOTHING_TAKEN = Kind(
    "GS225",
    "case {case}, line {line}: this case takes nothing from the input, so the cases would never end",
    label="to be read",
)
FEWER_QUERIES = Kind(
    "GS226",
    "case {case}: {announced|case is|cases are} announced in it, and the input ends on line {line} after {found}",
    label="`cases count`",
)
NO_QUERY_COUNT = Kind(
    "GS227", "case {case}: the input ends, where the number of cases in it should follow", label="`cases count`"
)
NOT_A_QUERY_COUNT = Kind(
    "GS228",
    "case {case}, line {line}: `{word}` is not a number of cases: a count from 0 to 10^18",
    label="`cases count`",
)
NO_CASE_COUNT = Kind("GS211", "the input is empty; it should begin with the number of cases", label="`cases count`")
NOT_A_CASE_COUNT = Kind(
    "GS212", "line {line}: `{word}` is not a number of cases: a count from 0 to 10^18", label="`cases count`"
)
NO_WORD = Kind(
    "GS213",
    "case {case} is {outcome}, and the output says nothing for that",
    help="add a text for it",
    clause="output",
    value='{word} "…"',
)
NO_CHOICE = Kind(
    "GS230",
    "case {case}: the winning move is `{move}`, which chooses no `{name}`",
    help="`{winning_move}` prints any move",
)
DRAWN_CLASS = Kind("GS231", "case {case} is drawn when {who} starts, and `{word}` asks who wins")
NO_VALUE = Kind("GS214", "the position gives no value for {names}", help="write for example {example}")
BAD_VALUE = Kind("GS215", "`{text}` is not a value for `{what}`: it must be {expected}", label="declared here")
NO_SUCH_FIELD = Kind("GS216", "{game} has no field `{name}`{near}", help="its fields are {names}")
NO_INPUT = Kind(
    "GS219",
    "the spec has no `input`, so nothing says how {names} is read",
    label="declared here",
    help="add one (`gamespec help input`), or ask for single positions with `gamespec value`",
)
NOT_A_POSITION = Kind("GS217", "`require` forbids the position {position}", label="does not hold here")
