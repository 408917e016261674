"""Packages are fetched from a web server, whatever that answers."""

from __future__ import annotations

import shutil
from types import SimpleNamespace
from typing import Any

import pytest
from software_orders import URL, Orders
from standing_clock import Clock
from system_disk import Answer, Package, SystemDisk

from sanstone import __version__
from sanstone.core.database.store import reading
from sanstone.core.events import Event
from sanstone.kernel.web.question import Question, Unanswered
from sanstone.model.software import FAILURE, SUCCESS
from sanstone.reconcile.long_jobs import package_download
from sanstone.system import layout, packages


def stored() -> list[str]:
    return sorted(file.name for file in packages.folder().iterdir())


def test_a_package_is_downloaded_and_named_after_its_release(orders: Orders) -> None:
    task = orders.download(username="joe", password="secret")
    assert (task.state, task.version, task.code) == (SUCCESS, "2.0", 0)
    assert task.password == "", "it is forgotten as soon as nothing needs it"
    assert stored() == ["2.0.changes", "2.0.raucb"]


def test_the_login_is_sent_to_the_server_and_to_none_that_it_points_at(
    orders: Orders, disk: SystemDisk
) -> None:
    requests: list[Question] = []

    def answer(question: Question) -> Any:
        requests.append(question)
        return disk.open(question)

    orders.open = answer
    orders.download(username="joe", password="secret")
    assert requests[0].login == "Basic am9lOnNlY3JldA=="
    assert requests[0].headers == {}


@pytest.mark.parametrize(
    ("package", "reason"),
    [
        (Package(signed=False), "signature verification failed"),
        (Package(compatible="other-arm64"), "is for other-arm64"),
        (Package(version="../../etc/x"), "calls itself"),
    ],
    ids=["signature", "machine", "name"],
)
def test_a_package_that_is_not_for_this_array_is_not_kept(
    orders: Orders, disk: SystemDisk, package: Package, reason: str
) -> None:
    disk.downloads[URL] = package.content()
    task = orders.download()
    assert task.state == FAILURE and reason in task.message
    assert stored() == []


def test_a_server_that_refuses_is_quoted(orders: Orders, disk: SystemDisk) -> None:
    disk.downloads.clear()
    task = orders.download()
    assert (task.state, task.message) == (FAILURE, "The server answered 404 Not Found.")
    with reading(orders.database) as session:
        assert [e.name for e in session.query(Event)] == ["software.download.failed"]


@pytest.mark.parametrize("announced", [True, False])
def test_a_package_for_which_there_is_no_room_is_given_up(
    orders: Orders, monkeypatch: pytest.MonkeyPatch, announced: bool
) -> None:
    monkeypatch.setattr(package_download, "LARGEST", 10)
    read_bytes: list[int] = []

    class Large(Answer):
        def read1(self, size: int | None = -1) -> bytes:
            read_bytes.append(size or 0)
            return b"x" * 8

    orders.open = lambda _request: Large(b"", 1 << 40 if announced else 0)
    task = orders.download()
    assert task.state == FAILURE and "larger than" in task.message
    assert len(read_bytes) == (0 if announced else 2)


def test_a_package_of_two_images_that_fill_their_partitions_is_taken(
    orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a hash of 32 bytes for each block of 4 KiB."""
    images = layout.BOOT["b"].size + layout.SYSTEM["b"].size
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1 << 40))
    orders.open = lambda _request: Answer(b"", images + images // 127)
    task = orders.download()
    assert task.state == FAILURE and "cut short" in task.message


def test_a_package_that_cannot_be_opened_ends_the_download(
    orders: Orders, disk: SystemDisk
) -> None:
    def refuse(_question: Question) -> Any:
        raise Unanswered("127.0.0.1 is an address to which the array does not connect")

    orders.open = refuse
    task = orders.download()
    assert task.state == FAILURE and "cannot be fetched: 127.0.0.1" in task.message
    orders.open = disk.open
    assert orders.download().state == SUCCESS


def test_a_truncated_download_is_an_error(orders: Orders) -> None:
    whole = Package().content()
    orders.open = lambda _request: Answer(whole[:-7], len(whole))
    task = orders.download()
    assert task.state == FAILURE and "cut short" in task.message
    assert stored() == []


def test_a_server_that_sends_drop_by_drop_is_left(orders: Orders, clock: Clock) -> None:
    class Slow(Answer):
        def read1(self, _size: int | None = -1) -> bytes:
            clock.now += 3600
            return b"x"

    orders.open = lambda _request: Slow(b"", 1 << 20)
    task = orders.download()
    assert task.state == FAILURE and "more than 2 hours" in task.message


def test_the_rest_of_a_killed_download_is_deleted(orders: Orders) -> None:
    packages.folder().mkdir()
    (packages.folder() / "gone.part").write_bytes(b"half")
    orders.download()
    assert stored() == ["2.0.changes", "2.0.raucb"]


def test_a_download_may_be_installed_at_once(orders: Orders, disk: SystemDisk) -> None:
    orders.download(then_update=True)
    assert disk.releases["b"] == "2.0" and disk.reboot_requested


def test_the_release_that_runs_is_not_installed_once_more(orders: Orders, disk: SystemDisk) -> None:
    disk.downloads[URL] = Package(__version__).content()
    task = orders.download(then_update=True)
    assert task.state == SUCCESS
    assert disk.releases["b"] == "" and not disk.reboot_requested
