"""The tables. A change here needs a migration in `migrations/versions`."""

from datetime import datetime

from sqlalchemy import BigInteger, DateTime, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Root of the tables."""


class SnippetRow(Base):
    """A program under its short id."""

    __tablename__ = "snippets"

    id: Mapped[str] = mapped_column(String(43), primary_key=True)
    code: Mapped[str] = mapped_column(Text)
    seed: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    expires_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True), index=True)
