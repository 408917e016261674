"""Ask LDAP servers, by OpenLDAP's own ldapsearch(1).

It is the client that everybody uses, it checks the server's certificate and name, and it can be
ended when a server hangs, however it hangs. Passwords and certificates reach it as files in memory.
Its options are ldap.conf(5)'s, as variables of its environment. It looks a server's name up itself,
and must, since the certificate is for that name. So where the name leads is looked at before
(`kernel.web.destination`); one that leads elsewhere a moment later is met by the kernel
(IPAddressDeny= of sanstone-directory.service), and there by a server without that certificate.

A user's password is right when the server lets the user bind with it (RFC 4511, 4.2). Neither an
empty one nor one of an empty name is tried: servers take that for an anonymous bind, which succeeds
(RFC 4513, 5.1).
"""

from __future__ import annotations

import base64
import re
import secrets as chance
import socket
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from sanstone.kernel import processes
from sanstone.kernel.directory.question import (
    AD_IDMU,
    BASE,
    MS_AD_BIS,
    ONE_LEVEL,
    RFC_2307,
    SUBTREE,
    Answer,
    Directory,
    Place,
    Question,
)
from sanstone.kernel.host import CommandEndless, CommandError, CommandTimeout
from sanstone.kernel.web import destination

PROGRAM = "/usr/bin/ldapsearch"
BOUNDS = processes.Bounds(printed=256 * 1024, memory=8 * 1024 * 1024)
"""Of ldapsearch, whatever a server sends; eight of them run at once in the memory that there is."""
NAMES = 8
"""Names that are looked up at a time."""
PATIENCE = 9.0
"""Seconds for all servers together."""
_SCOPES = {BASE: "base", ONE_LEVEL: "one", SUBTREE: "sub"}
_SIZE_LIMIT, _BUSY, _UNAVAILABLE = 4, 51, 52
"""Result codes of servers (RFC 4511, 4.1.9); those of libldap's own (ldap.h) are negative."""
_REASONS = {
    1: "it refuses, as Active Directory does to who asks without a bind_dn",
    10: "it does not have the base_dn, and refers to other servers",
    32: "there is no entry of the base_dn, or the bind_dn may not see it",
    49: "bind_dn or bind_password is wrong, or that account is locked or has ended",
    -1: "it cannot be reached, or its certificate is not believed",
    -5: "it did not answer in time",
    -11: "TLS cannot start: its certificate is for another name, or no certificate of type "
    "server_ca has signed it",
}
_CODE = re.compile(r"^.*\((-?[0-9]+)\)\s*$", re.MULTILINE)
"""How ldapsearch ends its first complaint: with the code, which its exit status not always is."""
_DAY = 86_400
_FROM_1601, _TICKS = 11_644_473_600, 10_000_000
"""Active Directory counts tenths of microseconds from 1601 on: seconds to 1970, and in a second."""
_NEVER = 2**63 - 1
_LONGEST = 20
"""Digits of a number, at most."""


class Entry(NamedTuple):
    """An entry: its distinguished name, and its attributes by name in small letters."""

    dn: str
    attributes: Mapping[str, Sequence[str]]

    def first(self, name: str) -> str:
        """Return the first value of an attribute, '' for none."""
        return next(iter(self.attributes.get(name, ())), "")

    def number(self, name: str) -> int:
        """Return an attribute as a number; 0 if it is missing, other text or negative."""
        text = self.first(name)
        return int(text) if text.isascii() and text.isdigit() and len(text) < _LONGEST else 0


@dataclass(frozen=True)
class Schema:
    """How a directory writes users and groups.

    `users` is the condition of being a user, `groups` are classes, `login` and `name` the
    attributes that name a user and a group. `members` are conditions on a group, each by what
    stands for the user in it.
    """

    users: str
    login: str
    groups: tuple[str, ...]
    name: str
    members: tuple[tuple[str, str], ...]


# In groups of groups, too: LDAP_MATCHING_RULE_IN_CHAIN (MS-ADTS, 3.1.1.3.4.4.3).
_MEMBER_IN_CHAIN = "member:1.2.840.113556.1.4.1941:="
_ACTIVE_DIRECTORY = Schema(
    # Computers are users to it, and the user who adds one to the domain owns it.
    "(objectClass=user)(!(objectClass=computer))",
    # Of all its names these alone are unique in a domain. Who may make groups in one place there
    # can give them the `cn` of those in other places.
    "samaccountname",
    ("group",),
    "samaccountname",
    (
        (_MEMBER_IN_CHAIN, "dn"),
        ("objectSid=", "primary sid"),
        (_MEMBER_IN_CHAIN, "primary dn"),
        ("memberUid=", "login"),
    ),
)
SCHEMAS = {
    RFC_2307: Schema(
        "(objectClass=posixAccount)",
        "uid",
        ("posixGroup", "groupOfNames", "groupOfUniqueNames"),
        "cn",
        (
            ("memberUid=", "login"),
            ("member=", "dn"),
            ("uniqueMember=", "dn"),
            ("gidNumber=", "group"),
        ),
    ),
    AD_IDMU: _ACTIVE_DIRECTORY,
    MS_AD_BIS: _ACTIVE_DIRECTORY,
}
_OF_GROUPS = ("gidnumber", "objectsid", "primarygroupid")
_OF_DISABLED = (
    "useraccountcontrol",
    "accountexpires",
    "pwdaccountlockedtime",
    "nsaccountlock",
    "shadowexpire",
)


class Unanswered(Exception):
    """No server answers; the text says why."""


Run = Callable[..., str]


class Client:
    """Asks the servers of directories; for a while those that did not answer come last."""

    def __init__(self, run: Run = processes.run):
        self._run = run
        self._silent: dict[str, float] = {}
        self._names = ThreadPoolExecutor(NAMES, "names")

    def ask(self, question: Question) -> Answer:
        """Return the answer of the first server that answers."""
        directory = question.directory
        if not directory.authorities:
            return Answer(error="No certificate of type server_ca is installed.")
        until, failures = time.monotonic() + PATIENCE, []
        for server in sorted(directory.servers, key=lambda each: self._silent.get(each, 0.0)):
            remaining = until - time.monotonic()
            if remaining <= 1.0:
                failures.append(f"{server}: no time was left for a question to it")
                continue
            try:
                self._require_permitted(directory, server, remaining)
                remaining = until - time.monotonic()
                answer = _Conversation(self._run, directory, server, remaining).answer(question)
            except Unanswered as error:
                self._silent[server] = time.monotonic()
                failures.append(f"{server}: {error}")
            else:
                self._silent.pop(server, None)
                return answer
        return Answer(error="; ".join(failures))

    def _require_permitted(self, directory: Directory, server: str, patience: float) -> None:
        """Raise Unanswered unless a server is another machine, which the array may connect to.

        A name server may take longer than there is time: a thread waits for it.
        """
        looked = self._names.submit(
            destination.resolved, server, directory.port, socket.SOCK_STREAM
        )
        try:
            looked.result(min(patience, directory.timeout))
        except destination.Forbidden as error:
            raise Unanswered(str(error)) from error
        except TimeoutError as error:
            raise Unanswered("no name server says its address in time") from error
        except OSError as error:
            raise Unanswered(f"its address is not known: {error.strerror or error}") from error


class _Conversation:
    """The requests of one question to one server, within some seconds."""

    def __init__(self, run: Run, directory: Directory, server: str, patience: float) -> None:
        self._run, self._directory, self._patience = run, directory, patience
        host = f"[{server}]" if ":" in server else server
        self._url = f"{'ldaps' if directory.ldaps else 'ldap'}://{host}:{directory.port}"
        self._schema = SCHEMAS[directory.schema]

    def answer(self, question: Question) -> Answer:
        """Return the server's answer. Raises Unanswered."""
        if not question.name:
            base = Place(self._directory.base.dn, BASE)
            self._search(base, "(objectClass=*)", ())
            return Answer()
        entry = self._user(question.name)
        proved = False
        if question.password is not None:
            # An unknown user is tried under a name that nobody has: it takes as long.
            dn = entry.dn if entry else f"cn={chance.token_hex(8)},{self._directory.base.dn}"
            proved = self._binds(dn, question.password) and entry is not None
        if entry is None or (question.password is not None and not proved):
            return Answer(known=entry is not None)
        return Answer(True, proved, self._groups(entry, question.groups))

    def _user(self, name: str) -> Entry | None:
        """Return the one entry of a user who is not disabled. Raises Unanswered."""
        schema = self._schema
        condition = f"(&{schema.users}({schema.login}={escaped(name)}))"
        attributes = (schema.login, *_OF_GROUPS, *_OF_DISABLED)
        entries = self._search(self._directory.users, condition, attributes)
        # Servers compare without case and blanks; one name is to be one user.
        matching = [entry for entry in entries if name in entry.attributes.get(schema.login, ())]
        if (
            len(entries) != 1
            or not matching
            or not matching[0].dn
            or is_disabled(matching[0], time.time())
        ):
            return None
        return matching[0]

    def _groups(self, user: Entry, names: Sequence[str]) -> tuple[str, ...]:
        """Return those of the groups that a user is in. Raises Unanswered."""
        if not names:
            return ()
        schema, primary = self._schema, primary_group(user)
        known = {
            "login": escaped(user.first(schema.login)),
            "dn": escaped(user.dn),
            "group": escaped(user.first("gidnumber")),
            "primary sid": primary,
            "primary dn": escaped(self._name(primary)) if primary else "",
        }
        members = "".join(f"({start}{known[key]})" for start, key in schema.members if known[key])
        classes = "".join(f"(objectClass={each})" for each in schema.groups)
        called = "".join(f"({schema.name}={escaped(name)})" for name in names)
        condition = f"(&(|{classes})(|{called})(|{members}))"
        entries = self._search(self._directory.groups, condition, (schema.name,))
        there = {value for entry in entries for value in entry.attributes.get(schema.name, ())}
        return tuple(name for name in names if name in there)

    def _name(self, sid: str) -> str:
        """Return the distinguished name of who has a SID, '' for nobody. Raises Unanswered."""
        entries = self._search(self._directory.base, f"(objectSid={sid})", ())
        return entries[0].dn if len(entries) == 1 else ""

    def _binds(self, dn: str, password: str) -> bool:
        """Return whether the server takes a password for an entry's. Raises Unanswered."""
        if not dn or not password or "\0" in password:
            return False
        try:
            # Of the server's own entry, which everybody may read (RFC 4512, 5.1).
            self._run_search(dn, password, Place("", BASE), "(objectClass=*)", ("1.1",))
        except CommandError as error:
            if _code(error) <= 0 or _code(error) in (_BUSY, _UNAVAILABLE):
                raise _unanswered(error) from error
            return False
        return True

    def _search(self, place: Place, condition: str, attributes: Sequence[str]) -> list[Entry]:
        """Return the entries that match a filter. Raises Unanswered."""
        directory = self._directory
        try:
            printed = self._run_search(
                directory.bind_dn, directory.bind_password, place, condition, attributes or ("1.1",)
            )
        except CommandError as error:
            if _code(error) != _SIZE_LIMIT:
                raise _unanswered(error) from error
            printed = error.stdout
        return list(entries(printed))

    def _run_search(
        self, dn: str, password: str, place: Place, condition: str, attributes: Sequence[str]
    ) -> str:
        """Run ldapsearch. Raises CommandError, Unanswered."""
        directory = self._directory
        arguments = ["-x", "-LLL", "-o", "ldif-wrap=no", "-H", self._url]
        arguments += [] if directory.ldaps else ["-ZZ"]
        arguments += ["-D", dn, "-y", "{password}"] if dn else []
        arguments += ["-b", place.dn, "-s", _SCOPES[place.scope], "-l", str(directory.timeout)]
        files = {"password": password, "authorities": "".join(directory.authorities)}
        environment = {
            "LDAPTLS_CACERT": "{authorities}",
            "LDAPTLS_REQCERT": "demand",
            "LDAPTLS_PROTOCOL_MIN": "3.3",
            "LDAPNETWORK_TIMEOUT": str(directory.timeout),
            "LDAPTIMEOUT": str(directory.timeout),
            "LDAPREFERRALS": "off",
        }
        try:
            return self._run(
                [PROGRAM, *arguments, condition, *attributes],
                files=files,
                environment=environment,
                time_limit=min(self._patience, 2.0 * directory.timeout),
                bounds=BOUNDS,
            )
        except CommandTimeout as error:
            raise Unanswered("it did not answer in time") from error
        except CommandEndless as error:
            raise Unanswered("its answer is too long") from error


def escaped(value: str) -> str:
    """Return a value as it stands in a filter (RFC 4515, 3)."""
    return "".join(f"\\{ord(c):02x}" if c in "\\*()\0" else c for c in value)


def entries(printed: str) -> Iterable[Entry]:
    """Yield the entries of LDIF without wrapped lines (RFC 2849); references are none.

    `surrogateescape` keeps bytes that are no text.
    """
    for block in printed.split("\n\n"):
        attributes: dict[str, list[str]] = {}
        for line in block.splitlines():
            name, colon, value = line.partition(":")
            if not colon or name.startswith("#"):
                continue
            encoded = value.startswith(":")
            text = value.lstrip(":").lstrip(" ")
            decoded = base64.b64decode(text).decode(errors="surrogateescape") if encoded else text
            attributes.setdefault(name.lower(), []).append(decoded)
        if names := attributes.pop("dn", None):
            yield Entry(names[0], attributes)


def primary_group(user: Entry) -> str:
    """Return the SID of a user's primary group as it stands in a filter, '' for none.

    Active Directory does not count users among that group's members. A SID ends with the number in
    the domain: four bytes, the lowest first (MS-DTYP, 2.4.2.2).
    """
    sid, number = user.first("objectsid"), user.number("primarygroupid")
    if not sid or not 0 < number < 2**32:
        return ""
    whole = sid.encode(errors="surrogateescape")[:-4] + number.to_bytes(4, "little")
    return "".join(f"\\{byte:02x}" for byte in whole)


def is_disabled(entry: Entry, now: float) -> bool:
    """Return whether a directory says of a user that nobody may log in as such.

    It is Active Directory's ACCOUNTDISABLE (MS-ADTS, 2.2.16) and accountExpires (MS-ADA1), the lock
    of OpenLDAP's policies and of 389 Directory Server, and the day of shadow(5), where 0 and less
    mean none. Active Directory itself refuses users that it locked out after wrong passwords.
    """
    ends = entry.number("accountexpires")
    return (
        bool(entry.number("useraccountcontrol") & 2)
        or (0 < ends < _NEVER and ends / _TICKS - _FROM_1601 <= now)
        or bool(entry.first("pwdaccountlockedtime"))
        or entry.first("nsaccountlock").lower() == "true"
        or 0 < entry.number("shadowexpire") * _DAY <= now
    )


def _code(error: CommandError) -> int:
    """Return the code with which ldapsearch failed, 0 where it does not say any."""
    match = _CODE.search(error.stderr)
    return int(match[1]) if match else 0


def _unanswered(error: CommandError) -> Unanswered:
    complaint = _CODE.search(error.stderr)
    lines = [complaint[0]] if complaint else error.stderr.strip().splitlines()
    detail = lines[0].strip() if lines else f"exit status {error.status}"
    return Unanswered(_REASONS.get(_code(error), detail))
