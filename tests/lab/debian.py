"""The lowest layer: Debian's packages and kernel for one role, by mmdebstrap.

The slow layer, so its name depends on the lists of packages and on this file alone. What all roles
have in common is installed once and copied; mmdebstrap adds the rest. Tools that the machine needs
at each boot are prepared here once: modules that storage never uses are not unpacked, the others
are decompressed (xz costs an emulated processor seconds at each boot).

No mirror is named: mmdebstrap has Debian's own as its default, and nvmetcli, which Debian has in
unstable only, comes from the same mirror as the rest.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from lab import cache, commands, fingerprint, paths
from lab.layer import Layer

SUITE = "trixie"
PACKAGES = paths.LAB_SOURCE / "packages"
COMMON = "common"
LAYERS = paths.CACHE / "layers"
UNSTABLE_PACKAGES = {"array": ["nvmetcli"], "host": []}
# What is in both suites is taken from the other one (apt_preferences(5)).
UNSTABLE_PREFERENCES = "Package: *\nPin: release n=sid\nPin-Priority: 100\n"
# Files that are there before packages are set up: without its key open-isns-server makes one, which
# fails in a chroot.
PRESENT: dict[str, tuple[str, ...]] = {"array": (), "host": ("etc/isns/auth_key",)}
# Paths that dpkg does not unpack, as a file: with `--dpkgopt`, mmdebstrap would filter the first
# packages by a program in Python, which takes longer than to unpack them whole and remove the rest.
UNUSED = PACKAGES / "dpkg.cfg"
# Emptied at last: the first packages are unpacked whole.
LEFTOVERS = (
    "var/lib/apt/lists",
    "var/cache/apt",
    "var/log",
    "run",
    "usr/share/doc",
    "usr/share/info",
    "usr/share/locale",
    "usr/share/man",
)
OPTIONS = ('APT::Install-Recommends "false"', 'Acquire::Languages "none"')


def packages(role: str) -> list[str]:
    """Return the names of the packages listed for `role`, after those that all roles have."""
    return [*_listed(COMMON), *_listed(role)]


def ensure(role: str) -> Layer:
    """Build the Debian layer of `role` ("array" or "host") unless it is there."""
    layer = Layer(f"debian-{role}", fingerprint.of([_common().name, *_listed(role)]), LAYERS)
    layer.ensure([], partial(_fill, role))
    return layer


def release(layer: Layer) -> str:
    """Return the kernel release in a Debian layer, for example "6.12.48+deb13-amd64"."""
    (directory,) = (layer.tree / "usr/lib/modules").iterdir()
    return directory.name


def copy_common(tree: Path) -> None:
    """Put into `tree` a system with the packages of all roles, and build it where it is missing."""
    common = _common()
    with cache.locked(COMMON, LAYERS):
        if not common.exists():
            unfinished = common.with_suffix(".partial")
            shutil.rmtree(unfinished, ignore_errors=True)
            _install_common(unfinished)
            unfinished.rename(common)
            cache.drop_old(LAYERS.glob(f"debian-{COMMON}-*"))
        common.touch()
    commands.run(["cp", "--archive", "--no-target-directory", common, tree])


def add(names: Iterable[str], tree: Path) -> None:
    """Install packages in a copy of what all roles have in common."""
    install = f'--customize-hook=chroot "$1" apt-get install --yes {shlex.join(names)}'
    _bootstrap(["--variant=custom", "--skip=check/empty", install], tree)


def _listed(name: str) -> list[str]:
    lines = (PACKAGES / name).read_text().splitlines()
    return [name for line in lines if not line.startswith("#") for name in line.split()]


def _common() -> Path:
    key = fingerprint.of([*_listed(COMMON), UNUSED, Path(__file__)])
    return LAYERS / f"debian-{COMMON}-{key}"


def _install_common(tree: Path) -> None:
    unused = shlex.join(["install", "-D", "--mode=644", str(UNUSED)])
    options = [f'--setup-hook={unused} "$1/etc/dpkg/dpkg.cfg.d/lab"']
    options += [f"--aptopt={option}" for option in OPTIONS]
    options += ["--variant=minbase", "--include=" + ",".join(_listed(COMMON))]
    # The kernel's package would index modules that are compressed yet, which takes 3 s.
    indexing = "usr/local/sbin/depmod"
    options += [f'--essential-hook=ln --symbolic /bin/true "$1/{indexing}"']
    _bootstrap(options, tree)
    (tree / indexing).unlink()
    commands.run(["chroot", tree, "apt-get", "clean"])
    _prepare_modules(tree)
    # For each copy mmdebstrap makes device files, and takes the resolver of the machine outside.
    shutil.rmtree(tree / "dev")
    (tree / "dev").mkdir()
    (tree / "etc/resolv.conf").unlink(missing_ok=True)


def _bootstrap(options: list[str], tree: Path) -> None:
    bootstrap: commands.Argv = ["mmdebstrap", "--mode=root", "--skip=cleanup/apt", *options]
    # The initrd is ours: the kernel's package must not build one.
    commands.run([*bootstrap, SUITE, tree], environment={"INITRD": "No"})


def _prepare_modules(tree: Path) -> None:
    (modules,) = (tree / "usr/lib/modules").iterdir()
    compressed = sorted(modules.rglob("*.ko.xz"))
    commands.run(["xz", "--decompress", "--threads=1", *compressed])
    commands.run(["chroot", tree, "depmod", modules.name])


def _fill(role: str, tree: Path) -> None:
    copy_common(tree)
    for name in PRESENT[role]:
        (tree / name).parent.mkdir()
        (tree / name).touch()
    listed = tree / "etc/apt/sources.list.d/unstable.list"
    preferences = tree / "etc/apt/preferences.d/unstable"
    if UNSTABLE_PACKAGES[role]:
        sources = (tree / "etc/apt/sources.list").read_text().splitlines()
        main = next(line for line in sources if f" {SUITE} " in line)
        # A mirror's unstable may be past its date: these packages change once in years. Signatures
        # are checked all the same.
        unstable = main.replace("deb ", "deb [check-valid-until=no] ")
        listed.write_text(unstable.replace(f" {SUITE} ", " sid ") + "\n")
        preferences.write_text(UNSTABLE_PREFERENCES)
    add([*_listed(role), *UNSTABLE_PACKAGES[role]], tree)
    # The resolver is that of the machine outside.
    for file in (listed, preferences, tree / "etc/resolv.conf"):
        file.unlink(missing_ok=True)
    for leftover in LEFTOVERS:
        shutil.rmtree(tree / leftover)
        (tree / leftover).mkdir()
