"""Orders are worked off: downloads, validations and updates, through kills and reboots."""

from __future__ import annotations

import errno
import http.client
import itertools
import shutil
import urllib.request
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Engine
from system_disk import Answer, Package, SystemDisk

from fakes import Killed
from sanstone import __version__
from sanstone.core.events import Event
from sanstone.core.observed import Observed
from sanstone.core.store import reading, writing
from sanstone.kernel.host import CommandError, FileError
from sanstone.model.software import (
    DOWNLOAD,
    FAILURE,
    REBOOTING,
    RUNNING,
    SUCCESS,
    UPDATE,
    VALIDATE,
    SoftwareTask,
)
from sanstone.system import boot_order, layout, slot_report, worker
from sanstone.system.worker import Worker

URL = "https://mirror.example.org/sanstone-2.0.raucb"


@pytest.fixture
def program(disk: SystemDisk, database: Engine) -> Worker:
    """The program, with a web server that has a good package."""
    disk.served[URL] = Package().content()
    slot_report.publish(disk.kernel.host)
    return Worker(disk.kernel.host, database, disk.open)


def order(program: Worker, what: str, **values: object) -> str:
    """Give an order and have it worked off; return its identity."""
    with writing(program.database) as session:
        task = SoftwareTask(what=what, **values)
        session.add(task)
        session.flush()
        uuid = task.uuid
    program.run()
    return uuid


def read(program: Worker, uuid: str) -> SoftwareTask:
    with reading(program.database) as session:
        task = session.get_one(SoftwareTask, uuid)
        session.expunge(task)
    return task


def store_package(program: Worker, package: Package) -> None:
    worker.packages().mkdir(exist_ok=True)
    worker.package(package.version).write_bytes(package.content())


def stored(program: Worker) -> list[str]:
    return sorted(file.name for file in worker.packages().iterdir())


def test_a_package_is_downloaded_and_named_after_its_release(program: Worker) -> None:
    task = read(program, order(program, DOWNLOAD, url=URL, username="joe", password="secret"))
    assert (task.state, task.version, task.code) == (SUCCESS, "2.0", 0)
    assert task.password == "", "it is forgotten as soon as nothing needs it"
    assert stored(program) == ["2.0.raucb"]


def test_the_login_is_sent_to_the_server_and_to_none_that_it_points_at(
    program: Worker, disk: SystemDisk
) -> None:
    asked: list[urllib.request.Request] = []

    def answer(request: urllib.request.Request) -> Any:
        asked.append(request)
        return disk.open(request)

    program.open = answer
    order(program, DOWNLOAD, url=URL, username="joe", password="secret")
    assert asked[0].unredirected_hdrs == {"Authorization": "Basic am9lOnNlY3JldA=="}
    assert asked[0].headers == {}


@pytest.mark.parametrize(
    ("package", "said"),
    [
        (Package(signed=False), "signature verification failed"),
        (Package(compatible="other-arm64"), "is for other-arm64"),
        (Package(version="../../etc/x"), "calls itself"),
    ],
    ids=["signature", "machine", "name"],
)
def test_a_package_that_is_not_for_this_array_is_not_kept(
    program: Worker, disk: SystemDisk, package: Package, said: str
) -> None:
    disk.served[URL] = package.content()
    task = read(program, order(program, DOWNLOAD, url=URL))
    assert task.state == FAILURE and said in task.message
    assert stored(program) == []


def test_a_server_that_refuses_is_quoted(program: Worker, disk: SystemDisk) -> None:
    disk.served.clear()
    task = read(program, order(program, DOWNLOAD, url=URL))
    assert (task.state, task.message) == (FAILURE, "The server answered 404 Not Found.")
    with reading(program.database) as session:
        assert [e.name for e in session.query(Event)] == ["software.download.failed"]


@pytest.mark.parametrize("announced", [True, False])
def test_a_package_for_which_there_is_no_room_is_given_up(
    program: Worker, monkeypatch: pytest.MonkeyPatch, announced: bool
) -> None:
    monkeypatch.setattr(worker, "LARGEST", 10)
    read_bytes: list[int] = []

    class Large(Answer):
        def read1(self, size: int | None = -1) -> bytes:
            read_bytes.append(size or 0)
            return b"x" * 8

    program.open = lambda _request: Large(b"", 1 << 40 if announced else 0)
    task = read(program, order(program, DOWNLOAD, url=URL))
    assert task.state == FAILURE and "larger than" in task.message
    assert len(read_bytes) == (0 if announced else 2)


def test_a_package_of_two_images_that_fill_their_partitions_is_taken(
    program: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a hash of 32 bytes for each block of 4 KiB."""
    images = layout.BOOT["b"].size + layout.SYSTEM["b"].size
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1 << 40))
    program.open = lambda _request: Answer(b"", images + images // 127)
    task = read(program, order(program, DOWNLOAD, url=URL))
    assert task.state == FAILURE and "cut short" in task.message


@pytest.mark.parametrize(
    "error",
    [
        http.client.BadStatusLine("SSH-2.0-OpenSSH_10.0"),
        http.client.IncompleteRead(b""),
        http.client.InvalidURL("URL can't contain control characters"),
        ValueError("Invalid IPv6 URL"),
        UnicodeError("label empty or too long"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_server_that_makes_no_sense_ends_the_download(
    program: Worker, disk: SystemDisk, error: Exception
) -> None:
    def refuse(_request: urllib.request.Request) -> Any:
        raise error

    program.open = refuse
    task = read(program, order(program, DOWNLOAD, url=URL))
    assert task.state == FAILURE and "cannot be fetched" in task.message
    program.open = disk.open
    assert read(program, order(program, DOWNLOAD, url=URL)).state == SUCCESS


def test_a_download_that_is_cut_short_says_so(program: Worker) -> None:
    whole = Package().content()
    program.open = lambda _request: Answer(whole[:-7], len(whole))
    task = read(program, order(program, DOWNLOAD, url=URL))
    assert task.state == FAILURE and "cut short: 7 bytes" in task.message
    assert stored(program) == []


def test_a_server_that_sends_drop_by_drop_is_left(
    program: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = itertools.count()
    monkeypatch.setattr("time.monotonic", lambda: next(hours) * 3600.0)

    class Slow(Answer):
        def read1(self, _size: int | None = -1) -> bytes:
            return b"x"

    program.open = lambda _request: Slow(b"", 1 << 20)
    task = read(program, order(program, DOWNLOAD, url=URL))
    assert task.state == FAILURE and "more than 2 hours" in task.message


def test_what_a_killed_download_left_is_deleted(program: Worker) -> None:
    worker.packages().mkdir()
    (worker.packages() / "gone.part").write_bytes(b"half")
    order(program, DOWNLOAD, url=URL)
    assert stored(program) == ["2.0.raucb"]


def test_an_update_is_written_to_the_other_slot_and_the_array_reboots(
    program: Worker, disk: SystemDisk
) -> None:
    store_package(program, Package())
    task = read(program, order(program, UPDATE, version="2.0"))
    assert (task.state, task.slot) == (REBOOTING, "b")
    assert disk.releases == {"a": "1.0", "b": "2.0"}
    assert disk.asked_to_reboot
    assert boot_order.on_trial(disk.variables["/dev/vda2"], "b")
    assert slot_report.told()["b"]["version"] == "2.0"


@pytest.mark.parametrize("what", ["reboot", "report"])
def test_an_update_that_fails_after_its_slot_was_written_is_not_booted_weeks_later(
    program: Worker, disk: SystemDisk, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def refuse(argv: Sequence[str], _stdin: str = "") -> str:
        if argv[-1] == "reboot":
            raise CommandError(argv, 1, "Transport endpoint is not connected")
        return ""

    files = disk.kernel.files
    full, store = [errno.ENOSPC], files.store

    def store_when_there_is_room(path: str, *how: Any) -> None:
        if full:
            raise FileError("store", path, full.pop())
        store(path, *how)

    if what == "reboot":
        disk.kernel.commands.register("systemctl", refuse)
    else:
        disk.on_write = lambda: monkeypatch.setattr(files, "store", store_when_there_is_room)
    store_package(program, Package())
    assert read(program, order(program, UPDATE, version="2.0")).state == FAILURE
    variables = disk.variables["/dev/vda2"]
    assert (variables["ORDER"], variables["b_OK"], variables["TRIAL"]) == ("a b", "0", "")
    assert not slot_report.told()["b"]["trial"]


def test_an_update_that_fails_before_its_slot_is_written_leaves_the_way_back(
    program: Worker, disk: SystemDisk
) -> None:
    def refuse(argv: Sequence[str], _stdin: str) -> str:
        raise CommandError(argv, 1, "Unit rauc.service not found.")

    disk.variables["/dev/vda2"] = boot_order.mark_good(disk.variables["/dev/vda2"], "b")
    disk.kernel.commands.register("systemctl", refuse)
    store_package(program, Package())
    assert read(program, order(program, UPDATE, version="2.0")).state == FAILURE
    assert boot_order.is_good(disk.variables["/dev/vda2"], "b")


def test_what_was_not_served_before_an_update_is_noted(program: Worker) -> None:
    with writing(program.database) as session:
        session.add(Observed(kind="storage/luns", key="1", node_uuid="", error="no such device"))
        session.add(Observed(kind="storage/luns", key="2", node_uuid=""))
        session.add(
            Observed(kind="network/ip/interfaces", key="3", node_uuid="", data={"state": "down"})
        )
        session.add(
            Observed(kind="network/ip/interfaces", key="4", node_uuid="", data={"state": "up"})
        )
    store_package(program, Package())
    task = read(program, order(program, UPDATE, version="2.0"))
    assert task.lacking == ["network/ip/interfaces:3", "storage/luns:1"]


def test_a_download_may_be_installed_at_once(program: Worker, disk: SystemDisk) -> None:
    order(program, DOWNLOAD, url=URL, then_update=True)
    assert disk.releases["b"] == "2.0" and disk.asked_to_reboot


def test_the_release_that_runs_is_not_installed_once_more(
    program: Worker, disk: SystemDisk
) -> None:
    disk.served[URL] = Package(__version__).content()
    task = read(program, order(program, DOWNLOAD, url=URL, then_update=True))
    assert task.state == SUCCESS
    assert disk.releases["b"] == "" and not disk.asked_to_reboot


@pytest.mark.parametrize("what", [VALIDATE, UPDATE])
@pytest.mark.parametrize(
    "package",
    [Package(schema="old older"), Package(schema=""), Package(signed=False)],
    ids=["older", "none", "signature"],
)
def test_what_must_not_be_installed_is_refused_before_anything_is_written(
    program: Worker, disk: SystemDisk, package: Package, what: str
) -> None:
    store_package(program, package)
    before = dict(disk.variables["/dev/vda2"])
    task = read(program, order(program, what, version="2.0"))
    assert task.state == FAILURE and task.message
    assert disk.variables["/dev/vda2"] == before
    assert not disk.asked_to_reboot
    assert not any(call[:2] == ("rauc", "install") for call in disk.kernel.commands.calls)


def test_a_validation_writes_nothing(program: Worker, disk: SystemDisk) -> None:
    store_package(program, Package())
    assert read(program, order(program, VALIDATE, version="2.0")).state == SUCCESS
    assert disk.releases["b"] == "" and not disk.asked_to_reboot


def test_an_update_that_is_killed_leaves_the_slot_bad_and_is_begun_again(
    program: Worker, disk: SystemDisk
) -> None:
    store_package(program, Package())

    def cut() -> None:
        raise Killed("power cut")

    disk.on_write = cut
    with pytest.raises(Killed):
        order(program, UPDATE, version="2.0")
    assert not boot_order.is_good(disk.variables["/dev/vda2"], "b")
    assert boot_order.primary(disk.variables["/dev/vda2"]) == "a"
    disk.on_write = lambda: None
    program.run()
    assert disk.releases["b"] == "2.0" and disk.asked_to_reboot
    calls = [c for c in disk.kernel.commands.calls if c[0] in ("rauc", "systemctl")]
    installs = [i for i, c in enumerate(calls) if c[:2] == ("rauc", "install")]
    assert all(calls[i - 1] == ("systemctl", "restart", "rauc.service") for i in installs)


def test_a_slot_that_runs_already_is_not_written_over_its_way_back(
    program: Worker, disk: SystemDisk
) -> None:
    """The power was cut between RAUC's last write and the note of it."""
    disk.releases["b"] = "2.0"
    disk.boot("b")
    uuid = order(program, UPDATE, version="2.0", state=RUNNING, slot="b")
    assert read(program, uuid).state == REBOOTING
    assert disk.releases["a"] == "1.0" and not disk.asked_to_reboot
