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


def parts() -> list[str | Path]:
    """Return its inputs, but for the kernel."""
    return [INIT, Path(__file__)]


def ensure(kernel: Layer) -> Path:
    """Return the initrd for the kernel in Debian's layer, and build it where it is missing."""
    image = paths.IMAGES / f"initrd-{fingerprint.of([kernel.key, *parts()])}"
    if not image.exists():
        partial = image.with_suffix(".partial")
        pack(kernel.tree / "usr/lib/modules" / debian.release(kernel), partial)
        partial.rename(image)
    return image


def pack(modules: Path, image: Path) -> None:
    """Write the initrd of a kernel to `image`; its modules are below `modules`, after depmod.

    Raises commands.CommandFailed, and KeyError where there is no such module.
    """
    with tempfile.TemporaryDirectory(dir=image.parent) as name:
        tree = Path(name)
        for directory in DIRECTORIES:
            (tree / directory).mkdir()
        shutil.copy(INIT, tree / "init")
        shutil.copy(commands.find("busybox") or "busybox", tree / "bin" / "busybox")
        (tree / "bin" / "sh").symlink_to("busybox")
        order = [_copy(path, tree / "modules") for path in needed(modules)]
        (tree / "modules" / "order").write_text("".join(f"{name}\n" for name in order))
        listing = "\n".join(str(path.relative_to(tree)) for path in sorted(tree.rglob("*")))
        # Left uncompressed: it is 4 MB, and an emulated processor is slow to unpack.
        archive: commands.Argv = ["cpio", "--quiet", "--create", "--format=newc", "--owner=0:0"]
        commands.run([*archive, "-F", image.absolute()], directory=tree, text=listing)


def needed(modules: Path) -> list[Path]:
    """Return the files of MODULES and of what they need, in the order of loading.

    What is built in has none. Raises KeyError where there is no such module (modules.dep(5)).
    """
    lines = (modules / "modules.dep").read_text().splitlines()
    files = {
        _name(file): (file, needs.split()) for file, _, needs in (x.partition(":") for x in lines)
    }
    built_in = {_name(file) for file in (modules / "modules.builtin").read_text().splitlines()}
    order: list[str] = []
    for module in MODULES:
        if module not in built_in:
            file, needs = files[module]
            # What is to be loaded first comes last.
            order += [each for each in [*reversed(needs), file] if each not in order]
    return [modules / file for file in order]


def _name(file: str) -> str:
    return Path(file).stem.replace("-", "_")


def _copy(source: Path, directory: Path) -> str:
    shutil.copy(source, directory)
    return source.name
