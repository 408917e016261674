"""The array keeps what its OpenAPI description promises, whatever is sent to it.

schemathesis makes requests of the description, good ones and bad ones, and checks the answers. The
seed is fixed and the number of examples bounded, so that a failure is found again. So that requests
meet something, keys of paths are those of existing objects in every second example. A test begins
with the furnished array, and what it does is taken back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import schemathesis
from furnished_array import FurnishedArray, without_dots
from hypothesis import HealthCheck, Phase, seed, settings
from schemathesis import Case
from simulator import LOGIN

from sanstone.http import openapi
from sanstone.resources import RESOURCES

EXAMPLES = 12
SEED = 20261121


class Door:
    """A WSGI application that stands for that of the array at hand."""

    application: Any = None

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        answer: Iterable[bytes] = self.application(environ, start_response)
        return answer


schema = schemathesis.openapi.from_dict(without_dots(openapi.describe(RESOURCES)))
schema.app = Door()
schema.config.generation.update(with_security_parameters=False)
EXCLUDED = [
    schemathesis.checks.CHECKS.get_one(n)
    for n in ("missing_required_header", "ignored_auth", "positive_data_acceptance")
]


@schema.parametrize()
@seed(SEED)
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_the_array_keeps_what_its_description_promises(array: FurnishedArray, case: Case) -> None:
    schema.app.application = array.simulator.client.application
    global COUNT
    case.call_and_validate(auth=LOGIN, excluded_checks=EXCLUDED)
    COUNT[case.operation.label] += 1


import collections

COUNT = collections.Counter()


def test_count():
    print(COUNT.total())
    print(COUNT)
