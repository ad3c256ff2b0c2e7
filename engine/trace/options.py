"""What a run is asked to do besides running: what to record, which values to change, where to stop, what to look at."""

from dataclasses import dataclass, field
from typing import Any, Literal

from engine.trace.limits import MAX_STEPS


@dataclass(frozen=True)
class Override:
    """A value for one leaf tensor, instead of the one the program gives it: the first leaf of that name, or the first
    tensor that a factory makes while that line runs. A single number fills the tensor."""

    value: Any
    name: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class Probe:
    """Elements of one tensor, or of its gradient, at one moment: the end unless a step or a version says otherwise."""

    tensor: int | str
    of: Literal["value", "grad"] = "value"
    step: int | None = None
    version: int | None = None
    index: str = ""


@dataclass(frozen=True)
class Options:
    """The options of one run. The defaults record everything.

    Attributes:
        values: "full" sends values whole up to a size, "preview" their first elements and statistics, "none" shapes.
        value_elements: that size, for "full": a number of elements.
        saved: whether what the nodes saved is part of the trace.
        steps: "final_graph" leaves the timeline out, and with it every earlier value.
        until_line: the program stops before the first statement that begins on or after this line.
        until_step: the program stops after this step.
        most_steps: how many steps the trace holds; what comes after them is counted. No request can set it.
    """

    values: Literal["none", "preview", "full"] = "full"
    value_elements: int | None = None
    saved: bool = True
    steps: Literal["all", "final_graph"] = "all"
    overrides: tuple[Override, ...] = ()
    until_line: int | None = None
    until_step: int | None = None
    probe: Probe | None = None
    most_steps: int = MAX_STEPS

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "Options":
        """From JSON data with the same names. Raises TypeError for names that are not there."""
        plain = dict(plain)
        overrides = tuple(Override(**one) for one in plain.pop("overrides", ()))
        probe = plain.pop("probe", None)
        return cls(**plain, overrides=overrides, probe=None if probe is None else Probe(**probe))


@dataclass
class Asked:
    """What became of the options, for the document."""

    options: Options = field(default_factory=Options)
    overrides: list[dict[str, Any]] = field(default_factory=list)
    message: str | None = None
