"""Requests at random; most of them make sense.

Names come from small sets, and references mostly from present objects, so that requests meet: one
creates an object, another changes, maps or deletes it. Refusals are as welcome as success.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from scenarios import GIB, HOST_IQN, HOST_NQN, KEY, MIB
from simulator import Simulator

IQNS = (HOST_IQN, f"{HOST_IQN}-2", "eui.0123456789abcdef")
NQNS = (HOST_NQN, f"{HOST_NQN}-2")
LAGS = ("a0a", "a0b")
PORTS = {"e0a": "10.10.1", "e0b": "10.10.2", "e0c": "10.10.3", "a0a": "10.10.4", "a0a-7": "10.10.5"}
RAID = "block_storage.primary"
FORCED = "allow_delete_while_mapped=true"
Body = dict[str, Any]


class Request(NamedTuple):
    """A request; `path` is without /api/."""

    method: str
    path: str
    body: Body | None = None


class Requests:
    """Draws requests for an array."""

    def __init__(self, random: Random, array: Simulator) -> None:
        self._random, self._array = random, array

    def foundation(self) -> list[Request]:
        """Return requests that give the others something to work on."""
        of_svm1 = {"svm.name": "svm1"}
        return [
            Request("POST", "storage/aggregates", self._aggregate() | {"name": "aggr1"}),
            Request("POST", "svm/svms", {"name": "svm1", "iscsi.enabled": True}),
            Request("POST", "protocols/nvme/services", of_svm1),
            Request("POST", "storage/volumes", self._volume() | of_svm1 | {"name": "vol1"}),
            Request("POST", "network/ip/interfaces", self._lif("e0a") | of_svm1),
            Request("POST", "protocols/san/igroups", self._igroup() | of_svm1),
            Request("POST", "protocols/nvme/subsystems", self._subsystem() | of_svm1),
            Request("POST", "storage/luns", self._lun() | of_svm1 | {"name": "/vol/vol1/lun1"}),
        ]

    def draw(self) -> Request:
        """Return a request."""
        kind = self._random.choices(("POST", "PATCH", "DELETE"), (6, 3, 2))[0]
        request = {"POST": self._creation, "PATCH": self._change, "DELETE": self._deletion}[kind]()
        return request or self._creation()

    def _creation(self) -> Request:
        path, body = self._random.choice(CREATIONS)
        parent, _, rest = path.partition("/*/")
        if rest and (above := self._place(parent)):
            path = f"{above}/{rest}"
        return Request("POST", path, body(self))

    def _change(self) -> Request | None:
        path, body = self._random.choice(CHANGES)
        place = self._place(path)
        return Request("PATCH", place, body(self)) if place else None

    def _deletion(self) -> Request | None:
        path, query = self._random.choice(DELETIONS)
        place = self._place(path)
        return Request("DELETE", f"{place}?{query}" if query else place) if place else None

    def _place(self, path: str) -> str:
        """Return the path of an object of a kind, '' if there is none."""
        parent, _, rest = path.partition("/*/")
        if rest:
            above = self._place(parent)
            return self._place(f"{above}/{rest}") if above else ""
        records = self._array.get(path)["records"]
        links = [record["_links"]["self"]["href"].removeprefix("/api/") for record in records]
        return self._random.choice(links) if links else ""

    def _name_of(self, path: str, field: str = "name") -> str:
        """Return the name of an object of a kind, of one that is not there if there is none."""
        records = self._array.get(f"{path}?fields={field}")["records"]
        names = [record[field] for record in records]
        return self._random.choice(names) if names else "nothing"

    def _svm(self) -> str:
        return self._name_of("svm/svms")

    def _name(self, stem: str, most: int = 3) -> str:
        return f"{stem}{self._random.randint(1, most)}"

    def _aggregate(self) -> Body:
        raid = self._random.choice(("raid1", "raid1", "raid10", "raid5"))
        body: Body = {"name": self._name("aggr"), f"{RAID}.raid_type": raid}
        count = {"raid1": 2, "raid10": 2, "raid5": 3}[raid]
        return body | {f"{RAID}.disk_count": count, f"{RAID}.raid_size": count}

    def _more_disks(self) -> Body:
        return {f"{RAID}.disk_count": self._random.choice((4, 6))}

    def _new_svm(self) -> Body:
        on = self._random.random() < 0.5
        return {"name": self._name("svm"), "iscsi.enabled": on, "nvme.enabled": on}

    def _of_svm(self) -> Body:
        return {"svm.name": self._svm()}

    def _volume(self) -> Body:
        return {"svm.name": self._svm(), "name": self._name("vol"), "size": GIB}

    def _device(self, stem: str) -> Body:
        path = f"/vol/{self._name_of('storage/volumes')}/{self._name(stem, 5)}"
        size = self._random.choice((64, 96)) * MIB
        return {"svm.name": self._svm(), "name": path, "os_type": "linux", "space.size": size}

    def _lun(self) -> Body:
        return self._device("lun")

    def _namespace(self) -> Body:
        return self._device("ns") | {"space.block_size": self._random.choice((512, 4096))}

    def _lun_to_convert(self) -> Body:
        return self._of_svm() | {"convert.lun.name": self._name_of("storage/luns")}

    def _namespace_to_convert(self) -> Body:
        return self._of_svm() | {"convert.namespace.name": self._name_of("storage/namespaces")}

    def _size(self) -> Body:
        return {"space.size": self._random.choice((96, 128, 160)) * MIB}

    def _switch(self) -> Body:
        return {"enabled": self._random.random() < 0.6}

    def _path(self) -> Body:
        return {"name": f"/vol/{self._name_of('storage/volumes')}/{self._name('moved')}"}

    def _state(self) -> Body:
        return {"state": self._random.choice(("online", "online", "offline"))}

    def _running(self) -> Body:
        return {"state": self._random.choice(("running", "running", "stopped"))}

    def _allowed(self) -> Body:
        name = self._random.choice(("iscsi", "nvme"))
        return {f"{name}.allowed": self._random.random() < 0.7}

    def _lif(self, port: str = "") -> Body:
        port = port or self._random.choice(tuple(PORTS))
        address = f"{PORTS[port]}.{self._random.randint(1, 4)}"
        return {
            "svm.name": self._svm(),
            "name": self._name("lif", 4),
            "ip": {"address": address, "netmask": "24"},
            "location.home_port.name": port,
        }

    def _move(self) -> Body:
        body = self._lif()
        return {name: body[name] for name in ("ip", "location.home_port.name")}

    def _route(self) -> Body:
        gateway = f"{self._random.choice(tuple(PORTS.values()))}.254"
        destination = self._random.choice(("0.0.0.0/0", "10.20.0.0/16"))
        return {"svm.name": self._svm(), "destination.address": destination, "gateway": gateway}

    def _lag(self) -> Body:
        mode = self._random.choice(("multimode", "singlemode"))
        return {"name": self._random.choice(LAGS), "lag.mode": mode} | self._members()

    def _members(self) -> Body:
        names = self._random.sample(("e0c", "e0d"), self._random.randint(0, 2))
        policy = self._random.choice(("ip", "sequential"))
        return {"lag.distribution_policy": policy, "lag.member_ports": names}

    def _vlan(self) -> Body:
        return {"vlan.base_port.name": self._random.choice(("e0a", *LAGS)), "vlan.tag": 7}

    def _setting(self) -> Body:
        return {"mtu": self._random.choice((1500, 4000, 9000))}

    def _igroup(self) -> Body:
        names = self._random.sample(IQNS, self._random.randint(0, 2))
        return self._of_svm() | {
            "name": self._name("group"),
            "os_type": "linux",
            "initiators": names,
        }

    def _initiator(self) -> Body:
        return {"name": self._random.choice(IQNS)}

    def _portset(self) -> Body:
        lif = self._name_of("network/ip/interfaces")
        return self._of_svm() | {"name": self._name("set"), "interfaces": [{"ip": {"name": lif}}]}

    def _bound(self) -> Body:
        return {"portset": {"name": self._name_of("protocols/san/portsets")}}

    def _nested(self) -> Body:
        return {"name": self._name_of("protocols/san/igroups")}

    def _subsystem(self) -> Body:
        hosts = self._random.sample(NQNS, self._random.randint(0, 2))
        return self._of_svm() | {"name": self._name("sub"), "os_type": "linux", "hosts": hosts}

    def _host(self) -> Body:
        key = self._random.choice(({}, {"dh_hmac_chap": {"host_secret_key": KEY}}))
        return {"nqn": self._random.choice(NQNS), **key}

    def _lun_map(self) -> Body:
        lun, igroup = self._name_of("storage/luns", "uuid"), self._name_of("protocols/san/igroups")
        return {"lun.uuid": lun, "igroup.name": igroup}

    def _subsystem_map(self) -> Body:
        namespace = self._name_of("storage/namespaces", "uuid")
        return {
            "namespace.uuid": namespace,
            "subsystem.name": self._name_of("protocols/nvme/subsystems"),
        }

    def _credential(self) -> Body:
        return self._of_svm() | {"initiator": self._random.choice(IQNS)} | self._login()

    def _login(self) -> Body:
        kind = self._random.choice(("none", "deny", "chap"))
        secrets = {"chap.inbound": {"user": "host", "password": "a secret"}}
        return {"authentication_type": kind, **(secrets if kind == "chap" else {})}

    def _comment(self) -> Body:
        return {"comment": self._name("comment")}

    def _renamed(self) -> Body:
        return {"name": self._name("renamed")}


Draw = Callable[[Requests], Body]
CREATIONS: tuple[tuple[str, Draw], ...] = (
    ("storage/aggregates", Requests._aggregate),
    ("svm/svms", Requests._new_svm),
    ("protocols/san/iscsi/services", Requests._of_svm),
    ("protocols/nvme/services", Requests._of_svm),
    *[("storage/volumes", Requests._volume)] * 2,
    *[("storage/luns", Requests._lun)] * 4,
    *[("storage/namespaces", Requests._namespace)] * 4,
    *[("storage/namespaces", Requests._lun_to_convert)] * 2,
    *[("storage/luns", Requests._namespace_to_convert)] * 2,
    *[("network/ip/interfaces", Requests._lif)] * 2,
    ("network/ip/routes", Requests._route),
    *[("network/ethernet/ports", Requests._lag)] * 2,
    *[("network/ethernet/ports", Requests._vlan)] * 2,
    *[("protocols/san/igroups", Requests._igroup)] * 2,
    *[("protocols/nvme/subsystems", Requests._subsystem)] * 2,
    *[("protocols/san/lun-maps", Requests._lun_map)] * 4,
    *[("protocols/nvme/subsystem-maps", Requests._subsystem_map)] * 4,
    ("protocols/san/iscsi/credentials", Requests._credential),
    ("protocols/san/igroups/*/initiators", Requests._initiator),
    ("protocols/san/igroups/*/igroups", Requests._nested),
    ("protocols/san/portsets", Requests._portset),
    ("protocols/nvme/subsystems/*/hosts", Requests._host),
)
CHANGES: tuple[tuple[str, Draw], ...] = (
    ("storage/aggregates", Requests._more_disks),
    ("storage/aggregates", Requests._renamed),
    ("svm/svms", Requests._running),
    ("svm/svms", Requests._allowed),
    ("protocols/san/iscsi/services", Requests._switch),
    ("protocols/nvme/services", Requests._switch),
    ("storage/volumes", Requests._state),
    ("storage/volumes", Requests._renamed),
    *[("storage/luns", Requests._size)] * 2,
    ("storage/luns", Requests._switch),
    ("storage/luns", Requests._path),
    *[("storage/namespaces", Requests._size)] * 2,
    ("storage/namespaces", Requests._switch),
    ("storage/namespaces", Requests._path),
    ("network/ip/interfaces", Requests._move),
    ("network/ip/interfaces", Requests._switch),
    *[("network/ethernet/ports", Requests._members)] * 2,
    *[("network/ethernet/ports", Requests._setting)] * 2,
    ("network/ethernet/ports", Requests._switch),
    ("protocols/san/igroups", Requests._renamed),
    ("protocols/san/igroups", Requests._bound),
    ("protocols/nvme/subsystems", Requests._comment),
    ("protocols/san/iscsi/credentials", Requests._login),
)
DELETIONS = (
    ("storage/aggregates", ""),
    ("svm/svms", ""),
    ("protocols/san/iscsi/services", ""),
    ("protocols/nvme/services", ""),
    ("storage/volumes", ""),
    ("storage/luns", FORCED),
    ("storage/luns", ""),
    ("storage/namespaces", FORCED),
    ("storage/namespaces", ""),
    ("network/ip/interfaces", ""),
    ("network/ip/routes", ""),
    *[("network/ethernet/ports", "")] * 2,
    ("protocols/san/igroups", FORCED),
    ("protocols/san/igroups/*/initiators", FORCED),
    ("protocols/san/igroups/*/igroups", FORCED),
    ("protocols/san/portsets", ""),
    ("protocols/nvme/subsystems", f"{FORCED}&allow_delete_with_hosts=true"),
    ("protocols/nvme/subsystems/*/hosts", ""),
    ("protocols/san/lun-maps", ""),
    ("protocols/nvme/subsystem-maps", ""),
    ("protocols/san/iscsi/credentials", ""),
)
