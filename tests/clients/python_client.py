"""How NetApp's Python client, `netapp-ontap`, is used here."""

from __future__ import annotations

from typing import Any

import pytest
from netapp_ontap.error import NetAppRestError
from netapp_ontap.resource import Resource

GIB, MIB = 1024**3, 1024**2
SVM = {"name": "svm1"}
PSK = "NVMeTLSkey-1:01:VRLbtnN9AQb2WXW3c9+wEf/DRLz0QuLdbYvEhwtdWwNf9LrZ:"
HOST_IQN, HOST_NQN = "iqn.1994-05.com.redhat:host1", "nqn.2014-08.org.nvmexpress:uuid:host1"


def created(kind: type[Resource], *parents: str, **values: Any) -> Any:
    """Create an object, and return it as the array shows it."""
    resource = kind(*parents, **values)
    resource.post(hydrate=True, poll_timeout=3600)
    return resource


def shown(resource: Any, *, fields: str = "**") -> dict[str, Any]:
    """Return the answer to a fresh GET of the object, as plain values."""
    resource.get(fields=fields)
    values: dict[str, Any] = resource.to_dict()
    return values


def changed(resource: Any, **values: Any) -> dict[str, Any]:
    """Change an object and return it as the array shows it then."""
    for name, value in values.items():
        setattr(resource, name, value)
    resource.patch(poll_timeout=3600)
    return shown(resource)


def listed(kind: type[Resource], *parents: Any, **query: Any) -> list[dict[str, Any]]:
    """Return the records of a collection, with every field."""
    return [record.to_dict() for record in kind.get_collection(*parents, fields="**", **query)]


def refusal(action: Any, *arguments: Any, **options: Any) -> str:
    """Return ONTAP's code with which a call is refused."""
    with pytest.raises(NetAppRestError) as caught:
        action(*arguments, **options)
    return str(caught.value.response_body["error"]["code"])
