"""`/metrics` for Prometheus: hosts' I/O and the states of objects, in its text format.

nginx serves it as `/metrics`; it is `/api/metrics` to roles. A scraper logs in like every client,
best with an account of a role that allows nothing but `readonly` of `/api/metrics`; it must be one
of the array, since the figures are about all SVMs. Counters only grow, over restarts of the array
too. Configuration, alert rules and dashboards that use them are at `/docs/monitoring/`. The names:

    sanstone_<object>_operations_total{direction}   operations that hosts did
    sanstone_<object>_bytes_total{direction}        bytes that they moved
    sanstone_<object>_seconds_total{direction}      time that operations took, summed
    sanstone_<object>_latency_seconds               histogram of the latency of LUNs and namespaces
    sanstone_<object>_size_bytes, _used_bytes       capacity of aggregates and volumes
    sanstone_port_packets_total, _bytes_total       what came (read) and went (write)
    sanstone_interface_packets_total, _bytes_total  the same of a LIF's address
    sanstone_node_processor_seconds_total{state}    time that processors were busy or idle, summed
    sanstone_node_memory_bytes, _memory_available_bytes, _uptime_seconds
    sanstone_array_info{array,serial_number,release}       always 1
    sanstone_aggregate_online                              1, or 0 where it is not
    sanstone_aggregate_full_timestamp_seconds              when it will be full; absent if never
    sanstone_raid_group_missing_disks{aggregate,raid_group}
    sanstone_disk_state{disk,state}                        1 for the state that it is in
    sanstone_disk_healthy{disk}                            0 where it says that it will fail
    sanstone_disk_life_used_ratio, _temperature_celsius    where it tells them
    sanstone_paths{svm,state}                              paths of hosts
    sanstone_sessions{transport}                           hosts' logins
    sanstone_open_conditions{severity}                     faults that last
    sanstone_open_conditions_by_name{severity,name}        the same by the name of their event
    sanstone_jobs{state}                                   jobs among the last that are kept
    sanstone_job_last_failure_timestamp_seconds            when one failed last; absent if none did
    sanstone_certificate_expiry_timestamp_seconds{certificate,type}

`<object>` is lun, namespace, volume, aggregate, iscsi, nvme or cluster; `direction` is read or
write; labels name the object, its SVM and its volume. These names are part of the interface: they
stay.
"""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, g

from sanstone.core import errors
from sanstone.core.database.store import reading
from sanstone.http.prometheus import activity, states
from sanstone.http.prometheus.text import TYPE

PATH = "/api/metrics"


def register(app: Flask) -> None:
    """Add the route."""

    @app.get(PATH)
    def _metrics() -> Response:
        if g.actor.owner_uuid:
            text = f"Accounts of an SVM may not GET {PATH}."
            raise errors.ApiError(403, errors.FORBIDDEN, text)
        with reading(app.extensions["sanstone"]) as session:
            text = "".join((*activity.text(session), *states.text(session)))
        return Response(text, content_type=TYPE)


def describe() -> dict[str, Any]:
    """Return the operation for the OpenAPI description."""
    return {
        "get": {
            "summary": "Figures for Prometheus",
            "description": __doc__,
            "operationId": "get_metrics",
            "tags": ["metrics"],
            "responses": {
                "200": {
                    "description": "The figures.",
                    "content": {"text/plain": {"schema": {"type": "string"}}},
                }
            },
        }
    }
