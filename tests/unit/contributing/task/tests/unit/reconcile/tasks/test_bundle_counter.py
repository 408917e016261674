"""The files of support bundles are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes import FakeKernel
from sanstone.core import places
from sanstone.reconcile.tasks.bundle_counter import BundleCounter


def test_a_missing_folder_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANSTONE_STATE", str(tmp_path))
    text = BundleCounter(FakeKernel().host).count()
    assert text == f"{places.support_directory()} is not there"
