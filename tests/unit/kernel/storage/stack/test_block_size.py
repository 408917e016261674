"""Blocks of 4,096 bytes: by nvmet where the kernel can, else by a layer, which stays while live."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fakes import FakeKernel
from fakes.files import Text
from fakes.thin_pool import ThinPool
from sanstone.kernel import names
from sanstone.kernel.host import Target
from sanstone.kernel.storage import thin
from sanstone.kernel.storage.stack import over_thin
from sanstone.kernel.storage.stack.block_size import BlockSize
from sanstone.kernel.target.nvmet import MAX_BLOCK_SIZE

POOL = names.pool_device("5c0e0000-1111-4111-8111-111111111111")
UUID = "5c0e0000-aaaa-4111-8111-111111111111"
DEVICE = over_thin.ThinDevice(UUID, POOL, 1, 1024**2, (BlockSize(4096),))


def machine(*, is_ours: bool) -> FakeKernel:
    """Return a machine with a pool in which volume 1 is, with the product's kernel or Linux."""
    kernel = FakeKernel()
    if not is_ours:
        kernel.boot_linux()
    pool = ThinPool(65536, 1024**3, 1024**2)
    kernel.mapper.activate(POOL, "LVM-pool", [Target(0, 8, "linear", "")], pool)
    thin.ensure_thin(kernel.host, POOL, 1)
    return kernel


def exported(kernel: FakeKernel) -> Target:
    """Return the line of the table that hosts' I/O meets first."""
    [target] = kernel.mapper.table(names.device(UUID))
    return target


def test_hosts_see_the_thin_device_itself() -> None:
    kernel = machine(is_ours=True)
    over_thin.ensure(kernel.host, DEVICE)
    assert exported(kernel).kind == "thin"
    assert over_thin.live_names(kernel.host, UUID) == [names.device(UUID)]


def test_another_kernel_encrypts_with_no_cipher() -> None:
    kernel = machine(is_ours=False)
    over_thin.ensure(kernel.host, DEVICE)
    assert exported(kernel).kind == "crypt"
    assert exported(kernel).arguments.startswith("cipher_null-ecb ")
    assert exported(kernel).arguments.endswith("sector_size:4096")
    assert "allow_discards" in exported(kernel).arguments


@pytest.mark.parametrize("size", [DEVICE.size, 2 * DEVICE.size, DEVICE.size // 2])
def test_a_live_device_keeps_its_layer_until_its_next_activation(size: int) -> None:
    kernel = machine(is_ours=False)
    over_thin.ensure(kernel.host, DEVICE)
    kernel.files.place(MAX_BLOCK_SIZE, Text("4096"))
    over_thin.ensure(kernel.host, replace(DEVICE, size=size))
    assert exported(kernel).kind == "crypt"
    over_thin.ensure_none(kernel.host, UUID)
    over_thin.ensure(kernel.host, replace(DEVICE, size=size))
    assert exported(kernel).kind == "thin"
