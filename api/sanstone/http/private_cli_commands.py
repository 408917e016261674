"""Commands of `private/cli/…` that change something: each stands for a request of REST.

A command's parameters are those of ONTAP's command line, with dashes or underscores, in the query
string or the body. POST of a path that is a command itself, such as `volume/snapshot/restore`, runs
it; of the path of objects, such as `volume`, POST creates, PATCH modifies and DELETE deletes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sanstone.core import errors
from sanstone.model.san import Igroup
from sanstone.model.volumes import Volume


@dataclass(frozen=True)
class Parent:
    """The object that a command's is below: its table, and the parameter that names it."""

    model: type[Volume | Igroup]
    parameter: str


@dataclass(frozen=True)
class Command:
    """One request. `method` and `path` are REST's; below a `parent` the path has its UUID.

    `keys` say which object is meant: field of the query by parameter, each to be given. `takes` are
    fields of the body by parameter; those in `needs` have to be given, `options` further
    fields of the query; `fixed` are in the body always. A field that ends in `[]` is a list of one.
    """

    method: str
    path: str
    keys: dict[str, str] = field(default_factory=dict)
    takes: dict[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict)
    fixed: dict[str, Any] = field(default_factory=dict)
    parent: Parent | None = None

    def known(self) -> set[str]:
        """Return all parameters."""
        below = {"vserver", self.parent.parameter} if self.parent else set()
        return below | self.keys.keys() | self.takes.keys() | self.options.keys()

    def request(
        self, parameters: Mapping[str, Any], confined: bool
    ) -> tuple[dict[str, str], dict[str, Any]]:
        """Return query and body of the request for parameters. Raises ApiError.

        A caller that is `confined` to an SVM need not name it. Names are taken as they are: what
        looks like a query could destroy more than is meant.
        """
        for name in sorted(parameters.keys() - self.known()):
            raise errors.unexpected(name)
        above = ("vserver", self.parent.parameter) if self.parent else ()
        for name in (*above, *self.keys, *self.needs):
            if name not in parameters and not (confined and name == "vserver"):
                raise errors.missing(name)
        query = {f: f'"{parameters[p]}"' for p, f in self.keys.items() if p in parameters}
        query |= {f: str(parameters[p]) for p, f in self.options.items() if p in parameters}
        body = dict(self.fixed)
        for parameter, name in self.takes.items():
            if parameter in parameters:
                value = parameters[parameter]
                body[name.removesuffix("[]")] = [value] if name.endswith("[]") else value
        return query, body


def _modified(path: str, keys: dict[str, str], takes: dict[str, str]) -> Command:
    return Command("PATCH", path, keys, takes)


_VOLUMES, _LUNS, _MAPS = "storage/volumes", "storage/luns", "protocols/san/lun-maps"
_VOLUME = {"vserver": "svm.name", "volume": "name"}
_OF_VOLUME = {
    "size": "size",
    "state": "state",
    "comment": "comment",
    "space_guarantee": "guarantee.type",
    "percent_snapshot_space": "space.snapshot.reserve_percent",
    "snapshot_policy": "snapshot_policy.name",
    "qos_policy_group": "qos.policy.name",
}
_LUN = {"vserver": "svm.name", "path": "name"}
_OF_LUN = {
    "size": "space.size",
    "comment": "comment",
    "space_reserve": "space.guarantee.requested",
    "qos_policy_group": "qos_policy.name",
}
_MAPPED = {"vserver": "svm.name", "path": "lun.name", "igroup": "igroup.name"}
_IGROUP = {"vserver": "svm.name", "igroup": "name"}
_SNAPSHOT = {"snapshot": "name"}
_BELOW_VOLUME = Parent(Volume, "volume")
_SNAPSHOTS = "storage/volumes/{}/snapshots"
_MEMBERS = "protocols/san/igroups/{}/initiators"

COMMANDS: dict[str, dict[str, Command]] = {
    "lun": {
        "POST": Command(
            "POST", _LUNS, takes=_LUN | _OF_LUN | {"ostype": "os_type"}, needs=("vserver", "path")
        ),
        "PATCH": _modified(_LUNS, _LUN, _OF_LUN),
        "DELETE": Command("DELETE", _LUNS, _LUN, options={"force": "allow_delete_while_mapped"}),
    },
    "lun/igroup": {
        "POST": Command(
            "POST",
            "protocols/san/igroups",
            takes=_IGROUP | {"protocol": "protocol", "ostype": "os_type"},
            needs=("vserver", "igroup", "ostype"),
        ),
        "DELETE": Command(
            "DELETE",
            "protocols/san/igroups",
            _IGROUP,
            options={"force": "allow_delete_while_mapped"},
        ),
    },
    "lun/igroup/add": {
        "POST": Command(
            "POST",
            _MEMBERS,
            takes={"initiator": "name"},
            needs=("initiator",),
            parent=Parent(Igroup, "igroup"),
        )
    },
    "lun/igroup/remove": {
        "POST": Command(
            "DELETE",
            _MEMBERS,
            {"initiator": "name"},
            options={"force": "allow_delete_while_mapped"},
            parent=Parent(Igroup, "igroup"),
        )
    },
    "lun/mapping": {
        "POST": Command(
            "POST",
            _MAPS,
            takes=_MAPPED | {"lun_id": "logical_unit_number"},
            needs=("vserver", "path", "igroup"),
        ),
        "DELETE": Command("DELETE", _MAPS, _MAPPED),
    },
    "volume": {
        "POST": Command(
            "POST",
            _VOLUMES,
            takes=_VOLUME | _OF_VOLUME | {"aggregate": "aggregates[]"},
            needs=("vserver", "volume"),
        ),
        "PATCH": _modified(_VOLUMES, _VOLUME, _OF_VOLUME),
        "DELETE": Command("DELETE", _VOLUMES, _VOLUME),
    },
    "volume/offline": {"POST": Command("PATCH", _VOLUMES, _VOLUME, fixed={"state": "offline"})},
    "volume/online": {"POST": Command("PATCH", _VOLUMES, _VOLUME, fixed={"state": "online"})},
    "volume/rename": {
        "POST": Command("PATCH", _VOLUMES, _VOLUME, {"newname": "name"}, needs=("newname",))
    },
    "volume/snapshot": {
        "POST": Command(
            "POST",
            _SNAPSHOTS,
            takes=_SNAPSHOT | {"comment": "comment", "snapmirror_label": "snapmirror_label"},
            needs=("snapshot",),
            parent=_BELOW_VOLUME,
        ),
        "DELETE": Command("DELETE", _SNAPSHOTS, _SNAPSHOT, parent=_BELOW_VOLUME),
    },
    "volume/snapshot/rename": {
        "POST": Command(
            "PATCH",
            _SNAPSHOTS,
            _SNAPSHOT,
            {"new_name": "name"},
            needs=("new_name",),
            parent=_BELOW_VOLUME,
        )
    },
    "volume/snapshot/restore": {
        "POST": Command(
            "PATCH",
            _VOLUMES,
            _VOLUME,
            {"snapshot": "restore_to.snapshot.name"},
            needs=("snapshot",),
        )
    },
    "vserver": {
        "PATCH": _modified("svm/svms", {"vserver": "name"}, {"comment": "comment"}),
    },
    "vserver/start": {
        "POST": Command("PATCH", "svm/svms", {"vserver": "name"}, fixed={"state": "running"})
    },
    "vserver/stop": {
        "POST": Command("PATCH", "svm/svms", {"vserver": "name"}, fixed={"state": "stopped"})
    },
}
"""Commands that programs are known to send, by path and method."""
