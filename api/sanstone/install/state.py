"""The state of an array on its system disks: created by an installation, repaired by a rescue.

All functions get the folder where the state's file system is mounted. The rest of Sanstone learns
it from the environment (`core.places`), so this is for separate processes.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from sanstone import migrate, setup
from sanstone.core.database import store, tracked
from sanstone.install import targets
from sanstone.install.answers import NEW, Answers
from sanstone.install.mounts import mounted
from sanstone.kernel.host import Host, HostError
from sanstone.kernel.storage import block
from sanstone.model.security import Account
from sanstone.reconcile import restore
from sanstone.reconcile.tasks.configuration import Copy
from sanstone.security.accounts import forget_failures
from sanstone.system import former_place, layout

MACHINE_ID = "machine-id"


class OtherRelease(HostError):
    """The installed system's database is of another release; the text says so."""


class NoState(HostError):
    """There is no installed system, or more than one; the text says what was found."""


def make(host: Host, device: str) -> None:
    """Create the state's file system. Raises CommandError."""
    host.commands.run(["mkfs.ext4", "-q", "-F", "-L", layout.STATE_LABEL, device])


def to_take_back(host: Host, answers: Answers, system_disks: Collection[str]) -> Copy | None:
    """Return the configuration on the other disks, None for a new array.

    The disks are left as they were: those not in use are released again. Raises SetupRefused or
    HostError.
    """
    if answers.configuration == NEW:
        return None
    try:
        search = restore.newest_copy(host, system_disks, read_only=True)
        return setup.copy_to_take_back(search)
    except (setup.SetupRefused, restore.SeveralArrays) as error:
        raise setup.SetupRefused(f"{error} Or install with a new configuration.") from error


def begin(host: Host, folder: Path, answers: Answers, copy: Copy | None) -> str:
    """Create an array, or restore an old one from its `copy` with the new password.

    Return a note on the configuration, '' for a new one. Raises what `setup.prepare` does.
    """
    host.files.store(str(folder / MACHINE_ID), f"{uuid.uuid4().hex}\n".encode(), 0o444)
    address = answers.management
    beginning = setup.Beginning(
        name=answers.host_name,
        timezone=answers.timezone,
        password_hash=answers.password_hash,
        address=address.address if address else "",
        prefix_length=address.prefix_length if address else 0,
        gateway=address.gateway if address else "",
        name_servers=answers.name_servers,
        time_servers=answers.time_servers,
        copy=copy,
    )
    use(folder)
    note = setup.prepare(host, beginning)
    if note:
        set_password(folder, answers.password_hash)
    return note


def set_password(folder: Path, password_hash: str) -> None:
    """Set the administrator's password, and unlock or create the account if necessary.

    Raises OtherRelease, or SQLAlchemy's DatabaseError for a database that cannot be used.
    """
    use(folder)
    database = store.engine(store.path())
    try:
        with store.writing(database) as session:
            statement = select(Account).filter_by(name=setup.ADMINISTRATOR, owner_uuid="")
            row = session.scalars(statement).one_or_none()
            if row is None:
                session.add(Account(name=setup.ADMINISTRATOR, password=password_hash))
            else:
                forget_failures(session, row)
                row.readmit(password_hash)
            # A release before this one has no table for it.
            tracked.leave_out(session)
    except OperationalError as error:
        if migrate.revision(database) == migrate.newest():
            raise
        raise OtherRelease(
            "The installed system is of another release than this medium, with other tables of "
            f"accounts ({error.orig}). Nothing was changed. Take the medium of its own release."
        ) from error
    finally:
        database.dispose()


@contextmanager
def installed(host: Host, folder: Path) -> Iterator[None]:
    """Mount the state of the installed system. Raises NoState, HostError."""
    on_disks = [partition for disk in block.disks(host) for partition in disk.partitions]
    parts = [partition for partition in on_disks if partition.name == layout.STATE.name]
    members = [partition.path for partition in parts if partition.type == block.RAID_MEMBER]
    plain = [partition.path for partition in parts if partition.path not in members]
    if len(plain) + bool(members) != 1 or len(members) > 2:
        paths = ", ".join(partition.path for partition in parts) or "none"
        raise NoState(f"One installed system is needed. Partitions of a state: {paths}.")
    if plain:
        with mounted(host, plain[0], folder):
            yield
        return
    targets.stop_mirrors(host)
    device = targets.assemble(host, layout.STATE, members)
    try:
        with mounted(host, device, folder):
            yield
    finally:
        host.commands.run(["mdadm", "--stop", device])


def use(folder: Path) -> None:
    """Make all of Sanstone use the state in a folder. Raises OtherRelease for an older layout."""
    os.environ["SANSTONE_STATE"] = str(folder)
    if former_place.database().exists():
        raise OtherRelease(
            "The installed system is of an older release than this medium, which keeps its "
            "database elsewhere. Nothing was changed. Take the medium of its own release."
        )
