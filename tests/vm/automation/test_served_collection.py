"""The array serves its collection, which ansible-galaxy installs, and which runs the array."""

from __future__ import annotations

import urllib.request
from pathlib import Path

import ansible_here
import pytest

from lab import paths, patience
from lab.api import CERTIFICATE, Api
from lab.station import Array, Station

BOOK = """
- hosts: localhost
  gather_facts: false
  tasks:
    - sanstone.array.cluster_info:
"""


@pytest.fixture
def archive(api: Api, tmp_path: Path) -> Path:
    """The archive that the array serves to anybody."""
    file = tmp_path / "sanstone-array.tar.gz"
    address = f"{api.url}docs/ansible/{file.name}"
    with urllib.request.urlopen(address, timeout=patience.SECONDS, context=api.context()) as answer:
        file.write_bytes(answer.read())
    return file


def test_the_served_collection_is_installed_and_runs_the_array(
    archive: Path, api: Api, array: Array, station: Station, tmp_path: Path
) -> None:
    # With the collection that was built here it would find nothing to install, nor to verify.
    there_alone = {"ANSIBLE_COLLECTIONS_PATH": str(tmp_path)}
    for command in ("install", "--no-deps", archive), ("verify", "--offline", "sanstone.array"):
        ansible_here.run(
            tmp_path, "ansible-galaxy", "collection", *command, environment=there_alone
        )
    certificate, book = tmp_path / "array.pem", tmp_path / "book.yml"
    certificate.write_text(array.run(f"cat {CERTIFICATE}"))
    book.write_text(BOOK)
    result, _ = ansible_here.play(
        tmp_path,
        book,
        ansible_here.LOCALHOST,
        environment={
            "PYTHONPATH": str(paths.REPOSITORY / "api"),
            "SANSTONE_URL": array.url.rstrip("/"),
            "SANSTONE_USER": "admin",
            "SANSTONE_PASSWORD": station.rack.password,
            "SANSTONE_CA_PATH": str(certificate),
        },
    )
    [task] = result["plays"][0]["tasks"]
    assert api.get("cluster")["name"] in str(task["hosts"]["localhost"])
