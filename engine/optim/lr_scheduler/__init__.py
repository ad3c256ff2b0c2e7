"""torch.optim.lr_scheduler: learning rates that change while training."""

from engine.optim.lr_scheduler.composed import ChainedScheduler, SequentialLR
from engine.optim.lr_scheduler.cosine import CosineAnnealingLR, CosineAnnealingWarmRestarts
from engine.optim.lr_scheduler.cyclic import CyclicLR
from engine.optim.lr_scheduler.decay import ConstantLR, ExponentialLR, LinearLR, MultiStepLR, PolynomialLR, StepLR
from engine.optim.lr_scheduler.functions import LambdaLR, MultiplicativeLR
from engine.optim.lr_scheduler.one_cycle import OneCycleLR
from engine.optim.lr_scheduler.plateau import ReduceLROnPlateau
from engine.optim.lr_scheduler.scheduler import LRScheduler, _LRScheduler

__all__ = [
    "ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR", "ExponentialLR",
    "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR", "MultiplicativeLR", "OneCycleLR", "PolynomialLR",
    "ReduceLROnPlateau", "SequentialLR", "StepLR", "_LRScheduler",
]  # fmt: skip
