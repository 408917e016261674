"""`protocols/nvme/subsystems`: what NVMe hosts connect to, and which hosts may.

Names: the NQN is made of the SVM's UUID and the subsystem's name and never changes, so neither
does the name. Subsystems and igroups of an SVM share one space of names, as in ONTAP.

Secrets: nvmet keeps a host's DH-HMAC-CHAP keys with the host, not with each subsystem that admits
it (`hosts/<nqn>/dhchap_key`, drivers/nvme/target/configfs.c). One host therefore has the same
secrets in every subsystem of the array; `check_hosts` refuses what would contradict.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import ForeignKey, UniqueConstraint, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from sanstone.core import errors, names
from sanstone.core.change import Change, Owned
from sanstone.core.resource import CREATE, WRITE, Field, Getter, Items, Resource, constant
from sanstone.core.store import Base, Identified, Secret
from sanstone.core.types import Boolean, Choice, DhHmacChapKey, Integer, Nqn, Text, Uuid
from sanstone.resources.cluster.svm import Svm, svm_reference
from sanstone.resources.nvme.nvme_service import NvmeService
from sanstone.resources.san.igroup import holder_of_name
from sanstone.resources.without_effect import fixed

if TYPE_CHECKING:
    from sanstone.resources.nvme.subsystem_map import SubsystemMap

EXISTS, BAD_NAME, IGROUP_NAME, NO_SERVICE = "72090025", "72089709", "72090043", "72090029"
HAS_MAPS, HAS_HOSTS = "72090023", "72090024"
HOST_THERE, HOST_TWICE, NO_NQN, BAD_SECRET = "72089705", "72090036", "72090003", "72089716"
HASHES = ("sha_256", "sha_512")
GROUPS = ("none", "2048_bit", "3072_bit", "4096_bit", "6144_bit", "8192_bit")


class Subsystem(Owned, Identified, Base):
    """An NVMe subsystem; `serial_number` has 20 characters, `target_nqn` never changes.

    With `delete_on_unmap` it goes with its last map.
    """

    __tablename__ = "subsystem"
    __table_args__ = (UniqueConstraint("svm_uuid", "name"),)
    kind = "protocols/nvme/subsystems"

    name: Mapped[str]
    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"))
    os_type: Mapped[str]
    comment: Mapped[str] = mapped_column(default="")
    serial_number: Mapped[str] = mapped_column(unique=True, default=names.subsystem_serial)
    target_nqn: Mapped[str] = mapped_column(unique=True)
    delete_on_unmap: Mapped[bool] = mapped_column(default=False)
    svm: Mapped[Svm] = relationship()
    hosts: Mapped[list[SubsystemHost]] = relationship(
        back_populates="subsystem", order_by="SubsystemHost.nqn"
    )
    maps: Mapped[list[SubsystemMap]] = relationship(
        back_populates="subsystem", order_by="SubsystemMap.nsid"
    )

    def dissolve(self, change: Change) -> None:
        """Delete the subsystem with its maps and hosts."""
        change.session.expire(self, ["maps", "hosts"])
        for part in (*self.maps, *self.hosts):
            change.delete(part)
        change.session.expire(self, ["maps", "hosts"])
        change.delete(self)


class SubsystemHost(Owned, Base):
    """A host allowed to connect, with its DH-HMAC-CHAP secrets ('' for none).

    `priority` is kept for clients; nvmet gives every host as many queues as it asks for.
    """

    __tablename__ = "subsystem_host"
    kind = "protocols/nvme/subsystems"

    subsystem_uuid: Mapped[str] = mapped_column(ForeignKey("subsystem.uuid"), primary_key=True)
    nqn: Mapped[str] = mapped_column(primary_key=True)
    host_secret: Mapped[str | None] = mapped_column(Secret)
    controller_secret: Mapped[str | None] = mapped_column(Secret)
    hash_function: Mapped[str] = mapped_column(default="sha_256")
    group_size: Mapped[str] = mapped_column(default="none")
    priority: Mapped[str] = mapped_column(default="regular")
    subsystem: Mapped[Subsystem] = relationship(back_populates="hosts")

    @property
    def key(self) -> str:
        """Return the subsystem's key: plan steps name the subsystem as the owner of its hosts."""
        return self.subsystem_uuid

    @property
    def keys(self) -> Keys:
        """Return the host's secrets and how they are used."""
        return Keys(
            self.host_secret or "",
            self.controller_secret or "",
            self.hash_function,
            self.group_size,
        )

    @property
    def mode(self) -> str:
        """Return who proves its identity: nobody, the host, or both."""
        if not self.host_secret:
            return "none"
        return "bidirectional" if self.controller_secret else "unidirectional"


class Keys(NamedTuple):
    """DH-HMAC-CHAP of a host: columns of `SubsystemHost`."""

    host_secret: str
    controller_secret: str
    hash_function: str
    group_size: str


def nqn_code(raw: Any) -> str:
    """Return ONTAP's code for what is wrong with an NQN: prefix, date or the rest."""
    text = raw if isinstance(raw, str) else ""
    if not text.startswith("nqn."):
        return "72089772"
    return "72089771" if re.match(r"nqn\.\d{4}-(?:0[1-9]|1[0-2])\.", text) else "72089773"


def _when_secret(attribute: str) -> Getter:
    return lambda row, _: getattr(row, attribute) if row.host_secret else None


def queue_fields(name: str) -> tuple[Field, Field]:
    """Return the fields of I/O queues, which each host agrees on with the kernel by itself."""
    return (
        fixed(f"{name}.count", Integer(), "Absent: the kernel does not tell how many queues."),
        fixed(f"{name}.depth", Integer(), "Absent: nor how many commands one takes."),
    )


def host_fields() -> tuple[Field, ...]:
    """Return the fields of a host, in its subsystem's list and in its own collection."""
    chap = "dh_hmac_chap"
    return (
        Field(
            "nqn",
            Nqn(),
            "NQN of the host.",
            access=CREATE,
            required=True,
            code=nqn_code,
            missing_code=NO_NQN,
        ),
        *queue_fields("io_queue"),
        Field(
            "priority",
            Choice("regular", "high"),
            "Priority of the host; kept, without effect.",
            access=CREATE,
            default="regular",
        ),
        Field(
            f"{chap}.mode",
            Choice("none", "unidirectional", "bidirectional"),
            "Who proves its identity: nobody, the host, or both.",
            attribute="mode",
        ),
        Field(
            f"{chap}.hash_function",
            Choice(*HASHES),
            "Hash of the exchange; sha_256 when not given.",
            access=CREATE,
            get=_when_secret("hash_function"),
        ),
        Field(
            f"{chap}.group_size",
            Choice(*GROUPS),
            "Diffie-Hellman group of the exchange; 2048_bit when not given.",
            access=CREATE,
            get=_when_secret("group_size"),
        ),
        *(
            Field(
                f"{chap}.{who}_secret_key",
                DhHmacChapKey(),
                f"Secret with which the {who} proves its identity; taken, never shown.",
                access=CREATE,
                secret=True,
                code=BAD_SECRET,
            )
            for who in ("host", "controller")
        ),
        Field("tls.key_type", Choice("none"), "TLS is not offered yet.", get=constant("none")),
    )


def check_hosts(session: Session, given: Sequence[dict[str, Any]], present: set[str]) -> None:
    """Raise ApiError when hosts cannot be added to a subsystem that has those `present`."""
    seen: set[str] = set()
    for item in given:
        nqn = item["nqn"]
        if nqn in seen:
            raise errors.invalid(f'Host "{nqn}" is given twice.', "nqn", HOST_TWICE)
        if nqn in present:
            text = f'Host "{nqn}" is in the subsystem already.'
            raise errors.conflict(text, "nqn", HOST_THERE)
        seen.add(nqn)
        keys = _keys(item)
        for other in session.scalars(select(SubsystemHost).filter_by(nqn=nqn)):
            if other.keys != keys:
                text = (
                    f'Host "{nqn}" has other DH-HMAC-CHAP secrets in subsystem '
                    f'"{other.subsystem.name}"; a host has the same ones everywhere.'
                )
                raise errors.conflict(text, "dh_hmac_chap", BAD_SECRET)


def _keys(item: dict[str, Any]) -> Keys:
    """Return what a request says of a host's secrets. Raises ApiError."""
    chap = {path.rpartition(".")[2]: v for path, v in item.items() if path.startswith("dh_hmac")}
    if not chap:
        return Keys("", "", "sha_256", "none")
    if "host_secret_key" not in chap:
        text = "DH-HMAC-CHAP needs dh_hmac_chap.host_secret_key."
        raise errors.invalid(text, "dh_hmac_chap.host_secret_key", BAD_SECRET)
    return Keys(
        chap["host_secret_key"],
        chap.get("controller_secret_key", ""),
        chap.get("hash_function", "sha_256"),
        chap.get("group_size", "2048_bit"),
    )


def add_host(change: Change, subsystem: Subsystem, item: dict[str, Any]) -> SubsystemHost:
    """Add a host that `check_hosts` found fit."""
    host = SubsystemHost(
        subsystem_uuid=subsystem.uuid,
        nqn=item["nqn"],
        priority=item["priority"],
        **_keys(item)._asdict(),
    )
    change.add(host)
    return host


def _switch(name: str, doc: str) -> Field:
    return Field(name, Boolean(), doc, default=False)


class SubsystemResource(Resource[Subsystem]):
    """NVMe subsystems."""

    path = "protocols/nvme/subsystems"
    doc = "NVMe subsystems show namespaces to the hosts they admit."
    model = Subsystem
    options = (
        _switch("allow_delete_while_mapped", "Whether it may be deleted with namespaces mapped."),
        _switch("allow_delete_with_hosts", "Whether it may be deleted with hosts."),
    )
    fields = (
        Field("uuid", Uuid(), "Identity of the subsystem."),
        Field(
            "name",
            Text(64, 1, r"[A-Za-z0-9_.:-]+", "letters, digits, _ . : -"),
            "Name within the SVM; part of the NQN.",
            access=CREATE,
            required=True,
            code=BAD_NAME,
        ),
        svm_reference(),
        *queue_fields("io_queue.default"),
        Field(
            "os_type",
            Choice("aix", "hyper_v", "linux", "vmware", "windows", "xen"),
            "System of the hosts.",
            access=CREATE,
            required=True,
        ),
        Field("comment", Text(255), "Comment.", access=WRITE, default=""),
        Field(
            "delete_on_unmap",
            Boolean(),
            "Whether it is deleted with its last map.",
            access=WRITE,
            default=False,
        ),
        Field("target_nqn", Text(223, 1), "NQN that hosts connect to."),
        Field("serial_number", Text(20, 20), "Serial number that hosts see."),
        Items("hosts", host_fields(), "Hosts it admits.", access=CREATE, bare="nqn", costly=True),
        Items(
            "subsystem_maps",
            (
                Field("nsid", Text(9, 9), "Namespace id.", attribute="shown_nsid"),
                Field("anagrpid", Text(9, 9), "ANA group.", attribute="shown_ana_group"),
                Field("namespace.name", Text(), "Path.", get=lambda row, _: row.namespace.name),
                Field("namespace.uuid", Uuid(), "Identity of the namespace."),
            ),
            "Namespaces it shows.",
            attribute="maps",
            costly=True,
        ),
    )

    def create(self, change: Change, values: dict[str, Any]) -> Subsystem:
        """Add a subsystem and its first hosts."""
        svm, name, session = values["svm"], values["name"], change.session
        if not session.get(NvmeService, svm.uuid):
            text = f'SVM "{svm.name}" has no NVMe service.'
            raise errors.invalid(text, "svm", NO_SERVICE)
        holder = holder_of_name(session, svm.uuid, name)
        if holder:
            code = EXISTS if holder == "subsystem" else IGROUP_NAME
            raise errors.conflict(f'The SVM has {holder} "{name}" already.', "name", code)
        given = values.get("hosts", [])
        check_hosts(session, given, set())
        subsystem = Subsystem(
            name=name,
            svm_uuid=svm.uuid,
            os_type=values["os_type"],
            comment=values["comment"],
            delete_on_unmap=values["delete_on_unmap"],
            target_nqn=names.subsystem_nqn(svm.uuid, name),
        )
        change.add(subsystem)
        for item in given:
            add_host(change, subsystem, item)
        return subsystem

    def update(self, change: Change, row: Subsystem, values: dict[str, Any]) -> None:
        """Change the comment, and whether it goes with its last map."""
        row.comment = values.get("comment", row.comment)
        row.delete_on_unmap = values.get("delete_on_unmap", row.delete_on_unmap)

    def delete(self, change: Change, row: Subsystem, options: dict[str, Any]) -> None:
        """Delete a subsystem and, where allowed, its maps and hosts."""
        if row.maps and not options["allow_delete_while_mapped"]:
            text = f'Namespaces are mapped to subsystem "{row.name}".'
            raise errors.conflict(text, code=HAS_MAPS)
        if row.hosts and not options["allow_delete_with_hosts"]:
            text = f'Subsystem "{row.name}" has hosts.'
            raise errors.conflict(text, code=HAS_HOSTS)
        row.dissolve(change)
