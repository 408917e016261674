"""`protocols/nvme/subsystems`: NVMe subsystems and the hosts that may connect.

Names: the NQN is derived from the SVM's UUID and the subsystem's name and never changes, so neither
does the name. Subsystems and igroups of an SVM share one namespace, as in ONTAP.

Secrets: nvmet keeps a host's DH-HMAC-CHAP keys with the host, not with each subsystem that admits
it (`hosts/<nqn>/dhchap_key`, drivers/nvme/target/configfs.c). One host therefore has the same
secrets in every subsystem of the array; `check_hosts` refuses contradictions. TLS keys are a
subsystem's own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors, names
from sanstone.core.database.change import Change
from sanstone.core.declaration.host_types import DhHmacChapKey, Nqn, TlsPsk
from sanstone.core.declaration.resource import CREATE, WRITE, Field, Getter, Items
from sanstone.core.declaration.types import Boolean, Choice, Integer, Text, Uuid
from sanstone.model.nvme import Keys, NvmeService, Subsystem, SubsystemHost
from sanstone.model.san import Igroup
from sanstone.resources.cluster.svm import svm_reference
from sanstone.resources.san.host_group import DELETE_ON_UNMAP, HostGroupResource, name_type
from sanstone.resources.without_effect import fixed

EXISTS, BAD_NAME, IGROUP_NAME, NO_SERVICE = "72090025", "72089709", "72090043", "72090029"
HAS_MAPS, HAS_HOSTS = "72090023", "72090024"
HOST_THERE, HOST_TWICE, NO_NQN, BAD_SECRET = "72089705", "72090036", "72090003", "72089716"
HASHES = ("sha_256", "sha_512")
GROUPS = ("none", "2048_bit", "3072_bit", "4096_bit", "6144_bit", "8192_bit")


def nqn_code(raw: Any) -> str:
    """Return ONTAP's code for an invalid part of an NQN: prefix, date or the rest."""
    text = raw if isinstance(raw, str) else ""
    if not text.startswith("nqn."):
        return "72089772"
    return "72089771" if re.match(r"nqn\.\d{4}-(?:0[1-9]|1[0-2])\.", text) else "72089773"


def _when_secret(attribute: str) -> Getter:
    return lambda row, _: getattr(row, attribute) if row.host_secret else None


def queue_fields(name: str) -> tuple[Field, Field]:
    """Return the fields of I/O queues, which each host negotiates with the kernel."""
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
            access=WRITE,
            get=_when_secret("hash_function"),
        ),
        Field(
            f"{chap}.group_size",
            Choice(*GROUPS),
            "Diffie-Hellman group of the exchange; 2048_bit when not given.",
            access=WRITE,
            get=_when_secret("group_size"),
        ),
        *(
            Field(
                f"{chap}.{who}_secret_key",
                DhHmacChapKey(),
                f"Secret with which the {who} proves its identity; taken, never shown.",
                access=WRITE,
                secret=True,
                code=BAD_SECRET,
            )
            for who in ("host", "controller")
        ),
        Field(
            "tls.key_type",
            Choice("none", "configured"),
            "Whether the host needs TLS 1.3: none lets it in without, configured by its key alone.",
            access=WRITE,
            attribute="tls_key_type",
        ),
        Field(
            "tls.configured_psk",
            TlsPsk(),
            "Key of host and array for TLS, as nvme gen-tls-key makes it; taken, never shown.",
            access=WRITE,
            secret=True,
        ),
    )


def check_hosts(session: Session, items: Sequence[dict[str, Any]], present: set[str]) -> None:
    """Raise ApiError when hosts cannot be added to a subsystem with the hosts `present`."""
    seen: set[str] = set()
    for item in items:
        nqn = item["nqn"]
        if nqn in seen:
            raise errors.invalid(f'Host "{nqn}" is given twice.', "nqn", HOST_TWICE)
        if nqn in present:
            text = f'Host "{nqn}" already exists in the subsystem.'
            raise errors.conflict(text, "nqn", HOST_THERE)
        seen.add(nqn)
        tls_psk(item)
        keys = _keys(item, _NO_KEYS)
        for existing in session.scalars(select(SubsystemHost).filter_by(nqn=nqn)):
            if existing.keys != keys:
                text = (
                    f'Host "{nqn}" has other DH-HMAC-CHAP secrets in subsystem '
                    f'"{existing.subsystem.name}"; a host has the same ones everywhere.'
                )
                raise errors.conflict(text, "dh_hmac_chap", BAD_SECRET)


_NO_KEYS = Keys("", "", "sha_256", "none")


def _keys(item: dict[str, Any], before: Keys) -> Keys:
    """Return a host's secrets after a request, in which those may stay that are not given.

    Raises ApiError.
    """
    chap = {path.rpartition(".")[2]: v for path, v in item.items() if path.startswith("dh_hmac")}
    if not chap:
        return before
    host_secret = chap.get("host_secret_key", before.host_secret)
    if not host_secret:
        text = "DH-HMAC-CHAP needs dh_hmac_chap.host_secret_key."
        raise errors.invalid(text, "dh_hmac_chap.host_secret_key", BAD_SECRET)
    return Keys(
        host_secret,
        chap.get("controller_secret_key", before.controller_secret),
        chap.get("hash_function", before.hash_function),
        chap.get("group_size", before.group_size if before.host_secret else "2048_bit"),
    )


def tls_psk(item: dict[str, Any], before: str = "") -> str:
    """Return a host's TLS key after a request, "" for none. Raises ApiError."""
    key = item.get("tls.configured_psk", "")
    kind = item.get("tls.key_type", "configured" if key or before else "none")
    if kind == "none":
        if key:
            text = "A TLS key is for tls.key_type configured."
            raise errors.invalid(text, "tls.configured_psk")
        return ""
    if not (key or before):
        raise errors.invalid("TLS needs tls.configured_psk.", "tls.configured_psk")
    return str(key or before)


def change_secrets(session: Session, host: SubsystemHost, item: dict[str, Any]) -> None:
    """Change a host's secrets: those of DH-HMAC-CHAP in each of its subsystems. Raises ApiError.

    Its connections stay: they go on as they were authenticated.
    """
    key, keys = tls_psk(item, host.tls_psk or ""), _keys(item, host.keys)
    host.tls_psk = key or None
    if keys != host.keys:
        for each in session.scalars(select(SubsystemHost).filter_by(nqn=host.nqn)):
            each.host_secret, each.controller_secret = keys.host_secret, keys.controller_secret
            each.hash_function, each.group_size = keys.hash_function, keys.group_size


def add_host(change: Change, subsystem: Subsystem, item: dict[str, Any]) -> SubsystemHost:
    """Add a host that `check_hosts` has accepted."""
    host = SubsystemHost(
        subsystem_uuid=subsystem.uuid,
        nqn=item["nqn"],
        priority=item["priority"],
        tls_psk=tls_psk(item) or None,
        **_keys(item, _NO_KEYS)._asdict(),
    )
    change.add(host)
    return host


def _switch(name: str, doc: str) -> Field:
    return Field(name, Boolean(), doc, default=False)


class SubsystemResource(HostGroupResource[Subsystem]):
    """NVMe subsystems."""

    path = "protocols/nvme/subsystems"
    doc = "NVMe subsystems show namespaces to the hosts they admit."
    model = Subsystem
    names_taken = {Igroup: IGROUP_NAME, Subsystem: EXISTS}
    searched = ("name", "target_nqn", "serial_number", "comment")
    options = (
        _switch("allow_delete_while_mapped", "Whether it may be deleted with namespaces mapped."),
        _switch("allow_delete_with_hosts", "Whether it may be deleted with hosts."),
    )
    fields = (
        Field("uuid", Uuid(), "Identity of the subsystem."),
        Field(
            "name",
            name_type(64),
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
        DELETE_ON_UNMAP,
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
        self.check_name(session, svm.uuid, name)
        hosts = values.get("hosts", [])
        check_hosts(session, hosts, set())
        subsystem = self.row(values, target_nqn=names.subsystem_nqn(svm.uuid, name))
        change.add(subsystem)
        for item in hosts:
            add_host(change, subsystem, item)
        return subsystem

    def delete(self, change: Change, row: Subsystem, options: dict[str, Any]) -> None:
        """Delete a subsystem and, if allowed, its maps and hosts."""
        if row.maps and not options["allow_delete_while_mapped"]:
            text = f'Namespaces are mapped to subsystem "{row.name}".'
            change.refuse(errors.conflict(text, code=HAS_MAPS))
        if row.hosts and not options["allow_delete_with_hosts"]:
            text = f'Subsystem "{row.name}" has hosts.'
            change.refuse(errors.conflict(text, code=HAS_HOSTS))
        row.dissolve(change)
