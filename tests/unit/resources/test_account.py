"""Who may do what: accounts, roles, rules for passwords, and keys."""

from __future__ import annotations

from typing import Any

import argon2
import pytest
from in_process import LOGIN, Array
from werkzeug.test import TestResponse

from sanstone.core import secrets
from sanstone.core.accounts import Account
from sanstone.core.store import reading, writing

ACCOUNTS, ROLES = "security/accounts", "security/roles"
OWN = "security/authentication/password"
RULES = "private/cli/security/login/role/config"
HTTP = [{"application": "http", "authentication_methods": ["password"]}]
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
PASSWORD = "first pass 1"


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords quickly: no test is about how slow that is."""
    hasher = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(secrets, "_hasher", hasher)


def account(api: Array, name: str, role: str = "readonly", **more: Any) -> str:
    """Make an account that can log in, and return its path."""
    body = {"name": name, "role": role, "applications": HTTP, "password": PASSWORD, **more}
    made = api.make(ACCOUNTS, body)
    return f"{ACCOUNTS}/{made['owner']['uuid']}/{name}"


def role(api: Array, name: str, **privileges: str) -> None:
    """Make a role; `storage__luns="all"` is a privilege for /api/storage/luns."""
    given = [{"path": f"/api/{p.replace('__', '/')}", "access": a} for p, a in privileges.items()]
    api.make(ROLES, {"name": name, "privileges": given})


def as_(
    api: Array, name: str, method: str, path: str, body: Any = None, password: str = PASSWORD
) -> TestResponse:
    """Send a request as another account."""
    return api.client.open(f"/api/{path}", method=method, json=body, auth=(name, password))


def status(*request: Any, **more: Any) -> int:
    """Return the status of `as_`."""
    return as_(*request, **more).status_code


def test_an_account_is_shown_as_it_was_made_without_its_password(api: Array) -> None:
    path = account(api, "joe", comment="A reader")
    shown = api.get(f"{path}?fields=**")
    assert shown["role"] == {"name": "readonly"}
    assert (shown["scope"], shown["owner"]["name"], shown["locked"]) == ("cluster", "array1", False)
    assert shown["applications"] == [
        {
            "application": "http",
            "authentication_methods": ["password"],
            "second_authentication_method": "none",
            "is_ldap_fastbind": False,
            "is_ns_switch_group": False,
        }
    ]
    assert "pass 1" not in str(shown)
    assert [r["name"] for r in api.records(f"{ACCOUNTS}?scope=cluster")] == ["admin", "joe"]


def test_a_role_of_ones_own_allows_what_it_says_and_no_more(api: Array) -> None:
    role(api, "volumes", storage__volumes="read_create", cluster="readonly")
    account(api, "joe", "volumes")
    assert status(api, "joe", "GET", "storage/volumes") == 200
    assert status(api, "joe", "GET", "cluster") == 200
    assert status(api, "joe", "GET", "svm/svms") == 403
    assert status(api, "joe", "POST", "storage/volumes", {}) == 400
    refused = as_(api, "joe", "DELETE", "storage/volumes?name=x").get_json()
    assert refused["error"]["code"] == "6"


def test_a_changed_privilege_counts_from_the_next_request(api: Array) -> None:
    role(api, "one", storage="readonly")
    account(api, "joe", "one")
    privileges = f"{ROLES}/{api.get('cluster')['uuid']}/one/privileges"
    api.make(privileges, {"path": "/api/storage/luns", "access": "none"})
    assert status(api, "joe", "GET", "storage/luns") == 403
    api.patch(f"{privileges}/%2Fapi%2Fstorage%2Fluns", {"access": "readonly"})
    assert status(api, "joe", "GET", "storage/luns") == 200
    shown = [(r["path"], r["access"]) for r in api.records(privileges)]
    assert shown == [("/api/storage", "readonly"), ("/api/storage/luns", "readonly")]
    api.delete(f"{privileges}/%2Fapi%2Fstorage%2Fluns")
    assert len(api.records(privileges)) == 1


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
    """What a password must be, and what becomes of an old one."""

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
        said = api.refuse("PATCH", path, "7077924", {"password": PASSWORD})["message"]
        assert said == "New password must be different from last 6 passwords."
        api.patch(path, {"password": "number 7 is it"})
        api.patch(path, {"password": PASSWORD})

    def test_one_changes_ones_own_whatever_the_role(self, api: Array) -> None:
        role(api, "blind", svm="none")
        account(api, "joe", "blind")
        account(api, "ann", "blind")
        new = {"name": "joe", "password": "another pass 2"}
        assert status(api, "ann", "POST", OWN, new) == 403
        assert status(api, "joe", "POST", OWN, new) == 201
        assert status(api, "joe", "POST", OWN, new) == 401
        assert status(api, "joe", "POST", OWN, new, password="another pass 2") == 400

    def test_an_expired_password_must_be_changed_first(self, api: Array) -> None:
        account(api, "joe")
        account(api, "ann", "admin")
        api.patch(f"{RULES}/array1/readonly", {"passwd_expiry_time": 30})
        assert status(api, "joe", "GET", "cluster") == 200
        with writing(api.database) as session:
            session.query(Account).filter_by(name="joe").one().password_changed -= 31 * 86400
        refused = as_(api, "joe", "GET", "cluster")
        assert refused.status_code == 403
        assert "expired" in refused.get_json()["error"]["message"]
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


class TestAccountsOfSvms:
    """An SVM's account sees its SVM and nothing else."""

    @pytest.fixture
    def two(self, api: Array) -> Array:
        """Two SVMs with a volume, a LUN and an igroup each, and an account `vsadmin` in each."""
        api.disks(4)
        api.aggregate()
        for number in (1, 2):
            svm = f"svm{number}"
            api.svm(svm, iscsi={"enabled": True})
            api.volume("vol1", svm)
            api.lun("/vol/vol1/lun1", svm)
            group = {"name": f"group{number}", "svm": {"name": svm}, "os_type": "linux"}
            api.make("protocols/san/igroups", group)
            account(api, "vsadmin", "vsadmin", owner={"name": svm}, password=f"{PASSWORD}{number}")
        return api

    def ask(self, two: Array, method: str, path: str, body: Any = None) -> Any:
        """Send a request as the first SVM's account."""
        return as_(two, "vsadmin", method, path, body, password=f"{PASSWORD}1")

    @pytest.mark.parametrize("path", ["storage/volumes", "storage/luns", "protocols/san/igroups"])
    def test_it_sees_only_what_is_the_svms(self, two: Array, path: str) -> None:
        records = self.ask(two, "GET", f"{path}?fields=svm.name").get_json()["records"]
        assert [record["svm"]["name"] for record in records] == ["svm1"]
        (other,) = two.records(f"{path}?svm.name=svm2")
        for method in ("GET", "PATCH", "DELETE"):
            answer = self.ask(
                two, method, f"{path}/{other['uuid']}", {} if method == "PATCH" else None
            )
            assert answer.status_code == 404

    def test_it_sees_its_svm_and_the_array_it_is_on(self, two: Array) -> None:
        names = [r["name"] for r in self.ask(two, "GET", "svm/svms").get_json()["records"]]
        assert names == ["svm1"]
        assert self.ask(two, "GET", "cluster").status_code == 200
        assert self.ask(two, "GET", "storage/aggregates").status_code == 200

    @pytest.mark.parametrize(
        ("method", "path"),
        [
            ("GET", "storage/disks"),
            ("GET", "support/ems/events"),
            ("GET", "security/roles"),
            ("DELETE", "storage/aggregates?name=aggr1"),
            ("PATCH", "cluster"),
            ("POST", "svm/svms"),
        ],
    )
    def test_the_array_is_not_its_business(self, two: Array, method: str, path: str) -> None:
        assert self.ask(two, method, path, {"name": "x"}).status_code == 403

    def test_a_role_that_allows_everything_does_not_change_that(self, two: Array) -> None:
        svm = two.records("svm/svms?name=svm1")[0]["uuid"]
        given = {"name": "all", "owner.uuid": svm}
        given["privileges"] = [{"path": "/api", "access": "all"}]  # type: ignore[assignment]
        two.make(ROLES, given)
        two.patch(f"{ACCOUNTS}/{svm}/vsadmin", {"role.name": "all"})
        for method, path in (
            ("GET", "storage/disks"),
            ("DELETE", "storage/aggregates?name=aggr1"),
            ("PATCH", "cluster"),
            ("POST", "svm/svms"),
            ("DELETE", f"svm/svms/{svm}"),
            ("GET", "support/ems/events"),
        ):
            answer = self.ask(two, method, path, {"name": "x"})
            assert answer.status_code == 403, (method, path)
        made = {"name": "another", "applications": HTTP, "password": PASSWORD}
        assert self.ask(two, "POST", ACCOUNTS, made | {"owner.name": "svm2"}).status_code == 400
        assert self.ask(two, "POST", ACCOUNTS, made).status_code == 201
        owners = [r["owner"]["name"] for r in self.ask(two, "GET", ACCOUNTS).get_json()["records"]]
        assert owners == ["svm1", "svm1"]

    def test_what_it_makes_is_the_svms(self, two: Array) -> None:
        body = {"name": "new", "os_type": "linux"}
        assert self.ask(two, "POST", "protocols/san/igroups", body).status_code == 201
        (made,) = two.records("protocols/san/igroups?name=new&fields=svm.name")
        assert made["svm"]["name"] == "svm1"
        body["svm"] = {"name": "svm2"}  # type: ignore[assignment]
        assert self.ask(two, "POST", "protocols/san/igroups", body).status_code == 400

    def test_it_reaches_nothing_of_another_through_a_reference_or_a_parent(
        self, two: Array
    ) -> None:
        (group,) = two.records("protocols/san/igroups?svm.name=svm2")
        (lun,) = two.records("storage/luns?svm.name=svm2")
        where = f"protocols/san/igroups/{group['uuid']}/initiators"
        initiator = {"name": "iqn.1994-05.com.example:x"}
        assert self.ask(two, "POST", where, initiator).status_code == 404
        assert self.ask(two, "GET", where).status_code == 404
        maps = {"lun.uuid": lun["uuid"], "igroup.name": "group1"}
        assert self.ask(two, "POST", "protocols/san/lun-maps", maps).status_code == 400

    def test_it_sees_its_own_jobs(self, two: Array) -> None:
        body = {"name": "vol9", "size": 1024**3}
        job = self.ask(two, "POST", "storage/volumes", body).get_json()["job"]["uuid"]
        assert self.ask(two, "GET", f"cluster/jobs/{job}").get_json()["state"] == "success"
        all_jobs = two.get("cluster/jobs?return_records=false")["num_records"]
        own = self.ask(two, "GET", "cluster/jobs?return_records=false").get_json()["num_records"]
        assert 0 < own < all_jobs

    def test_accounts_of_one_name_are_told_apart(self, two: Array) -> None:
        for number in (1, 2):
            for login in ("vsadmin", rf"svm{number}\vsadmin"):
                answer = as_(two, login, "GET", "svm/svms", password=f"{PASSWORD}{number}")
                assert [r["name"] for r in answer.get_json()["records"]] == [f"svm{number}"]
        assert status(two, r"svm2\vsadmin", "GET", "svm/svms", password=f"{PASSWORD}1") == 401
        assert status(two, r"svm1\admin", "GET", "svm/svms", password=LOGIN[1]) == 401

    def test_one_password_for_two_svms_is_nobodys(self, two: Array) -> None:
        for svm in two.records("svm/svms"):
            two.patch(f"{ACCOUNTS}/{svm['uuid']}/vsadmin", {"password": "the same 4 both"})
        assert status(two, "vsadmin", "GET", "svm/svms", password="the same 4 both") == 401
        headers = {"X-Dot-SVM-Name": "svm2"}
        auth = ("vsadmin", "the same 4 both")
        answer = two.client.get("/api/svm/svms", headers=headers, auth=auth)
        assert [r["name"] for r in answer.get_json()["records"]] == ["svm2"]

    def test_a_header_that_names_another_svm_opens_nothing(self, two: Array) -> None:
        other = two.records("svm/svms?name=svm2")[0]
        for headers in ({"X-Dot-SVM-Name": "svm2"}, {"X-Dot-SVM-UUID": other["uuid"]}):
            auth = (r"svm1\vsadmin", f"{PASSWORD}1")
            answer = two.client.get("/api/storage/luns", headers=headers, auth=auth)
            assert answer.status_code == 400

    def test_accounts_go_with_their_svm(self, api: Array) -> None:
        svm = api.svm("svm1")["uuid"]
        account(api, "vsadmin", "vsadmin", owner={"name": "svm1"})
        key = {"owner.name": "svm1", "account.name": "vsadmin", "public_key": KEY}
        api.make("security/authentication/publickeys", key)
        api.patch(f"security/login/messages/{svm}", {"message": "Hello."})
        api.delete(f"svm/svms/{svm}")
        with reading(api.database) as session:
            assert [row.name for row in session.query(Account)] == ["admin"]


def test_keys_are_numbered_and_go_with_their_account(api: Array) -> None:
    path = account(api, "joe")
    keys = "security/authentication/publickeys"
    for number in (0, 1):
        made = api.make(keys, {"account": "joe", "public_key": KEY, "comment": f"key {number}"})
        assert made["index"] == number
    assert made["sha_fingerprint"].startswith("SHA256:")
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
