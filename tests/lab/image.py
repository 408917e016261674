"""What a machine boots: the layers of its role, Debian's kernel and the lab's initrd.

array   debian-array, wheels, product, guest-array
host    debian-host, guest-host
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lab import cache, commands, debian, guest, initrd, paths, product, wheels
from lab.layer import Layer

ROLES = ("array", "host")


@dataclass(frozen=True)
class Image:
    """Files to boot one role from, past all firmware; `layers` are squashfs files, lowest first."""

    layers: tuple[Path, ...]
    kernel: Path
    initrd: Path

    @property
    def name(self) -> str:
        """A name that changes with the contents."""
        return f"{self.layers[-1].stem}, {self.kernel.parent.name}"


@dataclass(frozen=True)
class Drives:
    """Stands for an image where firmware boots from the machine's own drives.

    `strings` are files whose contents are in the firmware's tables (SMBIOS, type 11).
    """

    name: str
    strings: tuple[Path, ...] = ()
    uefi: bool = False


def ensure(roles: tuple[str, ...] = ROLES) -> dict[str, Image]:
    """Build the stale images of `roles`, and return the images of all of them.

    Raises commands.CommandFailed.
    """
    described = json.loads(_build_as_root(roles))
    return {
        role: Image(
            layers=tuple(Path(layer) for layer in each["layers"]),
            kernel=Path(each["kernel"]),
            initrd=Path(each["initrd"]),
        )
        for role, each in described.items()
    }


def ensure_base(role: str) -> None:
    """Build the stale layers among those that hold nothing of the product's.

    They take most of the time of an image, and need neither virtualenv nor web interface.
    Raises commands.CommandFailed.
    """
    _build_as_root(("--base", role))


def _build_as_root(arguments: Sequence[str]) -> str:
    """Run this module as root in a process with its own mounts, by sudo for other users.

    It prints its progress on standard error. Return its standard output.
    """
    for directory in (paths.IMAGES, paths.CACHE):
        directory.mkdir(parents=True, exist_ok=True)
    prefix = [] if os.geteuid() == 0 else ["sudo"]
    build = ["unshare", "--mount", "--propagation", "private", sys.executable, "-m", "lab.image"]
    return commands.run([*prefix, "env", *paths.FOR_ROOT, *build, *arguments], progress=True)


def _base(role: str) -> list[Layer]:
    layers = [debian.ensure(role)]
    if role == "array":
        layers.append(wheels.ensure(*layers))
    return layers


def _build(role: str) -> dict[str, object]:
    layers = _base(role)
    base = layers[0]
    if role == "array":
        layers.append(product.ensure(layers))
    layers.append(guest.ensure(role, layers))
    return {
        "layers": [str(layer.squashfs) for layer in layers],
        "kernel": str(base.tree / "boot" / f"vmlinuz-{debian.release(base)}"),
        "initrd": str(initrd.ensure(base)),
    }


def _main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("roles", nargs="+", choices=ROLES)
    parser.add_argument("--base", action="store_true")
    options = parser.parse_args()
    with cache.locked("ssh-key", paths.IMAGES):
        guest.ensure_ssh_key()
    built = {}
    for role in options.roles:
        with cache.locked(role, paths.IMAGES):
            if options.base:
                _base(role)
            else:
                built[role] = _build(role)
    print(json.dumps(built))


if __name__ == "__main__":
    _main()
