"""Playing a game in a terminal or over a pipe."""
