"""Alembic's environment: it runs on the connection that `sanstone.migrate` hands over."""

from alembic import context

from sanstone.core.database.store import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
