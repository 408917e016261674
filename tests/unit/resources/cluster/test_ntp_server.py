"""Time servers, as clients add and remove them."""

from __future__ import annotations

from in_process import Array

PATH = "cluster/ntp/servers"


def test_servers_come_and_go(api: Array) -> None:
    created = api.make(PATH, {"server": "NTP.example.org", "version": "auto"})
    assert created["server"] == "ntp.example.org"
    api.make(PATH, {"server": "2001:DB8::7b"})
    assert api.get("cluster")["ntp_servers"] == ["2001:db8::7b", "ntp.example.org"]
    server = api.get(f"{PATH}/2001:db8::7b")
    assert (server["version"], server["authentication_enabled"]) == ("auto", False)
    job = api.delete(f"{PATH}/2001:db8::7b")
    assert job["state"] == "success"
    assert [record["server"] for record in api.records(PATH)] == ["ntp.example.org"]
    api.get(f"{PATH}/2001:db8::7b", 404)


def test_a_server_is_added_once(api: Array) -> None:
    api.make(PATH, {"server": "192.0.2.123"})
    error = api.refuse("POST", PATH, "1", {"server": "192.0.2.123"})
    assert error["target"] == "server"
    assert api.call("POST", PATH, {"server": "192.0.2.123"}).status_code == 409


def test_there_are_ten_at_most(api: Array) -> None:
    for number in range(10):
        api.make(PATH, {"server": f"192.0.2.{number + 1}"})
    assert "10 NTP servers" in api.refuse("POST", PATH, "8", {"server": "192.0.2.99"})["message"]
    api.delete(f"{PATH}/192.0.2.1")
    api.make(PATH, {"server": "192.0.2.99"})


def test_unsupported_settings_are_refused(api: Array) -> None:
    server = {"server": "192.0.2.123"}
    assert "auto" in api.refuse("POST", PATH, "262197", server | {"version": "3"})["message"]
    error = api.refuse("POST", PATH, "262197", server | {"authentication_enabled": True})
    assert "cannot do this" in error["message"]
    api.make(PATH, server)
    place = f"{PATH}/192.0.2.123"
    assert "auto" in api.refuse("PATCH", place, "262197", {"version": "4"})["message"]
    assert api.refuse("PATCH", place, "262196", {"key": {"id": 7}})["target"] == "key.id"
    assert api.patch(place, {"version": "auto"})["state"] == "success"
    assert api.records("cluster/ntp/keys?id=7&fields=id,digest_type,value") == []
    key = {"id": 7, "digest_type": "sha1", "value": "0123456789abcdef0123456789abcdef01234567"}
    assert "without keys" in api.refuse("POST", "cluster/ntp/keys", "3", key)["message"]
    api.refuse("POST", PATH, "262197", {"server": "192.0.2.123 iburst"})
    api.refuse("POST", PATH, "262197", {"server": "a\nserver b"})
