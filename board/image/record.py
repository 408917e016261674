"""The record: what the checks found on a tree of Buildroot, for machines that have none.

It lies in the folder recorded/, in files that can be read and compared line by line:

made-of.json      the inputs that the record is of, by SHA-256, and Buildroot's commit
buildroot.config  the options of Buildroot that our files name, as they were obtained
kernel.config     the same of the kernel
packages.json     the versions of all packages of the image but those of this repository
tried.json        on which sources patches, kernel and our packages were tried

It vouches for nothing else: once an input changes, the checks have to run anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from image import options


@dataclass(frozen=True)
class Pin:
    """Which Buildroot: the tag and the commit that it stands for."""

    version: str
    commit: str


@dataclass(frozen=True)
class Tried:
    """What was tried on which sources: `<package> <version>` of each."""

    kernel: str
    """The release that the options were obtained of."""
    patches: Mapping[str, str]
    """By their paths in the repository."""
    libraries: Mapping[str, Mapping[str, str]]
    """By our packages: of each library how many names were looked for."""


@dataclass(frozen=True)
class Record:
    """All that the folder holds."""

    pin: Pin
    inputs: Mapping[str, str]
    buildroot: Mapping[str, str]
    kernel: Mapping[str, str]
    packages: Mapping[str, str]
    tried: Tried

    def write(self, folder: Path) -> None:
        """Replace the files in `folder`. Raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        inputs_and_pin = {"buildroot": vars(self.pin), "inputs": self.inputs}
        _write(folder / "made-of.json", inputs_and_pin)
        (folder / "buildroot.config").write_text(options.written(self.buildroot))
        (folder / "kernel.config").write_text(options.written(self.kernel))
        _write(folder / "packages.json", self.packages)
        _write(folder / "tried.json", vars(self.tried))

    def outdated(self, pin: Pin, inputs: Mapping[str, str]) -> list[str]:
        """Return a line for each input that is no more what the record is of."""
        lines = [
            f"Makefile: BUILDROOT_{field.name.upper()} is {now}, in the record it is {then}"
            for field in fields(Pin)
            if (now := getattr(pin, field.name)) != (then := getattr(self.pin, field.name))
        ]
        for path in sorted({*inputs, *self.inputs}):
            if path not in self.inputs:
                lines.append(f"{path}: is not in the record")
            elif path not in inputs:
                lines.append(f"{path}: is in the record, and was removed since")
            elif inputs[path] != self.inputs[path]:
                lines.append(f"{path}: has changed since the record was made")
        return lines

    def elsewhere(self) -> list[str]:
        """Return a line for each source that something was tried on and that is not the pinned."""
        used = {self.tried.kernel, *self.tried.patches.values()}
        used |= {library for each in self.tried.libraries.values() for library in each}
        lines = []
        for source in sorted(used):
            name, _, version = source.partition(" ")
            pinned = self.packages.get(name, version)
            if version != pinned:
                lines.append(f"{name}: tried with {version}, not with {pinned}, which is built")
        return lines


def read(folder: Path) -> Record:
    """Read a record. Raises FileNotFoundError where there is none, ValueError and OSError."""
    inputs_and_pin = json.loads((folder / "made-of.json").read_text())
    return Record(
        Pin(**inputs_and_pin["buildroot"]),
        inputs_and_pin["inputs"],
        options.obtained(folder / "buildroot.config"),
        options.obtained(folder / "kernel.config"),
        json.loads((folder / "packages.json").read_text()),
        Tried(**json.loads((folder / "tried.json").read_text())),
    )


def _write(file: Path, content: Mapping[str, Any]) -> None:
    file.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n")
