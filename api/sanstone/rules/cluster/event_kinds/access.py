"""Events of logins, directories, and destinations of events."""

from __future__ import annotations

from collections.abc import Sequence

from sanstone.core.events import ALERT, ERROR, INFORMATIONAL, NOTICE
from sanstone.rules.cluster.event_kinds.event_kind import EventKind

KINDS: Sequence[EventKind] = (
    EventKind(
        "logins.failed",
        ERROR,
        "An account or a key cannot be used for SSH and the console.",
        "Change the account or the key as the event says.",
    ),
    EventKind(
        "security.login.failed",
        ALERT,
        "Somebody guesses passwords, or a program has a wrong one.",
        "Look at the source that the event names; change the password if it may be known.",
    ),
    EventKind(
        "security.login.locked",
        ALERT,
        "An account was locked after too many wrong passwords.",
        "Find out who tried, then unlock it: security login unlock.",
    ),
    EventKind(
        "security.login.emergency",
        NOTICE,
        "Somebody logged in by an emergency code in place of one of their app.",
        "If they have lost the app, make another profile: security login totp delete, then create. "
        "If it was not them, lock the account.",
    ),
    EventKind(
        "security.directory.failed",
        ERROR,
        "No server of the directory answers, so that its users cannot log in. Accounts with a "
        "password of the array's own can.",
        "Look at what the event says of each server: its address, its certificate, or the account "
        "that the array asks as. vserver services name-service ldap client show -fields "
        "status.state asks again.",
    ),
    EventKind(
        "security.oidc.failed",
        ERROR,
        "The identity provider does not answer, so that nobody can log in by it. Accounts with a "
        "password of the array's own can.",
        "Look at what the event says of the provider: its address, its certificate, or what it "
        "answered. security oidc show tells what the array asks.",
    ),
    EventKind(
        "ems.destination",
        ERROR,
        "Events do not reach a syslog server, mail address or web server, or some did not.",
        "Check the destination's address and transport, for mail the mail server (support "
        "ems: event config show), for TLS its certificate, and the network on the way.",
        pattern="ems.destination.*",
    ),
    EventKind(
        "snmp.traphost.unknown",
        ERROR,
        "The name of an SNMP trap host leads to no address, so that it receives no traps.",
        "Check the name and the array's name servers, or give the trap host's address.",
    ),
    EventKind(
        "snmp.test.trap",
        INFORMATIONAL,
        "Somebody had a trap sent to all SNMP trap hosts, as a test.",
        "Nothing is to be done. Where the trap did not arrive, check the trap hosts, their user or "
        "community, and the network on the way.",
    ),
    EventKind(
        "app.log",
        NOTICE,
        "A program that uses the array has written a message of its own.",
        "See the program's manual.",
        pattern="app.log.*",
    ),
)
