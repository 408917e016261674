"""Who is connected."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from target_worlds import INITIATORS, TARGET, WORLD, World, converge, machine

from fakes import FakeKernel
from fakes.files import Text
from fakes.lio import Acl
from sanstone.kernel.target import sessions

INFO = """\
InitiatorName: iqn.2026-11.org.example:one
InitiatorAlias: host one
LIO Session ID: 7   ISID: 0x00 02 3d 00 00 01  TSIH: 3  SessionType: Normal
Session State: TARG_SESS_STATE_LOGGED_IN
---------------------[iSCSI Session Values]-----------------------
  CmdSN/WR  :  CmdSN/WC  :  ExpCmdSN  :  MaxCmdSN  :     ITT    :     TTT
 0x00000040   0x00000040   0x00000017   0x00000056   0x00000014   0x00000000
----------------------[iSCSI Connections]-------------------------
CID: 0  Connection State: TARG_CONN_STATE_LOGGED_IN
   Address 192.168.1.9 TCP  StatSN: 0x5bc6b2a0
"""


def connected(kernel: FakeKernel, nqn: str, number: int, host: str) -> None:
    """Let a controller show up in debugfs."""
    path = f"{sessions.DEBUG}/{nqn}/ctrl{number}"
    attributes = {"hostnqn": host, "port": "2\n", "state": "ready\n", "kato": "15\n"}
    for name, text in (attributes | {"host_traddr": "192.168.1.9\n"}).items():
        kernel.files.place(f"{path}/{name}", Text(text))


def test_a_logged_in_initiator_is_shown_with_its_connections() -> None:
    kernel = machine()
    converge(kernel, WORLD)
    group = kernel.configfs.lio.children["iscsi"].children[TARGET.wwn].children["tpgt_1"]
    acl = group.children["acls"].children[INITIATORS[0]]
    assert isinstance(acl, Acl)
    acl.session = INFO
    assert sessions.iscsi_sessions(kernel.host) == [
        sessions.Session(
            target=TARGET.wwn,
            tag=1,
            initiator=INITIATORS[0],
            alias="host one",
            id=7,
            isid="00023d000001",
            tsih=3,
            state="logged_in",
            connections=(sessions.Connection(0, "192.168.1.9", "tcp", "logged_in"),),
        )
    ]


def sessions_in(info: str) -> list[sessions.Session]:
    """Return the sessions in the kernel's text of an initiator."""
    kernel = machine()
    converge(kernel, WORLD)
    group = kernel.configfs.lio.children["iscsi"].children[TARGET.wwn].children["tpgt_1"]
    acl = group.children["acls"].children[INITIATORS[0]]
    assert isinstance(acl, Acl)
    acl.session = info
    return sessions.iscsi_sessions(kernel.host)


def test_an_alias_is_not_taken_for_the_kernels_text() -> None:
    forged = INFO.replace("ID: 7 ", "ID: 666 ").replace("192.168.1.9", "6.6.6.6")
    [session] = sessions_in(INFO.replace("host one", f"\x1b[2J{forged}"))
    assert (session.id, session.tsih) == (7, 3)
    assert [c.address for c in session.connections] == ["192.168.1.9"]
    assert session.alias.isprintable()


@given(st.text(max_size=223))
def test_any_name_of_an_initiator_is_shown(alias: str) -> None:
    [session] = sessions_in(INFO.replace("host one", alias))
    assert (session.id, session.isid, session.state) == (7, "00023d000001", "logged_in")
    assert session.alias == alias or not alias.isprintable()


def test_an_initiator_that_is_not_logged_in_has_no_session() -> None:
    kernel = machine()
    assert sessions.iscsi_sessions(kernel.host) == []
    converge(kernel, WORLD)
    assert sessions.iscsi_sessions(kernel.host) == []


def test_controllers_are_shown_but_those_of_discovery_are_not() -> None:
    kernel = machine()
    assert sessions.controllers(kernel.host) == []
    connected(kernel, "nqn.one", 1, "nqn.host")
    connected(kernel, sessions.DISCOVERY, 2, "nqn.host")
    assert sessions.controllers(kernel.host) == [
        sessions.Controller("nqn.one", 1, "nqn.host", "192.168.1.9", 2, "ready", 15)
    ]


def test_a_controller_that_goes_while_it_is_read_is_left_out() -> None:
    kernel = machine()
    connected(kernel, "nqn.one", 1, "nqn.host")
    kernel.files.displace(f"{sessions.DEBUG}/nqn.one/ctrl1/kato")
    assert sessions.controllers(kernel.host) == []


def test_a_host_that_may_no_longer_connect_is_a_stranger_and_is_disconnected() -> None:
    kernel = machine()
    converge(kernel, World())
    connected(kernel, "nqn.one", 1, "nqn.welcome")
    connected(kernel, "nqn.one", 2, "nqn.gone")
    disallowed = sessions.disallowed_controllers(kernel.host, {"nqn.one": ["nqn.welcome"]})
    assert [controller.host for controller in disallowed] == ["nqn.gone"]
    sessions.disconnect(kernel.host, disallowed[0])
    assert kernel.host.files.read(f"{sessions.DEBUG}/nqn.one/ctrl2/state") == "fatal"


def test_a_host_that_came_without_the_tls_it_needs_is_disallowed() -> None:
    kernel = machine()
    converge(kernel, World())
    for number, host in enumerate(("nqn.open", "nqn.plain", "nqn.secret")):
        connected(kernel, "nqn.one", number, host)
    identity = "NVMe1R01 nqn.secret nqn.one x="
    kernel.files.place(f"{sessions.DEBUG}/nqn.one/ctrl2/tls_identity", Text(f"{identity}\n"))
    identities = {each.host: each.tls_identity for each in sessions.controllers(kernel.host)}
    assert identities == {"nqn.open": "", "nqn.plain": "", "nqn.secret": identity}
    allowed, bound = {"nqn.one": set(identities)}, {"nqn.one": {"nqn.plain", "nqn.secret"}}
    disallowed = sessions.disallowed_controllers(kernel.host, allowed, bound)
    assert [each.host for each in disallowed] == ["nqn.plain"]


def test_disconnecting_a_gone_controller_is_no_error() -> None:
    kernel = machine()
    ended = sessions.Controller("nqn.one", 9, "nqn.host", "", 1, "ready", 0)
    sessions.disconnect(kernel.host, ended)
