"""What can be asked about a position, and how it is printed."""
