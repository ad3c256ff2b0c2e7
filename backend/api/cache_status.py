"""Tells whether an answer was kept from before (RFC 9211; `Age`: RFC 9111, section 5.1)."""

from backend.sandbox.finished import Finished, Source

_PARAMETERS: dict[Source, str] = {
    "hit": "hit",
    "stored": "fwd=miss; stored",
    "miss": "fwd=miss",
    "bypass": "fwd=bypass",
}
DESCRIBED: dict[str, dict] = {
    "Cache-Status": {
        "description": "RFC 9211: whether the answer is that of an earlier run. Left out where none are kept.",
        "schema": {"type": "string", "examples": [f"playground; {word}" for word in _PARAMETERS.values()]},
    },
    "Age": {"description": "Of an earlier run: seconds since.", "schema": {"type": "integer"}},
}
"""What OpenAPI says of them."""


def headers(done: Finished) -> dict[str, str]:
    """For an answer made of a trace."""
    if done.source is None:
        return {}
    status = {"Cache-Status": f"playground; {_PARAMETERS[done.source]}"}
    return status if done.age is None else {**status, "Age": str(done.age)}
