"""Who is told of which targets."""

from __future__ import annotations

import pytest
from provisioned import ISCSI_PORTAL

from lab.initiator import NO_OBJECTS
from lab.station import Host


@pytest.mark.usefixtures("admin")
def test_stranger_is_told_of_no_target(host: Host) -> None:
    told = host.attempt(f"iscsiadm --mode discovery --type sendtargets --portal {ISCSI_PORTAL}")
    assert (told.status, told.out) == (NO_OBJECTS, "")
