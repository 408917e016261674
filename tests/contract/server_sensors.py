"""The management controller of the furnished array: one of its power supplies is dead."""

from __future__ import annotations

from fakes import FakeKernel
from fakes.ipmi import Measuring, Stating


def attach_controller(kernel: FakeKernel) -> None:
    """Have sensors of each kind."""
    kernel.controller.attach(
        Measuring("FAN1", "Fan", "RPM", "29.1", 4200, (25000, 24000, 23000), (300, 500, 700)),
        Measuring("Inlet", "Temperature", "degrees C", "55.1", 24, upper=(50, 45, 42)),
        Measuring("P12V", "Voltage", "Volts", "7.1", 12.094, (14, 13.2, 13), (10, 10.8, 11)),
        Stating("PS1 Status", 0xC8, "10.1", ("Presence detected",)),
        Stating("PS2 Status", 0xC9, "10.2", ("Presence detected", "Failure detected")),
    )
