"""`python3 -m conformance TREE [TRANSPORT …]` with `tests` on the path: `make conformance`.

Runs the group for NVMe of blktests, whose tree is TREE, in machines of User-mode Linux: one for
each transport, since a case's remains in the kernel are in the way of others. It prints how many
cases end how, then each that ends otherwise than the list blktests.txt says; the exit status is 1
then, or where a transport's cases did not run to their end.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from conformance import accounted, blktests
from lab import dependencies, image, paths, uml
from lab.agent import GuestCommandFailed, GuestTimeout
from lab.rack import Layout
from lab.station import Host, Station

LIST = Path(blktests.__file__).with_suffix(".txt")
RESULTS = paths.REPOSITORY / "output" / "conformance"
# The image of a namespace is in memory.
LAYOUT = Layout(host_memory=2048)


def main() -> int:
    """Build stale images, run, compare."""
    parser = argparse.ArgumentParser(prog="conformance", description="Runs blktests' NVMe group.")
    parser.add_argument("tree", type=Path, help="a tree of blktests")
    parser.add_argument("transports", nargs="*", metavar="TRANSPORT", help="of these, else of all")
    parser.add_argument("--isolated", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    transports = options.transports or list(blktests.TRANSPORTS)
    if unknown := set(transports) - blktests.TRANSPORTS.keys():
        parser.error(f"no such transport: {', '.join(sorted(unknown))}")
    try:
        archive = blktests.pack(options.tree)
    except FileNotFoundError as error:
        parser.error(f"not a tree of blktests: {error}")
    if not options.isolated:
        _isolate()
    return _compare(archive, transports)


def _isolate() -> None:
    """Go on in namespaces of our own, where User-mode Linux has its networks."""
    dependencies.install_missing()
    for each in image.ensure().values():
        uml.prepare(each)
    words = uml.isolated([sys.executable, "-m", "conformance", "--isolated", *sys.argv[1:]])
    os.execvp(words[0], words)


def _compare(archive: bytes, transports: Sequence[str]) -> int:
    station = Station(paths.LAB / "conformance", LAYOUT, user_mode=True)
    station.erase()
    outcomes: dict[str, str] = {}
    broken = False
    try:
        # Two cannot be switched on at once: the first one makes the networks.
        hosts = [station.host(number) for number, _ in enumerate(transports, 1)]
        for host in hosts:
            host.start()
        with ThreadPoolExecutor(len(hosts)) as pool:
            runs = [
                pool.submit(_run, host, archive, transport)
                for host, transport in zip(hosts, transports, strict=True)
            ]
        for transport, run in zip(transports, runs, strict=True):
            try:
                ended = run.result()
            except (blktests.Broken, GuestCommandFailed, GuestTimeout) as error:
                print(f"{transport:8}broke off:\n{error}")
                broken = True
                continue
            print(f"{transport:8}{accounted.counts(ended)}")
            outcomes |= ended
    finally:
        station.rack.cut_power()
    ran = [each for each in transports if any(case.startswith(f"{each}.") for case in outcomes)]
    lines = blktests.lines_about(accounted.read(LIST), ran)
    differences = list(accounted.differences(outcomes, lines))
    print("\n".join([*differences, f"The output of the cases is in {RESULTS}."]))
    return int(broken or bool(differences))


def _run(host: Host, archive: bytes, transport: str) -> dict[str, str]:
    host.wait()
    return blktests.run(host, archive, transport, RESULTS / transport)


if __name__ == "__main__":
    sys.exit(main())
