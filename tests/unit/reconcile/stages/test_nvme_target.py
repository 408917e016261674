"""Hosts that may not be connected any more, or not so, are disconnected; keys of TLS are kept."""

from __future__ import annotations

from pathlib import Path

from scenarios import aggregate, svm
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

        def served(key: str) -> bool:
            wanted = tls_keys.keys(tls_keys.HostKey(HOST, nqn, key)) if key else {}
            directory = "tls_hosts" if key else "allowed_hosts"
            return keyring.keys == wanted and files.exists(link.format(directory))

        assert served(KEY)
        array.do("PATCH", place, {"tls": {"configured_psk": OTHER_KEY}})
        assert served(OTHER_KEY)
        array.reboot()
        array.settle()
        assert served(OTHER_KEY)
        array.do("PATCH", place, {"tls": {"key_type": "none"}})
        assert served("")
        folder = connect(array, nqn)
        array.do("PATCH", place, {"tls": {"key_type": "configured", "configured_psk": KEY}})
        assert files.read(f"{folder}/state") == "fatal", "it came without TLS"
        assert served(KEY)
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
        refused = array.call("DELETE", place)
        assert refused.status_code == 500
        assert array.call("GET", place).status_code == 200, "the change is taken back"
        array.kernel.interrupt.clear()
        array.do("DELETE", place)
        assert array.kernel.files.read(f"{folder}/state") == "fatal"
