"""Guesses are slowed down. Of a flood of them nobody else notices, and nothing is killed."""

from __future__ import annotations

import base64
import dataclasses
import http.client
import json
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from lab import patience
from lab.administrator import Administrator
from lab.api import Api, Refused
from lab.patience import eventually
from lab.station import Array, Host
from lab.workload import Workload

FREE_FAILURES = 5
FLOODERS = 48
ANSWERS = 8
"""Each flooder's, until which the flood lasts."""
READERS = 100
LISTS = "/api/storage/luns?fields=**"
CLIENTS, ROUNDS = 50, 4
"""Clients that change things, and how often each of them does."""
REQUESTS = 20
"""Those that users make meanwhile, each of two."""
WRITTEN = 16 * 1024**2
SESSION = "/api/security/session"
JSON = {"Content-Type": "application/json"}


@dataclass
class Client:
    """Connections to an array, and its answers: counts by status, or by exception."""

    api: Api
    answers: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._context = self.api.context()
        self._connection = self.connect()

    def connect(self, context: ssl.SSLContext | None = None) -> http.client.HTTPSConnection:
        """Return a new connection."""
        place = urlsplit(self.api.url)
        return http.client.HTTPSConnection(
            str(place.hostname),
            place.port,
            timeout=patience.SECONDS,
            context=context or self._context,
        )

    def call(
        self, method: str, path: str, headers: dict[str, str], body: str | None = None
    ) -> http.client.HTTPResponse:
        """Send a request, and count the answer, which must be JSON in any case."""
        try:
            self._connection.request(method, path, body, headers)
            response = self._connection.getresponse()
            answer = json.loads(response.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._connection.close()
            self._connection = self.connect()
            self.answers[type(error).__name__] += 1
            raise
        assert response.status < 400 or answer["error"]["message"]
        if response.status in (429, 503):
            assert response.headers["Retry-After"]
        self.answers[str(response.status)] += 1
        return response

    def log_in(self, name: str, password: str) -> http.client.HTTPResponse:
        """Ask for a session of the web interface."""
        return self.call("POST", SESSION, JSON, json.dumps({"name": name, "password": password}))


def basic(name: str, password: str) -> dict[str, str]:
    """Return the header by which programs log in."""
    login = base64.b64encode(f"{name}:{password}".encode()).decode()
    return {"Authorization": f"Basic {login}"}


def while_it_lasts(over: threading.Event, action: Callable[[int], object]) -> threading.Thread:
    """Do something again and again in a thread of its own; the action counts its failures
    itself."""

    def again() -> None:
        number = 0
        while not over.is_set():
            number += 1
            try:
                action(number)
            except (OSError, http.client.HTTPException, ValueError):
                continue

    thread = threading.Thread(target=again)
    thread.start()
    return thread


def answers(api: Api) -> int:
    """Return the status of a request."""
    try:
        api.get("cluster")
    except Refused as refused:
        return refused.status
    return 200


def test_guessing_is_slowed_down(api: Api) -> None:
    # Before the flood, which uses up all guesses that this address may make at once.
    guesser = dataclasses.replace(api, password="wrong")
    assert [answers(guesser) for _ in range(FREE_FAILURES)] == [401] * FREE_FAILURES
    # The delay begins with a second, within which a busy machine may not ask again, and doubles.
    eventually(lambda: answers(guesser) == 429)
    assert answers(api) == 200, "an account that logged in from here before is let in"
    events = api.get("support/ems/events", message__name="security.login.failed")
    assert events["records"]


def test_nobody_notices_a_flood_of_logins(array: Array, api: Api, host: Host, disk: str) -> None:
    page, script = Client(api), Client(api)
    session = page.log_in(api.user, api.password)
    assert session.status == 201
    cookies = "; ".join(
        cookie.partition(";")[0] for cookie in session.headers.get_all("Set-Cookie", [])
    )
    mine = basic(api.user, api.password)
    assert script.call("GET", "/api/cluster", mine).status == 200
    processes = array.run("systemctl show --property=ControlGroup --value sanstone-api")
    running = array.run(f"cat /sys/fs/cgroup{processes.strip()}/cgroup.procs").split()
    workload = Workload(host, "flood", disk, WRITTEN, 4096)
    workload.start()

    over = threading.Event()
    flood = [Client(api) for _ in range(FLOODERS)]
    threads = [while_it_lasts(over, _logins(client, n)) for n, client in enumerate(flood)]
    users = [
        while_it_lasts(over, lambda _: page.call("GET", "/api/cluster", {"Cookie": cookies})),
        while_it_lasts(over, lambda _: script.call("GET", "/api/cluster", mine)),
    ]
    try:
        eventually(lambda: all(each.answers.total() >= ANSWERS for each in flood))
        # Counted from here, where all of them are at it.
        goals = [(each, each.answers["200"] + REQUESTS) for each in (page, script)]
        before = sum(each.answers.total() for each in flood)
        eventually(lambda: all(each.answers["200"] >= goal for each, goal in goals))
        flooded = (sum(each.answers.total() for each in flood) - before) / FLOODERS
        had = min(each.answers["200"] - goal + REQUESTS for each, goal in goals)
    finally:
        over.set()
    for thread in threads + users:
        thread.join()
    answers: Counter[str] = sum((client.answers for client in flood), Counter())
    print("flood", answers, "page", page.answers, "script", script.answers)
    # Its share, and not its time: a machine may be of any speed.
    assert had >= flooded / 2, f"a user had {had} answers while each who floods had {flooded:.0f}"
    assert answers["429"] + answers["503"] > 0
    # nginx ends a connection if its handshake takes longer than client_header_timeout.
    assert answers.keys() <= {"401", "429", "503", "ConnectionResetError"}
    assert page.answers.keys() == {"200", "201"}
    assert script.answers.keys() == {"200"}
    workload.wait()

    group = f"/sys/fs/cgroup{processes.strip()}"
    events = dict(
        line.split() for line in array.run(f"cat {group}/memory.events").splitlines() if line
    )
    peak = int(array.run(f"cat {group}/memory.peak"))
    print("memory.peak of the API", peak // 1024**2, "MiB", events)
    assert (events["max"], events["oom_kill"]) == ("0", "0")
    assert peak < int(array.run(f"cat {group}/memory.max"))
    assert array.run(f"cat {group}/cgroup.procs").split() == running, "nothing was started again"
    assert "oom" not in array.run("journalctl --boot --dmesg --output=cat").lower()


@contextmanager
def unharmed(array: Array) -> Iterator[None]:
    """Assert that the API stays within its memory, and that nothing of it is started again."""
    group = array.run("systemctl show --property=ControlGroup --value sanstone-api").strip()
    running = array.run(f"cat /sys/fs/cgroup{group}/cgroup.procs").split()
    yield
    assert array.run(f"cat /sys/fs/cgroup{group}/cgroup.procs").split() == running
    events = array.run(f"cat /sys/fs/cgroup{group}/memory.events").split()
    assert events[events.index("max") + 1] == "0"


def test_a_crowd_of_readers_is_answered_within_the_memory_of_the_api(
    array: Array, api: Api
) -> None:
    mine = basic(api.user, api.password)
    over = threading.Event()
    crowd = [Client(api) for _ in range(READERS)]
    with unharmed(array):
        threads = [while_it_lasts(over, _reads(client, mine)) for client in crowd]
        try:
            eventually(lambda: all(client.answers.total() >= ANSWERS for client in crowd))
            for _ in range(REQUESTS):
                eventually(lambda: answers(api) == 200)
        finally:
            over.set()
        for thread in threads:
            thread.join()
    totals: Counter[str] = sum((client.answers for client in crowd), Counter())
    print("crowd", totals)
    # nginx ends a connection if its handshake takes longer than client_header_timeout.
    assert totals.keys() <= {"200", "429", "503", "ConnectionResetError"}
    assert totals["200"] > 0


def test_clients_that_read_and_change_at_once_all_come_to_an_end(
    array: Array, admin: Administrator
) -> None:
    api = admin.api
    crowd = [Client(api) for _ in range(CLIENTS)]
    with unharmed(array), ThreadPoolExecutor(CLIENTS) as threads:
        clients = [threads.submit(_works, each, n, admin.svm) for n, each in enumerate(crowd)]
        for _ in range(REQUESTS):
            eventually(lambda: answers(api) == 200)
        for each in clients:
            each.result()
    totals: Counter[str] = sum((client.answers for client in crowd), Counter())
    print("clients", totals)
    assert totals.keys() <= {"200", "201", "202", "503", "ConnectionResetError"}
    assert not api.get("storage/qos/policies", name="crowd-*")["records"]


def _works(client: Client, number: int, svm: str) -> None:
    """Make, change and delete policies, and read lists in between."""
    for count in range(ROUNDS):
        body: dict[str, object] = {"svm.name": svm, "name": f"crowd-{number}-{count}"}
        body["fixed.max_throughput_iops"] = 1000
        policy = _done(client, "POST", "/api/storage/qos/policies", body)
        place = policy.headers["Location"]
        _done(client, "GET", LISTS)
        _done(client, "PATCH", place, {"fixed.max_throughput_iops": 2000})
        _done(client, "GET", "/api/storage/qos/policies?fields=**")
        _done(client, "DELETE", place)


def _done(
    client: Client, method: str, path: str, body: dict[str, object] | None = None
) -> http.client.HTTPResponse:
    """Return the answer of a request that must succeed, once the array has room for it."""
    headers = basic(client.api.user, client.api.password) | JSON
    responses: list[http.client.HTTPResponse] = []

    def succeeds() -> bool:
        try:
            responses.append(client.call(method, path, headers, json.dumps(body) if body else None))
        except ConnectionResetError:
            # By nginx, before it had read anything; see above.
            return False
        return responses[-1].status != 503

    eventually(succeeds)
    assert responses[-1].status < 300, f"{method} {path}: {responses[-1].status}"
    return responses[-1]


def _reads(client: Client, login: dict[str, str]) -> Callable[[int], object]:
    """Return a function that reads a list."""
    return lambda _: client.call("GET", LISTS, login)


def _logins(client: Client, number: int) -> Callable[[int], object]:
    """Return a function that tries unknown names, in both ways."""

    def attempt(count: int) -> object:
        name = f"nobody-{number}-{count}"
        if count % 2:
            return client.call("GET", "/api/cluster", basic(name, "wrong"))
        return client.log_in(name, "wrong")

    return attempt


def test_where_memory_runs_out_services_that_can_start_again_go_first(array: Array) -> None:
    scores = {
        unit: int(
            array.run(
                f"cat /proc/$(systemctl show --property=MainPID --value {unit})/oom_score_adj"
            )
        )
        for unit in ("sanstone-api", "nginx", "sanstone-reconciler", "systemd-networkd", "ssh")
    }
    assert scores["sanstone-reconciler"] == -900
    assert min(scores["sanstone-api"], scores["nginx"]) > max(
        scores["systemd-networkd"], scores["ssh"]
    )


def test_uploads_of_clients_have_a_file_system_of_their_own(array: Array, api: Api) -> None:
    client = Client(api)
    pid = array.run("systemctl show --property=MainPID --value nginx").strip()
    places = array.run(f"grep ' /run/nginx/transit ' /proc/{pid}/mountinfo")
    assert "size=65536k" in places
    # Longer than a buffer, so that it goes through there.
    body = json.dumps({"name": "nobody", "password": "x" * 500_000})
    assert client.call("POST", SESSION, JSON, body).status == 400
    assert client.call("POST", SESSION, JSON, " " * 2_000_000).status == 413
