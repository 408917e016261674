"""Where the array keeps its state, and what lasts until the next boot.

Root owns the folder of the state and all folders in it but one:

| folder | owner | holds |
| --- | --- | --- |
| `database/` | root, group sanstone | which node it is; the database, which the API can write |
| `api/` | sanstone | files of the API alone; root opens nothing there but an uploaded package |
| `support/` | root, group sanstone | support bundles, which the API can read |
| `snmp/` | sanstone-snmp | how often the SNMP agent has started |
| `tls/`, `ssh/`, `packages/`, `target/`, … | root | what root writes for other programs |

So an attacker with the API's user can change the content of the database, but can neither replace a
file nor place a link where root writes. The package is a stranger's to root: no link is followed,
and a copy is looked at.
"""

from __future__ import annotations

import os
from pathlib import Path

BUNDLE_SUFFIX = ".tar.gz"


def state_directory() -> Path:
    """Return the folder of the array's state; SANSTONE_STATE overrides it."""
    return Path(os.environ.get("SANSTONE_STATE", "/var/lib/sanstone"))


def database_directory() -> Path:
    """Return the folder of the databases that root and the API share."""
    return state_directory() / "database"


def node_identity() -> Path:
    """Return the file that says which node this machine is, by its UUID."""
    return database_directory() / "node"


def api_directory() -> Path:
    """Return the folder that is the API's own."""
    return state_directory() / "api"


def uploaded_package() -> Path:
    """Return the file of an update package that is being uploaded, in the API's own folder."""
    return api_directory() / "package.upload"


def support_directory() -> Path:
    """Return the folder of support bundles, which root writes and the API reads."""
    return state_directory() / "support"


def support_bundle(uuid: str) -> Path:
    """Return the file of a support bundle."""
    return support_directory() / f"{uuid}{BUNDLE_SUFFIX}"


def run_directory() -> Path:
    """Return the directory of sockets and locks; SANSTONE_RUN overrides it."""
    return Path(os.environ.get("SANSTONE_RUN", "/run/sanstone"))


def snmp_settings() -> Path:
    """Return the file of the SNMP agent's settings, which is not there while SNMP is off."""
    return run_directory() / "snmpd.conf"


def web_client() -> Path:
    """Return the socket of the process that opens URLs for programs of root's."""
    return run_directory() / "web-client.sock"


def snmp_agent() -> Path:
    """Return the socket at which the SNMP agent hears its subagents."""
    return run_directory() / "snmp" / "agentx"
