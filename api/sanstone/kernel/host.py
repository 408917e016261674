"""The only door to the machine.

Everything that root's processes do to the array leaves through a `Host`: reads and writes of kernel
files, files for other programs, locks and sockets at a path, commands, device-mapper ioctls,
route-netlink messages, the kernel's log, questions to Fibre Channel fabrics and commands of disks'
own. Nothing else in Sanstone opens `/sys`, starts a process, talks to the kernel or makes, changes
or removes a file (`tests/unit/kernel/test_host.py`), but for

* databases, which are SQLite's own, and the locks beside them, which the API takes too
  (`core.database.turns`),
* what the API, which has no `Host`, does in the folder of its own, and openssl, which it runs by
  `kernel.processes`,
* a package that is downloaded or was uploaded, which may be larger than memory
  (`reconcile.long_jobs.package_download`).

A `Host` has three forms, and one interface test that all of them pass:

* `real_host()` here is the machine itself;
* `recorded` replays what a machine once answered, so that a capture becomes a unit test;
* the tests' `fakes` are a kernel in memory with the rules of the real one, in which the reconciler
  can be killed after any step.

Rules: commands are argument lists, never shell strings. Secrets go through standard input or a
file write, never through an argument. A path never leads upwards: names in it come from a database
that others write in. An error always says what was tried and what came back.
"""

from __future__ import annotations

import errno as errors
import os
import socket
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from sanstone.kernel.disk_commands import DiskCommands


class HostError(Exception):
    """Something the machine refused; the text says what was tried and the answer.

    `arguments` take the places of `{}` in the text. Who shows it in another language translates the
    text around them.
    """

    def __init__(self, text: str, *arguments: object) -> None:
        self.arguments = tuple(map(str, arguments))
        super().__init__(text.format(*self.arguments) if arguments else text)


class CommandError(HostError):
    """A command ended with a status other than 0.

    `stdout` is its output nevertheless, for the few commands with a status that is part of the
    answer.
    """

    def __init__(self, argv: Sequence[str], status: int, stderr: str, stdout: str = "") -> None:
        super().__init__("{}: exit status {}: {}", " ".join(argv), status, stderr.strip())
        self.argv = tuple(argv)
        self.status = status
        self.stderr = stderr
        self.stdout = stdout


class CommandTimeout(HostError):
    """A command did not end within its time limit, and was killed."""

    def __init__(self, argv: Sequence[str], seconds: float) -> None:
        super().__init__("{}: no answer within {} s", " ".join(argv), f"{seconds:g}")


class CommandEndless(HostError):
    """A command printed more than it may, and was killed."""

    def __init__(self, argv: Sequence[str], most: int) -> None:
        super().__init__("{}: it printed more than {} bytes", " ".join(argv), str(most))


class MissingPrograms(HostError):
    """Programs that a process of ours is going to run are not on this system."""

    def __init__(self, programs: Sequence[str], path: str) -> None:
        super().__init__(f"programs that are missing in {path}: {', '.join(programs)}")
        self.programs = tuple(programs)
        self.path = path


class FileError(HostError):
    """A kernel file operation failed; `errno` is the kernel's number (errno(3))."""

    def __init__(self, action: str, path: str, errno: int) -> None:
        super().__init__("{}: {}", f"{action} {path}", os.strerror(errno))
        self.action = action
        self.path = path
        self.errno = errno


def require_straight(action: str, path: str) -> None:
    """Raise FileError for a path that leads upwards, whatever name in it does that."""
    if "/../" in f"{path}/":
        raise FileError(action, path, errors.EINVAL)


class ForeignFolder(FileError):
    """Others than root, or than who we are, can write where root's file was to go."""

    def __init__(self, path: str) -> None:
        super().__init__("store", path, errors.EPERM)
        self.args = (f"store {path}: others than root can write in this folder",)


class LockedError(FileError):
    """Another process holds the lock."""

    def __init__(self, path: str) -> None:
        super().__init__("lock", path, errors.EWOULDBLOCK)


class RequestError(HostError):
    """An ioctl or netlink request was refused; `errno` is the kernel's number (errno(3))."""

    def __init__(self, request: str, errno: int) -> None:
        super().__init__("{}: {}", request, os.strerror(errno))
        self.request = request
        self.errno = errno


class Files(Protocol):
    """Kernel pseudo files (configfs, sysfs, procfs), device nodes, and the files that root writes
    for other programs, in memory such as /run's or on the system disk.

    All raise FileError, with EINVAL for a path that leads upwards.
    """

    def read(self, path: str) -> str:
        """Return the file's text without its final newline."""

    def write(self, path: str, text: str) -> None:
        """Write `text` in one write(2), as configfs attributes demand."""

    def replace(self, path: str, text: str) -> None:
        """Have a file of this text that all may read; who reads it sees the old one or the new.

        No link is followed, of the file or of its folder.
        """

    def store(self, path: str, content: bytes, mode: int, group: int = -1) -> None:
        """Have a file of this content on stable storage: a power cut leaves the old or the new one.

        It belongs to us and to the group of this number, -1 for our own. No link is followed, of
        the file or of its folder. Raises ForeignFolder where others can write in that.
        """

    def overwrite(self, path: str, content: bytes) -> None:
        """Write over a file's beginning where it lies, and return when that is on stable storage.

        It is for who reads the file by its blocks on the disk. A link is refused.
        """

    def rename(self, path: str, new_path: str) -> None:
        """Give a file another place in the same file system, whatever is there."""

    def make_folder(self, path: str, mode: int = 0o755) -> None:
        """Have a directory, and its parents where missing; one that is there stays as it is."""

    def give(self, path: str, user: int, group: int, mode: int | None = None) -> None:
        """Give a file or directory to a user and a group, -1 for those that it has.

        A link is refused. `mode` is what they may do with it, None for what they might before.
        """

    def locked(self, path: str, *, wait: bool = True) -> AbstractContextManager[None]:
        """Hold the lock of a file until the context ends; create the file where it is missing.

        A process that dies lets go of it. Raises LockedError unless we are to `wait` for others.
        """

    def bind_socket(self, path: str, kind: socket.SocketKind, group: int) -> socket.socket:
        """Return a socket at this path that only we and a group can send to, and that never blocks.

        One that another process left there is removed.
        """

    def listdir(self, path: str) -> list[str]:
        """Return the sorted names in a directory."""

    def exists(self, path: str) -> bool:
        """Return whether anything has this path; a dangling link counts."""

    def is_dir(self, path: str) -> bool:
        """Return whether the path is a directory and not a link."""

    def is_link(self, path: str) -> bool:
        """Return whether the path is a symbolic link."""

    def mkdir(self, path: str) -> None: ...
    def rmdir(self, path: str) -> None: ...
    def symlink(self, target: str, path: str) -> None: ...
    def readlink(self, path: str) -> str: ...
    def unlink(self, path: str) -> None: ...

    def make_block_node(self, path: str, major: int, minor: int) -> None:
        """Create a block device node, mode 0600, and its parent directory where missing."""

    def block_number(self, path: str) -> tuple[int, int] | None:
        """Return (major, minor) of the block device node at this path, None if it is no such."""


class Blocks(Protocol):
    """The content of block devices, by path. All raise FileError."""

    def size(self, path: str) -> int:
        """Return the device's size in bytes."""

    def read(self, path: str, offset: int, length: int) -> bytes:
        """Return `length` bytes at `offset`."""

    def read_direct(self, path: str, offset: int, length: int) -> bytes:
        """Return bytes as they are on the disk, past the cache; both numbers in blocks of 4 KiB."""

    def write(self, path: str, offset: int, content: bytes) -> None:
        """Write and return when the bytes are on stable storage."""


class Commands(Protocol):
    """External programs."""

    def run(self, argv: Sequence[str], *, stdin: str = "", time_limit: float | None = None) -> str:
        """Run a program and return its standard output. Raises CommandError.

        One that only reads may have a limit of time, in seconds, after which it is killed and
        CommandTimeout raised. One that writes is waited for: see `processes`.
        """

    def run_on_terminal(self, argv: Sequence[str]) -> None:
        """Let a program have our terminal until it ends, however that is.

        Raises CommandError when there is no such program.
        """

    def require(self, programs: Iterable[str]) -> None:
        """Raise MissingPrograms, which names each of these that the system has not."""


@dataclass(frozen=True)
class MappedDevice:
    """A device-mapper device as the kernel lists it."""

    name: str
    uuid: str
    major: int
    minor: int


@dataclass(frozen=True)
class Target:
    """One line of a device-mapper table or status; `start` and `length` in 512-byte sectors."""

    start: int
    length: int
    kind: str
    arguments: str


@dataclass(frozen=True)
class MappedState:
    """The state of one device-mapper device.

    `live` is false for a device that was created but never given a table; `open_count` says how
    many have it open, other mapped devices included. `table` is the live one.
    """

    device: MappedDevice
    suspended: bool
    live: bool
    open_count: int
    table: tuple[Target, ...]


class Mapper(Protocol):
    """Device-mapper ioctls (Linux: include/uapi/linux/dm-ioctl.h). All raise RequestError.

    `message` and `status` of a target take and give text; a device's name has at most 127 bytes and
    its uuid at most 128 (DM_NAME_LEN, DM_UUID_LEN).
    """

    def devices(self) -> list[MappedDevice]: ...
    def state(self, name: str) -> MappedState | None:
        """Return the state of the device, or None when there is none of this name."""

    def create(self, name: str, uuid: str) -> MappedDevice:
        """Make a device without a table, which udev does not hear of where the kernel can do so."""

    def remove(self, name: str) -> None: ...
    def load(self, name: str, table: Sequence[Target]) -> None: ...
    def suspend(self, name: str, *, flush: bool = True) -> None: ...
    def resume(self, name: str) -> None: ...
    def message(self, name: str, message: str) -> str: ...
    def table(self, name: str) -> list[Target]: ...
    def status(self, name: str, *, loaded: bool = False) -> list[Target]:
        """Return the status of each target; with `loaded`, of the table that waits."""

    def has_target(self, kind: str) -> bool:
        """Return whether tables may have targets of a kind; load its module."""


@dataclass(frozen=True)
class Bond:
    """How a bond spreads packets: its `mode` and `hash_policy`, in the words of ip-link(8)."""

    mode: str
    hash_policy: str


@dataclass(frozen=True)
class Vlan:
    """The name of the link below a VLAN, and its tag, 1…4094."""

    base: str
    tag: int


@dataclass(frozen=True)
class Link:
    """A network interface. `kind` is '' for a physical one, else bond, vlan, …

    `ours` is true when we created it, `master` names the bond or bridge that it is in, '' for none.
    `composition` is None unless it is a bond or a VLAN.
    """

    index: int
    name: str
    mac_address: str
    mtu: int
    up: bool
    carrier: bool
    kind: str = ""
    ours: bool = False
    master: str = ""
    composition: Bond | Vlan | None = None


@dataclass(frozen=True)
class Address:
    """An IP address on a link; `ours` is true when we put it there (IFA_PROTO, rtnetlink(7))."""

    link: str
    address: str
    prefix_length: int
    ours: bool


@dataclass(frozen=True)
class Route:
    """A route in one routing table, out of one link.

    `destination` is a network in CIDR form, `gateway` is '' for a network that is on the link.
    """

    table: int
    destination: str
    gateway: str
    link: str
    metric: int


@dataclass(frozen=True)
class Rule:
    """A source rule: packets from `source` are routed by `table`."""

    source: str
    table: int


class Network(Protocol):
    """Route netlink, and echoes. All raise RequestError. Only what carries our mark is ever
    removed.
    """

    def has_changed(self) -> bool:
        """Return whether a link, address, route or rule changed since the last call.

        What the caller changed itself counts, and so does the time before the first call.
        """

    def links(self) -> list[Link]: ...
    def set_link(self, name: str, *, up: bool | None = None, mtu: int | None = None) -> None: ...
    def make_bond(self, name: str, bond: Bond, mac_address: str) -> None:
        """Make an empty bond with our mark; it is down."""

    def make_vlan(self, name: str, vlan: Vlan) -> None:
        """Make a VLAN with our mark; it is down and has the MTU of the link below."""

    def set_hash_policy(self, bond: str, hash_policy: str) -> None: ...
    def set_mac_address(self, bond: str, mac_address: str) -> None: ...
    def set_master(self, name: str, bond: str) -> None:
        """Put a link that is down into a bond, which switches it on, or with '' take it out."""

    def delete_link(self, name: str) -> None:
        """Delete a bond, which lets go of its links, or a VLAN, and the links on top."""

    def addresses(self) -> list[Address]: ...
    def add_address(self, link: str, address: str, prefix_length: int) -> None:
        """Add an address with our mark and announce it to the neighbours."""

    def remove_address(self, link: str, address: str, prefix_length: int) -> None: ...
    def routes(self) -> list[Route]:
        """Return the routes that carry our protocol mark."""

    def add_route(self, route: Route) -> None: ...
    def remove_route(self, route: Route) -> None: ...
    def rules(self) -> list[Rule]:
        """Return the source rules that carry our protocol mark."""

    def add_rule(self, rule: Rule) -> None: ...
    def remove_rule(self, rule: Rule) -> None: ...
    def echo(self, source: str, destinations: Sequence[str], size: int) -> list[str]:
        """Return the addresses that answer an ICMP echo from our own address `source`.

        The packets have `size` bytes, IP header included. Nobody may cut them, and answers that
        come in parts do not count. It waits for some seconds for those that do not answer.
        """


@dataclass(frozen=True)
class LogRecord:
    """A message of the kernel's own. `sequence` grows from 0 at each boot.

    `seconds` is the uptime at which it was written. Other characters than printable ASCII are
    escaped in the text, as \\x0a, and so is the backslash (printk's msg_add_ext_text).
    """

    sequence: int
    seconds: float
    text: str


class KernelLog(Protocol):
    """The kernel's log (Linux: Documentation/ABI/testing/dev-kmsg). To read raises FileError."""

    def boot(self) -> str:
        """Return the identity of the boot that the log is of."""

    def read_new(self) -> list[LogRecord]:
        """Return a bounded number of records written since the last call, oldest first.

        The first call begins with the oldest record that the kernel still has. Records that it
        has overwritten meanwhile are lost. What programs wrote into the log is left out.
        """

    def another_reader(self) -> KernelLog:
        """Return a reader of the same log that has read nothing yet, for a thread of its own."""


class FabricServices(Protocol):
    """The services of the Fibre Channel fabrics that the machine's ports are in."""

    def ask(self, adapter: str, request: bytes, longest: int) -> bytes:
        """Return the answer to a request to the management service, both whole CT_IUs.

        `adapter` is the SCSI host of a port ("host3"), `longest` the most bytes of the answer. It
        waits for seconds for a fabric that does not answer. Raises FileError where the port's
        driver can send nothing, and RequestError where it, or the fabric, does not do so.
        """


@dataclass(frozen=True)
class Host:
    """A machine: the eight doors to it."""

    files: Files
    blocks: Blocks
    commands: Commands
    mapper: Mapper
    network: Network
    log: KernelLog
    fabrics: FabricServices
    disk_commands: DiskCommands
