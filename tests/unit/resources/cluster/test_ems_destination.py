"""Destinations of events, as clients make and change them."""

from __future__ import annotations

from in_process import Array

PATH = "support/ems/destinations"
CERTIFICATES = "security/certificates"
LOGS = {"name": "logs", "type": "syslog", "destination": "192.0.2.7"}
MAIL = {"name": "duty", "type": "email", "destination": "duty@example.org"}
HOOK = {"name": "hook", "type": "rest_api", "destination": "https://hooks.example.org/san"}


def test_the_default_port_is_that_of_the_transport(api: Array) -> None:
    created = api.make(PATH, LOGS)
    assert created["syslog"]["port"] == 514
    assert created["syslog"]["transport"] == "udp_unencrypted"
    assert created["connectivity"] == {"state": "unknown"}
    api.patch(f"{PATH}/logs", {"syslog": {"transport": "tcp_unencrypted"}})
    assert api.get(f"{PATH}/logs")["syslog"]["port"] == 601
    api.patch(f"{PATH}/logs", {"syslog.port": 1514})
    assert api.get(f"{PATH}/logs")["syslog"]["port"] == 1514


def test_filters_of_a_destination_exist_and_are_distinct(api: Array) -> None:
    api.refuse("POST", PATH, "4", LOGS | {"filters": [{"name": "no-such"}]})
    twice = ["important-events", {"name": "important-events"}]
    created = api.make(PATH, LOGS | {"filters": twice})
    assert created["filters"] == [{"name": "important-events"}]


def test_by_tls_it_has_the_port_of_tls(api: Array) -> None:
    created = api.make(PATH, LOGS | {"syslog": {"transport": "tcp_encrypted"}})
    assert created["syslog"]["port"] == 6514


def test_other_destinations_have_no_syslog_fields(api: Array) -> None:
    for body in (MAIL, HOOK):
        created = api.make(PATH, body)
        assert "syslog" not in created
        assert created["destination"] == body["destination"]
        api.refuse("PATCH", f"{PATH}/{body['name']}", "262197", {"syslog": {"port": 514}})
    api.refuse(
        "POST", PATH, "262197", MAIL | {"name": "new", "syslog.transport": "udp_unencrypted"}
    )


def test_a_destination_must_fit_its_type(api: Array) -> None:
    for body in (LOGS, MAIL, HOOK):
        for other in (LOGS, MAIL, HOOK):
            if other is not body:
                wrong = body | {"destination": other["destination"]}
                api.refuse("POST", PATH, "262197", wrong)
    api.refuse("POST", PATH, "262197", HOOK | {"destination": "file:///etc/passwd"})
    api.make(PATH, MAIL)
    api.refuse("PATCH", f"{PATH}/duty", "262197", {"destination": "192.0.2.7"})
    api.patch(f"{PATH}/duty", {"destination": "night@example.org"})
    assert api.get(f"{PATH}/duty")["destination"] == "night@example.org"


def test_unsupported_protocols_are_refused(api: Array) -> None:
    api.refuse("POST", PATH, "262197", LOGS | {"type": "snmp"})
    api.make(PATH, LOGS)
    api.refuse("POST", PATH, "1", LOGS)


def test_a_certificate_by_which_the_array_logs_in(api: Array) -> None:
    body = {"type": "client", "name": "caller", "common_name": "caller"}
    api.make(CERTIFICATES, body)
    serial = api.get(f"{CERTIFICATES}?name=caller&fields=*")["records"][0]["serial_number"]
    certificate = {"name": "caller", "serial_number": serial, "ca": "caller"}
    created = api.make(PATH, HOOK | {"certificate": {"serial_number": serial, "ca": "caller"}})
    assert created["certificate"] == certificate
    api.make(PATH, LOGS | {"syslog.transport": "tcp_encrypted", "certificate.name": "caller"})
    [row] = api.get(f"{CERTIFICATES}?name=caller")["records"]
    api.refuse("DELETE", f"{CERTIFICATES}/{row['uuid']}", "3735589")
    for name in ("hook", "logs"):
        api.patch(f"{PATH}/{name}", {"certificate": {"name": ""}})
        assert "certificate" not in api.get(f"{PATH}/{name}")
    api.delete(f"{CERTIFICATES}/{row['uuid']}")


def test_a_certificate_is_of_a_client_and_for_tls(api: Array) -> None:
    api.make(CERTIFICATES, {"type": "server", "name": "served", "common_name": "served"})
    api.make(CERTIFICATES, {"type": "client", "name": "caller", "common_name": "caller"})
    caller = {"certificate": {"name": "caller"}}
    api.refuse("POST", PATH, "4", HOOK | {"certificate": {"name": "served"}})
    api.refuse("POST", PATH, "2", HOOK | {"certificate": {"ca": "caller"}})
    for body in (LOGS, MAIL, HOOK | {"destination": "http://hooks.example.org/"}):
        api.refuse("POST", PATH, "262197", body | caller)
    api.make(PATH, HOOK | caller)
    api.refuse("PATCH", f"{PATH}/hook", "262197", {"destination": "http://hooks.example.org/"})


def test_a_connection_error_is_shown(api: Array) -> None:
    created = api.make(f"{PATH}?fields=**", LOGS)
    assert created["system_defined"] is False
    [event] = api.contents()["ems_destination"]
    refused, accepted = {"told": 1, "why": "Connection refused"}, {"told": 2, "why": ""}
    api.observe(PATH, event.uuid, **refused)
    connectivity = api.get(f"{PATH}/logs?fields=connectivity")["connectivity"]
    assert connectivity == {
        "state": "fail",
        "errors": [{"message": {"message": "Connection refused"}}],
    }
    api.observe(PATH, event.uuid, **accepted)
    assert api.get(f"{PATH}/logs")["connectivity"] == {"state": "success"}
