"""What the inspection endpoints answer beside a Trace."""

from typing import Literal

from pydantic import Field

from backend.schemas import Name, Outcome, TensorSlice, Text, Value, Wire

Change = Literal["name", "inputs", "shape", "constants", "hooks"]


class TensorReply(Wire):
    """Elements of one tensor of a run, and how that run ended."""

    slice: TensorSlice
    outcome: Outcome


class NodeSummary(Wire):
    """A node of one of the two graphs."""

    id: int
    name: Name
    output: Name | None = Field(description="A variable name of what its op made, or of AccumulateGrad's leaf.")
    line: int | None


class NodeChange(Wire):
    """One node of both graphs that is not the same in both."""

    before: NodeSummary
    after: NodeSummary
    changed: list[Change]


class NodesDiff(Wire):
    unchanged: int
    added: list[NodeSummary]
    removed: list[NodeSummary]
    changed: list[NodeChange]


class GradientChange(Wire):
    """The `.grad` of one variable in both runs. null: it was None."""

    name: Name
    before: Value | None
    after: Value | None
    max_difference: float | str | None = Field(
        description="The largest difference of two elements; null where shapes differ or not all elements are known."
    )


class GradientsDiff(Wire):
    """By variable name. `added` and `removed` name variables that only one of the programs has."""

    unchanged: list[Name]
    added: list[GradientChange]
    removed: list[GradientChange]
    changed: list[GradientChange]


class GraphDiff(Wire):
    """Two programs compared: what `after` has that `before` has not, and the other way round."""

    same: bool = Field(description="No node and no gradient differs.")
    before: Outcome
    after: Outcome
    nodes: NodesDiff
    gradients: GradientsDiff
    notes: list[Text] = Field(description="What keeps the comparison from being complete.")
