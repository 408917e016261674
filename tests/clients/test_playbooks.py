"""The collection's playbooks, roles and inventory: tried, played, and played again."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from collection import SOURCE, Collection, changed
from conftest import REPOSITORY, Served, product_python, served

TAKE = """
import pathlib, sys
from sanstone.install import answers

taken = answers.parse(pathlib.Path(sys.argv[1]).read_text())
print(taken.host_name, taken.management.address, taken.management.gateway, *taken.disks)
"""
"""The installer's reading of a file of answers."""
PACKAGE = {
    "version": "2.0",
    "compatible": "sanstone-x86_64",
    "schema": "old now",
    "changes": "",
    "signed": True,
}
"""The fields of `system_disk.Package`, as a file that a fake machine takes for a package."""
UPDATE = SOURCE / "playbooks/update.yml"
BOOKS = sorted(set((SOURCE / "playbooks").glob("*.yml")) - {UPDATE})


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    """The collection, and an array of the test's own."""
    folder = tmp_path / "array"
    folder.mkdir()
    with served(folder, "--equipped") as array:
        yield Collection(array)


@pytest.mark.parametrize("book", BOOKS, ids=[book.stem for book in BOOKS])
def test_a_playbook_changes_nothing_the_second_time(collection: Collection, book: Path) -> None:
    few = {"lun_count": 2, "namespace_count": 2}
    tried = changed(collection.play(book, "--check", **few))
    with collection.client() as client:
        assert list(client.records("svm/svms")) == []
    assert changed(collection.play(book, **few)) == tried
    assert changed(collection.play(book, **few)) == []
    with collection.client() as client:
        maps = list(client.records("protocols/san/lun-maps"))
        maps += client.records("protocols/nvme/subsystem-maps")
    assert maps


def test_the_role_provision_and_the_inventory(collection: Collection, tmp_path: Path) -> None:
    book = tmp_path / "provision.yml"
    book.write_text(
        """
- hosts: localhost
  gather_facts: false
  module_defaults:
    group/sanstone.array.array: "{{ login }}"
  roles:
    - role: sanstone.array.provision
      provision_svm: svm1
      provision_disk_count: 6
      provision_interfaces:
        - {name: lif1, address: 10.10.1.1, port: e0a}
      provision_volumes:
        - {name: data, size: 256MB, hosts: ["iqn.1994-05.com.example:host1"], group: host1}
        - name: log
          size: 256MB
          protocol: nvme
          hosts: ["nqn.2014-08.org.nvmexpress:uuid:ec573842-6bfd-03a6-2faa-b22df85128f5"]
          group: host1_nvme
"""
    )
    login = collection.login
    tried = changed(collection.play(book, "--check", login=login))
    with collection.client() as client:
        assert list(client.records("svm/svms")) == []
    assert changed(collection.play(book, login=login)) == tried != []
    assert changed(collection.play(book, login=login)) == []

    source = tmp_path / "sanstone.yml"
    source.write_text(
        """
plugin: sanstone.array.hosts
keyed_groups:
  - {key: sanstone_igroups, prefix: igroup}
groups:
  nvme_hosts: sanstone_subsystems | length > 0
compose:
  first_svm: sanstone_svms | first
"""
    )
    inventory = collection.ansible("ansible-inventory", "--inventory", str(source), "--list")
    iqn = "iqn.1994-05.com.example:host1"
    assert inventory["igroup_host1"]["hosts"] == [iqn]
    variables = plain(inventory["_meta"]["hostvars"])
    assert variables[iqn]["sanstone_state"] == "never"
    assert variables[iqn]["first_svm"] == "svm1"
    [nqn] = inventory["nvme_hosts"]["hosts"]
    assert variables[nqn]["sanstone_subsystems"] == ["host1_nvme"]


def test_the_role_install_writes_answers_that_the_installer_takes(tmp_path: Path) -> None:
    collection = Collection(Served(0, tmp_path / "none"))
    variables = {
        "install_folder": str(tmp_path),
        "install_file": "san1.json",
        "install_host_name": "san1",
        "install_disks": ["smallest"],
        "install_address": "192.0.2.10/24",
        "install_gateway": "192.0.2.1",
        "install_time_servers": ["ntp.example.org"],
        "install_password": "correct horse 1",
    }
    book = tmp_path / "install.yml"
    book.write_text("- {hosts: localhost, gather_facts: false, roles: [sanstone.array.install]}\n")
    written = ["sanstone.array.install : Write the answers"]
    assert changed(collection.play(book, "--check", **variables)) == written
    assert not (tmp_path / "san1.json").exists()
    result = collection.play(book, **variables)
    assert changed(result) == written
    assert "correct horse" not in str(result)
    assert changed(collection.play(book, **variables)) == []
    taken = subprocess.run(
        [product_python(), "-c", TAKE, str(tmp_path / "san1.json")],
        env=os.environ | {"PYTHONPATH": str(REPOSITORY / "api")},
        check=True,
        capture_output=True,
        text=True,
    )
    assert taken.stdout.split() == ["san1", "192.0.2.10", "192.0.2.1", "smallest"]


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[list[Collection]]:
    """Two arrays on system disks, which run release 1.0."""
    with ExitStack() as stack:
        arrays = []
        for name in ("san1", "san2"):
            folder = tmp_path / name
            folder.mkdir()
            arrays.append(Collection(stack.enter_context(served(folder))))
        yield arrays


def test_the_role_update_brings_arrays_to_a_release_one_by_one(
    fleet: list[Collection], tmp_path: Path
) -> None:
    inventory = tmp_path / "fleet.yml"
    hosts = {
        name: {f"array_{option}": value for option, value in array.login.items()}
        for name, array in zip(("san1", "san2"), fleet, strict=True)
    }
    inventory.write_text(json.dumps({"arrays": {"hosts": hosts}}))
    package = tmp_path / "sanstone-2.0.raucb"
    package.write_text(json.dumps(PACKAGE))

    def play(*options: str) -> dict[str, Any]:
        variables = {"update_version": "2.0", "update_file": str(package), "login": {}}
        return fleet[0].play(UPDATE, "--inventory", str(inventory), *options, **variables)

    def releases() -> list[str]:
        query = {"is_current": "true", "fields": "version"}
        return [
            slot["version"]
            for array in fleet
            for slot in array.client().records("cluster/software/images", query)
        ]

    steps = ["Give the array the package", "Have the array run the release"]
    names = [f"sanstone.array.update : {step}" for step in steps]
    assert changed(play("--check")) == names * 2
    assert releases() == ["1.0", "1.0"]

    with fleet[0].client() as client:
        lif = {"svm.name": "svm1", "name": "lif1", "location.home_port.name": "e0c"}
        client.create("svm/svms", {"name": "svm1"})
        address = {"ip.address": "10.10.1.9", "ip.netmask": "24"}
        client.create("network/ip/interfaces", lif | address)
        [port] = client.records("network/ethernet/ports", {"name": "e0c"})
        client.modify(f"network/ethernet/ports/{port['uuid']}", {"enabled": False})
        with pytest.raises(AssertionError, match="Look for events that last"):
            play()
        assert releases() == ["1.0", "1.0"]
        client.modify(f"network/ethernet/ports/{port['uuid']}", {"enabled": True})

    assert changed(play()) == names * 2
    assert releases() == ["2.0", "2.0"]
    assert changed(play()) == []


def plain(value: Any) -> Any:
    """Return variables without Ansible's marks of text from outside, which is no template."""
    if isinstance(value, dict):
        parts = {name: plain(part) for name, part in value.items()}
        return parts.get("__ansible_unsafe", parts)
    return [plain(part) for part in value] if isinstance(value, list) else value
