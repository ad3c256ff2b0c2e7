"""All layers."""

from engine.nn.modules.activation import *  # noqa: F403
from engine.nn.modules.batchnorm import *  # noqa: F403
from engine.nn.modules.container import *  # noqa: F403
from engine.nn.modules.dropout import *  # noqa: F403
from engine.nn.modules.linear import *  # noqa: F403
from engine.nn.modules.loss import *  # noqa: F403
from engine.nn.modules.module import Module
