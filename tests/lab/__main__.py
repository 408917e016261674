"""The lab's command line, on which `make run` and `make stop` stand.

    python3 -m lab [--rack NAME] run [--hosts N] [--https-port N] … [--password TEXT]
    python3 -m lab [--rack NAME] stop
    python3 -m lab [--rack NAME] status
    python3 -m lab [--rack NAME] exec array|host [SCRIPT]      (bash, as root; else standard input)
    python3 -m lab build

Without a name it is the rack of `make run`; other racks run beside it, on ports of their own.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from lab import commands, dependencies, engine, environment, image, paths
from lab.agent import GuestTimeout
from lab.api import CERTIFICATE, Api, Refused
from lab.image import Image
from lab.machine import Machine, MachineError
from lab.process import StartFailed
from lab.rack import SERVICES, Rack, free_port, is_free

USUAL_PORTS = {"https": 8443, "ssh": 8022, "iscsi": 13260, "nvme": 14420}
SERVE_SECONDS = 300


def main() -> int:
    """Run one command and return its exit status."""
    options = _parse()
    directory = paths.LAB / options.rack if options.rack else paths.LAB
    try:
        if options.command == "build":
            dependencies.install_missing()
            image.ensure()
            return 0
        if options.command == "run":
            return _run(directory, options)
        rack = Rack(directory)
        if options.command == "stop":
            rack.stop()
            return 0
        if options.command == "status":
            return _status(rack)
        return _execute(rack, options.machine, options.script)
    except (commands.CommandFailed, MachineError, StartFailed, GuestTimeout) as error:
        print(error, file=sys.stderr)
        return 1


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="lab", description="Sanstone's machines in QEMU.")
    parser.add_argument("--rack", default="", help="a set of machines of its own")
    verbs = parser.add_subparsers(dest="command", required=True)
    run = verbs.add_parser("run", help="boot an array, wait until it serves, print how to reach it")
    run.add_argument("--hosts", type=int, default=0, help="how many initiator hosts to boot too")
    run.add_argument("--password", default="", help="of the account admin, at the first boot")
    for name in SERVICES:
        run.add_argument(f"--{name}-port", type=int, default=0, metavar="PORT")
    verbs.add_parser("stop", help="shut down the machines")
    verbs.add_parser("status", help="show which machines run")
    execute = verbs.add_parser("exec", help="run a bash script as root in a machine")
    execute.add_argument("machine", help="array, host, host2, …")
    execute.add_argument("script", nargs="?", help="standard input if not given")
    verbs.add_parser("build", help="build what is stale of the images")
    return parser.parse_args()


def _run(directory: Path, options: argparse.Namespace) -> int:
    dependencies.install_missing()
    images = image.ensure(image.ROLES if options.hosts else ("array",))
    rack = _rack(directory, options)
    machines = [(rack.array, images["array"])]
    machines += [(rack.host(number), images["host"]) for number in range(1, options.hosts + 1)]
    already = [machine for machine, _ in machines if machine.running]
    for machine, wanted in machines:
        if machine.running:
            _tell_running(machine, wanted)
        else:
            rack.power_on(machine, wanted, engine.choose(wanted))
    environment.write(rack, [machine for machine, _ in machines[1:]])
    for machine, _ in machines:
        if machine not in already:
            _wait(machine)
    _wait_until_serving(rack)
    _tell_addresses(rack, options.hosts)
    return 0


def _rack(directory: Path, options: argparse.Namespace) -> Rack:
    """Return the rack with the ports asked for, those it runs with, or the usual ones if free."""
    running = Rack(directory).array.running
    known = environment.read(directory / "env") if running else {}
    ports = {}
    for name in SERVICES:
        asked = getattr(options, f"{name}_port")
        usual = USUAL_PORTS[name]
        used = int(known.get(f"SANSTONE_{name.upper()}_PORT", 0))
        ports[name] = used or asked or (usual if is_free(usual) else free_port())
    return Rack(directory, ports=ports, password="" if running else options.password)


def _tell_running(machine: Machine, wanted: Image) -> None:
    name = machine.hardware.name
    print(f"{name} runs already; nothing is changed.")
    if machine.image_name != wanted.name:
        print(f"The code has changed since {name} was started: `make stop run` starts it anew.")


def _wait(machine: Machine) -> None:
    started = time.monotonic()
    print(f"booting {machine.hardware.name} ...", flush=True)
    state = machine.wait_until_booted()
    print(f"{machine.hardware.name} is up ({state}) after {time.monotonic() - started:.0f} s")
    if state != "running":
        failed = machine.run(
            "for unit in $(systemctl --failed --plain --no-legend | cut -d' ' -f1); do"
            "    journalctl --no-pager --boot --lines=40 --unit=$unit; done"
        )
        raise MachineError(f"{machine.hardware.name} runs, but not all of it:\n{failed}")


def _wait_until_serving(rack: Rack) -> None:
    """Wait until the API answers over HTTPS. Raises MachineError."""
    deadline = time.monotonic() + SERVE_SECONDS
    url = f"https://127.0.0.1:{rack.ports['https']}/"
    reason = "no certificate"
    while time.monotonic() < deadline:
        certificate = rack.array.attempt(f"cat {CERTIFICATE}")
        if certificate.status == 0:
            try:
                Api(url, "admin", rack.password, certificate.out).get("cluster")
                return
            except (Refused, OSError) as error:
                reason = str(error)
        time.sleep(1)
    raise MachineError(f"the array does not serve {url}: {reason}")


def _tell_addresses(rack: Rack, hosts: int) -> None:
    ports = rack.ports
    print(f"""
Sanstone serves.
  REST API        https://127.0.0.1:{ports["https"]}/api/
  documentation   https://127.0.0.1:{ports["https"]}/docs/api/
  login           admin / {rack.password}
  iSCSI           127.0.0.1:{ports["iscsi"]}   (once a LIF offers it)
  NVMe/TCP        127.0.0.1:{ports["nvme"]}   (once a LIF offers it)
  for scripts     {rack.directory / "env"}""")
    if hosts:
        print(
            "  hosts           "
            + ", ".join(rack.host(n).hardware.name for n in range(1, hosts + 1))
        )


def _status(rack: Rack) -> int:
    for directory in sorted(rack.directory.glob("*/qemu.pid")):
        machine = rack.machine(directory.parent.name)
        print(f"{machine.hardware.name:8} {'on' if machine.running else 'off':4} {machine.console}")
    return 0


def _execute(rack: Rack, name: str, script: str | None) -> int:
    machine = rack.machine(name)
    if not machine.running:
        raise MachineError(f"{name} is off")
    result = machine.attempt(script if script is not None else sys.stdin.read(), timeout=3600)
    sys.stdout.buffer.write(result.stdout)
    sys.stderr.buffer.write(result.stderr)
    return result.status


if __name__ == "__main__":
    sys.exit(main())
