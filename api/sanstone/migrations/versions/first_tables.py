"""Add the first tables."""

import sqlalchemy as sa
from alembic import op

import sanstone.core.database.store

revision = "e49ffe991c35"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "account",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("password", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_account")),
        sa.UniqueConstraint("name", name=op.f("uq_account_name")),
    )
    op.create_table(
        "aggregate",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("raid_type", sa.String(), nullable=False),
        sa.Column("raid_size", sa.Integer(), nullable=False),
        sa.Column("next_thin_id", sa.Integer(), nullable=False),
        sa.Column("create_time", sa.Float(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_aggregate")),
        sa.UniqueConstraint("name", name=op.f("uq_aggregate_name")),
    )
    op.create_table(
        "cluster",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("serial_number", sa.String(), nullable=False),
        sa.Column("contact", sa.String(), nullable=False),
        sa.Column("location", sa.String(), nullable=False),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("node_uuid", sa.String(), nullable=False),
        sa.Column("next_number", sa.Integer(), nullable=False),
        sa.Column("create_time", sa.Float(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_cluster")),
    )
    op.create_table(
        "disk",
        sa.Column("uid", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("uid", name=op.f("pk_disk")),
        sa.UniqueConstraint("name", name=op.f("uq_disk_name")),
    )
    op.create_table(
        "event",
        sa.Column("index", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("time", sa.Float(), nullable=False),
        sa.Column("severity", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("condition", sa.String(), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("index", name=op.f("pk_event")),
    )
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_event_condition"), ["condition"], unique=False)
        batch_op.create_index(batch_op.f("ix_event_open"), ["open"], unique=False)

    op.create_table(
        "job",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("uuid", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("code", sa.Integer(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("start_time", sa.Float(), nullable=False),
        sa.Column("end_time", sa.Float(), nullable=True),
        sa.Column("touched", sa.JSON(), nullable=False),
        sa.Column("undo", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
        sa.UniqueConstraint("uuid", name=op.f("uq_job_uuid")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("job", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_job_state"), ["state"], unique=False)

    op.create_table(
        "login_failure",
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("locked_until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("account", "address", name=op.f("pk_login_failure")),
    )
    op.create_table(
        "observed",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "key", name=op.f("pk_observed")),
    )
    op.create_table(
        "removal",
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_removal")),
    )
    op.create_table(
        "svm",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("iscsi_allowed", sa.Boolean(), nullable=False),
        sa.Column("nvme_allowed", sa.Boolean(), nullable=False),
        sa.Column("fcp_allowed", sa.Boolean(), nullable=False),
        sa.Column("properties", sa.JSON(), nullable=False),
        sa.Column("create_time", sa.Float(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_svm")),
        sa.UniqueConstraint("name", name=op.f("uq_svm_name")),
        sa.UniqueConstraint("number", name=op.f("uq_svm_number")),
    )
    op.create_table(
        "aggregate_disk",
        sa.Column("disk_uid", sa.String(), nullable=False),
        sa.Column("aggregate_uuid", sa.String(length=36), nullable=False),
        sa.Column("raid_group", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["aggregate_uuid"],
            ["aggregate.uuid"],
            name=op.f("fk_aggregate_disk_aggregate_uuid_aggregate"),
        ),
        sa.ForeignKeyConstraint(
            ["disk_uid"], ["disk.uid"], name=op.f("fk_aggregate_disk_disk_uid_disk")
        ),
        sa.PrimaryKeyConstraint("disk_uid", name=op.f("pk_aggregate_disk")),
    )
    with op.batch_alter_table("aggregate_disk", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_aggregate_disk_aggregate_uuid"), ["aggregate_uuid"], unique=False
        )

    op.create_table(
        "igroup",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("os_type", sa.String(), nullable=False),
        sa.Column("protocol", sa.String(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(["svm_uuid"], ["svm.uuid"], name=op.f("fk_igroup_svm_uuid_svm")),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_igroup")),
        sa.UniqueConstraint("svm_uuid", "name", name=op.f("uq_igroup_svm_uuid")),
    )
    op.create_table(
        "ip_interface",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("svm_uuid", sa.String(length=36), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("prefix_length", sa.Integer(), nullable=False),
        sa.Column("port", sa.String(), nullable=False),
        sa.Column("service_policy", sa.String(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("auto_revert", sa.Boolean(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["svm_uuid"], ["svm.uuid"], name=op.f("fk_ip_interface_svm_uuid_svm")
        ),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_ip_interface")),
        sa.UniqueConstraint("address", name=op.f("uq_ip_interface_address")),
        sa.UniqueConstraint("number", name=op.f("uq_ip_interface_number")),
        sa.UniqueConstraint("svm_uuid", "name", name=op.f("uq_ip_interface_svm_uuid")),
    )
    op.create_table(
        "ip_route",
        sa.Column("svm_uuid", sa.String(length=36), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("prefix_length", sa.Integer(), nullable=False),
        sa.Column("gateway", sa.String(), nullable=False),
        sa.Column("metric", sa.Integer(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(["svm_uuid"], ["svm.uuid"], name=op.f("fk_ip_route_svm_uuid_svm")),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_ip_route")),
    )
    op.create_table(
        "iscsi_credential",
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("initiator", sa.String(), nullable=False),
        sa.Column("authentication_type", sa.String(), nullable=False),
        sa.Column("inbound_user", sa.String(), nullable=False),
        sa.Column("inbound_password", sanstone.core.database.store.Secret(), nullable=True),
        sa.Column("outbound_user", sa.String(), nullable=False),
        sa.Column("outbound_password", sanstone.core.database.store.Secret(), nullable=True),
        sa.ForeignKeyConstraint(
            ["svm_uuid"], ["svm.uuid"], name=op.f("fk_iscsi_credential_svm_uuid_svm")
        ),
        sa.PrimaryKeyConstraint("svm_uuid", "initiator", name=op.f("pk_iscsi_credential")),
    )
    op.create_table(
        "iscsi_service",
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("target_name", sa.String(), nullable=False),
        sa.Column("target_alias", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["svm_uuid"], ["svm.uuid"], name=op.f("fk_iscsi_service_svm_uuid_svm")
        ),
        sa.PrimaryKeyConstraint("svm_uuid", name=op.f("pk_iscsi_service")),
        sa.UniqueConstraint("target_name", name=op.f("uq_iscsi_service_target_name")),
    )
    op.create_table(
        "nvme_service",
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["svm_uuid"], ["svm.uuid"], name=op.f("fk_nvme_service_svm_uuid_svm")
        ),
        sa.PrimaryKeyConstraint("svm_uuid", name=op.f("pk_nvme_service")),
    )
    op.create_table(
        "subsystem",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("os_type", sa.String(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("serial_number", sa.String(), nullable=False),
        sa.Column("target_nqn", sa.String(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(["svm_uuid"], ["svm.uuid"], name=op.f("fk_subsystem_svm_uuid_svm")),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_subsystem")),
        sa.UniqueConstraint("serial_number", name=op.f("uq_subsystem_serial_number")),
        sa.UniqueConstraint("svm_uuid", "name", name=op.f("uq_subsystem_svm_uuid")),
        sa.UniqueConstraint("target_nqn", name=op.f("uq_subsystem_target_nqn")),
    )
    op.create_table(
        "svm_aggregate",
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("aggregate_uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["aggregate_uuid"],
            ["aggregate.uuid"],
            name=op.f("fk_svm_aggregate_aggregate_uuid_aggregate"),
        ),
        sa.ForeignKeyConstraint(
            ["svm_uuid"], ["svm.uuid"], name=op.f("fk_svm_aggregate_svm_uuid_svm")
        ),
        sa.PrimaryKeyConstraint("svm_uuid", "aggregate_uuid", name=op.f("pk_svm_aggregate")),
    )
    op.create_table(
        "volume",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("aggregate_uuid", sa.String(length=36), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("guarantee", sa.String(), nullable=False),
        sa.Column("snapshot_reserve_percent", sa.Integer(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("properties", sa.JSON(), nullable=False),
        sa.Column("create_time", sa.Float(), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["aggregate_uuid"], ["aggregate.uuid"], name=op.f("fk_volume_aggregate_uuid_aggregate")
        ),
        sa.ForeignKeyConstraint(["svm_uuid"], ["svm.uuid"], name=op.f("fk_volume_svm_uuid_svm")),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_volume")),
        sa.UniqueConstraint("svm_uuid", "name", name=op.f("uq_volume_svm_uuid")),
    )
    with op.batch_alter_table("volume", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_volume_aggregate_uuid"), ["aggregate_uuid"], unique=False
        )

    op.create_table(
        "igroup_initiator",
        sa.Column("igroup_uuid", sa.String(length=36), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["igroup_uuid"], ["igroup.uuid"], name=op.f("fk_igroup_initiator_igroup_uuid_igroup")
        ),
        sa.PrimaryKeyConstraint("igroup_uuid", "name", name=op.f("pk_igroup_initiator")),
    )
    op.create_table(
        "lun",
        sa.Column("serial_number", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("unmap", sa.Boolean(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("os_type", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("thin_id", sa.Integer(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("reserved", sa.Boolean(), nullable=False),
        sa.Column("create_time", sa.Float(), nullable=False),
        sa.Column("volume_uuid", sa.String(length=36), nullable=False),
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(["svm_uuid"], ["svm.uuid"], name=op.f("fk_lun_svm_uuid_svm")),
        sa.ForeignKeyConstraint(
            ["volume_uuid"], ["volume.uuid"], name=op.f("fk_lun_volume_uuid_volume")
        ),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_lun")),
        sa.UniqueConstraint("number", name=op.f("uq_lun_number")),
        sa.UniqueConstraint("serial_number", name=op.f("uq_lun_serial_number")),
        sa.UniqueConstraint("svm_uuid", "name", name=op.f("uq_lun_svm_uuid")),
    )
    with op.batch_alter_table("lun", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_lun_volume_uuid"), ["volume_uuid"], unique=False)

    op.create_table(
        "namespace",
        sa.Column("block_size", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("os_type", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("thin_id", sa.Integer(), nullable=False),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("reserved", sa.Boolean(), nullable=False),
        sa.Column("create_time", sa.Float(), nullable=False),
        sa.Column("volume_uuid", sa.String(length=36), nullable=False),
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(["svm_uuid"], ["svm.uuid"], name=op.f("fk_namespace_svm_uuid_svm")),
        sa.ForeignKeyConstraint(
            ["volume_uuid"], ["volume.uuid"], name=op.f("fk_namespace_volume_uuid_volume")
        ),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_namespace")),
        sa.UniqueConstraint("svm_uuid", "name", name=op.f("uq_namespace_svm_uuid")),
    )
    with op.batch_alter_table("namespace", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_namespace_volume_uuid"), ["volume_uuid"], unique=False)

    op.create_table(
        "subsystem_host",
        sa.Column("subsystem_uuid", sa.String(length=36), nullable=False),
        sa.Column("nqn", sa.String(), nullable=False),
        sa.Column("host_secret", sanstone.core.database.store.Secret(), nullable=True),
        sa.Column("controller_secret", sanstone.core.database.store.Secret(), nullable=True),
        sa.Column("hash_function", sa.String(), nullable=False),
        sa.Column("group_size", sa.String(), nullable=False),
        sa.Column("priority", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["subsystem_uuid"],
            ["subsystem.uuid"],
            name=op.f("fk_subsystem_host_subsystem_uuid_subsystem"),
        ),
        sa.PrimaryKeyConstraint("subsystem_uuid", "nqn", name=op.f("pk_subsystem_host")),
    )
    op.create_table(
        "lun_map",
        sa.Column("lun_uuid", sa.String(length=36), nullable=False),
        sa.Column("igroup_uuid", sa.String(length=36), nullable=False),
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("logical_unit_number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["igroup_uuid"], ["igroup.uuid"], name=op.f("fk_lun_map_igroup_uuid_igroup")
        ),
        sa.ForeignKeyConstraint(["lun_uuid"], ["lun.uuid"], name=op.f("fk_lun_map_lun_uuid_lun")),
        sa.ForeignKeyConstraint(["svm_uuid"], ["svm.uuid"], name=op.f("fk_lun_map_svm_uuid_svm")),
        sa.PrimaryKeyConstraint("lun_uuid", "igroup_uuid", name=op.f("pk_lun_map")),
        sa.UniqueConstraint(
            "igroup_uuid", "logical_unit_number", name=op.f("uq_lun_map_igroup_uuid")
        ),
    )
    op.create_table(
        "subsystem_map",
        sa.Column("namespace_uuid", sa.String(length=36), nullable=False),
        sa.Column("subsystem_uuid", sa.String(length=36), nullable=False),
        sa.Column("svm_uuid", sa.String(length=36), nullable=False),
        sa.Column("nsid", sa.Integer(), nullable=False),
        sa.Column("ana_group", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["namespace_uuid"],
            ["namespace.uuid"],
            name=op.f("fk_subsystem_map_namespace_uuid_namespace"),
        ),
        sa.ForeignKeyConstraint(
            ["subsystem_uuid"],
            ["subsystem.uuid"],
            name=op.f("fk_subsystem_map_subsystem_uuid_subsystem"),
        ),
        sa.ForeignKeyConstraint(
            ["svm_uuid"], ["svm.uuid"], name=op.f("fk_subsystem_map_svm_uuid_svm")
        ),
        sa.PrimaryKeyConstraint("namespace_uuid", name=op.f("pk_subsystem_map")),
        sa.UniqueConstraint("subsystem_uuid", "nsid", name=op.f("uq_subsystem_map_subsystem_uuid")),
    )
    with op.batch_alter_table("subsystem_map", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_subsystem_map_subsystem_uuid"), ["subsystem_uuid"], unique=False
        )
