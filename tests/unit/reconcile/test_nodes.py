"""A node serves what is its own and says of what it sees that it saw it."""

from __future__ import annotations

from pathlib import Path

from scenarios import san
from simulator import NODE_UUID, simulated
from sqlalchemy import select, update

from sanstone.core.database.store import reading, writing
from sanstone.core.observed import Observed
from sanstone.model.network import IpEndpoint, IpInterface

PARTNER = "99999999-2222-4333-8444-555555555555"


def test_a_lif_of_the_partner_is_the_partners_to_serve(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        san(array)
        assert "np/10.10.2.1:3260" in array.dump()
        uuid = array.get("network/ip/interfaces?name=lif2")["records"][0]["uuid"]
        with writing(array.database) as session:
            session.execute(update(IpInterface).filter_by(uuid=uuid).values(node_uuid=PARTNER))
            endpoints = update(IpEndpoint).filter_by(interface_uuid=uuid)
            session.execute(endpoints.values(node_uuid=PARTNER))
        array.reconciler.verify_all()
        array.settle()
        assert "np/10.10.1.1:3260" in array.dump()
        assert "10.10.2.1" not in array.dump()


def test_a_turn_leaves_what_the_partner_saw(tmp_path: Path) -> None:
    with simulated(tmp_path) as array:
        seen = {"kind": "storage/disks", "key": "of the partner", "node_uuid": PARTNER}
        with writing(array.database) as session:
            session.add(Observed(**seen, data={"size": 1}, error="broken"))
        san(array)
        array.reconciler.verify_all()
        array.settle()
        with reading(array.database) as session:
            rows = session.scalars(select(Observed).filter_by(node_uuid=PARTNER)).all()
            assert [(row.key, row.data, row.error) for row in rows] == [
                ("of the partner", {"size": 1}, "broken")
            ]
            nodes = set(session.scalars(select(Observed.node_uuid)))
            assert nodes == {NODE_UUID, PARTNER}
