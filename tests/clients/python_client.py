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
    made = kind(*parents, **values)
    made.post(hydrate=True, poll_timeout=3600)
    return made


def shown(made: Any, *, fields: str = "**") -> dict[str, Any]:
    """Return what a fresh GET of the object tells, as plain values."""
    made.get(fields=fields)
    found: dict[str, Any] = made.to_dict()
    return found


def changed(made: Any, **values: Any) -> dict[str, Any]:
    """Change an object and return what it is then."""
    for name, value in values.items():
        setattr(made, name, value)
    made.patch(poll_timeout=3600)
    return shown(made)


def listed(kind: type[Resource], *parents: Any, **query: Any) -> list[dict[str, Any]]:
    """Return what a collection shows, with every field."""
    return [found.to_dict() for found in kind.get_collection(*parents, fields="**", **query)]


def refusal(action: Any, *arguments: Any, **options: Any) -> str:
    """Return ONTAP's code with which a call is refused."""
    with pytest.raises(NetAppRestError) as caught:
        action(*arguments, **options)
    return str(caught.value.response_body["error"]["code"])
