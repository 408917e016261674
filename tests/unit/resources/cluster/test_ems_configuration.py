"""The mail server and proxy for events, as clients set them."""

from __future__ import annotations

from in_process import Array

PATH = "support/ems"
LOGIN = {"mail_server_user": "array", "mail_server_password": "a secret"}
MAIL = {"mail_from": "array@example.org", "mail_server": "mail.example.org"}


def test_nothing_is_set_at_first(api: Array) -> None:
    assert api.get(PATH) == {
        "mail_from": "",
        "mail_server": "",
        "mail_server_encryption": "none",
        "mail_server_port": 25,
        "pubsub_enabled": False,
    }


def test_the_port_and_encryption_follow_from_what_is_set(api: Array) -> None:
    api.patch(PATH, MAIL | LOGIN)
    record = api.get(PATH)
    assert (record["mail_server"], record["mail_from"]) == ("mail.example.org", "array@example.org")
    assert (record["mail_server_encryption"], record["mail_server_port"]) == ("starttls", 587)
    api.patch(PATH, {"mail_server_encryption": "tls"})
    assert api.get(PATH)["mail_server_port"] == 465
    api.patch(PATH, {"mail_server_port": 2465})
    assert api.get(PATH)["mail_server_port"] == 2465
    assert len(api.contents()["ems_configuration"]) == 1


def test_a_password_is_never_sent_in_the_clear(api: Array) -> None:
    api.refuse("PATCH", PATH, "262197", LOGIN | {"mail_server_encryption": "none"})
    api.patch(PATH, {"mail_server_encryption": "none"})
    api.refuse("PATCH", PATH, "262197", LOGIN)
    assert "mail_server_user" not in api.get(PATH)


def test_passwords_are_not_shown_and_not_stored_in_the_clear(api: Array) -> None:
    api.patch(PATH, MAIL | LOGIN | {"proxy_url": "http://proxy:3128", "proxy_user": "a"})
    api.patch(PATH, {"proxy_password": "another secret"})
    assert "secret" not in str(api.get(f"{PATH}?fields=**"))
    [row] = api.contents()["ems_configuration"]
    assert (row.mail_password, row.proxy_password) == ("a secret", "another secret")


def test_another_server_is_not_sent_the_password_of_the_one_before(api: Array) -> None:
    api.patch(PATH, MAIL | LOGIN | {"proxy_url": "http://proxy:3128", "proxy_password": "b"})
    api.patch(PATH, {"mail_server": "other.example.org", "proxy_url": "http://other:3128"})
    [row] = api.contents()["ems_configuration"]
    assert (row.mail_password, row.proxy_password) == ("", "")


def test_settings_can_be_cleared(api: Array) -> None:
    api.patch(PATH, MAIL | LOGIN | {"proxy_url": "http://proxy:3128", "proxy_user": "a"})
    nothing = ("mail_from", "mail_server", "mail_server_user", "proxy_url", "proxy_user")
    api.patch(PATH, dict.fromkeys(nothing, ""))
    assert not any(api.get(PATH).get(name) for name in nothing)


def test_invalid_addresses_are_refused(api: Array) -> None:
    for wrong in (
        {"mail_from": "array"},
        {"mail_server": "a b"},
        {"proxy_url": "https://proxy.example.org"},
        {"proxy_url": "http://array:secret@proxy.example.org"},
        {"pubsub_enabled": True},
    ):
        api.refuse("PATCH", PATH, "262197", wrong)
