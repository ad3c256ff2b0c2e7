"""Which of the forms an answer has the client wants, by its Accept header (RFC 9110, section 12.5.1)."""

from collections.abc import Sequence

from fastapi import HTTPException


def choose(accept: str | None, offered: Sequence[str]) -> str:
    """The media type to answer with: the client's best, and of several as good, the first offered.

    Raises HTTPException 406 when none will do.
    """
    if not (accept or "").strip():
        return offered[0]
    ranges = [parsed for part in (accept or "").split(",") if (parsed := _range(part)) is not None]
    weights = {kind: _weight(kind, ranges) for kind in offered}
    best = max(offered, key=lambda kind: weights[kind])
    if weights[best] <= 0:
        raise HTTPException(406, f"None of what the Accept header asks for is on offer: {', '.join(offered)}.")
    return best


def _range(part: str) -> tuple[str, float] | None:
    kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
    weight = 1.0
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                weight = float(value)
            except ValueError:
                return None
    return (kind, weight) if 0 <= weight <= 1 else None


def _weight(kind: str, ranges: list[tuple[str, float]]) -> float:
    """The weight of the most specific range that covers a media type."""
    family = kind.partition("/")[0]
    for pattern in (kind, f"{family}/*", "*/*"):
        found = [weight for asked, weight in ranges if asked == pattern]
        if found:
            return max(found)
    return 0.0
