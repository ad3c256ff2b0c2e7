"""`torch.distributions.transforms`: functions of random numbers whose inverse and change of volume are known."""

from engine.distributions.transforms.matrices import (
    CorrCholeskyTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
)
from engine.distributions.transforms.numbers import (
    AbsTransform,
    AffineTransform,
    CumulativeDistributionTransform,
    ExpTransform,
    PowerTransform,
    SigmoidTransform,
    SoftplusTransform,
    TanhTransform,
)
from engine.distributions.transforms.shapes import ReshapeTransform
from engine.distributions.transforms.slices import CatTransform, StackTransform
from engine.distributions.transforms.transform import (
    ComposeTransform,
    IndependentTransform,
    Transform,
    identity_transform,
)
from engine.distributions.transforms.vectors import SoftmaxTransform, StickBreakingTransform

__all__ = [
    "AbsTransform", "AffineTransform", "CatTransform", "ComposeTransform", "CorrCholeskyTransform",
    "CumulativeDistributionTransform", "ExpTransform", "IndependentTransform", "LowerCholeskyTransform",
    "PositiveDefiniteTransform", "PowerTransform", "ReshapeTransform", "SigmoidTransform", "SoftmaxTransform",
    "SoftplusTransform", "StackTransform", "StickBreakingTransform", "TanhTransform", "Transform",
    "identity_transform",
]  # fmt: skip
