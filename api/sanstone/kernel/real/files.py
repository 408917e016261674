"""The machine's own files.

Plain os calls instead of pathlib, because a restore makes a hundred thousand of them.
"""

# ruff: noqa: PTH102, PTH103, PTH106, PTH108, PTH115, PTH120, PTH123, PTH208, PTH211

from __future__ import annotations

import contextlib
import errno
import os
import stat

from sanstone.kernel.host import FileError, require_straight

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class RealFiles:
    """`host.Files` of this machine.

    Bytes that are no UTF-8 are kept as surrogates, so that whatever was read can be compared and
    written back. Nothing is created by `write`: pseudo files are there or not. `replace` waits for
    no disk: it is for files in memory.
    """

    def read(self, path: str) -> str:
        """Return the file's text without its final newline."""
        with _Answering("read", path), open(path, encoding="utf-8", errors="surrogateescape") as f:
            return f.read().removesuffix("\n")

    def write(self, path: str, text: str) -> None:
        """Write `text` in one write(2)."""
        with _Answering("write", path):
            descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC)
            try:
                data = text.encode("utf-8", "surrogateescape")
                if os.write(descriptor, data) != len(data):
                    raise OSError(errno.EIO, "short write")
            finally:
                os.close(descriptor)

    def replace(self, path: str, text: str) -> None:
        """Have a file of this text, made beside the old one and given its name."""
        parent, name = os.path.split(path)
        fresh = f"{name}.new"
        with _Answering("replace", path):
            folder = os.open(parent, _FOLDER)
            try:
                # Left by whoever was killed.
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(fresh, dir_fd=folder)
                handle = os.open(fresh, _NEW, 0o600, dir_fd=folder)
                with open(handle, "w", encoding="utf-8") as file:
                    os.fchmod(handle, 0o644)
                    file.write(text)
                os.rename(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)
            finally:
                os.close(folder)

    def listdir(self, path: str) -> list[str]:
        """Return the sorted names in a directory."""
        with _Answering("list", path):
            return sorted(os.listdir(path))

    def exists(self, path: str) -> bool:
        """Return whether anything has this path; a dangling link counts."""
        return self._mode(path) != 0

    def is_dir(self, path: str) -> bool:
        """Return whether the path is a directory and not a link."""
        return stat.S_ISDIR(self._mode(path))

    def is_link(self, path: str) -> bool:
        """Return whether the path is a symbolic link."""
        return stat.S_ISLNK(self._mode(path))

    def mkdir(self, path: str) -> None:
        """Create a directory."""
        with _Answering("mkdir", path):
            os.mkdir(path)

    def rmdir(self, path: str) -> None:
        """Remove an empty directory."""
        with _Answering("rmdir", path):
            os.rmdir(path)

    def symlink(self, target: str, path: str) -> None:
        """Create a symbolic link."""
        with _Answering("symlink", path):
            os.symlink(target, path)

    def readlink(self, path: str) -> str:
        """Return a symbolic link's target as it is stored."""
        with _Answering("readlink", path):
            return os.readlink(path)

    def unlink(self, path: str) -> None:
        """Remove a file, link or node."""
        with _Answering("unlink", path):
            os.unlink(path)

    def make_block_node(self, path: str, major: int, minor: int) -> None:
        """Create a block device node, mode 0600, and its parent directory where missing."""
        with _Answering("mknod", path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.mknod(path, stat.S_IFBLK | 0o600, os.makedev(major, minor))

    def block_number(self, path: str) -> tuple[int, int] | None:
        """Return (major, minor) of the block device node at this path, None if it is no such."""
        if not stat.S_ISBLK(self._mode(path)):
            return None
        with _Answering("stat", path):
            device = os.lstat(path).st_rdev
        return os.major(device), os.minor(device)

    def _mode(self, path: str) -> int:
        """Return st_mode, 0 if nothing is there."""
        with _Answering("stat", path):
            try:
                return os.lstat(path).st_mode
            except (FileNotFoundError, NotADirectoryError):
                return 0


class _Answering:
    """Turns the system's error into the FileError that a caller sees."""

    __slots__ = ("_action", "_path")

    def __init__(self, action: str, path: str) -> None:
        self._action, self._path = action, path

    def __enter__(self) -> None:
        require_straight(self._action, self._path)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise FileError(self._action, self._path, error.errno or errno.EIO) from error
