"""There is one door to the machine: nothing writes to files but through a `Host`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import sanstone

PACKAGE = Path(sanstone.__file__).parent
DOOR = ("kernel/real/", "kernel/processes.py")
"""The modules behind a `Host`."""
EXCEPTIONS = {
    ("core/database/turns.py", "os.open"): "locks beside databases, which the API takes too",
    ("http/software_upload.py", "os.fdopen"): "a package, in the API's own folder",
    ("http/software_upload.py", "os.open"): "a package, in the API's own folder",
    ("http/support_download.py", "os.fdopen"): "a support bundle, which the API only reads",
    ("http/support_download.py", "os.open"): "a support bundle, which the API only reads",
    ("migrate.py", "tempfile.TemporaryDirectory"): "a developer's command",
    ("migrations/style.py", "write_text"): "a developer's command",
    ("security/activity.py", "unlink"): "a database in the API's own folder",
    ("shell/main.py", "os.open"): "the standard output of a shell that nobody reads any more",
    ("reconcile/long_jobs/package_download.py", "mkdir"): "a package that is downloaded",
    ("reconcile/long_jobs/package_download.py", "open"): "a package that is downloaded",
    ("reconcile/long_jobs/package_download.py", "os.fdopen"): "a package that was uploaded",
    ("reconcile/long_jobs/package_download.py", "os.open"): "a package that was uploaded",
    ("reconcile/long_jobs/package_download.py", "rename"): "a package that is downloaded",
    ("reconcile/long_jobs/package_download.py", "unlink"): "a package that is downloaded",
    ("support/bundle.py", "open"): "an archive in memory",
}
"""By module and call, why it does not go through the door (see `kernel.host`)."""

OS = re.compile(
    "chmod|chown|copy_file_range|fchmod|fchown|fdopen|ftruncate|lchmod|lchown|link|makedirs|"
    "memfd_create|mkdir|mkfifo|mknod|posix_fallocate|pwritev?|remove|removedirs|removexattr|"
    "renames?|replace|rmdir|sendfile|setxattr|splice|symlink|truncate|unlink|utime|writev?"
)
SHUTIL = re.compile("chown|copy.*|move|rmtree")
PATHLIB = re.compile(
    "chmod|hardlink_to|lchmod|mkdir|rename|rmdir|symlink_to|unlink|write_bytes|write_text"
)


def writes(source: str) -> Iterator[str]:
    """Return the calls in a module that write to files past a `Host`.

    To import one from its module counts as a call.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module in ("os", "shutil", "tempfile"):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id == "open":
                if _mode_writes(node, 1):
                    yield "open"
            elif isinstance(node.func, ast.Attribute):
                owner, method = ast.unparse(node.func.value), node.func.attr
                if _is_writing(node, owner, method):
                    yield f"{owner}.{method}" if owner in ("os", "shutil", "tempfile") else method


def _is_writing(call: ast.Call, owner: str, method: str) -> bool:
    if owner == "os":
        flags = ast.unparse(call.args[1]) if method == "open" else ""
        return bool(OS.fullmatch(method)) or (method == "open" and flags != "os.O_RDONLY")
    if owner in ("shutil", "tempfile"):
        return owner == "tempfile" or bool(SHUTIL.fullmatch(method))
    if owner.rpartition(".")[2].lstrip("_") == "files":
        return False
    if method == "open":
        return _mode_writes(call, 0)
    if method == "bind":
        # Netlink's addresses are numbers, and signatures have a method of that name.
        return len(call.args) == 1 and not isinstance(call.args[0], ast.Tuple | ast.Starred)
    # Of a text it takes two.
    moves = method == "replace" and len(call.args) == 1
    touches = method == "touch" and not call.args
    return moves or touches or bool(PATHLIB.fullmatch(method))


def _mode_writes(call: ast.Call, place: int) -> bool:
    """Return whether a call opens a file for writing, or in a mode that is not a constant."""
    modes = [each.value for each in call.keywords if each.arg == "mode"] + call.args[place:][:1]
    if not modes:
        return False
    if not isinstance(modes[0], ast.Constant):
        return place == 1
    return bool(set("wax+") & set(str(modes[0].value)))


def test_all_writes_go_through_the_door() -> None:
    writers = {
        (module, call)
        for file in PACKAGE.rglob("*.py")
        if not (module := str(file.relative_to(PACKAGE))).startswith(DOOR)
        for call in writes(file.read_text())
    }
    assert writers == EXCEPTIONS.keys()


@pytest.mark.parametrize(
    "call",
    [
        "open(path, 'w')",
        "open(path, mode)",
        "open(path, mode='r+b')",
        "path.open('wb')",
        "os.open(path, os.O_WRONLY)",
        "os.makedirs(path)",
        "shutil.rmtree(path)",
        "tempfile.mkstemp()",
        "Path('x').write_text('')",
        "path.replace(other)",
        "path.touch()",
        "socket.bind(str(path))",
        "from os import unlink",
    ],
)
def test_a_write_past_the_door_is_found(call: str) -> None:
    assert list(writes(f"def function():\n    {call}"))


@pytest.mark.parametrize(
    "call",
    [
        "open(path)",
        "open(path, 'rb')",
        "path.open('rb')",
        "os.open(path, os.O_RDONLY)",
        "host.files.unlink(path)",
        "self._files.rename(path, other)",
        "text.replace('a', 'b')",
        "change.touch(owner)",
        "netlink.bind((0, 1))",
    ],
)
def test_reads_are_allowed(call: str) -> None:
    assert not list(writes(call))
