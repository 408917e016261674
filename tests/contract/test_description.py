"""The array keeps the promises of its OpenAPI description, whatever the request.

schemathesis makes requests of the description, good ones and bad ones, and checks the answers. The
seed is fixed and the number of examples bounded, so that a failure is found again. So that requests
meet something, every second one goes to an existing object. A test begins with the furnished array,
which is restored after it.

One code describes and parses the fields of all resources by their types, so this is about few
resources that have most types between them, and about all actions. test_bad_fields has all fields
of all resources, and test_answers compares what each shows with its description.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

import pytest
import schemathesis
from furnished_array import FurnishedArray, at, without_dots
from hypothesis import HealthCheck, Phase, seed, settings
from representatives import OF_MOST_BODIES
from schemathesis import Case
from schemathesis.checks import CHECKS
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import CoveragePhaseData, CoverageScenario
from simulator import LOGIN, Snapshot

from sanstone.http import openapi
from sanstone.http.call import CONTROL
from sanstone.resources.declared import ACTIONS, RESOURCES

EXAMPLES = 6
FILTERS = 4
SEED = 20261121
OF_ACTIONS = {f"/{action.path}" for action in ACTIONS}
ENOUGH = {
    # test_bad_fields has each field's, test_actions those of actions.
    (CoverageScenario.INCORRECT_TYPE, ParameterLocation.BODY): 1,
    # Fields by twos, and all but one: fuzz/test_sequences draws bodies with any of them.
    (CoverageScenario.OBJECT_REQUIRED_AND_OPTIONAL, ParameterLocation.BODY): 6,
    # Known parameters beside an unknown one make no difference.
    (CoverageScenario.OBJECT_UNEXPECTED_PROPERTIES, ParameterLocation.QUERY): 1,
    # Parameters by twos: those that filter are independent of each other.
    (CoverageScenario.OBJECT_REQUIRED_AND_OPTIONAL, ParameterLocation.QUERY): 4,
    # test_bad_requests has each filter's and each parameter's, beyond its bounds too.
    (CoverageScenario.INCORRECT_TYPE, ParameterLocation.QUERY): 2,
    (CoverageScenario.VALUE_BELOW_MINIMUM, ParameterLocation.QUERY): 1,
    (CoverageScenario.VALUE_ABOVE_MAXIMUM, ParameterLocation.QUERY): 1,
    (CoverageScenario.NEAR_BOUNDARY_NUMBER, ParameterLocation.QUERY): 1,
    # Likewise each method that there is not, and test_actions those of actions.
    (CoverageScenario.UNSPECIFIED_HTTP_METHOD, None): 1,
}
"""The number of requests of a kind that are enough for an operation; there are dozens of each."""
EXCLUDED = {
    "positive_data_acceptance": "what other objects stand against, the description cannot know",
    "missing_required_header": "every call logs in; test_bad_requests has calls that do not",
    "ignored_auth": "likewise, and it would lock the account by guessing at passwords",
}


class Door:
    """A WSGI application that stands for that of the array at hand."""

    application: Any = None

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        answer: Iterable[bytes] = self.application(environ, start_response)
        return answer


def with_few_parameters(described: Any) -> Any:
    """Return a description in which operations have few of the parameters that share one code.

    Of the dozens of filters of a collection, each has the first few; test_bad_requests has all.
    Parameters of all resources alike, such as a time limit, are with the first resource only.
    With `dry_run` the others would be tried only, whatever their bodies.
    """
    controls = set()
    for path, item in described["paths"].items():
        for method in item.keys() - {"parameters"}:
            parameters = item[method].get("parameters", [])
            filters = [each for each in parameters if "whose field matches" in each["description"]]
            excess = filters[FILTERS:]
            for each in parameters:
                control = path in OF_ACTIONS, path.endswith("}"), method, each["name"]
                if control in controls:
                    excess.append(each)
                elif each["name"] in CONTROL:
                    controls.add(control)
            item[method]["parameters"] = [each for each in parameters if each not in excess]
    return described


door = Door()
description = with_few_parameters(openapi.describe((*OF_MOST_BODIES, *ACTIONS)))
schema = schemathesis.openapi.from_dict(without_dots(description))
schema.app = door
schema.config.generation.update(with_security_parameters=False)


@pytest.fixture(scope="module")
def keys(furnished: tuple[FurnishedArray, Snapshot]) -> dict[str, dict[str, str]]:
    """The keys of an object of each resource, as they stand in paths."""
    array, _ = furnished
    first = {resource: array.records(resource.path)[0] for resource in RESOURCES}
    return {
        without_dots(f"/{resource.path}"): {
            key.replace(".", "_"): quote(str(at(record, key)), safe="") for key in resource.keys
        }
        for resource, record in first.items()
    }


@pytest.fixture
def turns(array: FurnishedArray) -> Iterator[int]:
    """Numbers of the requests to the array."""
    door.application = array.simulator.client.application
    return itertools.count()


@pytest.fixture
def request_counts() -> Counter[Any]:
    """How many of each kind of ENOUGH the operation had."""
    return Counter()


@schema.parametrize()
@seed(SEED)
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_the_array_keeps_what_its_description_promises(
    keys: dict[str, dict[str, str]],
    turns: Iterator[int],
    request_counts: Counter[Any],
    case: Case[Any],
) -> None:
    if kind := bounded(case):
        if request_counts[kind] == ENOUGH[kind]:
            return
        request_counts[kind] += 1
    excluded = set(EXCLUDED)
    if case.path_parameters and next(turns) % 2:
        case.path_parameters = keys[max(path for path in keys if meant_by(path, case))]
        # The mistake in the path is gone.
        excluded.add("negative_data_rejection")
    if holds_nothing(case.body):
        # An empty object or null in the place of a field means that it is not given, or none.
        excluded.add("negative_data_rejection")
    if (case.query or {}).get("dry_run") in (True, "true"):
        # The answer reports the mistake then.
        excluded.add("negative_data_rejection")
    checks: list[Any] = [CHECKS.get_one(name) for name in sorted(excluded)]
    case.call_and_validate(auth=LOGIN, excluded_checks=checks)


def bounded(case: Case[Any]) -> Any:
    """Return which kind of ENOUGH a case is, None for none."""
    of = case.meta and case.meta.phase.data
    if not isinstance(of, CoveragePhaseData):
        return None
    kind = of.scenario, of.parameter_location
    return kind if kind in ENOUGH else None


def meant_by(path: str, case: Case[Any]) -> bool:
    """Return whether a case is about a resource of this path."""
    return case.path == path or case.path.startswith(f"{path}/{{")


def holds_nothing(body: Any) -> bool:
    """Return whether there is an empty object or reference or a null anywhere in a body."""
    if isinstance(body, dict):
        # An entry without a UUID is no object: the reference goes.
        none = not body or body.get("uuid") == ""
        return none or any(holds_nothing(value) for value in body.values())
    if isinstance(body, list):
        return any(holds_nothing(value) for value in body)
    return body is None
