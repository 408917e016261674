"""Interface groups and VLANs, as ONTAP's shell makes them."""

from __future__ import annotations

import pytest
from console import Console

NODE = "-node array-01"
CREATE = f"network port ifgrp create {NODE} -ifgrp a0a -distr-func ip -mode multimode_lacp"
PORT = f"network port ifgrp add-port {NODE} -ifgrp a0a -port"


@pytest.fixture
def ifgrp(console: Console) -> Console:
    """A shell on an array with an interface group of two ports."""
    for line in (CREATE, f"{PORT} e0c", f"{PORT} e0d"):
        assert console.run(line) == ""
    return console


def test_groups_are_shown_apart(ifgrp: Console) -> None:
    [row] = ifgrp.table("network port ifgrp show")
    assert row[:4] == ["array-01", "a0a", "ip", "multimode_lacp"]
    assert row[-3:] == ["up", "e0c,", "e0d"]
    assert ifgrp.table("network port show -port a0a -fields type,link") == [
        ["array-01", "a0a", "lag", "up"]
    ]


def test_one_group_is_shown_whole_and_without_fields_of_vlans(ifgrp: Console) -> None:
    output = ifgrp.run(f"network port ifgrp show {NODE} -ifgrp a0a")
    assert "Ports: e0c, e0d" in output and "Up Ports: e0c, e0d" in output
    assert "VLAN" not in output


def test_ports_are_added_and_removed_one_by_one(ifgrp: Console) -> None:
    ifgrp.run("network port ifgrp remove-port -ifgrp a0a -port e0c")
    assert ifgrp.table("network port ifgrp show -fields ports") == [["array-01", "a0a", "e0d"]]
    ifgrp.run("network port ifgrp add-port -ifgrp a0a -port e0a,e0b")
    assert ifgrp.table("network port ifgrp show -fields ports") == [
        ["array-01", "a0a", "e0a,", "e0b,", "e0d"]
    ]


def test_present_ports_are_not_added_and_missing_ones_not_removed(ifgrp: Console) -> None:
    message = ifgrp.refusal(f"{PORT} e0c")
    assert message == 'Error: command failed: port "e0c" is there already.'
    message = ifgrp.refusal("network port ifgrp remove-port -ifgrp a0a -port e0a")
    assert message == 'Error: command failed: port "e0a" is not there.'


@pytest.mark.parametrize("arguments", ["-vlan-name a0a-1092", "-port a0a -vlan-id 1092"])
def test_vlans_are_created_by_name_or_by_port_and_tag(ifgrp: Console, arguments: str) -> None:
    ifgrp.run(f"network port vlan create {NODE} {arguments}")
    [row] = ifgrp.table("network port vlan show")
    assert row[:4] == ["array-01", "a0a-1092", "a0a", "1092"]
    assert "Mode" not in ifgrp.run(f"network port vlan show {NODE} -vlan-name a0a-1092")


def test_a_vlan_on_a_port(console: Console) -> None:
    console.run(f"network port vlan create {NODE} -vlan-name e0a-100")
    console.run(f"network port modify {NODE} -port e0a -mtu 9000")
    assert console.table("network port show -port e0a* -fields mtu") == [
        ["array-01", "e0a", "9000"],
        ["array-01", "e0a-100", "9000"],
    ]


def test_a_group_goes_after_what_is_on_it(ifgrp: Console) -> None:
    ifgrp.run(f"network port vlan create {NODE} -vlan-name a0a-1092")
    ifgrp.answers = [True, True, True]
    message = ifgrp.refusal(f"network port ifgrp delete {NODE} -ifgrp a0a")
    assert 'VLAN "a0a-1092" is on port "a0a".' in message
    ifgrp.run(f"network port vlan delete {NODE} -vlan-name a0a-1092")
    ifgrp.run(f"network port ifgrp delete {NODE} -ifgrp a0a")
    assert "no entries" in ifgrp.run("network port ifgrp show")


def test_a_vlan_is_not_deleted_as_a_group_nor_the_reverse(ifgrp: Console) -> None:
    ifgrp.answers = [True]
    assert "no entries" in ifgrp.refusal(f"network port vlan delete {NODE} -vlan-name a0a")


def test_a_group_needs_name_policy_and_mode(console: Console) -> None:
    message = console.refusal(f"network port ifgrp create {NODE} -ifgrp a0a")
    assert "-mode" in message and "-distr-func" in message


def test_ports_change_their_settings(console: Console) -> None:
    console.run("network port modify -port e0b -up-admin false")
    assert console.table("network port show -port e0b -fields up-admin,link") == [
        ["array-01", "e0b", "false", "down"]
    ]
    message = console.refusal("network port modify -port e0M -mtu 9000")
    assert 'Port "e0M" belongs to the operating system.' in message
