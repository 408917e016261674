"""I/O of a device, by the kernel's own counters."""

from __future__ import annotations

import pytest

from fakes import FakeKernel
from sanstone.kernel import names
from sanstone.kernel.host import HostError, RequestError, Target
from sanstone.kernel.storage import dm_stats

UUID = "0b5ed3f6-30a5-4b3b-8f0c-6a1b0a1b2c3d"
BOUNDS = (100, 250, 500, 1000, 2500, 5000)


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with one exported device."""
    fake = FakeKernel()
    fake.mapper.create(names.device(UUID), names.device_uuid(UUID))
    fake.mapper.load(names.device(UUID), [Target(0, 64, "linear", "8:0 0")])
    fake.mapper.resume(names.device(UUID))
    return fake


def test_counters_are_cleared_by_reading(kernel: FakeKernel) -> None:
    region = dm_stats.ensure_region(kernel.host, UUID, BOUNDS)
    kernel.mapper.do_io(names.device(UUID), reads=3, writes=2, sectors=8)
    counters = dm_stats.take(kernel.host, UUID, region)
    assert (counters.reads, counters.read_bytes, counters.read_ns) == (3, 3 * 4096, 6_000_000)
    assert (counters.writes, counters.written_bytes, counters.write_ns) == (2, 2 * 4096, 6_000_000)
    assert counters.histogram == (0, 0, 0, 0, 3, 2, 0)
    assert dm_stats.take(kernel.host, UUID, region).reads == 0


def test_a_region_is_created_once_and_again_for_other_bounds(kernel: FakeKernel) -> None:
    first = dm_stats.ensure_region(kernel.host, UUID, BOUNDS)
    assert dm_stats.ensure_region(kernel.host, UUID, BOUNDS) == first
    kernel.mapper.do_io(names.device(UUID), reads=1)
    other = dm_stats.ensure_region(kernel.host, UUID, (1, 2, 3, 4, 5, 6, 7))
    assert len(dm_stats.take(kernel.host, UUID, other).histogram) == 8
    listed = kernel.mapper.message(names.device(UUID), "@stats_list sanstone")
    assert len(listed.splitlines()) == 1


def test_a_region_spans_whatever_a_device_grows_to(kernel: FakeKernel) -> None:
    dm_stats.ensure_region(kernel.host, UUID, BOUNDS)
    listed = kernel.mapper.message(names.device(UUID), "@stats_list sanstone")
    assert f"0+{2**40} " in listed


def test_a_region_that_is_gone_is_an_error(kernel: FakeKernel) -> None:
    with pytest.raises(RequestError):
        dm_stats.take(kernel.host, UUID, 7)


@pytest.mark.parametrize("answer", ["", "0+8 1 2 3", f"0+8 {'x ' * 13} 0:0"])
def test_an_answer_that_is_no_statistics_is_an_error(
    kernel: FakeKernel, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel.mapper, "message", lambda _name, _message: answer)
    with pytest.raises(HostError, match="unexpected statistics"):
        dm_stats.take(kernel.host, UUID, 0)
