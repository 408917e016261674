"""`cluster/web`: the web server and its certificate.

The web server reads its certificate and key from one file, which the reconciler writes (see
`reconcile.web_server`); systemd notices the change and reloads the server, so that neither this
process nor the reconciler needs permission to.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import MODIFY, Field, Reader, Reference, Resource, constant
from sanstone.core.declaration.types import Boolean, Integer
from sanstone.model.security import SERVER, Certificate
from sanstone.rules.security.certificates import served
from sanstone.security.certificates import BAD_FORMAT


class Web:
    """The one web server."""


class WebResource(Resource[Web]):
    """The web server."""

    path = "cluster/web"
    doc = "The web server of the array, and the certificate that it shows."
    model = Certificate
    single = True
    keys = ()
    order = ()
    methods = frozenset({"GET", "PATCH"})
    fields = (
        Field("enabled", Boolean(), "It always runs.", get=constant(True)),
        Field("http_enabled", Boolean(), "Nothing is served without TLS.", get=constant(False)),
        Field("https_port", Integer(1, 65535), "Port of HTTPS.", get=constant(443)),
        Reference(
            "certificate",
            Certificate,
            "The certificate that it shows.",
            access=MODIFY,
            get=lambda _row, reader: served(reader.session),
        ),
    )

    def rows(self, reader: Reader) -> Sequence[Web]:
        """Return the web server."""
        return [Web()]

    def update(self, change: Change, row: Web, values: dict[str, Any]) -> None:
        """Set another certificate, which must be valid and have its key."""
        certificate = values.get("certificate")
        if certificate is None or certificate.served:
            return
        if certificate.type != SERVER:
            text = f'Certificate "{certificate.name}" is not that of a server.'
            raise errors.invalid(text, "certificate", BAD_FORMAT)
        # Whether it can be served with its key was checked when it was installed.
        if certificate.expiry_time <= time.time():
            text = f'Certificate "{certificate.name}" has expired.'
            raise errors.invalid(text, "certificate", BAD_FORMAT)
        before = served(change.session)
        if before:
            before.served = False
        certificate.served = True
