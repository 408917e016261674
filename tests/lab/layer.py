"""One read-only layer of an image: built once for its inputs, kept as a tree and as a squashfs.

A layer is a directory tree that lies upon the trees below it, as in overlayfs. It is filled inside
a mount of the whole stack, so that programs of the image itself (its Python, its systemctl) can be
run with chroot and the layer contains their changes, removals included.

The squashfs file appears last and by renaming, so its existence means that the layer is complete.
Layers that have nothing of the product's are in a `directory` that all checkouts share.
Building needs root, and a mount namespace of its own (`unshare --mount`), so that nothing stays
mounted when a build is killed.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lab import cache, commands, paths


@dataclass(frozen=True)
class Layer:
    """A layer called `name` for the inputs whose fingerprint is `key`."""

    name: str
    key: str
    directory: Path = paths.IMAGES

    @property
    def tree(self) -> Path:
        """The files, owned by root."""
        return self.directory / f"{self.name}-{self.key}"

    @property
    def squashfs(self) -> Path:
        """What a machine boots from."""
        return self.directory / f"{self.name}-{self.key}.squashfs"

    def ensure(self, below: Sequence[Layer], fill: Callable[[Path], None]) -> None:
        """Build the layer upon the layers `below` (lowest first) unless it is there.

        `fill` gets the root of the whole stack, or of the empty tree when nothing is below.
        """
        with cache.locked(self.name, self.directory):
            if cache.is_intact(self.squashfs):
                # The newest are kept: those used last.
                self.squashfs.touch()
            else:
                self._build(below, fill)

    def _build(self, below: Sequence[Layer], fill: Callable[[Path], None]) -> None:
        started = time.monotonic()
        print(f"building layer {self.name} ...", file=sys.stderr)
        self.squashfs.unlink(missing_ok=True)
        shutil.rmtree(self.tree, ignore_errors=True)
        self.tree.mkdir(parents=True)
        if below:
            with _stacked(self.tree, below) as root:
                fill(root)
        else:
            fill(self.tree)
        self._squash()
        self._drop_superseded()
        print(
            f"building layer {self.name} took {time.monotonic() - started:.0f} s", file=sys.stderr
        )

    def _squash(self) -> None:
        partial = self.squashfs.with_suffix(".partial")
        partial.unlink(missing_ok=True)
        squash(self.tree, partial)
        cache.publish(partial, self.squashfs)

    def _drop_superseded(self) -> None:
        cache.drop_old(self.directory.glob(f"{self.name}-*.squashfs"))
        for tree in self.directory.glob(f"{self.name}-*/"):
            if not tree.with_suffix(".squashfs").exists():
                shutil.rmtree(tree)


def squash(tree: Path, image: Path) -> None:
    """Write a squashfs of a tree, for machines to boot from. Raises commands.CommandFailed."""
    # lz4 costs a guest under emulation least; /boot is read by QEMU from the tree.
    options = ["-comp", "lz4", "-noappend", "-no-progress", "-quiet", "-e", "boot"]
    commands.run(["mksquashfs", tree, image, *options])


def lay(files: Path, root: Path) -> None:
    """Copy the tree `files` over the one at `root`; its files replace those of the same name.

    Modes are those that git keeps: 0755 for directories and executables, else 0644.
    """
    for source in sorted(files.rglob("*")):
        target = root / source.relative_to(files)
        if source.is_dir() and not source.is_symlink():
            if not target.is_dir():
                target.mkdir(mode=0o755)
            continue
        target.unlink(missing_ok=True)
        shutil.copyfile(source, target, follow_symlinks=False)
        if not source.is_symlink():
            target.chmod(0o755 if source.stat().st_mode & 0o100 else 0o644)


@contextlib.contextmanager
def _stacked(tree: Path, below: Sequence[Layer]) -> Iterator[Path]:
    """Mount `tree` as the writable top of the layers `below` and yield the mount point.

    Both directories that this takes are its own: layers are built side by side, and where another
    mount empties its work directory overlayfs fails with errors that systemctl retries for ever.
    """
    work, root = (tree.parent / f"{use}-{tree.name}" for use in ("work", "root"))
    shutil.rmtree(work, ignore_errors=True)
    for directory in (work, root):
        directory.mkdir(exist_ok=True)
    lower = ":".join(str(each.tree) for each in reversed(below))
    options = f"lowerdir={lower},upperdir={tree},workdir={work}"
    commands.run(["mount", "-t", "overlay", "overlay", "-o", options, root])
    try:
        commands.run(["mount", "--bind", "/dev", root / "dev"])
        commands.run(["mount", "-t", "proc", "proc", root / "proc"])
        yield root
    finally:
        commands.run(["umount", "--recursive", root])
    root.rmdir()
    shutil.rmtree(work)
