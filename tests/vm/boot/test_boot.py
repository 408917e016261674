"""An array boots into service and is confined as its units say."""

from __future__ import annotations

import json
import re
import urllib.request
from urllib.error import HTTPError

import pytest

from lab import patience
from lab.api import Api, Refused
from lab.station import Array

pytestmark = pytest.mark.qemu

SERVICES = ("sanstone-setup", "sanstone-reconciler", "sanstone-api", "nginx")
SSH = ("ssh", "sshd")
"""Its name in Debian, and everywhere else."""


def fetch(api: Api, path: str) -> tuple[dict[str, str], bytes]:
    """Return the headers and the body of a page that needs no login."""
    page = urllib.request.Request(api.url + path)
    with urllib.request.urlopen(page, timeout=patience.SECONDS, context=api.context()) as reply:
        return dict(reply.headers), reply.read()


def test_services_are_up(array: Array) -> None:
    states = array.run(f"systemctl is-active {' '.join(SERVICES)}").split()
    assert states == ["active"] * len(SERVICES)
    assert "active" in array.attempt(f"systemctl is-active {' '.join(SSH)}").out.split()


def test_the_machine_has_the_name_of_the_array(array: Array, api: Api) -> None:
    assert array.run("cat /proc/sys/kernel/hostname").strip() == api.get("cluster")["name"]


def test_the_address_by_dhcp_is_one_of_management(array: Array, api: Api) -> None:
    links = json.loads(array.run("ip -json -4 address show dev e0M scope global"))
    live = {address["local"] for link in links for address in link["addr_info"]}
    shown = api.get("cluster")["management_interfaces"]
    assert live
    assert live <= {interface["ip"]["address"] for interface in shown}


def test_first_password_is_that_of_the_credential(array: Array, api: Api) -> None:
    assert api.get("cluster")["name"]
    console = array.machine.console.read_text(errors="replace")
    assert "password" not in console.lower()
    assert api.password not in console


def test_api_refuses_a_wrong_password(api: Api) -> None:
    stranger = Api(api.url, api.user, api.password + "x", api.certificate)
    with pytest.raises(Refused) as refused:
        stranger.get("cluster")
    assert refused.value.status == 401


def test_data_disks_are_listed_and_the_system_is_not_offered(api: Api) -> None:
    disks = api.get("storage/disks", fields="serial_number,container_type")["records"]
    by_serial = {disk["serial_number"]: disk["container_type"] for disk in disks}
    spare = {serial for serial, use in by_serial.items() if use == "spare"}
    assert spare == {f"LAB-DISK-{number:02d}" for number in range(1, 9)}


def test_documentation_needs_nothing_from_elsewhere(api: Api) -> None:
    headers, page = fetch(api, "docs/api/")
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    parts = re.findall(r'(?:src|href)="([^"]*)"', page.decode())
    assert parts
    for part in parts:
        assert fetch(api, f"docs/api/{part}")[1]


def test_documentation_describes_this_api(api: Api) -> None:
    description = json.loads(fetch(api, "docs/api/openapi.json")[1])
    assert description["openapi"].startswith("3.1")
    assert any(path.endswith("/storage/luns") for path in description["paths"])


def test_state_is_no_web_page(api: Api) -> None:
    with pytest.raises(HTTPError) as refused:
        fetch(api, "docs/../../../../var/lib/sanstone/tls/server.pem")
    assert refused.value.code in (400, 404)


def test_only_the_web_server_and_ssh_listen(array: Array) -> None:
    listening = array.run("ss --no-header --listening --tcp --numeric | awk '{print $4}'").split()
    assert {address.rpartition(":")[2] for address in listening} == {"443", "22"}


def test_api_has_no_privilege(array: Array) -> None:
    process = array.run("systemctl show --value --property MainPID sanstone-api").strip()
    status = array.run(f"cat /proc/{process}/status")
    assert array.run(f"stat --format %U /proc/{process}").strip() == "sanstone"
    assert re.findall(r"Cap(?:Prm|Eff|Bnd|Amb):\t(\w+)", status) == ["0" * 16] * 4
    assert "NoNewPrivs:\t1" in status


@pytest.mark.parametrize("service", ["sanstone-reconciler", "sanstone-api", "nginx"])
def test_system_is_read_only_to_services(array: Array, service: str) -> None:
    process = array.run(f"systemctl show --value --property MainPID {service}").strip()
    root = f"/proc/{process}/root"
    attempt = array.attempt(f"touch {root}/etc/written {root}/usr/written")
    assert attempt.status != 0
    assert attempt.err.count("Read-only file system") == 2
