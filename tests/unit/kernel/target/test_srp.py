"""The module that serves SRP, and the identifier that it has."""

from __future__ import annotations

from fakes import FakeKernel
from sanstone.kernel.target import srp

FIRST, SECOND = "02a1b2c3d4e5f607", "0200000000000001"


def test_the_module_is_loaded_with_the_identifier() -> None:
    kernel = FakeKernel()
    assert srp.identifier(kernel.host) == ""
    srp.load(kernel.host, FIRST)
    assert kernel.commands.calls == [("modprobe", "ib_srpt", f"srpt_service_guid=0x{FIRST}")]
    assert srp.identifier(kernel.host) == FIRST


def test_a_loaded_module_keeps_its_identifier() -> None:
    kernel = FakeKernel()
    srp.load(kernel.host, FIRST)
    kernel.commands.calls.clear()
    srp.load(kernel.host, SECOND)
    assert (kernel.commands.calls, srp.identifier(kernel.host)) == ([], FIRST)
