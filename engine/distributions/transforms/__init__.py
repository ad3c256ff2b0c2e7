"""`torch.distributions.transforms`: functions of random numbers whose inverse and change of volume are known."""

from engine.distributions.transforms.numbers import (
    AbsTransform,
    AffineTransform,
    ExpTransform,
    PowerTransform,
    SigmoidTransform,
    SoftplusTransform,
    TanhTransform,
)
from engine.distributions.transforms.transform import (
    ComposeTransform,
    IndependentTransform,
    Transform,
    identity_transform,
)
from engine.distributions.transforms.vectors import LowerCholeskyTransform, SoftmaxTransform, StickBreakingTransform

__all__ = [
    "AbsTransform", "AffineTransform", "ComposeTransform", "ExpTransform", "IndependentTransform",
    "LowerCholeskyTransform", "PowerTransform", "SigmoidTransform", "SoftmaxTransform", "SoftplusTransform",
    "StickBreakingTransform", "TanhTransform", "Transform", "identity_transform",
]  # fmt: skip
