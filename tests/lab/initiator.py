"""What the administrator of a host does with the kernel's own initiators.

`Iscsi` is open-iscsi and `Srp` the kernel's ib_srp with dm-multipath, `Nvme` is nvme-cli with the
kernel's own multipath. All find their devices by the array's identifiers, never by the order of
discovery, and use the settings of Sanstone's documentation for hosts:

    replacement_timeout   5 s after a path is lost its requests go to another one, or wait in
                          dm-multipath (`no_path_retry queue`)
    fast_io_fail_tmo      the same by SRP, whose `tl_retry_count` is how often a packet is repeated
                          before its path is lost, and which logs in again each `reconnect_delay`:
                          later, or requests wait for an attempt that nobody answers
    ctrl-loss-tmo         -1: reconnect for ever, as iSCSI does
"""

from __future__ import annotations

import json
import re
import shlex
from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from lab import patience
from lab.station import Host

FOR_EVER = "--ctrl-loss-tmo -1"
DISCOVERY = {"tcp": "8009", "rdma": "4420"}
"""By transport: the port at which hosts look for discovery."""
SRP_PORT = 5555
NO_OBJECTS = 21
"""Exit status of iscsiadm(8) when there are no records, targets, sessions or portals."""
# Linux's SCSI target builds the NAA of a LUN from this and its serial number (target_core_spc.c).
NAA_PREFIX = "6001405"
# A device that goes while udev looks into it leaves read errors in the log.
SETTLED = "udevadm settle"


class Path(NamedTuple):
    """One way to the array: the host's address on it, and its state as the host's tools say."""

    address: str
    state: str


class Multipath(ABC):
    """An initiator of SCSI in a host, and dm-multipath, which joins the paths to LUNs."""

    protocol: str
    """What igroups of its names are for."""

    def __init__(self, host: Host) -> None:
        self.host = host

    @property
    @abstractmethod
    def names(self) -> list[str]:
        """What an igroup has to list for the host."""

    @abstractmethod
    def log_out(self) -> None:
        """End all sessions, if there are any."""

    def device(self, serial: str) -> str:
        """Return the multipath device of the LUN with this serial number, once it is there."""
        path = f"/dev/disk/by-id/dm-uuid-mpath-3{NAA_PREFIX + serial:0<32}"
        return _wait_for_device(self.host, path)

    def paths(self, device: str) -> list[Path]:
        """Return the ways to a multipath device."""
        return [
            Path(path["host_adapter"], f"{path['dm_st']} {path['chk_st']}")
            for path in self._path_records(device)
        ]

    def path_devices(self, device: str) -> list[str]:
        """Return the SCSI disks, for example "sda", that a multipath device joins."""
        return [path["dev"] for path in self._path_records(device)]

    def rescan(self, device: str) -> None:
        """Rescan a LUN for its new size; Linux's SCSI target does not announce it."""
        disks = " ".join(self.path_devices(device))
        self.host.run(f'for each in {disks}; do echo 1 > "/sys/block/$each/device/rescan"; done')
        self._resize(device)

    def _resize(self, device: str) -> None:
        self.host.run(f"multipathd resize map $(basename $(realpath {device}))")

    def single_disk(self, serial: str) -> str:
        """Return the SCSI disk of a LUN to which there is one path. Raises ValueError for more."""
        [disk] = self.path_devices(self.device(serial))
        return f"/dev/{disk}"

    def _path_records(self, device: str) -> list[dict[str, Any]]:
        name = self.host.run(f"dmsetup info --columns --noheadings -o name {device}").strip()
        shown = json.loads(self.host.run(f"multipathd show map {name} json"))["map"]
        return [path for group in shown["path_groups"] for path in group["paths"]]


class Iscsi(Multipath):
    """open-iscsi and dm-multipath in a host."""

    protocol = "iscsi"

    @property
    def name(self) -> str:
        """The host's iSCSI name."""
        line = self.host.run("cat /etc/iscsi/initiatorname.iscsi")
        return line.strip().removeprefix("InitiatorName=")

    @property
    def names(self) -> list[str]:
        """What an igroup has to list for the host."""
        return [self.name]

    def discover(self, address: str, interface: str = "default") -> list[tuple[str, str]]:
        """Send a portal SendTargets, and return (address, target) of each portal in its answer.

        Logins go by an interface of open-iscsi's: `default` is TCP, `iser` is RDMA.
        """
        output = self.host.run(
            f"iscsiadm --mode discovery --type sendtargets --portal {address} -I {interface}"
        )
        portals = re.findall(r"^(\S+):3260,\d+ (\S+)$", output, re.MULTILINE)
        self.set("node.session.timeo.replacement_timeout", "5")
        return [(address, target) for address, target in portals]

    def set(self, setting: str, value: str) -> None:
        """Set a value of all discovered portals, for the next login."""
        words = [setting, "--value", value]
        self.host.run(f"iscsiadm --mode node --op update --name {shlex.join(words)}")

    def log_in(self) -> None:
        """Log in to all discovered portals. Raises GuestCommandFailed."""
        self.host.run("iscsiadm --mode node --loginall all")

    def log_in_at(self, address: str, interface: str) -> None:
        """Log in to the targets discovered at an address, by an interface of open-iscsi's.

        Raises GuestCommandFailed.
        """
        self.host.run(f"iscsiadm --mode node --login --portal {address} -I {interface}")

    def log_out(self) -> None:
        """End all sessions, if there are any, and forget the discovered targets."""
        if self.host.attempt("iscsiadm --mode session").status != NO_OBJECTS:
            self.host.run(SETTLED)
            self.host.run("multipath -F")
            self.host.run("iscsiadm --mode node --logoutall all")
        if self.host.attempt("iscsiadm --mode node").status != NO_OBJECTS:
            self.host.run("iscsiadm --mode node --op delete")

    def rescan(self, device: str) -> None:
        """Rescan a LUN for its new size."""
        self.host.run("iscsiadm --mode session --rescan")
        self._resize(device)


class Srp(Multipath):
    """The kernel's initiator for SRP and dm-multipath in a host. It connects by RDMA/CM.

    Each of the host's ports is an initiator: it is named after the last half of the first address
    of the RDMA device there, `roce_<port>`.
    """

    protocol = "srp"
    _SETTINGS = {"fast_io_fail_tmo": "5", "reconnect_delay": "10", "dev_loss_tmo": "off"}

    @property
    def names(self) -> list[str]:
        """What an igroup has to list for the host."""
        first = self.host.run("cat /sys/class/infiniband/roce_d*/ports/1/gids/0")
        return [f"0x{''.join(gid.split(':')[4:]):0>32}" for gid in first.split()]

    def connect(self, port: str, target: str, address: str) -> None:
        """Log in from a port to a target at an address. Raises GuestCommandFailed."""
        self.host.run("modprobe ib_srp")
        for name, value in self._SETTINGS.items():
            self.host.run(f"echo {value} > /sys/module/ib_srp/parameters/{name}")
        login = f"id_ext={target},ioc_guid={target},dest={address}:{SRP_PORT},tl_retry_count=2"
        self.host.run(f"echo {login} > /sys/class/infiniband_srp/srp-roce_{port}-1/add_target")

    def log_out(self) -> None:
        """End all sessions, if there are any."""
        self.host.run(SETTLED)
        self.host.run("multipath -F")
        targets = "/sys/class/srp_remote_ports/*/delete"
        self.host.run(f"for each in {targets}; do ! test -e $each || echo 1 > $each; done")


class Nvme:
    """nvme-cli in a host, over `transport`: tcp or rdma, or fc, with its addresses in `place`."""

    def __init__(self, host: Host, transport: str = "tcp") -> None:
        self.host = host
        self.transport = transport

    @property
    def name(self) -> str:
        """The host's NQN."""
        return self.host.run("cat /etc/nvme/hostnqn").strip()

    def discover(self, address: str, port: str = "") -> list[dict[str, Any]]:
        """Ask an address and return the records of its discovery log.

        Without a port it is the one that hosts try first.
        """
        place = self.place(address, port or DISCOVERY.get(self.transport, ""))
        shown = self.host.run(f"nvme discover {place} -o json")
        records: list[dict[str, Any]] = json.loads(shown)["records"]
        return records

    def connect(self, address: str) -> None:
        """Connect to all subsystems that `address` lists, also at other addresses."""
        command = f"nvme connect-all --transport {self.transport}"
        self.host.run(f"{command} --traddr {address} {FOR_EVER}")

    def connect_to(self, subsystem: str, address: str, *options: str) -> None:
        """Connect to one subsystem at one address. Raises GuestCommandFailed."""
        place = self.place(address, "4420")
        words = shlex.join(options)
        self.host.run(f"nvme connect --nqn {subsystem} {place} {FOR_EVER} {words}")

    def place(self, address: str, port: str) -> str:
        """Return the options of nvme-cli that name the controller."""
        return f"--transport {self.transport} --traddr {address} --trsvcid {port}"

    def disconnect(self) -> None:
        """End all connections."""
        self.host.run(SETTLED)
        self.host.run("nvme disconnect-all")

    def device(self, uuid: str) -> str:
        """Return the device of the namespace with this UUID, once it is there."""
        return _wait_for_device(self.host, f"/dev/disk/by-id/nvme-uuid.{uuid}")

    def paths(self, device: str) -> list[Path]:
        """Return the ways to a namespace; one that connects does not say yet how good it is."""
        listed = json.loads(self.host.run(f"nvme list-subsys $(realpath {device}) -o json"))
        paths = [path for subsystem in listed[0]["Subsystems"] for path in subsystem["Paths"]]
        return [
            Path(_source(path["Address"]), f"{path['State']} {path.get('ANAState', '')}".strip())
            for path in paths
        ]


def _source(address: str) -> str:
    """Return the host's end of an address as nvme-cli writes it, '' of a path that connects."""
    return dict(part.split("=", 1) for part in address.split(",")).get("src_addr", "")


def _wait_for_device(host: Host, path: str) -> str:
    """Return `path` once udev has created it. Raises GuestCommandFailed when it does not come."""
    host.run(f"udevadm wait --timeout={patience.SECONDS:.0f} {path}")
    return path
