"""How gunicorn runs the API.

Threads, since requests mostly wait: for SQLite, or up to `return_timeout` (120 s at most) for a job.
A worker takes on fewer requests than it has threads (http/admission.py), so that one is always there
to refuse the next. At most twenty of them wait for a turn to write (core/database/turns.py), and twenty for one
to compare a password (security/gate.py).
Two processes, so that one that computes a password hash does not hold up all the others.
The socket is handed over by systemd (sanstone-api.socket).
"""

import gc
import logging

from sqlalchemy.orm import configure_mappers

worker_class = "gthread"
workers = 2
# The application is created once, before they are forked: it opens no file and no connection before its
# first request.
preload_app = True
threads = 64
# Above the longest `return_timeout`; gthread's heartbeat does not depend on requests, so this only
# catches a process that hangs as a whole.
timeout = 150
graceful_timeout = 30
umask = 0o077
# A page's `next` link repeats all parameters of the request; gunicorn's default is half of this.
limit_request_line = 8190
# The directory for heartbeats: memory, so that a slow disk cannot get a worker killed.
worker_tmp_dir = "/dev/shm"
errorlog = "-"
accesslog = None
forwarded_allow_ips = "*"


def when_ready(_arbiter):
    """Do once, for all workers that are forked now, what each would do for itself.

    Relations between tables are worked out at the first query. Python's garbage collection writes to
    all objects that it looks at, so that their memory would not stay shared: it need not look at the
    objects that exist by now.
    """
    configure_mappers()
    gc.collect()
    gc.freeze()


# What the application logs goes to the journal; at this level its audit log does too.
logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
