"""`python -m gamespec`: the command, without an installed script."""

from gamespec.cli.main import main

if __name__ == "__main__":
    main()
