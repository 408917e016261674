"""Uploading a package in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from installed import installed_array
from simulator import LOGIN, Simulator, simulated
from system_disk import Package
from werkzeug.test import TestResponse

from sanstone.core import places

FILE = Package("2.0").content()
SIZE = len(FILE)
SECRET = "root's own"


@pytest.fixture
def array(tmp_path: Path) -> Iterator[Simulator]:
    """An array that was installed on a system disk."""
    folder = tmp_path / "array"
    folder.mkdir()
    with simulated(folder) as simulator:
        installed_array(simulator)
        yield simulator


def send(
    array: Simulator, piece: bytes, offset: Any, size: Any = SIZE, **more: Any
) -> TestResponse:
    path = f"/api/cluster/software/upload?offset={offset}&size={size}"
    options = {"content_type": "application/octet-stream", "auth": LOGIN} | more
    return array.client.post(path, data=piece, **options)


def packages(array: Simulator) -> list[str]:
    return [each["version"] for each in array.get("cluster/software/packages")["records"]]


def test_the_package_is_there_after_its_last_piece(array: Simulator) -> None:
    first = send(array, FILE[:40], 0)
    assert (first.status_code, first.get_json()["received"]) == (200, 40)
    assert packages(array) == []
    last = send(array, FILE[40:], 40)
    assert last.status_code == 202
    job = array.get(f"cluster/jobs/{last.get_json()['job']['uuid']}")
    assert job["state"] == "success"
    assert packages(array) == ["2.0"]
    assert not places.uploaded_package().exists()
    array.do("PATCH", "cluster/software?validate_only=true", {"version": "2.0"})


def test_a_piece_may_come_twice_and_none_may_be_left_out(array: Simulator) -> None:
    send(array, FILE[:40], 0)
    send(array, FILE[40:50], 40)
    response = send(array, FILE[60:], 60)
    assert (
        response.status_code == 409 and "first 50 bytes" in response.get_json()["error"]["message"]
    )
    assert send(array, FILE[40:50], 40).status_code == 200
    assert send(array, FILE[50:], 50).status_code == 202
    assert packages(array) == ["2.0"]


def test_offset_0_begins_anew(array: Simulator) -> None:
    send(array, b"x" * 200, 0, 300)
    send(array, FILE[:40], 0)
    send(array, FILE[40:], 40)
    assert packages(array) == ["2.0"]


def test_an_untrusted_package_is_not_kept(array: Simulator) -> None:
    file = Package(signed=False).content()
    answer = send(array, file, 0, len(file)).get_json()
    job = array.get(f"cluster/jobs/{answer['job']['uuid']}")
    assert job["state"] == "failure" and "cannot be trusted" in job["message"]
    assert array.get("cluster/software/download")["state"] == "failure"
    assert packages(array) == [] and not places.uploaded_package().exists()


def test_no_link_is_followed(array: Simulator, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text(SECRET)
    places.uploaded_package().symlink_to(other)
    assert send(array, FILE, 0).status_code == 500
    assert other.read_text() == SECRET


@pytest.mark.parametrize(
    ("offset", "size", "status"),
    [("", 10, 400), (-1, 10, 400), (0, 0, 400), (0, 1 << 40, 400), (0, 3, 400), (9, 10, 400)],
)
def test_a_piece_that_cannot_be_is_refused(
    array: Simulator, offset: Any, size: Any, status: int
) -> None:
    assert send(array, b"four", offset, size).status_code == status


def test_a_form_is_refused(array: Simulator) -> None:
    assert send(array, FILE, 0, content_type="text/plain").status_code == 400


def test_a_package_without_room_is_refused(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sanstone.http.software_upload.RESERVE", 1 << 60)
    response = send(array, FILE, 0)
    assert response.status_code == 409 and "room" in response.get_json()["error"]["message"]


def test_nobody_uploads_while_other_work_is_under_way(array: Simulator) -> None:
    array.tasks_run = False
    send(array, FILE, 0)
    assert send(array, FILE, 0).status_code == 409


def test_the_audit_log_has_the_file_and_not_its_pieces(array: Simulator) -> None:
    send(array, FILE[:40], 0)
    send(array, FILE[40:], 40)
    assert array.get("security/audit/messages?input=*upload*")["num_records"] == 1


def test_an_upload_needs_the_right_to_update(array: Simulator) -> None:
    body = {"name": "few", "privileges": [{"path": "/api/storage", "access": "all"}]}
    array.do("POST", "security/roles", body)
    access = [{"application": "http", "authentication_methods": ["password"]}]
    account = {"name": "someone", "password": "a passw0rd", "role": "few", "applications": access}
    array.do("POST", "security/accounts", account)
    assert send(array, FILE, 0, auth=("someone", "a passw0rd")).status_code == 403
