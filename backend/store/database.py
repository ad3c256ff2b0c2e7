"""An engine for a database URL, and its schema brought up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError

from backend.settings import Settings, SettingsError

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK_NUMBER = 7_236_411
_PATIENCE_SECONDS = 5
_FILE_NAME = "snippets.sqlite3"


def new_engine(settings: Settings) -> Engine:
    """An engine that has not connected yet. Raises SettingsError for an address that is none."""
    try:
        url = make_url(settings.database_url or f"sqlite:///{Path(settings.data_dir) / _FILE_NAME}")
    except ArgumentError:
        raise SettingsError(
            "DATABASE_URL is not an address of a database; write postgresql://user@host/name."
        ) from None
    kind = url.get_backend_name()
    if kind == "postgresql":
        # A database made without a locale has no encoding: it takes any bytes, and would give bytes back.
        options = {"connect_timeout": _PATIENCE_SECONDS, "client_encoding": "UTF8"}
        return create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True, connect_args=options)
    if kind != "sqlite":
        raise SettingsError(f"DATABASE_URL names {kind!r}: it must be postgresql or sqlite.")
    engine = create_engine(url, connect_args={"timeout": _PATIENCE_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    return engine


def make_folder(settings: Settings) -> None:
    """Make the folder of the SQLite file, where there is one to make. Raises OSError."""
    if not settings.database_url:
        Path(settings.data_dir).mkdir(parents=True, exist_ok=True)


def upgrade(engine: Engine) -> None:
    """Apply the migrations that are missing; several processes may do so at once."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    head = ScriptDirectory.from_config(config).get_current_head()
    with engine.connect() as connection:
        if MigrationContext.configure(connection).get_current_revision() == head:
            return
    with engine.begin() as connection:
        _lock_out_others(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _lock_out_others(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK_NUMBER})
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _prepare_sqlite(connection, _record) -> None:
    """Transactions are begun by us, where a migration needs the lock first; a stored snippet survives a power cut."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()
