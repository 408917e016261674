"""POST an event as JSON to a web server, directly or by way of an HTTP proxy.

The process that does so has no privilege, and goes to no address of the array (`kernel.web`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sanstone.kernel.notification.message import TIMEOUT
from sanstone.kernel.tls import Trust
from sanstone.kernel.web.question import Question, answered


def post(by: str, url: str, trust: Trust, proxy: str, record: Mapping[str, Any]) -> None:
    """POST a record to a URL of http or https. Raises OSError unless it is taken (2xx).

    `by` is the path of the socket of `sanstone-web-client`. `proxy` is the URL of an HTTP proxy, ''
    for none; name and password may be in it. No redirection is followed: that would be by GET,
    without the event.
    """
    body = json.dumps(record, ensure_ascii=False)
    headers = {"Content-Type": "application/json"}
    question = Question(url, TIMEOUT, trust, "POST", headers, body, proxy=proxy)
    with answered(by, question) as answer:
        status, reason = answer.head.status, answer.head.reason
    if not 200 <= status < 300:
        raise OSError(f"it answered {status} {reason}")
