"""Keeps programs that were stored for a link: SQLite by default, PostgreSQL where `DATABASE_URL` says so."""
