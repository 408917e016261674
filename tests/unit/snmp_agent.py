"""net-snmp's own agent and receiver of traps, as processes of this machine, for an array in memory.

The agent has the settings that the array wrote, but for the ports, which are of loopback alone.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from simulator import Simulator

from lab.patience import eventually
from sanstone.core import places
from sanstone.reconcile import snmp_settings

MIBS = Path(__file__).parents[2] / "overlay/usr/share/snmp/mibs"
PASSWORDS = {"authentication_password": "a signing secret", "privacy_password": "a hiding secret"}
AS_ALICE = (
    *("-v", "3", "-u", "alice", "-l", "authPriv", "-a", "SHA-256", "-x", "AES"),
    *("-A", PASSWORDS["authentication_password"], "-X", PASSWORDS["privacy_password"]),
)
AS_PUBLIC = ("-v", "2c", "-c", "public")


@dataclass
class Agent:
    """An agent that runs; `traps` is the port of loopback to which its traps go."""

    array: Simulator
    folder: Path
    port: int
    traps: int

    def settings(self) -> str:
        """Return the settings of the array, with the ports of this test."""
        text = self.array.kernel.files.read(str(places.snmp_settings())) + "\n"
        any_address = f"agentAddress udp:{snmp_settings.PORT},udp6:{snmp_settings.PORT}"
        assert any_address in text
        text = text.replace(any_address, f"agentAddress udp:127.0.0.1:{self.port}")
        return text.replace(f":{snmp_settings.TRAP_PORT}", f":{self.traps}")

    def ask(self, program: str, who: Sequence[str], *oids: str) -> subprocess.CompletedProcess[str]:
        """Ask the agent by a program of net-snmp's, which prints values as they are."""
        command = [program, "-On", "-OQ", "-Oe", "-r", "300", "-t", "10", *who]
        return subprocess.run(
            [*command, f"127.0.0.1:{self.port}", *oids],
            env=environment(self.folder, "client"),
            capture_output=True,
            text=True,
            check=False,
        )

    def walk(self, who: Sequence[str], oid: str) -> dict[str, str]:
        """Return all values below an object."""
        process = self.ask("snmpbulkwalk", who, oid)
        assert process.returncode == 0, process.stderr
        lines = (line for line in process.stdout.splitlines() if "No more variables" not in line)
        pairs = (line.split(" = ", 1) for line in lines)
        return {oid: json.loads(text) if text.startswith('"') else text for oid, text in pairs}


def environment(folder: Path, name: str) -> dict[str, str]:
    """Return the environment of a program of net-snmp's that reads and keeps nothing elsewhere."""
    place = folder / name
    place.mkdir(exist_ok=True)
    where = {"SNMPCONFPATH": str(place), "SNMP_PERSISTENT_DIR": str(place / "kept"), "MIBS": ""}
    return {**os.environ, **where}


def free_port() -> int:
    """Return a UDP port of loopback that nobody uses."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def agent(array: Simulator, folder: Path, traps: int) -> Iterator[Agent]:
    """Run the agent with the array's settings, and the array's subagent."""
    snmp_agent = Agent(array, folder, free_port(), traps)
    variables = environment(folder, "agent")
    (folder / "agent/snmpd.conf").write_text(snmp_agent.settings())
    places.snmp_agent().parent.mkdir(exist_ok=True)
    subagent = [
        sys.executable,
        "-c",
        "from sanstone.reconcile.tasks import snmp_subagent as s; s.main()",
    ]
    with ExitStack() as running:
        running.enter_context(
            _process([_program("snmpd"), "-f", "-Lo"], variables, folder / "agent.log")
        )
        eventually(lambda: places.snmp_agent().is_socket())
        running.enter_context(_process(subagent, dict(os.environ), folder / "subagent.log"))
        yield snmp_agent


@contextmanager
def receiver(folder: Path, settings: str) -> Iterator[tuple[int, Path]]:
    """Run a receiver of traps; give its port, and the file to which it writes them."""
    port, log = free_port(), folder / "traps.log"
    variables = environment(folder, "receiver")
    (folder / "receiver/snmptrapd.conf").write_text(settings)
    form = ["-On", "-OQ", "-Oe", "-F", "%v %w\\n"]
    command = [_program("snmptrapd"), "-f", "-Lo", *form, f"udp:{port}"]
    with _process(command, variables, log):
        yield port, log


@contextmanager
def _process(command: Sequence[str], env: dict[str, str], log: Path) -> Iterator[None]:
    """Run a program, whose output goes to a file, and end it."""
    with (
        log.open("w") as output,
        subprocess.Popen(command, env=env, stdout=output, stderr=output) as process,
    ):
        try:
            yield
            assert process.poll() is None, log.read_text()
        finally:
            process.terminate()


def _program(name: str) -> str:
    """Return the path of a program, which is not in everybody's PATH."""
    return f"/usr/sbin/{name}"
