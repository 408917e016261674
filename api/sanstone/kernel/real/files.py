"""The machine's own files.

Plain os calls instead of pathlib, because a restore makes a hundred thousand of them.
"""

# ruff: noqa: PTH101, PTH102, PTH103, PTH104, PTH106, PTH108, PTH115, PTH120, PTH208, PTH211

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import socket
import stat
from collections.abc import Iterator
from functools import partial

from sanstone.kernel.host import FileError, ForeignFolder, LockedError, require_straight

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_PIECE = 1 << 16
_CONFIGFS = "/sys/kernel/config/"
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class RealFiles:
    """`host.Files` of this machine.

    Bytes that are no UTF-8 are kept as surrogates, so that whatever was read can be compared and
    written back. Nothing is created by `write`: pseudo files are there or not. `replace` waits for
    no disk, `store` does. Both make a new file in a folder that was opened first, so that a link
    which somebody put there, of the file or of the folder, is replaced or refused and never written
    through.
    """

    def read(self, path: str) -> str:
        """Return the file's text without its final newline.

        Python's own file objects make twice as many calls of the kernel, which counts where
        thousands of attributes are verified all the time. In configfs the first read(2) gives all:
        an attribute has a page at most (fs/configfs/file.c, fill_read_buffer()).
        """
        with _Answering("read", path):
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                pieces = [os.read(descriptor, _PIECE)]
                if not path.startswith(_CONFIGFS):
                    pieces += iter(partial(os.read, descriptor, _PIECE), b"")
            finally:
                os.close(descriptor)
        return b"".join(pieces).decode("utf-8", "surrogateescape").removesuffix("\n")

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
        """Write this text to a new file beside the old one, and give it the old one's name."""
        parent, name = os.path.split(path)
        with (
            _Answering("replace", path),
            _opened(parent, _FOLDER) as folder,
            _renamed_at_end(folder, name) as handle,
        ):
            os.fchmod(handle, 0o644)
            _write_all(handle, text.encode("utf-8", "surrogateescape"))

    def store(self, path: str, content: bytes, mode: int, group: int = -1) -> None:
        """Have a file of this content, which reaches the disk before its name does."""
        parent, name = os.path.split(path)
        with _Answering("store", path), _opened(parent, _FOLDER) as folder:
            owner = os.fstat(folder)
            if owner.st_uid not in (0, os.geteuid()) or owner.st_mode & _WRITABLE_BY_OTHERS:
                raise ForeignFolder(path)
            with _renamed_at_end(folder, name) as handle:
                os.fchown(handle, -1, group)
                os.fchmod(handle, mode)
                _write_all(handle, content)
                os.fsync(handle)
            os.fsync(folder)

    def overwrite(self, path: str, content: bytes) -> None:
        """Write over a file's beginning where it lies, in one piece, and see it to the disk."""
        with _Answering("overwrite", path), _opened(path, os.O_WRONLY | os.O_NOFOLLOW) as handle:
            if os.pwrite(handle, content, 0) != len(content):
                raise OSError(errno.EIO, "short write")
            os.fsync(handle)

    def rename(self, path: str, new_path: str) -> None:
        """Give a file another place in the same file system."""
        require_straight("rename to", new_path)
        with _Answering("rename", path):
            os.rename(path, new_path)

    def make_folder(self, path: str, mode: int = 0o755) -> None:
        """Have a directory, and its parents where missing."""
        with _Answering("mkdir", path):
            os.makedirs(path, mode, exist_ok=True)

    def give(self, path: str, user: int, group: int, mode: int | None = None) -> None:
        """Give a file or directory to a user and a group."""
        # The opened file changes hands, whatever takes its place meanwhile.
        with _Answering("chown", path), _opened(path, os.O_RDONLY | os.O_NOFOLLOW) as handle:
            os.fchown(handle, user, group)
            if mode is not None:
                os.fchmod(handle, mode)

    @contextlib.contextmanager
    def locked(self, path: str, *, wait: bool = True) -> Iterator[None]:
        """Hold the lock of a file (flock(2))."""
        with contextlib.ExitStack() as stack:
            with _Answering("lock", path):
                lock = stack.enter_context(_opened(path, os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW))
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise LockedError(path) from None
            yield

    def bind_socket(self, path: str, kind: socket.SocketKind, group: int) -> socket.socket:
        """Return a socket that is bound to this path."""
        with _Answering("bind", path), contextlib.ExitStack() as undo:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            bound = undo.enter_context(socket.socket(socket.AF_UNIX, kind))
            bound.setblocking(False)
            bound.bind(path)
            os.chown(path, -1, group, follow_symlinks=False)
            os.chmod(path, 0o660)
            undo.pop_all()
            return bound

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
        status = self._status(path)
        if status is None or not stat.S_ISBLK(status.st_mode):
            return None
        return os.major(status.st_rdev), os.minor(status.st_rdev)

    def _mode(self, path: str) -> int:
        """Return st_mode, 0 if nothing is there."""
        status = self._status(path)
        return status.st_mode if status else 0

    def _status(self, path: str) -> os.stat_result | None:
        """Return the result of lstat(2), None if nothing is there."""
        with _Answering("stat", path):
            try:
                return os.lstat(path)
            except (FileNotFoundError, NotADirectoryError):
                return None


@contextlib.contextmanager
def _opened(path: str, flags: int, folder: int | None = None) -> Iterator[int]:
    """Give the descriptor of a file, by its name in an open folder if there is one."""
    descriptor = os.open(path, flags | os.O_CLOEXEC, 0o600, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _renamed_at_end(folder: int, name: str) -> Iterator[int]:
    """Give a new file in an open folder, which gets its name when all went well."""
    fresh = f"{name}.new"
    # A killed process, or a power cut, left it.
    with contextlib.suppress(FileNotFoundError):
        os.unlink(fresh, dir_fd=folder)
    with _opened(fresh, _NEW, folder=folder) as handle:
        yield handle
    os.rename(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)


def _write_all(handle: int, content: bytes) -> None:
    with open(handle, "wb", closefd=False) as file:
        file.write(content)


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
