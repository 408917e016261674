"""The application on the toy resources (see `toy_api`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import toy
from beginnings import prepared_once
from sqlalchemy import Engine
from toy_api import LOGIN, VIEWER, Toys

from sanstone.core import jobs
from sanstone.core.database.store import reading, writing
from sanstone.core.jobs import Job
from sanstone.http import app
from sanstone.model.security import Account
from sanstone.security import password_hashes


@pytest.fixture
def api(toys: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Toys]:
    """The API on the toy resources, with the accounts of LOGIN and VIEWER."""
    with writing(toys) as session:
        session.add(Account(name=LOGIN[0], password=password_hashes.hash_password(LOGIN[1])))
        session.add(
            Account(
                name=VIEWER[0], password=password_hashes.hash_password(VIEWER[1]), role="readonly"
            )
        )
    monkeypatch.setattr(app, "RESOURCES", toy.RESOURCES)
    application = app.create_app()
    toy_api = Toys(application.test_client(), toys)
    monkeypatch.setattr(jobs, "wake", toy_api.reconcile)
    yield toy_api
    toy_api.close()
    application.extensions["sanstone"].dispose()


@pytest.fixture
def unchanged(api: Toys) -> Callable[[], None]:
    """Return a function that asserts that nothing has changed since the fixture began."""

    def rows() -> list[Any]:
        with reading(api.database) as session:
            return [
                list(session.execute(table.select()))
                for table in (*toy.ToyBase.metadata.sorted_tables, Job.__table__)
            ]

    before = rows()

    def check() -> None:
        assert rows() == before

    return check


@pytest.fixture
@prepared_once
def shelves(api: Toys) -> Toys:
    """Shelves a to e; a and b belong to svm1, the others to svm2."""
    for svm in ("svm1", "svm2"):
        api.svm(svm)
    for number, name in enumerate("abcde"):
        api.shelf(name, "svm1" if name < "c" else "svm2", comment=f"number {number}")
    return api
