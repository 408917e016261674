"""Questions to fabrics and their answers are as FC-GS-7 says, octet by octet."""

from __future__ import annotations

from pathlib import Path

import fabric_scenario
import pytest

from fakes import FakeKernel
from fakes.fabric_services import Fabric, Switch, SwitchPort, member
from sanstone.kernel.host import HostError
from sanstone.kernel.network import fc_services
from sanstone.kernel.network.fc_services import BadAnswer, Rejected, Zone, ZoneMember, ZoneSet

FABRIC, OTHER = "10:00:00:05:1e:00:00:01", "10:00:00:05:1e:00:00:02"
NOT_ZONED = "20:00:00:50:56:00:00:09"
PREAMBLE = "01000000 fa030000 80020000 00000000"
ONE_ZONE = """
    03000000 73657400
    00000001
    05000000 7a6f6e65 31000000
    00000002
    01000000 20000050 56000001
    02000000 00010007 00000000
"""
"""Zone set "set", zone "zone1": a WWPN, and port 7 of domain 1."""


def octets(text: str) -> bytes:
    """Return the octets of words in hexadecimal."""
    return bytes.fromhex("".join(text.split()))


def test_a_question_is_a_preamble_and_what_it_is_about() -> None:
    about = octets("10000005 1e000001")
    request = fc_services.question(fc_services.CONFIGURATION, fc_services.GPL, about, 4096)
    assert request == octets("01000000 fa010000 011803fc 00000000 10000005 1e000001")
    request = fc_services.question(fc_services.NAMES, fc_services.GID_PN, about, 4096)
    assert request == octets("01000000 fc020000 012103fc 00000000 10000005 1e000001")


def test_an_accepted_answer_is_what_follows_its_preamble() -> None:
    answer = octets(f"{PREAMBLE} 00000001")
    assert fc_services.accepted(fc_services.ZONES, 0x0115, answer) == octets("00000001")


@pytest.mark.parametrize(
    ("preamble", "error"),
    [
        ("01000000 fa030000 80010000 00091100", Rejected),
        ("01000000 fa030000 80020001 00000000", BadAnswer),
        ("01000000 fc020000 80020000 00000000", BadAnswer),
        ("01000000 fa030000 01150000 00000000", BadAnswer),
        ("01000000 fa030000", BadAnswer),
    ],
    ids=["rejected", "cut", "of another service", "a question", "short"],
)
def test_malformed_answers_are_refused(preamble: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        fc_services.accepted(fc_services.ZONES, 0x0115, octets(preamble))


def test_a_zone_set() -> None:
    members = (
        ZoneMember("port_name", "20:00:00:50:56:00:00:01"),
        ZoneMember("domain_id_port", "1/7"),
    )
    expected = ZoneSet("set", (Zone("zone1", members),))
    whole = octets(ONE_ZONE)
    assert fc_services.zone_set(whole) == expected
    # As where a driver reports the length of its buffer.
    assert fc_services.zone_set(whole + bytes(64)) == expected
    for wrong in (whole[:-4], whole + b"\1"):
        with pytest.raises(BadAnswer):
            fc_services.zone_set(wrong)


def test_lengths_of_names_may_stand_alone() -> None:
    alone = ONE_ZONE.replace("03000000 73657400", "03736574")
    alone = alone.replace("05000000 7a6f6e65 31000000", "057a6f6e 65310000")
    assert fc_services.zone_set(octets(alone)) == fc_services.zone_set(octets(ONE_ZONE))


@pytest.mark.parametrize(
    "wrong",
    [
        ("00000001", "00000002"),
        ("00000002", "ffffffff"),
        ("73657400", "73657401"),
        ("73657400", "07657400"),
        ("03000000", "03000100"),
        ("05000000", "00000000"),
    ],
)
def test_malformed_zone_sets_are_refused(wrong: tuple[str, str]) -> None:
    with pytest.raises(BadAnswer):
        fc_services.zone_set(octets(ONE_ZONE.replace(*wrong, 1)))


@pytest.mark.parametrize(
    ("kind", "identifier", "expected"),
    [
        (1, "21:00:00:24:ff:00:00:01", ZoneMember("port_name", "21:00:00:24:ff:00:00:01")),
        (4, "20:00:00:24:ff:00:00:01", ZoneMember("node_name", "20:00:00:24:ff:00:00:01")),
        (3, "00010300", ZoneMember("port_id", "0x010300")),
        (3, "010300", ZoneMember("port_id", "0x010300")),
        (3, "0000000000010300", ZoneMember("port_id", "0x010300")),
        (2, "00ef0000", ZoneMember("domain_id_port", "239/0")),
        (2, "0000000000010203", ZoneMember("domain_id_port", "1/515")),
        (2, "0000000100000007", ZoneMember("domain_id_port", "")),
        (3, "00", ZoneMember("port_id", "")),
        (0xE1, "21:00:00:24:ff:00:00:01", ZoneMember("", "")),
    ],
)
def test_a_member_of_a_zone(kind: int, identifier: str, expected: ZoneMember) -> None:
    zones = octets("01000000 73000000 00000001 01000000 7a000000 00000001")
    (zone,) = fc_services.zone_set(zones + member(kind, identifier)).zones
    assert zone.members == (expected,)


def test_switches_are_the_elements_of_that_type() -> None:
    listed = "00000002 10000005 1e000002 00000001 10000005 1e000003 00000003"
    assert fc_services.elements(octets(listed)) == [OTHER]
    with pytest.raises(BadAnswer):
        fc_services.elements(octets(listed + "00000001"))


@pytest.mark.parametrize("answer", ["00010000", "00000001", "01000000"])
def test_a_domain_is_one_octet(answer: str) -> None:
    assert fc_services.domain(octets(answer)) == 1


@pytest.mark.parametrize("answer", ["00000000", "00f00000", "00010100", "01"])
def test_malformed_domains_are_refused(answer: str) -> None:
    with pytest.raises(BadAnswer):
        fc_services.domain(octets(answer))


def test_facts_of_a_switch_are_read() -> None:
    assert fc_services.logical_name(b"\5san-a" + bytes(250)) == "san-a"
    texts = b"Example\0Director\0v9.1\0of its own\0"
    assert fc_services.information(bytes([0, 0, 0, len(texts)]) + texts) == ("Example", "v9.1")
    for wrong in (b"\0\0\0\2a\0", b"\0\0\0\6a\0b\0\1\0", b"\0\0\1\0a\0b\0c\0"):
        with pytest.raises(BadAnswer):
            fc_services.information(wrong)


def test_facts_of_its_ports_are_read() -> None:
    listed = "00000002 20000005 1e000001 00080381 20010005 1e000001 00080300"
    assert fc_services.ports(octets(listed)) == [
        ("20:00:00:05:1e:00:00:01", "f_port"),
        ("20:01:00:05:1e:00:00:01", ""),
    ]
    assert fc_services.port_state(octets("00000081 00000001")) == "online"
    assert fc_services.port_state(octets("00000081 00000000")) == ""
    assert fc_services.port_number(octets("0000000c")) == "12"
    names = fc_services.attached(octets("00000001 21000024 ff000001 00000001"))
    assert names == ["21:00:00:24:ff:00:00:01"]
    assert fc_services.address(octets("00010203")) == "0x010203"
    for wrong in ("00000000", "0001"):
        with pytest.raises(BadAnswer):
            fc_services.address(octets(wrong))


@pytest.fixture
def kernel() -> FakeKernel:
    """A machine with a port in a fabric of two switches with a zone set."""
    fake = FakeKernel()
    fake.fibre_channel.plug()
    wwpn = "21:00:00:24:ff:00:00:01"
    port = SwitchPort(attached=(wwpn, NOT_ZONED), addresses={wwpn: "010201"})
    first = Switch(
        name="san-a",
        information=("Example", "Director", "v9.1"),
        ports={"20:00:00:05:1e:00:00:01": port, "20:01:00:05:1e:00:00:01": SwitchPort(0x84)},
    )
    members = [member(1, "21:00:00:24:ff:00:00:01")]
    fake.fabrics.fabrics[FABRIC] = Fabric(
        {OTHER: Switch(domain=2), FABRIC: first}, "set", {"zone1": members, "none": []}
    )
    return fake


@pytest.mark.parametrize("tells_lengths", [True, False])
def test_switches_of_a_fabric_are_read(kernel: FakeKernel, *, tells_lengths: bool) -> None:
    kernel.fabrics.tells_lengths = tells_lengths
    first, second = fc_services.switches(kernel.host, "host3")
    assert (first.wwn, first.domain, first.name) == (FABRIC, 1, "san-a")
    assert (first.vendor, first.release) == ("Example", "v9.1")
    assert first.ports == (
        fc_services.SwitchPort(
            *("20:00:00:05:1e:00:00:01", "f_port", "online", "0"),
            {"21:00:00:24:ff:00:00:01": "0x010201", NOT_ZONED: ""},
        ),
        fc_services.SwitchPort("20:01:00:05:1e:00:00:01", "e_port", "online", "1", {}),
    )
    assert (second.wwn, second.domain, second.name, second.ports) == (OTHER, 2, "", ())


@pytest.mark.parametrize("in_word", [True, False])
def test_zones_of_a_fabric_are_read(kernel: FakeKernel, *, in_word: bool) -> None:
    kernel.fabrics.fabrics[FABRIC].name_in_word = in_word
    zone_set = fc_services.active_zone_set(kernel.host, "host3")
    members = (ZoneMember("port_name", "21:00:00:24:ff:00:00:01"),)
    assert zone_set == ZoneSet("set", (Zone("zone1", members), Zone("none", ())))


def test_a_fabric_without_a_zone_set(kernel: FakeKernel) -> None:
    kernel.fabrics.fabrics[FABRIC].zone_set = ""
    assert fc_services.active_zone_set(kernel.host, "host3") is None


def test_facts_that_a_fabric_withholds_are_absent(kernel: FakeKernel) -> None:
    kernel.fabrics.fabrics[FABRIC].rejects = {0x0112, 0x0117, 0x0122, 0x0126}
    first, _ = fc_services.switches(kernel.host, "host3")
    assert (first.domain, first.name, first.vendor) == (0, "san-a", "")
    assert {(port.state, port.number) for port in first.ports} == {("", "")}
    kernel.fabrics.fabrics[FABRIC].rejects = {0x0101}
    with pytest.raises(Rejected):
        fc_services.switches(kernel.host, "host3")


def test_an_oversized_zone_set_is_not_shown_in_part(kernel: FakeKernel) -> None:
    many = {f"zone{number}": [member(1, FABRIC)] * 12 for number in range(2000)}
    kernel.fabrics.fabrics[FABRIC].zones = many
    with pytest.raises(BadAnswer):
        fc_services.active_zone_set(kernel.host, "host3")


@pytest.mark.parametrize("driver", ["lpfc", "efct"])
def test_ports_of_other_drivers_cannot_query_fabrics(kernel: FakeKernel, driver: str) -> None:
    kernel.fibre_channel.plug(driver)
    with pytest.raises(HostError):
        fc_services.active_zone_set(kernel.host, "host4")


def test_the_fake_port_prints_the_lines_of_libfc() -> None:
    kernel = FakeKernel()
    kernel.fibre_channel.plug("fcoe", fabric_name="0x0")
    text = "".join(f"{line}\n" for line in fabric_scenario.run(kernel.host))
    assert text == Path(__file__).with_name("fabric_scenario.txt").read_text(encoding="utf-8")
