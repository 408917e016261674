"""Add snapshots, clones, groups, portsets and policies."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from sanstone.model import seeds
from sanstone.model.policies import NONE_UUID

revision = "b09db6fa6c50"
down_revision = "1dfcb8e582c8"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "schedule",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("interval", sa.String(), nullable=False),
        sa.Column("cron", sa.JSON(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_schedule")),
        sa.UniqueConstraint("name", name=op.f("uq_schedule_name")),
    )
    op.create_table(
        "consistency_group",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("create_time", sa.Float(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["svm_uuid"], ["svm.uuid"], name=op.f("fk_consistency_group_svm_uuid_svm")
        ),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_consistency_group")),
        sa.UniqueConstraint("svm_uuid", "name", name=op.f("uq_consistency_group_svm_uuid")),
    )
    op.create_table(
        "portset",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("protocol", sa.String(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(["svm_uuid"], ["svm.uuid"], name=op.f("fk_portset_svm_uuid_svm")),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_portset")),
        sa.UniqueConstraint("svm_uuid", "name", name=op.f("uq_portset_svm_uuid")),
    )
    op.create_table(
        "qos_policy",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("form", sa.String(), nullable=False),
        sa.Column("members", sa.JSON(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["svm_uuid"], ["svm.uuid"], name=op.f("fk_qos_policy_svm_uuid_svm")
        ),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_qos_policy")),
        sa.UniqueConstraint("svm_uuid", "name", name=op.f("uq_qos_policy_svm_uuid")),
    )
    op.create_table(
        "snapshot_policy",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("svm_uuid", sa.String(length=36), nullable=True),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["svm_uuid"], ["svm.uuid"], name=op.f("fk_snapshot_policy_svm_uuid_svm")
        ),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_snapshot_policy")),
    )
    op.create_table(
        "consistency_group_snapshot",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("group_uuid", sa.String(length=36), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("consistency_type", sa.String(), nullable=False),
        sa.Column("create_time", sa.Float(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["group_uuid"],
            ["consistency_group.uuid"],
            name=op.f("fk_consistency_group_snapshot_group_uuid_consistency_group"),
        ),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_consistency_group_snapshot")),
        sa.UniqueConstraint(
            "group_uuid", "name", name=op.f("uq_consistency_group_snapshot_group_uuid")
        ),
    )
    op.create_table(
        "portset_interface",
        sa.Column("portset_uuid", sa.String(length=36), nullable=False),
        sa.Column("interface_uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["interface_uuid"],
            ["ip_interface.uuid"],
            name=op.f("fk_portset_interface_interface_uuid_ip_interface"),
        ),
        sa.ForeignKeyConstraint(
            ["portset_uuid"],
            ["portset.uuid"],
            name=op.f("fk_portset_interface_portset_uuid_portset"),
        ),
        sa.PrimaryKeyConstraint(
            "portset_uuid", "interface_uuid", name=op.f("pk_portset_interface")
        ),
    )
    op.create_table(
        "snapshot_policy_copy",
        sa.Column("policy_uuid", sa.String(length=36), nullable=False),
        sa.Column("schedule_uuid", sa.String(length=36), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("prefix", sa.String(), nullable=False),
        sa.Column("snapmirror_label", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["policy_uuid"],
            ["snapshot_policy.uuid"],
            name=op.f("fk_snapshot_policy_copy_policy_uuid_snapshot_policy"),
        ),
        sa.ForeignKeyConstraint(
            ["schedule_uuid"],
            ["schedule.uuid"],
            name=op.f("fk_snapshot_policy_copy_schedule_uuid_schedule"),
        ),
        sa.PrimaryKeyConstraint(
            "policy_uuid", "schedule_uuid", name=op.f("pk_snapshot_policy_copy")
        ),
    )
    op.create_table(
        "consistency_group_volume",
        sa.Column("volume_uuid", sa.String(length=36), nullable=False),
        sa.Column("group_uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["group_uuid"],
            ["consistency_group.uuid"],
            name=op.f("fk_consistency_group_volume_group_uuid_consistency_group"),
        ),
        sa.ForeignKeyConstraint(
            ["volume_uuid"],
            ["volume.uuid"],
            name=op.f("fk_consistency_group_volume_volume_uuid_volume"),
        ),
        sa.PrimaryKeyConstraint("volume_uuid", name=op.f("pk_consistency_group_volume")),
    )
    with op.batch_alter_table("consistency_group_volume", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_consistency_group_volume_group_uuid"), ["group_uuid"], unique=False
        )

    op.create_table(
        "igroup_nesting",
        sa.Column("igroup_uuid", sa.String(length=36), nullable=False),
        sa.Column("child_uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["child_uuid"], ["igroup.uuid"], name=op.f("fk_igroup_nesting_child_uuid_igroup")
        ),
        sa.ForeignKeyConstraint(
            ["igroup_uuid"], ["igroup.uuid"], name=op.f("fk_igroup_nesting_igroup_uuid_igroup")
        ),
        sa.PrimaryKeyConstraint("igroup_uuid", "child_uuid", name=op.f("pk_igroup_nesting")),
    )
    op.create_table(
        "snapshot",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("volume_uuid", sa.String(length=36), nullable=False),
        sa.Column("taken_with", sa.String(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("snapmirror_label", sa.String(), nullable=False),
        sa.Column("schedule_uuid", sa.String(), nullable=False),
        sa.Column("expiry_time", sa.Float(), nullable=True),
        sa.Column("create_time", sa.Float(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["volume_uuid"], ["volume.uuid"], name=op.f("fk_snapshot_volume_uuid_volume")
        ),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_snapshot")),
        sa.UniqueConstraint("volume_uuid", "name", name=op.f("uq_snapshot_volume_uuid")),
    )
    with op.batch_alter_table("snapshot", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_snapshot_taken_with"), ["taken_with"], unique=False)

    op.create_table(
        "lun_attribute",
        sa.Column("lun_uuid", sa.String(length=36), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["lun_uuid"], ["lun.uuid"], name=op.f("fk_lun_attribute_lun_uuid_lun")
        ),
        sa.PrimaryKeyConstraint("lun_uuid", "name", name=op.f("pk_lun_attribute")),
    )
    op.create_table(
        "snapshot_member",
        sa.Column("snapshot_uuid", sa.String(length=36), nullable=False),
        sa.Column("device_kind", sa.String(), nullable=False),
        sa.Column("device_uuid", sa.String(), nullable=False),
        sa.Column("base_name", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("thin_id", sa.Integer(), nullable=False),
        sa.Column("source_thin_id", sa.Integer(), nullable=False),
        sa.Column("described", sa.JSON(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["snapshot_uuid"],
            ["snapshot.uuid"],
            name=op.f("fk_snapshot_member_snapshot_uuid_snapshot"),
        ),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_snapshot_member")),
    )
    with op.batch_alter_table("snapshot_member", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_snapshot_member_snapshot_uuid"), ["snapshot_uuid"], unique=False
        )

    op.create_table(
        "volume_clone",
        sa.Column("volume_uuid", sa.String(length=36), nullable=False),
        sa.Column("snapshot_uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["snapshot_uuid"],
            ["snapshot.uuid"],
            name=op.f("fk_volume_clone_snapshot_uuid_snapshot"),
        ),
        sa.ForeignKeyConstraint(
            ["volume_uuid"], ["volume.uuid"], name=op.f("fk_volume_clone_volume_uuid_volume")
        ),
        sa.PrimaryKeyConstraint("volume_uuid", name=op.f("pk_volume_clone")),
    )
    with op.batch_alter_table("volume_clone", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_volume_clone_snapshot_uuid"), ["snapshot_uuid"], unique=False
        )
    seeds.seed_schedules(None, op.get_bind())
    seeds.seed_snapshot_policies(None, op.get_bind())
    for table in ("igroup", "subsystem"):
        _add(table, sa.Column("delete_on_unmap", sa.Boolean(), server_default=sa.false()))
    _refer("igroup", "portset_uuid", "portset")
    for table in ("lun", "namespace"):
        _add(table, sa.Column("source_thin_id", sa.Integer(), nullable=True))
        _add(table, sa.Column("source_device", sa.String(), server_default=""))
    for table in ("lun", "namespace", "volume"):
        _refer(table, "qos_policy_uuid", "qos_policy")
    _refer("volume", "snapshot_policy_uuid", "snapshot_policy")
    volume = sa.table("volume", sa.column("snapshot_policy_uuid"))
    op.execute(volume.update().values(snapshot_policy_uuid=NONE_UUID))


def _add(table: str, column: sa.Column[Any]) -> None:
    column.nullable = column.server_default is None
    op.add_column(table, column)


def _refer(table: str, column: str, target: str) -> None:
    name = op.f(f"fk_{table}_{column}_{target}")
    with op.batch_alter_table(table) as batch:
        batch.add_column(sa.Column(column, sa.String(36), nullable=True))
        batch.create_index(op.f(f"ix_{table}_{column}"), [column])
        batch.create_foreign_key(name, target, [column], ["uuid"])
