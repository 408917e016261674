"""`time-servers`: chrony uses the servers that DHCP named, unless the array has its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from image.repository import REPOSITORY

SCRIPT = REPOSITORY / "board/common/overlay/usr/lib/sanstone/time-servers"
# As systemd 257 prints a server of DHCP.
FIRST = {"Family": 2, "Address": [192, 0, 2, 1], "ConfigSource": "DHCPv4"}
SECOND = {"Family": 10, "Address": [0x20, 1, 0xD, 0xB8, *[0] * 11, 1], "ConfigSource": "DHCPv6"}
THIRD = {"Server": "ntp.example.com", "ConfigSource": "DHCPv6"}


def sources(folder: Path, *interfaces: dict[str, Any]) -> str:
    """Return chrony's sources when networkctl lists `interfaces`."""
    networkctl = folder / "networkctl"
    networkctl.write_text(f"#!/bin/sh\necho '{json.dumps({'Interfaces': interfaces})}'\n")
    networkctl.chmod(0o755)
    environment = {"PATH": f"{folder}:{os.environ['PATH']}"}
    subprocess.run([sys.executable, SCRIPT, folder], check=True, env=environment)
    return (folder / "dhcp.sources").read_text()


def test_each_server_of_a_port_is_a_source(tmp_path: Path) -> None:
    text = sources(tmp_path, {"Name": "lo"}, {"Name": "e0M", "NTP": [FIRST, SECOND, THIRD]})
    assert text.splitlines() == [
        "server 192.0.2.1 iburst",
        "server 2001:db8::1 iburst",
        "server ntp.example.com iburst",
    ]


def test_a_server_of_two_ports_is_one_source(tmp_path: Path) -> None:
    text = sources(tmp_path, {"Name": "e0M", "NTP": [FIRST]}, {"Name": "e0a", "NTP": [FIRST]})
    assert text == "server 192.0.2.1 iburst\n"


def test_a_server_that_is_named_no_longer_is_forgotten(tmp_path: Path) -> None:
    sources(tmp_path, {"Name": "e0M", "NTP": [FIRST]})
    assert sources(tmp_path, {"Name": "e0M"}) == ""


def test_servers_that_the_array_was_given_stand_alone(tmp_path: Path) -> None:
    port = {"Name": "e0M", "NTP": [FIRST]}
    sources(tmp_path, port)
    file = tmp_path / "array.sources"
    file.write_text("server 192.0.2.9 iburst\n")
    assert sources(tmp_path, port) == ""
    file.unlink()
    assert sources(tmp_path, port) == "server 192.0.2.1 iburst\n"
