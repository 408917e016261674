"""Sessions of the host at the fake kernel's iSCSI target."""

from __future__ import annotations

from typing import Any

from scenarios import HOST_IQN
from simulator import Simulator

SESSION = """\
InitiatorName: {name}
InitiatorAlias: web1
LIO Session ID: 7   ISID: 0x00 02 3d 00 00 01  TSIH: 3  SessionType: Normal
Session State: TARG_SESS_STATE_LOGGED_IN
CID: 0  Connection State: {state}
   Address 10.10.1.200 TCP  StatSN: 0x5bc6b2a0
"""


def log_in(array: Simulator, state: str = "TARG_CONN_STATE_LOGGED_IN") -> None:
    """Let the host log in at the first LIF."""
    set_sessions(array, SESSION.format(name=HOST_IQN, state=state))


def log_out(array: Simulator) -> None:
    """Let the host go."""
    set_sessions(array, "")


def set_sessions(array: Simulator, text: str) -> None:
    """Set the session of the host at the first LIF, '' for none."""
    fabrics = array.kernel.configfs.lio.children["iscsi"].children
    [target] = [each for name, each in fabrics.items() if name.startswith("iqn.")]
    groups = [each for name, each in sorted(target.children.items()) if name.startswith("tpgt_")]
    acl: Any = groups[0].children["acls"].children[HOST_IQN]
    acl.session = text
