"""The folder of support bundles is looked at after the bundles."""

from __future__ import annotations

from sanstone.reconcile.loop import STAGES


def test_a_bundle_folder_is_looked_at_after_the_bundles() -> None:
    names = [each.name for each in STAGES]
    assert names.index("support bundles") < names.index("bundle folder")
