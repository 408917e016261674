"""Each transport beside the others, and beside the array itself: all to one thin device.

Each has an SVM of its own, with one path to a LUN or a namespace that the product created and
serves. Then the reconciler is stopped, and the thin device below each of them becomes one and the
same, in memory. So each export keeps counters of its own, and only the way to it differs. All are
connected at the same time and do each job in turns.

Two are not like the others. FCP goes between Ethernet ports that are Fibre Channel ports (VN2VN)
with frames of up to 2,500 bytes, where the others have 1,500. NVMe/FC (nvme-fcloop) passes no
network: its host is the array itself, whose one processor does fio's work too, as it does for the
local device. So NVMe/FC beside FCP says less than the other pairs, and their time of the
processor cannot be compared at all.

SCSI is measured below dm-multipath, which would join one path here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from bench import fio
from bench.data_path import LOCAL, RANDOM
from bench.fio import Load, Result, Way
from bench.report import Line, times
from bench.stage import Stage
from lab.administrator import MIB, Administrator
from lab.api import Api
from lab.fc_ports import port_of_host, ports_of
from lab.fc_transports import FcpTransport, NvmeFcTransport
from lab.loop_ports import Loop, pair
from lab.station import Host
from lab.transports import (
    LEGS,
    LIFS,
    IscsiTransport,
    IserTransport,
    LifTransport,
    NvmeRdmaTransport,
    NvmeTransport,
    SrpTransport,
    Transport,
)

REPEATS = 3
SIZE = 160 * MIB
"""That of guest/memory_pool.py."""
ISCSI, ISER, SRP, FCP = "iSCSI", "iSER", "SRP", "FCP"
NVME_TCP, NVME_RDMA, NVME_FC = "NVMe/TCP", "NVMe/RDMA", "NVMe/FC"
PEERS = {NVME_TCP: ISCSI, NVME_RDMA: ISER, NVME_FC: FCP}
AT_LIFS: dict[str, type[LifTransport]] = {
    ISCSI: IscsiTransport,
    ISER: IserTransport,
    SRP: SrpTransport,
    NVME_TCP: NvmeTransport,
    NVME_RDMA: NvmeRdmaTransport,
}
COLUMNS = (LOCAL, ISCSI, ISER, SRP, FCP, NVME_TCP, NVME_RDMA, NVME_FC)
FIRST_ADDRESS = 21
"""The end of the first transport's; the others' follow."""
FC_PORT, FC_PORT_OF_HOST = "e0c", "d1"
LEG = LEGS[1]
"""The network on which there is no Fibre Channel."""
SERVICES = [f"protocols/{each}/services" for each in ("san/iscsi", "san/srp", "nvme")]
SEQUENTIAL = [
    Load(f"{size} KiB sequential read, depth 16", "read", f"{size}k", 16) for size in (32, 64)
]
STREAM = Load("64 KiB sequential write", "write", "64k", 1)
OLTP = Load("8 KiB random, 80 % reads, 4 jobs of depth 32", "rw", "8k", 32, 4, "rand", 80)
BESIDE = replace(OLTP, name=f"{OLTP.name}, beside a stream of 64 KiB writes", beside=STREAM)
LOADS = (*RANDOM, *SEQUENTIAL, OLTP, BESIDE)


def measure(stage: Stage) -> Iterator[Line]:
    """Yield the lines."""
    with _ways(stage) as ways:
        taken = fio.in_turns(ways, LOADS, stage.array, REPEATS)
    for load, results in taken.items():
        yield from lines(load, results)


def lines(load: Load, results: dict[str, Result]) -> Iterator[Line]:
    """Yield the lines of a load, by transport."""
    for name in COLUMNS:
        rate = results[name].rate
        against = [] if name == LOCAL else [times(rate, results[LOCAL].rate, "local")]
        if peer := PEERS.get(name):
            against.append(times(rate, results[peer].rate, peer))
        yield Line(load.name, name, rate, "IOPS", ", ".join(against))
    for name in COLUMNS:
        yield Line(f"{load.name}: median latency", name, results[name].median / 1e3, "ms")
    for name in COLUMNS:
        yield Line(f"{load.name}: 99th percentile", name, results[name].slowest / 1e3, "ms")
    for name in COLUMNS:
        spent = results[name].processor
        peer = PEERS.get(name) if name != NVME_FC else None
        against = [times(spent, results[peer].processor, peer)] if peer else []
        yield Line(f"{load.name}: array's processor", name, spent, "µs each", ", ".join(against))


@contextmanager
def _ways(stage: Stage) -> Iterator[list[Way]]:
    """Have all transports connected; the reconciler stands still meanwhile."""
    array, host = stage.as_host(stage.array), stage.as_host(stage.host)
    # Rows before this one stop it.
    host.run("systemctl start multipathd.service")
    with ExitStack() as stack:
        transports = dict(_transports(stage.session(), array, host, stack))
        records = {
            name: stack.enter_context(transport.provisioned())
            for name, transport in transports.items()
        }
        stage.have_disks_in_memory()
        stack.enter_context(stage.reconciler_stopped())
        exported = stage.inside("one_device", *(each["uuid"] for each in records.values()))
        copy, local = fio.bring(stage), exported["local"]
        ways = {LOCAL: Way(LOCAL, stage.array, copy, f"/dev/{local}", local)}
        for name, transport in transports.items():
            transport.connect()
            stack.callback(transport.disconnect)
            device, counts = transport.single(records[name]), exported[records[name]["uuid"]]
            where = (stage.array, copy) if name == NVME_FC else (stage.host, "fio")
            ways[name] = Way(name, *where, device, counts)
        yield [ways[name] for name in COLUMNS]


def _transports(
    api: Api, array: Host, host: Host, stack: ExitStack
) -> Iterator[tuple[str, Transport]]:
    """Yield all, each in an SVM that goes with the stack."""
    for number, (name, kind) in enumerate(AT_LIFS.items(), FIRST_ADDRESS):
        admin = stack.enter_context(_svm(api, kind.name))
        transport = kind(admin, host, [LEG], number=number, size=SIZE)
        if kind is not SrpTransport:
            transport.add_lifs()
        yield name, transport
    admin = stack.enter_context(_svm(api, FcpTransport.name))
    [port] = stack.enter_context(ports_of(admin, array, FC_PORT))
    fcp = stack.enter_context(port_of_host(host, FC_PORT_OF_HOST))
    yield FCP, FcpTransport(admin, fcp, port, size=SIZE)
    admin = stack.enter_context(_svm(api, NvmeFcTransport.name))
    yield NVME_FC, NvmeFcTransport(admin, Loop(array, pair(1, port)), size=SIZE)


@contextmanager
def _svm(api: Api, name: str) -> Iterator[Administrator]:
    """Have an SVM on the bench's aggregate."""
    admin = Administrator(api, f"by_{name}", "bench")
    svm = admin.add_svm()
    yield admin
    own = {"svm.name": admin.svm}
    for lif in api.get(LIFS, **own)["records"]:
        admin.remove(LIFS, lif)
    for path in SERVICES:
        for service in api.get(path, **own)["records"]:
            admin.change(path, service["svm"], {"enabled": False})
            admin.remove(path, service["svm"])
    admin.remove("svm/svms", svm)
