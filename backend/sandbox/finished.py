"""What a run gives back to the service."""

from functools import cached_property

from backend.schemas import Trace


class Finished:
    """A trace that was validated, as JSON; as a model only for those who look into it."""

    def __init__(self, body: bytes, status: str) -> None:
        self.body = body
        self.status = status

    @cached_property
    def trace(self) -> Trace:
        return Trace.model_validate_json(self.body)
