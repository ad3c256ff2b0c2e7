"""What may be asked of the service: programs, and what to do with them. The answers are in `backend.schemas`."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from backend.schemas import Name, Wire

MOST_OVERRIDES = 100
MOST_ELEMENTS = 100_000
Line = Annotated[int, Field(ge=1, le=1_000_000)]
StepIndex = Annotated[int, Field(ge=0, le=1_000_000)]
Tag = Literal["nan", "inf", "-inf"]
Scalar = bool | int | float | Tag
Seed = Annotated[
    int, Field(ge=0, le=2**63 - 1, description="`torch.manual_seed(seed)` is called before line 1.", default=0)
]
Code = Annotated[str, Field(description="The Python program. At most 64 KB of UTF-8.")]


class Override(Wire):
    """A value for one leaf tensor, in place of the one the program gives it."""

    name: Name | None = Field(
        default=None,
        description="A variable name, `w` or `model.weight`: the first new leaf tensor that is bound to it.",
    )
    line: Line | None = Field(default=None, description="Instead: the first tensor that is made while this line runs.")
    value: Scalar | list[object] = Field(
        description="A number, which fills the tensor, or a nested list of numbers of its shape."
    )

    @model_validator(mode="after")
    def _one_place(self) -> "Override":
        if (self.name is None) == (self.line is None):
            raise ValueError("give either a name or a line")
        return self


class Until(Wire):
    """Where to stop: before the first statement on or after a line, or after a step of the timeline."""

    line: Line | None = None
    step: StepIndex | None = None

    @model_validator(mode="after")
    def _one_place(self) -> "Until":
        if (self.line is None) == (self.step is None):
            raise ValueError("give either a line or a step")
        return self


class ProgramOptions(Wire):
    """Changes to the run itself."""

    overrides: list[Override] = Field(
        default_factory=list,
        max_length=MOST_OVERRIDES,
        description="Values for leaf tensors. What became of each is in the trace's `overrides`; one that does not "
        "fit its tensor ends the program with an OverrideError.",
    )
    until: Until | None = Field(
        default=None, description="Stop there: `outcome.status` is ok, and `outcome.message` says where it stopped."
    )

    def plain(self) -> dict:
        """As `engine.trace.Options` takes it, with nothing that has its default."""
        plain = self.model_dump(exclude_defaults=True)
        until = plain.pop("until", {})
        return {**plain, **{f"until_{kind}": at for kind, at in until.items()}}


class RunOptions(ProgramOptions):
    """What to record of a run, and changes to it. What is left out is said in the trace's `truncated`."""

    values: Literal["none", "preview", "full"] = Field(
        default="full",
        description="full: values whole up to a size, beyond it a preview. preview: at most 16 elements, and "
        "statistics. none: shapes and dtypes alone.",
    )
    value_elements: int | None = Field(
        default=None,
        ge=1,
        le=MOST_ELEMENTS,
        description="For full, the size up to which values are whole. By default 64 on the way and 1,024 at the end.",
    )
    saved: bool = Field(default=True, description="Whether `nodes[].saved` is filled.")
    steps: Literal["all", "final_graph"] = Field(
        default="all",
        description="final_graph leaves out `steps`, `memory`, `series` and what tensors held before the end; numbers "
        "of steps elsewhere still count along the run.",
    )


class Program(Wire):
    """A program and its seed."""

    code: Code
    seed: Seed = 0


class RunRequest(Program):
    """A program to run."""

    options: RunOptions = Field(default_factory=RunOptions)


class TensorRequest(Program):
    """A program, and the elements of one of its tensors that are wanted."""

    options: ProgramOptions = Field(default_factory=ProgramOptions)
    tensor: Annotated[int, Field(ge=0)] | Name = Field(
        description="Its id in the trace, or a variable name: the last tensor of that name."
    )
    of: Literal["value", "grad"] = "value"
    step: StepIndex | None = Field(default=None, description="What it held after this step. By default, at the end.")
    version: Annotated[int, Field(ge=0)] | None = Field(
        default=None, description="What it held last while its `_version` was this. Not for a gradient."
    )
    index: str = Field(
        default="",
        max_length=200,
        description="As between brackets in Python: `0, 2:10`, `..., ::3`. By default all; at most 65,536 elements.",
    )

    @model_validator(mode="after")
    def _gradients_have_no_version(self) -> "TensorRequest":
        if self.of == "grad" and self.version is not None:
            raise ValueError("a gradient has no version; give a step")
        return self

    def plain(self) -> dict:
        """As `engine.trace.Options` takes it: this tensor and next to nothing else."""
        probe = self.model_dump(include={"tensor", "of", "step", "version", "index"})
        return {**self.options.plain(), "values": "none", "saved": False, "steps": "final_graph", "probe": probe}


class DiffRequest(Wire):
    """Two programs to compare."""

    before: Program
    after: Program
