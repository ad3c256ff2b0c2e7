"""Tells whether an answer was kept from before (RFC 9211; `Age`: RFC 9111, section 5.1)."""

from backend.sandbox.finished import Finished, Source

_PARAMETERS: dict[Source, str] = {
    "hit": "hit",
    "stored": "fwd=miss; stored",
    "miss": "fwd=miss",
    "bypass": "fwd=bypass",
}


def headers(done: Finished) -> dict[str, str]:
    """For an answer made of a trace."""
    if done.source is None:
        return {}
    status = {"Cache-Status": f"playground; {_PARAMETERS[done.source]}"}
    return status if done.age is None else {**status, "Age": str(done.age)}
