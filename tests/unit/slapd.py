"""A real LDAP server, OpenLDAP's slapd, on this machine, as an unprivileged process.

The user of the test owns its folder; it reads nothing of the system's own configuration. It takes
a bind with an empty password for an anonymous one, as RFC 4513 allows and some servers do.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ports import wait_for
from tls_material import material

from lab.rack import free_port
from sanstone.security.certificates import KeyAndText

PROGRAM = "/usr/sbin/slapd"
BASE = "dc=example,dc=org"
READER = f"cn=reader,{BASE}"
"""The user as which the array binds."""
READERS_PASSWORD = "the reader's secret"
_CONFIGURATION = """\
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/nis.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
allow bind_anon_cred bind_anon_dn
TLSCACertificateFile {folder}/authority.pem
TLSCertificateFile {folder}/server.pem
TLSCertificateKeyFile {folder}/server.key
database mdb
suffix "{base}"
rootdn "cn=manager,{base}"
rootpw manager
directory {folder}/data
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="{reader}" read by * none
"""
_PEOPLE = """\
dn: {base}
objectClass: dcObject
objectClass: organization
o: An example
dc: example

dn: {reader}
objectClass: person
cn: reader
sn: reader
userPassword: {readers_password}

dn: ou=people,{base}
objectClass: organizationalUnit
ou: people

dn: ou=groups,{base}
objectClass: organizationalUnit
ou: groups
"""
_USER = """
dn: uid={name},ou=people,{base}
objectClass: inetOrgPerson
objectClass: posixAccount
objectClass: shadowAccount
uid: {name}
cn: {name}
sn: {name}
uidNumber: {number}
gidNumber: {group}
homeDirectory: /
shadowExpire: {expires}
userPassword: {password}
"""
_GROUP = """
dn: cn={name},ou=groups,{base}
objectClass: posixGroup
cn: {name}
gidNumber: {number}
"""
NEVER, LONG_AGO = -1, 1
"""Days on which users end (shadow(5))."""


def user(name: str, password: str, *, group: int = 100, expires: int = NEVER) -> str:
    """Return a user as the directory takes it. The number of users is not of interest."""
    number = 1000 + sum(name.encode())
    values = {"name": name, "number": number, "group": group, "expires": expires}
    return _USER.format(base=BASE, password=password, **values)


def group(name: str, number: int, *members: str) -> str:
    """Return a group as the directory takes it, with the names of its members."""
    listed = "".join(f"memberUid: {member}\n" for member in members)
    return _GROUP.format(base=BASE, name=name, number=number) + listed


@dataclass
class DirectoryServer:
    """A server that runs. Of its two ports one begins with TLS."""

    folder: Path
    port: int
    tls_port: int

    def change(self, text: str) -> None:
        """Change entries, by LDIF as ldapmodify(1) takes it."""
        login = ["-x", "-D", f"cn=manager,{BASE}", "-w", "manager"]
        url = f"ldap://127.0.0.1:{self.port}"
        subprocess.run(["ldapmodify", *login, "-H", url], input=text, text=True, check=True)

    def lock(self, name: str) -> None:
        """End a user's account."""
        self.change(
            f"dn: uid={name},ou=people,{BASE}\nchangetype: modify\n"
            f"replace: shadowExpire\nshadowExpire: {LONG_AGO}\n"
        )


@contextmanager
def directory_server(
    folder: Path, *entries: str, certificate: KeyAndText | None = None
) -> Iterator[DirectoryServer]:
    """Give a server with these users and groups; it is believed by `material().authority`."""
    server = DirectoryServer(folder, free_port(), free_port())
    tls = material()
    own = certificate or tls.server
    for name, text in (
        ("authority.pem", tls.authority.text),
        ("server.pem", own.text),
        ("server.key", own.key),
        ("slapd.conf", _CONFIGURATION.format(folder=folder, base=BASE, reader=READER)),
    ):
        (folder / name).write_text(text)
    (folder / "data").mkdir()
    people = _PEOPLE.format(base=BASE, reader=READER, readers_password=READERS_PASSWORD)
    configuration = ["-f", str(folder / "slapd.conf")]
    subprocess.run(
        [PROGRAM, "-T", "add", *configuration],
        input="".join((people, *entries)),
        text=True,
        check=True,
        capture_output=True,
    )
    urls = f"ldap://127.0.0.1:{server.port} ldaps://127.0.0.1:{server.tls_port}"
    process = subprocess.Popen([PROGRAM, "-d", "0", *configuration, "-h", urls])
    try:
        wait_for(server.port, process)
        yield server
    finally:
        process.terminate()
        process.wait()
