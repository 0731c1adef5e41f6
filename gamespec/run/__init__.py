"""At the judge's side: cases are read in blocks, answered together, and printed in order."""
