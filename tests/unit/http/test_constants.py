"""The API's description explains fields that have one value only."""

from __future__ import annotations

from sanstone.http import constants, openapi
from sanstone.resources.declared import RESOURCES


def test_each_constant_is_listed_with_its_reason() -> None:
    rows = constants.table(RESOURCES).splitlines()
    assert "| `/storage/luns` | `status.read_only` | `false` | Never. |" in rows
    [absent] = [row for row in rows if "`flowcontrol_admin`" in row]
    assert "| absent |" in absent
    [line] = [row for row in rows if "`connections.authentication_type`" in row]
    assert "| absent |" in line
    assert not [row for row in rows if "`serial_number`" in row]
    assert all(row.count(" | ") == 3 for row in rows)


def test_the_table_is_in_the_description() -> None:
    described = openapi.describe(RESOURCES)["info"]["description"]
    assert described.endswith(constants.table(RESOURCES))
