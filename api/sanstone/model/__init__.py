"""The tables of the database, one module for each area: the schema in one folder.

A module holds what depends on its rows alone: their key (`key`), what the machine may hold for them
(`leftover`), how they are deleted. What needs the rules of other resources is in `resources`. The
machinery's own tables (jobs, removals, observations, events) are in `core`.

Modules build on each other one way: aggregates, SVMs, policies, groups of hosts and volumes, then
LUNs (`san`) and namespaces (`nvme`). All are imported here, so that importing one of them loads the
whole schema and SQLAlchemy can resolve every class that a relationship names.
"""

from sanstone.model import (
    activity,
    aggregates,
    built_in,
    cluster,
    directory,
    events,
    host_groups,
    network,
    nodes,
    nvme,
    observations,
    oidc,
    policies,
    san,
    security,
    seeds,
    snmp,
    software,
    support,
    svm,
    volumes,
)

__all__ = (
    "activity",
    "aggregates",
    "built_in",
    "cluster",
    "directory",
    "events",
    "host_groups",
    "network",
    "nodes",
    "nvme",
    "observations",
    "oidc",
    "policies",
    "san",
    "security",
    "seeds",
    "snmp",
    "software",
    "support",
    "svm",
    "volumes",
)
