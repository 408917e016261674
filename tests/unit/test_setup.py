"""Setting an array up: at its first boot, at any other, and after its system disk was lost."""

from __future__ import annotations

import os
import pwd
import shutil
import sqlite3
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import migrated_database
import pytest
import release_before
from alembic import command
from alembic.config import Config
from lost_array import OTHER_SERIAL, lost_array
from simulator import Simulator
from sqlalchemy import select
from standing_clock import Clock

from fakes import FakeKernel
from fakes.files import Text
from sanstone import migrate, setup
from sanstone.core import places
from sanstone.core.database import store
from sanstone.core.database.epoch import Age
from sanstone.core.events import Event
from sanstone.core.history import metrics_file
from sanstone.kernel import names
from sanstone.kernel.host import Host
from sanstone.kernel.storage import disk_arrival
from sanstone.model.aggregates import Aggregate
from sanstone.model.cluster import Cluster
from sanstone.model.nodes import Node, this_node
from sanstone.model.san import Lun
from sanstone.model.security import Account
from sanstone.model.software import FAILURE, SoftwareTask
from sanstone.reconcile import damage, restore
from sanstone.reconcile.tasks import configuration
from sanstone.reconcile.tasks.configuration import Copy
from sanstone.security import password_hashes
from sanstone.system import fallback

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state in `tmp_path/state`, and the credential that systemd hands over.

    New databases are copies of one that the migrations made.
    """
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    (credentials / setup.CREDENTIAL).write_text(PASSWORD + "\n")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(credentials))
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(migrate, "upgrade", migrated_database.upgrade)
    for name in ("USER", "GROUP"):
        monkeypatch.setattr(setup, name, pwd.getpwuid(os.getuid()).pw_name)


@pytest.fixture
def restarted(tmp_path: Path) -> Iterator[Simulator]:
    """See `lost_array`."""
    with lost_array(tmp_path / "state") as array:
        yield array


def erase_system_disk() -> None:
    shutil.rmtree(places.state_directory())
    store.path().parent.mkdir(parents=True)


def contents(folder: Path) -> dict[Path, bytes | str]:
    """Return the files of a folder, and the content of the database."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    files_by_path: dict[Path, bytes | str] = {
        p: p.read_bytes() for p in files if ".db" not in p.name
    }
    with closing(sqlite3.connect(store.path())) as database:
        files_by_path[store.path()] = "\n".join(database.iterdump())
    return files_by_path


def names_of_svms() -> list[str]:
    with sqlite3.connect(store.path()) as database:
        return [name for (name,) in database.execute("SELECT name FROM svm")]


def test_a_first_boot_makes_an_array(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "upgrade", migrated_database.UPGRADE)
    setup.prepare(FakeKernel().host)
    database = store.engine(store.path())
    assert migrate.differences(database) == []
    with store.reading(database) as session:
        assert len(session.scalar(select(Cluster.serial_number)) or "") == 32
        account = session.scalars(select(Account)).one()
        assert account.name == "admin"
        assert password_hashes.verify_password(account.password, PASSWORD)
        assert not account.generated
    server = tmp_path / "state/tls/server.pem"
    assert server.stat().st_mode & 0o777 == 0o600
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(server)
    assert "PRIVATE" not in (tmp_path / "state/tls/certificate.pem").read_text()


def test_another_boot_changes_nothing(tmp_path: Path) -> None:
    setup.prepare(FakeKernel().host)
    before = contents(tmp_path / "state")
    setup.prepare(FakeKernel().host)
    assert contents(tmp_path / "state") == before


def test_damaged_figures_are_dropped() -> None:
    setup.prepare(FakeKernel().host)
    metrics_file.path().write_bytes(b"no database" * 1000)
    setup.prepare(FakeKernel().host)
    assert not metrics_file.path().exists()


def test_without_a_password_given_a_random_one_is_shown_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = tmp_path / "console"
    console.touch()
    monkeypatch.delenv("CREDENTIALS_DIRECTORY")
    monkeypatch.setattr(setup, "CONSOLE", str(console))
    setup.prepare(FakeKernel().host)
    password = console.read_text().split()[-1]
    with store.reading(store.engine(store.path())) as session:
        account = session.scalars(select(Account)).one()
        assert password_hashes.verify_password(account.password, password) and account.generated
    console.write_text("")
    setup.prepare(FakeKernel().host)
    assert not console.read_text()


@pytest.mark.parametrize("content", [None, b"", b"no database at all" * 1000])
def test_a_lost_configuration_comes_back_from_the_aggregates(
    restarted: Simulator, content: bytes | None
) -> None:
    erase_system_disk()
    if content is not None:
        store.path().write_bytes(content)
    setup.prepare(restarted.kernel.host)
    assert names_of_svms() == ["svm1"]
    # The reconciler goes on with the restored configuration.
    [array] = restarted.kernel.storage.arrays.running.values()
    assert not array.read_only
    with store.reading(store.engine(store.path())) as session:
        # Volumes of these numbers may have been created after the copy.
        assert session.scalars(select(Aggregate.next_thin_id)).one() > 1000
        [task] = session.scalars(select(SoftwareTask))
        assert (task.state, task.password) == (FAILURE, "")
        messages = session.scalars(select(Event.message).filter_by(name="configuration.restored"))
        assert "taken back from the aggregates" in messages.one()


def test_which_of_two_arrays_it_shall_be_is_not_guessed_at(tmp_path: Path) -> None:
    with lost_array(tmp_path / "state", borrowed_disk=True) as array:
        erase_system_disk()
        with pytest.raises(restore.SeveralArrays, match=rf'"array" \(serial number {OTHER_SERIAL}'):
            setup.prepare(array.kernel.host)
        assert not store.path().exists()
        array.kernel.reboot()
        array.kernel.remove_disk("sdg")
        setup.prepare(array.kernel.host)
        with store.reading(store.engine(store.path())) as session:
            assert session.scalar(select(Cluster.serial_number)) != OTHER_SERIAL


def test_disks_that_are_found_late_are_waited_for(
    restarted: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    erase_system_disk()
    late = ["sda", "sdb", "sdc"]
    for disk in late:
        restarted.kernel.remove_disk(disk)

    def sleep(_seconds: float) -> None:
        while late:
            restarted.kernel.add_disk(late.pop())
        monkeypatch.setattr(disk_arrival, "QUIET", 0.0)

    monkeypatch.setattr(disk_arrival, "QUIET", 3.0)
    monkeypatch.setattr(time, "sleep", sleep)
    setup.prepare(restarted.kernel.host)
    assert names_of_svms() == ["svm1"]


def test_where_the_database_is_there_nothing_is_waited_for() -> None:
    setup.prepare(FakeKernel().host)
    kernel = FakeKernel()
    setup.prepare(kernel.host)
    assert not kernel.commands.calls


def test_a_configuration_of_a_newer_release_is_not_taken_back(
    restarted: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    erase_system_disk()
    monkeypatch.setattr(migrate, "revisions", lambda: ("older",))
    with pytest.raises(setup.SetupRefused, match=r"newer release.*Nothing was changed"):
        setup.prepare(restarted.kernel.host)
    assert not store.path().exists()


def test_a_configuration_of_the_release_before_is_taken_back(tmp_path: Path) -> None:
    kernel, file = release_before.machine(), tmp_path / "before.db"
    release_before.write_database(file)
    copy = Copy(Age(0, 78), file.read_bytes(), release_before.key())
    for group in kernel.storage.groups.groups:
        configuration.write(kernel.host, names.aggregate_of(group), copy)
    kernel.reboot()
    kernel.files.place("/proc/cmdline", Text("quiet"))
    setup.prepare(kernel.host)
    database = store.engine(store.path())
    assert migrate.differences(database) == []
    with store.reading(database) as session, closing(sqlite3.connect(file)) as before:
        luns = {uuid for (uuid,) in before.execute("SELECT uuid FROM lun")}
        assert set(session.scalars(select(Lun.uuid))) == luns
    database.dispose()


def test_a_damaged_database_is_kept_beside_its_successor(restarted: Simulator) -> None:
    damaged = b"SQLite format 3\0" + b"damage" * 3000
    erase_system_disk()
    store.path().write_bytes(damaged)
    setup.prepare(restarted.kernel.host)
    (aside,) = places.state_directory().glob("sanstone.db.damaged-*")
    assert aside.read_bytes() == damaged


def truncate() -> None:
    """Cut the database's file in half."""
    os.truncate(store.path(), store.path().stat().st_size // 2)


def overwrite_a_page() -> None:
    """Overwrite a page in the middle of the database's file."""
    with store.path().open("r+b") as file:
        file.seek(5 * 4096)
        file.write(b"\xa5" * 4096)


@pytest.mark.parametrize("spoil", [truncate, overwrite_a_page])
def test_a_damaged_database_is_replaced_by_the_copy(
    restarted: Simulator, spoil: Callable[[], None]
) -> None:
    with closing(sqlite3.connect(store.path())) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    spoil()
    assert "taken back from the aggregates, since it is damaged" in setup.prepare(
        restarted.kernel.host
    )
    assert names_of_svms() == ["svm1"]


def test_a_log_that_is_lost_costs_no_more_than_what_was_in_it(restarted: Simulator) -> None:
    """The rest of the file may be sound, or else the copy on the aggregates is."""
    with closing(sqlite3.connect(store.path())) as database:
        database.execute("UPDATE svm SET name = 'svm2'")
        database.commit()
        assert store.path().with_name("sanstone.db-wal").stat().st_size
        file = store.path().read_bytes()
    for suffix in ("-wal", "-shm"):
        store.path().with_name(f"sanstone.db{suffix}").unlink(missing_ok=True)
    store.path().write_bytes(file)
    setup.prepare(restarted.kernel.host)
    assert names_of_svms() == ["svm1"]


class TestDamageWhileItRuns:
    """The reconciler leaves word, and this runs again."""

    def test_damage_that_a_check_misses_is_replaced_too(self, restarted: Simulator) -> None:
        host = restarted.kernel.host
        damage.report(host, "database disk image is malformed")
        restart = ("systemctl", "restart", "--no-block", damage.SETUP)
        assert restart in restarted.kernel.commands.calls
        note = setup.prepare(host)
        assert "since it is damaged: database disk image is malformed" in note
        assert names_of_svms() == ["svm1"]
        assert damage.reported(host.files) == ""
        assert setup.prepare(host) == ""

    def test_a_disk_that_damages_one_after_the_other_is_not_filled(
        self, restarted: Simulator, clock: Clock
    ) -> None:
        for _ in range(6):
            clock.now += 60
            damage.report(restarted.kernel.host, "database disk image is malformed")
            setup.prepare(restarted.kernel.host)
        aside = {
            path.name.partition("-")[2][:10]
            for path in places.state_directory().glob("sanstone.db.damaged-*")
        }
        assert len(aside) == fallback.MOST_ASIDE + 1
        assert names_of_svms() == ["svm1"]

    def test_without_a_copy_a_damaged_database_is_kept_and_reported_again(self) -> None:
        host = FakeKernel().host
        host.files.make_folder(str(places.run_directory()))
        setup.prepare(host)
        before = store.path().read_bytes()
        damage.report(host, "database disk image is malformed")
        for _ in range(2):
            with pytest.raises(setup.SetupRefused, match=r"malformed.*Start the rescue entry"):
                setup.prepare(host)
        assert store.path().read_bytes() == before


def test_a_log_without_its_database_is_not_played_into_the_copy(restarted: Simulator) -> None:
    erase_system_disk()
    store.path().with_name("sanstone.db-wal").write_bytes(b"\x37\x7f\x06\x82" + b"old" * 4000)
    setup.prepare(restarted.kernel.host)
    assert names_of_svms() == ["svm1"]


def test_without_a_copy_no_new_array_starts_over_disks_of_another(restarted: Simulator) -> None:
    """The aggregate's RAID group is there, but too few of its disks to read the copy."""
    erase_system_disk()
    for disk in ("sda", "sdb", "sdc"):
        restarted.kernel.remove_disk(disk)
    before = restarted.dump()
    with pytest.raises(setup.SetupRefused, match="Nothing was changed"):
        setup.prepare(restarted.kernel.host)
    assert not store.path().exists()
    assert restarted.dump() == before


def test_a_damaged_database_without_a_copy_is_never_replaced() -> None:
    store.path().parent.mkdir(parents=True)
    store.path().write_bytes(b"something" * 5000)
    with pytest.raises(setup.SetupRefused, match="damaged"):
        setup.prepare(FakeKernel().host)
    assert store.path().read_bytes() == b"something" * 5000


def test_a_certificate_that_a_power_cut_left_empty_is_written_again(tmp_path: Path) -> None:
    setup.prepare(FakeKernel().host)
    server = tmp_path / "state/tls/server.pem"
    before = server.read_bytes()
    server.write_bytes(b"")
    setup.prepare(FakeKernel().host)
    assert server.read_bytes() == before


def host_of(slot: str = "") -> Host:
    """Return a machine that was booted from a slot, or live."""
    kernel = FakeKernel()
    kernel.files.place("/proc/cmdline", Text(f"quiet sanstone.slot={slot}" if slot else "quiet"))
    return kernel.host


def boot_newer(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boot a release that migrates the database to a revision `newer`."""
    revisions = migrate.revisions()

    def upgrade(config: Config, _head: str) -> None:
        connection = config.attributes["connection"]
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = 'newer'")

    with monkeypatch.context() as newer:
        newer.setattr(migrate, "revisions", lambda: (*revisions, "newer"))
        newer.setattr(migrate, "newest", lambda: "newer")
        newer.setattr(command, "upgrade", upgrade)
        setup.prepare(host)


def copies() -> list[Path]:
    """Return the copies from before a migration."""
    return list(places.state_directory().glob("sanstone.db.before-*"))


def revision() -> str:
    with closing(sqlite3.connect(store.path())) as database:
        return str(database.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def rename(name: str) -> None:
    with closing(sqlite3.connect(store.path())) as database:
        database.execute("UPDATE cluster SET name = ?", (name,))
        database.commit()


@pytest.mark.parametrize("cut", [False, True])
def test_a_release_that_fails_its_trial_leaves_its_configuration_behind(
    monkeypatch: pytest.MonkeyPatch, cut: bool
) -> None:
    """Its copy is kept even without a mark that it is on trial: `sanstone-slots` may fail."""
    setup.prepare(FakeKernel().host)
    before = revision()
    rename("before")
    boot_newer(host_of("b"), monkeypatch)
    assert revision() == "newer"
    rename("on trial")
    if cut:
        # The power is cut while the release before goes back to its copy.
        fallback.put_aside(FakeKernel().host.files, store.path(), "newer")
    setup.prepare(FakeKernel().host)
    assert revision() == before
    with store.reading(store.engine(store.path())) as session:
        assert session.scalar(select(Cluster.name)) == "before"
        # LIFs and SVMs of these numbers may have been created on trial.
        assert session.scalars(select(Cluster.next_number)).one() > 100
        assert [e.name for e in session.scalars(select(Event))] == ["configuration.fallback"]
    assert list(places.state_directory().glob("sanstone.db.newer-*"))


def test_a_release_that_proved_itself_is_not_gone_back_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = FakeKernel().host.files
    setup.prepare(FakeKernel().host)
    fallback.keep(files, store.path(), "a revision of long ago")
    fallback.forget(files)
    monkeypatch.setattr(migrate, "revisions", lambda: ("older",))
    monkeypatch.setattr(migrate, "newest", lambda: "older")
    with pytest.raises(migrate.NewerDatabase):
        setup.prepare(FakeKernel().host)


def test_no_copy_is_kept_of_what_is_not_migrated() -> None:
    setup.prepare(host_of("b"))
    setup.prepare(host_of("b"))
    assert copies() == []


def test_no_copy_is_kept_where_nobody_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    setup.prepare(host_of())
    boot_newer(host_of(), monkeypatch)
    assert copies() == []


def _own_name() -> str:
    """Return the name of the node that the machine takes itself for."""
    with store.reading(store.engine(store.path())) as session:
        return this_node(session).name


def _with_serial(number: str) -> Host:
    """Return a machine with a serial number."""
    kernel = FakeKernel()
    kernel.files.place("/sys/class/dmi/id/product_serial", Text(f"{number}\n"))
    return kernel.host


def _add_partner() -> None:
    with store.writing(store.engine(store.path())) as session:
        session.add(Node(number=2, name="sanstone-02", serial_number="S2"))


def test_a_machine_is_the_node_that_its_file_names(tmp_path: Path) -> None:
    setup.prepare(_with_serial("S1"))
    assert _own_name() == "sanstone-01"
    assert places.node_identity().stat().st_mode & 0o777 == 0o640
    _add_partner()
    setup.prepare(_with_serial("exchanged"))
    assert _own_name() == "sanstone-01"


def test_a_machine_without_its_file_is_the_node_with_its_serial_number(tmp_path: Path) -> None:
    setup.prepare(_with_serial("S1"))
    _add_partner()
    places.node_identity().unlink()
    setup.prepare(_with_serial("S2"))
    assert _own_name() == "sanstone-02"


def test_a_strange_machine_is_none_of_several_nodes(tmp_path: Path) -> None:
    setup.prepare(_with_serial("S1"))
    _add_partner()
    places.node_identity().unlink()
    for host in (_with_serial("S3"), FakeKernel().host):
        with pytest.raises(setup.SetupRefused, match="is none of the array's nodes"):
            setup.prepare(host)
    assert not places.node_identity().exists()


def test_a_new_machine_is_the_only_node_of_an_array(tmp_path: Path) -> None:
    setup.prepare(_with_serial("S1"))
    places.node_identity().write_text("00000000-0000-4000-8000-000000000009")
    setup.prepare(_with_serial("S9"))
    assert _own_name() == "sanstone-01"
