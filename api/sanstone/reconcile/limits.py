"""The groups that limit a LUN or namespace: of its own policy, its volume's, its SVM's.

A group shares a limit. Where the policy is shared, all objects that have it are one group, called
by the policy's UUID; else the object that has it (a LUN, a volume with its content, an SVM) is a
group, called by the object's. So another policy of the same object changes the limits of the group,
and no table.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import or_, select

from sanstone.kernel.storage.stack.quality_of_service import Group
from sanstone.model.nvme import Namespace
from sanstone.model.policies import QosPolicy, SvmQosPolicy
from sanstone.model.san import Lun
from sanstone.model.volumes import Volume
from sanstone.reconcile.export import Export
from sanstone.reconcile.turn import Turn
from sanstone.rules.storage import qos_limits as rules
from sanstone.rules.storage.volume_space import taken_in


def groups(turn: Turn, export: Export) -> tuple[Group, ...]:
    """Return the groups of a LUN or namespace; its observation must be loaded."""
    limiting = []
    if own := _policy(turn, export.qos_policy):
        used = turn.seen.of(export.kind, export.uuid).get("used", 0)
        limiting.append(_group(own, export.uuid, export.size, used))
    if of_volume := _policy(turn, export.volume_qos_policy):
        used = turn.once(_taken).get(export.volume, 0) if rules.by_use(of_volume) else 0
        limiting.append(_group(of_volume, export.volume, export.volume_size, used))
    if of_svm := _policy(turn, turn.once(_of_svms).get(export.svm)):
        limiting.append(_group(of_svm, export.svm, 0, 0))
    # One that is the volume's and the SVM's, and shared, holds once.
    unique = {group.name: group for group in limiting if group.operations or group.size}
    return tuple(unique.values())


def limited_by(turn: Turn, policies: Collection[str]) -> set[str]:
    """Return the UUIDs of the LUNs and namespaces for which any of these policies holds."""
    uuids: set[str] = set()
    kinds: list[Any] = [Lun, Namespace]
    policies = list(policies)
    svms = select(SvmQosPolicy.svm_uuid).where(SvmQosPolicy.qos_policy_uuid.in_(policies))
    for kind in kinds:
        query = select(kind.uuid).join(Volume, Volume.uuid == kind.volume_uuid)
        holds = or_(
            kind.qos_policy_uuid.in_(policies),
            Volume.qos_policy_uuid.in_(policies),
            Volume.svm_uuid.in_(svms),
        )
        uuids |= set(turn.session.scalars(query.where(holds)))
    return uuids


def _group(policy: QosPolicy, of: str, allocated: int, used: int) -> Group:
    name = policy.uuid if rules.is_shared(policy) else of
    return Group(name, *rules.limits(policy, allocated, used))


def _policy(turn: Turn, uuid: str | None) -> QosPolicy | None:
    return turn.once(_policies)[uuid] if uuid else None


def _policies(turn: Turn) -> Mapping[str, QosPolicy]:
    """Return all policies by UUID."""
    return {row.uuid: row for row in turn.session.scalars(select(QosPolicy))}


def _of_svms(turn: Turn) -> Mapping[str, str]:
    """Return the UUID of each SVM's policy, by that of the SVM."""
    rows = turn.session.execute(select(SvmQosPolicy.svm_uuid, SvmQosPolicy.qos_policy_uuid))
    return dict(rows.tuples().all())


def _taken(turn: Turn) -> Mapping[str, int]:
    """Return the bytes taken in each volume."""
    return taken_in(turn.session)
