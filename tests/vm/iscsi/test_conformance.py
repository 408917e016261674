"""Each finding of libiscsi's suite in a LUN is accounted for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance import accounted, iscsi_test_cu
from lab.administrator import DATA_LIFS, MIB, Administrator, Record
from lab.station import Host

CREDENTIALS = "protocols/san/iscsi/credentials"
LIST = Path(iscsi_test_cu.__file__).with_name("iscsi-test-cu.txt")
USER, SECRET = "suite1", "secret-of-the-suite"


@pytest.fixture
def mapped(admin: Administrator) -> Iterator[Record]:
    """The map of a LUN for the suite, which must log in by CHAP."""
    igroup = admin.add_igroup("suite", *iscsi_test_cu.INITIATORS)
    volume = admin.add_volume("vol_suite")
    yield admin.map_lun(admin.add_lun(volume, "lun1", 512 * MIB), igroup)
    admin.remove("protocols/san/igroups", igroup, allow_delete_while_mapped="true")
    admin.remove("storage/volumes", volume)


@pytest.fixture
def urls(admin: Administrator, mapped: Record) -> Iterator[list[str]]:
    """Where the suite finds the LUN on its two paths, and who it is."""
    svm = mapped["svm"]["uuid"]
    chap = {"inbound": {"user": USER, "password": SECRET}}
    for initiator in iscsi_test_cu.INITIATORS:
        body = {"initiator": initiator, "authentication_type": "chap", "chap": chap}
        admin.api.post(CREDENTIALS, {"svm.uuid": svm} | body)
    service = admin.api.get(f"protocols/san/iscsi/services/{svm}")
    where = f"{service['target']['name']}/{mapped['logical_unit_number']}"
    addresses = [address for name, (_, address) in DATA_LIFS.items() if name.startswith("iscsi")]
    yield [f"iscsi://{USER}%{SECRET}@{address}/{where}" for address in addresses]
    for initiator in iscsi_test_cu.INITIATORS:
        admin.api.delete(f"{CREDENTIALS}/{svm}/{initiator}")


def test_each_finding_of_the_suite_is_accounted_for(host: Host, urls: list[str]) -> None:
    outcomes = iscsi_test_cu.run(host, urls)
    print(accounted.counts(outcomes))
    differences = list(accounted.differences(outcomes, accounted.read(LIST)))
    assert not differences, "\n".join(differences)
