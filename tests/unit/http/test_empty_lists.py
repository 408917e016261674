"""Lists that are always empty: each gives way to a resource that is declared at its path."""

from __future__ import annotations

import pytest
import toy
from sqlalchemy import Engine
from toy_api import Toys

from sanstone.core.database.store import writing
from sanstone.http import app, openapi
from sanstone.http.empty_lists import EMPTY, undeclared


class PeerResource(toy.ShelfResource):
    """Shelves, where peers of SVMs would be."""

    path = "svm/peers"


def test_a_declared_resource_takes_the_place_of_an_empty_list(
    api: Toys, toys: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert api.names("svm/peers") == []
    with writing(toys) as session:
        owner = toy.ToySvm(name="svm1")
        session.add(owner)
        session.flush()
        session.add(toy.Shelf(name="a", svm_uuid=owner.uuid))
    monkeypatch.setattr(app, "RESOURCES", (*toy.RESOURCES, PeerResource()))
    declared = Toys(app.create_app().test_client(), toys)
    assert declared.names("svm/peers") == ["a"]
    assert declared.names("cluster/peers") == []


def test_the_description_lists_it_no_more_as_empty() -> None:
    before, after = (
        openapi.describe(resources)["info"]["description"] for resources in ((), (PeerResource(),))
    )
    is_empty = f"| `/svm/peers` | {EMPTY['svm/peers']} |"
    assert is_empty in before
    assert is_empty not in after
    assert "| `/storage/aggregates/{aggregate}/cloud-stores` |" in after


def test_a_path_below_an_object_is_the_same_for_any_name_of_its_key() -> None:
    stores = "storage/aggregates/{aggregate.uuid}/cloud-stores"
    assert EMPTY.keys() - undeclared([stores]) == {"storage/aggregates/<aggregate>/cloud-stores"}
