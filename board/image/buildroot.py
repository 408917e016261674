"""A tree of Buildroot, queried for what it would build, without building.

It works in an output folder of its own, so that a build that is there keeps its configuration.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from image import options, repository

TREE = "$(BR2_EXTERNAL_SANSTONE_PATH)"
_METHOD = "_SITE_METHOD"
# Make would hand its own options on to each Makefile that it calls.
_OF_MAKE = ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "MAKELEVEL")


class Failed(Exception):
    """A program failed; the text has its output."""


@dataclass(frozen=True)
class Package:
    """A package as `make show-info` tells of it; files are absolute."""

    name: str
    version: str
    folder: Path
    archives: tuple[str, ...]
    download_folder: str
    hash_files: tuple[Path, ...]
    patches: tuple[Path, ...]
    """All that Buildroot applies, in its order: its own, then those of other folders."""
    dependencies: frozenset[str]

    @property
    def is_ours(self) -> bool:
        """Whether the recipe lies in this repository."""
        return self.folder.is_relative_to(repository.REPOSITORY)


@dataclass(frozen=True)
class Tree:
    """Buildroot in `folder`, working in `output`, which may be absent."""

    folder: Path
    output: Path

    def configure(self, configs: Iterable[Path]) -> dict[str, str]:
        """Return the options that are obtained where `configs`, one after the other, ask.

        Raises Failed and OSError.
        """
        self.output.mkdir(parents=True, exist_ok=True)
        defconfig = self.output / "defconfig"
        defconfig.write_text("".join(file.read_text() for file in configs))
        self._make("defconfig", f"BR2_DEFCONFIG={defconfig.absolute()}")
        return options.obtained(self.output / ".config")

    def packages(self) -> dict[str, Package]:
        """Return the packages that are built for the target, as configured. Raises Failed."""
        information = json.loads(self._make("show-info"))
        local = self._local()
        return {
            name: self._package(name, each, name in local)
            for name, each in information.items()
            if each["type"] == "target" and not each["virtual"]
        }

    def _local(self) -> set[str]:
        """Return the packages with a folder of this machine as their sources.

        `show-info` names archives for them, too, where all others come from one mirror.
        """
        printed = self._make("printvars", f"VARS=%{_METHOD}")
        methods = (line.partition("=") for line in printed.splitlines())
        return {
            variable.removesuffix(_METHOD).lower().replace("_", "-")
            for variable, _, method in methods
            if method == "local"
        }

    def _package(self, name: str, information: Mapping[str, Any], is_local: bool) -> Package:
        downloads = () if is_local else information.get("downloads", ())
        return Package(
            name,
            information.get("version", ""),
            self.folder / information["package_dir"],
            tuple(each["source"] for each in downloads),
            information.get("dl_dir", name),
            tuple(self.folder / file for file in information.get("hashes", [])),
            tuple(self.folder / file for file in information.get("patches", [])),
            frozenset(information["dependencies"]),
        )

    def downloads(self, obtained: Mapping[str, str]) -> Path:
        """Return the folder of archives; a variable of the environment goes before the option."""
        folder = os.environ.get("BR2_DL_DIR") or obtained["BR2_DL_DIR"].strip('"')
        return Path(folder.replace("$(TOPDIR)", str(self.folder)))

    def commit(self) -> str | None:
        """Return the commit that is checked out, unchanged, or None."""
        if not (self.folder / ".git").exists():
            return None
        git = ["git", "-C", str(self.folder)]
        if run([*git, "status", "--porcelain"]).strip():
            return None
        return run([*git, "rev-parse", "HEAD"]).strip()

    def source_command(self, package: str) -> str:
        """Return the command by which Buildroot downloads the archive of `package`."""
        return f"make -C {self.output} {package}-source"

    def _make(self, goal: str, *variables: str) -> str:
        argv = ["make", "--silent", "--no-print-directory", f"--directory={self.folder}"]
        argv += [
            f"O={self.output.absolute()}",
            f"BR2_EXTERNAL={repository.REPOSITORY}",
            *variables,
            goal,
        ]
        return run(argv)


def run(argv: Sequence[str], cwd: Path | None = None) -> str:
    """Run a program and return its output. Raises Failed."""
    environment = {name: value for name, value in os.environ.items() if name not in _OF_MAKE}
    try:
        done = subprocess.run(
            argv, cwd=cwd, env=environment, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise Failed(f"{argv[0]} is not installed") from error
    if done.returncode:
        output = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise Failed("\n".join([f"{' '.join(argv)}: exit status {done.returncode}", *output[-20:]]))
    return done.stdout
