"""The array's directory: accepted once its server answers, and used only by TLS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from simulator import Simulator, simulated

from sanstone.kernel.directory.question import Answer, Question
from sanstone.security import directory

PATH = "security/authentication/cluster/ldap"
SETTINGS = {"servers": ["ldap.example.org"], "base_dn": "dc=example,dc=org", "bind_dn": "cn=array"}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    """An array for all tests."""
    with simulated(tmp_path_factory.mktemp("array")) as simulator:
        yield simulator


@pytest.fixture
def directory_questions(monkeypatch: pytest.MonkeyPatch) -> list[Question]:
    """The questions to the directory; it answers if it is at ldap.example.org."""
    questions: list[Question] = []

    def ask(question: Question) -> Answer:
        questions.append(question)
        reached = "ldap.example.org" in question.directory.servers
        return Answer(error="" if reached else "other: it cannot be reached")

    monkeypatch.setattr(directory, "ask", ask)
    return questions


@pytest.fixture
def array(shared: Simulator) -> Iterator[Simulator]:
    """The array, which has no directory."""
    yield shared
    shared.call("DELETE", PATH)
    shared.settle()


def call(array: Simulator, method: str, body: Any = None) -> tuple[int, Any]:
    """Return the status and the error's code, if any."""
    answer = array.call(method, PATH, body)
    array.settle()
    return answer.status_code, answer.get_json().get("error", {}).get("code")


def test_there_is_none_until_its_servers_have_answered(
    array: Simulator, directory_questions: list[Question]
) -> None:
    assert call(array, "GET") == (404, "4")
    assert call(array, "POST", SETTINGS | {"servers": ["other"]}) == (400, "4915258")
    assert call(array, "GET") == (404, "4")
    assert directory_questions[-1].directory.servers == ("other",)
    array.make(PATH, SETTINGS | {"bind_password": "a secret"})
    assert directory_questions[-1].directory.bind_password == "a secret"
    record = array.get(PATH)
    assert (record["port"], record["use_start_tls"], record["ldaps_enabled"]) == (389, True, False)
    assert (record["schema"], record["min_bind_level"]) == ("rfc_2307", "simple")
    assert "bind_password" not in record
    assert "status" not in record
    count = len(directory_questions)
    for _ in range(2):
        assert array.get(f"{PATH}?fields=status")["status"] == {"state": "up"}
    assert len(directory_questions) == count, "it answered a moment ago"
    assert call(array, "POST", SETTINGS) == (409, "1")
    assert call(array, "PATCH", {"servers": ["other"]})[0] in (200, 202)
    status = array.get(f"{PATH}?fields=status")["status"]
    assert status == {"state": "down", "message": "other: it cannot be reached"}


@pytest.mark.parametrize(
    "body",
    [
        {"use_start_tls": False},
        {"use_start_tls": False, "ldaps_enabled": False},
        {"use_start_tls": True, "ldaps_enabled": True},
    ],
)
def test_a_directory_without_tls_is_refused(
    array: Simulator, directory_questions: list[Question], body: dict[str, Any]
) -> None:
    assert call(array, "POST", SETTINGS | body) == (400, "4915251")
    assert directory_questions == []
    array.make(PATH, SETTINGS)
    assert call(array, "PATCH", body) == (400, "4915251")


def test_tls_from_the_first_byte_has_its_own_port(
    array: Simulator, directory_questions: list[Question]
) -> None:
    array.make(PATH, SETTINGS)
    for body, port, ldaps in (
        ({"ldaps_enabled": True}, 636, True),
        ({"use_start_tls": True}, 389, False),
        ({"ldaps_enabled": True, "port": 10636}, 10636, True),
        ({"ldaps_enabled": False}, 10636, False),
    ):
        call(array, "PATCH", body)
        record = array.get(PATH)
        assert (record["port"], record["ldaps_enabled"]) == (port, ldaps), body


def test_another_account_of_the_array_is_not_sent_the_password_of_the_one_before(
    array: Simulator, directory_questions: list[Question]
) -> None:
    array.make(PATH, SETTINGS | {"bind_password": "a secret"})
    call(array, "PATCH", {"bind_dn": "cn=other"})
    array.get(f"{PATH}?fields=status")
    assert (
        directory_questions[-1].directory.bind_dn,
        directory_questions[-1].directory.bind_password,
    ) == ("cn=other", "")


def test_a_bind_by_name_needs_a_name(array: Simulator, directory_questions: list[Question]) -> None:
    nameless = {name: SETTINGS[name] for name in ("servers", "base_dn")}
    assert call(array, "POST", nameless | {"min_bind_level": "simple"})[0] == 400
    array.make(PATH, nameless)
    assert array.get(PATH)["min_bind_level"] == "anonymous"
    assert call(array, "PATCH", {"min_bind_level": "simple"})[0] == 400
    call(array, "PATCH", {"min_bind_level": "simple", "bind_dn": "cn=array"})
    assert array.get(PATH)["min_bind_level"] == "simple"
    assert call(array, "PATCH", {"bind_dn": ""})[0] == 400


def test_accounts_are_of_the_directory_or_have_a_password(
    array: Simulator, directory_questions: list[Question]
) -> None:
    def entry(name: str, *methods: str, group: bool = False) -> dict[str, Any]:
        return {
            "application": name,
            "authentication_methods": list(methods),
            "is_ns_switch_group": group,
        }

    http, ssh = entry("http", "nsswitch"), entry("ssh", "nsswitch", "publickey")
    for body in (
        {"applications": [http], "password": "a passw0rd"},
        {"applications": [entry("http", "nsswitch", "password")]},
        {"applications": [http, entry("ssh", "password")]},
        {"applications": [entry("http", "password", group=True)]},
        {"applications": [entry("ssh", "nsswitch", group=True)]},
        {"applications": [entry("http", "nsswitch", group=True), ssh]},
        {"applications": [entry("console", "nsswitch")]},
    ):
        answer = array.call("POST", "security/accounts", {"name": "joe"} | body)
        assert answer.get_json()["error"]["code"] == "5636176", body
    array.make("security/accounts", {"name": "joe", "applications": [http, ssh]})
    array.make(
        "security/accounts",
        {"name": "admins", "applications": [entry("http", "nsswitch", group=True)]},
    )
    records = array.get("security/accounts?fields=applications&name=admins")["records"]
    assert records[0]["applications"][0]["is_ns_switch_group"] is True


def test_users_and_groups_of_the_directory_are_called_as_they_are_there(
    array: Simulator, directory_questions: list[Question]
) -> None:
    def entry(name: str, method: str, *, group: bool = False) -> dict[str, Any]:
        return {
            "application": name,
            "authentication_methods": [method],
            "is_ns_switch_group": group,
        }

    by_directory = entry("http", "nsswitch")
    for name, applications in (
        ("Jörg (Büro)", [entry("http", "password")]),
        ("Jörg (Büro)", [entry("http", "certificate")]),
        ("Jörg (Büro)", [by_directory, entry("ssh", "nsswitch")]),
        ("Jörg (Büro)", [by_directory, entry("console", "password")]),
        (" Jörg", [by_directory]),
        ("Jörg ", [by_directory]),
        ("Jörg/Büro", [by_directory]),
        ("Jörg*", [by_directory]),
        ("Jörg|Büro", [by_directory]),
        ("-Jörg", [by_directory]),
    ):
        body = {"name": name, "applications": applications}
        answer = array.call("POST", "security/accounts", body).get_json()
        assert answer["error"]["code"] == "7077897", (name, applications)
    array.make("security/accounts", {"name": "Jörg (Büro)", "applications": [by_directory]})
    group = entry("http", "nsswitch", group=True)
    array.make("security/accounts", {"name": "Domain Admins", "applications": [group]})
    for name in ("Domain Admins", "Jörg (Büro)"):
        records = array.get(f"security/accounts?name={quote(name)}&fields=*")["records"]
        assert [record["name"] for record in records] == [name]
        path = records[0]["_links"]["self"]["href"].removeprefix("/api/")
        array.do("PATCH", path, {"comment": "of the directory"})
        # The second is how NetApp's client for Python encodes blanks.
        for encoded in (path, path.replace("%20", "+")):
            assert array.get(encoded)["comment"] == "of the directory"
        answer = array.call("PATCH", path, {"applications": [entry("ssh", "nsswitch")]})
        assert answer.get_json()["error"]["code"] == "7077897"
        array.do("DELETE", path)
