"""The services of SVMs by which hosts are served."""

from __future__ import annotations

from sanstone.model.nvme import NvmeService
from sanstone.model.san import FcpService, IscsiService, SrpService
from sanstone.model.svm import ProtocolService

SERVICE_TABLES: dict[str, type[ProtocolService]] = {
    table.protocol: table for table in (IscsiService, NvmeService, FcpService, SrpService)
}
"""By protocol, as SVMs call it: the table of its services."""
