"""The identity provider by which accounts of the array log in to the web interface."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Mapped, mapped_column

from sanstone.core.database.change import Owned
from sanstone.core.database.store import Base, Identified, Secret

CALLBACK = "/login/oidc"
"""The page of the web interface to which the provider sends browsers back."""


class OidcProvider(Owned, Identified, Base):
    """How the array speaks to its identity provider; at most one row.

    `end_session_endpoint` and `access_token_issuer` are '' for none; the latter is shown, and has
    no effect. `scopes` are requested besides `openid`. `skip_uri_validation` is that of the
    creation, and of no use afterwards.
    """

    __tablename__ = "oidc_provider"
    kind = "security/authentication/cluster/oidc"

    provider: Mapped[str]
    issuer: Mapped[str]
    client_id: Mapped[str]
    client_secret: Mapped[str] = mapped_column(Secret, default="", nullable=True)
    authorization_endpoint: Mapped[str]
    token_endpoint: Mapped[str]
    provider_jwks_uri: Mapped[str]
    end_session_endpoint: Mapped[str] = mapped_column(default="")
    access_token_issuer: Mapped[str] = mapped_column(default="")
    jwks_refresh_interval: Mapped[str]
    remote_user_claim: Mapped[str]
    scopes: Mapped[list[Any]] = mapped_column(default=list)
    redirect_ipaddress: Mapped[str]
    skip_uri_validation: Mapped[bool] = mapped_column(default=False)
    enabled: Mapped[bool] = mapped_column(default=True)

    @property
    def redirect_uri(self) -> str:
        """Return where the provider sends browsers back to: never what a browser says."""
        host = self.redirect_ipaddress
        return f"https://{f'[{host}]' if ':' in host else host}{CALLBACK}"
