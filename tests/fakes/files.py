"""The fake machine's files: a memory file system with others mounted on it.

The memory file system stands for the disk, /dev, /run, /proc and /sys; of those only the disk's
files survive a reboot. configfs is mounted where the kernel has it. Each changing call is one step
of the interrupt. Nodes of the kernel's own block devices (/dev/sda, /dev/md127, /dev/dm-3) come
and go with the devices, as devtmpfs has it; parts of the fake put links and texts beside them with
`place`.
"""

from __future__ import annotations

import errno
import posixpath
import socket
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

from fakes.devices import BlockDevice, BlockDevices
from fakes.interrupt import Interrupt
from sanstone.kernel.host import FileError, LockedError, require_straight
from sanstone.kernel.real.files import RealFiles

VOLATILE = ("/dev/", "/proc/", "/run/", "/sys/")


@dataclass(frozen=True)
class Directory:
    """A directory."""


@dataclass(frozen=True)
class Text:
    """A file's content."""

    text: str


@dataclass(frozen=True)
class SymbolicLink:
    """A symbolic link's target."""

    target: str


@dataclass(frozen=True)
class BlockNode:
    """A block device node's number."""

    major: int
    minor: int


Node = Directory | Text | SymbolicLink | BlockNode


class FileSystem(Protocol):
    """A file system to mount. Paths are whole; errors are FileError with the kernel's errno."""

    def node(self, path: str) -> Node | None:
        """Return the node at a path, links not followed."""

    def read(self, path: str) -> str: ...
    def write(self, path: str, text: str) -> None: ...
    def listdir(self, path: str) -> list[str]: ...
    def mkdir(self, path: str) -> None: ...
    def rmdir(self, path: str) -> None: ...
    def symlink(self, target: str, path: str) -> None: ...
    def unlink(self, path: str) -> None: ...


class Disk(FileSystem, Protocol):
    """A file system that takes new files. Methods are those of `host.Files`."""

    def replace(self, path: str, text: str) -> None: ...
    def store(self, path: str, content: bytes, mode: int, group: int = -1) -> None: ...
    def overwrite(self, path: str, content: bytes) -> None: ...
    def rename(self, path: str, new_path: str) -> None: ...
    def make_folder(self, path: str, mode: int = 0o755) -> None: ...
    def give(self, path: str, user: int, group: int, mode: int | None = None) -> None: ...
    def locked(self, path: str, *, wait: bool = True) -> AbstractContextManager[None]: ...
    def bind_socket(self, path: str, kind: socket.SocketKind, group: int) -> socket.socket: ...


class OwnFolder(RealFiles):
    """A folder of the machine that the tests run on, for files that others open by path: SQLite
    opens its databases, tests open files that the array wrote.
    """

    def node(self, path: str) -> Node | None:
        """Return the node at a path."""
        if self.is_link(path):
            return SymbolicLink(self.readlink(path))
        if self.is_dir(path):
            return Directory()
        return Text(self.read(path)) if self.exists(path) else None


class MemoryFiles:
    """The memory file system."""

    def __init__(self, devices: BlockDevices) -> None:
        self._devices = devices
        self.nodes: dict[str, Node] = {}
        self._locked: set[str] = set()
        self.reboot()

    def reboot(self) -> None:
        """Keep the disk's files only."""
        self.nodes = {p: n for p, n in self.nodes.items() if not p.startswith(VOLATILE)}
        for path in ("/", "/dev", "/proc", "/run", "/sys", "/sys/kernel", "/var", "/var/lib"):
            self.nodes[path] = Directory()
        # As the system image creates it at boot (tmpfiles.d/sanstone.conf).
        for path in (
            *("/run/systemd", "/run/systemd/resolved.conf.d", "/run/time-servers"),
            "/run/sanstone",
        ):
            self.nodes[path] = Directory()

    def node(self, path: str) -> Node | None:
        """Return the node at a path; /dev has the kernel's own device nodes too."""
        directory, _, name = path.rpartition("/")
        if directory == "/dev" and (device := self._devices.by_name(name)):
            return BlockNode(device.major, device.minor)
        return self.nodes.get(path)

    def read(self, path: str) -> str:
        """Return a file's text."""
        node = self.node(path)
        if not isinstance(node, Text):
            raise FileError("read", path, errno.EISDIR if node else errno.ENOENT)
        return node.text

    def write(self, path: str, text: str) -> None:
        """Overwrite a file, which must exist."""
        if not isinstance(self.node(path), Text):
            raise FileError("write", path, errno.EISDIR if self.node(path) else errno.ENOENT)
        self.nodes[path] = Text(text)

    def replace(self, path: str, text: str) -> None:
        """Write a file with this text."""
        self._require_parent("replace", path)
        if isinstance(self.node(path), Directory):
            raise FileError("replace", path, errno.EISDIR)
        self.nodes[path] = Text(text)

    def store(self, path: str, content: bytes, _mode: int, _group: int = -1) -> None:
        """Write a file with this content; owners are ignored here."""
        self._require_parent("store", path)
        if isinstance(self.node(path), Directory):
            raise FileError("store", path, errno.EISDIR)
        self.nodes[path] = Text(content.decode("utf-8", "surrogateescape"))

    def overwrite(self, path: str, content: bytes) -> None:
        """Write over a file's beginning."""
        node = self.node(path)
        if not isinstance(node, Text):
            raise FileError("overwrite", path, _why_no_text(node))
        rest = node.text.encode("utf-8", "surrogateescape")[len(content) :]
        self.nodes[path] = Text((content + rest).decode("utf-8", "surrogateescape"))

    def rename(self, path: str, new_path: str) -> None:
        """Move a file or link."""
        node = self.nodes.get(path)
        if node is None or isinstance(node, Directory):
            raise FileError("rename", path, errno.EISDIR if node else errno.ENOENT)
        self._require_parent("rename", new_path)
        self.nodes[new_path] = self.nodes.pop(path)

    def make_folder(self, path: str, mode: int = 0o755) -> None:
        """Create a directory and its parents."""
        node = self.node(path)
        if isinstance(node, Directory):
            return
        if node is not None:
            raise FileError("mkdir", path, errno.EEXIST)
        self.make_folder(posixpath.dirname(path), mode)
        self.nodes[path] = Directory()

    def give(self, path: str, _user: int, _group: int, _mode: int | None = None) -> None:
        """Set the owner of a file or directory, which is ignored here."""
        node = self.node(path)
        if node is None or isinstance(node, SymbolicLink):
            raise FileError("chown", path, errno.ELOOP if node else errno.ENOENT)

    @contextmanager
    def locked(self, path: str, *, wait: bool = True) -> Iterator[None]:
        """Hold the lock of a file. There is one process: a wait for the lock would never end."""
        if path in self._locked:
            assert not wait, f"{path} is locked by who waits for it"
            raise LockedError(path)
        if not self.node(path):
            self.replace(path, "")
        self._locked.add(path)
        try:
            yield
        finally:
            self._locked.remove(path)

    def bind_socket(self, path: str, kind: socket.SocketKind, group: int) -> socket.socket:
        """Refuse: nobody can send to a file in memory."""
        raise FileError("bind", path, errno.EROFS)

    def listdir(self, path: str) -> list[str]:
        """Return the sorted names in a directory."""
        if not isinstance(self.node(path), Directory):
            raise FileError("list", path, errno.ENOTDIR if self.node(path) else errno.ENOENT)
        inside = path.rstrip("/") + "/"
        begin = len(inside)
        names = {p[begin:].split("/", 1)[0] for p in self.nodes if p.startswith(inside)}
        if inside == "/dev/":
            names |= {device.name for device in self._devices.all()}
        return sorted(names - {""})

    def mkdir(self, path: str) -> None:
        """Create a directory."""
        self._require_parent("mkdir", path)
        if self.node(path):
            raise FileError("mkdir", path, errno.EEXIST)
        self.nodes[path] = Directory()

    def rmdir(self, path: str) -> None:
        """Remove an empty directory."""
        if self.listdir(path):
            raise FileError("rmdir", path, errno.ENOTEMPTY)
        del self.nodes[path]

    def symlink(self, target: str, path: str) -> None:
        """Create a symbolic link."""
        self._require_parent("symlink", path)
        if self.node(path):
            raise FileError("symlink", path, errno.EEXIST)
        self.nodes[path] = SymbolicLink(target)

    def unlink(self, path: str) -> None:
        """Remove a file, link or node."""
        node = self.nodes.get(path)
        if node is None or isinstance(node, Directory):
            raise FileError("unlink", path, errno.EISDIR if node else errno.ENOENT)
        del self.nodes[path]

    def place(self, path: str, node: Node) -> None:
        """Put a node there with all its parents, as the kernel or udev does on its own."""
        parent = path.rpartition("/")[0]
        while parent and parent not in self.nodes:
            self.nodes[parent] = Directory()
            parent = parent.rpartition("/")[0]
        self.nodes[path] = node

    def _require_parent(self, action: str, path: str) -> None:
        if not isinstance(self.node(posixpath.dirname(path)), Directory):
            raise FileError(action, path, errno.ENOENT)


def _why_no_text(node: Node | None) -> int:
    if isinstance(node, SymbolicLink):
        return errno.ELOOP
    return errno.EISDIR if node else errno.ENOENT


class FakeFiles:
    """`host.Files` over the memory file system and the file systems mounted on it."""

    def __init__(self, interrupt: Interrupt, devices: BlockDevices) -> None:
        self._interrupt = interrupt
        self._devices = devices
        self.memory = MemoryFiles(devices)
        """The file system below all mounts."""
        self._mounts: dict[str, FileSystem] = {}

    def mount(self, path: str, file_system: FileSystem) -> None:
        """Mount `file_system` at `path`."""
        self._mounts[path] = file_system

    def place(self, path: str, node: Node) -> None:
        """Put a text, link or node there with its parents: no step, the kernel did it."""
        self.memory.place(path, node)

    def displace(self, path: str) -> None:
        """Remove a file of `place`, if it exists."""
        self.memory.nodes.pop(path, None)

    def block_device(self, path: str) -> BlockDevice | None:
        """Return the device that opening `path` would open, links followed; None is ENXIO."""
        for _ in range(8):
            node = self._at(path).node(path)
            if isinstance(node, BlockNode):
                return self._devices.get(node.major, node.minor)
            if not isinstance(node, SymbolicLink):
                return None
            path = posixpath.normpath(posixpath.join(posixpath.dirname(path), node.target))
        return None

    def read(self, path: str) -> str:
        """Return a file's text without its final newline."""
        return self._at(path).read(path).removesuffix("\n")

    def write(self, path: str, text: str) -> None:
        """Write a file."""
        with self._interrupt.step(f"write {path} {text}"):
            self._at(path).write(path, text)

    def replace(self, path: str, text: str) -> None:
        """Write a file with this text."""
        with self._interrupt.step(f"replace {path} {text}"):
            self._disk_at("replace", path).replace(path, text)

    def store(self, path: str, content: bytes, mode: int, group: int = -1) -> None:
        """Write a file with this content."""
        with self._interrupt.step(f"store {path}"):
            self._disk_at("store", path).store(path, content, mode, group)

    def overwrite(self, path: str, content: bytes) -> None:
        """Write over a file's beginning."""
        with self._interrupt.step(f"overwrite {path}"):
            self._disk_at("overwrite", path).overwrite(path, content)

    def rename(self, path: str, new_path: str) -> None:
        """Move a file."""
        with self._interrupt.step(f"rename {path} {new_path}"):
            disk = self._disk_at("rename", path)
            if disk is not self._disk_at("rename", new_path):
                raise FileError("rename", path, errno.EXDEV)
            disk.rename(path, new_path)

    def make_folder(self, path: str, mode: int = 0o755) -> None:
        """Create a directory and missing parents; an existing one takes no step."""
        if self.is_dir(path):
            return
        with self._interrupt.step(f"mkdir {path}"):
            self._disk_at("mkdir", path).make_folder(path, mode)

    def give(self, path: str, user: int, group: int, mode: int | None = None) -> None:
        """Set the user and group of a file or directory."""
        with self._interrupt.step(f"chown {path} {user}:{group} {mode}"):
            self._disk_at("chown", path).give(path, user, group, mode)

    def locked(self, path: str, *, wait: bool = True) -> AbstractContextManager[None]:
        """Hold the lock of a file."""
        return self._disk_at("lock", path).locked(path, wait=wait)

    def bind_socket(self, path: str, kind: socket.SocketKind, group: int) -> socket.socket:
        """Return a socket at this path."""
        with self._interrupt.step(f"bind {path}"):
            return self._disk_at("bind", path).bind_socket(path, kind, group)

    def listdir(self, path: str) -> list[str]:
        """Return the sorted names in a directory."""
        return self._at(path).listdir(path)

    def exists(self, path: str) -> bool:
        """Return whether anything has this path."""
        return self._at(path).node(path) is not None

    def is_dir(self, path: str) -> bool:
        """Return whether the path is a directory."""
        return isinstance(self._at(path).node(path), Directory)

    def is_link(self, path: str) -> bool:
        """Return whether the path is a symbolic link."""
        return isinstance(self._at(path).node(path), SymbolicLink)

    def mkdir(self, path: str) -> None:
        """Create a directory."""
        with self._interrupt.step(f"mkdir {path}"):
            self._at(path).mkdir(path)

    def rmdir(self, path: str) -> None:
        """Remove an empty directory."""
        with self._interrupt.step(f"rmdir {path}"):
            self._at(path).rmdir(path)

    def symlink(self, target: str, path: str) -> None:
        """Create a symbolic link."""
        with self._interrupt.step(f"symlink {path} -> {target}"):
            self._at(path).symlink(target, path)

    def readlink(self, path: str) -> str:
        """Return a symbolic link's target."""
        node = self._at(path).node(path)
        if not isinstance(node, SymbolicLink):
            raise FileError("readlink", path, errno.EINVAL if node else errno.ENOENT)
        return node.target

    def unlink(self, path: str) -> None:
        """Remove a file, link or node."""
        with self._interrupt.step(f"unlink {path}"):
            self._at(path).unlink(path)

    def make_block_node(self, path: str, major: int, minor: int) -> None:
        """Create a block device node and its parents."""
        with self._interrupt.step(f"mknod {path} b {major} {minor}"):
            require_straight("mknod", path)
            if self.exists(path):
                raise FileError("mknod", path, errno.EEXIST)
            self.place(path, BlockNode(major, minor))

    def block_number(self, path: str) -> tuple[int, int] | None:
        """Return the number of a block device node, None if there is no such."""
        node = self._at(path).node(path)
        return (node.major, node.minor) if isinstance(node, BlockNode) else None

    def reboot(self) -> None:
        """Lose /dev, /run, /proc and /sys."""
        self.memory.reboot()

    def dump(self) -> str:
        """Return every file, link and node, one a line."""
        return "\n".join(f"{path} {node}" for path, node in sorted(self.memory.nodes.items()))

    def lasting(self) -> str:
        """Return the files on the system's own disk."""
        return "\n".join(line for line in self.dump().splitlines() if not line.startswith(VOLATILE))

    def _disk_at(self, action: str, path: str) -> Disk:
        """Return the file system there, which must be one that takes new files."""
        file_system = self._at(path)
        if not isinstance(file_system, MemoryFiles | OwnFolder):
            raise FileError(action, path, errno.EPERM)
        return file_system

    def _at(self, path: str) -> FileSystem:
        require_straight("find", path)
        for mounted, file_system in self._mounts.items():
            # A path that ends in a hyphen is a prefix of names, as "/sys/block/dm-".
            inside = mounted if mounted.endswith("-") else mounted + "/"
            if path == mounted or path.startswith(inside):
                return file_system
        return self.memory
