"""Migrations of the database, by Alembic: a change of a table brings its migration."""
