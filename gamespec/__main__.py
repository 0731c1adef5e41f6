"""The command `gamespec`, also as `python -m gamespec`."""

import gc
import sys


def main() -> None:
    """Runs the command and leaves the process with its exit status."""
    try:
        status = _run()
    except KeyboardInterrupt:  # while modules are loaded: `guarded` takes care of all others
        from gamespec.cli.guard import INTERRUPTED

        status = INTERRUPTED
    sys.exit(status)


def _run() -> int:
    status = None
    if sys.argv[1:2] == ["solve"]:
        gc.disable()  # what is loaded now stays; `enter` goes on with it
        from gamespec.cli.door import enter

        status = enter(sys.argv[2:])
        gc.enable()
    if status is None:
        from gamespec.cli.main import run

        status = run(sys.argv[1:])
    return status


if __name__ == "__main__":
    main()
