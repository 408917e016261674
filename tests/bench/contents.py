"""The objects of the rows on the array: two volumes, LUNs in igroups, namespaces in subsystems.

All is thin and in one SVM with a LIF on each data network. Each LIF serves both protocols, so every
LUN and namespace has two paths. Object n is in group n modulo GROUPS. One LUN and one
namespace more are in a group of their own, FIRST: a host that is in that sees no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lab.api import Api

GROUPS = 8
FIRST = GROUPS
TOGETHER = 100
MIB = 1 << 20
SIZE = 16 * MIB
SVM = {"svm.name": "bench"}
ADDRESSES = {"e0a": "10.10.1.10", "e0b": "10.10.2.10"}


def initiator(group: int) -> str:
    """Return the IQN in igroup `group`."""
    return f"iqn.2026-11.org.sanstone.lab:bench{group}"


def host_nqn(group: int) -> str:
    """Return the NQN in subsystem `group`."""
    return f"nqn.2026-11.org.sanstone.lab:bench{group}"


def lun_path(number: int | str) -> str:
    """Return the name of LUN `number`, or of all for `*`."""
    return f"/vol/luns/lun{number}"


def namespace_path(number: int) -> str:
    """Return the name of namespace `number`."""
    return f"/vol/namespaces/namespace{number}"


def prepare(api: Api) -> None:
    """Make everything but LUNs and namespaces."""
    # A new RAID 6 would be synchronised beside everything that is measured.
    primary = {"disk_count": 8, "raid_type": "raid0"}
    api.post("storage/aggregates", {"name": "bench", "block_storage": {"primary": primary}})
    api.post("svm/svms", {"name": "bench"})
    for name in ("luns", "namespaces"):
        volume = SVM | {"name": name, "size": 1 << 40, "guarantee": {"type": "none"}}
        api.post("storage/volumes", volume | {"aggregates": [{"name": "bench"}]})
    for port, address in ADDRESSES.items():
        place = {"ip": {"address": address, "netmask": "24"}, "location.home_port.name": port}
        lif = SVM | {"name": port, "service_policy": "default-data-blocks"}
        api.post("network/ip/interfaces", lif | place)
    api.post("protocols/san/iscsi/services", SVM)
    api.post("protocols/nvme/services", SVM)
    for group in (*range(GROUPS), FIRST):
        igroup = SVM | {"name": f"igroup{group}", "os_type": "linux", "protocol": "iscsi"}
        api.post("protocols/san/igroups", igroup | {"initiators": [{"name": initiator(group)}]})
        subsystem = SVM | {"name": f"subsystem{group}", "os_type": "linux"}
        api.post("protocols/nvme/subsystems", subsystem | {"hosts": [{"nqn": host_nqn(group)}]})


def lun(number: int) -> dict[str, Any]:
    """Return the body that creates a LUN."""
    return SVM | {"name": lun_path(number), "os_type": "linux", "space": {"size": SIZE}}


def lun_map(number: int) -> dict[str, Any]:
    """Return the body that maps a LUN to its igroup."""
    igroup = f"igroup{number % GROUPS}"
    return SVM | {"lun": {"name": lun_path(number)}, "igroup": {"name": igroup}}


def namespace(number: int) -> dict[str, Any]:
    """Return the body that creates a namespace."""
    return SVM | {"name": namespace_path(number), "os_type": "linux", "space": {"size": SIZE}}


def subsystem_map(number: int) -> dict[str, Any]:
    """Return the body that maps a namespace to its subsystem."""
    subsystem = f"subsystem{number % GROUPS}"
    place = {"namespace": {"name": namespace_path(number)}, "subsystem": {"name": subsystem}}
    return SVM | place


def create_lun(api: Api, number: int) -> None:
    """Create and map one LUN."""
    api.post("storage/luns", lun(number))
    api.post("protocols/san/lun-maps", lun_map(number))


def create_namespace(api: Api, number: int) -> None:
    """Create and map one namespace."""
    api.post("storage/namespaces", namespace(number))
    api.post("protocols/nvme/subsystem-maps", subsystem_map(number))


def create_first(api: Api) -> None:
    """Create and map the LUN and the namespace of the group FIRST."""
    lun_name, namespace_name = "/vol/luns/first", "/vol/namespaces/first"
    api.post("storage/luns", lun(0) | {"name": lun_name})
    groups = {"igroup": {"name": f"igroup{FIRST}"}}, {"subsystem": {"name": f"subsystem{FIRST}"}}
    api.post("protocols/san/lun-maps", SVM | {"lun": {"name": lun_name}} | groups[0])
    api.post("storage/namespaces", namespace(0) | {"name": namespace_name})
    place = {"namespace": {"name": namespace_name}} | groups[1]
    api.post("protocols/nvme/subsystem-maps", SVM | place)


def have(api: Api, count: int) -> None:
    """Ensure that at least `count` LUNs, and as many namespaces, are mapped."""
    fill(api, range(number_of_luns(api), count))


def number_of_luns(api: Api) -> int:
    """Return how many LUNs there are beside the first one: the number of the next one."""
    query = {"name": lun_path("*"), "return_records": "false"}
    return int(api.get("storage/luns", **query)["num_records"])


def fill(api: Api, numbers: Iterable[int]) -> None:
    """Create and map LUNs and namespaces, many in one request."""
    for some in _portions(list(numbers), TOGETHER):
        create_luns(api, some)
        create_namespaces(api, some)


def create_luns(api: Api, numbers: Sequence[int]) -> None:
    """Create and map LUNs in two requests."""
    api.post("storage/luns", {"records": [lun(number) for number in numbers]})
    api.post("protocols/san/lun-maps", {"records": [lun_map(number) for number in numbers]})


def create_namespaces(api: Api, numbers: Sequence[int]) -> None:
    """Create and map namespaces in two requests."""
    api.post("storage/namespaces", {"records": [namespace(number) for number in numbers]})
    maps = [subsystem_map(number) for number in numbers]
    api.post("protocols/nvme/subsystem-maps", {"records": maps})


def _portions(numbers: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(numbers), size):
        yield numbers[start : start + size]
