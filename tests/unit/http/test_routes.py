"""GET, as a client sees it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from toy_api import Toys, answer, refusal_message

from sanstone.core import errors
from sanstone.http import routes

Unchanged = Callable[[], None]


def _pages(api: Toys, path: str, **more: Any) -> list[list[str]]:
    """Follow `next` to the last page, and return the names on each."""
    pages = []
    while path:
        page = api.get(path, **more)
        assert page["num_records"] == len(page["records"])
        pages.append([record["name"] for record in page["records"]])
        following = page.get("_links", {}).get("next", {}).get("href", "")
        assert following == "" or following.startswith("/api/")
        path = following.removeprefix("/api/")
    return pages


class TestCollection:
    """GET of a collection."""

    def test_records_have_keys_names_and_links(self, shelves: Toys) -> None:
        record = shelves.get("toys/shelves")
        assert (record["num_records"], len(record["records"])) == (5, 5)
        assert record["_links"] == {"self": {"href": "/api/toys/shelves"}}
        first = record["records"][0]
        assert first == {
            "uuid": first["uuid"],
            "name": "a",
            "policy": {"name": "default"},
            "_links": {"self": {"href": f"/api/toys/shelves/{first['uuid']}"}},
        }

    def test_plain_json_has_no_links(self, shelves: Toys) -> None:
        answer = shelves.get("toys/shelves?fields=svm", headers={"Accept": "application/json"})
        assert "_links" not in json.dumps(answer)

    def test_fields_of_the_query_are_shown(self, shelves: Toys) -> None:
        path = "toys/shelves?svm.name=svm1&order_by=create-time"
        for record in shelves.get(path)["records"]:
            assert record["svm"]["name"] == "svm1"
            assert record["create_time"]

    def test_nothing_found_is_no_error(self, shelves: Toys) -> None:
        answer = shelves.get("toys/shelves?name=x")
        assert (answer["records"], answer["num_records"]) == ([], 0)

    @pytest.mark.parametrize("slash", ["", "/"])
    @pytest.mark.parametrize("accept", ["*/*", "application/json"])
    @pytest.mark.parametrize("order", ["", "&order_by=name%20desc"])
    def test_pages(self, shelves: Toys, slash: str, accept: str, order: str) -> None:
        path = f"toys/shelves{slash}?max_records=2{order}"
        pages = _pages(shelves, path, headers={"Accept": accept})
        names = "edcba" if order else "abcde"
        assert pages == [[*names[:2]], [*names[2:4]], [names[4]]]

    def test_the_last_page_may_be_full(self, shelves: Toys) -> None:
        assert _pages(shelves, "toys/shelves?max_records=5") == [[*"abcde"]]

    def test_a_page_is_limited_to_the_maximum(
        self, shelves: Toys, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(routes, "MOST_RECORDS", 3)
        for number in ("4", "10001", "4294967295"):
            pages = _pages(shelves, f"toys/shelves?max_records={number}")
            assert pages == [[*"abc"], [*"de"]]

    def test_next_repeats_all_parameters(self, shelves: Toys) -> None:
        path = (
            "toys/shelves?fields=comment&fields=svm&max_records=1&return_timeout=15&comment=number+*"
            "&svm.name=svm2&return_records=true&order_by=name&ignore_unknown_fields=true"
        )
        answer = shelves.get(path)
        following = parse_qs(urlsplit(answer["_links"]["next"]["href"]).query)
        assert following.pop("start")
        assert following == parse_qs(urlsplit(path).query)
        second = shelves.get(answer["_links"]["next"]["href"].removeprefix("/api/"))
        assert [record["name"] for record in second["records"]] == ["d"]
        assert second["records"][0].keys() == answer["records"][0].keys()

    def test_rows_that_come_and_go_between_pages(self, shelves: Toys) -> None:
        first = shelves.get("toys/shelves?max_records=2")
        path = first["_links"]["next"]["href"].removeprefix("/api/")
        for deleted in ("a", "b", "d"):
            answer(shelves.call("DELETE", f"toys/shelves?name={deleted}"), 200)
        for new in ("aa", "cc"):
            shelves.shelf(new)
        assert _pages(shelves, path) == [["c", "cc"], ["e"]]

    def test_counting(self, shelves: Toys) -> None:
        assert shelves.get("toys/shelves?return_records=false&max_records=1") == {"num_records": 5}
        path = "toys/shelves?return_records=False&svm.name=svm1"
        assert shelves.get(path) == {"num_records": 2}
        assert shelves.get(f"{path}&return_total=true") == {"num_records": 2, "total_records": 2}

    @pytest.mark.parametrize(
        ("query", "count", "total"),
        [
            ("max_records=2", 2, 5),
            ("max_records=2&svm.name=svm2", 2, 3),
            ("max_records=2&svm.name=svm2&comment=*4", 1, 1),
            ("max_records=1&svm.name=!svm1&order_by=name%20desc", 1, 3),
            ("offset=4", 1, 5),
            ("offset=5&name=x", 0, 0),
        ],
    )
    def test_the_total_is_of_all_pages(
        self, shelves: Toys, query: str, count: int, total: int
    ) -> None:
        answer = shelves.get(f"toys/shelves?{query}&return_total=True")
        assert (answer["num_records"], answer["total_records"]) == (count, total)
        assert "total_records" not in shelves.get(f"toys/shelves?{query}")
        assert "total_records" not in shelves.get(f"toys/shelves?{query}&return_total=false")

    def test_the_total_is_the_same_on_every_page(self, shelves: Toys) -> None:
        first = shelves.get("toys/shelves?max_records=2&return_total=true")
        path = first["_links"]["next"]["href"].removeprefix("/api/")
        second = shelves.get(path)
        assert (second["num_records"], second["total_records"]) == (2, 5)

    @pytest.mark.parametrize("order", ["", "&order_by=name", "&order_by=ip.netmask,name"])
    def test_pages_go_on_by_key_after_an_offset(self, shelves: Toys, order: str) -> None:
        path = f"toys/shelves?offset=1&max_records=2{order}"
        following = shelves.get(path)["_links"]["next"]["href"]
        assert "offset" not in parse_qs(urlsplit(following).query)
        assert _pages(shelves, path) == [["b", "c"], ["d", "e"]]

    def test_a_page_does_not_begin_at_two_places(self, shelves: Toys) -> None:
        start = shelves.get("toys/shelves?max_records=2")["_links"]["next"]["href"]
        response = shelves.call("GET", f"{start.removeprefix('/api/')}&offset=0")
        assert "start" in refusal_message(response, 400, errors.EXCLUSIVE, "offset")

    @pytest.mark.parametrize("offset", ["-1", "x", str(2**63), "1.5", ""])
    def test_an_offset_that_is_none_is_refused(self, shelves: Toys, offset: str) -> None:
        response = shelves.call("GET", f"toys/shelves?offset={offset}")
        refusal_message(response, 400, errors.INVALID, "offset")

    def test_head_is_get_without_a_body(self, shelves: Toys) -> None:
        response = shelves.call("HEAD", "toys/shelves")
        assert (response.status_code, response.data) == (200, b"")
        assert response.content_length == shelves.call("GET", "toys/shelves").content_length

    def test_computed_rows(self, shelves: Toys) -> None:
        assert shelves.names("toys/planets?order_by=moons desc&max_records=2") == ["pluto", "mars"]
        assert shelves.get("toys/planets/mars")["moons"] == 2


class TestInstance:
    """GET of one object."""

    def test_an_instance_has_no_envelope_and_all_cheap_fields(self, shelves: Toys) -> None:
        uuid = shelves.get("toys/shelves?name=a")["records"][0]["uuid"]
        record = shelves.get(f"toys/shelves/{uuid}")
        assert record["space"] == {"size": 0, "depth": {"left": 7}}
        assert record["svm"]["name"] == "svm1"
        assert "slow" not in record
        assert shelves.get(f"toys/shelves/{uuid}/?fields=") == record
        assert shelves.get(f"toys/shelves/{uuid}?fields=**")["slow"] == "found at last"

    @pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
    @pytest.mark.parametrize("name", ["x", "*", "%2A", "!x", "null", "00000000"])
    def test_a_missing_object_is_not_found(
        self, shelves: Toys, unchanged: Unchanged, method: str, name: str
    ) -> None:
        body = {"comment": "x"} if method == "PATCH" else None
        message = refusal_message(shelves.call(method, f"toys/shelves/{name}", body), 404, "4")
        assert "exist" in message
        unchanged()

    def test_a_filter_must_hold_too(self, shelves: Toys) -> None:
        uuid = shelves.get("toys/shelves?name=a")["records"][0]["uuid"]
        assert shelves.get(f"toys/shelves/{uuid}?name=a&svm.name=svm1")["name"] == "a"
        refusal_message(shelves.call("GET", f"toys/shelves/{uuid}?name=b"), 404, "4")
        refusal_message(
            shelves.call("GET", f"toys/shelves/{uuid}?colour=b"), 400, "262179", "colour"
        )

    def test_a_single_object_has_no_key(self, shelves: Toys) -> None:
        for path in ("toys/room", "toys/room/"):
            assert shelves.get(path)["name"] == "svm1"
