"""The hosts of one subsystem, and their secrets."""

from __future__ import annotations

import json
from typing import Any

import pytest
from beginnings import prepared_once
from in_process import Array
from sqlalchemy import text

from sanstone.core.database.store import reading
from sanstone.model.nvme import Keys, SubsystemHost

NQN = "nqn.2014-08.org.nvmexpress:uuid:ec573842-6bfd-03a6-2faa-b22df85128f5"
OTHER = "nqn.2014-08.org.example:other"
SECRET = "DHHC-1:00:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+KfiaR:"
WRONG = "DHHC-1:00:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+KfiaS:"
OTHER_SECRET = "DHHC-1:00:VRLbtnN9AQb2WXW3c9+wEf/DRLz0QuLdbYvEhwtdWwNf9LrZ:"
CHAP = {"host_secret_key": SECRET}


@pytest.fixture
@prepared_once
def paths(api: Array) -> list[str]:
    """The hosts of two subsystems."""
    api.svm()
    api.make("protocols/nvme/services", {"svm.name": "svm1"})
    paths = []
    for name in ("sub1", "sub2"):
        body = {"svm.name": "svm1", "name": name, "os_type": "linux"}
        uuid = api.make("protocols/nvme/subsystems", body)["uuid"]
        paths.append(f"protocols/nvme/subsystems/{uuid}/hosts")
    return paths


@pytest.fixture
def path(paths: list[str]) -> str:
    """The hosts of the first."""
    return paths[0]


def keys(api: Array, path: str, nqn: str = NQN) -> Keys:
    """Return the target's keys of a host."""
    with reading(api.database) as session:
        return session.get_one(SubsystemHost, (path.split("/")[3], nqn)).keys


def test_admit(api: Array, path: str) -> None:
    response = api.call("POST", path, {"nqn": NQN})
    assert response.status_code == 201
    assert response.headers["Location"] == f"/api/{path}/{NQN}"
    record = api.get(f"{path}/{NQN}")
    assert (record["nqn"], record["priority"]) == (NQN, "regular")
    assert record["subsystem"]["name"] == "sub1"
    assert (record["dh_hmac_chap"], record["tls"]) == (
        {"mode": "none"},
        {"key_type": "none"},
    )


def test_several_at_once_or_none(api: Array, path: str) -> None:
    api.make(path, {"nqn": NQN})
    api.refuse("POST", path, "72089705", {"records": [{"nqn": OTHER}, {"nqn": NQN}]})
    assert api.call("POST", path, {"records": [{"nqn": OTHER}]}).status_code == 201
    assert [record["nqn"] for record in api.records(path)] == [OTHER, NQN]


def test_shut_out(api: Array, path: str) -> None:
    api.make(path, {"nqn": NQN})
    api.delete(f"{path}/{NQN}")
    assert api.records(path) == []
    api.refuse("DELETE", f"{path}/{NQN}", "4")


@pytest.mark.parametrize(
    ("chap", "mode", "stored"),
    [
        (CHAP, "unidirectional", Keys(SECRET, "", "sha_256", "2048_bit")),
        (
            {**CHAP, "controller_secret_key": SECRET, "hash_function": "sha_512"},
            "bidirectional",
            Keys(SECRET, SECRET, "sha_512", "2048_bit"),
        ),
        (
            {**CHAP, "group_size": "none"},
            "unidirectional",
            Keys(SECRET, "", "sha_256", "none"),
        ),
    ],
)
def test_secrets_are_taken_and_never_shown(
    api: Array, path: str, chap: dict[str, str], mode: str, stored: Keys
) -> None:
    created = api.make(path, {"nqn": NQN, "dh_hmac_chap": chap})
    assert created["dh_hmac_chap"] == {
        "mode": mode,
        "hash_function": stored.hash_function,
        "group_size": stored.group_size,
    }
    assert keys(api, path) == stored
    subsystem = api.get(f"{path.removesuffix('/hosts')}?fields=**")
    assert "DHHC" not in json.dumps([created, subsystem, api.get(f"{path}?fields=**")])


TLS_KEY = "NVMeTLSkey-1:01:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+KfiaR:"
OTHER_TLS_KEY = "NVMeTLSkey-1:01:VRLbtnN9AQb2WXW3c9+wEf/DRLz0QuLdbYvEhwtdWwNf9LrZ:"


def tls_key(api: Array, path: str) -> str:
    """Return the target's TLS key."""
    with reading(api.database) as session:
        return session.get_one(SubsystemHost, (path.split("/")[3], NQN)).tls_psk or ""


def test_a_tls_key_is_taken_changed_and_never_shown(api: Array, path: str) -> None:
    created = api.make(
        path, {"nqn": NQN, "tls": {"key_type": "configured", "configured_psk": TLS_KEY}}
    )
    assert created["tls"] == {"key_type": "configured"}
    place = f"{path}/{NQN}"
    api.patch(place, {"tls.configured_psk": OTHER_TLS_KEY})
    assert tls_key(api, path) == OTHER_TLS_KEY
    assert "NVMeTLSkey" not in json.dumps([created, api.get(f"{path}?fields=**")])
    with reading(api.database) as session:
        [stored] = session.scalars(text("SELECT tls_psk FROM subsystem_host"))
    assert stored
    assert "NVMeTLSkey" not in stored
    api.patch(place, {"tls.key_type": "none"})
    assert api.get(place)["tls"] == {"key_type": "none"}
    api.refuse("PATCH", place, "262197", {"tls.key_type": "configured"})


def test_a_host_may_have_a_tls_key_in_one_subsystem_alone(api: Array, paths: list[str]) -> None:
    api.make(paths[0], {"nqn": NQN, "tls.configured_psk": TLS_KEY})
    api.make(paths[1], {"nqn": NQN})
    assert (tls_key(api, paths[0]), tls_key(api, paths[1])) == (TLS_KEY, "")


def test_secrets_change_in_all_subsystems(api: Array, paths: list[str]) -> None:
    for each in paths:
        api.make(each, {"nqn": NQN, "dh_hmac_chap": CHAP})
    changed = {"host_secret_key": OTHER_SECRET, "controller_secret_key": SECRET}
    body = {"dh_hmac_chap": changed}
    api.patch(f"{paths[0]}/{NQN}", body)
    expected = Keys(OTHER_SECRET, SECRET, "sha_256", "2048_bit")
    assert [keys(api, each) for each in paths] == [expected, expected]
    body = {"dh_hmac_chap": {"hash_function": "sha_512"}}
    api.patch(f"{paths[1]}/{NQN}", body)
    assert keys(api, paths[0]) == expected._replace(hash_function="sha_512")


def test_a_host_can_be_given_secrets_later(api: Array, path: str) -> None:
    api.make(path, {"nqn": NQN})
    place = f"{path}/{NQN}"
    api.refuse("PATCH", place, "72089716", {"dh_hmac_chap.controller_secret_key": SECRET})
    api.patch(place, {"dh_hmac_chap": CHAP})
    assert keys(api, path) == Keys(SECRET, "", "sha_256", "2048_bit")


def test_secrets_cannot_be_guessed_at(api: Array, path: str) -> None:
    api.make(path, {"nqn": NQN, "dh_hmac_chap": CHAP})
    for collection in (f"{path}?", "protocols/nvme/subsystems?hosts."):
        api.refuse("GET", f"{collection}dh_hmac_chap.host_secret_key=DHHC*", "262179")


@pytest.mark.parametrize(
    ("code", "body"),
    [
        ("72090003", {"priority": "high"}),
        ("72089772", {"nqn": "host1"}),
        ("72089716", {"nqn": NQN, "dh_hmac_chap": {"host_secret_key": "secret"}}),
        ("72089716", {"nqn": NQN, "dh_hmac_chap": {"host_secret_key": WRONG}}),
        ("72089716", {"nqn": NQN, "dh_hmac_chap": {"controller_secret_key": SECRET}}),
        ("72089716", {"nqn": NQN, "dh_hmac_chap": {"group_size": "2048_bit"}}),
        ("262197", {"nqn": NQN, "dh_hmac_chap": {**CHAP, "hash_function": "md5"}}),
        ("262197", {"nqn": NQN, "tls": {"configured_psk": SECRET}}),
        ("262197", {"nqn": NQN, "tls": {"key_type": "configured"}}),
        (
            "262197",
            {"nqn": NQN, "tls": {"key_type": "none", "configured_psk": TLS_KEY}},
        ),
    ],
)
def test_invalid_hosts_are_refused(api: Array, path: str, code: str, body: dict[str, Any]) -> None:
    api.refuse("POST", path, code, body)


def test_a_host_has_one_set_of_secrets_in_the_whole_array(api: Array, paths: list[str]) -> None:
    api.make(paths[0], {"nqn": NQN, "dh_hmac_chap": CHAP})
    other = {**CHAP, "hash_function": "sha_512"}
    for body in ({"nqn": NQN}, {"nqn": NQN, "dh_hmac_chap": other}):
        error = api.refuse("POST", paths[1], "72089716", body)
        assert "sub1" in error["message"]
        assert "DHHC" not in error["message"]
    api.make(paths[1], {"nqn": NQN, "dh_hmac_chap": CHAP})
