"""Stores programs and finds them again. Every call may block: from the event loop, use a thread."""

import threading
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from sqlalchemy import delete, select
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from backend.settings import Settings
from backend.store import database, identity
from backend.store.errors import StoreUnavailable
from backend.store.tables import SnippetRow

_PURGED_AT_ONCE = 100
_FULL = ("disk is full", "No space left", "could not extend file", "max_page_count")
_READ_ONLY = ("readonly database", "read-only transaction", "read-only mode")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Snippet:
    """A stored program. Times are in UTC."""

    id: str
    code: str
    seed: int
    created_at: datetime
    expires_at: datetime | None


class SnippetStore:
    """The snippets of one database. Connects, and brings the schema up to date, when first used."""

    def __init__(self, settings: Settings) -> None:
        """Raises SettingsError."""
        self._settings = settings
        self._lifetime = timedelta(days=settings.snippet_days) if settings.snippet_days else None
        self._engine = database.new_engine(settings)
        self._prepared = False
        self._preparing = threading.Lock()

    def put(self, code: str, seed: int) -> tuple[Snippet, bool]:
        """Store a program; returns it, and whether it is new. Storing it again renews its time.

        Raises StoreUnavailable.
        """
        now = datetime.now(UTC)
        until = now + self._lifetime if self._lifetime else None
        return self._in_transaction(lambda session: _put(session, code, seed, now, until))

    def get(self, snippet_id: str) -> Snippet | None:
        """The snippet of an id; None when there is none, or none any more. Raises StoreUnavailable."""
        if not identity.PATTERN.fullmatch(snippet_id):
            return None
        now = datetime.now(UTC)

        def find(session: Session) -> Snippet | None:
            row = session.get(SnippetRow, snippet_id)
            return None if row is None or _is_over(row, now) else _plain(row)

        return self._in_transaction(find)

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()

    def _in_transaction(self, work: Callable[[Session], Result]) -> Result:
        with _in_words():
            self._prepare()
            try:
                with Session(self._engine) as session, session.begin():
                    return work(session)
            except IntegrityError:  # another process stored the same in this moment: now it can be read
                with Session(self._engine) as session, session.begin():
                    return work(session)

    def _prepare(self) -> None:
        with self._preparing:
            if not self._prepared:
                database.make_folder(self._settings)
                database.upgrade(self._engine)
                self._prepared = True


def _put(session: Session, code: str, seed: int, now: datetime, until: datetime | None) -> tuple[Snippet, bool]:
    for candidate in identity.candidates(code, seed):
        row = session.get(SnippetRow, candidate)
        if row is not None and (row.code, row.seed) != (code, seed) and not _is_over(row, now):
            continue
        is_new = row is None or _is_over(row, now)
        if row is None:
            row = SnippetRow(id=candidate)
            session.add(row)
        row.expires_at = until
        if is_new:
            row.code, row.seed, row.created_at = code, seed, now
        session.flush()
        if is_new:
            _purge(session, now)
        return _plain(row), is_new
    raise StoreUnavailable("There is no id left for this program.")  # a full SHA-256 would have to collide


def _purge(session: Session, now: datetime) -> None:
    """Forget some of those whose time is over."""
    over = select(SnippetRow.id).where(SnippetRow.expires_at < now).limit(_PURGED_AT_ONCE)
    session.execute(delete(SnippetRow).where(SnippetRow.id.in_(over)))


def _is_over(row: SnippetRow, now: datetime) -> bool:
    return row.expires_at is not None and _in_utc(row.expires_at) <= now


def _plain(row: SnippetRow) -> Snippet:
    expires = None if row.expires_at is None else _in_utc(row.expires_at)
    return Snippet(row.id, row.code, row.seed, _in_utc(row.created_at), expires)


def _in_utc(moment: datetime) -> datetime:
    """SQLite keeps no time zone."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


@contextmanager
def _in_words():
    """Turn what a database or a file system says into StoreUnavailable."""
    try:
        yield
    except (DBAPIError, OSError) as error:
        said = str(getattr(error, "orig", None) or error)
        if any(words in said for words in _FULL):
            raise StoreUnavailable("The database of links is full, so nothing was stored.", is_full=True) from error
        if any(words in said for words in _READ_ONLY):
            raise StoreUnavailable("The database of links can only be read just now; nothing was stored.") from error
        raise StoreUnavailable("The database of links does not answer.") from error
    except SQLAlchemyError as error:
        raise StoreUnavailable("The database of links does not answer.") from error
