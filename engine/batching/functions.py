"""Custom Functions on batches: the `vmap` staticmethod by which a Function says itself what it does with one."""

from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from engine.batching.tensor import BatchedTensor, lifted, part
from engine.batching.trees import filled, leaves, mapped, spread, structure_text
from engine.modes import STATE
from engine.tensor import TensorBase

EXTENDING = "For more details, please see https://pytorch.org/docs/main/notes/extending.func.html"
NO_SETUP_CONTEXT = (
    "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must override "
    f"the setup_context staticmethod. {EXTENDING}"
)
NO_RULE = (
    "You tried to vmap over {}, but it does not have vmap support. Please override and implement the vmap staticmethod "
    f"or set generate_vmap_rule=True. {EXTENDING}"
)
TWO_RULES = (
    "You tried to vmap over {}, but it has both generate_vmap_rule=True and an overridden vmap staticmethod. Please "
    f"set generate_vmap_rule=False or delete the overridden vmap staticmethod to avoid ambiguity. {EXTENDING}"
)
TWO_RETURNS = (
    "Expected the vmap staticmethod to have two returns, an output and out_dims with pytree structure compatible with "
    "the output. Got {} instead"
)
OTHER_STRUCTURE = (
    "The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) tuple. Expected "
    "out_dims={} to be compatible with the structure of `output`. out_dims has structure {} but output has structure "
    f"{{}}. {EXTENDING}"
)


class VmapInfo(NamedTuple):
    """What a `vmap` staticmethod is told of the vmap that runs it."""

    batch_size: int
    randomness: str


VmapInfo.__module__ = "torch._functorch.autograd_function"


class FunctionRule:
    """What runs instead of a Function's forward on a batch.

    `recorded` says whether a derivative is taken inside the vmap: then the Function's backward is its derivative. Else
    the graph, if there is one, is outside, and is that of what the rule did.
    """

    def __init__(self, cls: Any, level: Any, below: AbstractContextManager[None], recorded: bool):
        self.cls, self.level, self.below, self.recorded = cls, level, below, recorded
        self.grad_enabled = STATE.grad_enabled

    def run(self, args: tuple[Any, ...]) -> Any:
        """The outputs, as tensors of the level. Raises RuntimeError where the rule does not say where samples lie."""
        number, before = self.level.number, STATE.grad_enabled
        values = mapped(lambda t: part(t, number)[0], args)
        dims = mapped(lambda t: part(t, number)[1], args)
        STATE.grad_enabled = self.grad_enabled
        try:
            with self.below:
                result = self.cls.vmap(VmapInfo(self.level.size, self.level.randomness), dims, *values)
        finally:
            STATE.grad_enabled = before
        if not isinstance(result, tuple):
            raise RuntimeError(TWO_RETURNS.format(f"a {type(result)}"))
        if len(result) != 2:
            raise RuntimeError(TWO_RETURNS.format(f"{len(result)} returns"))
        output, out_dims = result
        places = spread(out_dims, output)
        if places is None:
            structures = structure_text(out_dims), structure_text(output)
            raise RuntimeError(OTHER_STRUCTURE.format(out_dims, *structures))
        return filled(output, (self._placed(t, d) for t, d in zip(leaves(output), places, strict=True)))

    def _placed(self, t: Any, dim: int | None) -> Any:
        if not isinstance(t, TensorBase):
            return t
        if dim is None:
            return lifted(t, self.level.number) if self.recorded else t
        return BatchedTensor.around(t, dim % t.ndim, self.level.number)
