"""torch.optim: optimizers and learning-rate schedules."""

from engine.optim import lr_scheduler, optimizer, swa_utils
from engine.optim.adam import Adam, AdamW
from engine.optim.adam_variants import Adamax, NAdam, RAdam
from engine.optim.adaptive import Adadelta, Adagrad, RMSprop
from engine.optim.asgd import ASGD
from engine.optim.lbfgs import LBFGS
from engine.optim.optimizer import Optimizer
from engine.optim.rprop import Rprop
from engine.optim.sgd import SGD

__all__ = [
    "ASGD", "LBFGS", "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "NAdam", "Optimizer", "RAdam", "RMSprop",
    "Rprop", "lr_scheduler", "optimizer", "swa_utils",
]  # fmt: skip
