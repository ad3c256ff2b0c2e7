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


class CatalogueParameter(Wire):
    name: Name
    type: Name = Field(description='As PyTorch\'s native functions write it: "Tensor", "int[1]".')
    optional: bool = Field(description="None may be given.")
    keyword_only: bool
    default: Text | None = Field(description="As Python writes it; null when a call must give one.")


class CatalogueOp(Wire):
    """One operator, in one overload."""

    name: Name
    overload: Name
    parameters: list[CatalogueParameter]
    outputs: int
    grad_fn: Name | None = Field(description="Its backward node; null when its result never needs a gradient.")
    is_view: bool
    has_inplace: bool = Field(description="There is a twin that writes into its first input: `mul_`.")
    found_at: list[Name] = Field(description="Where a program finds it; empty for operators that others are made of.")
    forward: Text = Field(description="Its formula, as in the trace's `rules`.")
    backward: dict[Name, Text]
    signature: Text = Field(description="In the notation of PyTorch's native functions; empty for Python functions.")
    saved: list[Name] = Field(description="What its node keeps for the backward pass.")
    made_of_others: bool = Field(description="It has no node of its own: the graph shows those of its parts.")
    says: Text = Field(description="What it computes, in one sentence, for functions made of others.")
    example: Text = Field(description="A program that runs it; may be empty.")


class OpCatalogue(Wire):
    ops: list[CatalogueOp]


class OpOverloads(Wire):
    """The operators of one name."""

    name: Name
    overloads: list[CatalogueOp]
