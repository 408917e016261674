"""NVMe over Fibre Channel within an array: target ports of nvme-fcloop, and initiators beside them.

Host and target are one kernel there: the host is the array's own nvme-cli, and a power cut takes
both. A pair is a target port, which has the names of a Fibre Channel port of the array's, and an
initiator's port that sees it and no other.

What nvme-fcloop does is in drivers/nvme/target/fcloop.c.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lab.administrator import Administrator, Record
from lab.fc_ports import INTERFACES, add_interface, fc_ports
from lab.initiator import Nvme
from lab.patience import eventually
from lab.station import Host

CONTROL = "/sys/class/fcloop/ctl"
NVME_INITIATOR, NVME_TARGET = 0x10, 0x60
"""Roles of a port: FC_PORT_ROLE_NVME_* (include/linux/nvme-fc.h)."""
MODULES = "modprobe -a nvmet-fc nvme-fc nvme-fcloop"
AUTOMATIC = "nvmf-connect@.service"
"""What udev's rule of nvme-cli starts when a port sees another."""


@dataclass(frozen=True)
class Pair:
    """A target port and the initiator's port that sees it: 16 hexadecimal digits each."""

    node: str
    port: str
    initiator_node: str
    initiator: str

    @property
    def address(self) -> str:
        """What the host connects to."""
        return f"nn-0x{self.node}:pn-0x{self.port}"

    @property
    def source(self) -> str:
        """The host's end."""
        return f"nn-0x{self.initiator_node}:pn-0x{self.initiator}"


def pair(number: int, port: Record) -> Pair:
    """Return the pair of a Fibre Channel port; `number` distinguishes the initiators' ports."""
    node, name = (port[key].replace(":", "") for key in ("wwnn", "wwpn"))
    return Pair(node, name, f"10001100aa0000{number:02x}", f"20001100aa0000{number:02x}")


class Loop(Nvme):
    """nvme-cli in an array that is its own host, over the pairs that it has."""

    def __init__(self, host: Host, *pairs: Pair) -> None:
        super().__init__(host, "fc")
        self.pairs = pairs

    @property
    def name(self) -> str:
        """The host's NQN."""
        return "nqn.2014-08.org.nvmexpress:uuid:5ace1009-0000-4000-8000-000000000001"

    def plug(self) -> None:
        """Make the ports; each initiator sees its target."""
        # Its rule would connect to a port before a subsystem is served there.
        self.host.run(f"systemctl mask --runtime {AUTOMATIC}; {MODULES}")
        for each in self.pairs:
            initiator = f"wwnn=0x{each.initiator_node},wwpn=0x{each.initiator}"
            self._tell("add_local_port", f"{initiator},roles={NVME_INITIATOR:#x}")
            target = f"wwnn=0x{each.node},wwpn=0x{each.port}"
            self._tell("add_target_port", target)
            source = f"lpwwnn=0x{each.initiator_node},lpwwpn=0x{each.initiator}"
            self._tell("add_remote_port", f"{target},{source},roles={NVME_TARGET:#x}")

    def leave(self) -> None:
        """Leave the ports as they are: they go with the next boot, and it is not safe before."""
        self.host.run(f"systemctl unmask --runtime {AUTOMATIC}")

    def lose_sight(self, each: Pair) -> None:
        """Have an initiator see its target no more, as when its cable is pulled.

        It stays so until the next boot: nvme-fcloop forgets the target port then, which goes on,
        and a new one of its name would be a second one (__unlink_remote_port()).
        """
        self._tell("del_remote_port", f"wwnn=0x{each.node},wwpn=0x{each.port}")

    def connect_all(self, subsystem: str) -> None:
        """Connect to a subsystem at all target ports. Raises GuestCommandFailed."""
        for each in self.pairs:
            self.connect_to(subsystem, each.address)

    def place(self, address: str, port: str) -> str:
        """Return the options of nvme-cli that name the controller and the host."""
        [source] = [each.source for each in self.pairs if each.address == address]
        return f"--transport fc --traddr {address} --host-traddr {source} --hostnqn {self.name}"

    def _tell(self, order: str, text: str) -> None:
        self.host.run(f"echo {text} > {CONTROL}/{order}")


@contextmanager
def nvme_interfaces(admin: Administrator) -> Iterator[list[Record]]:
    """Have an interface of the SVM's, by NVMe, at each of the array's Fibre Channel ports.

    They have target ports of nvme-fcloop by then, or will have.
    """
    both = ["fc_nvme", "fcp"]
    eventually(lambda: all(each["supported_protocols"] == both for each in fc_ports(admin)))
    interfaces = [
        add_interface(admin, port, f"nvme_fc_{number}", "fc_nvme")
        for number, port in enumerate(fc_ports(admin), 1)
    ]
    yield interfaces
    for each in interfaces:
        admin.remove(INTERFACES, each)


def carry(program: str, source: Host, target: Host) -> None:
    """Have a program of one machine's in another one, with its libraries, until that is off.

    The images of both are of one release. What the other machine has of the libraries stays.
    """
    files = f"$(command -v {program}) $(ldd $(command -v {program}) | grep -o '/[^ ]*')"
    packed = source.run(f"tar --create --dereference --gzip {files} 2> /dev/null | base64")
    unpack = "base64 --decode | tar --extract --gzip --skip-old-files --directory /"
    target.run(unpack, stdin=packed.encode())
