"""The table of snippets."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "snippets",
        sa.Column("id", sa.String(43), primary_key=True),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_index("ix_snippets_expires_at", "snippets", ["expires_at"])


def downgrade() -> None:
    op.drop_table("snippets")
