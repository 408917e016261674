"""Commands that administrators and scripts use every day, in ONTAP's words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from console import Console
from standing_clock import Clock

from sanstone.shell import main
from sanstone.shell.parameters import Parameter
from sanstone.shell.session import Settings
from sanstone.shell.show import NOTHING
from sanstone.shell.tables.elsewhere import ELSEWHERE
from sanstone.shell.terminal import Terminal
from sanstone.shell.values import localized
from sanstone.shell.words import Word


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("cluster date show", ["array-01"]),
        ("date", ["array-01"]),
        ("uptime", ["array-01"]),
        ("system show", ["array-01", "up"]),
        ("storage failover show", ["array-01", "false", "-"]),
        ("vserver show-protocols", ["svm1", "true", "true", "true"]),
        ("aggr show-status -aggregate aggr1", ["aggr1", "0", "1.0.1"]),
        ("aggr show-spare-disks", ["1.0.5"]),
        ("qos statistics volume latency show -iterations 1", ["svm1", "vol1", "0"]),
        ("qos statistics volume performance show", ["svm1", "vol1", "0"]),
    ],
)
def test_show_commands(console: Console, line: str, row: list[str]) -> None:
    assert console.table(line)[0][: len(row)] == row


def test_health(console: Console) -> None:
    assert console.run("system health status show") == "Health: ok"
    assert console.run("system health alert show") == NOTHING
    assert console.run("system health alert show -node array-01") == NOTHING
    message = console.refusal("system health alert show -severity ERROR")
    assert message == 'Error: invalid argument "-severity"'


def test_the_user_of_the_shell_is_shown(console: Console) -> None:
    assert console.run("security login whoami") == "User: admin\nRole: admin"


def test_the_time_zone(console: Console) -> None:
    console.run("timezone -timezone Europe/Berlin")
    assert console.run("timezone") == "Timezone: Europe/Berlin"


def test_targets_have_names(console: Console) -> None:
    console.run("iscsi create -vserver svm1")
    [[vserver, name]] = console.table("iscsi nodename")
    assert vserver == "svm1" and name.startswith("iqn.")


def test_where_file_clients_would_mount_a_volume(console: Console) -> None:
    show = "volume show -volume vol1 -fields junction-path"
    console.run("volume mount -vserver svm1 -volume vol1 -junction-path /one")
    assert console.table(show) == [["svm1", "vol1", "/one"]]
    console.run("volume unmount -vserver svm1 -volume vol1")
    assert console.table(show) == [["svm1", "vol1", "-"]]


def test_destinations_get_events(console: Console) -> None:
    console.run("event notification destination create -name d1 -email ops@example.com")
    console.run("event notification create -filter-name important-events -destinations d1")
    assert console.table("event notification show") == [["d1", "important-events"]]


def test_schedules_by_the_clock(console: Console) -> None:
    console.run("job schedule cron create -name s1 -minute 5,35")
    console.run("job schedule cron modify -name s1 -minute 6")
    assert "Minute: 6" in console.run("job schedule cron show -name s1")
    console.answers = [True]
    console.run("job schedule cron delete -name s1")
    assert console.run("job schedule cron show -name s1") == NOTHING


def test_communities(console: Console) -> None:
    console.run("system snmp community add -community-name c1")
    assert console.table("system snmp community show") == [["c1", "-"]]


def test_events_of_the_last_hour(console: Console) -> None:
    for line in ("event log show -severity <=ERROR -time >1h", "event log show -time 2h..1h"):
        assert console.run(line) == NOTHING


@pytest.mark.parametrize(("text", "seconds"), [(">1h", 3600), (">90m", 5400), ("<2d", 172800)])
def test_a_time_may_be_given_as_an_age(clock: Clock, text: str, seconds: int) -> None:
    word = localized(Parameter("time", "timestamp", "When."), Word(text, 0), UTC)
    assert word.text[0] == text[0]
    assert datetime.fromisoformat(word.text[1:]).timestamp() == int(clock.now) - seconds


def test_a_lun_is_shown_with_all_its_fields_by_v(console: Console) -> None:
    output = console.run("lun show -v -path /vol/vol1/lun*")
    assert output == console.run("lun show -instance -path /vol/vol1/lun*")
    assert "LUN Path: /vol/vol1/lun1" in output or "Path: /vol/vol1/lun1" in output


@pytest.mark.parametrize("mode", ["none", "receive", "send", "full"])
def test_flow_control_is_left_to_the_driver(console: Console, mode: str) -> None:
    port = "network port modify -node array-01 -port e0a"
    console.run(f"{port} -mtu 9000 -flowcontrol-admin {mode}")
    assert console.table("network port show -port e0a -fields mtu")[0][-1] == "9000"
    assert "-flowcontrol-admin" in console.refusal(f"{port} -flowcontrol-admin some")


@pytest.mark.parametrize(
    "line",
    [
        "snapmirror show",
        "snapmirror show -destination-path svm1:vol1 -fields state,status",
        "snapmirror show -instance",
        "snapmirror list-destinations -source-path svm1:vol1",
    ],
)
def test_nothing_is_replicated(unplugged: Console, line: str) -> None:
    assert unplugged.run(line) == NOTHING


def test_background_tasks_are_shown(console: Console) -> None:
    rows = console.table("system node task show")
    assert [row[:3] for row in rows if row[0] == "samples"] == [["samples", "never", "15"]]


def test_how_long_a_shell_stays(console: Console) -> None:
    assert "Timeout: 30" in console.run("system timeout show")
    console.run("system timeout modify -timeout 5")
    terminal = Terminal(Settings())
    assert main.open_session(console.array, terminal, Settings()).idle == terminal.idle == 300
    console.run("system timeout modify -timeout 0")
    assert main.open_session(console.array, terminal, Settings()).idle == 0
    for minutes in ("-1", "35792", "never"):
        console.refusal(f"system timeout modify -timeout {minutes}")


@pytest.mark.parametrize("command", ELSEWHERE)
def test_commands_of_missing_functions_are_refused(unplugged: Console, command: str) -> None:
    message = unplugged.refusal(f'{command} -node * -command "sysconfig -a" x')
    assert message == f"Error: command failed: {ELSEWHERE[command]}"


@pytest.mark.parametrize("line", ["run -node array-01 sysconfig", "node run * uptime"])
def test_there_is_no_shell_of_the_node(unplugged: Console, line: str) -> None:
    assert "There is no shell of the node." in unplugged.refusal(line)
