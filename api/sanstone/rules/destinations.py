"""Fields with machines that the array connects to, and the addresses that they refuse.

An address that is forbidden (`kernel.web.destination`, where the list is) is refused by the field's
type; that of one of the array's interfaces by `refuse_own`, for all fields of a request together. A
name is looked up when the array connects, and refused then.
"""

from __future__ import annotations

import posixpath
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from marshmallow import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.declaration.resource import Field, Node
from sanstone.core.declaration.types import HttpUrl, IpAddress, ListOf, RemoteHost, Type
from sanstone.kernel.web import destination
from sanstone.model.network import IpInterface

_REFUSED = ("127.0.0.1", "169.254.169.254", "::1", "fe80::1", "::ffff:127.0.0.1")


class Destination(ABC):
    """A type of values that name a machine that the array connects to."""

    @abstractmethod
    def host(self, value: str) -> str:
        """Return the name or the address of the machine, '' for none."""


def _checked(host: str) -> str:
    try:
        destination.require_permitted(host)
    except destination.Forbidden as error:
        raise ValidationError(f"{error}.") from error
    return host


class DestinationAddress(IpAddress, Destination):
    """The address of another machine, which the array asks or tells something."""

    bad = (*IpAddress.bad, *_REFUSED)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        return _checked(super()._deserialize(value, attr, data, **kw))

    def host(self, value: str) -> str:
        """Return the address."""
        return value


class DestinationHost(RemoteHost, Destination):
    """The name or the address of another machine, which the array asks or tells something."""

    bad = (*RemoteHost.bad, *_REFUSED, "localhost", "a.localhost")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        return _checked(super()._deserialize(value, attr, data, **kw))

    def host(self, value: str) -> str:
        """Return the name or the address."""
        return value


class DestinationUrl(HttpUrl, Destination):
    """The URL of http or https of a web server that the array opens."""

    def __init__(self) -> None:
        super().__init__()
        self.bad += ("http://127.0.0.1/a", "https://[::1]/a", "http://localhost:8080/a")
        self.bad += ("http://169.254.169.254/latest/meta-data", "http://2130706433/a")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw)
        _checked(self.host(text))
        return text

    def host(self, value: str) -> str:
        """Return the host in the URL."""
        return urlsplit(value).hostname or ""


class ProxyUrl(DestinationUrl):
    """The address of a proxy: that of a server which is spoken to by http."""

    good = ("http://proxy.example.org:3128",)

    def __init__(self) -> None:
        super().__init__()
        self.bad += ("https://proxy.example.org",)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw)
        if not text.startswith("http://"):
            raise ValidationError("The array speaks to proxies by http; what passes is encrypted.")
        return text


class PackageUrl(DestinationUrl):
    """The address of a package: http or https, with a host and a file name."""

    good = ("https://mirror.example.org/sanstone-1.4.0.raucb",)

    def __init__(self) -> None:
        super().__init__()
        self.bad += ("http://mirror/",)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kw: Any) -> str:
        text = super()._deserialize(value, attr, data, **kw)
        if not posixpath.basename(urlsplit(text).path):
            raise ValidationError("This URL names no file.")
        return text


def refuse_own(session: Session, nodes: Iterable[Node], values: Mapping[str, Any]) -> None:
    """Raise ApiError where a field of a request is to be an address of the array's own."""
    for node in nodes:
        if isinstance(node, Field) and node.name in values:
            require_other(session, node.type, values[node.name], node.name)


def require_other(session: Session, kind: Type, value: Any, field: str) -> None:
    """Raise ApiError for a value of a type that is an address of one of the array's interfaces."""
    for host in _hosts(kind, value):
        address = destination.literal(host)
        own = select(IpInterface.uuid).filter_by(address=str(address))
        if address and session.scalar(own):
            text = f'"{host}" is an address of the array\'s own.'
            raise errors.invalid(text, field)


def _hosts(kind: Type, value: Any) -> Iterator[str]:
    if isinstance(kind, ListOf):
        for entry in value:
            yield from _hosts(kind.entry, entry)
    elif isinstance(kind, Destination):
        yield kind.host(value)
