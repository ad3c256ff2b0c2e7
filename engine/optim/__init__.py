"""torch.optim: optimizers and learning-rate schedules."""

from engine.optim import lr_scheduler, optimizer, swa_utils
from engine.optim.adafactor import Adafactor
from engine.optim.adam import Adam, AdamW
from engine.optim.adam_variants import Adamax, NAdam, RAdam
from engine.optim.adaptive import Adadelta, Adagrad, RMSprop
from engine.optim.asgd import ASGD
from engine.optim.lbfgs import LBFGS
from engine.optim.muon import Muon
from engine.optim.optimizer import Optimizer
from engine.optim.rprop import Rprop
from engine.optim.sgd import SGD
from engine.optim.sparse_adam import SparseAdam

__all__ = [
    "ASGD", "LBFGS", "SGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Muon", "NAdam", "Optimizer",
    "RAdam", "RMSprop", "Rprop", "SparseAdam", "lr_scheduler", "optimizer", "swa_utils",
]  # fmt: skip
