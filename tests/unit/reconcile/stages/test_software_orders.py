"""Updates as an administrator has them: REST, the reconciler, long jobs and the next boot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from installed import URL, Installed, installed_array
from simulator import Simulator
from standing_clock import Clock
from system_disk import CHANGES, Package

from fakes import Killed
from lab.patience import eventually
from sanstone import __version__
from sanstone.core.database.store import reading, writing
from sanstone.core.long_jobs import LongJob
from sanstone.kernel.host import CommandError
from sanstone.model.software import DOWNLOAD, RUNNING, UPDATE, SoftwareTask
from sanstone.reconcile.long_jobs import task
from sanstone.reconcile.stages import software as software_stage
from sanstone.system import packages

PATIENCE = 30
"""Seconds after which a test that waits for a thread has failed."""


@pytest.fixture
def installed(array: Simulator) -> Installed:
    """An array that runs slot A of its system disk."""
    return installed_array(array)


def download(array: Simulator, version: str = "2.0") -> None:
    array.do("POST", "cluster/software/download", {"url": URL.format(version)})


def job_of(array: Simulator, method: str, path: str, body: Any) -> dict[str, Any]:
    """Send a request and return its job."""
    answer = array.call(method, path, body).get_json()
    job: dict[str, Any] = array.get(f"cluster/jobs/{answer['job']['uuid']}")
    return job


def status(array: Simulator) -> str:
    """Return how an update goes, in words."""
    return str(software(array)["status_details"][0]["issue"]["message"])


def software(array: Simulator) -> dict[str, Any]:
    return array.get("cluster/software?fields=**")


def test_from_the_package_to_the_new_release(installed: Installed) -> None:
    array = installed.simulator
    download(array)
    assert array.get("cluster/software/download")["state"] == "success"
    assert [p["version"] for p in array.get("cluster/software/packages")["records"]] == ["2.0"]
    array.do("PATCH", "cluster/software", {"version": "2.0"})
    record = software(array)
    assert (record["state"], record["pending_version"]) == ("in_progress", "2.0")
    assert "reboots into it" in record["status_details"][0]["issue"]["message"]
    assert installed.disk.reboot_requested
    installed.boot("b")
    record = software(array)
    assert record["state"] == "completed" and "pending_version" not in record
    images = array.get("cluster/software/images?fields=*")["records"]
    assert [(i["image"], i["version"], i["is_current"], i["is_default"]) for i in images] == [
        ("image1", "1.0", False, False),
        ("image2", "2.0", True, True),
    ]
    assert images[1]["install_date"] == "2026-01-02T03:04:05+00:00"
    (entry,) = array.get("cluster/software/history?fields=*")["records"]
    last_update = (entry["from_version"], entry["to_version"], entry["state"])
    assert last_update == (__version__, "2.0", "successful")


def test_a_package_shows_the_changes_since_the_running_release(
    installed: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    array = installed.simulator
    monkeypatch.setattr(software_stage, "__version__", "1.0")
    download(array)
    assert array.get("cluster/software/packages/2.0?fields=changes")["changes"] == CHANGES[:1]
    array.do("DELETE", "cluster/software/packages/2.0")
    assert list(packages.folder().iterdir()) == []


def test_one_request_downloads_and_updates(installed: Installed) -> None:
    body = {"url": URL.format("2.0"), "then_update": True}
    installed.simulator.do("POST", "cluster/software/download", body)
    assert installed.disk.releases["b"] == "2.0" and installed.disk.reboot_requested


def test_the_array_goes_back_without_a_package(installed: Installed, clock: Clock) -> None:
    array = installed.simulator
    installed.disk.schemas["a"] = "old now"
    download(array)
    array.do("PATCH", "cluster/software", {"version": "2.0"})
    installed.boot("b")
    images = array.get("cluster/software/images?fields=can_go_back")["records"]
    assert [i["can_go_back"] for i in images] == [True, False]
    installed.disk.reboot_requested = False
    clock.now += 60
    array.do("PATCH", "cluster/software", {"version": "1.0"})
    assert installed.disk.reboot_requested
    installed.boot("a")
    record = software(array)
    assert record["state"] == "completed"
    assert record["status_details"][0]["issue"]["message"] == "The array runs release 1.0."
    # And forth: the package of 2.0 may be gone as well.
    array.do("DELETE", "cluster/software/packages/2.0")
    clock.now += 60
    array.do("PATCH", "cluster/software", {"version": "2.0"})
    installed.boot("b")
    assert software(array)["state"] == "completed"


def test_there_is_no_way_back_to_what_does_not_know_the_configuration(
    installed: Installed,
) -> None:
    array = installed.simulator
    installed.disk.schemas["a"] = "old"
    download(array)
    array.do("PATCH", "cluster/software", {"version": "2.0"})
    installed.boot("b")
    images = array.get("cluster/software/images?fields=can_go_back")["records"]
    assert [i["can_go_back"] for i in images] == [False, False]
    response = array.call("PATCH", "cluster/software", {"version": "1.0"})
    assert response.status_code == 400 and "1.0" in response.get_json()["error"]["message"]


def test_a_release_that_does_not_come_up_is_reported(installed: Installed) -> None:
    array = installed.simulator
    download(array)
    array.do("PATCH", "cluster/software", {"version": "2.0"})
    installed.boot("a")
    record = software(array)
    assert record["state"] == "failed"
    assert "went back" in record["status_details"][0]["issue"]["message"]
    events = array.get("support/ems/events?message.name=software.update.fell.back")
    assert events["num_records"] == 1


def test_a_refused_package_fails_its_job_and_its_reason_stays(installed: Installed) -> None:
    array = installed.simulator
    installed.disk.downloads[URL.format("2.0")] = Package(signed=False).content()
    job = job_of(array, "POST", "cluster/software/download", {"url": URL.format("2.0")})
    assert job["state"] == "failure" and "cannot be trusted" in job["message"]
    download = array.get("cluster/software/download")
    assert (download["state"], download["message"]) == ("failure", job["message"])


def test_an_update_that_is_refused_fails_its_job(installed: Installed) -> None:
    array = installed.simulator
    installed.disk.downloads[URL.format("2.0")] = Package(schema="other").content()
    download(array)
    job = job_of(array, "PATCH", "cluster/software", {"version": "2.0"})
    assert job["state"] == "failure" and "cannot take over" in job["message"]
    assert software(array)["state"] == "failed"
    (entry,) = array.get("cluster/software/history?fields=*")["records"]
    assert entry["state"] == "canceled"


def test_a_job_waits_for_what_was_killed_and_begins_again(installed: Installed) -> None:
    array = installed.simulator
    array.tasks_run = False
    body = {"url": URL.format("2.0")}
    assert job_of(array, "POST", "cluster/software/download", body)["state"] == "running"
    assert array.get("cluster/software/download")["state"] == "running"
    response = array.call("POST", "cluster/software/download", {"url": URL.format("3.0")})
    assert response.status_code == 409
    array.tasks_run = True
    array.settle()
    assert array.get("cluster/software/download")["state"] == "success"
    (job,) = array.get("cluster/jobs?description=*download&fields=*")["records"]
    assert job["state"] == "success"


def test_progress_of_an_installation_is_shown_and_it_cannot_be_stopped(
    installed: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    array, disk = installed.simulator, installed.disk
    download(array)
    monkeypatch.setattr(task, "PERIOD", 0.01)

    def cut() -> None:
        eventually(lambda: "40%" in status(array))
        raise Killed("power cut")

    disk.on_write = cut
    array.tasks_run = False
    array.call("PATCH", "cluster/software", {"version": "2.0"})
    array.tasks_run = True
    with pytest.raises(Killed):
        array.settle()
    array.tasks_run = False
    array.settle()
    (job,) = array.get("cluster/jobs?description=*cluster/software&fields=*")["records"]
    assert job["state"] == "success", "it only waited until the package was found to be good"
    record = software(array)
    assert record["state"] == "in_progress"
    assert record["status_details"][0]["issue"]["message"] == "40% Copying image to system.1"
    for action in ("pause", "resume", "cancel"):
        response = array.call("PATCH", "cluster/software", {"action": action})
        assert response.status_code == 409
        assert "cannot be" in response.get_json()["error"]["message"]
    response = array.call("DELETE", "cluster/software/packages/2.0")
    assert response.get_json()["error"]["code"] == "10551347"


def test_a_download_is_cancelled(installed: Installed) -> None:
    array = installed.simulator
    array.tasks_run = False
    job = job_of(array, "POST", "cluster/software/download", {"url": URL.format("2.0")})
    assert job["message"] == "The package is downloaded"
    array.call("PATCH", f"cluster/jobs/{job['uuid']}?action=cancel", {})
    array.settle()
    record = array.get("cluster/software/download")
    assert record["state"] == "failure" and "cancelled" in record["message"]
    assert array.get(f"cluster/jobs/{job['uuid']}")["state"] == "failure"
    array.tasks_run = True
    download(array)


def test_a_foreign_order_fails_and_others_are_carried_out(installed: Installed) -> None:
    array = installed.simulator
    with writing(array.database) as session:
        session.add(SoftwareTask(action="dismantle", start_time=0.0))
    array.settle()
    download(array)
    assert array.get("cluster/software/download")["state"] == "success"
    with reading(array.database) as session:
        foreign = session.query(SoftwareTask).filter_by(action="dismantle").one()
        assert foreign.state == "failure"
        assert foreign.message == 'there is no order "dismantle" about software'


def test_an_order_of_the_release_before_is_gone_on_with(installed: Installed) -> None:
    """It gave no long jobs for them."""
    array = installed.simulator
    with writing(array.database) as session:
        session.add(SoftwareTask(action=DOWNLOAD, url=URL.format("2.0"), state=RUNNING))
    array.settle()
    assert array.get("cluster/software/download")["state"] == "success"


def test_an_update_whose_end_was_lost_with_the_power_does_not_run_again(
    installed: Installed,
) -> None:
    array, disk = installed.simulator, installed.disk
    download(array)
    array.tasks_run = False
    array.call("PATCH", "cluster/software", {"version": "2.0"})
    disk.releases["b"] = "2.0"
    with writing(array.database) as session:
        session.query(SoftwareTask).filter_by(action=UPDATE).one().slot = "b"
    array.tasks_run = True
    installed.boot("b")
    assert software(array)["state"] == "completed"
    assert disk.releases["a"] == "1.0" and not disk.reboot_requested
    with reading(array.database) as session:
        assert session.query(LongJob).count() == 0


def test_a_package_is_deleted(installed: Installed) -> None:
    array = installed.simulator
    download(array)
    array.do("DELETE", "cluster/software/packages/2.0")
    assert array.get("cluster/software/packages")["records"] == []
    response = array.call("PATCH", "cluster/software", {"version": "2.0"})
    assert response.get_json()["error"]["code"] == "10551325"
    download(array)


def test_turns_go_on_when_an_order_cannot_start(installed: Installed) -> None:
    array = installed.simulator

    def refuse(argv: Sequence[str], _stdin: str = "") -> str:
        raise CommandError(argv, 1, "Unit sanstone-update@.service not found.")

    array.kernel.commands.register("systemctl", refuse)
    array.call("POST", "cluster/software/download", {"url": URL.format("2.0")})
    array.do("POST", "svm/svms", {"name": "svm1"})
    events = array.get("support/ems/events?log_message=*not found*")
    assert events["num_records"] == 1
