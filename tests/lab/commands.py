"""Running other programs: argument lists only, and no exit status goes unseen."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

# What `run` takes: a program and its arguments.
Argv = Sequence[str | Path]
# A user's PATH on Debian lacks the directories of mke2fs and other tools that need no privilege.
SEARCH_PATH = os.environ.get("PATH", "") + ":/usr/local/sbin:/usr/sbin:/sbin"


class CommandFailed(Exception):
    """A program ended with a status other than 0; the text ends with the last of its output."""

    def __init__(self, argv: Sequence[str], status: int, output: str) -> None:
        tail = "\n".join(output.strip().splitlines()[-40:])
        super().__init__(f"{' '.join(argv)}: exit status {status}\n{tail}")
        self.status = status


def find(program: str) -> str | None:
    """Return the path of `program`, or None where it is not installed."""
    return shutil.which(program, path=SEARCH_PATH)


def run(
    argv: Argv,
    *,
    directory: Path | None = None,
    environment: Mapping[str, str] | None = None,
    text: str = "",
    progress: bool = False,
) -> str:
    """Run `argv` with `text` as its input and return its output.

    Standard error is part of that, except with `progress`, which lets it through to the terminal.
    `environment` adds to the caller's own. Raises CommandFailed.
    """
    words = [str(word) for word in argv]
    done = subprocess.run(
        words,
        cwd=directory,
        env={**os.environ, "PATH": SEARCH_PATH, **(environment or {})},
        input=text,
        stdout=subprocess.PIPE,
        stderr=None if progress else subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        raise CommandFailed(words, done.returncode, done.stdout)
    return done.stdout
