"""What a run gives back to the service."""

from functools import cached_property
from typing import Literal

from backend.schemas import Trace

Source = Literal["hit", "stored", "miss", "bypass"]
"""Kept from an earlier run; run and kept; run, not kept; run, as it is none that could be kept."""


class Finished:
    """A trace that was validated, as JSON; as a model only for those who look into it."""

    def __init__(self, body: bytes, status: str, age: int | None = None) -> None:
        """`age`: of one that was kept, seconds since its run."""
        self.body = body
        self.status = status
        self.age = age
        self.source: Source | None = None
        """None where nothing is ever kept."""

    @cached_property
    def trace(self) -> Trace:
        return Trace.model_validate_json(self.body)
