"""Orders about software, and having them worked off without a reconciler."""

from __future__ import annotations

from typing import Any

from installed import serve
from sqlalchemy import Engine
from system_disk import Package, SystemDisk

from sanstone.core.database.store import reading, writing
from sanstone.core.errors import INTERNAL, Cause
from sanstone.kernel.host import HostError
from sanstone.model.software import DOWNLOAD, OPEN, UPDATE, VALIDATE, SoftwareTask
from sanstone.reconcile.long_jobs import software_work
from sanstone.reconcile.long_jobs.package_download import Open
from sanstone.reconcile.long_jobs.system_update import PackageValidation, SystemUpdate
from sanstone.rules.cluster import software_task
from sanstone.system import packages

URL = "https://mirror.example.org/sanstone-2.0.raucb"


class Orders:
    """Gives orders and has them worked off; release 2.0 is on a web server."""

    def __init__(self, disk: SystemDisk, database: Engine) -> None:
        self.disk, self.database = disk, database
        self.open: Open = disk.open
        download = serve(lambda request: self.open(request))
        self.kinds = {DOWNLOAD: download, VALIDATE: PackageValidation, UPDATE: SystemUpdate}

    def do(self, action: str, **values: object) -> SoftwareTask:
        """Give an order and have all carried out; return its final state."""
        with writing(self.database) as session:
            task = SoftwareTask(action=action, **values)
            session.add(task)
            session.flush()
            uuid = task.uuid
        self.work()
        return self.read(uuid)

    def download(self, **values: object) -> SoftwareTask:
        """Have release 2.0 downloaded."""
        return self.do(DOWNLOAD, url=URL, **values)

    def work(self) -> None:
        """Do as the processes of the orders, and note failures as the reconciler."""
        while task := self._next():
            try:
                begin: Any = self.kinds[task.action]
                begin(self.disk.kernel.host, self.database, software_work.order(task)).run()
            except HostError as error:
                with writing(self.database) as session:
                    cause = Cause(INTERNAL, str(error), error.arguments)
                    software_task.fail(session, {task.uuid: cause})

    def read(self, uuid: str) -> SoftwareTask:
        """Return an order."""
        with reading(self.database) as session:
            task = session.get_one(SoftwareTask, uuid)
            session.expunge(task)
        return task

    def _next(self) -> SoftwareTask | None:
        with reading(self.database) as session:
            tasks = [t for t in software_task.unfinished(session) if t.state in OPEN]
            session.expunge_all()
        return tasks[0] if tasks else None


def store_package(package: Package) -> None:
    """Have a package lie on the array."""
    packages.folder().mkdir(exist_ok=True)
    packages.file(package.version).write_bytes(package.content())
