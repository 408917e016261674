"""The fixture of all tests of resources: an array in this process (see `in_process`)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import empty_database
import pytest
from beginnings import KEY
from in_process import LOGIN, NODE_UUID, SERIAL, Array

from sanstone.core import jobs, places, secrets, store
from sanstone.core.store import writing
from sanstone.http.app import create_app
from sanstone.model.cluster import Cluster
from sanstone.model.nodes import Node
from sanstone.model.security import Account
from sanstone.security import password_hashes


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
