"""`protocols/nvme/services`: the NVMe service of an SVM."""

from __future__ import annotations

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column, relationship

from sanstone.core.change import Owned
from sanstone.core.store import Base
from sanstone.resources.svm import Svm


class NvmeService(Owned, Base):
    """The NVMe service of an SVM."""

    __tablename__ = "nvme_service"
    kind = "protocols/nvme/services"

    svm_uuid: Mapped[str] = mapped_column(ForeignKey("svm.uuid"), primary_key=True)
    enabled: Mapped[bool] = mapped_column(default=True)
    svm: Mapped[Svm] = relationship()

    @property
    def key(self) -> str:
        """Return the SVM's UUID."""
        return self.svm_uuid
