"""Discovery lists targets only to hosts that may use them."""

from __future__ import annotations

import pytest
from provisioned import ISCSI_PORTAL

from lab.initiator import NO_OBJECTS
from lab.station import Host


@pytest.mark.usefixtures("admin")
def test_a_stranger_discovers_no_target(host: Host) -> None:
    result = host.attempt(f"iscsiadm --mode discovery --type sendtargets --portal {ISCSI_PORTAL}")
    assert (result.status, result.out) == (NO_OBJECTS, "")
