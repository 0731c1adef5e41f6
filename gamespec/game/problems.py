"""What can be wrong with the meaning of a spec: GS100–GS149 and GS190–GS199 the checker."""

from __future__ import annotations

from gamespec.diagnostics import Kind

# --- the language as far as it goes ------------------------------------------------------------------------

NOT_YET = Kind("GS100", "{what} is not supported yet")

# --- names -------------------------------------------------------------------------------------------------

UNKNOWN_NAME = Kind("GS101", "there is no `{name}` here")
UNKNOWN_FUNCTION = Kind("GS102", "there is no function `{name}`")
DECLARED_TWICE = Kind("GS103", "`{name}` is declared twice", label="{what}", help="give one of them another name")
SHADOWED = Kind("GS104", "`{name}` is {what} already", label="bound again here", help="choose another name here")
RESERVED = Kind("GS105", "`{name}` is a word of the language and cannot be a name", help="choose another name")
CYCLE = Kind("GS106", "`{name}` is defined by itself: {path}", help="define one of them without the others")
NOT_A_VALUE = Kind("GS107", "`{name}` is {what}, not a value")
NOT_A_FUNCTION = Kind("GS108", "`{name}` is {what}, not a function", help="write `{name}` without arguments")
ARGUMENT_COUNT = Kind("GS109", "`{name}` takes {wanted}, not {given}")
ARGUMENT = Kind("GS110", "`{name}` {reason}", label="{described}")
NO_FOLD = Kind(
    "GS111",
    "`{name}` does not go over `for …`",
    help="these do: min max sum count any all gcd",
)

# --- types -------------------------------------------------------------------------------------------------

NEEDS_NUMBER = Kind("GS112", "{where} needs a number, but `{text}` is {described}", label="{described}")
NEEDS_CONDITION = Kind("GS113", "{where} needs a condition, but `{text}` is {described}", label="{described}")
NEEDS_SET = Kind("GS114", "{where} needs a set, but `{text}` is {described}", label="{described}")
RANGE_OF_SET = Kind(
    "GS115",
    "a range goes between two numbers, but `{text}` is a set",
    label="read as one end of the range",
    help="did you mean `{meant}`?",
)
SET_AND_NUMBER = Kind(
    "GS116", "`{op}` is between a set and a number", label="{described}", help="did you mean `{meant}`?"
)
SET_OPERATOR = Kind("GS117", "`{op}` is not for {described}")
NOT_COMPARABLE = Kind("GS118", "{left} and {right} cannot be compared with `{op}`")
UNKNOWN_VALUE = Kind("GS119", "`{name}` is not one of {names}", label="compared with {names}")
MIXED = Kind("GS120", "{where} must be alike, but one is {left} and another {right}", label="{right}")
NOT_AN_ARRAY = Kind("GS121", "`{text}` is {described}; only a declared array has an index")
INDEX_COUNT = Kind("GS122", "`{text}` takes {wanted}, not {given}")

# --- numbers and sizes -------------------------------------------------------------------------------------

TOO_WIDE = Kind(
    "GS123",
    "`{text}` may need {bits} bits, and numbers have at most 127",
    label="{label}",
    help="declare smaller ranges for what stands in it",
)
NO_VALUE = Kind("GS124", "`{text}` {reason}")
NEGATIVE_EXPONENT = Kind(
    "GS125",
    "the exponent `{text}` may be negative: it lies in {bounds}",
    help="write `max({text}, 0)`, or declare a range from 0",
)
TOO_MUCH = Kind(
    "GS126",
    "with its functions expanded, this spec has more than {limit} operations",
    label="while this was expanded",
    help="a `let` without arguments is computed once; use those for what is the same everywhere",
)
TOO_MANY_ELEMENTS = Kind(
    "GS608",
    "with its lines written out, this spec has more than {limit} operations",
    label="{total} to be written out, with about {each|operation} for each",
    help="{fitting} of them would fit: a smaller board, shorter lines, or a shorter condition",
)
TOO_DEEP = Kind(
    "GS127",
    "this is nested more than {limit} deep when its names are expanded",
    help="write it with `for`, or with fewer names defined by each other",
)
PARAM_NUMBER = Kind(
    "GS128",
    "`param {name}` is {described}, but a param is a number",
    help="write it as a `let`",
    clause="let",
    value="{name} = {text}",
)

# --- fields ------------------------------------------------------------------------------------------------

NOT_A_TYPE = Kind("GS129", "`{text}` is not a type")
EMPTY_TYPE = Kind("GS130", "`{text}` is empty: {lo} is more than {hi}", help="write the smaller number first")
TOO_LARGE = Kind("GS131", "`{name}` may have {size} elements, and {limit} is the most for {role}")
NAME_OF_TWO_TYPES = Kind(
    "GS132",
    "`{name}` belongs to two types, {first} and {second}",
    help="repeat the first type as it is, or use another name",
)
NO_VALUE_HERE = Kind("GS133", "`{name}` has no value here", label="{what}")
INPUT_NAME_IN_RULE = Kind(
    "GS134",
    "`{name}` is only read, so no rule may use it",
    help="declare it to make it known to the rules",
    clause="given",
    value="{name}: 0..1000",
)
NO_STATE = Kind("GS135", "a game needs a state", help="say what changes during play", clause="state", value="n: 0..100")

# --- rules -------------------------------------------------------------------------------------------------

NO_MOVE = Kind("GS136", "a game needs a move", help="say what a player may do, for instance `move take do n -= 1`")
STUCK_PLACE = Kind(
    "GS137", "`stuck` may only stand in `terminal`", help="whether a move exists is not known before the moves are"
)
FIXED = Kind("GS138", "`{name}` is {what}, which no move can change")
UPDATE_TYPE = Kind("GS139", "`{name}` holds {holds}, but `{text}` is {described}", label="{described}")
UPDATE_OPERATOR = Kind("GS140", "`{op}` is not for `{name}`, which holds {holds}")
SET_TWICE = Kind(
    "GS141",
    "`{name}` is set twice in one move",
    help="all right sides read the old position; only `+=`, `-=`, `|=` and `&=` add up",
)
INTO_WITHOUT_SUM = Kind(
    "GS142", "`into` leaves components, but this game is not a sum", help="add the clause", clause="sum", value=""
)
INTO_COUNT = Kind("GS143", "each component needs {wanted} ({names}), not {given}")
SUM_STUCK = Kind(
    "GS145",
    "`stuck` says nothing in a sum: a component without a move ends alone, and others go on",
    help="leave it out; where nobody can move in any component, `winner` decides",
)

# --- input -------------------------------------------------------------------------------------------------

READ_TWICE = Kind("GS146", "`{name}` is read twice", help="read it once for each case")
READ_SHAPE = Kind("GS147", "`{name}` is {what}, so {problem}")
ROWS = Kind("GS148", "{problem}")
NOT_READ = Kind("GS149", "`{name}` is {missing}", label="declared here")
ALPHABET = Kind("GS164", "`{name}` cannot be read `as {form}`: {problem}")
UNTIL_IDLE = Kind(
    "GS165",
    "`until` uses nothing that these cases read, so it would never change",
    help="test a value that is read for each case",
)
EACH = Kind(
    "GS166", "`cases for {name}` cannot be: {problem}", help="`cases for NAME in SET` asks about every value of a field"
)
NOTHING_READ = Kind(
    "GS167", "these cases read nothing, so they would never end", help="say what a case reads: `read n`"
)
LEVELS = Kind("GS168", "an input has {limit} levels of cases at most, and this one has {count}")

# --- output ------------------------------------------------------------------------------------------------

OUTPUT_WORD = Kind("GS190", "`{name}` is not a word of `output`")
OUTCOME_MISSING = Kind(
    "GS191",
    "nothing is said for a position that is {outcome}",
    label="only other outcomes are printed",
    severity="warning",
)
GRUNDY_RULE = Kind(
    "GS192",
    "a Grundy value needs a rule without verdicts where the last mover wins",
    label="a Grundy value is printed here",
    help="print `win` and `lose` instead",
)
ANSWER_RULE = Kind("GS193", "there is no `{name}` in this game: {reason}")
NOT_BOTH = Kind(
    "GS610",
    "an output tells Grundy values, or how long play lasts, not both",
    label="the output has `{other}`, too",
    help="ask for one of them in a spec of its own, or with `gamespec value SPEC … --ask {name}`",
)
OUTPUT_SHAPE = Kind("GS600", "{problem}")
DRAWN_WINNER = Kind(
    "GS601",
    "a game can be drawn here, and then `winner` is nobody",
    help="print it behind `win` and `lose`, or ask for the outcome first: "
    "`{if outcome == draw then 0 else if winner == x then 1 else 2}`",
)
AFTER_PARTS = Kind(
    "GS602", "`after(…)` is the position after the winning move, and a move may leave several components"
)
HOLE_TYPE = Kind("GS194", "`{text}` is {described}, which cannot be printed")
MOVE_VALUE = Kind(
    "GS605",
    "`{text}` is {described}, and moves are told or sorted by single values",
    help="`size(…)` and folds make one number of several",
)
HOLE_FORMAT = Kind(
    "GS195",
    "`{text}` is not a format for {described}",
)
TOTAL_OF = Kind(
    "GS604",
    "`{text}` is nobody whose total could be printed",
    label="one of {known}",
    help="`{total}` is what the player to move gains, `{total: other}` what the other one gains",
)
FILE_NAME = Kind(
    "GS196",
    "the game is called `{name}`, but its file `{file}`",
    help="give both the same name",
    severity="warning",
)
PARAM_DEFINE = Kind("GS197", "there is no param `{name}` to set with -D")
DEFINE_VALUE = Kind("GS198", "-D {name}={text}: {problem}", help="write a constant number, as in `-D {name}=20`")
NOT_CHECKED = Kind(
    "GS199", "`{name}` is never used, so only its names were checked", severity="warning", label="not used"
)

# --- players, draws and scores: GS164–GS189 ----------------------------------------------------------------

NO_PLAYERS = Kind(
    "GS169",
    "{what} needs players",
    help="name the two, the one who moves first in front",
    clause="players",
    value="first, second",
)
PLAYERS = Kind("GS188", "{problem}")
UNKNOWN_PLAYER = Kind("GS172", "`{name}` is not a player")
ENDLESS_IDLE = Kind(
    "GS184",
    "`endless` changes nothing: every play comes to an end",
    label="{reason}",
    help="leave the clause out",
    severity="note",
)
ENDLESS_TURN = Kind(
    "GS173",
    "`endless {who} …` says nothing: in a play without end nobody is the last to move",
    help="say `draw`, or name the player who wins",
    clause="endless",
    value="draw",
)
SUM_TURN = Kind(
    "GS174",
    "a move in a sum cannot say who moves next: the other components wait for the same player",
    help="leave `mover` out of `do`",
)
GAIN_UNUSED = Kind(
    "GS175",
    "`gain` counts only where the higher score wins",
    help="add the clause",
    clause="winner",
    value="highest score",
)
NO_GAIN = Kind(
    "GS176", "the highest score wins, but no move has a `gain`", help="write behind a `do` what it brings: `gain v[lo]`"
)
SCORE_VERDICT = Kind(
    "GS177",
    "a verdict and `winner highest score` contradict each other",
    help="end the game by a plain condition: then the scores decide",
)
SCORE_ENDLESS = Kind(
    "GS603",
    "a play without end has no score, so `endless` cannot say what it is worth",
    help="count the moves in a state field, and end the game by `terminal` when there were too many",
)
SUM_SCORE = Kind("GS178", "{what} in a sum is not supported: scores of components do not add up to a rule")

# --- boards, components, symmetries: GS179, GS181–GS183, GS185–GS187 ---------------------------------------

GRID = Kind(
    "GS187",
    "{problem}",
    help="`lines(board, 3)` lists all three cells in a row of an array whose bounds are numbers or params",
)
NO_LINE = Kind(
    "GS606",
    "no line of {count|cell} fits `{text}`, which has {size}",
    label="so there is none to go through",
    help="a line of it has at most {longest|cell}",
    severity="warning",
)
TOO_MANY_LINES = Kind(
    "GS607",
    "a board of {size} has {number|line} of {count|cell}, and {limit} is the most",
    help="{fitting} would fit",
)
STATE_SETS = Kind(
    "GS185",
    "`{name}` is an array of sets, and only a `given` can be one",
    help="what changes may be one set over all places: `set of 0..width * height - 1`, or an array of bool",
)
PART_NAMED = Kind("GS183", "{problem}")
SYMMETRY_SIGN = Kind("GS182", "a symmetry says what stands where: `{op}` is not for it", help="write `a = b, b = a`")
SORTED = Kind(
    "GS181",
    "`{name}` is a {what}, which cannot be a sorted array",
    help="a state of one index can: its cells are kept in ascending order, whatever a move sets",
)
GRID_PLACE = Kind("GS186", "`{text}` has no value of its own: {what}")
GRID_FOLD = Kind("GS179", "{problem}")

# --- at a position: GS150–GS169 ----------------------------------------------------------------------------
# `{when}` is empty or reads " when n = 0".

NOTHING_TO_CHOOSE = Kind("GS150", "`{expr}` has nothing to choose from{when}", label="no value here")
UNDEFINED = Kind("GS151", "`{expr}` {reason}{when}")
DIVISION_BY_ZERO = Kind("GS152", "`{expr}` divides by zero{when}", label="`{divisor}` is 0")
OUTSIDE_ARRAY = Kind("GS153", "`{expr}` is outside the array{when}", label="{index} is not in {lo}..{hi}")
LEAVES_RANGE = Kind("GS154", "{doer} makes {cell} = {value}, which is outside {lo}..{hi}{when}")
LEAVES_SET = Kind("GS155", "{doer} puts {value} into {cell}, a set of {lo}..{hi}{when}")
WRONG_LENGTH = Kind("GS156", "{doer} makes {cell} an array of {found|cell} instead of {cells}{when}")
BREAKS_REQUIRE = Kind(
    "GS157",
    "{doer} breaks `require {condition}`{when}",
    label="leads to {after}",
    help="every move must keep what is required: guard the move, or do not require it",
)
CELL_SET_TWICE = Kind(
    "GS158",
    "{doer} sets {cell} twice{when}",
    help="give each cell one new value; only `+=`, `-=`, `|=` and `&=` add up",
)
REPEATS = Kind(
    "GS159",
    "a position can come back: {play}",
    label="`{move}` is part of this play",
    help="give the moves something that always falls, or say what a play without end means",
    clause="endless",
    value="draw",
)
NUMBER_TOO_LARGE = Kind(
    "GS160",
    "`{expr}` does not fit 127 bits{when}",
    label="too large",
    help="declare smaller ranges for what stands in it",
)
SET_TOO_LARGE = Kind("GS161", "`{expr}` has {size} elements{when}; a set may have 1,048,576", label="too large")
TOO_MUCH_WORK = Kind(
    "GS162",
    "a position takes more than {limit} steps: `{expr}` is still being gone through{when}",
    help="choose from smaller sets",
)
NESTED_TOO_DEEP = Kind("GS163", "the rules are nested too deeply", help="define fewer names by others")
