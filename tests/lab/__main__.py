"""The lab's command line, on which `make run` and `make stop` stand.

    python3 -m lab [--rack NAME] run [--hosts N] [--https-port N] …
    python3 -m lab [--rack NAME] stop
    python3 -m lab [--rack NAME] status
    python3 -m lab [--rack NAME] exec array|host [SCRIPT]      (bash, as root; else standard input)
    python3 -m lab build | layers [--roles …] | kernel | dependencies

Without a name it is the rack of `make run`; other racks run beside it, on ports of their own. A
password for the account admin at the array's first boot is taken from SANSTONE_PASSWORD, since
arguments are for all to see.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

from lab import commands, dependencies, environment, image, paths, product_kernel, suites
from lab.agent import GuestTimeout
from lab.machine import MachineError
from lab.process import StartFailed
from lab.product_kernel import UnknownKernel
from lab.rack import SERVICES, Rack, free_port, is_free
from lab.rack_lock import RackInUse
from lab.station import Host, Station

USUAL_PORTS = {"https": 8443, "ssh": 8022, "iscsi": 13260, "nvme": 14420}


def main() -> int:
    """Run one command and return its exit status."""
    options = _parse()
    directory = paths.LAB / options.rack if options.rack else paths.LAB
    try:
        return _command(directory, options)
    except (
        commands.CommandFailed,
        MachineError,
        StartFailed,
        GuestTimeout,
        RackInUse,
        UnknownKernel,
    ) as error:
        print(error, file=sys.stderr)
        return 1


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="lab", description="Sanstone's machines in QEMU.")
    parser.add_argument("--rack", default="", help="a set of machines of its own")
    verbs = parser.add_subparsers(dest="command", required=True)
    run = verbs.add_parser("run", help="boot an array, wait until it serves, print how to reach it")
    run.add_argument("--hosts", type=int, default=0, help="how many initiator hosts to boot too")
    for name in SERVICES:
        run.add_argument(f"--{name}-port", type=int, default=0, metavar="PORT")
    verbs.add_parser("stop", help="shut down the machines")
    verbs.add_parser("status", help="show which machines run")
    execute = verbs.add_parser("exec", help="run a bash script as root in a machine")
    execute.add_argument("machine", help="array, host, host2, …")
    execute.add_argument("script", nargs="?", help="standard input if not given")
    verbs.add_parser("build", help="build stale images and kernels")
    layers = verbs.add_parser("layers", help="build stale layers below the product in images")
    layers.add_argument("--roles", nargs="+", choices=image.ROLES, default=image.ROLES)
    verbs.add_parser("kernel", help="build stale kernels that tests run on")
    lacking = verbs.add_parser(
        "dependencies", help="install packages that a fresh Debian machine lacks"
    )
    lacking.add_argument("--browser", action="store_true", help="those of tests in a browser, too")
    lacking.add_argument("--clients", action="store_true", help="those of tests of clients, too")
    lacking.add_argument(
        "--servers", action="store_true", help="those of servers that tests use, too"
    )
    return parser.parse_args()


def _command(directory: Path, options: argparse.Namespace) -> int:
    if options.command in ("run", "build", "layers", "kernel", "dependencies"):
        # All at once, since apt reads its lists anew each time.
        groups = {
            "browser": dependencies.BROWSER,
            "clients": dependencies.CLIENTS,
            "servers": dependencies.SERVERS,
        }
        chosen = (of for name, of in groups.items() if getattr(options, name, False))
        dependencies.install_missing([*dependencies.LAB, *chain.from_iterable(chosen)])
    if options.command == "build":
        suites.build()
    elif options.command == "layers":
        with ThreadPoolExecutor() as beside:
            list(beside.map(image.ensure_base, options.roles))
    elif options.command == "kernel":
        os.environ.setdefault(product_kernel.VARIABLE, product_kernel.PRODUCT)
        suites.build_kernel()
    elif options.command == "run":
        _run(directory, options)
    elif options.command == "stop":
        Rack(directory).stop()
    elif options.command == "status":
        for machine in Rack(directory).started():
            print(f"{machine.hardware.name:8} {'on' if machine.running else 'off':4}", end=" ")
            print(machine.console)
    elif options.command == "exec":
        return _execute(Rack(directory), options)
    return 0


def _run(directory: Path, options: argparse.Namespace) -> None:
    rack = Rack(directory)
    password = os.environ.get("SANSTONE_PASSWORD", "")
    station = Station(
        directory,
        ports=_ports(rack, options),
        password=password,
        roles=image.ROLES if options.hosts else ("array",),
    )
    if password and password != station.rack.password:
        print("The array has its password already: PASSWORD counts at its first boot.")
    hosts = [station.host(number) for number in range(1, options.hosts + 1)]
    booting: list[Host] = []
    for each in (station.array, *hosts):
        if each.machine.running:
            print(f"{each.name} runs already; nothing is changed.")
            if each.stale:
                print(f"The code has changed since {each.name} was started: `make stop run`.")
        else:
            each.start()
            booting.append(each)
    environment.write(station.rack, [host.machine for host in hosts])
    started = time.monotonic()
    for each in booting:
        print(f"booting {each.name} ...", flush=True)
        each.wait()
        print(f"{each.name} is up after {time.monotonic() - started:.0f} s")
    _tell_addresses(station, hosts)


def _ports(rack: Rack, options: argparse.Namespace) -> dict[str, int]:
    """Return the ports of the running rack, else those of the options, else the usual if free."""
    used = {}
    if rack.array.running:
        used = environment.read(rack.directory / "env")
    ports = {}
    for name in SERVICES:
        usual = USUAL_PORTS[name]
        free = usual if is_free(usual) else free_port()
        running = int(used.get(f"SANSTONE_{name.upper()}_PORT", 0))
        ports[name] = running or getattr(options, f"{name}_port") or free
    return ports


def _tell_addresses(station: Station, hosts: list[Host]) -> None:
    rack = station.rack
    print(f"""
Sanstone serves.
  web interface   {station.array.url}
  REST API        {station.array.url}api/
  documentation   {station.array.url}docs/api/
  shell           ssh -p {rack.ports["ssh"]} admin@127.0.0.1
  login           admin / {rack.password}
  iSCSI           127.0.0.1:{rack.ports["iscsi"]}, once a LIF on e0M offers it
  NVMe/TCP        127.0.0.1:{rack.ports["nvme"]}, once a LIF on e0M offers it
  for scripts     {rack.directory / "env"}""")
    for host in hosts:
        (port,) = host.machine.hardware.forwards
        print(f"  {host.name:15} {environment.ssh(port)}")
        print(f"  {'':15} iSCSI name {environment.initiator_name(host.machine)}")


def _execute(rack: Rack, options: argparse.Namespace) -> int:
    machine = rack.machine(options.machine)
    if not machine.running:
        raise MachineError(f"{options.machine} is off")
    script = sys.stdin.read() if options.script is None else options.script
    result = machine.attempt(script, timeout=3600)
    sys.stdout.buffer.write(result.stdout)
    sys.stderr.buffer.write(result.stderr)
    return result.status


if __name__ == "__main__":
    sys.exit(main())
