"""The initrd of the lab: busybox, the few modules that a boot needs first, and `guest/init`."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from lab import commands, debian, fingerprint, paths
from lab.layer import Layer

INIT = paths.LAB_SOURCE / "guest" / "init"
# The last is the agent's, which starts before udev.
MODULES = ("virtio_pci", "virtio_scsi", "sr_mod", "squashfs", "overlay", "virtio_console")
DIRECTORIES = ("bin", "dev", "layers", "memory", "modules", "proc", "root", "sys")


def ensure(kernel: Layer) -> Path:
    """Return the initrd for the kernel in Debian's layer, made unless it is there."""
    made = paths.IMAGES / f"initrd-{fingerprint.of([kernel.key, INIT, Path(__file__)])}"
    if made.exists():
        return made
    with tempfile.TemporaryDirectory(dir=paths.IMAGES) as name:
        tree = Path(name)
        for directory in DIRECTORIES:
            (tree / directory).mkdir()
        shutil.copy(INIT, tree / "init")
        shutil.copy(commands.find("busybox") or "busybox", tree / "bin" / "busybox")
        (tree / "bin" / "sh").symlink_to("busybox")
        order = [_copy(path, tree / "modules") for path in _modules(kernel)]
        (tree / "modules" / "order").write_text("".join(f"{name}\n" for name in order))
        listing = "\n".join(str(path.relative_to(tree)) for path in sorted(tree.rglob("*")))
        # Left uncompressed: it is 4 MB, and an emulated processor is slow to unpack.
        archive = made.with_suffix(".partial")
        pack: commands.Argv = [
            "cpio",
            "--quiet",
            "--create",
            "--format=newc",
            "--owner=0:0",
            "-F",
            archive,
        ]
        commands.run(pack, directory=tree, text=listing)
        archive.rename(made)
    return made


def _modules(kernel: Layer) -> list[Path]:
    """Return the files of MODULES and of what they need, in the order of loading."""
    files: list[Path] = []
    for module in MODULES:
        show: commands.Argv = [
            "chroot",
            kernel.tree,
            "modprobe",
            "--set-version",
            debian.release(kernel),
        ]
        for line in commands.run([*show, "--show-depends", module]).splitlines():
            verb, _, path = line.partition(" ")
            file = kernel.tree / path.strip().lstrip("/")
            if verb == "insmod" and file not in files:
                files.append(file)
    return files


def _copy(source: Path, directory: Path) -> str:
    shutil.copy(source, directory)
    return source.name
