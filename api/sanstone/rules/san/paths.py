"""Paths of hosts over all transports, as they are now.

Which paths there are is in `configured_paths`; whether hosts are logged in by them,
and since when, the reconciler observes (`reconcile/stages/paths.py`). Its observation of a path
ends with the path: one that the configuration took away is gone, not lost.
"""

from __future__ import annotations

from dataclasses import dataclass

from sanstone.core.declaration.resource import Reader
from sanstone.model.network import IpInterface
from sanstone.model.observations import PATHS
from sanstone.rules.san.configured_paths import ConfiguredPath, configured_paths

MTU = "mtu"
"""A key of a path's observation: `MTU_OF_PORT` and `PASSES`, both in bytes."""
MTU_OF_PORT, PASSES = "port", "passes"
CONNECTED, LOST, LIF_DOWN, NOT_SERVED, NEVER = STATES = (
    "connected",
    "lost",
    "lif_down",
    "not_served",
    "never",
)


@dataclass(frozen=True)
class Path:
    """A path as it is now; `since` is when it came into its state, None where that is not known.

    `was_seen` is whether the host was ever logged in by it.
    """

    configured: ConfiguredPath
    uuid: str
    svm_name: str
    initiator: str
    interface_name: str
    state: str
    since: float | None
    was_seen: bool
    alias: str
    addresses: tuple[str, ...]
    is_up: bool
    mtu: int | None
    """Bytes of the largest packet that was seen to pass; None where that is not known."""
    mtu_of_port: int | None
    """MTU of the LIF's port when that was looked at."""

    @property
    def host_name(self) -> str:
        """Return the host's name: the administrator's, its own, or its IQN or NQN."""
        return self.configured.comment or self.alias or self.initiator

    @property
    def is_broken(self) -> bool:
        """Return whether the host had the path, or would have it, and has it no more."""
        return self.was_seen and self.state != CONNECTED

    @property
    def is_narrow(self) -> bool:
        """Return whether packets of the MTU of the LIF's port do not pass."""
        return self.mtu is not None and self.mtu < (self.mtu_of_port or 0)

    @property
    def message(self) -> str:
        """Return the meaning of the state."""
        interface = self.configured.interface
        is_lif = isinstance(interface, IpInterface)
        lif = f'{"LIF" if is_lif else "interface"} "{self.interface_name}"'
        if self.state == CONNECTED:
            text = f"The host is logged in at {lif}."
            if self.is_narrow:
                text += (
                    f" Packets of {self.mtu_of_port} bytes, the MTU of its port, do not pass: those"
                    f" of {self.mtu} do."
                )
            return text
        if self.state == NOT_SERVED:
            return self.configured.obstacle
        if self.state == LIF_DOWN:
            why = f"port {interface.port} has no link" if interface.enabled else "switched off"
            return f"{lif} is down: {why}."
        if self.state == LOST:
            return (
                f"The host was logged in at {lif} and is not any more: look at it and the network."
            )
        return f"The host may log in at {lif} and has not been seen there."


def paths(reader: Reader) -> list[Path]:
    """Return all paths, sorted by SVM, initiator and LIF."""
    return [_path(each, reader) for each in reader.once(configured_paths)]


def _path(configured: ConfiguredPath, reader: Reader) -> Path:
    uuid = configured.uuid
    seen = reader.seen(PATHS, f"{configured.svm.uuid}/{uuid}")
    interface = configured.interface
    is_up = reader.seen(interface.kind, interface.uuid).get("state") == "up"
    was_seen = bool(seen)
    if configured.obstacle:
        state = NOT_SERVED
    elif not is_up:
        state = LIF_DOWN
    else:
        state = CONNECTED if seen.get("connected") else LOST if was_seen else NEVER
    # When a LIF went down is known once its hosts are seen to be away.
    is_current = was_seen and bool(seen.get("connected")) == (state == CONNECTED)
    mtu = seen.get(MTU, {}) if state == CONNECTED else {}
    return Path(
        configured=configured,
        uuid=uuid,
        svm_name=configured.svm.name,
        initiator=configured.initiator,
        interface_name=configured.interface.name,
        state=state,
        since=seen.get("since") if is_current else None,
        was_seen=was_seen,
        alias=str(seen.get("alias", "")),
        addresses=tuple(seen.get("addresses", ())),
        is_up=is_up,
        mtu=mtu.get(PASSES),
        mtu_of_port=mtu.get(MTU_OF_PORT),
    )
