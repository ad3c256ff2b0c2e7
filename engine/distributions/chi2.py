"""The chi-squared distribution."""

from typing import Any, ClassVar

from engine.distributions import constraints
from engine.distributions.gamma import Gamma


class Chi2(Gamma):
    """The sum of `df` squared normal numbers."""

    arg_constraints: ClassVar[dict[str, Any]] = {"df": constraints.positive}

    def __init__(self, df: Any, validate_args: bool | None = None) -> None:
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    @property
    def df(self) -> Any:
        """How many numbers are added."""
        return self.concentration * 2


__all__ = ["Chi2"]
