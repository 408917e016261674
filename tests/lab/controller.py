"""The sensors of QEMU's management controller (ipmi-bmc-sim), as records of its repository.

Records are those of IPMI 2.0, chapter 43: full ones of sensors with thresholds, compact ones of
others. QEMU has a sensor for each compact record alone (ipmi_init_sensors_from_sdrs(),
hw/ipmi/ipmi_bmc_sim.c), so each full one has a compact one of the same number beside it. It
compares no value with a threshold: a sensor's value is set from within, by Set Sensor
Reading, and its state stays as it is.
"""

from __future__ import annotations

import struct

FAN, INLET, SUPPLY = 1, 2, 3
"""Numbers of the sensors. QEMU has 20; 0 is its watchdog's."""
_OWNER, _LUN = 0x20, 0
_SCANNED, _CAPABILITIES = 0x67, 0x68
_THRESHOLDS, _SPECIFIC = 0x01, 0x6F
"""Types of events: by thresholds, by the kind of sensor."""
_TEMPERATURES, _FANS, _SUPPLIES = 0x01, 0x04, 0x08
"""Kinds of sensors (table 42-3)."""
_DEGREES, _RPM = 1, 18
"""Units (table 43-15)."""
_ALL = 0x7FFF
_LOWER, _UPPER = 0x0007, 0x0038
"""Which thresholds can be read, by their bits."""
_VERSION, _FULL, _COMPACT = 0x51, 0x01, 0x02


def sensors() -> bytes:
    """Return the repository: a fan, a temperature, a power supply."""
    return b"".join(
        (
            _full("FAN1", FAN, (29, 1), (_FANS, _RPM, 100), _LOWER, (3, 5, 7)),
            _full("Inlet", INLET, (55, 1), (_TEMPERATURES, _DEGREES, 1), _UPPER, (50, 45, 42)),
            _compact("FAN1 seat", FAN, (7, 1), _FANS, _THRESHOLDS),
            _compact("Inlet seat", INLET, (7, 1), _TEMPERATURES, _THRESHOLDS),
            _compact("PS1 Status", SUPPLY, (10, 1), _SUPPLIES, _SPECIFIC),
        )
    )


def _full(
    name: str,
    number: int,
    entity: tuple[int, int],
    measure: tuple[int, int, int],
    side: int,
    limits: tuple[int, int, int],
) -> bytes:
    """Return a full record (table 43-1).

    `measure` is the kind, the unit, and how many of it a reading's one is; `limits` are thresholds
    of one side, from non-recoverable to non-critical.
    """
    kind, unit, factor = measure
    none = (0, 0, 0)
    body = struct.pack(
        "<9B3H3B7B4B2B6B2B2BB",
        *(_OWNER, _LUN, number, *entity, _SCANNED, _CAPABILITIES, kind, _THRESHOLDS),
        *(_ALL, _ALL, side),
        *(0, unit, 0),
        # Linear: the factor, and neither offset, tolerance nor exponents.
        *(0, factor, 0, 0, 0, 0, 0),
        # No nominal values, and the range.
        *(0, 0, 0, 0),
        *(255, 0),
        *(limits if side == _UPPER else none),
        *(limits if side == _LOWER else none),
        # Hysteresis, reserved, the maker's own.
        *(0, 0),
        *(0, 0),
        0,
    )
    return _record(_FULL, body, name)


def _compact(name: str, number: int, entity: tuple[int, int], kind: int, events: int) -> bytes:
    """Return a compact record (table 43-2)."""
    body = struct.pack(
        "<9B3H3B2B2B3BB",
        *(_OWNER, _LUN, number, *entity, _SCANNED, _CAPABILITIES, kind, events),
        *(_ALL, _ALL, _ALL),
        # No unit, no other sensors by this record, hysteresis, reserved, the maker's own.
        *(0, 0, 0),
        *(0, 0),
        *(0, 0),
        *(0, 0, 0),
        0,
    )
    return _record(_COMPACT, body, name)


def _record(kind: int, body: bytes, name: str) -> bytes:
    """Return a record with its header, and its name in Latin 1 at the end."""
    text = name.encode("latin-1")
    body += bytes([0xC0 | len(text)]) + text
    return struct.pack("<HBBB", 0, _VERSION, kind, len(body)) + body
