"""The lowest layer: Debian's packages and kernel for one role, by mmdebstrap.

The slow layer, so its name depends on the package list and on this file alone. Tools that the
machine needs at each boot are prepared here once: modules that storage never uses are not unpacked,
the others are decompressed (xz costs an emulated processor seconds at each boot).

No mirror is named: mmdebstrap has Debian's own as its default, and nvmetcli, which Debian has in
unstable only, comes from the same mirror as the rest.
"""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from lab import commands, fingerprint, paths
from lab.layer import Layer

SUITE = "trixie"
UNSTABLE_PACKAGES = {"array": ["nvmetcli"], "host": []}
# Files that are there before packages are set up: without its key open-isns-server makes one, which
# fails in a chroot.
PRESENT: dict[str, tuple[str, ...]] = {"array": (), "host": ("/etc/isns/auth_key",)}
# Below /usr/lib/modules/<release>/kernel.
UNUSED_MODULES = (
    "arch/x86/kvm",
    "sound",
    "net/bluetooth",
    "net/mac80211",
    "net/wireless",
    "drivers/accel",
    "drivers/bluetooth",
    "drivers/comedi",
    "drivers/cpufreq",
    "drivers/edac",
    "drivers/gpu",
    "drivers/hid",
    "drivers/hwmon",
    "drivers/iio",
    "drivers/infiniband/hw",
    "drivers/input",
    "drivers/isdn",
    "drivers/media",
    "drivers/mtd",
    "drivers/net/can",
    "drivers/net/usb",
    "drivers/net/wireless",
    "drivers/platform",
    "drivers/powercap",
    "drivers/staging",
    "drivers/usb",
    "drivers/video",
)
UNUSED_DIRECTORIES = ("/usr/share/doc", "/usr/share/man", "/usr/share/locale", "/usr/share/info")


def packages(role: str) -> list[str]:
    """Return the package names listed for `role` in packages/<role>."""
    lines = (paths.LAB_SOURCE / "packages" / role).read_text().splitlines()
    return [name for line in lines if not line.startswith("#") for name in line.split()]


def ensure(role: str) -> Layer:
    """Build the Debian layer of `role` ("array" or "host") unless it is there."""
    layer = Layer(f"debian-{role}", fingerprint.of([*packages(role), Path(__file__)]))
    layer.ensure([], partial(_install, role))
    return layer


def release(layer: Layer) -> str:
    """Return the kernel release in a Debian layer, for example "6.12.48+deb13-amd64"."""
    (directory,) = (layer.tree / "usr/lib/modules").iterdir()
    return directory.name


def _install(role: str, tree: Path) -> None:
    unused = [f"/usr/lib/modules/*/kernel/{name}/*" for name in UNUSED_MODULES]
    unused += [f"{name}/*" for name in UNUSED_DIRECTORIES]
    options = [f"--dpkgopt=path-exclude={pattern}" for pattern in unused]
    options += ['--aptopt=APT::Install-Recommends "false"', "--include=" + ",".join(packages(role))]
    options += [f'--essential-hook=install -D /dev/null "$1{path}"' for path in PRESENT[role]]
    # The initrd is ours: the kernel's package is told not to make one.
    bootstrap: commands.Argv = ["mmdebstrap", "--mode=root", "--variant=minbase", *options]
    commands.run([*bootstrap, "--skip=cleanup/apt", SUITE, tree], environment={"INITRD": "No"})
    if UNSTABLE_PACKAGES[role]:
        _install_unstable(tree, UNSTABLE_PACKAGES[role])
    _prepare_modules(tree)
    for leftover in ("var/lib/apt/lists", "var/cache/apt", "var/log", "run"):
        shutil.rmtree(tree / leftover)
        (tree / leftover).mkdir()


def _install_unstable(tree: Path, names: list[str]) -> None:
    """Install single packages from unstable, all else staying as it is."""
    sources = (tree / "etc/apt/sources.list").read_text().splitlines()
    main = next(line for line in sources if f" {SUITE} " in line)
    # A mirror's unstable may be past its date: these packages change once in years. Signatures are
    # checked all the same.
    unstable = main.replace("deb ", "deb [check-valid-until=no] ").replace(f" {SUITE} ", " sid ")
    listed = tree / "etc/apt/sources.list.d/unstable.list"
    listed.write_text(unstable + "\n")
    resolver = tree / "etc/resolv.conf"
    shutil.copy("/etc/resolv.conf", resolver)
    apt: commands.Argv = ["chroot", tree, "apt-get", "--yes", "--no-install-recommends"]
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    commands.run([*apt, "update"], environment=quiet)
    commands.run([*apt, "install", *[f"{name}/sid" for name in names]], environment=quiet)
    listed.unlink()
    resolver.unlink()


def _prepare_modules(tree: Path) -> None:
    (modules,) = (tree / "usr/lib/modules").iterdir()
    compressed = sorted(modules.rglob("*.ko.xz"))
    commands.run(["xz", "--decompress", "--threads=1", *compressed])
    commands.run(["chroot", tree, "depmod", modules.name])
