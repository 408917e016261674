"""Who has an account in a directory logs in: with a real LDAP server, and over the API."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import toy
from directory_process import directory_service
from patience import HOUR
from slapd import BASE, READER, READERS_PASSWORD, DirectoryServer, directory_server, group, user
from sqlalchemy import Engine, delete, select
from standing_clock import Clock
from tls_material import material
from werkzeug.test import Client

from sanstone.core.database.store import reading, writing
from sanstone.core.events import Event
from sanstone.http import app
from sanstone.http.sessions import HEADER
from sanstone.model.activity import AuditMessage
from sanstone.model.directory import LdapClient
from sanstone.model.security import CONSOLE, NSSWITCH, SERVER_CA, SSH, Account, Certificate
from sanstone.security import activity, asking, directory, logins, password_hashes
from sanstone.security.authentication import Authenticator

JOE, EVE, BOB = ("joe", "joe's secret"), ("eve", "eve's secret"), ("bob", "bob's secret")
ADMIN = ("admin", "admin's own")
PATH = "/api/security/session"
HTTPS = "https://array.example"


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectoryServer]:
    """A server with three users, one of them in a group."""
    entries = (user(*JOE), user(*EVE), user(*BOB), group("operators", 500, "eve"))
    with directory_server(tmp_path_factory.mktemp("slapd"), *entries) as server:
        yield server


@pytest.fixture
def directory_worker(toys: Engine) -> Iterator[None]:
    """The process that asks directories, as threads of this one."""
    with directory_service():
        yield


@pytest.fixture
def array(
    toys: Engine, servers: DirectoryServer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Array]:
    """An array with a directory, an account of it, a group of it and one of the array's own."""
    monkeypatch.setattr(app, "RESOURCES", toy.RESOURCES)
    with writing(toys) as session:
        session.add(
            LdapClient(
                servers=["127.0.0.1"],
                port=servers.port,
                ldaps=False,
                schema="rfc_2307",
                base_dn=BASE,
                base_scope="subtree",
                user_scope="subtree",
                group_scope="subtree",
                bind_dn=READER,
                bind_password=READERS_PASSWORD,
                query_timeout=int(HOUR),
                given_bind_level="",
            )
        )
        session.add(
            Certificate(
                name="directory",
                type=SERVER_CA,
                common_name="An authority",
                ca="An authority",
                serial_number="1",
                expiry_time=0.0,
                key_size=256,
                public_certificate=material().authority.text,
                private_key="",
            )
        )
        by_directory = {"application": "http", "authentication_methods": [NSSWITCH]}
        by_ssh = {"application": SSH, "authentication_methods": [NSSWITCH]}
        session.add(Account(name=JOE[0], role="admin", applications=[by_directory, by_ssh]))
        session.add(
            Account(name="operators", role="readonly", applications=[by_directory], is_group=True)
        )
        session.add(Account(name=ADMIN[0], password=password_hashes.hash_password(ADMIN[1])))
    application = app.create_app()
    yield Array(application.test_client(), toys)
    application.extensions["sanstone"].dispose()


class Array:
    """Clients' requests to the array."""

    def __init__(self, client: Client, database: Engine) -> None:
        self.client, self.database = client, database

    def status(self, login: tuple[str, str], address: str = "10.0.0.1") -> int:
        """Return the status of who logs in with a request."""
        self.client.delete_cookie("__Host-sanstone", domain="array.example")
        environment = {"REMOTE_ADDR": address}
        answer = self.client.get("/api/svm/svms", auth=login, environ_overrides=environment)
        return answer.status_code

    def change(self, name: str, changed: Callable[[Account], None]) -> None:
        """Change an account."""
        with writing(self.database) as session:
            changed(session.scalars(select(Account).filter_by(name=name)).one())


def test_a_user_of_the_directory_and_a_member_of_a_group_log_in(
    directory_worker: None, array: Array
) -> None:
    for login in (JOE, EVE, ADMIN):
        assert array.status(login) == 200, login
    for name, password in (
        ("joe", "wrong"),
        ("joe", ""),
        ("joe", EVE[1]),
        # In the directory, but in no group that is an account.
        BOB,
        ("nobody", JOE[1]),
        # The group is nobody's name.
        ("operators", EVE[1]),
        ("operators", ""),
    ):
        assert array.status((name, password), f"10.1.0.{len(name + password)}") == 401, name


def test_sshd_accepts_users_of_the_directory(directory_worker: None, array: Array) -> None:
    """As it asks by `sanstone-check-password`, which names the application."""
    authenticator = Authenticator(array.database)
    login = authenticator.check(*JOE, "10.0.0.1", application=SSH)
    assert login
    assert logins.may_log_in(login.account)
    assert not authenticator.check("joe", "wrong", "10.0.0.1", application=SSH)
    assert not authenticator.check(*JOE, "10.0.0.1", application=CONSOLE)
    member = authenticator.check(*EVE, "10.0.0.1", application=SSH)
    assert member is None, "the system does not know members of groups"


def test_a_session_is_the_members_own_and_has_the_groups_role(
    directory_worker: None, array: Array
) -> None:
    login = array.client.post(
        PATH, json={"name": EVE[0], "password": EVE[1]}, base_url=HTTPS
    ).get_json()
    assert login["account"] == {"name": "eve", "role": {"name": "readonly"}}
    assert login["password_expired"] is False
    record = array.client.get(PATH, base_url=HTTPS).get_json()
    assert record["account"]["name"] == "eve"
    response = array.client.post(
        "/api/security/authentication/password",
        json={"name": "operators", "password": "a new one 1"},
        headers={HEADER: login["csrf_token"]},
        base_url=HTTPS,
    )
    assert response.status_code == 409, "nobody sets a password for a group"
    with reading(activity.engine()) as session:
        users = set(session.scalars(select(AuditMessage.user)))
    assert "eve" in users, "the audit log tells who it was"


def test_a_user_removed_from_the_directory_or_the_array_is_out(
    directory_worker: None, array: Array, servers: DirectoryServer, clock: Clock
) -> None:
    array.change("joe", lambda account: setattr(account, "name", "bob"))
    body = {"name": BOB[0], "password": BOB[1]}
    assert array.client.post(PATH, json=body, base_url=HTTPS).status_code == 201
    assert array.client.get(PATH, base_url=HTTPS).status_code == 200
    servers.lock("bob")
    clock.now += directory.REMEMBERED + 1
    assert array.client.get(PATH, base_url=HTTPS).status_code == 401
    assert array.status(BOB) == 401
    assert array.status(EVE) == 200
    array.change("operators", lambda account: setattr(account, "locked", True))
    assert array.status(EVE) == 401, "at once, though the password was right a moment ago"


def test_without_a_server_only_the_arrays_own_accounts_log_in(
    directory_worker: None, array: Array, clock: Clock
) -> None:
    assert array.status(EVE) == 200
    with writing(array.database) as session:
        session.scalars(select(LdapClient)).one().port = 1
    assert array.status(EVE) == 401, "what was right of other servers says nothing"
    assert array.status(JOE, "10.0.0.2") == 401
    assert array.status(ADMIN) == 200
    with reading(array.database) as session:
        messages = session.scalars(select(Event.message).filter_by(name=directory.EVENT)).all()
    assert len(messages) == 1
    assert "cannot be reached" in messages[0]
    clock.now += asking.SILENCE + 1
    with writing(array.database) as session:
        session.execute(delete(LdapClient))
    assert array.status(EVE, "10.0.0.3") == 401


def test_guesses_at_users_of_the_directory_are_slowed_down(
    directory_worker: None, array: Array
) -> None:
    for name in ("joe", "eve", "nobody"):
        answers = [array.status((name, f"wrong {n}"), f"10.2.0.{len(name)}") for n in range(6)]
        assert answers == [401] * 5 + [429], name


def test_without_the_directory_process_no_user_of_the_directory_logs_in(array: Array) -> None:
    assert array.status(JOE) == 401
    assert array.status(ADMIN) == 200
