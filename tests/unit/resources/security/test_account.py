"""Accounts, their roles, rules for passwords, and keys."""

from __future__ import annotations

import pytest
from in_process import Array
from logins import ACCOUNTS, HTTP, KEY, OWN, PASSWORD, ROLES, RULES, account, as_, role, status

from sanstone.core.database.store import writing
from sanstone.model.security import Account
from sanstone.resources.security.role import MOST


def test_an_account_is_shown_as_created_without_its_password(api: Array) -> None:
    path = account(api, "joe", comment="A reader")
    record = api.get(f"{path}?fields=**")
    assert record["role"] == {"name": "readonly"}
    assert (record["scope"], record["owner"]["name"], record["locked"]) == (
        "cluster",
        "array1",
        False,
    )
    assert record["applications"] == [
        {
            "application": "http",
            "authentication_methods": ["password"],
            "second_authentication_method": "none",
            "is_ldap_fastbind": False,
            "is_ns_switch_group": False,
        }
    ]
    assert "pass 1" not in str(record)
    assert [r["name"] for r in api.records(f"{ACCOUNTS}?scope=cluster")] == ["admin", "joe"]


def test_a_custom_role_allows_its_privileges_and_no_more(api: Array) -> None:
    role(api, "volumes", storage__volumes="read_create", cluster="readonly")
    account(api, "joe", "volumes")
    assert status(api, "joe", "GET", "storage/volumes") == 200
    assert status(api, "joe", "GET", "cluster") == 200
    assert status(api, "joe", "GET", "svm/svms") == 403
    assert status(api, "joe", "POST", "storage/volumes", {}) == 400
    answer = as_(api, "joe", "DELETE", "storage/volumes?name=x").get_json()
    assert answer["error"]["code"] == "6"


def test_a_changed_privilege_counts_from_the_next_request(api: Array) -> None:
    role(api, "one", storage="readonly")
    account(api, "joe", "one")
    privileges = f"{ROLES}/{api.get('cluster')['uuid']}/one/privileges"
    api.make(privileges, {"path": "/api/storage/luns", "access": "none"})
    assert status(api, "joe", "GET", "storage/luns") == 403
    api.patch(f"{privileges}/%2Fapi%2Fstorage%2Fluns", {"access": "readonly"})
    assert status(api, "joe", "GET", "storage/luns") == 200
    pairs = [(r["path"], r["access"]) for r in api.records(privileges)]
    assert pairs == [("/api/storage", "readonly"), ("/api/storage/luns", "readonly")]
    api.delete(f"{privileges}/%2Fapi%2Fstorage%2Fluns")
    assert len(api.records(privileges)) == 1


def test_a_privilege_of_one_object_counts_in_changes_of_several(api: Array) -> None:
    first, second = (api.svm(name)["uuid"] for name in ("svm1", "svm2"))
    rules = [{"path": "/api/svm", "access": "all"}]
    rules += [{"path": f"/api/svm/svms/{first}", "access": "readonly"}]
    api.make(ROLES, {"name": "most", "privileges": rules})
    account(api, "joe", "most")
    records = {"records": [{"uuid": first, "comment": "x"}]}
    assert status(api, "joe", "PATCH", "svm/svms?name=*", {"comment": "x"}) == 403
    assert status(api, "joe", "PATCH", "svm/svms", records) == 403
    assert status(api, "joe", "DELETE", "svm/svms?name=svm1") == 403
    assert status(api, "joe", "PATCH", "svm/svms?name=svm2", {"comment": "x"}) == 202
    assert api.get(f"svm/svms/{first}")["comment"] == ""
    assert api.get(f"svm/svms/{second}")["comment"] == "x"


def test_a_role_that_is_used_or_built_in_stays(api: Array) -> None:
    role(api, "one", storage="readonly")
    path = account(api, "joe", "one")
    owner = path.split("/")[2]
    api.refuse("DELETE", f"{ROLES}/{owner}/one", "5636172")
    api.refuse("DELETE", f"{ROLES}/{owner}/admin", "1263347")
    api.refuse("PATCH", f"{ROLES}/{owner}/admin/privileges/%2Fapi", "1263347", {"access": "none"})
    api.delete(path)
    api.delete(f"{ROLES}/{owner}/one")


def test_nobody_gives_more_than_they_have(api: Array) -> None:
    role(api, "security", security="all")
    account(api, "guard", "security")
    path = account(api, "boss", "admin")
    body = {"name": "new", "role": "admin", "applications": HTTP, "password": PASSWORD}
    owner = path.split("/")[2]
    more = {"name": "more", "privileges": [{"path": "/api", "access": "all"}]}
    for method, where, what in (
        ("POST", ACCOUNTS, body),
        ("PATCH", path, {"password": "another pass 2"}),
        ("PATCH", f"{ACCOUNTS}/{owner}/guard", {"role": "admin"}),
        ("DELETE", path, None),
        ("POST", OWN, {"name": "boss", "password": "another pass 2"}),
        ("POST", ROLES, more),
        ("POST", f"{ROLES}/{owner}/security/privileges", {"path": "/api/svm", "access": "all"}),
        (
            "POST",
            "security/authentication/publickeys",
            {"account.name": "boss", "public_key": KEY},
        ),
    ):
        answer = as_(api, "guard", method, where, what)
        assert answer.status_code == 403, (method, where, answer.get_json())
        assert answer.get_json()["error"]["code"] == "6"
    body["role"] = "security"
    assert status(api, "guard", "POST", ACCOUNTS, body) == 201


def test_nobody_gives_more_than_they_have_by_two_changes_at_once(api: Array) -> None:
    narrow = {"storage": "all", "storage__luns": "readonly", "storage__luns__x": "readonly"}
    role(api, "most", security="all", storage="all", storage__luns__x="readonly")
    account(api, "joe", "most")
    role(api, "few", **narrow)
    privileges = f"{ROLES}/{api.get('cluster')['uuid']}/few/privileges"
    both = f"{privileges}?path=/api/storage/luns*"
    before = api.records(privileges)
    assert status(api, "joe", "DELETE", both) == 403
    assert status(api, "joe", "PATCH", both, {"access": "all"}) == 403
    assert api.records(privileges) == before
    assert status(api, "joe", "DELETE", f"{privileges}?path=/api/storage/luns") == 200


def test_a_role_has_so_many_privileges_and_no_more(api: Array) -> None:
    many = [{"path": f"/api/path{n}", "access": "all"} for n in range(MOST + 1)]
    api.refuse("POST", ROLES, "262197", {"name": "many", "privileges": many})
    api.make(ROLES, {"name": "many", "privileges": many[:-1]})
    privileges = f"{ROLES}/{api.get('cluster')['uuid']}/many/privileges"
    api.refuse("POST", privileges, "8", many[-1])


def test_the_last_administrator_stays_one(api: Array) -> None:
    path = f"{ACCOUNTS}/{api.get('cluster')['uuid']}/admin"
    ssh = [{"application": "ssh", "authentication_methods": ["publickey"]}]
    account(api, "locked", "admin", locked=True)
    account(api, "keyed", "admin", applications=ssh)
    api.refuse("DELETE", path, "5636098")
    for change in ({"locked": True}, {"role": "readonly"}, {"applications": ssh}):
        api.refuse("PATCH", path, "7077896", change)
    account(api, "second", "admin")
    api.patch(path, {"locked": True})
    assert api.call("GET", "cluster").status_code == 401


def test_a_locked_account_and_one_without_http_are_kept_out(api: Array) -> None:
    path = account(api, "joe")
    api.patch(path, {"locked": True})
    assert status(api, "joe", "GET", "cluster") == 401
    api.patch(path, {"locked": False})
    assert status(api, "joe", "GET", "cluster") == 200
    api.patch(
        path, {"applications": [{"application": "ssh", "authentication_methods": ["password"]}]}
    )
    assert status(api, "joe", "GET", "cluster") == 401


@pytest.mark.parametrize(
    ("name", "code"),
    [("root", "5636121"), ("Root", "5636121"), ("jo", "7077897"), ("a b", "7077897")],
)
def test_a_name_that_may_not_be_is_refused(api: Array, name: str, code: str) -> None:
    api.refuse("POST", ACCOUNTS, code, {"name": name, "applications": HTTP})


@pytest.mark.parametrize(
    ("application", "methods", "code"),
    [("http", ["publickey"], "5636176"), ("nfs", ["password"], "5636178"), ("ssh", [], "5636176")],
)
def test_an_application_that_does_not_fit_is_refused(
    api: Array, application: str, methods: list[str], code: str
) -> None:
    entry = {"application": application, "authentication_methods": methods}
    api.refuse("POST", ACCOUNTS, code, {"name": "joe", "applications": [entry]})


class TestPasswords:
    """Rules for new passwords, and the history of old ones."""

    @pytest.mark.parametrize(
        ("password", "code"),
        [
            ("short 1", "7077919"),
            ("no digits here", "7077920"),
            ("0123456789", "7077920"),
            ("has JOE in it 1", "7077918"),
        ],
    )
    def test_a_password_against_the_rules_is_refused(
        self, api: Array, password: str, code: str
    ) -> None:
        path = account(api, "joe")
        api.refuse("PATCH", path, code, {"password": password})
        assert status(api, "joe", "POST", OWN, {"name": "joe", "password": password}) == 400

    def test_stricter_rules_count_for_their_role_alone(self, api: Array) -> None:
        rules = {
            "passwd_minlength": 10,
            "passwd_min_special_chars": 2,
            "passwd_min_uppercase_chars": 1,
        }
        api.patch(f"{RULES}/array1/readonly", rules)
        path, other = account(api, "joe", password="A strict p4ss!"), account(api, "ann", "admin")
        for bad in ("Sh0rt !", "Nospecials1234", "no upper 12 !"):
            assert api.call("PATCH", path, {"password": bad}).status_code == 400
            if len(bad) >= 8:
                assert api.call("PATCH", other, {"password": bad}).status_code == 200

    def test_the_last_six_passwords_are_not_taken_again(self, api: Array) -> None:
        path = account(api, "joe")
        for number in range(2, 7):
            api.patch(path, {"password": f"number {number} is it"})
        message = api.refuse("PATCH", path, "7077924", {"password": PASSWORD})["message"]
        assert message == "New password must be different from last 6 passwords."
        api.patch(path, {"password": "number 7 is it"})
        api.patch(path, {"password": PASSWORD})

    def test_an_account_changes_its_own_password_whatever_its_role(self, api: Array) -> None:
        role(api, "blind", svm="none")
        account(api, "joe", "blind")
        account(api, "ann", "blind")
        new = {"name": "joe", "password": "another pass 2"}
        assert status(api, "ann", "POST", OWN, new) == 403
        assert status(api, "joe", "POST", OWN, new) == 201
        assert status(api, "joe", "POST", OWN, new) == 401
        assert status(api, "joe", "POST", OWN, new, password="another pass 2") == 400

    def test_anothers_password_needs_the_right_to_change_that_account(self, api: Array) -> None:
        path = account(api, "joe")
        role(api, "helper", **{path.replace("/", "__"): "read_modify"})
        account(api, "helper", "helper")
        account(api, "ann", "helper")
        joe, ann = ({"name": name, "password": "another pass 2"} for name in ("joe", "ann"))
        assert status(api, "helper", "POST", OWN, joe) == 403, "joe may do more"
        api.patch(path, {"role.name": "helper"})
        assert status(api, "helper", "POST", OWN, joe) == 201
        assert status(api, "helper", "POST", OWN, ann) == 403

    def test_an_expired_password_must_be_changed_first(self, api: Array) -> None:
        account(api, "joe")
        account(api, "ann", "admin")
        api.patch(f"{RULES}/array1/readonly", {"passwd_expiry_time": 30})
        assert status(api, "joe", "GET", "cluster") == 200
        with writing(api.database) as session:
            session.query(Account).filter_by(name="joe").one().password_changed -= 31 * 86400
        response = as_(api, "joe", "GET", "cluster")
        assert response.status_code == 403
        assert "expired" in response.get_json()["error"]["message"]
        other = {"name": "ann", "password": "another pass 2"}
        assert status(api, "joe", "POST", OWN, other) == 403
        own = {"name": "joe", "password": "another pass 2"}
        assert status(api, "joe", "POST", OWN, own) == 201
        assert status(api, "joe", "GET", "cluster", password="another pass 2") == 200

    def test_a_first_password_may_have_to_be_changed(self, api: Array) -> None:
        api.patch(f"{RULES}/array1/readonly", {"require_initial_passwd_update": "enabled"})
        account(api, "joe")
        assert status(api, "joe", "GET", "cluster") == 403
        own = {"name": "joe", "password": "another pass 2"}
        assert status(api, "joe", "POST", OWN, own) == 201
        assert status(api, "joe", "GET", "cluster", password="another pass 2") == 200

    def test_too_many_failures_lock_an_account_until_it_is_unlocked(self, api: Array) -> None:
        path = account(api, "joe")
        api.patch(f"{RULES}/array1/readonly", {"max_failed_login_attempts": 3})
        for _ in range(3):
            assert status(api, "joe", "GET", "cluster", password="wrong") == 401
        assert status(api, "joe", "GET", "cluster") == 401
        assert api.get(f"{path}?fields=locked")["locked"] is True
        names = [r["message"]["name"] for r in api.records("support/ems/events?fields=message")]
        assert names == ["security.login.locked"]
        api.patch(path, {"locked": False})
        assert status(api, "joe", "GET", "cluster") == 200

    def test_the_last_administrator_is_not_locked_by_failures(self, api: Array) -> None:
        api.patch(f"{RULES}/array1/admin", {"max_failed_login_attempts": 2})
        for _ in range(4):
            assert status(api, "admin", "GET", "cluster", password="wrong") == 401
        assert api.call("GET", "cluster").status_code == 200


def test_keys_are_numbered_and_go_with_their_account(api: Array) -> None:
    path = account(api, "joe")
    keys = "security/authentication/publickeys"
    for number in (0, 1):
        created = api.make(keys, {"account": "joe", "public_key": KEY, "comment": f"key {number}"})
        assert created["index"] == number
    assert created["sha_fingerprint"].startswith("SHA256:")
    api.refuse("POST", keys, "1", {"account": "joe", "public_key": KEY, "index": 1})
    api.refuse("POST", keys, "1261218", {"account": "nobody", "public_key": KEY})
    for bad in ("ssh-rsa " + KEY.split()[1], KEY[:-8], "ssh-dss AAAA", 'command="x" ' + KEY):
        api.refuse("POST", keys, "262197", {"account": "joe", "public_key": bad})
    api.delete(path)
    assert api.records(keys) == []


def test_messages_of_the_array_and_of_svms(api: Array) -> None:
    svm = api.svm("svm1")
    records = api.records("security/login/messages?fields=*")
    assert sorted(r["scope"] for r in records) == ["cluster", "svm"]
    (own,) = api.records("security/login/messages?scope=cluster")
    banner = "Authorised\nuse only.\n"
    api.patch(f"security/login/messages/{own['uuid']}", {"banner": banner})
    assert api.get(f"security/login/messages/{own['uuid']}")["banner"] == banner
    api.patch(f"security/login/messages/{own['uuid']}", {"banner": ""})
    assert "banner" not in api.get(f"security/login/messages/{own['uuid']}")
    assert api.get(f"security/login/messages/{svm['uuid']}")["svm"]["name"] == "svm1"
