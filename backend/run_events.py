"""What is told of a run while it goes on."""

from typing import Literal

from pydantic import Field

from backend.schemas import Wire


class RunProgress(Wire):
    """Where a run stands."""

    elapsed_ms: float = Field(description="Since the request was read.")
    phase: Literal["waiting", "running", "writing"] = Field(
        description="waiting: for a place. running: the program. writing: it is over and its trace is written."
    )
    position: int | None = Field(description="Place in the queue, 1 for who is next. Null unless waiting.")
    line: int | None = Field(description="Of the program, that runs now. Null where that is not known.")
    steps: int | None = Field(description="Steps of the timeline so far. Null where that is not known.")
