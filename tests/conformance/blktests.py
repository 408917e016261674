"""blktests' group for NVMe: the kernel's targets and initiators against each other in one machine.

It is shell code of the Linux block layer's developers, of which a tree has to be given. Its cases
are named TRANSPORT.NUMBER, or TRANSPORT.NUMBER.BACKING where a case runs with a block device and
with a file. Those that need an NVMe device to be given are not among them.
"""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from conformance.accounted import FAILED, PASSED, SKIPPED, Line
from lab import commands
from lab.loop_ports import AUTOMATIC
from lab.station import Host

# 061 ends by chance: it opens the port before it admits the host, and one that comes in between is
# told not to come again (_nvmet_target_setup; drivers/nvme/host/fabrics.c, nvmf_should_reconnect).
EXCLUDED = "nvme/061"
# TIMEOUT is how many seconds a case that could run for ever takes at most. The image has to fit
# into memory.
SETTINGS = {
    "TIMEOUT": "20",
    "NVME_IMG_SIZE": "256M",
    "NVME_NUM_ITER": "10",
    "EXCLUDE": f"({EXCLUDED})",
}
# A host that refuses the target's proof says so, and the target ends its connection. Over RDMA no
# answer comes then; the host waits a minute for it, and repeats its word five times
# (drivers/nvme/host/auth.c, nvme_auth_submit). 044 has that twice.
RDMA = {"NVMET_TRTYPES": "rdma", "EXCLUDE": f"({EXCLUDED} nvme/044)"}
TRANSPORTS: Mapping[str, Mapping[str, str]] = {
    "loop": {"NVMET_TRTYPES": "loop"},
    "tcp": {"NVMET_TRTYPES": "tcp"},
    "roce": {**RDMA, "USE_RXE": "1"},
    "iwarp": RDMA,
    "fc": {"NVMET_TRTYPES": "fc"},
}
"""By transport: what chooses it in blktests' configuration; RDMA is that of rdma_rxe and of siw."""
GROUP = "nvme"
# A file system in memory, with room for images.
INSIDE = "/run/blktests"
# Bonds, of which the driver is built in, have a file among the interfaces (bonding_masters), which
# blktests takes for one. So it is shown the interfaces alone, links all of them.
INTERFACES = f"""\
mkdir {INSIDE}/net
find /sys/class/net -type l -exec cp --no-dereference --target-directory {INSIDE}/net {{}} +
mount --bind {INSIDE}/net /sys/class/net
"""
SECONDS = 3600
# How `check` ends when all cases ran: 1 if one failed.
RAN = (0, 1)
_ENDS = {"passed": PASSED, "failed": FAILED, "not run": SKIPPED}
# What `check` prints of a case (_output_status): name, conditions, description, end. The first time
# it prints a case, when that begins, there is no end.
_CASE = re.compile(
    rf"^{GROUP}/(?P<number>\d+) (?:\((?P<conditions>(?:tr|bd)=[^)]*)\) )?\(.*\)\s+"
    rf"\[(?P<end>{'|'.join(_ENDS)})\]$",
    re.MULTILINE,
)


class Broken(Exception):
    """The suite did not run to its end; the text is what it printed last."""


def pack(tree: Path) -> bytes:
    """Return what a machine needs of a tree of blktests, as a tar archive.

    Raises FileNotFoundError where it is none.
    """
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for part in ("check", "common", "src", f"tests/{GROUP}"):
            tar.add(tree / part, part)
    return archive.getvalue()


def run(host: Host, archive: bytes, transport: str, results: Path) -> dict[str, str]:
    """Run the group in a host, for one transport, and return how each case ended.

    What the cases printed and the kernel said is in the folder `results` then. Raises Broken.
    """
    settings = {**SETTINGS, **TRANSPORTS[transport]}
    config = "".join(f"{name}={value}\n" for name, value in settings.items())
    host.run(f"mkdir {INSIDE} && mount -t tmpfs -o size=75% blktests {INSIDE}")
    host.run(INTERFACES)
    # What connects by itself holds what a case wants to see gone.
    host.run(f"systemctl mask --runtime {AUTOMATIC}")
    host.run(f"tar --extract --no-same-owner --directory {INSIDE}", stdin=archive)
    host.run(f"mkdir {INSIDE}/tmp && cat > {INSIDE}/config", stdin=config.encode())
    check = f"cd {INSIDE} && TMPDIR={INSIDE}/tmp ./check --output=results {GROUP} 2>&1"
    ended = host.attempt(check, timeout=SECONDS)
    results.mkdir(parents=True, exist_ok=True)
    (results / "printed").write_text(ended.out)
    if ended.status not in RAN:
        raise Broken(ended.out[-2000:])
    kept = results / "results.tar"
    kept.write_bytes(host.attempt(f"tar --create --directory {INSIDE}/results .").stdout)
    commands.run(["tar", "--extract", "--directory", results, "--file", kept])
    kept.unlink()
    return outcomes(ended.out, transport)


def outcomes(printed: str, transport: str) -> dict[str, str]:
    """Return how each case ended, of what `check` printed for one transport."""
    found: dict[str, str] = {}
    for case in _CASE.finditer(printed):
        words = (case["conditions"] or "").split()
        conditions = dict(word.split("=", 1) for word in words)
        name = [transport, case["number"], *([conditions["bd"]] if "bd" in conditions else [])]
        found[".".join(name)] = _ENDS[case["end"]]
    return found


def lines_about(lines: Sequence[Line], transports: Sequence[str]) -> list[Line]:
    """Return the lines of a list that are about cases of these transports."""
    return [
        line
        for line in lines
        if any(fnmatchcase(each, line.pattern.partition(".")[0]) for each in transports)
    ]
