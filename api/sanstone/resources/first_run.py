"""`cluster/setup`: what of a new array is set up, and what comes next.

Nothing of it is stored: a step is done when its object exists. So it does not matter by which way a
step was done, and one that is undone is open again. The password is done once somebody has chosen
it: at the installation, by the credential of the first start, or since then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from sanstone.core.declaration.resource import Field, Items, Reader, Resource
from sanstone.core.declaration.types import Boolean, Choice, Text
from sanstone.model.aggregates import Aggregate, Disk
from sanstone.model.cluster import Cluster, NtpServer
from sanstone.model.network import FCP, FcInterface, Interface, IpInterface
from sanstone.model.nvme import Namespace, SubsystemHost, SubsystemMap
from sanstone.model.observations import FC_LOGINS, ISCSI_SESSIONS, NVME_CONTROLLERS, SRP_SESSIONS
from sanstone.model.san import IgroupInitiator, Lun, LunMap
from sanstone.model.security import Account
from sanstone.rules.san.services import SERVICE_TABLES
from sanstone.rules.storage.disks import is_spare
from sanstone.security import accounts

ADMINISTRATOR = "admin"
NAMES = (
    "password",
    "time",
    "management",
    "disks",
    "aggregate",
    "svm",
    "data_interfaces",
    "host_access",
    "storage",
    "host",
)


@dataclass(frozen=True)
class Step:
    """One step: see the resource's fields."""

    name: str
    done: bool
    message: str
    resource: str
    needed: bool = True


@dataclass(frozen=True)
class Setup:
    """The steps, in the order in which they are done."""

    steps: Sequence[Step]

    @property
    def complete(self) -> bool:
        """Return whether all steps are done that are needed."""
        return self.next is None

    @cached_property
    def next(self) -> str | None:
        """Return the name of the first step that is needed and open, or None."""
        return next((step.name for step in self.steps if step.needed and not step.done), None)


class SetupResource(Resource[Setup]):
    """How far the array is set up."""

    path = "cluster/setup"
    doc = (
        "How far the array is set up, from the first login to a host that uses it. A step is done "
        "when its object exists."
    )
    model = Cluster
    single = True
    keys = ()
    order = ()
    methods = frozenset({"GET"})
    fields = (
        Field("complete", Boolean(), "Whether all steps are done that are needed."),
        Field("next", Choice(*NAMES), "The first step that is needed and open; absent for none."),
        Items(
            "steps",
            (
                Field("name", Choice(*NAMES), "Subject of the step."),
                Field("done", Boolean(), "Whether its object exists."),
                Field("needed", Boolean(), "Whether hosts can do nothing without it."),
                Field("message", Text(), "What there is, or what the array lacks."),
                Field("resource", Text(), "Path of the resource where it is done."),
            ),
            "The steps, in the order in which they are done.",
        ),
    )

    def rows(self, reader: Reader) -> Sequence[Setup]:
        """Return the one object."""
        return [Setup(tuple(_steps(reader)))]


def _steps(reader: Reader) -> Iterator[Step]:
    session = reader.session
    yield _password(session)
    servers = _count(session, NtpServer)
    yield Step(
        "time",
        servers > 0,
        _counted(servers, "time server", "No time server is set; those that DHCP names are used."),
        NtpServer.kind,
        needed=False,
    )
    lifs = [lif for lif in session.scalars(select(IpInterface)) if lif.enabled]
    ports = session.scalars(select(FcInterface).filter_by(enabled=True)).all()
    management = sum(lif.svm_uuid is None for lif in lifs)
    yield Step(
        "management",
        management > 0,
        _counted(management, "management interface", "The array has the address of DHCP alone."),
        IpInterface.kind,
        needed=False,
    )
    yield from _storage_below(reader)
    yield from _serving(session, [*lifs, *ports])
    yield from _for_hosts(reader)


def _password(session: Session) -> Step:
    account = session.scalar(select(Account).filter_by(owner_uuid="", name=ADMINISTRATOR))
    text, done = f"The password of {ADMINISTRATOR} is set.", True
    if account is not None and account.generated:
        text, done = (
            f"The password of {ADMINISTRATOR} is still the one that the console showed.",
            False,
        )
    elif account is not None and accounts.expired(account):
        text, done = f"The password of {ADMINISTRATOR} must be changed.", False
    return Step("password", done, text, "security/accounts")


def _storage_below(reader: Reader) -> Iterator[Step]:
    """Yield the steps of disks and aggregates."""
    disks = reader.session.scalars(select(Disk)).all()
    used = sum(disk.member is not None for disk in disks)
    spares = sum(is_spare(disk, reader) for disk in disks)
    text = f"{spares} spare, {used} in aggregates." if disks else "The array has no disk for data."
    if disks and not spares + used:
        text = "No disk is empty; one with data is used only after it was erased."
    yield Step("disks", spares + used > 0, text, Disk.kind)
    aggregates = _count(reader.session, Aggregate)
    text = _counted(aggregates, "aggregate", "No aggregate: disks give space as part of one.")
    yield Step("aggregate", aggregates > 0, text, Aggregate.kind)


def _serving(session: Session, interfaces: Sequence[Interface]) -> Iterator[Step]:
    """Yield the steps of SVMs and their interfaces."""
    enabled = (select(model.svm_uuid).filter_by(enabled=True) for model in SERVICE_TABLES.values())
    serving = {uuid for query in enabled for uuid in session.scalars(query)}
    text = _counted(
        len(serving), "SVM serves hosts", "No SVM serves a protocol.", "SVMs serve hosts"
    )
    yield Step("svm", bool(serving), text, "svm/svms")
    data = sum(each.svm_uuid in serving for each in interfaces)
    text = _counted(
        data, "data interface", "Hosts reach no SVM: none that serves has an interface."
    )
    yield Step("data_interfaces", data > 0, text, IpInterface.kind)


def _for_hosts(reader: Reader) -> Iterator[Step]:
    """Yield the steps of access, of the first LUN or namespace, and of a host that uses it."""
    session = reader.session
    hosts = _count(session, IgroupInitiator) + _count(session, SubsystemHost)
    text = _counted(hosts, "host name has access", "No host has access.", "host names have access")
    yield Step("host_access", hosts > 0, text, "protocols/san/igroups")
    devices = _count(session, Lun) + _count(session, Namespace)
    mapped = _count(session, LunMap) + _count(session, SubsystemMap)
    text = _counted(mapped, "map to hosts", "Nothing is mapped to a host.", "maps to hosts")
    yield Step("storage", mapped > 0 and devices > 0, text, "storage/luns")
    connected = len(reader.observed(ISCSI_SESSIONS))
    connected += len(reader.observed(NVME_CONTROLLERS))
    connected += len(reader.observed(SRP_SESSIONS))
    connected += sum(row.data["protocol"] == FCP for row in reader.observed(FC_LOGINS).values())
    text = _counted(
        connected, "connection of a host", "No host is connected.", "connections of hosts"
    )
    yield Step("host", connected > 0, text, ISCSI_SESSIONS, needed=False)


def _count(session: Session, model: type[object]) -> int:
    return session.scalar(select(func.count()).select_from(model)) or 0


def _counted(count: int, noun: str, nothing: str, several: str = "") -> str:
    """Return how many there are, as a sentence, or the meaning of none."""
    return f"{count} {noun if count == 1 else several or f'{noun}s'}." if count else nothing
