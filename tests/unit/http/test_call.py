"""How requests are understood: bodies, options, parameters and the headers that name an SVM."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_api import Toys, answer, key, refusal_message

Unchanged = Callable[[], None]


class TestBody:
    """Bodies."""

    @pytest.mark.parametrize(
        ("body", "code", "target"),
        [
            (b"", "2", "name"),
            (b"null", "2", "name"),
            (b" \n", "2", "name"),
            (b"{}", "2", "name"),
            (b"[]", "2", ""),
            (b'"text"', "2", ""),
            (b"7", "2", ""),
            (b"{", "2", ""),
            (b"name=a", "2", ""),
            (b"\xff\xfe\x00", "2", ""),
            (b'{"name": NaN}', "2", ""),
            (b'{"name": ' + b"9" * 5000 + b"}", "2", ""),
            (b"[" * 200_000, "2", ""),
            (b'{"a":' * 100_000, "2", ""),
            (b'{"name": "a", "name": "a"}', "262188", "name"),
            (b'{"svm": {"name": "a", "name": "a"}}', "262188", "name"),
            (b'{"name": "\\ud800"}', "262197", "name"),
            (b'{"name": "x", "svm": {"name": "\\ud800"}}', "262197", "svm.name"),
            (b'{"\\ud800": 1}', "262179", "\ud800"),
            (b'{"records": []}', "262197", "records"),
            (b'{"records": {}}', "262197", "records"),
            (b'{"records": [1]}', "262197", "records"),
            (b'{"records": [{"name": "x"}], "name": "y"}', "262179", "records"),
            (b'{"name": "x", "svm": "svm9"}', "2621462", "svm"),
            (b'{"name": "x", "svm": "svm1", "colour": 1}', "262179", "colour"),
            (b'{"name": "x", "svm": "svm1", "boxes": [{"number": 1}]}', "2", "boxes.name"),
        ],
    )
    def test_a_body_that_cannot_be_taken(
        self, shelves: Toys, unchanged: Unchanged, body: bytes, code: str, target: str
    ) -> None:
        refusal_message(shelves.call("POST", "toys/shelves", body), 400, code, target)
        unchanged()

    def test_the_declared_type_of_the_body_does_not_matter(self, shelves: Toys) -> None:
        body = b'{"name": "new", "svm": "svm1"}'
        for content_type in ("text/plain", "application/x-www-form-urlencoded", None):
            response = shelves.call("POST", "toys/shelves", body, content_type=content_type)
            assert response.status_code == 201, response.data
            answer(shelves.call("DELETE", "toys/shelves?name=new"), 200)

    @pytest.mark.parametrize("body", [None, b"", b"null", b"{}", b' {"unknown": 1}'])
    def test_a_body_means_nothing(self, shelves: Toys, body: bytes | None) -> None:
        uuid = shelves.shelf("new")
        path = f"toys/shelves/{uuid}"
        assert answer(shelves.call("DELETE", path, body), 200) == {}
        refusal_message(shelves.call("GET", path), 404, "4")
        refusal_message(shelves.call("DELETE", path, body), 404, "4")
        assert shelves.jobs()[-1] == f"DELETE /api/{path}"


class TestOptions:
    """Options of a resource."""

    @pytest.mark.parametrize("value", [True, "true", "True"])
    def test_options_come_in_the_body(self, shelves: Toys, value: Any) -> None:
        path = f"toys/shelves/{shelves.shelf('new', boxes=['x'])}"
        for body in ({}, {"force": "false"}, {"force": None}):
            refusal_message(shelves.call("DELETE", path, body), 409, "8", "force")
        refusal_message(shelves.call("DELETE", path, {"force": "perhaps"}), 400, "262197", "force")
        answer(shelves.call("DELETE", path, {"force": value}), 200)

    @pytest.mark.parametrize("value", ["true", "True", "TRUE"])
    def test_options_come_in_the_query(self, shelves: Toys, value: str) -> None:
        path = f"toys/shelves/{shelves.shelf('new', boxes=['x'])}"
        answer(shelves.call("DELETE", f"{path}?force={value}&return_timeout=30", b"{}"), 200)

    def test_options_are_no_fields(self, shelves: Toys) -> None:
        body = {"name": "new", "svm": "svm1", "force": "true"}
        path = f"toys/shelves/{key(shelves.call('POST', 'toys/shelves', body))}"
        answer(shelves.call("PATCH", path, {"comment": "x", "force": True}), 200)
        assert shelves.get(path)["comment"] == "x"
        for method, query in (("POST", ""), ("PATCH", "?name=new"), ("PATCH", "?name=none")):
            wrong = shelves.call(method, f"toys/shelves{query}", body | {"force": "perhaps"})
            refusal_message(wrong, 400, "262197", "force")

    def test_query_and_body_may_agree_but_not_disagree(self, shelves: Toys) -> None:
        path = f"toys/shelves/{shelves.shelf('new', boxes=['x'])}?force=true"
        refusal_message(shelves.call("DELETE", path, {"force": False}), 400, "262188", "force")
        answer(shelves.call("DELETE", path, {"force": "True"}), 200)

    def test_each_record_may_have_its_own(self, shelves: Toys) -> None:
        uuids = [shelves.shelf(name, boxes=["x"]) for name in ("f", "g")]
        some, whole = [{"uuid": uuid} for uuid in uuids], {"uuid": uuids[0], "force": True}
        refusal_message(
            shelves.call("DELETE", "toys/shelves", {"records": [whole, some[1]]}), 409, "8", "force"
        )
        answer(shelves.call("DELETE", "toys/shelves", {"records": [whole]}), 200)
        answer(shelves.call("DELETE", "toys/shelves", {"records": some[1:], "force": True}), 200)


class TestParameters:
    """Parameters of the query string."""

    @pytest.mark.parametrize("parameter", ["name=x", "colour=red", "svm.name=svm1"])
    def test_a_query_parameter_that_means_nothing(self, shelves: Toys, parameter: str) -> None:
        name = parameter.partition("=")[0]
        response = shelves.call("POST", f"toys/shelves?{parameter}", {"name": "x", "svm": "svm1"})
        refusal_message(response, 400, "262179", name)

    @pytest.mark.parametrize("parameter", ["return_records", "return_timeout", "force"])
    def test_a_bad_parameter_changes_nothing(
        self, shelves: Toys, unchanged: Unchanged, parameter: str
    ) -> None:
        path = f"toys/shelves?{parameter}=perhaps"
        response = shelves.call("POST", path, {"name": "x", "svm": "svm1"})
        assert response.status_code == 400
        unchanged()

    @pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE"])
    @pytest.mark.parametrize("timeout", ["-1", "121", "x"])
    def test_a_bad_return_timeout_changes_nothing(
        self, shelves: Toys, unchanged: Unchanged, method: str, timeout: str
    ) -> None:
        path = "toys/shelves" if method == "POST" else "toys/shelves?name=a"
        joint = "?" if method == "POST" else "&"
        body = {"name": "x", "svm": "svm1"} if method == "POST" else {}
        response = shelves.call(method, f"{path}{joint}return_timeout={timeout}", body)
        refusal_message(response, 400, "2", "return_timeout")
        unchanged()

    @pytest.mark.parametrize(
        ("query", "code", "target"),
        [
            ("max_records=0", "2", "max_records"),
            ("max_records=x", "2", "max_records"),
            ("return_timeout=121", "2", "return_timeout"),
            ("return_records=perhaps", "2", "return_records"),
            ("fields=colour", "262197", "fields"),
            ("order_by=colour", "262197", "order_by"),
            ("colour=red", "262179", "colour"),
            ("space.size=big", "262197", "space.size"),
            ("start=x", "262197", "start"),
            ("chap.password=x", "262179", "chap.password"),
            ("=x", "262179", ""),
        ],
    )
    def test_a_parameter_that_is_wrong(
        self, shelves: Toys, query: str, code: str, target: str
    ) -> None:
        refusal_message(shelves.call("GET", f"toys/shelves?{query}"), 400, code, target)


@given(query=st.text(alphabet='abcfieldsnmorxuv_.*,=&|!<>"%+-0123 \x00ü', max_size=40))
def test_no_query_breaks_it(shelves: Toys, query: str) -> None:
    for path in ("toys/shelves", "toys/planets", "toys/room"):
        assert shelves.call("GET", f"{path}?{query}").status_code in (200, 400, 404)


@given(body=st.binary(max_size=40) | st.text(alphabet='{}[]":,anmesv1.', max_size=40))
def test_no_body_breaks_it(shelves: Toys, body: bytes | str) -> None:
    content = body if isinstance(body, bytes) else body.encode()
    assert shelves.call("POST", "toys/shelves", content).status_code == 400


class TestSvmHeaders:
    """`X-Dot-SVM-Name` and `X-Dot-SVM-UUID` confine a call to one SVM."""

    @pytest.fixture(params=["name", "uuid", "both"])
    def headers(self, shelves: Toys, request: pytest.FixtureRequest) -> dict[str, str]:
        """Return headers that confine calls to svm1."""
        uuid = shelves.get("svm/svms?name=svm1")["records"][0]["uuid"]
        values = {"X-Dot-SVM-Name": "svm1", "X-Dot-SVM-UUID": uuid}
        which = {"name": ["X-Dot-SVM-Name"], "uuid": ["X-Dot-SVM-UUID"], "both": list(values)}
        return {name: values[name] for name in which[request.param]}

    def test_collections_show_what_is_its_own(self, shelves: Toys, headers: dict[str, str]) -> None:
        assert shelves.names("toys/shelves", headers=headers) == ["a", "b"]
        assert shelves.names("toys/shelves?name=b|c", headers=headers) == ["b"]
        assert shelves.names("svm/svms/", headers=headers) == ["svm1"]
        path = "toys/shelves?return_records=false"
        assert shelves.get(path, headers=headers) == {"num_records": 2}

    def test_objects_of_no_svm_are_shown(self, shelves: Toys, headers: dict[str, str]) -> None:
        assert len(shelves.names("toys/planets", headers=headers)) == 4

    @pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
    def test_objects_of_others_do_not_exist(
        self, shelves: Toys, headers: dict[str, str], method: str
    ) -> None:
        for path in ("toys/shelves?name=c", "svm/svms?name=svm2"):
            uuid = shelves.get(path)["records"][0]["uuid"]
            path = f"{path.partition('?')[0]}/{uuid}"
            body = {"name": "x"} if method == "PATCH" else None
            refusal_message(shelves.call(method, path, body, headers=headers), 404, "4")

    def test_new_objects_are_its_own(self, shelves: Toys, headers: dict[str, str]) -> None:
        uuid = key(shelves.call("POST", "toys/shelves", {"name": "new"}, headers=headers))
        assert shelves.get(f"toys/shelves/{uuid}")["svm"]["name"] == "svm1"
        body = {"name": "newer", "svm": "svm1"}
        answer(shelves.call("POST", "toys/shelves", body, headers=headers), 201)
        body = {"name": "newest", "svm": "svm2"}
        refusal_message(
            shelves.call("POST", "toys/shelves", body, headers=headers), 400, "2621706", "svm"
        )

    def test_a_query_for_deletion_stays_within(
        self, shelves: Toys, headers: dict[str, str]
    ) -> None:
        refusal_message(shelves.call("DELETE", "toys/shelves", headers=headers), 400, "2")
        body = answer(shelves.call("DELETE", "toys/shelves?name=*", headers=headers), 200)
        assert body == {"num_records": 2}
        assert shelves.names("toys/shelves") == [*"cde"]

    @pytest.mark.parametrize("method", ["GET", "POST"])
    def test_an_svm_that_there_is_not(self, shelves: Toys, method: str) -> None:
        body = {"name": "new"} if method == "POST" else None
        headers = {"X-Dot-SVM-Name": "svm9"}
        response = shelves.call(method, "toys/shelves", body, headers=headers)
        refusal_message(response, 400, "2621462", "svm")

    def test_a_name_and_a_uuid_that_disagree(self, shelves: Toys) -> None:
        uuid = shelves.get("svm/svms?name=svm2")["records"][0]["uuid"]
        headers = {"X-Dot-SVM-Name": "svm1", "X-Dot-SVM-UUID": uuid}
        response = shelves.call("GET", "toys/shelves", headers=headers)
        refusal_message(response, 400, "2621706", "svm")
