"""The API in this process, on a database of its own, with a stand-in for the reconciler.

The stand-in ends every job the moment it is queued: with success, or with the failure that a test
put into `array.failures` for an owner, or for a kind. Like the real one it records observations,
which here follow from the requests: an aggregate has the size of its disks less two for each RAID
group.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import empty_database
import pytest
from beginnings import KEY, Watched
from flask.testing import FlaskClient
from simulator import commits
from sqlalchemy import select
from werkzeug.test import TestResponse

from sanstone.core import jobs, places, secrets
from sanstone.core.database import store
from sanstone.core.database.store import Base, reading, writing
from sanstone.core.errors import Cause
from sanstone.core.observed import Observed, load
from sanstone.http.app import create_app
from sanstone.model.aggregates import Aggregate, Disk
from sanstone.model.cluster import Cluster
from sanstone.model.nodes import Node
from sanstone.model.security import Account
from sanstone.security import password_hashes

GIB = 1024**3
DISK_SIZE = 10 * GIB
SERIAL = "0123456789abcdef0123456789abcdef"
NODE_UUID = "11111111-2222-4333-8444-555555555555"
LOGIN = ("admin", "a password")


class Array(Watched):
    """An array to talk to. Paths are without `/api/`; each call asserts the status it expects."""

    def __init__(self, client: FlaskClient) -> None:
        super().__init__()
        self.client = client
        self.database = store.engine(store.path())
        self.failures: dict[str, tuple[Any, ...]] = {}

    def close(self) -> None:
        """Close the database."""
        super().close()
        self.database.dispose()

    def call(self, method: str, path: str, body: Any = None, **options: Any) -> TestResponse:
        """Send a request and return the response as it is."""
        return self.client.open(f"/api/{path}", method=method, json=body, auth=LOGIN, **options)

    def get(self, path: str, status: int = 200) -> dict[str, Any]:
        """Return the body of a GET."""
        return self._body(self.call("GET", path), status)

    def records(self, path: str) -> list[dict[str, Any]]:
        """Return the records of a collection."""
        records: list[dict[str, Any]] = self.get(path)["records"]
        return records

    def make(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """POST, and return the new object as the answer holds it."""
        joint = "&" if "?" in path else "?"
        response = self.call("POST", f"{path}{joint}return_records=true", body)
        answer = self._body(response, response.status_code)
        assert response.status_code in (201, 202), answer
        assert answer["num_records"] == 1, answer
        record: dict[str, Any] = answer["records"][0]
        return record

    def patch(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """PATCH, and return the job's last state where the request became one, else the body."""
        return self._done(self.call("PATCH", path, body))

    def delete(self, path: str) -> dict[str, Any]:
        """DELETE, and return as `patch` does."""
        return self._done(self.call("DELETE", path))

    def refuse(self, method: str, path: str, code: str, body: Any = None) -> dict[str, Any]:
        """Send a request that must be refused with `code` and write nothing; return the error."""
        before = commits(self._watcher)
        response = self.call(method, path, body)
        answer = json.loads(response.data)
        assert 400 <= response.status_code < 500, (response.status_code, answer)
        assert answer["error"]["code"] == code, answer
        assert commits(self._watcher) == before, "a refused request wrote something"
        error: dict[str, Any] = answer["error"]
        return error

    def contents(self) -> dict[str, list[Any]]:
        """Return all rows of all tables."""
        with reading(self.database) as session:
            return {
                table.name: list(session.execute(select(table)).all())
                for table in Base.metadata.sorted_tables
            }

    def observe(self, kind: str, key: str, error: str = "", /, **data: Any) -> None:
        """Record an observation; facts that are not given stay as observed before."""
        with writing(self.database) as session:
            _observe(session, kind, key, error, data)

    def disk(self, name: str, **facts: Any) -> None:
        """Let the reconciler find a disk; without facts a free SSD of DISK_SIZE."""
        with writing(self.database) as session:
            _find(session, name, facts)

    def disks(self, count: int, **facts: Any) -> None:
        """Let the reconciler find `count` disks named 1.0.0, 1.0.1, …"""
        with writing(self.database) as session:
            for number in range(count):
                _find(session, f"1.0.{number}", facts)

    def aggregate(self, name: str = "aggr1", count: int = 4, **more: Any) -> dict[str, Any]:
        """Make an aggregate; there must be spare disks."""
        body = {"name": name, "block_storage": {"primary": {"disk_count": count, **more}}}
        return self.make("storage/aggregates", body)

    def svm(self, name: str = "svm1", /, **more: Any) -> dict[str, Any]:
        """Make an SVM."""
        return self.make("svm/svms", {"name": name, **more})

    def volume(self, name: str = "vol1", /, **more: Any) -> dict[str, Any]:
        """Create a volume of svm1, by default of 5 GiB."""
        body = {"name": name, "svm": "svm1", "size": 5 * GIB, **more}
        return self.make("storage/volumes", body)

    def lun(self, name: str = "/vol/vol1/lun1", /, **more: Any) -> dict[str, Any]:
        """Create a LUN of svm1, by default of 1 GiB."""
        body = {"name": name, "svm": "svm1", "os_type": "linux", "space.size": GIB, **more}
        return self.make("storage/luns", body)

    def namespace(self, name: str = "/vol/vol1/ns1", /, **more: Any) -> dict[str, Any]:
        """Create a namespace of svm1, by default of 1 GiB."""
        body = {"name": name, "svm": "svm1", "os_type": "linux", "space.size": GIB, **more}
        return self.make("storage/namespaces", body)

    def reconcile(self) -> None:
        """Stand in for the reconciler: record the desired state as observed, and end all jobs."""
        with writing(self.database) as session:
            waiting = jobs.waiting(session)
            failures = {
                owner: Cause(*why)
                for owner in {owner for job in waiting for owner in job.touched}
                for failing, why in self.failures.items()
                if failing in (owner, owner.partition(":")[0])
            }
            jobs.finish(session, waiting, failures, frozenset())
            for aggregate in session.scalars(select(Aggregate)):
                groups = len({member.raid_group for member in aggregate.members})
                size = (len(aggregate.members) - 2 * groups) * DISK_SIZE
                observation = load(session, aggregate.kind).get(aggregate.uuid)
                data = {
                    "state": "online",
                    "used": 0,
                    "raid": [],
                    **(observation.data if observation else {}),
                }
                data |= {"size": size, "available": size - data["used"]}
                _observe(session, aggregate.kind, aggregate.uuid, "", data)

    def _body(self, response: TestResponse, status: int) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(response.data)
        assert response.status_code == status, (response.status_code, answer)
        return answer

    def _done(self, response: TestResponse) -> dict[str, Any]:
        answer = json.loads(response.data)
        assert response.status_code in (200, 202), (response.status_code, answer)
        result: dict[str, Any] = answer
        if response.status_code == 202:
            result = self.get(f"cluster/jobs/{answer['job']['uuid']}")
        return result


def _find(session: Any, name: str, facts: dict[str, Any]) -> None:
    uid = f"serial:disk:{name}"
    observed = {"path": f"/dev/{name}", "size": DISK_SIZE, "serial": name, "wwn": "", "model": "M"}
    observed |= {"vendor": "V", "rotational": False, "transport": "sas", "firmware": "1"}
    observed |= {"sector_size": 512, "content": "", "present": True, "identity_conflict": False}
    observed |= {"busy": "", "discards": True}
    if session.get(Disk, uid) is None:
        session.add(Disk(uid=uid, name=name))
    _observe(session, "storage/disks", uid, "", observed | facts)


def _observe(session: Any, kind: str, key: str, error: str, data: dict[str, Any]) -> None:
    row = session.get(Observed, (kind, key, NODE_UUID))
    if row is None:
        session.add(Observed(kind=kind, key=key, node_uuid=NODE_UUID, data=data, error=error))
    else:
        row.data, row.error = {**row.data, **data}, error


@pytest.fixture(scope="session")
def new_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of an array that was just set up, to be copied."""
    file = tmp_path_factory.mktemp("new") / "sanstone.db"
    file.write_bytes(empty_database.content())
    database = store.engine(file)
    with writing(database) as session:
        session.add(Account(name=LOGIN[0], password=password_hashes.hash_password(LOGIN[1])))
        session.add(Cluster(name="array1", serial_number=SERIAL))
        session.add(Node(uuid=NODE_UUID, number=1, name="array1-01"))
    database.dispose()
    return file


@pytest.fixture
def api(new_database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Array]:
    """An array without disks; `api.disks(8)` gives it some."""
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path))
    monkeypatch.setenv("SANSTONE_RUN", str(tmp_path))
    places.database_directory().mkdir()
    places.api_directory().mkdir()
    shutil.copy(new_database, store.path())
    places.node_identity().write_text(NODE_UUID)
    secrets.key_path().write_bytes(KEY)
    app = create_app()
    array = Array(app.test_client())
    monkeypatch.setattr(jobs, "wake", array.reconcile)
    yield array
    array.close()
    app.extensions["sanstone"].dispose()
