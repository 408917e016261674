"""TLS to servers of others: receivers of events, identity providers. A server must prove its name;
there is no way to do without.

It is believed where one of these has signed its certificate: the authorities that the image brings
(`ca-certificates`) and those given here. A certificate of its own can be given as one of them.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field

from sanstone.kernel import processes


@dataclass(frozen=True)
class Trust:
    """The authorities to believe, and one's own certificate; all in PEM.

    `authorities` are certificates. `chain` and `key` are those of a client, '' for none.
    """

    authorities: tuple[str, ...] = ()
    chain: str = ""
    key: str = field(default="", repr=False)

    def context(self) -> ssl.SSLContext:
        """Return the context of a client. Raises OSError for a certificate that cannot be used."""
        context = ssl.create_default_context()
        for authority in self.authorities:
            context.load_verify_locations(cadata=authority)
        if self.chain:
            with processes.in_memory("client", self.key + self.chain) as path:
                # openssl would prompt for the password of an encrypted key.
                context.load_cert_chain(path, password=lambda: b"")
        return context


def explained(error: OSError) -> str:
    """Return why a server could not be spoken to, in words for an administrator."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not accepted: {error.verify_message}"
    if isinstance(error, ssl.SSLEOFError):
        return "it ended the connection; it may want to know us by a certificate"
    if isinstance(error, ssl.SSLError):
        return f"TLS: {(error.reason or str(error)).replace('_', ' ').lower()}"
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    return error.strerror or str(error) or type(error).__name__
