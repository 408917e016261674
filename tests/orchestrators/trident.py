"""Trident's controller as a process of its own, without Kubernetes: by REST and by CSI."""

from __future__ import annotations

import base64
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import requests
from conftest import PASSWORD, USER, Served
from published import IQN, NQN
from waiting import direct, free_port, until

NODE = "node1"
PATIENCE = 120.0
"""Seconds for one call."""
SINGLE_NODE_WRITER = 1
csi, services = grpc.protos_and_services("csi.proto")


class Trident:
    """A controller that runs, for volumes of one protocol."""

    def __init__(self, base: str, socket: Path) -> None:
        self.base = base
        self.session = requests.Session()
        self.session.trust_env = False
        self._controller = services.ControllerStub(grpc.insecure_channel(f"unix://{socket}"))
        mount = csi.VolumeCapability.MountVolume(fs_type="ext4")
        mode = csi.VolumeCapability.AccessMode(mode=SINGLE_NODE_WRITER)
        self.capability = csi.VolumeCapability(mount=mount, access_mode=mode)

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request to its REST interface and return the answer."""
        url = f"{self.base}/trident/v1/{path}"
        answer = self.session.request(method, url, json=body, timeout=PATIENCE)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def add_backend(self, array: Served, svm: str, kind: str) -> None:
        """Let it make volumes on an array, by "iscsi" or "nvme"."""
        certificate = base64.b64encode(array.certificate.read_bytes()).decode()
        backend = {
            "version": 1,
            "storageDriverName": "ontap-san",
            "backendName": kind,
            "managementLIF": f"{array.host}:{array.port}",
            "svm": svm,
            "username": USER,
            "password": PASSWORD,
            "useREST": True,
            "sanType": kind,
            "trustedCACertificate": certificate,
        }
        self.send("POST", "backend", backend)

    def add_node(self) -> None:
        """Register the host that is to use volumes, as Trident's part on that host does."""
        node = {"name": NODE, "iqn": IQN, "nqn": NQN, "ips": ["10.10.1.50"]}
        self.send("PUT", f"node/{NODE}", node | {"publicationState": "clean"})

    def claim(self, name: str, size: int, **source: Any) -> Any:
        """Create a volume, as for a claim of the storage class `gold`; return it.

        `source` is a snapshot or a volume that it begins with.
        """
        content = {"volume_content_source": csi.VolumeContentSource(**source)} if source else {}
        request = csi.CreateVolumeRequest(
            name=name,
            capacity_range=csi.CapacityRange(required_bytes=size),
            volume_capabilities=[self.capability],
            parameters={"backendType": "ontap-san"},
            **content,
        )
        return self._controller.CreateVolume(request, timeout=PATIENCE).volume

    def publish(self, volume: Any) -> dict[str, str]:
        """Let the host use a volume; return the connection's properties for the host."""
        request = csi.ControllerPublishVolumeRequest(
            volume_id=volume.volume_id,
            node_id=NODE,
            volume_capability=self.capability,
            volume_context=volume.volume_context,
        )
        answer = self._controller.ControllerPublishVolume(request, timeout=PATIENCE)
        return dict(answer.publish_context)

    def unpublish(self, volume: Any) -> None:
        """Take a volume from the host."""
        request = csi.ControllerUnpublishVolumeRequest(volume_id=volume.volume_id, node_id=NODE)
        self._controller.ControllerUnpublishVolume(request, timeout=PATIENCE)

    def expand(self, volume: Any, size: int) -> int:
        """Let a volume grow; return its size in bytes."""
        request = csi.ControllerExpandVolumeRequest(
            volume_id=volume.volume_id,
            capacity_range=csi.CapacityRange(required_bytes=size),
            volume_capability=self.capability,
        )
        answer = self._controller.ControllerExpandVolume(request, timeout=PATIENCE)
        return int(answer.capacity_bytes)

    def take_snapshot(self, volume: Any, name: str) -> Any:
        """Take a snapshot of a volume."""
        request = csi.CreateSnapshotRequest(source_volume_id=volume.volume_id, name=name)
        return self._controller.CreateSnapshot(request, timeout=PATIENCE).snapshot

    def delete_snapshot(self, snapshot: Any) -> None:
        """Delete a snapshot."""
        request = csi.DeleteSnapshotRequest(snapshot_id=snapshot.snapshot_id)
        self._controller.DeleteSnapshot(request, timeout=PATIENCE)

    def delete(self, volume: Any) -> None:
        """Delete a volume."""
        request = csi.DeleteVolumeRequest(volume_id=volume.volume_id)
        self._controller.DeleteVolume(request, timeout=PATIENCE)


@contextmanager
def running(program: str, folder: Path) -> Iterator[Trident]:
    """Run the controller, which keeps nothing; its log is in `folder`."""
    port, socket, key = free_port(), folder / "csi.sock", folder / "aes"
    key.write_text(base64.b64encode(secrets.token_bytes(32)).decode())
    words = [program, f"--csi_endpoint=unix://{socket}", f"--csi_node_name={NODE}"]
    words += ["--csi_role=controller", "--no_persistence", f"--port={port}", f"--aes_key={key}"]
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(words, env=direct(), stdout=log, stderr=log) as process,
    ):
        try:
            trident = Trident(f"http://127.0.0.1:{port}", socket)
            until(lambda: _answers(trident), lambda: (folder / "log").read_text())
            yield trident
        finally:
            process.terminate()


def _answers(trident: Trident) -> bool:
    with suppress(requests.ConnectionError):
        return bool(trident.send("GET", "version"))
    return False
