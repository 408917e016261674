"""Hosts that may not be connected any more are disconnected."""

from __future__ import annotations

from pathlib import Path

from scenarios import aggregate, svm
from simulator import Simulator, simulated

from fakes.files import Text
from sanstone.kernel.host import FileError
from sanstone.kernel.target import sessions

HOST = "nqn.2014-08.org.nvmexpress:uuid:5a000000-0000-4000-8000-000000000001"
SUBSYSTEMS = "protocols/nvme/subsystems"


def connect(array: Simulator, nqn: str) -> str:
    """Let the host show up in debugfs; return its folder there."""
    folder = f"{sessions.DEBUG}/{nqn}/ctrl1"
    for name, text in {"hostnqn": HOST, "port": "1\n", "state": "ready\n", "kato": "15\n"}.items():
        array.kernel.files.place(f"{folder}/{name}", Text(text))
    array.kernel.files.place(f"{folder}/host_traddr", Text("10.10.1.101\n"))
    return folder


def test_a_host_that_cannot_be_disconnected_fails_the_job_alone(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        aggregate(array)
        svm(array)
        array.do("POST", "protocols/nvme/services", {"svm.name": "svm1"})
        body = {"svm.name": "svm1", "name": "s1", "os_type": "linux", "hosts": [{"nqn": HOST}]}
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
