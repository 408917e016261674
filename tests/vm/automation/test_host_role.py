"""Ansible from an array's disks to a host's file systems, by the roles `provision` and `host`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ansible_here
import pytest

from lab import guest, paths
from lab.administrator import DATA_LIFS, POLICIES, Administrator, Record
from lab.api import CERTIFICATE
from lab.initiator import Iscsi, Nvme
from lab.patience import eventually
from lab.station import Array, Host, Station

BOOK = Path(__file__).with_name("provision_host.yml")
INITIATOR = "iqn.2026-11.org.sanstone.lab:automated"
MOUNTS = ("/srv/lun", "/srv/namespace")
WRITTEN = "find /srv/lun /srv/namespace -name data -exec sha256sum {} +"
TRACES = (
    "ls -d /etc/multipath/conf.d/sanstone.conf /var/lib/iscsi/nodes/*/ /etc/nvme/config.json "
    "/etc/modules-load.d/sanstone-nvme.conf /etc/udev/rules.d/71-sanstone-nvme.rules "
    "/srv/lun /srv/namespace; cat /etc/nvme/discovery.conf /etc/fstab | grep -v '^#'"
)
"""Prints the traces of the role on a host."""


STRICT = "/etc/multipath/conf.d/as-installed.conf"
AS_INSTALLED = "defaults {\\n find_multipaths strict\\n}"
"""multipathd's own default, which the lab's hosts do not have."""


class Control:
    """Ansible, on the machine that tests run on: the array by HTTPS, the host by SSH."""

    def __init__(self, folder: Path, station: Station, variables: dict[str, Any]) -> None:
        self._folder = folder
        certificate = folder / "array.pem"
        certificate.write_text(station.array.run(f"cat {CERTIFICATE}"))
        self._variables = folder / "variables.json"
        self._variables.touch(mode=0o600)
        self._variables.write_text(json.dumps(variables))
        self._secrets = [
            text for name, text in variables.items() if name.endswith(("_password", "_key"))
        ]
        (port,) = station.host().machine.hardware.forwards
        reached = f"ansible_port={port} ansible_user=root"
        reached += f" ansible_ssh_private_key_file={guest.SSH_KEY}"
        reached += " ansible_python_interpreter=/usr/bin/python3"
        self._inventory = f"{ansible_here.LOCALHOST}\nhost1 ansible_host=127.0.0.1 {reached}\n"
        self._environment = {
            "ANSIBLE_HOST_KEY_CHECKING": "false",
            "ANSIBLE_PIPELINING": "true",
            "ANSIBLE_SSH_CONTROL_PATH_DIR": str(paths.socket_directory(folder)),
            "PYTHONPATH": str(paths.REPOSITORY / "api"),
            "SANSTONE_URL": station.array.url.rstrip("/"),
            "SANSTONE_USER": "admin",
            "SANSTONE_PASSWORD": station.rack.password,
            "SANSTONE_CA_PATH": str(certificate),
        }

    def play(self, host: str, *options: str, **variables: str) -> int:
        """Play the book's part for a host, and return how many tasks changed something."""
        options += ("-l", host, "-e", f"@{self._variables}", "-e", json.dumps(variables))
        result, text = ansible_here.play(
            self._folder, BOOK, self._inventory, *options, environment=self._environment
        )
        assert not [secret for secret in self._secrets if secret in text]
        return int(result["stats"][host]["changed"])


@pytest.fixture
def keys(host: Host) -> list[str]:
    """The host's key of DH-HMAC-CHAP, and the array's."""
    return [host.run(f"nvme gen-dhchap-key --nqn {Nvme(host).name}").strip() for _ in range(2)]


@pytest.fixture
def control(
    array: Array, host: Host, station: Station, keys: list[str], tmp_path: Path
) -> Iterator[Control]:
    """Ansible with the book's inventory; afterwards host and array are as they were."""
    host.run(f"mkdir -p /etc/multipath/conf.d && printf '{AS_INSTALLED}' > {STRICT}")
    host.run("systemctl reload multipathd")
    nqn = Nvme(host).name
    interfaces = [
        {
            "name": name,
            "port": port,
            "address": address,
            "service_policy": POLICIES[name.partition("_")[0]],
        }
        for name, (port, address) in DATA_LIFS.items()
    ]
    yield Control(
        tmp_path,
        station,
        {
            "interfaces": interfaces,
            "initiator": INITIATOR,
            "nqn": nqn,
            "host_password": "a secret of host1",
            "array_password": "a secret of array1",
            "host_key": keys[0],
            "array_key": keys[1],
        },
    )
    host.run("/usr/lib/sanstone-lab/identity && systemctl restart iscsid")
    host.run(f"rm {STRICT} && systemctl reload multipathd")
    admin = Administrator(array.api)
    for path in ("protocols/san/igroups", "protocols/nvme/subsystems"):
        for group in array.api.get(path)["records"]:
            allowed = {"allow_delete_while_mapped": "true"}
            if "nvme" in path:
                allowed["allow_delete_with_hosts"] = "true"
            admin.remove(path, group, **allowed)
    for volume in array.api.get("storage/volumes")["records"]:
        admin.remove("storage/volumes", volume)
    path = "protocols/san/iscsi/credentials"
    for credential in array.api.get(path, initiator=INITIATOR, fields="svm")["records"]:
        array.api.delete(f"{path}/{credential['svm']['uuid']}/{INITIATOR}")


def record_by_name(array: Array, path: str, name: str) -> Record:
    """Return an object of the book's on the array."""
    records: list[Record] = array.api.get(path, name=name, fields="*")["records"]
    [record] = records
    return record


def test_from_disks_to_file_systems_and_back(array: Array, host: Host, control: Control) -> None:
    # That the array's part tries first, and changes nothing again, clients' tests show.
    assert control.play("localhost")
    lun = record_by_name(array, "storage/luns", "/vol/automated/automated")
    namespace = record_by_name(array, "storage/namespaces", "/vol/automated_nvme/automated_nvme")
    subsystem = record_by_name(array, "protocols/nvme/subsystems", "automated_nvme")
    variables = {
        "lun_serial_number": lun["serial_number"],
        "namespace_uuid": namespace["uuid"],
        "subsystem_nqn": subsystem["target_nqn"],
    }

    before = host.attempt(TRACES).out
    assert control.play("host1", "--check", **variables)
    assert host.attempt(TRACES).out == before

    assert control.play("host1", **variables)
    host.run(" && ".join(f"dd if=/dev/urandom of={path}/data bs=1M count=4" for path in MOUNTS))
    written = host.run(WRITTEN)
    assert len(written.splitlines()) == len(MOUNTS)
    disk = Iscsi(host).device(lun["serial_number"])
    eventually(lambda: [path.state for path in Iscsi(host).paths(disk)] == ["active ready"] * 2)
    shown = "cat /sys/class/nvme/nvme*/ctrl_loss_tmo"
    eventually(lambda: host.run(shown).split() == ["off"] * 2)

    assert not control.play("host1", **variables)
    host.run("sync && echo 3 > /proc/sys/vm/drop_caches")
    assert host.run(WRITTEN) == written

    variables["host_state"] = "absent"
    assert control.play("host1", **variables)
    assert host.attempt(TRACES).out == before
    assert not control.play("host1", "--check", **variables)
