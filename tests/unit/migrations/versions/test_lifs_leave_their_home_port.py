"""LIFs of a release in which none left its port are at home, and those of data stay there."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from sqlalchemy import select, text

from sanstone import migrate
from sanstone.core.database import store
from sanstone.core.database.store import reading
from sanstone.model.network import IpInterface

BEFORE = "6ddda7af1871"
NODE, SVM = "11111111-2222-4333-8444-555555555555", "20000000-0000-4000-8000-000000000000"


def test_each_is_at_home_and_may_go_by_what_it_serves(tmp_path: Path) -> None:
    database = store.engine(tmp_path / "sanstone.db")
    add = (
        "INSERT INTO ip_interface (uuid, name, home_node_uuid, node_uuid, svm_uuid, address, "
        "prefix_length, port, service_policy, enabled, auto_revert, rdma) VALUES "
        "(:uuid, :name, :node, :node, :svm, :address, 24, :port, '', 1, 1, '')"
    )
    lifs: tuple[tuple[str, str | None, str, str], ...] = (
        ("data", SVM, "10.10.1.1", "e0b"),
        ("management", None, "192.0.2.1", "e0M"),
    )
    with database.connect().execution_options(writes=True) as connection:
        config = migrate._config()
        config.attributes["connection"] = connection
        command.upgrade(config, BEFORE)
        svm = (
            "INSERT INTO svm (uuid, name, number, comment, state, iscsi_allowed, nvme_allowed, "
            "fcp_allowed, srp_allowed, properties, create_time) "
            "VALUES (:svm, 'svm1', 1, '', 'running', 1, 1, 1, 1, '{}', 0)"
        )
        connection.execute(text(svm), {"svm": SVM})
        for name, owner, address, port in lifs:
            uuid = f"30000000-0000-4000-8000-{len(name):012}"
            row = {"uuid": uuid, "name": name, "svm": owner, "address": address, "port": port}
            connection.execute(text(add), row | {"node": NODE})
        command.upgrade(config, "fd27f72ee8e8")
        connection.commit()
    with reading(database) as session:
        settings = {
            row.name: (row.home_port, row.port, row.failover, row.failed_over)
            for row in session.scalars(select(IpInterface))
        }
    database.dispose()
    assert settings == {
        "data": ("e0b", "e0b", "home_port_only", False),
        "management": ("e0M", "e0M", "broadcast_domain_only", False),
    }
