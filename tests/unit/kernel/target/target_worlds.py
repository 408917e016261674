"""Wanted configurations of both targets, small and random, and a machine to hold them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from hypothesis import strategies as st

from fakes import FakeKernel
from fakes.files import Directory
from fakes.lio_ports import FABRIC_MODULES
from sanstone.kernel import plan
from sanstone.kernel.plan import Failure
from sanstone.kernel.target import configfs, fabrics, lio, nvmet, reservations
from sanstone.kernel.target.access import AccessState
from sanstone.kernel.target.addresses import InternetAddress

DEVICES = ("vda", "vdb", "vdc")
ADDRESSES = ("192.168.1.1", "192.168.2.1", "fd00::1")
NVME_ADDRESSES = tuple(InternetAddress(address, 4420) for address in ADDRESSES)
HOSTS = ("nqn.2014-08.org.nvmexpress:uuid:one", "nqn.2014-08.org.nvmexpress:uuid:two")
INITIATORS = ("iqn.2026-11.org.example:one", "iqn.2026-11.org.example:two")


@dataclass(frozen=True)
class World:
    """Everything that both targets shall serve."""

    subsystems: tuple[nvmet.Subsystem, ...] = ()
    hosts: tuple[nvmet.AllowedHost, ...] = ()
    ports: tuple[nvmet.Port, ...] = ()
    backstores: tuple[lio.Backstore, ...] = ()
    targets: tuple[lio.ScsiTarget, ...] = ()

    def parts(self) -> dict[tuple[str, ...], configfs.Part]:
        """Return the parts of both trees by key."""
        parts = (
            *nvmet.parts(self.subsystems, self.hosts, self.ports),
            *lio.parts(self.backstores, self.targets),
        )
        return {part.key: part for part in parts}

    def tree(self) -> configfs.Tree:
        """Return both trees as one."""
        tree = nvmet.render(self.subsystems, self.hosts, self.ports)
        tree.add(lio.render(self.backstores, self.targets).nodes)
        return tree


def machine() -> FakeKernel:
    """Return a machine with the devices and addresses that the worlds use."""
    kernel = FakeKernel()
    kernel.files.place("/var/lib/sanstone", Directory())
    for minor, name in enumerate(DEVICES):
        kernel.devices.add(name, 252, minor, 1 << 30)
    for link, address in zip(("e0a", "e0b", "e0a"), ADDRESSES, strict=True):
        kernel.host.network.add_address(link, address, 64 if ":" in address else 24)
    kernel.rdma.plug("e0a")
    kernel.host.commands.run(["modprobe", "--all", *FABRIC_MODULES.values()])
    reservations.prepare(kernel.host)
    return kernel


def known(kernel: FakeKernel) -> configfs.Tree:
    """Return the machine's tree, read afresh."""
    tree = nvmet.read(kernel.host)
    tree.add(lio.read(kernel.host).nodes)
    return tree


def exports(kernel: FakeKernel) -> str:
    """Return the content of both targets; a removed CHAP name counts as none."""
    return kernel.configfs.dump().replace(f" = {fabrics.UNSET}\n", " = \n")


def converge(kernel: FakeKernel, world: World) -> list[Failure]:
    """Bring the machine to `world` as a restarted reconciler does."""
    return plan.apply(kernel.host, configfs.plan(known(kernel), world.tree()))


def changes(before: World, after: World) -> list[str]:
    """Return the steps between two worlds, without the root of their paths."""
    steps = configfs.plan(before.tree(), after.tree())
    return [step.text.replace(lio.ROOT + "/", "") for step in steps]


def namespace(nsid: int, device: str, ana_group: int = 1) -> nvmet.Namespace:
    """Return a namespace whose identity follows from its device."""
    identity = uuid.uuid5(uuid.NAMESPACE_OID, device)
    return nvmet.Namespace(
        nsid, f"/dev/{device}", str(identity), identity.hex, ana_group, owner=f"namespace:{device}"
    )


def backstore(
    device: str,
    *,
    read_only: bool = False,
    aptpl: str = "0",
    access: AccessState = AccessState.OPTIMIZED,
    port_group: int = 0,
) -> lio.Backstore:
    """Return a backstore whose name and serial number follow from its device."""
    serial = f"{DEVICES.index(device) + 10:012x}" if device in DEVICES else "0" * 12
    return lio.Backstore(
        f"lun-{device}",
        f"/dev/{device}",
        serial,
        read_only=read_only,
        access=access,
        port_group=port_group,
        attributes={"force_pr_aptpl": aptpl},
        owner=f"lun:{device}",
    )


# A small one, of one LUN at one portal for one initiator.
ACL = fabrics.Acl(INITIATORS[0], fabrics.Authentication("user", "a secret word"), {0: 0})
GROUP = fabrics.PortalGroup(1, InternetAddress(ADDRESSES[0], 3260), {0: "lun-vda"}, (ACL,))
TARGET = lio.ScsiTarget("iqn.2026-11.org.sanstone:vs.1", groups=(GROUP,))
WORLD = World(backstores=(backstore("vda"),), targets=(TARGET,))

_keys = st.sampled_from(["", "DHHC-1:00:b25l:", "DHHC-1:01:dHdv:"])
_states = st.sampled_from(AccessState)


@st.composite
def _subsystem(draw: st.DrawFn, name: str) -> nvmet.Subsystem:
    devices = draw(st.lists(st.sampled_from(DEVICES), unique=True))
    nsids = draw(st.permutations(range(1, len(DEVICES) + 1)))
    return nvmet.Subsystem(
        f"nqn.2026-11.org.sanstone:{name}",
        serial=draw(st.sampled_from(["952a0001", "952a0002"])),
        firmware=draw(st.sampled_from(["1.0", "2.0"])),
        hosts=tuple(draw(st.sets(st.sampled_from(HOSTS)))),
        namespaces=tuple(
            namespace(nsid, device, draw(st.integers(1, 2)))
            for nsid, device in zip(nsids, devices, strict=False)
        ),
        ports=tuple(draw(st.sets(st.sampled_from([1, 2])))),
    )


@st.composite
def _port(draw: st.DrawFn, port_id: int, address: str) -> nvmet.Port:
    peers = draw(st.sets(st.sampled_from(ADDRESSES), max_size=1))
    groups = draw(st.sampled_from([(1,), (1, 2), (2, 3)]))
    return nvmet.Port(
        port_id,
        InternetAddress(address, draw(st.sampled_from([4420, 4421]))),
        ana={group: draw(_states) for group in (1, *groups)},
        referrals=tuple(nvmet.Referral("peer", InternetAddress(peer, 8009)) for peer in peers),
    )


@st.composite
def _group(
    draw: st.DrawFn, tag: int, port: int, address: str, names: list[str]
) -> fabrics.PortalGroup:
    chosen = draw(st.lists(st.sampled_from(names), unique=True)) if names else []
    luns = dict(enumerate(chosen, draw(st.integers(0, 1))))
    acls = []
    for initiator in sorted(draw(st.sets(st.sampled_from(INITIATORS)))):
        mapped = draw(st.dictionaries(st.integers(0, 3), st.sampled_from([*luns]))) if luns else {}
        user = draw(st.sampled_from(["", "one", "two"]))
        secret = f"secret of {user}" if user else ""
        acls.append(fabrics.Acl(initiator, fabrics.Authentication(user, secret), mapped))
    return fabrics.PortalGroup(
        tag,
        address=InternetAddress(address, 3260),
        luns=luns,
        acls=tuple(acls),
        parameters={"MaxConnections": draw(st.sampled_from(["1", "4"]))},
        relative_port=port,
        enabled=draw(st.booleans()),
    )


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Draw a configuration that the kernel accepts as a whole."""
    addresses = draw(st.permutations(ADDRESSES))
    ports = (draw(_port(1, addresses[0])), draw(_port(2, addresses[1])))
    names = draw(st.lists(st.sampled_from(["a", "b", "c"]), unique=True, max_size=3))
    backstores = tuple(
        backstore(
            device,
            read_only=draw(st.booleans()),
            aptpl=draw(st.sampled_from("01")),
            access=draw(_states),
            port_group=draw(st.sampled_from((0, 2))),
        )
        for device in draw(st.lists(st.sampled_from(DEVICES), unique=True))
    )
    luns = [b.name for b in backstores]
    targets = tuple(
        lio.ScsiTarget(
            f"iqn.2026-11.org.sanstone:vs.{number}",
            groups=tuple(
                draw(_group(tag, number * 2 + tag, addresses[tag], luns))
                for tag in sorted(draw(st.sets(st.sampled_from([1, 2]))))
            ),
        )
        for number in sorted(draw(st.sets(st.sampled_from([1, 2]))))
    )
    return World(
        subsystems=tuple(draw(_subsystem(name)) for name in names),
        hosts=tuple(nvmet.AllowedHost(nqn, draw(_keys), draw(_keys)) for nqn in HOSTS),
        ports=ports,
        backstores=backstores,
        targets=targets,
    )
