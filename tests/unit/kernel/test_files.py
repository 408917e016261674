"""The behaviour of every form of `host.Files`: the machine's own files and the fake machine's."""

from __future__ import annotations

import errno
import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes import FakeKernel
from fakes.files import Text
from sanstone.kernel.host import FileError, Files, LockedError
from sanstone.kernel.real.files import RealFiles

Place = Callable[[str, str], None]


@pytest.fixture(params=["real", "fake"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Files, str, Place]:
    """Return files, an empty directory, and a way to put a text there."""
    if request.param == "real":
        return RealFiles(), str(tmp_path), lambda path, text: void(Path(path).write_text(text))
    kernel = FakeKernel()
    kernel.files.mkdir("/var/lib/test")
    return (
        kernel.host.files,
        "/var/lib/test",
        lambda path, text: kernel.files.place(path, Text(text)),
    )


def void(_: object) -> None: ...


def refusal(call: Callable[[], object]) -> int:
    """Return the error number with which a call is refused."""
    with pytest.raises(FileError) as caught:
        call()
    return caught.value.errno


def test_texts_are_read_without_their_final_newline(place: tuple[Files, str, Place]) -> None:
    files, root, put = place
    put(f"{root}/text", "one\ntwo\n")
    assert files.read(f"{root}/text") == "one\ntwo"
    assert refusal(lambda: files.read(f"{root}/missing")) == errno.ENOENT
    assert refusal(lambda: files.read(root)) == errno.EISDIR


def test_writing_replaces_what_is_there_and_creates_nothing(
    place: tuple[Files, str, Place],
) -> None:
    files, root, put = place
    put(f"{root}/text", "a long text")
    files.write(f"{root}/text", "short")
    assert files.read(f"{root}/text") == "short"
    assert refusal(lambda: files.write(f"{root}/missing", "x")) == errno.ENOENT
    assert refusal(lambda: files.write(root, "x")) == errno.EISDIR


def test_a_file_is_replaced_or_created_and_leaves_nothing_beside_it(
    place: tuple[Files, str, Place],
) -> None:
    files, root, _ = place
    for text in ("the first\n", "the second\n"):
        files.replace(f"{root}/text", text)
        assert files.read(f"{root}/text") == text.removesuffix("\n")
    assert files.listdir(root) == ["text"]
    files.mkdir(f"{root}/folder")
    assert refusal(lambda: files.replace(f"{root}/folder", "x")) == errno.EISDIR
    assert refusal(lambda: files.replace(f"{root}/missing/text", "x")) == errno.ENOENT


def test_a_lock_is_held_until_its_context_ends(place: tuple[Files, str, Place]) -> None:
    files, root, _ = place
    lock = f"{root}/lock"
    for _ in range(2):
        with files.locked(lock), pytest.raises(LockedError), files.locked(lock, wait=False):
            pass
    assert refusal(lambda: files.locked(f"{root}/missing/lock").__enter__()) == errno.ENOENT


def test_a_socket_takes_the_place_of_one_that_was_left(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    for text in (b"one", b"two"):
        with RealFiles().bind_socket(str(path), socket.SOCK_DGRAM, os.getgid()) as receiver:
            assert stat.S_IMODE(path.stat().st_mode) == 0o660
            with pytest.raises(BlockingIOError):
                receiver.recv(9)
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.sendto(text, str(path))
            assert receiver.recv(9) == text
    folder = str(tmp_path / "missing" / "socket")
    error_number = refusal(lambda: RealFiles().bind_socket(folder, socket.SOCK_DGRAM, -1))
    assert error_number == errno.ENOENT


def test_a_replaced_file_is_readable_by_all_whatever_the_umask(tmp_path: Path) -> None:
    file = tmp_path / "text"
    before = os.umask(0o077)
    try:
        RealFiles().replace(str(file), "x")
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == 0o644


def test_no_path_leads_upwards(place: tuple[Files, str, Place]) -> None:
    """A name out of the database may be one that does."""
    files, root, put = place
    files.mkdir(f"{root}/folder")
    put(f"{root}/text", "before")
    up = f"{root}/folder/../text"
    for call in (
        lambda: files.write(up, "x"),
        lambda: files.replace(up, "x"),
        lambda: files.unlink(up),
        lambda: files.read(up),
        lambda: files.mkdir(f"{root}/folder/../other"),
        lambda: files.symlink("x", f"{root}/folder/.."),
        lambda: files.make_block_node(f"{root}/folder/../node", 7, 7),
    ):
        assert refusal(call) == errno.EINVAL
    assert files.read(f"{root}/text") == "before"
    files.mkdir(f"{root}/..name")
    assert files.listdir(root) == ["..name", "folder", "text"]


def test_replacing_follows_no_link(tmp_path: Path) -> None:
    victim, folder = tmp_path / "victim", tmp_path / "folder"
    victim.write_text("untouched")
    folder.mkdir()
    (tmp_path / "link").symlink_to(folder)
    for name in ("file", "file.new"):
        (folder / name).symlink_to(victim)
    RealFiles().replace(str(folder / "file"), "content")
    assert victim.read_text() == "untouched"
    assert (folder / "file").read_text() == "content"
    assert refusal(lambda: RealFiles().replace(f"{tmp_path}/link/file", "x")) == errno.ENOTDIR


def test_directories(place: tuple[Files, str, Place]) -> None:
    files, root, put = place
    files.mkdir(f"{root}/b")
    files.mkdir(f"{root}/a")
    assert files.listdir(root) == ["a", "b"]
    assert files.is_dir(f"{root}/a")
    assert refusal(lambda: files.mkdir(f"{root}/a")) == errno.EEXIST
    assert refusal(lambda: files.mkdir(f"{root}/x/y")) == errno.ENOENT
    assert refusal(lambda: files.listdir(f"{root}/x")) == errno.ENOENT
    put(f"{root}/a/text", "")
    assert refusal(lambda: files.rmdir(f"{root}/a")) == errno.ENOTEMPTY
    assert refusal(lambda: files.unlink(f"{root}/a")) == errno.EISDIR
    files.unlink(f"{root}/a/text")
    files.rmdir(f"{root}/a")
    assert not files.exists(f"{root}/a")


def test_links_are_not_followed_by_questions_about_them(place: tuple[Files, str, Place]) -> None:
    files, root, _ = place
    files.mkdir(f"{root}/there")
    files.symlink("there", f"{root}/link")
    files.symlink("nowhere", f"{root}/dangling")
    assert files.readlink(f"{root}/link") == "there"
    assert files.is_link(f"{root}/link")
    assert not files.is_dir(f"{root}/link")
    assert files.exists(f"{root}/dangling")
    assert refusal(lambda: files.symlink("there", f"{root}/link")) == errno.EEXIST
    assert refusal(lambda: files.readlink(f"{root}/there")) == errno.EINVAL
    files.unlink(f"{root}/link")
    assert files.listdir(root) == ["dangling", "there"]


def test_nothing_exists_under_a_text(place: tuple[Files, str, Place]) -> None:
    files, root, put = place
    put(f"{root}/text", "")
    assert not files.exists(f"{root}/text/under")
    assert not files.exists(f"{root}/missing/under")


def test_a_block_node_is_never_put_over_something(place: tuple[Files, str, Place]) -> None:
    files, root, put = place
    put(f"{root}/text", "")
    assert refusal(lambda: files.make_block_node(f"{root}/text", 7, 7)) == errno.EEXIST
    assert files.block_number(f"{root}/text") is None
    assert files.block_number(f"{root}/missing") is None


def test_a_fake_block_node_brings_its_directory_and_leads_to_the_device() -> None:
    kernel = FakeKernel()
    device = kernel.devices.add("dm-0", 253, 0, 4096)
    kernel.host.files.make_block_node("/dev/sanstone/one", 253, 0)
    kernel.files.symlink("sanstone/one", "/dev/alias")
    assert kernel.host.files.block_number("/dev/sanstone/one") == (253, 0)
    assert kernel.host.files.block_number("/dev/dm-0") == (253, 0)
    assert kernel.files.block_device("/dev/alias") is device


def test_a_reboot_keeps_the_fake_disk_only() -> None:
    kernel = FakeKernel()
    kernel.files.place("/var/lib/kept", Text("x"))
    kernel.files.place("/run/lost", Text("x"))
    kernel.reboot()
    assert kernel.host.files.exists("/var/lib/kept")
    assert not kernel.host.files.exists("/run/lost")


def test_a_stored_file_is_created_or_replaced_and_renamed(place: tuple[Files, str, Place]) -> None:
    files, root, _ = place
    for content in (b"the first\n", b"the second\n"):
        files.store(f"{root}/file", content, 0o600)
        assert files.read(f"{root}/file") == content.decode().removesuffix("\n")
    files.rename(f"{root}/file", f"{root}/other")
    assert files.listdir(root) == ["other"]
    assert refusal(lambda: files.rename(f"{root}/file", f"{root}/third")) == errno.ENOENT
    assert refusal(lambda: files.store(f"{root}/missing/file", b"", 0o600)) == errno.ENOENT
    assert refusal(lambda: files.rename(f"{root}/other", f"{root}/../up")) == errno.EINVAL


def test_a_file_is_written_over_from_its_beginning(place: tuple[Files, str, Place]) -> None:
    files, root, put = place
    put(f"{root}/file", "before and after")
    files.symlink("file", f"{root}/link")
    files.overwrite(f"{root}/file", b"BEFORE")
    assert files.read(f"{root}/file") == "BEFORE and after"
    assert refusal(lambda: files.overwrite(f"{root}/link", b"x")) == errno.ELOOP
    assert refusal(lambda: files.overwrite(f"{root}/missing", b"x")) == errno.ENOENT


def test_folders_are_created_with_their_parents_and_change_owner(
    place: tuple[Files, str, Place],
) -> None:
    files, root, put = place
    files.make_folder(f"{root}/a/b", 0o700)
    files.make_folder(f"{root}/a/b")
    assert files.is_dir(f"{root}/a/b")
    files.give(f"{root}/a/b", -1, -1, 0o750)
    files.symlink("a", f"{root}/link")
    assert refusal(lambda: files.give(f"{root}/link", -1, -1, 0o777)) == errno.ELOOP
    put(f"{root}/text", "")
    assert refusal(lambda: files.make_folder(f"{root}/text")) == errno.EEXIST


def test_no_files_are_created_on_kernel_file_systems() -> None:
    files = FakeKernel().host.files
    assert refusal(lambda: files.store("/sys/kernel/config/x", b"", 0o600)) == errno.EPERM
    assert refusal(lambda: files.rename("/run/x", "/sys/kernel/config/x")) == errno.EPERM


def test_a_folder_given_away_has_its_mode(tmp_path: Path) -> None:
    RealFiles().make_folder(str(tmp_path / "folder"), 0o700)
    assert (tmp_path / "folder").stat().st_mode & 0o777 == 0o700
    RealFiles().give(str(tmp_path / "folder"), -1, -1, 0o750)
    assert (tmp_path / "folder").stat().st_mode & 0o777 == 0o750
