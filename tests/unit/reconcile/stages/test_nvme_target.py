"""Hosts that may not be connected any more, or not like this, are disconnected; discovery lists
every path; keys of TLS are kept."""

from __future__ import annotations

import re
from pathlib import Path

from scenarios import aggregate, delete, fabric, patch, svm
from simulator import Simulator, simulated

from fakes.files import Text
from sanstone.kernel.host import FileError
from sanstone.kernel.target import sessions, tls_keys

HOST = "nqn.2014-08.org.nvmexpress:uuid:5a000000-0000-4000-8000-000000000001"
SUBSYSTEMS = "protocols/nvme/subsystems"


def connect(array: Simulator, nqn: str) -> str:
    """Let the host show up in debugfs; return its folder there."""
    folder = f"{sessions.DEBUG}/{nqn}/ctrl1"
    for name, text in {
        "hostnqn": HOST,
        "port": "1\n",
        "state": "ready\n",
        "kato": "15\n",
    }.items():
        array.kernel.files.place(f"{folder}/{name}", Text(text))
    array.kernel.files.place(f"{folder}/host_traddr", Text("10.10.1.101\n"))
    return folder


KEY = "NVMeTLSkey-1:01:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+KfiaR:"
OTHER_KEY = "NVMeTLSkey-1:01:VRLbtnN9AQb2WXW3c9+wEf/DRLz0QuLdbYvEhwtdWwNf9LrZ:"


def test_keys_of_tls_come_change_and_go_with_their_host(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        aggregate(array)
        svm(array)
        array.do("POST", "protocols/nvme/services", {"svm.name": "svm1"})
        host = {"nqn": HOST, "tls": {"configured_psk": KEY}}
        body = {"svm.name": "svm1", "name": "s1", "os_type": "linux", "hosts": [host]}
        subsystem = array.make(f"{SUBSYSTEMS}?fields=target_nqn", body)
        nqn, place = (
            subsystem["target_nqn"],
            f"{SUBSYSTEMS}/{subsystem['uuid']}/hosts/{HOST}",
        )
        link = f"/sys/kernel/config/nvmet/subsystems/{nqn}/{{}}/{HOST}"
        files, keyring = array.kernel.host.files, array.kernel.keyring

        def is_in_effect(key: str) -> bool:
            keys = tls_keys.keys(tls_keys.HostKey(HOST, nqn, key)) if key else {}
            is_bound = files.exists(link.format("tls_hosts"))
            is_allowed = files.exists(link.format("allowed_hosts"))
            return keyring.keys == keys and is_allowed and is_bound == bool(key)

        assert is_in_effect(KEY)
        array.do("PATCH", place, {"tls": {"configured_psk": OTHER_KEY}})
        assert is_in_effect(OTHER_KEY)
        array.reboot()
        array.settle()
        assert is_in_effect(OTHER_KEY)
        array.do("PATCH", place, {"tls": {"key_type": "none"}})
        assert is_in_effect("")
        folder = connect(array, nqn)
        array.do("PATCH", place, {"tls": {"key_type": "configured", "configured_psk": KEY}})
        assert files.read(f"{folder}/state") == "fatal", "it came without TLS"
        assert is_in_effect(KEY)
        array.do("DELETE", place)
        assert keyring.keys == {}


def test_a_host_that_cannot_be_disconnected_fails_the_job_alone(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        aggregate(array)
        svm(array)
        array.do("POST", "protocols/nvme/services", {"svm.name": "svm1"})
        body = {
            "svm.name": "svm1",
            "name": "s1",
            "os_type": "linux",
            "hosts": [{"nqn": HOST}],
        }
        subsystem = array.make(f"{SUBSYSTEMS}?fields=target_nqn", body)
        folder = connect(array, subsystem["target_nqn"])
        array.kernel.fail_when(
            lambda step: f"{folder}/state" in step, FileError("write", folder, 5)
        )
        place = f"{SUBSYSTEMS}/{subsystem['uuid']}/hosts/{HOST}"
        response = array.call("DELETE", place)
        assert response.status_code == 500
        assert array.call("GET", place).status_code == 200, "the change is taken back"
        array.kernel.interrupt.clear()
        array.do("DELETE", place)
        assert array.kernel.files.read(f"{folder}/state") == "fatal"


LIFS = "network/ip/interfaces"


def referred(array: Simulator) -> set[tuple[str, str]]:
    """Return from which address hosts are referred to which."""
    ports = {}
    referrals = set()
    for path, value in re.findall(
        r"nvmet/(ports/\S+)/addr_traddr = (\S+)", array.kernel.configfs.dump()
    ):
        port, _, referral = path.partition("/referrals/")
        if referral:
            referrals.add((port, value))
        else:
            ports[port] = value
    return {(ports[port], value) for port, value in referrals}


def add_lif(array: Simulator) -> None:
    """Add a third LIF."""
    body = {"svm.name": "svm1", "name": "lif3", "ip": {"address": "10.10.1.3", "netmask": "24"}}
    body |= {"location.home_port.name": "e0a", "service_policy": "default-data-blocks"}
    array.do("POST", LIFS, body)


def test_hosts_are_referred_to_a_lif_after_the_firewall_lets_them_in(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        fabric(array)
        pair = {("10.10.1.1", "10.10.2.1"), ("10.10.2.1", "10.10.1.1")}
        assert referred(array) == pair
        array.kernel.interrupt.log.clear()
        add_lif(array)
        steps = array.kernel.interrupt.log
        [opened] = [
            n for n, s in enumerate(steps) if s.startswith("nft") and "10.10.1.3 . 4420" in s
        ]
        referral_steps = [n for n, s in enumerate(steps) if "/referrals/" in s and "10.10.1.3" in s]
        assert referral_steps
        assert min(referral_steps) > opened
        third = {("10.10.1.3", a) for a in ("10.10.1.1", "10.10.2.1")}
        assert referred(array) == pair | third | {(to, of) for of, to in third}
        delete(LIFS, "lif3")(array)
        assert referred(array) == pair


def test_referrals_stay_over_starts(tmp_path: Path) -> None:
    """Each change of a referral has hosts connect anew."""
    with simulated(tmp_path) as array:
        fabric(array)
        before = referred(array)
        array.kernel.interrupt.log.clear()
        array.start()
        array.settle()
        array.reconciler.verify_all()
        array.settle()
        assert referred(array) == before
        assert not [step for step in array.kernel.interrupt.log if "/referrals/" in step]
        array.reboot()
        array.settle()
        assert referred(array) == before


def test_a_lif_that_changes_its_address_is_referred_to_when_it_is_open(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        fabric(array)
        array.kernel.interrupt.log.clear()
        patch(LIFS, "lif2", {"ip.address": "10.10.2.7"})(array)
        steps = array.kernel.interrupt.log
        [opened] = [
            n for n, s in enumerate(steps) if s.startswith("nft") and "10.10.2.7 . 4420" in s
        ]
        assert referred(array) == {("10.10.1.1", "10.10.2.7"), ("10.10.2.7", "10.10.1.1")}
        referral_steps = [n for n, s in enumerate(steps) if "/referrals/" in s and "10.10.2.7" in s]
        assert referral_steps
        assert min(referral_steps) > opened
