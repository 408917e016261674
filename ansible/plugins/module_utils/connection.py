# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
"""How modules and plugins reach an array: their options, and the client that these make."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ansible.module_utils.basic import AnsibleModule, env_fallback, missing_required_lib
from ansible_collections.sanstone.array.plugins.module_utils.finding import Impossible

try:
    from sanstone.client import Array, ClientError, Refused, remote
except ImportError:
    MISSING = traceback.format_exc()
else:
    MISSING = ""

if TYPE_CHECKING:
    from sanstone.client import Array

OPTIONS: dict[str, dict[str, Any]] = {
    "url": {"type": "str", "required": True, "fallback": (env_fallback, ["SANSTONE_URL"])},
    "username": {"type": "str", "required": True, "fallback": (env_fallback, ["SANSTONE_USER"])},
    "password": {
        "type": "str",
        "required": True,
        "no_log": True,
        "fallback": (env_fallback, ["SANSTONE_PASSWORD"]),
    },
    "ca_path": {"type": "path", "fallback": (env_fallback, ["SANSTONE_CA_PATH"])},
    "validate_certs": {
        "type": "bool",
        "default": True,
        "fallback": (env_fallback, ["SANSTONE_VALIDATE_CERTS"]),
    },
}
"""As `plugins/doc_fragments/connection.py` documents them."""
LINKED = "application/hal+json"
"""With this the answers of the API hold links, by which objects are reached."""


def connected(options: Mapping[str, Any]) -> Array:
    """Return the client for the options above.

    Raises ValueError for a URL that is none, OSError for a file of authorities that cannot be read.
    """
    way = remote(
        options["url"],
        options["username"],
        options["password"],
        authority=options["ca_path"] or "",
        verify=options["validate_certs"],
    )
    array = Array(way)
    array.headers["Accept"] = LINKED
    return array


@contextmanager
def connect(module: AnsibleModule) -> Iterator[Array]:
    """Give the client for a module's parameters; end the module with what goes wrong."""
    if MISSING:
        module.fail_json(msg=missing_required_lib("sanstone"), exception=MISSING)
    try:
        array = connected(module.params)
    except (ValueError, OSError) as error:
        module.fail_json(msg=f"The array cannot be reached: {error}")
    try:
        with array:
            yield array
    except Refused as error:
        module.fail_json(
            msg=error.message, code=error.code, target=error.target, status=error.status
        )
    except (Impossible, ClientError) as error:
        module.fail_json(msg=str(error))
