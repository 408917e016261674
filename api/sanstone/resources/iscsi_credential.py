"""`protocols/san/iscsi/credentials`: how initiators authenticate to an SVM's iSCSI target."""

from __future__ import annotations

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.change import Owned
from sanstone.core.store import Base, Secret
from sanstone.resources.svm import Svm

DEFAULT = "default"


class IscsiCredential(Owned, Base):
    """Authentication of one initiator, or of all others when `initiator` is `default`.

    `authentication_type` is none, chap or deny. Inbound is what the initiator proves, outbound
    what the target proves to it.
    """

    __tablename__ = "iscsi_credential"
    kind = "protocols/san/iscsi/credentials"

    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"), primary_key=True)
    initiator: Mapped[str] = mapped_column(primary_key=True)
    authentication_type: Mapped[str] = mapped_column(default="none")
    inbound_user: Mapped[str] = mapped_column(default="")
    inbound_password: Mapped[str | None] = mapped_column(Secret)
    outbound_user: Mapped[str] = mapped_column(default="")
    outbound_password: Mapped[str | None] = mapped_column(Secret)
    svm: Mapped[Svm] = relationship()

    @property
    def key(self) -> str:
        """Return `<svm uuid>/<initiator>`."""
        return f"{self.svm_uuid}/{self.initiator}"
