"""The MTU of the path to each host is probed at its login and from time to time."""

from __future__ import annotations

import pytest
from standing_clock import Clock

from fakes import FakeKernel
from sanstone.reconcile.tasks import path_prober
from sanstone.reconcile.tasks.path_prober import PathMtus, PathProber, Way

OWN, OTHER = "10.10.1.1", "10.10.1.2"
ONE, TWO = "10.10.1.101", "10.10.1.102"


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with a LIF at a port of a large MTU."""
    fake = FakeKernel(disks=0)
    fake.network.set_link("e0a", up=True, mtu=9000)
    fake.network.add_address("e0a", OWN, 24)
    return fake


def mtus_of(*ways: tuple[str, str]) -> PathMtus:
    """Return a memory with these paths to probe."""
    return PathMtus(frozenset(Way(*way, 9000) for way in ways))


def test_hosts_of_a_lif_are_probed_together(kernel: FakeKernel, clock: Clock) -> None:
    kernel.network.hosts |= {ONE: 9000, TWO: 1500}
    mtus = mtus_of((OWN, ONE), (OWN, TWO))
    PathProber(kernel.host, mtus).probe()
    assert mtus.passing == {Way(OWN, ONE, 9000): 9000, Way(OWN, TWO, 9000): 1500}
    assert kernel.network.echoes == [(OWN, (ONE, TWO), 9000), (OWN, (TWO,), 1500)]


@pytest.mark.parametrize(
    ("path_mtu", "period"),
    [(9000, path_prober.PERIOD), (0, path_prober.PERIOD), (1500, path_prober.AGAIN)],
)
def test_hosts_are_probed_again_when_due(
    kernel: FakeKernel, clock: Clock, path_mtu: int, period: float
) -> None:
    kernel.network.hosts[ONE] = path_mtu
    prober = PathProber(kernel.host, mtus_of((OWN, ONE)))
    prober.probe()
    before = len(kernel.network.echoes)
    clock.now += period - 1
    prober.probe()
    assert len(kernel.network.echoes) == before
    clock.now += 2
    prober.probe()
    assert len(kernel.network.echoes) == 2 * before


def test_a_returning_host_is_probed_at_once(kernel: FakeKernel, clock: Clock) -> None:
    kernel.network.hosts[ONE] = 9000
    mtus = mtus_of((OWN, ONE))
    prober = PathProber(kernel.host, mtus)
    prober.probe()
    ways, mtus.ways = mtus.ways, frozenset()
    prober.probe()
    assert mtus.passing == {}
    mtus.ways = ways
    kernel.network.hosts[ONE] = 1500
    prober.probe()
    assert mtus.passing == {Way(OWN, ONE, 9000): 1500}


def test_a_lif_that_goes_meanwhile_leaves_what_was_known_and_the_others(
    kernel: FakeKernel, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    kernel.network.hosts |= {ONE: 9000, TWO: 9000}
    kernel.network.add_address("e0a", OTHER, 24)
    mtus = mtus_of((OWN, ONE), (OTHER, TWO))
    prober = PathProber(kernel.host, mtus)
    prober.probe()
    kernel.network.remove_address("e0a", OWN, 24)
    kernel.network.hosts |= {ONE: 1500, TWO: 1500}
    clock.now += path_prober.PERIOD + 1
    with caplog.at_level("INFO"):
        prober.probe()
    assert mtus.passing == {Way(OWN, ONE, 9000): 9000, Way(OTHER, TWO, 9000): 1500}
    assert "path MTUs of 10.10.1.1 are not looked at" in caplog.text
