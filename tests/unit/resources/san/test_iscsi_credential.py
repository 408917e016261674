"""iSCSI credentials: the default one, CHAP and mutual CHAP."""

from __future__ import annotations

import json
from typing import Any

import pytest
from beginnings import prepared_once
from in_process import Array

from sanstone.core.database.store import reading
from sanstone.model.san import IscsiCredential

CREDENTIALS = "protocols/san/iscsi/credentials"
HOST = "iqn.1994-05.com.redhat:host1"
INBOUND = {"inbound": {"user": "u", "password": "in-secret"}}
CHAP = {"authentication_type": "CHAP", "chap": INBOUND}
MUTUAL = {"outbound": {"user": "target", "password": "out-secret"}}


@pytest.fixture
@prepared_once
def svm(api: Array) -> str:
    """The UUID of svm1."""
    return str(api.svm()["uuid"])


def credential(**more: Any) -> dict[str, Any]:
    """Return the body of a credential of HOST."""
    return {"svm": {"name": "svm1"}, "initiator": HOST, **CHAP, **more}


def stored(api: Array, svm: str, initiator: str) -> tuple[str, ...]:
    """Return the targets' credentials: type, users and passwords."""
    with reading(api.database) as session:
        row = session.get_one(IscsiCredential, (svm, initiator))
        return (
            row.authentication_type,
            row.inbound_user,
            row.inbound_password or "",
            row.outbound_user,
            row.outbound_password or "",
        )


def test_every_svm_has_the_default(api: Array, svm: str) -> None:
    [record] = api.records(f"{CREDENTIALS}?initiator=default&svm.uuid={svm}&fields=*")
    assert (record["initiator"], record["authentication_type"]) == ("default", "none")
    assert "chap" not in record
    api.refuse("DELETE", f"{CREDENTIALS}/{svm}/default", "5374148")
    api.refuse("POST", CREDENTIALS, "5374142", credential(initiator="default"))


def test_credentials_go_with_their_svm(api: Array, svm: str) -> None:
    api.make(CREDENTIALS, credential())
    api.delete(f"svm/svms/{svm}")
    assert api.records(CREDENTIALS) == []


def test_passwords_are_taken_and_never_shown(api: Array, svm: str) -> None:
    body = credential(chap=INBOUND | MUTUAL)
    response = api.call("POST", f"{CREDENTIALS}?return_records=true", body)
    assert response.headers["Location"] == f"/api/{CREDENTIALS}/{svm}/{HOST}"
    record = api.get(f"{CREDENTIALS}/{svm}/{HOST}?fields=**")
    assert record["authentication_type"] == "chap"
    assert record["chap"] == {"inbound": {"user": "u"}, "outbound": {"user": "target"}}
    assert stored(api, svm, HOST) == ("chap", "u", "in-secret", "target", "out-secret")
    everything = response.get_data(as_text=True) + json.dumps(record)
    everything += json.dumps(api.get(f"{CREDENTIALS}?fields=chap.inbound.password,**"))
    assert "secret" not in everything


@pytest.mark.parametrize(
    ("code", "query"),
    [
        ("262179", "chap.inbound.password=in*"),
        ("262197", "order_by=chap.inbound.password"),
    ],
)
def test_passwords_cannot_be_guessed_at(api: Array, svm: str, code: str, query: str) -> None:
    api.refuse("GET", f"{CREDENTIALS}?{query}", code)


def test_found_without_an_svm(api: Array, svm: str) -> None:
    api.make(CREDENTIALS, credential())
    [record] = api.records(f"{CREDENTIALS}?initiator={HOST}&fields=svm.name,chap.inbound.user")
    assert (record["svm"]["name"], record["chap"]["inbound"]["user"]) == ("svm1", "u")


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("5374149", {"chap": {}}),
        ("5374149", {"chap": {"inbound": {"user": "u"}}}),
        ("5374149", {"chap": {"inbound": {"password": "in-secret"}}}),
        ("5374149", {"chap": {"inbound": {"user": "", "password": "in-secret"}}}),
        ("5374149", {"chap": MUTUAL}),
        ("5374150", {"chap": {**INBOUND, "outbound": {"user": "t"}}}),
        ("5374150", {"chap": {**INBOUND, "outbound": {"password": "out"}}}),
        (
            "5374147",
            {
                "chap": {
                    **INBOUND,
                    "outbound": {"user": "t", "password": "in-secret"},
                }
            },
        ),
        ("5374900", {"authentication_type": "none"}),
        ("5374900", {"authentication_type": "deny"}),
        ("5373997", {"initiator": "host1"}),
        ("5373997", {"initiator": "20:00:00:50:56:00:00:01"}),
        ("262197", {"authentication_type": "kerberos"}),
        ("2621462", {"svm": {"name": "svm9"}}),
    ],
)
def test_invalid_credentials_are_refused(
    api: Array, svm: str, code: str, change: dict[str, Any]
) -> None:
    api.refuse("POST", CREDENTIALS, code, credential(**change))


@pytest.mark.parametrize("word", ["NULL", "NULLs", " u", "u ", "ü", "x" * 129, "a\tb"])
@pytest.mark.parametrize("part", ["user", "password"])
def test_credentials_that_the_kernel_would_misread_are_refused(
    api: Array, svm: str, part: str, word: str
) -> None:
    inbound = {"user": "u", "password": "in-secret"} | {part: word}
    api.refuse("POST", CREDENTIALS, "262197", credential(chap={"inbound": inbound}))


@pytest.mark.parametrize("word", ["0x1", "0Xa", "0b1"])
def test_a_name_that_the_kernel_would_take_for_a_number(api: Array, svm: str, word: str) -> None:
    inbound = {"user": word, "password": "in-secret"}
    api.refuse("POST", CREDENTIALS, "262197", credential(chap={"inbound": inbound}))
    api.make(CREDENTIALS, credential(chap={"inbound": {"user": "u", "password": word}}))


class TestChange:
    """PATCH of a credential."""

    @pytest.fixture
    def path(self, api: Array, svm: str) -> str:
        api.make(CREDENTIALS, credential(chap=CHAP["chap"] | MUTUAL))  # type: ignore[operator]
        return f"{CREDENTIALS}/{svm}/{HOST}"

    def test_only_what_is_given_changes(self, api: Array, svm: str, path: str) -> None:
        api.patch(path, {"chap.inbound.password": "new"})
        assert stored(api, svm, HOST) == ("chap", "u", "new", "target", "out-secret")
        assert api.get(path)["chap"]["outbound"]["user"] == "target"

    def test_mutual_chap_ends(self, api: Array, svm: str, path: str) -> None:
        api.patch(path, {"chap.outbound.user": ""})
        assert stored(api, svm, HOST) == ("chap", "u", "in-secret", "", "")

    def test_the_type_changes(self, api: Array, svm: str, path: str) -> None:
        api.refuse("PATCH", path, "5374900", {"authentication_type": "deny", "chap": MUTUAL})
        api.patch(path, {"authentication_type": "deny"})
        assert stored(api, svm, HOST) == ("deny", "", "", "", "")
        api.refuse("PATCH", path, "5374149", {"authentication_type": "chap"})

    def test_the_passwords_stay_different(self, api: Array, path: str) -> None:
        api.refuse("PATCH", path, "5374147", {"chap.outbound.password": "in-secret"})

    def test_the_default_can_demand_chap(self, api: Array, svm: str) -> None:
        api.patch(f"{CREDENTIALS}/{svm}/default", CHAP)
        assert stored(api, svm, "default") == ("chap", "u", "in-secret", "", "")

    def test_deletion(self, api: Array, svm: str, path: str) -> None:
        api.delete(path)
        assert [r["initiator"] for r in api.records(CREDENTIALS)] == ["default"]
