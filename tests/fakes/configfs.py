"""configfs in memory: items, default groups, attributes and links, with the errors of the real one.

The rules are those of fs/configfs (Linux 6.12):

* mkdir asks the parent item's `make`; an item without one refuses (EPERM).
* Default groups come with their parent and cannot be removed (EPERM).
* rmdir is refused while something links to the item or to a default group in it (EBUSY), or while
  it holds an item or a link (ENOTEMPTY).
* A link must point to an item in the same configfs (EPERM), which exists (ENOENT); the linking
  item's `allow_link` decides. Reading the link gives a relative path.
* An empty write is refused (EFAULT); the store function sees the text up to the first NUL byte.

The rules for items, links and attributes are in `fakes.nvmet` and `fakes.lio`.
"""

from __future__ import annotations

import errno
import posixpath
from collections.abc import Callable, Iterator

from fakes.devices import BlockDevice
from fakes.fibre_channel import FakeFibreChannel
from fakes.files import Directory, FakeFiles, Node, SymbolicLink, Text
from fakes.items import ROOT, Item, Refused
from fakes.lio import Lio
from fakes.nvmet import Nvmet
from fakes.rdma import FakeRdma
from sanstone.kernel.host import FileError
from sanstone.kernel.target.nvmet import MAX_BLOCK_SIZE, TLS_HOSTS


class FakeConfigfs:
    """`fakes.files.FileSystem` at /sys/kernel/config, with the modules nvmet and target loaded."""

    def __init__(
        self,
        files: FakeFiles,
        has_address: Callable[[str], bool],
        rdma: FakeRdma,
        adapters: FakeFibreChannel,
    ) -> None:
        self._files = files
        self._has_address, self._rdma, self._adapters = has_address, rdma, adapters
        self.reboot()

    def reboot(self) -> None:
        """Start empty; whatever was exported lets go of its device."""
        self.root = Item()
        has = self._files.exists
        nvmet = Nvmet(
            self.open_device,
            self._has_address,
            self._rdma,
            lambda: has(MAX_BLOCK_SIZE),
            lambda: has(TLS_HOSTS),
        )
        self.nvmet = self.root.add_group("nvmet", nvmet)
        lio = Lio(self.open_device, self._files.is_dir, self._rdma, self._adapters)
        self.lio = self.root.add_group("target", lio)

    def open_device(self, path: str) -> BlockDevice:
        """Return the block device that opening `path` opens."""
        device = self._files.block_device(path)
        if device is None:
            raise Refused(errno.ENXIO if self._files.exists(path) else errno.ENOENT)
        return device

    def node(self, path: str) -> Node | None:
        """Return the node at a path."""
        item = self._item(path)
        if item is not None:
            return Directory()
        above, _, name = path.rpartition("/")
        parent = self._item(above)
        if parent is None:
            return None
        if name in parent.links:
            return SymbolicLink(posixpath.relpath(parent.links[name].path, parent.path))
        return Text("") if name in parent.values else None

    def read(self, path: str) -> str:
        """Return the text of an attribute."""
        item, name = self._attribute("read", path)
        with _Answering("read", path):
            return item.show(name) + "\n"

    def write(self, path: str, text: str) -> None:
        """Write an attribute."""
        item, name = self._attribute("write", path)
        with _Answering("write", path):
            if not text:
                raise Refused(errno.EFAULT)
            item.store(name, text.partition("\0")[0])

    def listdir(self, path: str) -> list[str]:
        """Return the sorted names in a directory."""
        item = self._existing("list", path)
        return sorted([*item.children, *item.links, *item.values])

    def mkdir(self, path: str) -> None:
        """Make an item."""
        above, _, name = path.rpartition("/")
        parent = self._existing("mkdir", above)
        with _Answering("mkdir", path):
            if name in parent.children or name in parent.links or name in parent.values:
                raise Refused(errno.EEXIST)
            item = parent.make(name)
            parent.adopt(name, item)
            item.placed()

    def rmdir(self, path: str) -> None:
        """Remove an item."""
        item = self._existing("rmdir", path)
        with _Answering("rmdir", path):
            if item.default_group or item.parent is None:
                raise Refused(errno.EPERM)
            self._check_detachable(item)
            del item.parent.children[item.name]
            item.removed()

    def symlink(self, target: str, path: str) -> None:
        """Make a link."""
        above, _, name = path.rpartition("/")
        parent = self._existing("symlink", above)
        with _Answering("symlink", path):
            if type(parent).allow_link is Item.allow_link:
                raise Refused(errno.EPERM)
            aim = self._item(target)
            if aim is None:
                raise Refused(errno.EPERM if self._files.exists(target) else errno.ENOENT)
            if name in parent.children or name in parent.links or name in parent.values:
                raise Refused(errno.EEXIST)
            parent.allow_link(name, aim)
            parent.links[name] = aim
            aim.linked_from += 1

    def unlink(self, path: str) -> None:
        """Remove a link."""
        above, _, name = path.rpartition("/")
        parent = self._existing("unlink", above)
        with _Answering("unlink", path):
            if name not in parent.links:
                raise Refused(errno.EPERM if name in parent.values else errno.ENOENT)
            target = parent.links.pop(name)
            target.linked_from -= 1
            parent.drop_link(target)

    def dump(self) -> str:
        """Return every item, attribute and link that differs from an empty kernel's, one a line."""
        return "\n".join(sorted(_lines(self.root)))

    def _item(self, path: str) -> Item | None:
        item: Item | None = self.root
        for name in path.removeprefix(ROOT).split("/")[1:]:
            item = item.children.get(name) if item is not None else None
        return item if path.startswith(ROOT) else None

    def _existing(self, action: str, path: str) -> Item:
        item = self._item(path)
        if item is None:
            raise FileError(action, path, errno.ENOTDIR if self.node(path) else errno.ENOENT)
        return item

    def _attribute(self, action: str, path: str) -> tuple[Item, str]:
        above, _, name = path.rpartition("/")
        parent = self._item(above)
        if parent is None or name not in parent.values:
            raise FileError(action, path, errno.EISDIR if self.node(path) else errno.ENOENT)
        return parent, name

    def _check_detachable(self, item: Item) -> None:
        if item.linked_from:
            raise Refused(errno.EBUSY)
        for child in item.children.values():
            if not child.default_group:
                raise Refused(errno.ENOTEMPTY)
            self._check_detachable(child)
        if item.links:
            raise Refused(errno.ENOTEMPTY)


class _Answering:
    """Turns Refused into the FileError that a caller sees."""

    def __init__(self, action: str, path: str) -> None:
        self._action, self._path = action, path

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Refused):
            raise FileError(self._action, self._path, error.errno) from None


def _lines(item: Item) -> Iterator[str]:
    for name, child in item.children.items():
        if not child.default_group:
            yield child.path
        yield from _lines(child)
        for link, target in child.links.items():
            yield f"{child.path}/{link} -> {target.path}"
        for attribute in child.values:
            yield f"{child.path}/{attribute} = {_shown(child, attribute)}"
        assert child.name == name


def _shown(item: Item, attribute: str) -> str:
    try:
        return item.show(attribute)
    except Refused as refusal:
        return str(refusal)
