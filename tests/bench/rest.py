"""A REST client that keeps its connection, as clients that do much do.

`lab.api.Api` opens one for each request, and a TLS handshake costs more than most requests.
"""

from __future__ import annotations

import base64
import http.client
import json
import ssl
import urllib.parse
from dataclasses import dataclass, field
from typing import Any

from lab.api import Api, Refused


@dataclass(frozen=True)
class Session(Api):
    """The REST API over one connection; to be used by one thread."""

    connection: http.client.HTTPSConnection = field(init=False, compare=False)

    def __post_init__(self) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        # It is the array's own, so it alone is trusted, and the name in it does not count.
        context.check_hostname = False
        context.load_verify_locations(cadata=self.certificate)
        place = urllib.parse.urlsplit(self.url)
        connection = http.client.HTTPSConnection(
            place.hostname or "", place.port or 443, timeout=300, context=context
        )
        object.__setattr__(self, "connection", connection)

    def send(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Send one request and return the answer's JSON. Raises Refused, and OSError."""
        target = f"/api/{path}"
        if query:
            names = {name.replace("__", "."): value for name, value in query.items()}
            target += "?" + urllib.parse.urlencode(names)
        login = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        headers = {"Authorization": f"Basic {login}", "Accept": "application/json", "Host": "array"}
        content = None
        if body is not None:
            content = json.dumps(body)
            headers["Content-Type"] = "application/json"
        self.connection.request(method, target, content, headers)
        answer = self.connection.getresponse()
        text = answer.read()
        parsed = json.loads(text) if text else {}
        if answer.status >= 400:
            raise Refused(f"{method} {target}", answer.status, parsed)
        return parsed
