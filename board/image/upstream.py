"""What upstreams say of their releases: by the network, or in files of a folder.

releases.json   https://www.kernel.org/releases.json
<name>.tags     the answer of `git ls-remote --tags --refs`: buildroot.tags, ktls-utils.tags …
npm.json        the answer of `npm outdated --json` in webui/
python.json     the answer of `pip list --outdated --format json` in the tests' virtualenv
"""

from __future__ import annotations

import json
import re
import subprocess
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from image.versions import ordered

KERNEL_RELEASES = "https://www.kernel.org/releases.json"
PATIENCE = 60
"""Seconds in which a server has to answer."""
# A name in front is left out; what follows the numbers is a candidate's.
_TAG = re.compile(r"refs/tags/(?:[A-Za-z][\w.-]*?[-_]|v)?(\d+(?:\.\d+)+)$", re.MULTILINE)


class Unreachable(Exception):
    """A source that did not answer as it should; the text says which and why."""


@dataclass(frozen=True)
class Upstream:
    """Where answers come from: the network, or the files in `folder`."""

    folder: Path | None = None

    def kernel_releases(self) -> dict[str, Any]:
        """Return what kernel.org tells of its releases. Raises Unreachable."""
        text = self._file("releases.json") if self.folder else _page()
        releases: dict[str, Any] = _json(KERNEL_RELEASES, text)
        return releases

    def releases(self, name: str, repository: str) -> list[str]:
        """Return the versions that are tagged, oldest first; no candidates. Raises Unreachable."""
        if self.folder:
            tags = self._file(f"{name}.tags")
        else:
            tags = _answer(["git", "ls-remote", "--tags", "--refs", repository])
        versions = sorted(set(_TAG.findall(tags)), key=ordered)
        if not versions:
            raise Unreachable(f"{name}: {repository} has no tag of a version")
        return versions

    def npm(self, webui: Path) -> dict[str, Any]:
        """Return what npm finds outdated in `webui`, by name. Raises Unreachable."""
        if self.folder:
            text = self._file("npm.json")
        else:
            # 1 says that something is.
            text = _answer(["npm", "outdated", "--json"], webui, (0, 1))
        outdated: dict[str, Any] = _json("npm", text or "{}")
        if "error" in outdated:
            raise Unreachable(f"npm: {outdated['error']}")
        return outdated

    def python(self, interpreter: Path) -> list[dict[str, str]]:
        """Return what pip finds outdated beside `interpreter`. Raises Unreachable."""
        if self.folder:
            text = self._file("python.json")
        else:
            argv = [str(interpreter), "-m", "pip", "list", "--outdated", "--format", "json"]
            text = _answer(argv)
        outdated: list[dict[str, str]] = _json("pip", text)
        return outdated

    def _file(self, name: str) -> str:
        assert self.folder is not None
        try:
            return (self.folder / name).read_text()
        except OSError as error:
            raise Unreachable(str(error)) from error


def _page() -> str:
    try:
        with urllib.request.urlopen(KERNEL_RELEASES, timeout=PATIENCE) as answer:
            text: str = answer.read().decode()
            return text
    except (OSError, ValueError) as error:
        raise Unreachable(f"{KERNEL_RELEASES}: {error}") from error


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise Unreachable(f"{name}: {error}") from error


def _answer(argv: Sequence[str], cwd: Path | None = None, good: Sequence[int] = (0,)) -> str:
    try:
        done = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Unreachable(f"{argv[0]}: {error}") from error
    if done.returncode not in good:
        messages = "; ".join(line.strip() for line in done.stderr.splitlines() if line.strip())
        raise Unreachable(f"{' '.join(argv)}: exit status {done.returncode}: {messages}")
    return done.stdout
