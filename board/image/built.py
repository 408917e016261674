"""The check of a finished build: its options, its packages, and what the product needs in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from image import accounts, called_programs, options, requested, storage_rules, units, versions
from image.repository import OVERLAYS, REQUIREMENTS, SOURCES

INPUTS_FILE = "made-of.json"
"""Which inputs a build is of, as `python3 -m image.inputs` tells: written when it is whole."""


def is_of(output: Path, digests: Mapping[str, str]) -> bool | None:
    """Return whether the build in `output` is of inputs with `digests`; None where there is none.

    Raises ValueError and OSError.
    """
    file = output / INPUTS_FILE
    return json.loads(file.read_text()) == digests if file.exists() else None


def differences(output: Path, configs: Sequence[Path]) -> list[str]:
    """Return a line for each request that the build does not fulfil.

    Raises options.Malformed, ValueError and OSError.
    """
    buildroot = options.obtained(output / ".config")
    kernel = options.obtained(_kernel_config(output))
    lines = requested.unanswered(requested.of_buildroot(configs, buildroot), buildroot)
    lines += requested.unanswered(requested.of_kernel(buildroot), kernel)
    information = json.loads((output / "info.json").read_text())
    packages = {name: str(each.get("version")) for name, each in information.items()}
    lines += versions.differences(REQUIREMENTS, packages)
    lines += called_programs.missing(called_programs.calls(SOURCES), output / "target")
    lines += storage_rules.unmasked(output / "target")
    known = accounts.known(output / "target", output / "build/buildroot-fs/full_users_table.txt")
    lines += accounts.missing(known, output / "target")
    return lines + units.missing(OVERLAYS, output / "target", known)


def _kernel_config(output: Path) -> Path:
    """Return the kernel's .config; headers are configured elsewhere. Raises FileNotFoundError."""
    configs = [
        path
        for path in (output / "build").glob("linux-*/.config")
        if not path.parent.name.startswith("linux-headers")
    ]
    if len(configs) != 1:
        raise FileNotFoundError(f"{output}/build: {len(configs)} configured kernels, not one")
    return configs[0]
