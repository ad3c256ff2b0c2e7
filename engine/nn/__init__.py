"""torch.nn: modules, parameters, their first values, and functions."""

from engine.nn.modules import *  # noqa: F403
from engine.nn.parameter import Buffer, Parameter, UninitializedParameter
