"""Writing that proves itself: fio in a host; every acknowledged block is read back.

fio writes each block of a region once, in random order unless it is `in_order`, with a checksum and
its place in it, and then reads all of them. What was lost reads as zeroes or as a neighbour's
block, which fio reports. Writes are O_DSYNC: a block counts as written when the array has it on its
disks, as a database requires, and it must outlive a power cut. A second fio (`reread`),
which knows only the rule by which the first one wrote, reads all again.

It runs as a unit of systemd's, so that it goes on while nobody looks. Where it ends with the power
of the host, the blocks written in order up to then can be read back.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from lab import patience
from lab.station import Host

SECTOR = 512
POLL_SECONDS = 1.0
DEPTH = 8
"""Blocks that are written at a time."""


class WorkloadFailed(Exception):
    """fio found something wrong; the text is its output."""


@dataclass(frozen=True)
class Report:
    """What one fio did: bytes written and read back, and the longest wait for a write, seconds."""

    written: int
    read_back: int
    longest_wait: float


class Workload:
    """fio on `device` of `host`: `size` bytes in blocks of `block_size`."""

    def __init__(
        self,
        host: Host,
        name: str,
        device: str,
        size: int,
        block_size: int,
        *,
        in_order: bool = False,
    ) -> None:
        self.host = host
        self.size = size
        self.device = device
        self._block_size = block_size
        self._unit = f"fio-{name}"
        self._report = f"/run/{self._unit}.json"
        self._base = 0
        self._rule = (
            f"fio --name={name} --filename={device} --rw={'write' if in_order else 'randwrite'} "
            f"--bs={block_size} --direct=1 --sync=dsync --ioengine=libaio --iodepth={DEPTH} "
            "--verify=crc32c --do_verify=1 --verify_fatal=1 --output-format=json"
        )

    def start(self) -> None:
        """Begin to write."""
        self._base = self._sectors()
        self.host.run(
            f"systemd-run --quiet --collect --unit={self._unit} --property=RemainAfterExit=yes "
            f"{self._rule} --size={self.size} --output={self._report}"
        )

    def written(self) -> int:
        """Return how many bytes the array has acknowledged so far."""
        return (self._sectors() - self._base) * SECTOR

    def wait_until_written(self, size: int) -> None:
        """Wait until that many bytes are acknowledged. Raises WorkloadFailed."""
        deadline = patience.now() + patience.SECONDS
        while self.written() < size:
            if patience.now() > deadline:
                raise WorkloadFailed(f"{self.device}: only {self.written()} bytes are written")
            time.sleep(POLL_SECONDS)

    def wait(self) -> Report:
        """Wait until all is written and read back. Raises WorkloadFailed."""
        deadline = patience.now() + patience.SECONDS
        while (state := self._state()) == "running":
            if patience.now() > deadline:
                raise WorkloadFailed(f"{self.device}: fio does not end")
            time.sleep(POLL_SECONDS)
        output = self.host.run(f"journalctl --unit {self._unit} --output cat; cat {self._report}")
        self.host.run(f"systemctl stop {self._unit}")
        if state != "exited":
            raise WorkloadFailed(f"{self.device}: {output}")
        return self._read_report(self.size)

    def reread(self, written: int | None = None) -> Report:
        """Read all back once more, or the blocks that must be there of `written` bytes in order.

        Of those, as many blocks as are under way at a time may be later ones.
        Raises WorkloadFailed.
        """
        size = self.size
        if written is not None:
            size = (written // self._block_size - DEPTH) * self._block_size
        self.host.run(f"blockdev --flushbufs {self.device}")
        result = self.host.attempt(
            f"{self._rule} --size={size} --verify_only=1 --output={self._report}"
        )
        if result.status != 0:
            raise WorkloadFailed(f"{self.device}: {result.out}{result.err}")
        return self._read_report(size)

    def _read_report(self, size: int) -> Report:
        (job,) = json.loads(self.host.run(f"cat {self._report}"))["jobs"]
        report = Report(
            written=job["write"]["io_bytes"],
            read_back=job["read"]["io_bytes"],
            longest_wait=job["write"]["clat_ns"]["max"] / 1e9,
        )
        if job["error"] or report.read_back != size:
            raise WorkloadFailed(f"{self.device}: error {job['error']}, {report}")
        return report

    def _state(self) -> str:
        return self.host.run(f"systemctl show --value --property SubState {self._unit}").strip()

    def _sectors(self) -> int:
        """Return the sectors ever written to the device (kernel: block/stat.rst, field 7)."""
        name = f"$(basename $(realpath {self.device}))"
        return int(self.host.run(f"cat /sys/class/block/{name}/stat").split()[6])
