"""A client of the array's REST API, by the standard library alone.

    from sanstone.client import Array, NotFound, remote

    way = remote("https://array.example.org", "admin", password, authority="array.pem")
    with Array(way) as array:
        array.create("svm/svms", {"name": "svm1"})
        for lun in array.records("storage/luns", {"svm.name": "svm1", "fields": "space.size"}):
            print(lun["name"], lun["space"]["size"])

`remote` verifies the array's certificate, by the authorities that the system trusts or those in a
file; `local` goes through a socket of the array's own. Paths, fields and queries are those of the
API (`https://<array>/docs/api/`); sizes are in bytes, and `"10GB"` is taken for one as well. A
change returns when its job has ended. Whatever fails raises a `ClientError`: `Unreachable`, or
`Refused` with ONTAP's code and the field at fault.
"""

from sanstone.client.connection import Way, local, remote
from sanstone.client.errors import (
    BadAnswer,
    ClientError,
    Conflict,
    Forbidden,
    JobFailed,
    NotAuthenticated,
    NotFound,
    Refused,
    StillRunning,
    Unreachable,
)
from sanstone.client.rest import Array, Record

__all__ = [
    "Array",
    "BadAnswer",
    "ClientError",
    "Conflict",
    "Forbidden",
    "JobFailed",
    "NotAuthenticated",
    "NotFound",
    "Record",
    "Refused",
    "StillRunning",
    "Unreachable",
    "Way",
    "local",
    "remote",
]
