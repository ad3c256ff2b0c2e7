"""Alembic's entry: `backend.store.database.upgrade` hands the connection over."""

from alembic import context

from backend.store.tables import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
context.run_migrations()
