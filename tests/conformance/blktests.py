"""blktests' group for NVMe: the kernel's targets and initiators against each other in one machine.

It is shell code of the Linux block layer's developers; the caller names its tree. Its cases
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

# 061 ends by chance: it opens the port before it admits the host, and a host that comes in between
# is refused for good (_nvmet_target_setup; drivers/nvme/host/fabrics.c, nvmf_should_reconnect).
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
"""By transport: its setting in blktests' configuration; RDMA is that of rdma_rxe and of siw."""
GROUP = "nvme"
# A file system in memory, with room for images.
INSIDE = "/run/blktests"
# The driver of bonds is built in and has a file among the interfaces (bonding_masters), which
# blktests takes for one. So it sees a folder with the interfaces alone, all of them links.
INTERFACES = f"""\
mkdir {INSIDE}/net
find /sys/class/net -type l -exec cp --no-dereference --target-directory {INSIDE}/net {{}} +
mount --bind {INSIDE}/net /sys/class/net
"""
SECONDS = 3600
# How `check` ends when all cases ran: 1 if one failed.
RAN = (0, 1)
_ENDS = {"passed": PASSED, "failed": FAILED, "not run": SKIPPED}
# The line of `check` for a case (_output_status): name, conditions, description, end. The first
# line of a case, when it begins, has no end.
_CASE = re.compile(
    rf"^{GROUP}/(?P<number>\d+) (?:\((?P<conditions>(?:tr|bd)=[^)]*)\) )?\(.*\)\s+"
    rf"\[(?P<end>{'|'.join(_ENDS)})\]$",
    re.MULTILINE,
)


class Broken(Exception):
    """The suite did not run to its end; the text is the end of its output."""


def pack(tree: Path) -> bytes:
    """Return the files of blktests that a machine needs, as a tar archive.

    Raises FileNotFoundError where it is none.
    """
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for part in ("check", "common", "src", f"tests/{GROUP}"):
            tar.add(tree / part, part)
    return archive.getvalue()


def run(host: Host, archive: bytes, transport: str, results: Path) -> dict[str, str]:
    """Run the group in a host, for one transport, and return how each case ended.

    The folder `results` has the output of the cases and the kernel's messages then. Raises Broken.
    """
    settings = {**SETTINGS, **TRANSPORTS[transport]}
    config = "".join(f"{name}={value}\n" for name, value in settings.items())
    host.run(f"mkdir {INSIDE} && mount -t tmpfs -o size=75% blktests {INSIDE}")
    host.run(INTERFACES)
    # Units that connect by themselves would hold devices that a case removes.
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
    """Return how each case ended, from the output of `check` for one transport."""
    ends: dict[str, str] = {}
    for case in _CASE.finditer(printed):
        words = (case["conditions"] or "").split()
        conditions = dict(word.split("=", 1) for word in words)
        name = [transport, case["number"], *([conditions["bd"]] if "bd" in conditions else [])]
        ends[".".join(name)] = _ENDS[case["end"]]
    return ends


def lines_about(lines: Sequence[Line], transports: Sequence[str]) -> list[Line]:
    """Return the lines of a list that are about cases of these transports."""
    return [
        line
        for line in lines
        if any(fnmatchcase(each, line.pattern.partition(".")[0]) for each in transports)
    ]
