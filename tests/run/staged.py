"""The form of staged files, as a hook of git: `make hook` installs it, nothing else does.

It checks the staged content, and not the file beside it, which may have more. It changes nothing,
and uses no network.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

RUFF = Path("output/venv/bin/ruff")
CONFIG = ("--config", "api/pyproject.toml")
PRETTIER = Path("webui/node_modules/.bin/prettier")
FORMATTED = (".css", ".html", ".js", ".json", ".mjs", ".ts", ".tsx")
HOOK = "#!/bin/sh\nPYTHONPATH=tests exec /usr/bin/python3 -m run.staged\n"


class Unusable(Exception):
    """The hook cannot do its work; the text says why, and what to do."""


def _git(*arguments: str) -> bytes:
    return subprocess.run(("git", *arguments), stdout=subprocess.PIPE, check=True).stdout


def staged() -> list[str]:
    """Return the files whose content is staged, by their paths from the tree's top."""
    options = ("--cached", "--name-only", "--diff-filter=ACMR", "-z")
    return os.fsdecode(_git("diff", *options)).split("\0")[:-1]


def checks(path: str) -> list[tuple[str, ...]]:
    """Return the commands that check a file, which each gets from its standard input."""
    if path.endswith(".py"):
        of_staged = (*CONFIG, "--stdin-filename", path, "-")
        return [
            (str(RUFF), "format", "--check", "--quiet", *of_staged),
            (str(RUFF), "check", "--quiet", *of_staged),
        ]
    if path.startswith(("webui/", "tests/webui/")) and path.endswith(FORMATTED):
        # From the folder of the web interface, where its settings are.
        options = ("--config", ".prettierrc.json", "--check", "--stdin-filepath")
        return [(str(PRETTIER.relative_to("webui")), *options, os.path.relpath(path, "webui"))]
    return []


def is_well_formed(path: str) -> bool:
    """Return whether all checks of a staged file pass; their messages go to the terminal.

    Raises Unusable where a program lacks.
    """
    content = _git("show", f":{path}")
    passed = True
    for command in checks(path):
        folder = Path("." if path.endswith(".py") else "webui")
        if not (folder / command[0]).exists():
            text = f"{folder / command[0]} is not there. `make lint` installs it; "
            raise Unusable(f"{text}`git commit --no-verify` commits without a look.")
        done = subprocess.run(command, input=content, cwd=folder, check=False)
        passed = passed and done.returncode == 0
    return passed


def install() -> Path:
    """Write the hook, and return its file. Raises Unusable where another one is there."""
    hook = Path(os.fsdecode(_git("rev-parse", "--git-path", "hooks/pre-commit")).rstrip("\n"))
    if hook.exists() and hook.read_text() != HOOK:
        raise Unusable(f"{hook} is there already, and is not ours. Remove it, then try again.")
    hook.parent.mkdir(parents=True, exist_ok=True)
    hook.write_text(HOOK)
    hook.chmod(0o755)
    return hook


def main(arguments: Sequence[str]) -> int:
    """Check the staged files, or install the hook, and return the exit status."""
    try:
        if arguments:
            print(f"{install()} checks the form of each commit from now on.")
            return 0
        wrong = [path for path in staged() if not is_well_formed(path)]
    except Unusable as problem:
        print(problem, file=sys.stderr)
        return 1
    for path in wrong:
        print(f"{path} is not in form.", file=sys.stderr)
    if wrong:
        print("Nothing was committed: put that right, and `git add` it.", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
