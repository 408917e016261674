"""`cluster/ntp/servers`: servers that the array gets its time from.

While there is one, servers from DHCP are not used. Their answers are not authenticated: keys and a
protocol version cannot be set. chrony looks their names up by itself, and asks whatever these lead
to: what goes there are NTP's packets alone.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import CREATE, Field, Resource
from sanstone.core.declaration.types import Choice, Integer, Never
from sanstone.model.cluster import NtpServer
from sanstone.resources.without_effect import fixed, off
from sanstone.rules.cluster.settings import NTP_SERVERS


class NtpServerResource(Resource[NtpServer]):
    """Time servers."""

    path = NtpServer.kind
    doc = "NTP servers tell the array the time, instead of those that DHCP names."
    model = NtpServer
    keys = ("server",)
    order = ("server", "uuid")
    asynchronous = True
    fields = (
        Field(
            "server", NTP_SERVERS.entry, "Host name or IP address.", access=CREATE, required=True
        ),
        off("version", Choice("auto"), "Version of NTP: what both sides speak.", "auto"),
        off("authentication_enabled", Never(), "Whether it proves by a key who it is."),
        fixed("key.id", Integer(1, 65535), "Number of that key; never shown: there is none."),
    )

    def create(self, change: Change, values: dict[str, Any]) -> NtpServer:
        """Add a server."""
        session, server = change.session, values["server"]
        if session.scalar(select(NtpServer.uuid).filter_by(server=server)):
            text = f'NTP server "{server}" already exists.'
            raise errors.conflict(text, "server", errors.EXISTS)
        if session.scalar(select(func.count()).select_from(NtpServer)) == NTP_SERVERS.maximum:
            text = f"The array asks {NTP_SERVERS.maximum} NTP servers already, which is the most."
            raise errors.conflict(text, "server")
        row = NtpServer(server=server)
        change.add(row)
        return row

    def update(self, change: Change, row: NtpServer, values: dict[str, Any]) -> None:
        """Do nothing: the types of the fields refuse every other value."""

    def delete(self, change: Change, row: NtpServer, options: dict[str, Any]) -> None:
        """Delete a server."""
        change.delete(row)
