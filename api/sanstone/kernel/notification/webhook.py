"""POST an event as JSON to a web server, directly or by way of an HTTP proxy."""

from __future__ import annotations

import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any

from sanstone.kernel.notification.message import TIMEOUT


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Takes a redirection for a refusal: urllib would follow it by GET, without the event."""

    def redirect_request(self, *_given: Any) -> None:
        """Follow none."""
        return


def post(url: str, context: ssl.SSLContext, proxy: str, record: Mapping[str, Any]) -> None:
    """POST a record to a URL of http or https. Raises OSError unless it is taken (2xx).

    `proxy` is the URL of an HTTP proxy, '' for none; name and password may be in it.
    """
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({"http": proxy, "https": proxy} if proxy else {}),
        urllib.request.HTTPSHandler(context=context),
        _NoRedirect(),
    )
    body = json.dumps(record, ensure_ascii=False).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "sanstone"}
    request = urllib.request.Request(url, body, headers, method="POST")  # noqa: S310 - see the type
    try:
        with opener.open(request, timeout=TIMEOUT):
            return
    except urllib.error.HTTPError as error:
        error.close()
        raise OSError(f"it answered {error.code} {error.reason}") from error
    except urllib.error.URLError as error:
        raise (
            error.reason if isinstance(error.reason, OSError) else OSError(error.reason)
        ) from error
    except (HTTPException, UnicodeError) as error:
        raise OSError(f"its answer is not understood: {error}") from error
