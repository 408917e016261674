"""`sanstone-setup`: prepare what the API and the reconciler need to start.

It runs as root at every boot, does only the missing steps, and may be killed at any point:

1. the state's folders, their owners (see `core.places`), and the key of the secrets. Up to release
   0.1.0 the database was in the state's own folder: it is moved from there, with a copy kept for
   such a release until this one serves;
2. the database: a sound one is migrated to this version, with a copy kept for the previous release
   until this one serves (see `system.fallback`); a missing or damaged one is restored from the copy
   on the aggregates, after a wait for their disks. A new one is created only if no disk belongs to
   an array: an empty configuration never replaces one that may still be found. It may be damaged
   while the array runs: then the reconciler has this run again (`reconcile.damage`);
3. the array's identity, and which of its nodes the machine is; the account `admin`, with the
   systemd credential `sanstone.admin-password` as its password; without one, a random password is
   generated and shown on the console once;
4. the web server's certificate, created for the host's name if there is none in the database, and
   the file that nginx reads.

The installer runs the same on a new state file system, with its answers as a `Beginning`.
"""

from __future__ import annotations

import grp
import os
import pwd
import secrets as random
import socket
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine, func, inspect, select
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import Session

from sanstone import migrate
from sanstone.core import events, places, secrets
from sanstone.core.database import counters, store
from sanstone.core.errors import ApiError
from sanstone.core.history import metrics_file
from sanstone.kernel.hardware import dmi
from sanstone.kernel.host import Files, Host, HostError
from sanstone.kernel.real import real_host
from sanstone.model import nodes
from sanstone.model.cluster import Cluster, NtpServer
from sanstone.model.network import IpInterface, IpRoute
from sanstone.model.nodes import Node
from sanstone.model.security import Account
from sanstone.reconcile import damage, restore
from sanstone.reconcile.restore import SearchResult
from sanstone.reconcile.stages import web_server
from sanstone.reconcile.tasks import configuration, sampler
from sanstone.reconcile.tasks.configuration import Copy
from sanstone.rules.cluster import software_task
from sanstone.rules.network import endpoints
from sanstone.rules.network.failover import BROADCAST_DOMAIN_ONLY
from sanstone.rules.network.ports import MANAGEMENT_PORT
from sanstone.rules.network.service_policies import MANAGEMENT_POLICY
from sanstone.rules.security import certificates
from sanstone.security import password_hashes
from sanstone.system import fallback, former_place, slots

USER = GROUP = "sanstone"
CREDENTIAL = "sanstone.admin-password"
ADMINISTRATOR = "admin"
CONSOLE = "/dev/console"
MISSING, EMPTY = "it is missing", "there is no array in it"


class SetupRefused(Exception):
    """The array cannot be set up without risking its configuration; the text says what to do."""


@dataclass(frozen=True)
class Beginning:
    """The settings of a new array. One that is restored from its aggregates keeps its own.

    `address` is a static one for management, '' for DHCP alone; DNS and NTP servers take precedence
    over DHCP's. `copy` is the configuration to be restored (`copy_to_take_back`), None for a new
    array, which ignores the disks of an old one.
    """

    name: str
    timezone: str
    password_hash: str
    address: str = ""
    prefix_length: int = 0
    gateway: str = ""
    name_servers: tuple[str, ...] = ()
    time_servers: tuple[str, ...] = ()
    copy: Copy | None = None


def main() -> None:
    """Set the array up, and report on the console what was special, or why that is refused."""
    os.umask(0o027)
    try:
        if note := prepare(real_host()):
            print(f"sanstone-setup: {note}", file=sys.stderr)
    except (SetupRefused, HostError, migrate.NewerDatabase, store.ForeignValue) as error:
        sys.exit(f"sanstone-setup: {error}")


def prepare(host: Host, beginning: Beginning | None = None) -> str:
    """Run all steps. Return a note on the configuration, '' if nothing special happened.

    Raises SetupRefused, HostError or NewerDatabase, with nothing overwritten.
    """
    file, group = store.path(), grp.getgrnam(GROUP).gr_gid
    _ensure_folders(host.files, group)
    former_place.leave(host)
    _give_to_api(host.files)
    went_back = _ensure_readable(host.files, file)
    _ensure_database(file, host, beginning)
    restored = _restored()
    note = restored.read_text() if restored.exists() else ""
    _ensure_key(host.files)
    database = store.distrusted(store.engine(file))
    try:
        _keep_copy(file, database, host)
        migrate.upgrade(database)
        if not metrics_file.recover():
            sampler.discard(host.files)
        _ensure_identity(host.files, database, beginning)
        _ensure_node(host.files, database)
        with store.writing(database) as session:
            _ensure_endpoints(session)
            if note:
                events.emit(session, events.ALERT, "configuration.restored", note)
                software_task.abandon(session, "The request is of a system disk that is lost.")
            if went_back:
                events.emit(session, events.ALERT, "configuration.fallback", fallback.NOTE)
        if note:
            host.files.unlink(str(restored))
        _ensure_certificate(host.files, database, beginning)
    finally:
        database.dispose()
    _hand_over(host.files, group)
    return note


def take_back(files: Files, file: Path, copy: Copy, why: str) -> None:
    """Replace the array's configuration by a copy, and keep the old one beside it.

    `why` ends a sentence that begins with "since". The array's next start reports it, and abandons
    work that was in progress according to the copy.
    """
    _ensure_folders(files, grp.getgrnam(GROUP).gr_gid)
    fallback.put_aside(files, file, "damaged")
    files.store(str(secrets.key_path()), copy.key, 0o640)
    note = f"The configuration was taken back from the aggregates, since {why}."
    files.store(str(_restored()), note.encode(), 0o600)
    files.store(str(file), counters.advanced(copy.database), 0o660)


def check_readable(copy: Copy, file: Path) -> None:
    """Check that the system with the database `file` can read a copy. Raises SetupRefused.

    At its first start it migrated its database to the newest revision that it knows. A database
    that is missing, damaged, or of a release unknown here proves nothing: the system itself then
    refuses.
    """
    revisions = migrate.revisions()
    installed = _revision(file) if file.exists() else ""
    array = configuration.identify(copy)
    if installed in revisions and array.revision not in revisions[: revisions.index(installed) + 1]:
        raise SetupRefused(
            f"The configuration of the array {array} on the disks was written by a newer release "
            f"than the one that is installed (revisions {array.revision} and {installed}). Nothing "
            "was changed. Update the installed system first, or install that release."
        )


def _restored() -> Path:
    """Return the file that exists from the restore of a copy until it is reported."""
    return fallback.aside("restored")


def _ensure_readable(files: Files, file: Path) -> bool:
    """Restore the copy from before a migration by an abandoned release.

    Return whether that was done: the database is newer than this version, or had been put aside for
    that reason before a power cut.
    """
    if not fallback.copy_path(migrate.newest()).exists():
        return False
    if file.exists() and not _is_newer(file):
        return False
    fallback.take_back(files, file, migrate.newest())
    return True


def _is_newer(file: Path) -> bool:
    revision = _revision(file)
    return bool(revision) and revision not in migrate.revisions()


def _revision(file: Path) -> str:
    """Return the revision of an existing database, '' if it cannot be read."""
    database = store.engine(file)
    try:
        return migrate.revision(database)
    except DatabaseError:
        # Damaged, which _ensure_database reports.
        return ""
    finally:
        database.dispose()


def _keep_copy(file: Path, database: Engine, host: Host) -> None:
    """Copy a database that is about to be migrated, for the release in the other slot.

    This does not depend on a trial: `system.trial` drops the copy once this release serves. Without
    slots there is no release to go back to, and nothing would drop the copy.
    """
    revision = migrate.revision(database)
    if revision in set(migrate.revisions()) - {migrate.newest()} and slots.booted(host):
        fallback.keep(host.files, file, revision)


def copy_to_take_back(search: SearchResult, why: str = MISSING) -> Copy | None:
    """Return the configuration found on the aggregates, None if a new array may be created.

    `why` is why it is needed. Raises SetupRefused or HostError, with nothing changed.
    """
    if search.copy is None:
        if search.arrays or why not in (MISSING, EMPTY):
            raise SetupRefused(
                f"The configuration cannot be used ({why}) and no copy of it was found on the "
                f"disks. {search.why} Nothing was changed. Start the rescue entry to decide."
            )
        return None
    array = configuration.identify(search.copy)
    if array.revision not in migrate.revisions():
        raise SetupRefused(
            f"The configuration of the array {array} on the disks was written by a newer release "
            f"than this one (revision {array.revision}). Nothing was changed. Start that release."
        )
    return search.copy


def _ensure_database(file: Path, host: Host, beginning: Beginning | None) -> None:
    """Restore a missing or damaged database from a copy, unless the array is new."""
    why = damage.reported(host.files) or _damage(file)
    if not why:
        return
    copy = beginning.copy if beginning else copy_to_take_back(restore.newest_copy(host), why)
    if copy is not None:
        take_back(host.files, file, copy, why)
        damage.forget(host.files)


def _damage(file: Path) -> str:
    """Return why the database cannot be used, '' if it is sound and holds an array."""
    if not file.exists():
        return MISSING
    database = store.engine(file)
    try:
        finding = store.check_integrity(database)
        why = f"it is damaged: {finding}" if finding else ""
        if not why and not _holds_array(database):
            why = EMPTY
    except DatabaseError as error:
        why = f"it is damaged: {error.orig}"
    finally:
        database.dispose()
    return why


def _holds_array(database: Engine) -> bool:
    """Return whether the database holds an array; an empty file is a sound database too."""
    if not inspect(database).has_table(Cluster.__tablename__):
        return False
    with store.reading(database) as session:
        return session.scalar(select(Cluster.uuid).limit(1)) is not None


def _ensure_identity(files: Files, database: Engine, beginning: Beginning | None) -> None:
    with store.writing(database) as session:
        if not session.scalar(select(func.count()).select_from(Cluster)):
            row = Cluster(
                name="sanstone",
                serial_number=uuid.uuid4().hex,
            )
            node = Node(uuid=str(uuid.uuid4()), number=1)
            session.add_all((row, node))
            if beginning:
                row.name, row.timezone = beginning.name, beginning.timezone
                row.name_servers = list(beginning.name_servers)
                session.add_all(NtpServer(server=server) for server in beginning.time_servers)
                _add_management(session, beginning, node.uuid)
            node.name = nodes.name_of(row.name, node.number)
        if not session.scalar(select(func.count()).select_from(Account)):
            session.add(_administrator(files, beginning))


def _ensure_node(files: Files, database: Engine) -> None:
    """Ensure that the machine's file says which node it is. Raises SetupRefused.

    A machine that has no such file, or one of another array, is the node with its serial number,
    or the only one: it may be a new machine for an array's old disks.
    """
    path, serial = places.node_identity(), dmi.read(files, dmi.SERIAL_NUMBER)
    known = path.read_text().strip() if path.exists() else ""
    with store.writing(database) as session:
        every = nodes.every_node(session)
        node = next((each for each in every if each.uuid == known), None)
        if node is None and serial:
            node = next((each for each in every if each.serial_number == serial), None)
        if node is None and len(every) > 1:
            numbers = ", ".join(f"{each.name} ({each.serial_number})" for each in every)
            raise SetupRefused(
                f"The machine (serial number {serial or 'unknown'}) is none of the array's nodes: "
                f"{numbers}. Nothing was changed."
            )
        node = node or every[0]
        node.serial_number = serial
        uuid = node.uuid
    if known != uuid:
        files.store(str(path), uuid.encode(), 0o640)


def _add_management(session: Session, beginning: Beginning, node_uuid: str) -> None:
    """Give the array its static address: a LIF like any other, and the way out of its network."""
    if beginning.address:
        lif = IpInterface(
            name="mgmt1",
            home_node_uuid=node_uuid,
            node_uuid=node_uuid,
            address=beginning.address,
            prefix_length=beginning.prefix_length,
            port=MANAGEMENT_PORT,
            failover=BROADCAST_DOMAIN_ONLY,
            service_policy=MANAGEMENT_POLICY,
        )
        session.add(lif)
    if beginning.gateway:
        everywhere = "::" if ":" in beginning.gateway else "0.0.0.0"  # noqa: S104
        session.add(IpRoute(address=everywhere, prefix_length=0, gateway=beginning.gateway))


def _ensure_endpoints(session: Session) -> None:
    """Give LIFs the endpoints that they lack; an array that has no ids left goes on without."""
    try:
        endpoints.ensure_all(session)
    except ApiError as error:
        print(f"sanstone-setup: {error}", file=sys.stderr)


def _administrator(files: Files, beginning: Beginning | None) -> Account:
    """Return the first account, with the chosen password, or with one that the console shows."""
    if beginning:
        return Account(name=ADMINISTRATOR, password=beginning.password_hash)
    folder = os.environ.get("CREDENTIALS_DIRECTORY", "")
    credential = Path(folder) / CREDENTIAL
    generated = not (folder and credential.exists())
    if generated:
        password = random.token_urlsafe(12)
        files.write(CONSOLE, f"\nThe first password of admin is: {password}\n")
    else:
        password = credential.read_text().rstrip("\n")
    hashed = password_hashes.hash_password(password)
    return Account(name=ADMINISTRATOR, password=hashed, generated=generated)


def _ensure_certificate(files: Files, database: Engine, beginning: Beginning | None) -> None:
    """Ensure that there is a certificate in the database, and write it to the web server's file.

    If there is no valid one, the web server keeps the one that it has, and the reconciler reports
    it.
    """
    with store.reading(database) as session:
        served = certificates.served(session) is not None
    if not served:
        # Before the transaction: creating a key is slow, and all writers would wait for it.
        name = beginning.name if beginning else socket.gethostname()
        names = [f"DNS:{name}", "DNS:localhost", "IP:127.0.0.1"]
        if beginning and beginning.address:
            names.append(f"IP:{beginning.address}")
        certificate = certificates.self_signed(name, tuple(names))
        certificate.served = True
        with store.writing(database) as session:
            session.add(certificate)
    with store.reading(database) as session:
        row = certificates.served(session)
        if row is not None:
            try:
                web_server.write_certificate(files, row)
            except HostError as error:
                print(f"sanstone-setup: the web server's certificate: {error}", file=sys.stderr)


def _ensure_folders(files: Files, group: int) -> None:
    """Create the folders of the state, which the API's group may list and only root may write."""
    for folder in (places.state_directory(), places.database_directory()):
        files.make_folder(str(folder))
        files.give(str(folder), os.geteuid(), group, 0o750)
    files.make_folder(str(places.api_directory()), 0o700)
    files.make_folder(str(places.support_directory()))
    files.give(str(places.support_directory()), os.geteuid(), group, 0o750)


def _ensure_key(files: Files) -> None:
    """Ensure that the array has its own key for secrets, complete or not at all."""
    if not secrets.key_path().exists():
        files.store(str(secrets.key_path()), secrets.new_key(), 0o640)


def _give_to_api(files: Files) -> None:
    """Give the API its folder, if not done yet: afterwards root but takes uploads away there."""
    folder, user = places.api_directory(), pwd.getpwnam(USER)
    if folder.stat().st_uid != user.pw_uid:
        for path in (*folder.iterdir(), folder):
            files.give(str(path), user.pw_uid, user.pw_gid)


def _hand_over(files: Files, group: int) -> None:
    """Let the API's group write the database, and read the key of the secrets."""
    files.give(str(places.node_identity()), -1, group, 0o640)
    for path in store.path().parent.glob(f"{store.FILE}*"):
        files.give(str(path), -1, group, 0o660)
    files.give(str(secrets.key_path()), -1, group, 0o640)
