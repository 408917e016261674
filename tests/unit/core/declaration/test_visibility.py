"""A reference leads to nothing that the session may not know of."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine
from toy import ToySvm

from sanstone.core.database.store import reading, writing
from sanstone.core.declaration.resource import Reference
from sanstone.core.declaration.visibility import narrow_by
from sanstone.core.errors import ApiError

OWNER = Reference("svm", ToySvm, "Owner.", unknown_code="2621462")


def test_a_reference_leads_only_to_what_the_session_may_know_of(toys: Engine) -> None:
    with writing(toys) as session:
        session.add_all([ToySvm(name="mine"), ToySvm(name="another")])
    with reading(toys) as session:
        assert OWNER.find(session, {"name": "another"}, {}).name == "another"
        narrow_by(session, lambda _session, model, query: query.where(model.name == "mine"))
        assert OWNER.find(session, {"name": "mine"}, {}).name == "mine"
        with pytest.raises(ApiError) as error:
            OWNER.find(session, {"name": "another"}, {})
        assert error.value.code == "2621462"
