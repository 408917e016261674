"""One reviewed table: a valid request for every action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sanstone.security.certificates import CertificateSpecification, request

REQUEST = request(CertificateSpecification((("CN", "asked.example.org"),)))


@dataclass(frozen=True)
class ActionExample:
    """A request. With `below`, the action is `last` of the object number `of` of that resource.

    An action that succeeds only `once` is not requested twice.
    """

    path: str
    body: dict[str, Any]
    below: str = ""
    last: str = ""
    of: int = 0
    once: bool = False


ACTION_EXAMPLES = (
    ActionExample(
        "security/authentication/password",
        {"name": "joe.smith", "password": "another pass 2"},
        once=True,
    ),
    ActionExample(
        "support/ems/application-logs",
        {
            "computer_name": "host1",
            "event_source": "trident",
            "app_version": "26.06",
            "event_id": 1,
            "category": "heartbeat",
            "event_description": "It is alive.",
            "severity": "notice",
            "autosupport_required": False,
        },
    ),
    ActionExample(
        "security/certificate-signing-request",
        {
            "subject_name": "C=US,CN=array.example.org",
            "algorithm": "ec",
            "security_strength": 128,
            "hash_function": "sha256",
            "subject_alternatives.dns": ["array.example.org"],
            "subject_alternatives.ip": ["10.10.1.1"],
        },
    ),
    ActionExample(
        "security/certificates/{uuid}/sign",
        {"signing_request": REQUEST.text, "expiry_time": "P30D", "hash_function": "sha384"},
        below="security/certificates",
        last="sign",
        of=2,
    ),
    ActionExample(
        "protocols/san/iscsi/isns/{svm.uuid}/update",
        {},
        below="protocols/san/iscsi/isns",
        last="update",
    ),
)
