"""Commands of a script by ssh: nobody sits at the other end to answer questions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ssh_client import Client

from lab.administrator import Administrator, Record

NAME = "scripted"


@pytest.fixture
def mapped(admin: Administrator) -> Iterator[Record]:
    """A LUN that is mapped to an igroup of its own."""
    volume = admin.add_volume(NAME)
    lun = admin.add_lun(volume, "lun1")
    igroup = admin.add_igroup(NAME, "iqn.2026-11.org.sanstone.lab:scripted")
    admin.map_lun(lun, igroup)
    yield lun
    admin.remove("protocols/san/igroups", igroup, allow_delete_while_mapped="true")
    admin.remove("storage/volumes", volume)


def test_a_lun_is_unmapped_without_a_question_but_not_deleted(
    admin: Administrator, administrator: Client, mapped: Record
) -> None:
    path = f"-vserver {admin.svm} -path {mapped['name']}"
    done = administrator.by_password("admin", f"lun unmap {path} -igroup {NAME}")
    assert (done.returncode, done.stderr) == (0, "")
    assert not admin.api.get("protocols/san/lun-maps", lun__name=mapped["name"])["records"]
    done = administrator.by_password("admin", f"lun delete {path}")
    assert done.returncode == 1 and "set -confirmations off" in done.stderr
    assert admin.api.get("storage/luns", name=mapped["name"])["records"]
