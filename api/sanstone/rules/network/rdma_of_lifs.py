"""Rules of RDMA at LIFs: the services over it in their policy, and the other LIFs at their port."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.model.network import IpInterface
from sanstone.protocols import IWARP, ROCE, offered
from sanstone.rules.network.ports import base, ports
from sanstone.rules.network.service_policies import services

CALLED = {ROCE: "RoCE", IWARP: "iWARP"}


class LifSettings(NamedTuple):
    """A LIF's settings: the name and services of its policy, RDMA ('' for none), port."""

    policy: str
    services: Sequence[str]
    rdma: str
    port: str


def check(
    session: Session,
    settings: LifSettings,
    own_uuid: str = "",
    target: str = "rdma_protocols",
    port_target: str = "location.home_port.name",
    services_of: Callable[[IpInterface], Sequence[str]] = services,
) -> None:
    """Raise ApiError where a LIF cannot have the wanted settings.

    `target` is the field of the request that is refused, `port_target` the one where another LIF at
    the port is the reason; `services_of` tells what another LIF is to offer.
    """
    rdma = settings.rdma
    if rdma and not any(each.rdma for each in offered(settings.services, rdma)):
        text = f'Service policy "{settings.policy}" offers nothing over {CALLED[rdma]}.'
        raise errors.conflict(text, target)
    if not rdma and offered(settings.services, ROCE) and not offered(settings.services, rdma=""):
        text = f'Service policy "{settings.policy}" offers nothing but over RDMA.'
        raise errors.conflict(text, target)
    if not rdma:
        return
    ports_by_name = ports(session)
    place = base(ports_by_name, settings.port)
    query = select(IpInterface).where(IpInterface.uuid != own_uuid, IpInterface.rdma != "")
    for other in session.scalars(query):
        if base(ports_by_name, other.port) == place:
            if other.rdma != rdma:
                text = f'Interface "{other.name}" serves RDMA by {CALLED[other.rdma]} at this port.'
                raise errors.conflict(text, target)
            if _is_alone(settings.services, rdma) and _is_alone(services_of(other), rdma):
                text = f'Interface "{other.name}" serves SRP at this port, which one can do alone.'
                raise errors.conflict(text, port_target)


def _is_alone(of_policy: Sequence[str], rdma: str) -> bool:
    """Return whether services are among what an RDMA port serves one SVM by."""
    return any(each.addressing == "gid" for each in offered(of_policy, rdma))
