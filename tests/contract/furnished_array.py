"""An array in this process with every example in it, and the requests of contract tests to it."""

from __future__ import annotations

import copy
import errno
import json
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from examples import BY_PATH as BY_EXAMPLE
from examples import (
    EXAMPLES,
    HOST_IQN,
    HOST_NQN,
    OTHER_IQN,
    OTHER_NQN,
    SRP_PORT,
    WWPN,
    Body,
)
from installed import installed_array
from server_sensors import attach_controller
from shelved_disks import attach
from simulator import Simulator, Snapshot, commits
from werkzeug.test import TestResponse

from fakes.fabric_services import Fabric, Switch, SwitchPort, member
from fakes.files import Text
from sanstone.core import tasks
from sanstone.core.database import store
from sanstone.core.declaration.resource import Resource
from sanstone.core.history import space_history
from sanstone.core.history.metrics_file import DAY
from sanstone.core.history.space_history import Space
from sanstone.core.tasks import Run
from sanstone.kernel import names
from sanstone.kernel.host import RequestError
from sanstone.kernel.target import sessions
from sanstone.reconcile.tasks.sampler import Sampler
from sanstone.resources.declared import RESOURCES

GIB = 1024**3
OTHER_WWPN = "20:00:00:50:56:00:00:09"
BY_PATH = {resource.path: resource for resource in RESOURCES}
_PARENT = re.compile(r"(?P<parent>[^{]*)/(?:{[^}]*}/)+(?P<rest>[^{]*)")
_SESSION = """\
InitiatorName: {name}
InitiatorAlias: a host
LIO Session ID: 7   ISID: 0x00 02 3d 00 00 01  TSIH: 3  SessionType: Normal
Session State: TARG_SESS_STATE_LOGGED_IN
CID: 0  Connection State: TARG_CONN_STATE_LOGGED_IN
   Address 10.10.1.200 TCP  StatSN: 0x5bc6b2a0
"""


class FurnishedArray:
    """The array; `places` are the paths of the examples' objects by their resource's path."""

    def __init__(self, simulator: Simulator) -> None:
        self.simulator = simulator
        self.places: dict[str, list[str]] = {}

    def furnish(self) -> None:
        """Create every example, and let hosts be connected."""
        self.simulator.kernel.fibre_channel.plug()
        self.simulator.kernel.fibre_channel.plug("fcoe")
        self.simulator.kernel.rdma.plug("e0d")
        self.simulator.kernel.fibre_channel.plug("lpfc")
        self.simulator.kernel.fibre_channel.make_nvme_target("21:00:00:24:ff:00:00:03")
        fc_ports = self.simulator.kernel.configfs.nvmet.fc_ports
        fc_ports.add("nn-0x20000024ff000003:pn-0x21000024ff000003")
        self._connect_fabric()
        attach(self.simulator.kernel)
        attach_controller(self.simulator.kernel)
        self.simulator.read_hardware()
        self.simulator.read_disks()
        installed = self.installed = installed_array(self.simulator)
        self.simulator.settle()
        for example in EXAMPLES:
            for body in example.objects:
                record = self.simulator.make(self.collection(example.path), body)
                if not BY_PATH[example.path].single:
                    self.places.setdefault(example.path, []).append(_place(record))
        installed.update()
        self._fail()
        self._log_in()
        self._connect()
        # A new reconciler looks at everything, at sessions above all.
        self.simulator.start()
        self.simulator.settle()
        self.simulator.ask_fabrics()
        self.simulator.measure()
        self._count()
        self._run_tasks()

    def _connect_fabric(self) -> None:
        """Let the fabric of the ports answer questions about itself."""
        own, host = "21:00:00:24:ff:00:00:01", WWPN
        port = SwitchPort(attached=(own, host), addresses={own: "010201", host: "010300"})
        switch = Switch(
            name="san-a",
            information=("Example", "Director", "v9.1"),
            ports={
                "20:00:00:05:1e:00:00:01": port,
                "20:01:00:05:1e:00:00:01": SwitchPort(kind=0, state=2),
            },
        )
        self.simulator.kernel.fabrics.fabrics["10:00:00:05:1e:00:00:01"] = Fabric(
            switches={"10:00:00:05:1e:00:00:01": switch},
            zone_set="production",
            zones={
                "host1": [
                    member(1, "21:00:00:24:ff:00:00:01"),
                    member(1, "20:00:00:50:56:00:00:01"),
                    member(2, "00:01:00:07"),
                ]
            },
        )

    def collection(self, path: str) -> str:
        """Return the path of a collection; one below an object is that of the example's parent."""
        below = _PARENT.fullmatch(path)
        if not below:
            return path
        self.first(below["parent"])
        return f"{self.places[below['parent']][BY_EXAMPLE[path].below]}/{below['rest']}"

    def first(self, path: str) -> str:
        """Return the path of the first object of a resource: of the example, or of all."""
        if BY_PATH[path].single:
            return path
        if path not in self.places:
            records = self.simulator.get(self.collection(path))["records"]
            # The links of a search's results are those of the objects.
            linked = type(BY_PATH[path]).stands_for is not Resource.stands_for
            own = f"{path}/" if linked else ""
            self.places[path] = [own + _place(record) for record in records]
        return self.places[path][0]

    def records(self, path: str) -> list[dict[str, Any]]:
        """Return all that a resource shows, with every field."""
        if BY_PATH[path].single:
            return [self.simulator.get(f"{path}?fields=**")]
        records: list[dict[str, Any]] = self.simulator.get(f"{self.collection(path)}?fields=**")[
            "records"
        ]
        return records

    def send(self, method: str, path: str, body: Any, query: str = "") -> TestResponse:
        """Send a request."""
        return self.simulator.call(method, f"{path}?{query}" if query else path, body)

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Assert that the code inside writes nothing to the database and nothing to the kernel."""
        with closing(sqlite3.connect(store.path())) as watcher:
            log = self.simulator.kernel.interrupt.log
            before, steps = commits(watcher), len(log)
            yield
            assert commits(watcher) == before, "something was written to the database"
            assert log[steps:] == [], "the machine was changed"

    def _fail(self) -> None:
        """Let the machine refuse something: a job fails, and there are events of it."""
        simulator, path = self.simulator, "network/ip/interfaces"
        error = RequestError("add address", errno.EPERM)
        simulator.kernel.fail_when(lambda step: step.startswith("add address"), error)
        response = self.send("POST", path, BY_EXAMPLE[path].another)
        assert response.status_code == 500, response.get_data(as_text=True)
        simulator.kernel.interrupt.clear()
        simulator.settle()
        event = simulator.get("support/ems/events?order_by=index desc&max_records=1")["records"][0]
        simulator.do("PATCH", _place(event), {"acknowledged.state": True})

    def _count(self) -> None:
        """Let everything have been counted for longer than the longest interval, and be used."""
        sampler = Sampler(self.simulator.kernel.host, self.simulator.database)
        now = time.time()  # noqa: TID251 - the clock of the session
        sampler.sample(now - 3 * DAY)
        self._fill(now)
        for kind in ("storage/luns", "storage/namespaces"):
            for record in self.simulator.get(f"{kind}?status.state=online")["records"]:
                device = names.device(record["uuid"])
                self.simulator.kernel.mapper.do_io(device, reads=20, writes=10, sectors=8)
        for moment in (now - 600, now):
            sampler.sample(moment)

    def _run_tasks(self) -> None:
        """Let tasks in the background have run, one of them with an error."""
        now = time.time()  # noqa: TID251 - the clock of the session
        tasks.folder().mkdir(exist_ok=True)
        for task, error in ((tasks.SAMPLES, ""), (tasks.EVENTS, "the database is locked")):
            tasks.file(task).write_bytes(tasks.packed(Run(now, 0.1, error)))

    def _fill(self, now: float) -> None:
        """Let aggregates and volumes have been filling for days, so that there is a forecast."""
        places = {
            kind: self.simulator.get(kind)["records"]
            for kind in ("storage/aggregates", "storage/volumes")
        }
        keys = [(kind, record["uuid"]) for kind, records in places.items() for record in records]
        for day in range(12, 3, -1):
            space = Space(size=GIB, used=GIB - day * GIB // 16, provisioned=GIB, snapshots=0)
            space_history.record(now - day * DAY, dict.fromkeys(keys, space))

    def _log_in(self) -> None:
        """Let a host log in to the target of the first SVM."""
        target = next(iter(self.simulator.get("protocols/san/iscsi/services")["records"]))
        name = self.simulator.get(f"{_place(target)}?fields=target.name")["target"]["name"]
        groups = self.simulator.kernel.configfs.lio.children["iscsi"].children[name].children
        acls = (
            group.children["acls"].children for group in groups.values() if "acls" in group.children
        )
        acl = next(each[HOST_IQN] for each in acls if HOST_IQN in each)
        acl.session = _SESSION.format(name=HOST_IQN)  # type: ignore[attr-defined]
        tag = next(name for name in groups if name.startswith("tpgt_")).removeprefix("tpgt_")
        self.simulator.kernel.log.say(
            f"iSCSI Initiator Node: {OTHER_IQN} is not authorized to access iSCSI target portal "
            f"group: {tag}."
        )
        statistics = groups["fabric_statistics"]
        statistics.fail(OTHER_IQN, "10.10.1.201", authentication=False)  # type: ignore[attr-defined]

        port: Any = self.simulator.kernel.configfs.lio.children["qla2xxx"]
        for name in ("21:00:00:24:ff:00:00:01", "tpgt_1", "acls", WWPN):
            port = port.children[name]
        port.logged_in = True
        fabric: Any = self.simulator.kernel.configfs.lio.children["srpt"]
        [name] = (name for name in fabric.children if name.startswith("0x"))
        admitted = fabric.children[name].children["tpgt_1"].children["acls"].children
        admitted[SRP_PORT].logged_in = True
        self._see(0, port_name=WWPN, node_name="10:00:00:50:56:00:00:01", port_id="0x010300")
        self._see(1, port_name=OTHER_WWPN, port_id="0x010400", roles="FCP Initiator")

    def _see(self, number: int, **attributes: str) -> None:
        """Let the Fibre Channel port see one of a host's."""
        for name, text in (attributes | {"port_state": "Online"}).items():
            path = f"/sys/class/fc_remote_ports/rport-3:0-{number}/{name}"
            content = f"0x{text.replace(':', '')}" if ":" in text else text
            self.simulator.kernel.files.place(path, Text(f"{content}\n"))

    def _connect(self) -> None:
        """Let a host connect to the first subsystem."""
        subsystem = self.simulator.get(self.first("protocols/nvme/subsystems"))
        lif = self.simulator.kernel.files.listdir("/sys/kernel/config/nvmet/ports")[0]
        path = f"{sessions.DEBUG}/{subsystem['target_nqn']}/ctrl1"
        nqn = subsystem["target_nqn"]
        attributes = {"hostnqn": HOST_NQN, "port": lif, "state": "ready", "kato": "15"}
        attributes |= {
            "host_traddr": "10.10.1.200",
            "tls_identity": f"NVMe1R01 {HOST_NQN} {nqn} x=",
        }
        for name, text in attributes.items():
            self.simulator.kernel.files.place(f"{path}/{name}", Text(f"{text}\n"))
        self.simulator.kernel.log.say(
            f"nvmet: connect by host {OTHER_NQN} for subsystem {nqn} not allowed"
        )


def _place(record: dict[str, Any]) -> str:
    return str(record["_links"]["self"]["href"]).removeprefix("/api/")


def error(response: TestResponse) -> dict[str, Any]:
    """Return the error of a refusal, having checked its envelope."""
    text = response.get_data(as_text=True)
    assert 400 <= response.status_code < 500, f"{response.status_code}: {text}"
    assert response.mimetype in ("application/json", "application/hal+json")
    body = json.loads(text)
    assert body.keys() == {"error"}, text
    envelope: dict[str, Any] = body["error"]
    assert envelope.keys() <= {"code", "message", "target", "arguments"}, text
    for argument in envelope.get("arguments", ()):
        assert argument["message"] in envelope["message"], text
    assert re.fullmatch(r"[0-9]+", envelope["code"]), text
    assert envelope["message"].strip(), text
    assert envelope.get("target", "-"), text
    return envelope


def at(record: Body, name: str) -> Any:
    """Return the value under a dotted name, None where there is none."""
    value: Any = record
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def nested(body: Body) -> Body:
    """Return a body with objects in the place of dotted names."""
    outermost: Body = {}
    for name, value in body.items():
        place = outermost
        *parents, last = name.split(".")
        for parent in parents:
            place = place.setdefault(parent, {})
        place[last] = [_nested_item(item) for item in value] if isinstance(value, list) else value
    return outermost


def _nested_item(item: Any) -> Any:
    return nested(item) if isinstance(item, dict) else item


def without_dots(described: Any) -> Any:
    """Return a description, or a path of it, with underscores for the dots in keys of paths.

    schemathesis fills paths in by `str.format`, to which a dot means an attribute.
    """
    if isinstance(described, str):
        return re.sub(r"{[^}]*}", lambda match: match[0].replace(".", "_"), described)
    copied = copy.deepcopy(described)
    copied["paths"] = {without_dots(path): item for path, item in copied["paths"].items()}
    for item in copied["paths"].values():
        for parameter in item.get("parameters", ()):
            parameter["name"] = parameter["name"].replace(".", "_")
    return copied


@contextmanager
def restored(array: FurnishedArray, snapshot: Snapshot) -> Iterator[None]:
    """Bring the array back afterwards if it was changed."""
    with closing(sqlite3.connect(store.path())) as watcher:
        before = commits(watcher)
        try:
            yield
        finally:
            if commits(watcher) != before:
                array.simulator.load(snapshot)
