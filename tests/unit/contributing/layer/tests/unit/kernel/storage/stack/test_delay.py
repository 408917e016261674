"""A delay comes and goes below a live export, and is declared for all of them."""

from __future__ import annotations

from dataclasses import replace

from fakes import FakeKernel
from fakes.thin_pool import ThinPool
from sanstone.kernel import names
from sanstone.kernel.ensured import Ensured
from sanstone.kernel.host import Target
from sanstone.kernel.storage import thin
from sanstone.kernel.storage.stack import over_thin
from sanstone.kernel.storage.stack.delay import Delay
from sanstone.reconcile import layers

POOL = names.pool_device("5c0e0000-1111-4111-8111-111111111111")
DEVICE = over_thin.ThinDevice("5c0e0000-aaaa-4111-8111-111111111111", POOL, 1, 1024**2)


def test_a_delay_comes_and_goes() -> None:
    kernel = FakeKernel()
    pool = ThinPool(65536, 1024**3, 1024**2)
    kernel.mapper.activate(POOL, "LVM-pool", [Target(0, 8, "linear", "")], pool)
    thin.ensure_thin(kernel.host, POOL, 1)
    over_thin.ensure(kernel.host, replace(DEVICE, layers=(Delay(),)))
    assert [t.kind for t in kernel.mapper.table(names.device(DEVICE.uuid))] == ["thin"]
    over_thin.ensure(kernel.host, replace(DEVICE, layers=(Delay(20),)))
    assert [t.kind for t in kernel.mapper.table(names.device(DEVICE.uuid))] == ["delay"]
    assert over_thin.ensure(kernel.host, DEVICE) is Ensured.CHANGED


def test_an_export_has_one() -> None:
    assert Delay() in layers.of_export(4096, ())
