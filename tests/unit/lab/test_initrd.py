"""The initrd: which modules are in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab import initrd

DEPENDENCIES = """\
kernel/a/virtio_scsi.ko: kernel/b/virtio-ring.ko kernel/b/virtio.ko
kernel/b/virtio.ko:
kernel/b/virtio-ring.ko: kernel/b/virtio.ko
kernel/c/sr_mod.ko: kernel/c/cdrom.ko
kernel/c/cdrom.ko:
"""


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(initrd, "MODULES", ("virtio_scsi", "squash_fs", "sr_mod"))
    (tmp_path / "modules.dep").write_text(DEPENDENCIES)
    (tmp_path / "modules.builtin").write_text("kernel/fs/squash-fs.ko\n")
    return tmp_path


def test_needed_modules_come_first_and_built_in_ones_not_at_all(modules: Path) -> None:
    names = [file.relative_to(modules).name for file in initrd.needed(modules)]
    assert names == ["virtio.ko", "virtio-ring.ko", "virtio_scsi.ko", "cdrom.ko", "sr_mod.ko"]


def test_a_module_that_is_not_there(modules: Path) -> None:
    (modules / "modules.builtin").write_text("")
    with pytest.raises(KeyError, match="squash_fs"):
        initrd.needed(modules)
