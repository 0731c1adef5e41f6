"""What can be wrong with the writing of a spec."""

from __future__ import annotations

from gamespec.diagnostics import Kind

# --- both spellings ------------------------------------------------------------------------------------------

EXPECTED = Kind("GS001", "expected {expected}, found {found}")
MISSPELT = Kind("GS002", "`{word}` has no meaning here; did you mean `{meant}`?")
SAID_TWICE = Kind("GS003", "`{word}` is said twice", help="keep one of the two")
NO_NAME = Kind("GS004", "the spec does not say the name of the game", clause="game", value="my_game")
TOO_LONG = Kind("GS005", "the spec has {size} characters; the limit is {limit}")
TOO_MANY_TOKENS = Kind("GS006", "the spec has more than {limit} words, numbers and signs; that is the limit")
NAMED_FIRST = Kind("GS049", "values with a name come last in a part", help="move `{name} = …` to the end")
TOO_DEEP = Kind("GS007", "this is nested more than {limit} levels deep", help="give parts of it names with `let`")
NUMBER_TOO_LONG = Kind("GS008", "this number has {digits} digits; the limit is {limit}")
STRAY = Kind("GS009", "the character `{sign}` has no meaning in a spec")

# --- slips ---------------------------------------------------------------------------------------------------

INSTEAD = Kind("GS010", "`{found}` has no meaning here; write `{right}`")
EQUALS = Kind("GS011", "`=` sets a value; to compare, write `==`")
CARET = Kind("GS012", "`^` has no meaning here", help="write `xor` for the bitwise exclusive or, `**` for a power")
STEP = Kind("GS013", "`{found}` has no meaning here", clause="do", value="{name} {op} 1")
FOR_IN_MOVE = Kind(
    "GS014", "a move names its values with `choose`, not with `for`", clause="choose", value="{name} in …"
)
IF_IN_MOVE = Kind("GS015", "the condition of a move follows `when`, not `if`", clause="when", value="…")
NO_EFFECT = Kind("GS016", "the move `{name}` does not say what it does", clause="do", value="…")
NO_COLON = Kind("GS017", "there is no `:` here: a clause word is followed by its value", help="leave the `:` out")
BRACKET_RANGE = Kind("GS018", "`{found}` is no range", help="write `{lo}..{hi}`; both ends are included")
DASH_RANGE = Kind(
    "GS019", "`{lo} - {hi}` is a difference, not a range", help="write `{lo}..{hi}`; both ends are included"
)
BRACKET_SET = Kind("GS020", "a set stands in braces, not in brackets", help="write `{right}`")
UNQUOTED = Kind("GS021", "a text stands in double quotes", help='write `"{text}"`')
UNCLOSED_QUOTE = Kind("GS022", "this quote is not closed", label="the text begins here")
SINGLE_QUOTE = Kind("GS023", "texts stand in double quotes", help="write `\"` in place of `'`")
UNCLOSED_BRACKET = Kind("GS024", "this `{bracket}` is not closed")
WRONG_BRACKET = Kind("GS025", "`{bracket}` closes nothing")
MIXED_JOIN = Kind("GS026", "`{first}` beside `{second}` needs parentheses", help="write `(a {first} b) {second} c`")
UNKNOWN_ESCAPE = Kind(
    "GS027", "`{escape}` means nothing in a text", help='these do: `\\n`, `\\t`, `\\"`, `\\\\`, `\\x41`, `\\u00e9`'
)
COMMENT_SIGN = Kind("GS028", "a comment begins with `#`")
DECIMAL = Kind("GS029", "all numbers are whole numbers", label="the fraction begins here")
OTHER_IF = Kind("GS030", "a choice between two values is written another way", help="write `if COND then A else B`")
UNKNOWN_VERDICT = Kind(
    "GS031",
    "`{word}` is no verdict",
    help="verdicts: `draw`, `NAME wins` or `NAME loses` for a player, `mover wins`, `mover loses`",
)
BOTH_MOVE = Kind("GS070", "a move is for one player, or for both", help="leave `by` out where both may make it")
PLAYER_WORD = Kind(
    "GS074", "`{word}` is a word of the language, so it cannot be a player", help="call the player by another name"
)
SEVERAL_EACH = Kind(
    "GS075",
    "`cases for` goes through the values of one name",
    help="give the next one a level of its own:   {level}",
)
NO_PLAYER = Kind("GS076", "behind `by` stands the player who may make the move", help="name one, or leave `by` out")
BY_FIRST = Kind("GS077", "`by` stands behind the name of the move", help="write `move {name} by {player} …`")
LET_IN_MOVE = Kind(
    "GS078",
    "a `let` is a clause of its own, and no part of a move",
    help="write it above the move; what it needs of the choices are its arguments: `let {name}(…) = …`",
)
NAMES_TOGETHER = Kind("GS079", "each name is chosen from a set of its own", help="write `{right}`")
FOR_AGAIN = Kind(
    "GS080", "several names are gone through by a `for` each", help="write `for {rest}` in place of `, {rest}`"
)
BARE_IF = Kind(
    "GS081", "an `if` that is a part of something stands in parentheses", help="write `1..(if c then a else b)`"
)
GAIN_FIRST = Kind("GS071", "`gain` stands behind what the move does", help="write `do … gain …`")
CHOSEN_FAMILY = Kind(
    "GS073",
    "a name is chosen one value, not one for each index",
    help="choose in stages: one index a move, which keeps the turn (`mover = mover`), and a state says which is next",
)
NO_PART = Kind("GS082", "a move leaves one part at least", help="write `into (0)` for a heap that is gone")
BOARD_BRACKETS = Kind("GS072", "the indices of a board stand in one pair of brackets", help="write `{right}`")
SEMICOLON = Kind("GS032", "nothing stands between clauses, also no `;`", help="leave the `;` out")
UNNAMED_MOVE = Kind(
    "GS033", "this move has no name", help="write `move take {word} …`, with a name of your own for `take`"
)
NO_CHOOSE = Kind("GS034", "the values of a move follow `choose`", clause="choose", value="{rest}")
EXPONENT = Kind("GS035", "whole numbers have no exponent", help="write `{right}`")
UNTYPED_LIST = Kind("GS036", "`{word}` is not a type", help="write `array[1..9] of …`, or `set of …`")
TYPES_TOGETHER = Kind(
    "GS037", "`{word}` gives several fields one type", help="write `{word} {rest}` as a clause of its own"
)
CASES_FIRST = Kind("GS038", "`cases` stands before `read`; `cases count` reads the number of cases itself")
VERDICT_FIRST = Kind("GS039", "a verdict stands before its condition", help="write `terminal mover {word} when …`")
MISSING_COMMA = Kind("GS043", "a `,` is missing before `{found}`")
UPDATE_SIGN = Kind("GS044", "`{found}` has no meaning here", clause="do", value="{name} = {name} {op} …")
WHEN_FIRST = Kind("GS045", "the condition of a move stands before its `do`")
SPECIAL_BLANK = Kind("GS046", "this is not an ordinary blank but {sign}", help="write a blank in its place, or nothing")
NUMBER_WITH_COMMAS = Kind("GS047", "numbers have no commas", help="write `{right}`")

# --- texts with holes ----------------------------------------------------------------------------------------

UNCLOSED_HOLE = Kind("GS040", "this `{` is not closed", help="a brace of the text itself is written `{{`")
STRAY_BRACE = Kind("GS041", "this `}` closes nothing", help="a brace of the text itself is written `}}`")
EMPTY_HOLE = Kind("GS042", "there is nothing between these braces", help="braces of the text itself are written `{{}}`")

# --- YAML ----------------------------------------------------------------------------------------------------

NOT_YAML = Kind("GS050", "this is not YAML: {problem}")
YAML_QUOTES = Kind("GS051", "{why}; put this in quotes", help="write `{right}`")
YAML_TAB = Kind("GS052", "YAML is indented with blanks, not with tabs")
YAML_ANCHOR = Kind(
    "GS053", "anchors (`&name`) are not used in specs", help="put the value in quotes if it begins with `&`"
)
YAML_ALIAS = Kind("GS054", "a value that begins with `*` is an alias in YAML", help="put the value in quotes")
YAML_TAG = Kind("GS055", "a value that begins with `!` is a tag in YAML", help="write `not` for `!`")
YAML_MERGE = Kind("GS056", "merge keys (`<<`) are not used in specs")
YAML_DOCUMENTS = Kind("GS057", "a file holds one spec; a second YAML document begins here")
YAML_DEEP = Kind("GS058", "this is nested more than {limit} levels deep")
YAML_TOP = Kind("GS059", "a spec is a mapping of clause words to values", clause="game", value="my_game")
YAML_CUT = Kind(
    "GS060", "YAML ends this text at ` #`, where a comment begins; put the text in quotes", help="write `{right}`"
)
REPEATED_KEY = Kind("GS061", "the key `{key}` stands here twice")
UNKNOWN_KEY = Kind("GS062", "`{key}` is not a key of {where}")
MISSING_KEY = Kind("GS063", "{where} has no `{key}`")
NO_VALUE = Kind("GS064", "{where} has no value")
WRONG_SHAPE = Kind("GS065", "{where} is {right}, not {found}")
TWO_EFFECTS = Kind("GS066", "a move has one effect: `do` or `into`, not both")
GAIN_ALONE = Kind("GS067", "`gain` belongs to `do`")
YAML_NO_COLON = Kind("GS069", "a `:` is missing behind this key")
COMPLEX_KEY = Kind("GS068", "a key is one word or expression on one line")
