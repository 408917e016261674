"""Blocks of 4,096 bytes: the cheaper target where the kernel has it, unchanged while it is live."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fakes import FakeKernel
from fakes.thin_pool import ThinPool
from sanstone.kernel import names
from sanstone.kernel.host import Target
from sanstone.kernel.storage import dm
from sanstone.kernel.storage.layers.block_size import BlockSize

POOL = names.pool_device("5c0e0000-1111-4111-8111-111111111111")
UUID = "5c0e0000-aaaa-4111-8111-111111111111"
DEVICE = dm.ThinDevice(UUID, POOL, 1, 1024**2, (BlockSize(4096),))


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with a pool in which volume 1 is."""
    kernel = FakeKernel()
    pool = ThinPool(65536, 1024**3, 1024**2)
    kernel.mapper.activate(POOL, "LVM-pool", [Target(0, 8, "linear", "")], pool)
    dm.ensure_thin(kernel.host, POOL, 1)
    return kernel


def exported(kernel: FakeKernel) -> Target:
    """Return the line of the table that hosts' I/O meets first."""
    [target] = kernel.mapper.table(names.device(UUID))
    return target


def test_blocks_are_emulated_without_a_cache(kernel: FakeKernel) -> None:
    dm.ensure_device(kernel.host, DEVICE)
    assert exported(kernel).kind == "ebs"
    # Of sectors: no offset, blocks of 8, and an underlying size that is not the emulated one.
    assert exported(kernel).arguments.split()[1:] == ["0", "8", "1"]


def test_a_kernel_without_emulation_encrypts_with_no_cipher(kernel: FakeKernel) -> None:
    kernel.mapper.kinds.discard("ebs")
    dm.ensure_device(kernel.host, DEVICE)
    assert exported(kernel).kind == "crypt"
    assert exported(kernel).arguments.startswith("cipher_null-ecb ")
    assert exported(kernel).arguments.endswith("sector_size:4096")
    assert "allow_discards" in exported(kernel).arguments


@pytest.mark.parametrize("size", [DEVICE.size, 2 * DEVICE.size, DEVICE.size // 2])
def test_a_live_device_keeps_its_target_until_its_next_activation(
    kernel: FakeKernel, size: int
) -> None:
    kernel.mapper.kinds.discard("ebs")
    dm.ensure_device(kernel.host, DEVICE)
    kernel.mapper.kinds.add("ebs")
    dm.ensure_device(kernel.host, replace(DEVICE, size=size))
    assert exported(kernel).kind == "crypt"
    dm.ensure_no_device(kernel.host, UUID)
    dm.ensure_device(kernel.host, replace(DEVICE, size=size))
    assert exported(kernel).kind == "ebs"
