"""The rescue menu, on a machine with an installed system that was booted from the medium."""

from __future__ import annotations

import os
import pwd
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from lost_array import lost_array
from machine import HASH, Machine, answers
from sqlalchemy import select

from fakes.files import Text
from sanstone import migrate, setup
from sanstone.core.database import store
from sanstone.install import installer, rescue, screens
from sanstone.install.installer import Medium
from sanstone.model.software import FAILURE, SoftwareTask
from sanstone.security import password_hashes
from sanstone.system import floor

PASSWORD = "tower of rings 7"


class Script:
    """The answers of a user, in order. `prompt` is the last question, `message` the last result."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answers: list[Any] = []
        self.message = self.prompt = ""
        for name in ("choose", "ask"):
            monkeypatch.setattr(screens, name, self._answer)
        monkeypatch.setattr(screens, "tell", self._tell)
        monkeypatch.setattr(screens, "work", lambda _title, task: task(lambda *_: None))

    def _answer(self, _title: str, text: str, values: Any = (), *_: object, **more: Any) -> Any:
        self.prompt = text
        answer = self.answers.pop(0)
        if isinstance(answer, str) and "check" in more:
            more["check"](answer)
        if callable(answer):
            [answer] = [value for value, _ in values if answer(value)]
        return answer

    def _tell(self, _title: str, text: str) -> None:
        self.message = text


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return Script(monkeypatch)


def install(machine: Machine, content: Medium, *disks: str, **more: object) -> None:
    choices = answers(*disks, **more)
    installer.install(machine.host, content, choices, lambda *_: None, machine.folder / "work")
    machine.power_cycle()


def choose(machine: Machine, script: Script, *answer_list: Any) -> bool:
    script.answers = list(answer_list)
    again = rescue.menu(machine.host, machine.folder / "work")
    assert not script.answers
    assert machine.clean
    return again


def accounts(machine: Machine, device: str) -> list[tuple[Any, ...]]:
    database = machine.file_system(device) / "database" / store.FILE
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT name, password, locked FROM account").fetchall()


@pytest.mark.parametrize(
    ("disks", "device"),
    [(("/dev/sda",), "/dev/sda7"), (("/dev/sda", "/dev/sdb"), "/dev/md_state")],
)
def test_the_administrator_gets_a_new_password(
    machine: Machine, content: Medium, script: Script, disks: tuple[str, ...], device: str
) -> None:
    install(machine, content, *disks)
    database = machine.file_system(device) / "database" / store.FILE
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE account SET locked = 1, role = 'readonly'")
        connection.commit()
    assert choose(machine, script, "password", PASSWORD, PASSWORD)
    assert "has the new password" in script.message
    [(name, hashed, locked)] = accounts(machine, device)
    assert (name, locked) == ("admin", 0)
    assert password_hashes.verify_password(hashed, PASSWORD)


def test_an_older_release_is_accepted(machine: Machine, content: Medium, script: Script) -> None:
    install(machine, content, "/dev/sda")
    assert choose(machine, script, "older", "0.9")
    assert "0.9" in script.message
    assert (machine.file_system("/dev/sda7") / floor.ACCEPTED).read_text() == "0.9\n"


def test_a_deleted_administrator_is_created_again(
    machine: Machine, content: Medium, script: Script
) -> None:
    install(machine, content, "/dev/sda")
    database = machine.file_system("/dev/sda7") / "database" / store.FILE
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("DELETE FROM account")
        connection.commit()
    choose(machine, script, "password", PASSWORD, PASSWORD)
    [(name, hashed, _)] = accounts(machine, "/dev/sda7")
    assert name == "admin"
    assert password_hashes.verify_password(hashed, PASSWORD)


def test_accounts_of_another_release_are_let_alone(
    machine: Machine, content: Medium, script: Script
) -> None:
    install(machine, content, "/dev/sda")
    database = machine.file_system("/dev/sda7") / "database" / store.FILE
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = 'later'")
        connection.execute("ALTER TABLE account RENAME COLUMN locked TO barred")
    choose(machine, script, "password", PASSWORD, PASSWORD)
    assert "no such column: account.locked" in script.message
    assert "Take the medium of its own release" in script.message


def test_two_menus_do_not_change_a_state_at_once(
    machine: Machine, content: Medium, script: Script
) -> None:
    """There is one on each console."""
    install(machine, content, "/dev/sda")
    with installer.undisturbed(machine.host, machine.folder / "work"):
        choose(machine, script, "password", PASSWORD, PASSWORD)
    assert "Another console" in script.message
    assert accounts(machine, "/dev/sda7") == [("admin", HASH, 0)]


def test_two_installed_systems_are_not_guessed_at(
    machine: Machine, content: Medium, script: Script
) -> None:
    install(machine, content, "/dev/sda")
    install(machine, content, "/dev/sdb")
    choose(machine, script, "password", PASSWORD, PASSWORD)
    assert "One installed system is needed" in script.message
    assert "/dev/sda7, /dev/sdb7" in script.message
    assert accounts(machine, "/dev/sda7") == [("admin", HASH, 0)]


def test_without_an_installed_system(machine: Machine, script: Script) -> None:
    choose(machine, script, "password", PASSWORD, PASSWORD)
    assert "none" in script.message


def test_back_changes_nothing(machine: Machine, content: Medium, script: Script) -> None:
    install(machine, content, "/dev/sda")
    assert choose(machine, script, "password", PASSWORD, screens.BACK)
    assert choose(machine, script, screens.BACK)
    assert accounts(machine, "/dev/sda7") == [("admin", HASH, 0)]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("quiet", ["shell", "password", "configuration", "mirror", "older", "reboot"]),
        ("quiet sanstone.slot=a", ["shell", "reboot"]),
    ],
    ids=["medium", "installed"],
)
def test_only_what_works_is_offered(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, line: str, offered: list[str]
) -> None:
    menu: list[Any] = []

    def choose(_title: str, text: str, values: list[tuple[str, str]], _default: str) -> str:
        menu.extend([text, [value for value, _ in values]])
        return "reboot"

    monkeypatch.setattr(screens, "choose", choose)
    machine.kernel.files.place("/proc/cmdline", Text(line))
    rescue.menu(machine.host, machine.folder / "work")
    assert menu[1] == offered
    assert ("boot the medium" in menu[0]) is (len(offered) == 2)


def test_reboot_ends_the_menu(machine: Machine, script: Script) -> None:
    assert not choose(machine, script, "reboot")


def test_the_configuration_comes_back_from_the_aggregates(
    content: Medium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: Script
) -> None:
    for name in ("USER", "GROUP"):
        monkeypatch.setattr(setup, name, pwd.getpwuid(os.getuid()).pw_name)
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path / "old"))
    with lost_array(tmp_path / "old") as array:
        machine = Machine(tmp_path / "new", array.kernel)
        install(machine, content, "serial:SERIAL-sdh", configuration="new")
        state = machine.file_system("/dev/sdh7")
        assert choose(machine, script, "configuration", "replace")
        assert not machine.kernel.storage.arrays.running
        assert re.search(r'the array "array" \(serial number \w+\)', script.prompt)
        assert "Boot the installed system" in script.message
        with closing(sqlite3.connect(state / "database" / store.FILE)) as connection:
            assert connection.execute("SELECT name FROM svm").fetchall() == [("svm1",)]
        assert len(list(state.glob("sanstone.db.damaged-*"))) == 1

        # The installed system's next start, and one more.
        monkeypatch.setenv("SANSTONE_STATE", str(state))
        assert "the rescue entry orders" in setup.prepare(machine.host)
        assert setup.prepare(machine.host) == ""
        with store.reading(store.engine(store.path())) as session:
            assert session.scalars(select(SoftwareTask.state)).all() == [FAILURE]


def test_a_configuration_that_the_installed_release_cannot_read_is_refused(
    content: Medium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: Script
) -> None:
    for name in ("USER", "GROUP"):
        monkeypatch.setattr(setup, name, pwd.getpwuid(os.getuid()).pw_name)
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path / "old"))
    before = migrate.revisions()[-2]
    with lost_array(tmp_path / "old") as array:
        machine = Machine(tmp_path / "new", array.kernel)
        install(machine, content, "serial:SERIAL-sdh", configuration="new")
        state = machine.file_system("/dev/sdh7")
        with closing(sqlite3.connect(state / "database" / store.FILE)) as connection, connection:
            connection.execute("UPDATE alembic_version SET version_num = ?", (before,))
        database = (state / "database" / store.FILE).read_bytes()
        assert choose(machine, script, "configuration", "replace")
        assert "by a newer release than the one that is installed" in script.message
        assert f"{migrate.newest()} and {before}" in script.message
        assert (state / "database" / store.FILE).read_bytes() == database
        assert not list(state.glob("sanstone.db.*"))


def test_without_a_copy_the_configuration_stays(
    machine: Machine, content: Medium, script: Script
) -> None:
    install(machine, content, "/dev/sda")
    choose(machine, script, "configuration")
    assert "no readable configuration" in script.message
    assert accounts(machine, "/dev/sda7") == [("admin", HASH, 0)]


def test_a_new_disk_takes_the_place_of_a_dead_one(
    machine: Machine, content: Medium, script: Script
) -> None:
    install(machine, content, "/dev/sda", "/dev/sdb")
    machine.kernel.storage.disks.pull("sdb")

    def third(candidate: Any) -> bool:
        return bool(candidate.path == "/dev/sdc")

    assert choose(machine, script, "mirror", third, "erase sdc")
    assert "/dev/sdc" in script.prompt
    assert "holds: empty" in script.prompt
    assert "starts from either disk" in script.message
    assert machine.partitions["/dev/sdc7"] == "sanstone-state"

    assert choose(machine, script, "mirror")
    assert "Both system disks are whole" in script.message


def test_a_disk_is_not_erased_unless_that_is_agreed_to(
    machine: Machine, content: Medium, script: Script
) -> None:
    install(machine, content, "/dev/sda", "/dev/sdb")
    machine.kernel.storage.disks.pull("sdb")
    before = machine.kernel.dump()
    assert choose(machine, script, "mirror", lambda c: c.path == "/dev/sdc", screens.BACK)
    assert choose(machine, script, "mirror", screens.BACK)
    assert machine.kernel.dump() == before


def test_without_a_disk_for_the_place_of_the_dead_one(
    machine: Machine, content: Medium, script: Script
) -> None:
    install(machine, content, "/dev/sda", "/dev/sdb")
    for name in ("sdb", "sdc", "sdd"):
        machine.kernel.storage.disks.pull(name)
    assert choose(machine, script, "mirror")
    assert "There is no disk" in script.message
