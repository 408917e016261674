#!/usr/bin/python
# Copyright Sanstone developers
# SPDX-License-Identifier: Apache-2.0
# Written by `python ansible/generate` of what the API declares.

from __future__ import annotations

DOCUMENTATION = r"""
module: volume_info
short_description: Read about volume objects
version_added: 0.1.0
description:
  - Volumes hold LUNs and namespaces; each is on one aggregate and belongs to one SVM.
  - It reads C(/api/storage/volumes).
extends_documentation_fragment:
  - sanstone.array.connection
  - sanstone.array.information
author:
  - The Sanstone developers (@sanstone)
"""

EXAMPLES = r"""
- name: Read about volume objects
  sanstone.array.volume_info:
    filter:
      svm.name: svm1
  register: found
"""

RETURN = r"""
records:
  description: The objects, with the fields that were asked for and have a value.
  returned: success
  type: list
  elements: dict
  contains:
    uuid:
      description: Identity of the volume.
      returned: where it has a value
      type: str
    name:
      description: Name of the volume, unique in its SVM; it is part of the paths of what
        is in it.
      returned: where it has a value
      type: str
    svm:
      description: The SVM that owns it.
      returned: where it has a value
      type: dict
    aggregates:
      description: The aggregate that it is on; the one with most space where none is given.
      returned: where it has a value
      type: list
      elements: dict
    size:
      description: Size in bytes.
      returned: where it has a value
      type: int
    space:
      description: Fields of space.
      type: dict
      contains:
        size:
          description: Size in bytes.
          returned: where it has a value
          type: int
        used:
          description: Bytes used or reserved in it.
          returned: where it has a value
          type: int
        available:
          description: Bytes left in it.
          returned: where it has a value
          type: int
        percent_used:
          description: Share of V(space.afs_total) that is used or reserved; more than 100
            is possible.
          returned: where it has a value
          type: int
        afs_total:
          description: 'Bytes that LUNs and namespaces may take: the size without the share
            for snapshots.'
          returned: where it has a value
          type: int
        snapshot:
          description: Fields of snapshot.
          type: dict
          contains:
            reserve_percent:
              description: Share that is kept for snapshots.
              returned: where it has a value
              type: int
            used:
              description: Bytes that its snapshots hold and its LUNs and namespaces do not
                have any more; they count in no other figure of the volume. As last measured,
                about a minute ago; absent until that is done, and while it has to be done
                again since one is deleted.
              returned: where it has a value
              type: int
            autodelete:
              description: Fields of autodelete.
              type: dict
              contains:
                trigger:
                  description: What would have to be full; without effect.
                  returned: where it has a value
                  type: str
                commitment:
                  description: Which would go; without effect.
                  returned: where it has a value
                  type: str
                delete_order:
                  description: Which would go first; without effect.
                  returned: where it has a value
                  type: str
                defer_delete:
                  description: Which would go last; without effect.
                  returned: where it has a value
                  type: str
                prefix:
                  description: What their names begin with; without effect.
                  returned: where it has a value
                  type: str
                target_free_space:
                  description: Percent that would be freed; without effect.
                  returned: where it has a value
                  type: int
        logical_space:
          description: Fields of logical_space.
          type: dict
          contains:
            used:
              description: Bytes used or reserved in it.
              returned: where it has a value
              type: int
            enforcement:
              description: How space is counted.
              returned: where it has a value
              type: bool
            reporting:
              description: How space is shown.
              returned: where it has a value
              type: bool
        forecast:
          description: Fields of forecast.
          type: dict
          contains:
            full_time:
              description: When it will be full, if its use goes on growing as in the last
                six weeks. Absent where that is more than five years ahead, or its use does
                not grow. Absent with samples of fewer than 7 days.
              returned: where it has a value
              type: str
            days_left:
              description: Days until then.
              returned: where it has a value
              type: int
            growth_per_day:
              description: 'Bytes by which its use grows a day, negative where it shrinks:
                the median of the slopes between all days. Absent with samples of fewer than
                7 days.'
              returned: where it has a value
              type: int
            samples_since:
              description: When the first sample was taken that this considers. Absent with
                samples of fewer than 7 days.
              returned: where it has a value
              type: str
        full_threshold_percent:
          description: When it counts as full.
          returned: where it has a value
          type: int
        nearly_full_threshold_percent:
          description: As nearly full.
          returned: where it has a value
          type: int
        large_size_enabled:
          description: Whether it may be very large.
          returned: where it has a value
          type: bool
    guarantee:
      description: Fields of guarantee.
      type: dict
      contains:
        type:
          description: Whether its size is set aside in the aggregate.
          returned: where it has a value
          type: str
        honored:
          description: Whether the aggregate has all the space that is set aside in it or
            taken.
          returned: where it has a value
          type: bool
    state:
      description: Hosts reach nothing in a volume that is offline.
      returned: where it has a value
      type: str
    snapshot_policy:
      description: When snapshots are taken; as its SVM says when not given.
      returned: where it has a value
      type: dict
    qos:
      description: Fields of qos.
      type: dict
      contains:
        policy:
          description: 'Its quality of service policy, which may limit nothing: no limit could
            be kept.'
          returned: where it has a value
          type: dict
    comment:
      description: Comment.
      returned: where it has a value
      type: str
    create_time:
      description: When the volume was created.
      returned: where it has a value
      type: str
    snapshot_count:
      description: Number of its snapshots.
      returned: where it has a value
      type: int
    clone:
      description: Fields of clone.
      type: dict
      contains:
        is_flexclone:
          description: Whether it is a clone that is not split off.
          returned: where it has a value
          type: bool
        parent_volume:
          description: What it was cloned from.
          returned: where it has a value
          type: dict
        parent_snapshot:
          description: Fields of parent_snapshot.
          type: dict
          contains:
            name:
              description: Which snapshot it was cloned from; a new one when not given.
              returned: where it has a value
              type: str
            uuid:
              description: Identity of that snapshot.
              returned: where it has a value
              type: str
        parent_svm:
          description: 'The SVM of what it was cloned from: its own.'
          returned: where it has a value
          type: dict
    language:
      description: Character set of file names.
      returned: where it has a value
      type: str
    nas:
      description: Fields of nas.
      type: dict
      contains:
        path:
          description: Where file clients would mount it.
          returned: where it has a value
          type: str
        export_policy:
          description: Fields of export_policy.
          type: dict
          contains:
            name:
              description: Who might mount it.
              returned: where it has a value
              type: str
        security_style:
          description: Rights.
          returned: where it has a value
          type: str
        unix_permissions:
          description: Rights in octal digits.
          returned: where it has a value
          type: int
        uid:
          description: Owner of the root directory.
          returned: where it has a value
          type: int
        gid:
          description: Group of the root directory.
          returned: where it has a value
          type: int
    snapshot_directory_access_enabled:
      description: Whether .snapshot is seen.
      returned: where it has a value
      type: bool
    access_time_enabled:
      description: Whether reading sets a time.
      returned: where it has a value
      type: bool
    tiering:
      description: Fields of tiering.
      type: dict
      contains:
        policy:
          description: Which data may move to an object store.
          returned: where it has a value
          type: str
        min_cooling_days:
          description: Days before data may move.
          returned: where it has a value
          type: int
    files:
      description: Fields of files.
      type: dict
      contains:
        maximum:
          description: Most files.
          returned: where it has a value
          type: int
    efficiency:
      description: Fields of efficiency.
      type: dict
      contains:
        policy:
          description: Fields of policy.
          type: dict
          contains:
            name:
              description: When efficiency runs.
              returned: where it has a value
              type: str
        volume_path:
          description: 'By what clients look for it: /vol/<name>.'
          returned: where it has a value
          type: str
    autosize:
      description: Fields of autosize.
      type: dict
      contains:
        mode:
          description: 'How its size follows its use. The size stays as it is set, whatever
            the mode: hosts write on in a volume that is full. Refused where the size is set
            aside, which it would change.'
          returned: where it has a value
          type: str
        maximum:
          description: Most bytes that it would grow to; without effect.
          returned: where it has a value
          type: int
        minimum:
          description: Fewest bytes that it would shrink to; without effect.
          returned: where it has a value
          type: int
        grow_threshold:
          description: Percent in use; without effect.
          returned: where it has a value
          type: int
        shrink_threshold:
          description: Percent in use; without effect.
          returned: where it has a value
          type: int
    statistics:
      description: Fields of statistics.
      type: dict
      contains:
        status:
          description: Whether they are good.
          returned: where it has a value
          type: str
        timestamp:
          description: When they were read.
          returned: where it has a value
          type: str
        iops_raw:
          description: Fields of iops_raw.
          type: dict
          contains:
            read:
              description: Operations in all, read.
              returned: where it has a value
              type: int
            write:
              description: Operations in all, write.
              returned: where it has a value
              type: int
            other:
              description: Operations in all, other.
              returned: where it has a value
              type: int
            total:
              description: Operations in all, total.
              returned: where it has a value
              type: int
        throughput_raw:
          description: Fields of throughput_raw.
          type: dict
          contains:
            read:
              description: Bytes in all, read.
              returned: where it has a value
              type: int
            write:
              description: Bytes in all, write.
              returned: where it has a value
              type: int
            other:
              description: Bytes in all, other.
              returned: where it has a value
              type: int
            total:
              description: Bytes in all, total.
              returned: where it has a value
              type: int
        latency_raw:
          description: Fields of latency_raw.
          type: dict
          contains:
            read:
              description: Microseconds in all, read.
              returned: where it has a value
              type: int
            write:
              description: Microseconds in all, write.
              returned: where it has a value
              type: int
            other:
              description: Microseconds in all, other.
              returned: where it has a value
              type: int
            total:
              description: Microseconds in all, total.
              returned: where it has a value
              type: int
    metric:
      description: Fields of metric.
      type: dict
      contains:
        status:
          description: Whether it is good.
          returned: where it has a value
          type: str
        timestamp:
          description: Begin of the interval.
          returned: where it has a value
          type: str
        duration:
          description: Length of the interval.
          returned: where it has a value
          type: str
        iops:
          description: Fields of iops.
          type: dict
          contains:
            read:
              description: Operations per second, read.
              returned: where it has a value
              type: int
            write:
              description: Operations per second, write.
              returned: where it has a value
              type: int
            other:
              description: Operations per second, other.
              returned: where it has a value
              type: int
            total:
              description: Operations per second, total.
              returned: where it has a value
              type: int
        throughput:
          description: Fields of throughput.
          type: dict
          contains:
            read:
              description: Bytes per second, read.
              returned: where it has a value
              type: int
            write:
              description: Bytes per second, write.
              returned: where it has a value
              type: int
            other:
              description: Bytes per second, other.
              returned: where it has a value
              type: int
            total:
              description: Bytes per second, total.
              returned: where it has a value
              type: int
        latency:
          description: Fields of latency.
          type: dict
          contains:
            read:
              description: Microseconds per operation, read.
              returned: where it has a value
              type: int
            write:
              description: Microseconds per operation, write.
              returned: where it has a value
              type: int
            other:
              description: Microseconds per operation, other.
              returned: where it has a value
              type: int
            total:
              description: Microseconds per operation, total.
              returned: where it has a value
              type: int
"""

from ansible_collections.sanstone.array.plugins.module_utils.information import run


def main():
    run("storage/volumes")


if __name__ == "__main__":
    main()
