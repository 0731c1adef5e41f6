"""`gamespec completion`: shell completion."""

from __future__ import annotations

import click

from gamespec.cli.option import debug_option


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@debug_option
def command(shell: str) -> None:
    """Print a script that completes verbs, options and files in SHELL.

    \b
    Add to the start-up file of your shell:
      eval "$(gamespec completion bash)"          in ~/.bashrc
      eval "$(gamespec completion zsh)"           in ~/.zshrc
      gamespec completion fish | source           in ~/.config/fish/config.fish
    """
    from click.shell_completion import get_completion_class

    from gamespec.cli.main import gamespec

    script = get_completion_class(shell)
    assert script is not None
    click.echo(script(gamespec, {}, "gamespec", "_GAMESPEC_COMPLETE").source())
