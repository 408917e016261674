"""Errors that a call of the API may raise."""

from __future__ import annotations


class ClientError(Exception):
    """Any failure of a call; its text is meant for people."""


class Unreachable(ClientError):
    """The array did not answer: no connection, a broken one, a certificate that is not trusted."""


class BadAnswer(ClientError):
    """The server that answered is not an array."""


class Refused(ClientError):
    """The API refused. `status` is HTTP's, `code` ONTAP's, `target` the field at fault."""

    def __init__(self, status: int, code: str, message: str, target: str = "") -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.target = status, code, message, target


class NotAuthenticated(Refused):
    """The account or its password is wrong, or the account is locked (401)."""


class Forbidden(Refused):
    """The account's role does not allow this (403)."""


class NotFound(Refused):
    """There is no such object (404)."""


class Conflict(Refused):
    """The request conflicts with other objects (409)."""


class JobFailed(Refused):
    """The change was accepted, but its job failed and it was reverted."""


class StillRunning(ClientError):
    """The change was accepted, but its job did not end in time; it goes on. `job` is its UUID."""

    def __init__(self, job: str, seconds: float) -> None:
        super().__init__(f"The array still works on it after {seconds:g} s, as job {job}.")
        self.job = job


_BY_STATUS: dict[int, type[Refused]] = {
    401: NotAuthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
}


def refusal(status: int, code: str, message: str, target: str) -> Refused:
    """Return the exception for an error that the API reported."""
    return _BY_STATUS.get(status, Refused)(status, code, message, target)
