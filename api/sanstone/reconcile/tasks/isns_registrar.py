"""Registers targets at iSNS servers, and takes them back, beside the turns.

A registration is repeated long before the server would forget it. One that differs from what was
said last replaces that, and so does one that is ordered, since the server may know something else,
and the first of the process, which does not know what was said before it. The others only confirm:
hosts see a replacement as a target that went and came.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import NamedTuple

from sanstone.kernel.network import isns, isns_client
from sanstone.kernel.network.isns import Entity
from sanstone.reconcile.memory import StageMemory

PERIOD, AGAIN = isns.PERIOD / 3, 30.0
"""Seconds after which a registration is repeated, and after which what failed is tried again."""
log = logging.getLogger("sanstone.reconciler")


class Registration(NamedTuple):
    """The registration of an SVM's target at an iSNS server."""

    server: str
    entity: Entity


class Registered(NamedTuple):
    """A target that an iSNS server knows, and until when, in seconds since 1970."""

    server: str
    entity: str
    target: str
    until: float


@dataclass
class IsnsMemory(StageMemory):
    """Registrations at iSNS servers, by SVM. A thread makes them, see `tasks.isns_registrar`."""

    desired: Mapping[str, Registration] = field(default_factory=dict)
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The addresses of LIFs, the sources of messages to servers."""
    registered: dict[str, Registered] | None = None
    """The servers' registrations; None until they were looked up. From then on the thread writes
    it."""
    errors: dict[str, str] = field(default_factory=dict)
    """Why it failed the last time. The thread writes it."""
    ordered: set[str] = field(default_factory=set)
    """SVMs to register anew at once, on request. The thread takes them out."""


class IsnsRegistrar:
    """Registers all that `memory` wants, and takes back the rest."""

    def __init__(self, memory: IsnsMemory) -> None:
        self._memory = memory
        self._sent: dict[str, Registration] = {}
        """By SVM: what its server took last from this process."""
        self._due: dict[str, tuple[Registration | None, float]] = {}
        """By SVM: what was tried last, None for taking it back, and when it is to be again."""

    def register(self) -> None:
        """Register all that are due, and take back those not wanted any more."""
        memory = self._memory
        if memory.registered is None:
            return
        desired, registered = memory.desired, memory.registered
        for svm in desired.keys() & memory.ordered:
            memory.ordered.discard(svm)
            self._sent.pop(svm, None)
            self._due.pop(svm, None)
        for svm, registration in desired.items():
            if self._is_due(svm, registration):
                self._register(svm, registration, registered)
        for svm in registered.keys() - desired.keys():
            if self._is_due(svm, None):
                self._take_back(svm, registered)
        for removed in (
            (memory.errors.keys() | self._due.keys()) - desired.keys() - registered.keys()
        ):
            memory.errors.pop(removed, None)
            self._due.pop(removed, None)

    def _is_due(self, svm: str, tried: Registration | None) -> bool:
        before, due = self._due.get(svm, (tried, 0.0))
        return before != tried or time.monotonic() >= due

    def _register(
        self, svm: str, registration: Registration, registered: dict[str, Registered]
    ) -> None:
        server, entity = registration
        now = Registered(server, entity.name, entity.target, time.time() + isns.PERIOD)
        if svm in registered and registered[svm][:3] != now[:3]:
            self._take_back(svm, registered)
        replaces = self._sent.get(svm) != registration
        error = self._from_a_lif(
            svm,
            server,
            lambda source: isns_client.register(server, source, entity, replaces=replaces),
        )
        if error:
            log.warning("iSNS server %s: %s is not registered: %s", server, entity.target, error)
            self._memory.errors[svm] = error
        else:
            self._memory.errors.pop(svm, None)
            self._sent[svm] = registration
            registered[svm] = now
        self._due[svm] = registration, time.monotonic() + (AGAIN if error else PERIOD)

    def _take_back(self, svm: str, registered: dict[str, Registered]) -> None:
        """Take back what a server knows, or wait until it has forgotten it by itself."""
        server, name, target, until = registered[svm]
        self._sent.pop(svm, None)
        error = self._from_a_lif(
            svm, server, lambda source: isns_client.deregister(server, source, name, target)
        )
        if error:
            log.warning("iSNS server %s: %s is not taken back: %s", server, target, error)
        if not error or time.time() >= until:
            del registered[svm]
        self._due[svm] = None, time.monotonic() + AGAIN

    def _from_a_lif(self, svm: str, server: str, ask: Callable[[str], None]) -> str:
        """Ask from the first LIF by which it succeeds. Return why none did, '' if one did."""
        version = ip_address(server).version
        error = f"no LIF of the SVM serves iSCSI at an IPv{version} address now"
        for source in self._memory.sources.get(svm, ()):
            if ip_address(source).version != version:
                continue
            try:
                ask(source)
            except isns.Refused as refused:
                return f"it refuses: {refused}"
            except (OSError, isns.BadMessage) as failure:
                error = str(failure) or type(failure).__name__
            else:
                return ""
        return error
