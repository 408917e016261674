"""Let accounts log in by an identity provider."""

import sqlalchemy as sa
from alembic import op

revision = "6f3c1b9a7e48"
down_revision = "d15e80c4b7a2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "oidc_provider",
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("issuer", sa.String(), nullable=False),
        sa.Column("client_id", sa.String(), nullable=False),
        sa.Column("client_secret", sa.String(), nullable=True),
        sa.Column("authorization_endpoint", sa.String(), nullable=False),
        sa.Column("token_endpoint", sa.String(), nullable=False),
        sa.Column("provider_jwks_uri", sa.String(), nullable=False),
        sa.Column("end_session_endpoint", sa.String(), nullable=False),
        sa.Column("access_token_issuer", sa.String(), nullable=False),
        sa.Column("jwks_refresh_interval", sa.String(), nullable=False),
        sa.Column("remote_user_claim", sa.String(), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("redirect_ipaddress", sa.String(), nullable=False),
        sa.Column("skip_uri_validation", sa.Boolean(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_oidc_provider")),
    )
