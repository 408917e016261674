"""`protocols/san/iscsi/services`: the iSCSI target of an SVM."""

from __future__ import annotations

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.change import Owned
from sanstone.core.store import Base
from sanstone.resources.svm import Svm


class IscsiService(Owned, Base):
    """The iSCSI service of an SVM; `target_name` is the target's IQN."""

    __tablename__ = "iscsi_service"
    kind = "protocols/san/iscsi/services"

    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"), primary_key=True)
    enabled: Mapped[bool] = mapped_column(default=True)
    target_name: Mapped[str] = mapped_column(unique=True)
    target_alias: Mapped[str] = mapped_column(default="")
    svm: Mapped[Svm] = relationship()

    @property
    def key(self) -> str:
        """Return the SVM's UUID."""
        return self.svm_uuid
