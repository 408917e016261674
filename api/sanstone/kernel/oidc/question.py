"""Questions of the API to identity providers, and how they travel (see `kernel.questions`).

The API has no network, and what a provider sends is a stranger's: so `sanstone-oidc`, a process
without any privilege, speaks to the provider, and checks what that has signed. It keeps no
configuration: a question says whom to ask and how.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Discovery:
    """Where are the endpoints of an issuer? (OpenID Connect Discovery 1.0)

    `authorities` are certificates in PEM by which it is believed, besides those of the image.
    """

    issuer: str
    authorities: tuple[str, ...]


@dataclass(frozen=True)
class Endpoints:
    """The answer: URLs, of https. `error` is why there is none, '' if there is."""

    authorization: str = ""
    token: str = ""
    keys: str = ""
    error: str = ""


@dataclass(frozen=True)
class Redemption:
    """Which user is a provider's code for, from a browser? (OpenID Connect Core 1.0, 3.1.3)

    `keys` is the URL of the provider's keys, which are good for `keys_kept` seconds. `verifier` is
    the secret with the digest that the browser showed the provider (RFC 7636), `nonce` the text
    that the signed answer has to repeat, `claim` the claim that names the user. The client has no
    secret where that is ''.
    """

    issuer: str
    authorities: tuple[str, ...]
    token: str
    keys: str
    keys_kept: int
    client_id: str
    claim: str
    redirect_uri: str
    client_secret: str = field(repr=False)
    code: str = field(repr=False)
    verifier: str = field(repr=False)
    nonce: str = field(repr=False)


@dataclass(frozen=True)
class Identity:
    """The answer: the user's name. `error` is why the provider did not answer, '' if it did;
    `refusal` why its answer is not believed, or that it does not take the code.
    """

    user: str = ""
    refusal: str = ""
    error: str = ""


Message = Discovery | Endpoints | Redemption | Identity
_KINDS: dict[str, type[Message]] = {
    kind.__name__: kind for kind in (Discovery, Endpoints, Redemption, Identity)
}


def to_line(message: Message) -> bytes:
    """Return a question or an answer as it is sent."""
    return json.dumps({type(message).__name__: asdict(message)}).encode() + b"\n"


def of_line(line: bytes) -> Message:
    """Return the question or answer that was sent. Raises ValueError for anything else."""
    try:
        ((name, fields),) = json.loads(line).items()
        kind = _KINDS[name]
        if "authorities" in fields:
            fields["authorities"] = tuple(fields["authorities"])
        return kind(**fields)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"neither question nor answer: {error}") from error
