"""Which QoS policy an object has: a LUN, a namespace, a volume, an SVM.

As in ONTAP 9.18, what a LUN or namespace is in has none while it has one itself: neither its volume
nor its SVM. A volume and its SVM may both have one; then both hold.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sanstone.core import errors
from sanstone.core.database.change import Change
from sanstone.core.declaration.resource import WRITE, Access, Getter, Reader, Reference
from sanstone.model.policies import ADAPTIVE, QosPolicy, SvmQosPolicy
from sanstone.model.svm import Svm
from sanstone.model.volumes import ThinDevice, Volume
from sanstone.rules.storage.qos_limits import UNFIT, check_kept

UNKNOWN = "8454243"


class QosReference(Reference):
    """A reference to a policy of the same SVM, by its UUID too."""

    def find(self, session: Session, identity: dict[str, str], values: dict[str, Any]) -> Any:
        """Return the policy that `identity` refers to. Raises ApiError."""
        policy = super().find(session, identity, values)
        svm: Svm | None = values.get("svm")
        if svm is not None and policy.svm_uuid != svm.uuid:
            raise policy_of_another_svm(policy, svm.name, self.name)
        return policy


def qos_reference(name: str, get: Getter | None = None, access: Access = WRITE) -> Reference:
    """Return the field of the policy of a LUN, namespace, volume or SVM."""
    return QosReference(
        name,
        QosPolicy,
        "Its quality of service policy, which limits what hosts do with it; none by default.",
        access=access,
        attribute="qos_policy",
        get=get,
        scope=("svm",),
        none=("", "none"),
        unknown_code=UNKNOWN,
    )


def policy_of_another_svm(policy: QosPolicy, svm: str, name: str) -> errors.ApiError:
    """Return the error for a policy that belongs to another SVM than the object."""
    return errors.unknown_reference(f'QoS policy "{policy.name}" in SVM "{svm}"', name, UNKNOWN)


def policy_of_svm(row: Svm, reader: Reader) -> QosPolicy | None:
    """Return the policy of an SVM, None where it has none."""
    return reader.once(_of_svms).get(row.uuid)


def _of_svms(session: Session) -> dict[str, QosPolicy]:
    rows = session.execute(select(SvmQosPolicy.svm_uuid, QosPolicy).join(QosPolicy))
    return dict(rows.tuples().all())


def assigned(
    session: Session, values: dict[str, Any], name: str, now: str | None = None
) -> str | None:
    """Return the UUID of the policy that a request assigns, or the current one, `now`.

    Raises ApiError when the array cannot keep what the policy demands.
    """
    if name not in values:
        return now
    policy: QosPolicy | None = values[name]
    if policy is None:
        return None
    if policy.uuid != now:
        check_kept(session, policy.name, policy.form, policy.members)
    return policy.uuid


def check_device(session: Session, volume: Volume, policy: str | None, name: str) -> None:
    """Raise ApiError where a LUN or namespace would have a policy inside of what has one."""
    if policy is None:
        return
    if volume.qos_policy_uuid:
        raise _nested(f'Volume "{volume.name}", which it is in, has', name)
    if session.get(SvmQosPolicy, volume.svm_uuid):
        raise _nested(f'SVM "{volume.svm.name}", which owns it, has', name)


def check_container(
    session: Session, container: Volume | Svm, policy: str | None, name: str
) -> None:
    """Raise ApiError where a volume or an SVM would have a policy, and a LUN in it has one."""
    if policy is None:
        return
    kinds: list[Any] = ThinDevice.__subclasses__()
    for kind in kinds:
        held_by = kind.volume_uuid if isinstance(container, Volume) else kind.svm_uuid
        within = held_by == container.uuid, kind.qos_policy_uuid.is_not(None)
        if path := session.scalar(select(kind.name).where(*within).limit(1)):
            raise _nested(f'"{path}" in it has', name)


def assign_to_svm(change: Change, svm: Svm, policy: QosPolicy | None, name: str) -> None:
    """Give an SVM a policy, or none. Raises ApiError."""
    now = change.session.get(SvmQosPolicy, svm.uuid)
    before = now.qos_policy_uuid if now else None
    uuid = assigned(change.session, {name: policy}, name, before)
    if uuid == before:
        return
    if policy and policy.svm_uuid != svm.uuid:
        raise policy_of_another_svm(policy, svm.name, name)
    if policy and policy.form == ADAPTIVE:
        text = f'QoS policy "{policy.name}" is adaptive; an SVM has no size that it could follow.'
        raise errors.invalid(text, name, UNFIT)
    check_container(change.session, svm, uuid, name)
    release_policy(change, svm)
    if uuid:
        change.session.flush()
        change.add(SvmQosPolicy(svm_uuid=svm.uuid, qos_policy_uuid=uuid))
    for volume in change.session.scalars(select(Volume).filter_by(svm_uuid=svm.uuid)):
        change.touch(volume.owner)


def release_policy(change: Change, svm: Svm) -> None:
    """Take the policy of an SVM away, if it has one."""
    if now := change.session.get(SvmQosPolicy, svm.uuid):
        change.delete(now)


def _nested(who: str, name: str) -> errors.ApiError:
    return errors.conflict(f"{who} a QoS policy; either may have one, not both.", name, UNFIT)
