"""One scenario of both targets at a Fibre Channel port, as `target_scenario` is for networks.

On a machine it is a program: `python3 fc_scenario.py DEVICE WWNN WWPN` prints the lines, as root,
with `sanstone` on the path and `target_scenario.py` beside it. The names, as 20:00:…, are of a port
that nvmet_fc has and at which nothing is served; tcm_fc takes any name, and serves when a port of
that name comes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

from target_scenario import Kernel, Rendered, answer

from sanstone.kernel.host import Host, HostError
from sanstone.kernel.target import fabrics, lio, nvmet, sessions
from sanstone.kernel.target.access import AccessState
from sanstone.kernel.target.addresses import WorldWideName

MODULES = ("nvmet", "nvmet-fc", "target_core_mod", "target_core_iblock", "tcm_fc")
FABRIC = fabrics.PortFabric("fc", has_enable=False)
NOWHERE = WorldWideName("20:00:5c:0e:00:00:00:01", "20:00:5c:0e:00:00:00:02")
"""A port that no machine has."""
INITIATOR = "20:00:5c:0e:00:00:00:03"
NQN = "nqn.2026-11.org.example:fc-scenario"
PORTS = (65011, 65012)
ID = "5c0e00003333"
SUBSYSTEM = f"{nvmet.ROOT}/subsystems/{NQN}"
BACKSTORE = f"{lio.ROOT}/core/iblock_65011/one"


def run(host: Host, device: str, address: WorldWideName) -> Iterator[str]:
    """Go through the scenario."""
    host.commands.run(["modprobe", "--all", *MODULES])
    kernel = Kernel(host)
    yield from _nvme(kernel, address)
    yield from _target(kernel, address)
    yield from _group(host, kernel, device, f"{FABRIC.path}/{address.port}/tpgt_1")
    yield from _target_end(kernel, f"{FABRIC.path}/{address.port}")
    yield from _rendered(host, device, address)


def _nvme(kernel: Kernel, address: WorldWideName) -> Iterator[str]:
    port, other = (f"{nvmet.ROOT}/ports/{number}" for number in PORTS)
    link = f"{port}/subsystems/{NQN}"
    yield f"subsystem: {kernel.make(SUBSYSTEM)}"
    yield f"ports: {kernel.make(port)}, {kernel.make(other)}"
    for name, value in (("addr_trtype", "fc"), ("addr_adrfam", "ipv4"), ("addr_trsvcid", "none")):
        yield f"{name}: {kernel.write(f'{port}/{name}', value)}"
    yield f"address: {kernel.write(f'{port}/addr_traddr', address.transport_address)}"
    yield f"served in a family of others: {kernel.link(SUBSYSTEM, link)}"
    yield f"family: {kernel.write(f'{port}/addr_adrfam', address.family)}"
    for what, text in (
        ("that is none", "192.0.2.1"),
        ("without its node", address.transport_address.partition(":")[2]),
        ("of a port that is not there", NOWHERE.transport_address),
    ):
        answer = kernel.write(f"{port}/addr_traddr", text)
        yield f"address {what}: {answer}, served: {kernel.link(SUBSYSTEM, link)}"
    answer = kernel.write(f"{port}/addr_traddr", address.transport_address)
    yield f"address: {answer}, served: {kernel.link(SUBSYSTEM, link)}"
    other_address = kernel.write(f"{port}/addr_traddr", NOWHERE.transport_address)
    yield f"address while it serves: {other_address}"
    for name in ("addr_trtype", "addr_adrfam", "addr_trsvcid", "addr_traddr"):
        kernel.write(f"{other}/{name}", kernel.read(f"{port}/{name}"))
    second = f"{other}/subsystems/{NQN}"
    yield f"served by a second port of this address: {kernel.link(SUBSYSTEM, second)}"
    yield f"served no more: {kernel.unlink(link)}"
    yield f"then by the second: {kernel.link(SUBSYSTEM, second)}"
    yield f"served no more: {kernel.unlink(second)}"
    yield f"removed: {', '.join(kernel.remove(each) for each in (port, other, SUBSYSTEM))}"


def _target(kernel: Kernel, address: WorldWideName) -> Iterator[str]:
    if not kernel.files.exists(FABRIC.path):
        kernel.files.mkdir(FABRIC.path)
    for name in ("nonsense", "iqn.2026-11.org.example:port", "20:00:5C:0E:00:00:00:02"):
        yield f"target {name}: {kernel.make(f'{FABRIC.path}/{name}')}"
    yield f"without its colons: {kernel.make(f'{FABRIC.path}/' + NOWHERE.port.replace(':', ''))}"
    yield f"of a port that is not there: {kernel.make(f'{FABRIC.path}/{NOWHERE.port}')}"
    yield f"removed: {kernel.remove(f'{FABRIC.path}/{NOWHERE.port}')}"
    yield f"of a port: {kernel.make(f'{FABRIC.path}/{address.port}')}"
    yield f"again: {kernel.make(f'{FABRIC.path}/{address.port}')}"


def _group(host: Host, kernel: Kernel, device: str, group: str) -> Iterator[str]:
    target, lun, acl = group.rpartition("/")[0], f"{group}/lun/lun_0", f"{group}/acls/{INITIATOR}"
    for name in ("tpgt_one", "tpgt_2", "one"):
        yield f"group {name}: {kernel.make(f'{target}/{name}')}"
    yield f"group: {kernel.make(group)}"
    yield f"has a switch: {kernel.files.exists(f'{group}/enable')}"
    yield f"relative port 0: {kernel.write(f'{group}/rtpi', '0')}"
    yield f"relative port: {kernel.write(f'{group}/rtpi', '65011')}, {kernel.read(f'{group}/rtpi')}"
    yield f"backstore: {kernel.make(BACKSTORE.rpartition('/')[0])}, {kernel.make(BACKSTORE)}"
    yield f"LUN: {kernel.make(lun)}, not ready: {kernel.link(BACKSTORE, f'{lun}/one')}"
    kernel.write(f"{BACKSTORE}/control", f"udev_path={device},readonly=0")
    yield f"enabled: {kernel.write(f'{BACKSTORE}/enable', '1')}"
    yield f"of a backstore: {kernel.link(BACKSTORE, f'{lun}/one')}"
    yield f"relative port now: {kernel.write(f'{group}/rtpi', '65012')}"
    for name in ("nonsense", "iqn.2026-11.org.example:initiator", INITIATOR.upper()):
        yield f"initiator {name}: {kernel.make(f'{group}/acls/{name}')}"
    yield f"initiator: {kernel.make(acl)}, again: {kernel.make(acl)}"
    yield f"tells of its session: {kernel.files.exists(f'{acl}/info')}"
    yield f"LUN of the initiator's: {kernel.make(f'{acl}/lun_3')}"
    yield f"mapped: {kernel.link(lun, f'{acl}/lun_3/lun_0')}"
    ident = f"{acl}/lun_3/statistics/scsi_att_intr_port/port_ident"
    yield f"nobody is logged in: {answer(lambda: kernel.read(ident))}"
    yield f"so the driver says: {sessions.logged_in(host, group)}"


def _target_end(kernel: Kernel, target: str) -> Iterator[str]:
    group = f"{target}/tpgt_1"
    lun, acl = f"{group}/lun/lun_0", f"{group}/acls/{INITIATOR}"
    yield f"target removed with its group: {kernel.remove(target)}"
    yield f"group removed with its content: {kernel.remove(group)}"
    yield f"initiator removed: {kernel.remove(acl)}"
    yield f"LUN removed while mapped: {kernel.remove(lun)}"
    yield f"mapping removed: {kernel.unlink(f'{acl}/lun_3/lun_0')}, {kernel.remove(f'{acl}/lun_3')}"
    yield f"initiator removed: {kernel.remove(acl)}"
    yield f"LUN removed: {kernel.unlink(f'{lun}/one')}, {kernel.remove(lun)}"
    yield f"group removed: {kernel.remove(group)}"
    yield f"target removed: {kernel.remove(target)}"
    folder = BACKSTORE.rpartition("/")[0]
    yield f"backstore removed: {kernel.remove(BACKSTORE)}, {kernel.remove(folder)}"


def _rendered(host: Host, device: str, address: WorldWideName) -> Iterator[str]:
    """Yield the lines of creating, changing and removing the drivers' own trees."""
    backstores = lio.Backstore("one", "", ID).path.rpartition("/")[0]
    ports = (f"{nvmet.ROOT}/ports/{number}" for number in PORTS)
    target_path = f"{FABRIC.path}/{address.port}"
    rendered = Rendered(host, FABRIC, SUBSYSTEM, *ports, target_path, backstores)
    namespace = nvmet.Namespace(1, device, "5c0e0000-bbbb-4111-8111-111111111111", "5d" * 16)
    port = nvmet.Port(PORTS[0], address, "fc", ana={1: AccessState.OPTIMIZED})
    subsystem = nvmet.Subsystem(NQN, ID, namespaces=(namespace,), ports=(port.id,))
    yield from rendered.become("NVMe", nvmet.render([subsystem], [], [port]))
    moved = replace(port, address=NOWHERE)
    yield from rendered.become("at no port", nvmet.render([subsystem], [], [moved]))
    yield from rendered.become("NVMe no more", nvmet.render([], [], []))
    attributes = {"emulate_tpu": "0", "emulate_tpws": "0"}
    backstore = lio.Backstore("one", device, ID, attributes=attributes)
    acl = fabrics.Acl(INITIATOR, luns={3: 0})
    group = fabrics.PortalGroup(1, address, {0: "one"}, (acl,), relative_port=PORTS[0])
    target = lio.ScsiTarget(address.port, FABRIC, (group,))
    yield from rendered.become("SCSI", lio.render([backstore], [target]))
    without = replace(target, groups=(replace(group, acls=(replace(acl, luns={}),)),))
    yield from rendered.become("unmapped", lio.render([backstore], [without]))
    yield from rendered.become("SCSI no more", lio.render([], []))


if __name__ == "__main__":
    from sanstone.kernel.real import real_host

    try:
        for line in run(real_host(), sys.argv[1], WorldWideName(*sys.argv[2:])):
            print(line, flush=True)
    except HostError as problem:
        sys.exit(f"fc_scenario: {problem}")
