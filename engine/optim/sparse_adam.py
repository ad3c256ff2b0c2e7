"""SparseAdam, for sparse gradients alone: PyTorch refuses dense ones, and here there are no others."""

from typing import Any

import numpy as np

from engine.optim.per_parameter import PerParameter, check_betas


class SparseAdam(PerParameter):
    """Adam for sparse gradients: https://docs.pytorch.org/docs/stable/generated/torch.optim.SparseAdam.html"""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ):
        for name, value in (("learning rate", lr), ("epsilon value", eps)):
            if not value > 0.0:
                raise ValueError(f"Invalid {name}: {value}")
        check_betas(betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})
        groups = enumerate(self.param_groups)
        complex_ones = [[i, k] for i, g in groups for k, p in enumerate(g["params"]) if p.dtype.is_complex]
        if complex_ones:
            raise ValueError(
                f"Complex params at indices {complex_ones}: SparseAdam does not support complex parameters"
            )

    def _update(self, group: dict[str, Any], p: Any, g: np.ndarray) -> None:
        raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")


__all__ = ["SparseAdam"]
