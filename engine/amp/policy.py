"""Which functions autocast runs in the short type and which in float32, and the casts it makes for them.

Every other function takes what it is given. Reference: https://docs.pytorch.org/docs/stable/amp.html
"""

from collections.abc import Callable
from typing import Any

from engine.composite import Composite
from engine.dispatch import apply, run
from engine.dtypes import dtype, float32, float64
from engine.modes import STATE
from engine.op import Op
from engine.ops.copy import TO_COPY
from engine.tensor import TensorBase

SHORT = frozenset((
    "addbmm", "addmm", "baddbmm", "bmm", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d",
    "conv_transpose3d", "linalg_vecdot", "linear", "matmul", "mm", "prelu", "scaled_dot_product_attention",
))  # fmt: skip
"""What is computed in the short type."""
FULL = frozenset((
    "adaptive_avg_pool3d", "avg_pool3d", "binary_cross_entropy", "binary_cross_entropy_with_logits", "cdist",
    "cholesky", "cholesky_inverse", "cholesky_solve", "cosine_embedding_loss", "cross_entropy_loss", "ctc_loss",
    "fft_fft", "fft_fft2", "fft_fftn", "fft_ifft", "fft_ifft2", "fft_ifftn", "fft_irfft", "fft_irfft2",
    "fft_irfftn", "fft_rfft", "fft_rfft2", "fft_rfftn", "grid_sampler", "grid_sampler_2d", "hinge_embedding_loss",
    "huber_loss", "inverse", "kl_div", "l1_loss", "linalg_cholesky", "linalg_cond", "linalg_eig", "linalg_eigh",
    "linalg_eigvals", "linalg_eigvalsh", "linalg_inv", "linalg_lstsq", "linalg_matrix_rank", "linalg_qr",
    "linalg_solve", "linalg_svd", "linalg_svdvals", "margin_ranking_loss", "max_pool3d", "mse_loss",
    "multi_margin_loss", "multilabel_margin_loss", "nanquantile", "nll_loss", "nll_loss_nd", "pinverse",
    "poisson_nll_loss", "polar", "prod", "qr", "quantile", "reflection_pad1d", "reflection_pad2d",
    "replication_pad1d", "replication_pad2d", "replication_pad3d", "smooth_l1_loss", "soft_margin_loss", "svd",
    "trace", "triplet_margin_loss", "view_as_complex",
))  # fmt: skip
"""What is computed in float32."""


class Casting:
    """Stands between programs and operators while autocast is on, in the place that a vmap has otherwise.

    Args:
        short: the type for the functions in SHORT.
        kept: casts of parameters made so far, by the parameter's identity, so that each is cast once; None makes
            every cast anew.
    """

    by_tensors = False
    ends_at_functions = False

    def __init__(self, short: dtype, kept: dict[int, tuple[Any, Any]] | None):
        self.short, self.kept = short, kept

    def run(self, op: Op, values: list[Any]) -> Any:
        """Run an operator with its arguments cast; NotImplemented for one that takes what it is given."""
        wanted = self._wanted(op.signature.base)
        return NotImplemented if wanted is None else self._cast_and_run(wanted, lambda cast: run(op, cast), values)

    def run_inplace(self, op: Op, values: list[Any]) -> Any:
        """Changes in place keep the type of the memory."""
        return NotImplemented

    def compose(self, record: Composite, values: list[Any]) -> Any:
        """Run a composed function, cast as a whole if it is listed: what it calls is then cast no more."""
        wanted = self._wanted(record.signature.base)
        if wanted is None:
            return record.function(*values)
        return self._cast_and_run(wanted, lambda cast: record.function(*cast), values)

    def drawn(self, draw: Callable[[tuple[int, ...]], Any], size: tuple[int, ...]) -> Any:
        """draw(size)."""
        return draw(size)

    def function_rule(self, cls: Any, args: tuple[Any, ...]) -> None:
        """A custom Function runs as it is."""

    def after_function(self, *_call: Any) -> None:
        """And nothing is left to do then."""

    def _wanted(self, name: str) -> dtype | None:
        return self.short if name in SHORT else float32 if name in FULL else None

    def _cast_and_run(self, wanted: dtype, call: Callable[[list[Any]], Any], values: list[Any]) -> Any:
        STATE.batching = None
        try:
            return call([self._cast(v, wanted) for v in values])
        finally:
            STATE.batching = self

    def _cast(self, v: Any, wanted: dtype) -> Any:
        if isinstance(v, list | tuple):
            return type(v)(self._cast(x, wanted) for x in v) if type(v) in (list, tuple) else v
        if not isinstance(v, TensorBase) or v.dtype is wanted or v.dtype is float64 or not v.dtype.is_floating_point:
            return v
        parameter = v._requires and v._fn is None and v._base is None and v.dtype is float32
        if self.kept is None or wanted is not self.short or not parameter:
            return apply(TO_COPY, (v,), {"dtype": wanted})
        if id(v) not in self.kept:
            self.kept[id(v)] = (v, apply(TO_COPY, (v,), {"dtype": wanted}))
        return self.kept[id(v)][1]
