"""A real domain controller of Active Directory, Samba's, on this machine, unprivileged.

Its domain takes five seconds of a processor: all tests of a file share one. It serves
LDAP and nothing else, in a network namespace of its own (`samba_domain`), and takes passwords by
TLS alone. At a domain's root it refers searches to three other places, as all such servers do.
"""

from __future__ import annotations

import os
import subprocess
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import create_server

from tls_material import material

BASE = "DC=example,DC=org"
USERS = f"CN=Users,{BASE}"
REALM, DOMAIN = "example.org", "EXAMPLE"
ADMINISTRATOR, ADMINISTRATORS_PASSWORD = f"CN=Administrator,{USERS}", "Administrator-1"
NORMAL, DISABLED = 512, 514
"""Of userAccountControl (MS-ADTS, 2.2.16)."""
_PROGRAM = Path(__file__).with_name("samba_domain.py")
_NAMESPACES = [
    "unshare",
    "--user",
    "--map-root-user",
    "--net",
    "--pid",
    "--fork",
    "--kill-child",
]
_CONFIGURATION = """\
[global]
netbios name = DC1
workgroup = {domain}
realm = {realm}
server role = active directory domain controller
server services = ldap
interfaces = lo
bind interfaces only = yes
private dir = {folder}/private
state directory = {folder}/state
cache directory = {folder}/cache
lock directory = {folder}/lock
pid directory = {folder}/run
ncalrpc dir = {folder}/ncalrpc
binddns dir = {folder}/bind-dns
ntp signd socket directory = {folder}/ntp
winbindd socket directory = {folder}/winbindd
tls cafile = {folder}/authority.pem
tls certfile = {folder}/server.pem
tls keyfile = {folder}/server.key
[sysvol]
path = {folder}/sysvol
[netlogon]
path = {folder}/sysvol/scripts
"""
# Simple passwords do, and as few wrong ones as a test tries lock nobody out.
_POLICY = f"""\
dn: {BASE}
changetype: modify
replace: pwdProperties
pwdProperties: 0
-
replace: minPwdLength
minPwdLength: 0
"""


def entry(dn: str, attributes: Mapping[str, str | bytes]) -> str:
    """Return an entry as a directory takes it, whatever characters there are."""
    lines = {"dn": dn, **attributes}
    return "".join(f"{name}:: {_encoded(value)}\n" for name, value in lines.items())


def user(name: str, password: str, dn: str = "", **attributes: str) -> str:
    """Return a user as the directory takes it."""
    required: dict[str, str | bytes] = {
        "objectClass": "user",
        "sAMAccountName": name,
        "unicodePwd": f'"{password}"'.encode("utf-16-le"),
        "userAccountControl": str(NORMAL),
    }
    return entry(dn or f"CN={name},{USERS}", {**required, **attributes}) + "\n"


def group(name: str, *members: str, dn: str = "") -> str:
    """Return a group as the directory takes it, with its members' distinguished names."""
    record = entry(dn or f"CN={name},{USERS}", {"objectClass": "group", "sAMAccountName": name})
    return record + "".join(f"member:: {_encoded(member)}\n" for member in members) + "\n"


@dataclass
class DomainController:
    """A domain controller that runs. Of its two ports one begins with TLS."""

    folder: Path
    port: int
    tls_port: int

    def change(self, text: str) -> None:
        """Add entries or change them, by LDIF as ldapmodify(1) takes it."""
        login = ["-x", "-D", ADMINISTRATOR, "-w", ADMINISTRATORS_PASSWORD]
        subprocess.run(
            ["ldapmodify", "-a", *login, "-H", f"ldaps://127.0.0.1:{self.tls_port}"],
            env=os.environ | {"LDAPTLS_CACERT": str(self.folder / "authority.pem")},
            input=text,
            text=True,
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def set(self, dn: str, attribute: str, value: str) -> None:
        """Replace an attribute of an entry."""
        self._modify(dn, "replace", attribute, value)

    def add_member(self, dn: str, member: str) -> None:
        """Add a member to a group."""
        self._modify(dn, "add", "member", member)

    def rename(self, dn: str, name: str) -> None:
        """Give an entry another name, such as `CN=other`, where it is."""
        renamed = f"changetype: modrdn\nnewrdn:: {_encoded(name)}\ndeleteoldrdn: 1\n"
        self.change(f"dn:: {_encoded(dn)}\n{renamed}")

    def _modify(self, dn: str, how: str, attribute: str, value: str) -> None:
        changed = f"{how}: {attribute}\n{attribute}:: {_encoded(value)}\n"
        self.change(f"dn:: {_encoded(dn)}\nchangetype: modify\n{changed}")


@contextmanager
def domain_controller(folder: Path, *entries: str) -> Iterator[DomainController]:
    """Give a domain controller with these users and groups; `material().authority` is believed."""
    trust = material()
    for name, text in (
        ("authority.pem", trust.authority.text),
        ("server.pem", trust.server.text),
        ("server.key", trust.server.key),
        ("smb.conf", _CONFIGURATION.format(folder=folder, realm=REALM, domain=DOMAIN)),
    ):
        (folder / name).touch(0o600)
        (folder / name).write_text(text)
    log = folder / "log"
    with (
        create_server(("127.0.0.1", 0)) as clear,
        create_server(("127.0.0.1", 0)) as tls,
    ):
        relays = (f"389={clear.fileno()}", f"636={tls.fileno()}")
        names = (str(folder / "smb.conf"), REALM.upper(), DOMAIN)
        server = DomainController(folder, clear.getsockname()[1], tls.getsockname()[1])
        with log.open("w") as output:
            process = subprocess.Popen(
                [
                    *_NAMESPACES,
                    "/usr/bin/python3",
                    "-I",
                    str(_PROGRAM),
                    *names,
                    *relays,
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=output,
                text=True,
                pass_fds=(clear.fileno(), tls.fileno()),
            )
    with process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{ADMINISTRATORS_PASSWORD}\n")
        process.stdin.flush()
        # Other lines are Samba's messages about its domain.
        if "ready\n" not in process.stdout:
            raise AssertionError(f"there is no domain controller: {log.read_text()}")
        server.change("\n".join((_POLICY, *entries)))
        yield server


def _encoded(value: str | bytes) -> str:
    return b64encode(value.encode() if isinstance(value, str) else value).decode()
