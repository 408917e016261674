"""An attacker with the API's user has the array's configuration, and not the machine.

Here that user acts without the bounds of its unit, as if it had left them behind.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from lab import patience
from lab.api import Api, Refused
from lab.patience import eventually
from lab.station import Array

STATE = "/var/lib/sanstone"
PYTHON = "$(sed -n '1s/^#!//p' /usr/bin/sanstone-reconciler)"
WRITABLE = {
    f"{STATE}/api",
    f"{STATE}/database/sanstone.db",
    f"{STATE}/database/sanstone.db-shm",
    f"{STATE}/database/sanstone.db-wal",
    # For all.
    "/dev/mqueue",
    "/dev/shm",
    "/run/lock",
    "/run/shm",
    "/tmp",
    "/var/lock",
    "/var/tmp",
}
"""Files and folders in which the API's user may write, beside sockets and devices."""
LOCKS = {f"{STATE}/database/sanstone.db-{name}" for name in ("queue", "turn")}
# Looks at all files as the API's user would, except below a folder that it may write in.
SEARCH = """
import os, stat
found = []
for folder, folders, files in os.walk("/"):
    folders[:] = [f for f in folders if os.path.join(folder, f) not in ("/proc", "/sys")]
    for name in (*folders, *files):
        path = os.path.join(folder, name)
        mode = os.lstat(path).st_mode
        if (stat.S_ISDIR(mode) or stat.S_ISREG(mode)) and os.access(path, os.W_OK):
            found.append(path)
    folders[:] = [f for f in folders if os.path.join(folder, f) not in found]
print("\\n".join(found))
"""
# Tries to put something of its own into the place of each file and folder of the state.
REPLACE = f"""
import os, pathlib
done = []
state = pathlib.Path("{STATE}")
for path in (state, *state.iterdir(), *(state / "database").iterdir()):
    if path.is_relative_to(state / "api"):
        continue
    try:
        path.rename(path.with_name(path.name + ".taken"))
        done.append(f"renamed {{path}}")
    except OSError:
        pass
    for name in ("evil", "sanstone.db.new", "sanstone.db-journal", "sanstone.db.restored"):
        try:
            (path / name).symlink_to("/run/systemd/system/evil.service")
            done.append(f"created {{path / name}}")
        except OSError:
            pass
print("\\n".join(done))
"""
# Writes values that root's programs will read, and prints the former ones, for putting back.
HOSTILE = f"""
import json, os, sqlite3, sys
database = sqlite3.connect("{STATE}/database/sanstone.db", timeout={patience.SECONDS})
unit = "[Service]\\nExecStart=/usr/bin/touch /run/evil\\n"
columns = dict(name="evil\\n" + unit, name_servers=json.dumps(["10.0.0.1\\n" + unit]))
rest = "owner_uuid, password, former, password_changed, must_change, role, locked, comment"
rest += ", applications, is_group"
before = database.execute("SELECT name, name_servers FROM cluster").fetchone()
if sys.argv[1:]:
    columns = json.loads(sys.argv[1])
with database:
    for name, value in columns.items():
        database.execute(f"UPDATE cluster SET {{name}} = ?", (value,))
    database.execute("DELETE FROM account WHERE name LIKE '../%'")
    database.execute("DELETE FROM removal WHERE owner LIKE 'cluster/software/packages:%'")
    if not sys.argv[1:]:
        database.execute(
            f"INSERT INTO account (uuid, name, {{rest}}) SELECT ?, ?, {{rest}} FROM account "
            "WHERE name = 'admin'",
            ("00000000-0000-4000-8000-000000000666", "../../systemd/system/evil"),
        )
        database.execute(
            "INSERT INTO removal (uuid, kind, owner, node_uuid, data) SELECT "
            "'00000000-0000-4000-8000-000000000667', 'package', 'cluster/software/packages:x', "
            "uuid, ? FROM node",
            (json.dumps({{"version": "../tls/victim"}}),),
        )
print(json.dumps(dict(zip(("name", "name_servers"), before))))
"""


def as_api(array: Array, program: str, *arguments: str) -> str:
    """Return the output of a program that the API's user runs, free of the unit's bounds."""
    user = "setpriv --reuid=sanstone --regid=sanstone --init-groups"
    words = " ".join(f"'{argument}'" for argument in arguments)
    return array.run(f"{user} {PYTHON} - {words}", stdin=program.encode())


def test_it_can_write_only_where_it_has_to(array: Array) -> None:
    places = set(as_api(array, SEARCH).splitlines())
    assert places - WRITABLE == set()
    assert f"{STATE}/database/sanstone.db" in places
    listed = array.run(f"stat --format '%n %U %A' {' '.join(sorted(LOCKS))}")
    assert all(line.split()[1:] == ["root", "-rw-r-----"] for line in listed.splitlines()), listed


def test_it_can_replace_nothing_of_roots(array: Array, api: Api) -> None:
    assert as_api(array, REPLACE).strip() == ""
    assert api.get("cluster")["name"]


@pytest.fixture
def hostile(array: Array) -> Iterator[str]:
    """The database has values that the API would refuse; returns when the reconciler has read
    it."""
    array.run(f"touch {STATE}/tls/victim.raucb")
    before = as_api(array, HOSTILE)
    started = array.run("date +%s").strip()
    array.run("systemctl restart sanstone-reconciler")
    yield started
    as_api(array, HOSTILE, json.dumps(json.loads(before)))
    array.run(f"rm -f {STATE}/tls/victim.raucb")


def test_values_of_the_database_become_no_unit_and_no_setting(
    array: Array, api: Api, hostile: str
) -> None:
    message = "no request can have set"
    eventually(lambda: message in str(api.get("support/ems/events", fields="log_message")))
    array.run("systemctl daemon-reload")
    assert array.attempt("systemctl cat evil").status != 0
    assert array.attempt("ls /run/evil").status != 0
    assert array.attempt(f"ls {STATE}/tls/victim.raucb").status == 0
    assert "evil" not in array.run("cat /proc/sys/kernel/hostname")
    settings = "/run/systemd/resolved.conf.d/sanstone-names.conf"
    assert array.attempt(f"grep ExecStart {settings}").status != 0
    assert array.run("find /run /etc -name '*evil*'").strip() == ""


@pytest.mark.parametrize("host", ["127.0.0.1", "169.254.169.254", "[::1]", "localhost"])
def test_no_package_is_fetched_from_the_array_itself(api: Api, host: str) -> None:
    with pytest.raises(Refused, match="does not connect"):
        api.post("cluster/software/download", {"url": f"http://{host}:8000/evil.raucb"})


@pytest.fixture
def own_address(array: Array) -> Iterator[str]:
    """An address of the array that is not one of loopback."""
    address = "198.51.100.9"
    array.run(f"ip address add {address}/32 dev lo")
    yield address
    array.run(f"ip address delete {address}/32 dev lo")


def test_no_package_is_fetched_from_a_name_of_the_array(
    array: Array, api: Api, own_address: str
) -> None:
    name = "packages.example.org"
    for address, why in (("127.0.0.2", "does not connect"), (own_address, "the array's own")):
        array.run(f"echo '{address} {name}' >> /etc/hosts")
        with pytest.raises(Refused, match=why):
            api.post("cluster/software/download", {"url": f"http://{name}:8000/evil.raucb"})
        array.run(f"sed --in-place /{name}/d /etc/hosts")


def test_the_kernel_keeps_the_client_of_directories_from_the_machine(array: Array) -> None:
    """Whatever a name leads to when ldapsearch looks it up."""
    denied = array.run("systemctl show --property IPAddressDeny --value sanstone-directory")
    for network in ("127.0.0.0/8", "::1/128", "169.254.0.0/16", "fe80::/64"):
        assert network in denied.split()
    # By UDP: packets of TCP are dropped, too, but tried again for minutes.
    script = "import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'', ('127.0.0.1', 9))"
    rule = f"--property IPAddressDeny='{denied.strip()}' --property IPAddressAllow=127.0.0.53"
    ask = f'systemd-run --quiet --pipe --wait --collect {rule} python3 -c "{script}"'
    assert "Operation not permitted" in array.attempt(ask).err


EXPOSURE = {
    "sanstone-api": 1.5,
    # It reads in the kernel's log which hosts the targets refused.
    "sanstone-reconciler": 5.1,
    "sanstone-sampler": 2.9,
    "sanstone-measurer": 2.9,
    "sanstone-announcer": 1.6,
    "sanstone-directory": 1.6,
    "sanstone-oidc": 1.6,
    "sanstone-web-client": 1.6,
    "sanstone-task@any": 3.5,
    "sanstone-setup": 3.6,
    "sanstone-firewall": 2.0,
    "sanstone-discovery": 2.0,
    "sanstone-handshakes": 2.0,
    "sanstone-ssh-keys": 1.8,
    "sanstone-state": 2.2,
    "sanstone-retry": 1.8,
    "sanstone-waiting": 1.9,
    "sanstone-web-certificate": 1.8,
    "sanstone-support@any": 3.5,
    "sanstone-update@any": 3.7,
    "sanstone-slots": 3.4,
    "sanstone-slot-good": 3.6,
    "sanstone-slot-deadline": 3.6,
    "nginx": 2.8,
    "rauc": 3.2,
    # Sessions inherit it, by which root mends the machine.
    "ssh": 7.6,
}
"""The highest exposure of each unit by systemd-analyze(1): 0 is safe, 10 without any bounds."""


@pytest.mark.parametrize("unit", EXPOSURE)
def test_a_unit_is_exposed_no_more_than_it_has_to_be(array: Array, unit: str) -> None:
    threshold = round(10 * EXPOSURE[unit])
    analyze = f"systemd-analyze security --no-pager --threshold={threshold} {unit}.service"
    done = array.attempt(analyze)
    assert done.status == 0, done.out.splitlines()[-1]
