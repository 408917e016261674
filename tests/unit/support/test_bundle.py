"""A support bundle holds the facts that support needs and no secret, even if some are missing."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from furnished_array import FurnishedArray
from simulator import Simulator, simulated

from fakes.files import Text
from sanstone.core import places
from sanstone.core.database import store
from sanstone.core.errors import ApiError
from sanstone.kernel.host import FileError, HostError
from sanstone.model.security import Account
from sanstone.reconcile.long_jobs.kinds import SUPPORT, Kind
from sanstone.support import bundle, parts
from sanstone.support.bundle import BundleCreation

BUNDLES = "support/bundles"
PASSWORD = "a-secret-nobody-may-see"
DH_KEY = "DHHC-1:00:ia6zGodOr4SEG0Zzaw398rpY0wqipUWj4jWjUh4HWUz6aQ2n:"


def furnish(array: Simulator) -> None:
    FurnishedArray(array).furnish()


@pytest.fixture
def furnished(tmp_path: Path) -> Iterator[Simulator]:
    """An array with an example of everything."""
    with simulated(tmp_path, furnish) as array:
        yield array


def make(array: Simulator, name: str = "case-1") -> dict[str, Any]:
    array.do("POST", BUNDLES, {"name": name})
    record: dict[str, Any] = array.get(f"{BUNDLES}?name={name}&fields=**")["records"][0]
    return record


def download(array: Simulator, bundle: dict[str, Any]) -> dict[str, str]:
    """Return the bundle's files by name."""
    answer = array.call("GET", f"{BUNDLES}/{bundle['uuid']}/file")
    assert answer.status_code == 200, answer.get_data(as_text=True)
    assert answer.mimetype == "application/gzip"
    assert f"{bundle['name']}.tar.gz" in answer.headers["Content-Disposition"]
    assert answer.content_length == bundle["size"] == len(answer.data)
    texts = {}
    with tarfile.open(fileobj=io.BytesIO(answer.data)) as archive:
        for member in archive:
            file = archive.extractfile(member)
            assert file is not None
            texts[member.name.removeprefix("support/")] = file.read().decode()
    return texts


def test_a_bundle_holds_journal_configuration_and_kernel_state(
    furnished: Simulator,
) -> None:
    furnished.kernel.services.journal = ["nvmet: the last words"]
    bundle = make(furnished)
    assert bundle["state"] == "available"
    files = download(furnished, bundle)
    assert "the last words" in files["journal.txt"]
    assert '"name": "svm1"' in files["rest/svm/svms.json"]
    assert '"name": "case-1"' in files["rest/support/bundles.json"]
    assert "/sys/kernel/config/nvmet/subsystems/" in files["kernel/nvmet.txt"]
    assert "/tpgt_" in files["kernel/target.txt"]
    assert "thin-pool" in files["kernel/device-mapper.txt"]
    assert "sanstone_firewall" in files["network/firewall.txt"]
    assert "e0a" in files["network/network.json"]
    assert "the last words" in files["audit-log.txt"]
    assert files["statistics/figures-1d.csv"].startswith("time,kind,key,reads,")
    manifest = json.loads(files["manifest.json"])
    assert {each["name"] for each in manifest["parts"]} == files.keys() - {"manifest.json"}
    assert manifest["missing"] == bundle.get("missing", [])
    missing = {each["part"]: each["reason"] for each in bundle.get("missing", [])}
    assert {part: why for part, why in missing.items() if part.startswith("rest/")} == {}


def test_no_secret_is_in_it(furnished: Simulator) -> None:
    """Planted where it belongs, and where it may have come by an error."""
    svm = furnished.get("svm/svms?name=svm1")["records"][0]["uuid"]
    chap = {"inbound": {"user": "host1", "password": PASSWORD}}
    body = {"svm.uuid": svm, "initiator": "iqn.1998-01.com.example:secret"}
    furnished.do(
        "POST",
        "protocols/san/iscsi/credentials",
        body | {"authentication_type": "chap", "chap": chap},
    )
    with store.reading(furnished.database) as session:
        hashes = [each.password for each in session.query(Account) if not each.of_directory]
    key = "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG\n-----END PRIVATE KEY-----"
    furnished.kernel.services.journal = [
        f"password {PASSWORD} refused",
        *(f"hash {each}" for each in hashes),
        f"key {DH_KEY}",
        *key.splitlines(),
    ]
    place = "/proc/cmdline"
    furnished.kernel.files.place(place, Text(f"root=/dev/sda chap={PASSWORD}"))
    files = download(furnished, make(furnished))
    everything = "\n".join(files.values())
    assert "refused" in files["journal.txt"]
    assert "root=/dev/sda" in files["kernel/command-line.txt"]
    for secret in (PASSWORD, DH_KEY, "MIGHAgEAMBMG", "argon2", *hashes):
        assert secret not in everything
    assert "auth/" not in everything.replace("left out", "")


def test_a_part_that_fails_or_hangs_is_named_and_the_others_are_there(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()

    def hang(_argv: Any, _stdin: str) -> str:
        released.wait()
        return ""

    def fail(_argv: Any, _stdin: str) -> str:
        raise RuntimeError("nobody thought of this")

    monkeypatch.setattr(BundleCreation, "patience", 0.5)
    array.kernel.commands.register("journalctl", hang)
    array.kernel.commands.register("nft", fail)
    try:
        bundle = make(array)
    finally:
        released.set()
    missing = {each["part"]: each["reason"] for each in bundle["missing"]}
    assert "no answer" in missing["journal.txt"]
    assert "nobody thought of this" in missing["network/firewall.txt"]
    files = download(array, bundle)
    assert "journal.txt" not in files
    assert "MemTotal" in files["kernel/memory.txt"]


def test_of_what_is_too_long_the_end_is_kept(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "LARGEST_PART", 10_000)
    array.kernel.services.journal = [f"line {number}" for number in range(5000)]
    files = download(array, make(array))
    lines = files["journal.txt"].splitlines()
    assert lines[-1] == "line 4999"
    assert lines[0].startswith("line ")
    assert len(files["journal.txt"]) <= 10_000
    parts = {each["name"]: each for each in json.loads(files["manifest.json"])["parts"]}
    assert parts["journal.txt"]["is_cut"]
    assert not parts["kernel/memory.txt"]["is_cut"]


def test_a_deleted_one_is_gone_with_its_file(array: Simulator) -> None:
    bundle = make(array)
    assert places.support_bundle(bundle["uuid"]).exists()
    array.do("DELETE", f"{BUNDLES}/{bundle['uuid']}")
    assert array.get(BUNDLES)["records"] == []
    assert list(places.support_directory().iterdir()) == []
    assert array.call("GET", f"{BUNDLES}/{bundle['uuid']}/file").status_code == 404


def test_a_disk_that_fills_up_fails_the_job_and_leaves_nothing(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_files: Any, path: str, *_: Any) -> None:
        raise FileError("store", path, errno.ENOSPC)

    monkeypatch.setattr("fakes.files.FakeFiles.store", full)
    answer = array.call("POST", BUNDLES, {"name": "case-1"})
    job = array.get(f"cluster/jobs/{answer.get_json()['job']['uuid']}")
    assert job["state"] == "failure"
    assert "No space left" in job["message"]
    assert array.get(BUNDLES)["records"] == []


def test_without_room_it_is_refused_at_once(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    reserve = "sanstone.resources.cluster.support_bundle.RESERVE"
    monkeypatch.setattr(reserve, 1 << 60)
    answer = array.call("POST", BUNDLES, {})
    assert answer.status_code == 409
    assert "has room for 0 MiB" in answer.get_json()["error"]["message"]
    assert array.get(BUNDLES)["records"] == []


def test_no_more_than_a_few_are_kept(array: Simulator) -> None:
    for number in range(5):
        make(array, f"case-{number}")
    answer = array.call("POST", BUNDLES, {"name": "case-6"})
    assert answer.status_code == 409
    assert "delete one" in answer.get_json()["error"]["message"]


def test_a_running_collection_is_cancelled_with_its_job(array: Simulator) -> None:
    array.tasks_run = False
    job = array.call("POST", BUNDLES, {"name": "case-1"}).get_json()["job"]["uuid"]
    bundle = array.get(f"{BUNDLES}?fields=state")["records"][0]
    assert bundle["state"] == "creating"
    assert array.call("DELETE", f"{BUNDLES}/{bundle['uuid']}").status_code == 409
    assert array.call("GET", f"{BUNDLES}/{bundle['uuid']}/file").status_code == 409
    array.do("PATCH", f"cluster/jobs/{job}?action=cancel")
    array.settle()
    assert array.get(f"cluster/jobs/{job}")["state"] == "failure"
    assert array.get(BUNDLES)["records"] == []


def test_a_power_cut_begins_it_anew(array: Simulator) -> None:
    array.tasks_run = False
    job = array.call("POST", BUNDLES, {"name": "case-1"}).get_json()["job"]["uuid"]
    array.reboot()
    array.tasks_run = True
    array.settle()
    assert array.get(f"cluster/jobs/{job}")["state"] == "success"
    bundle = array.get(f"{BUNDLES}?fields=**")["records"][0]
    assert "manifest.json" in download(array, bundle)


def test_a_bundle_with_a_lost_file_is_marked(array: Simulator) -> None:
    bundle = make(array)
    places.support_bundle(bundle["uuid"]).unlink()
    array.settle()
    assert array.get(f"{BUNDLES}/{bundle['uuid']}")["state"] == "lost"
    answer = array.call("GET", f"{BUNDLES}/{bundle['uuid']}/file")
    assert "is lost" in answer.get_json()["error"]["message"]


def test_no_link_is_followed_to_another_file(array: Simulator) -> None:
    bundle = make(array)
    file = places.support_bundle(bundle["uuid"])
    file.unlink()
    file.symlink_to("/etc/passwd")
    answer = array.call("GET", f"{BUNDLES}/{bundle['uuid']}/file")
    assert "cannot be read" in answer.get_json()["error"]["message"]
    assert "root:" not in answer.get_data(as_text=True)


def test_a_download_needs_the_right_to_create_bundles(array: Simulator) -> None:
    bundle = make(array)
    access = [{"application": "http", "authentication_methods": ["password"]}]
    reader = {"name": "reader", "password": "a passw0rd", "role": "readonly"}
    array.do("POST", "security/accounts", reader | {"applications": access})
    path = f"/api/{BUNDLES}/{bundle['uuid']}"
    login = ("reader", "a passw0rd")
    assert array.client.get(path, auth=login).status_code == 200
    assert array.client.get(f"{path}/file", auth=login).status_code == 403
    assert array.client.get(f"{path}/file").status_code == 401


def test_an_order_that_names_a_path_is_refused(array: Simulator) -> None:
    with pytest.raises(Exception, match="there is no support bundle"):
        BundleCreation(array.kernel.host, array.database, {"bundle": "../../etc/passwd"})
    assert array.kinds["support.bundle"] == Kind(SUPPORT, BundleCreation)


def test_root_opens_nothing_in_the_folder_of_the_api(
    array: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[None] = []
    monkeypatch.setattr("sanstone.security.audit.activity.engine", opened.append)
    for part in parts.parts(array.kernel.host, array.database).values():
        with contextlib.suppress(HostError, ApiError):
            part()
    assert opened == []
