"""`protocols/nvme/subsystems/{subsystem.uuid}/hosts`: the hosts that one subsystem admits."""

from __future__ import annotations

from typing import Any

from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import Reference, Resource
from sanstone.model.nvme import Subsystem, SubsystemHost
from sanstone.resources.nvme.subsystem import add_host, change_secrets, check_hosts, host_fields


class SubsystemHostResource(Resource[SubsystemHost]):
    """Hosts of a subsystem. Secrets can be changed while the host is connected."""

    path = "protocols/nvme/subsystems/{subsystem.uuid}/hosts"
    doc = "The hosts that one NVMe subsystem admits."
    model = SubsystemHost
    keys = ("subsystem.uuid", "nqn")
    order = ("subsystem_uuid", "nqn")
    searched = ("nqn",)
    methods = frozenset({"GET", "POST", "PATCH", "DELETE"})
    fields = (Reference("subsystem", Subsystem, "The subsystem."), *host_fields())

    def create(self, change: Change, values: dict[str, Any]) -> SubsystemHost:
        """Admit a host."""
        subsystem = values["subsystem"]
        check_hosts(change.session, [values], {host.nqn for host in subsystem.hosts})
        host = add_host(change, subsystem, values)
        change.session.expire(subsystem, ["hosts"])
        return host

    def update(self, change: Change, row: SubsystemHost, values: dict[str, Any]) -> None:
        """Change its secrets; those of DH-HMAC-CHAP change in all subsystems that admit it."""
        change_secrets(change.session, row, values)

    def delete(self, change: Change, row: SubsystemHost, options: dict[str, Any]) -> None:
        """Remove a host; its connections are closed."""
        change.delete(row)
