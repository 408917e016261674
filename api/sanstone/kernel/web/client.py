"""Open URLs that users give, hop by hop: each is http or https, and goes where it may go."""

from __future__ import annotations

import http.client
import ssl
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

from sanstone.kernel.web import destination
from sanstone.kernel.web.question import Question

REDIRECTIONS = (301, 302, 303, 307, 308)
PORTS = {"http": 80, "https": 443}


class Connection(http.client.HTTPConnection):
    """A connection to where one may go (`destination`); by TLS with a context, also by a proxy."""

    def __init__(
        self, host: str, port: int, patience: float, context: ssl.SSLContext | None
    ) -> None:
        super().__init__(host, port, timeout=patience)
        # Of http.client's own, which makes its connections by it, a proxy's tunnel included.
        self._create_connection: Any = self._connected
        self._context, self._patience = context, patience

    def _connected(self, address: tuple[str, int], *_options: Any) -> Any:
        return destination.connect(*address, self._patience)

    def connect(self) -> None:
        """Connect."""
        super().connect()
        if self._context:
            name = getattr(self, "_tunnel_host", None) or self.host
            self.sock = self._context.wrap_socket(self.sock, server_hostname=name)


@contextmanager
def opened(question: Question) -> Iterator[http.client.HTTPResponse]:
    """Give the response to a question. Raises OSError, HTTPException, ValueError."""
    for _ in range(question.hops + 1):
        with _response(question) as response:
            place = response.headers.get("Location")
            if not question.hops or response.status not in REDIRECTIONS or place is None:
                yield response
                return
        question = replace(question, url=urljoin(question.url, place), login="")
    raise OSError("it redirects too often")


@contextmanager
def _response(question: Question) -> Iterator[http.client.HTTPResponse]:
    parts = _split(question.url)
    context = question.trust.context() if parts.scheme == "https" else None
    headers = {"User-Agent": "sanstone", "Connection": "close"} | dict(question.headers)
    if question.login:
        headers["Authorization"] = question.login
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    if question.proxy:
        proxy = _split(question.proxy)
        by = _login(proxy)
        if proxy.scheme != "http":
            raise ValueError("a proxy is spoken to by http")
        connection = Connection(
            proxy.hostname or "", proxy.port or PORTS["http"], question.patience, context
        )
        if context:
            connection.set_tunnel(host, port, by)
        else:
            target = question.url
            headers |= {"Host": parts.netloc.rpartition("@")[2]} | by
    else:
        connection = Connection(host, port, question.patience, context)
    try:
        connection.request(
            question.method, target, question.body and question.body.encode(), headers
        )
        yield connection.getresponse()
    finally:
        connection.close()


def _split(url: str) -> SplitResult:
    """Return the parts of a URL. Raises OSError for one of another scheme, ValueError."""
    parts = urlsplit(url)
    if parts.scheme not in PORTS or not parts.hostname:
        raise destination.Forbidden(f"{url[:200]} is no URL of http or https")
    return parts


def _login(proxy: SplitResult) -> dict[str, str]:
    """Return the header of the login that is in a proxy's URL, none without one."""
    if proxy.username is None:
        return {}
    login = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {b64encode(login.encode()).decode()}"}
