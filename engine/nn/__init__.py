"""torch.nn: modules, parameters, their first values, and functions."""

from engine.nn.factory_kwargs import factory_kwargs as factory_kwargs
from engine.nn.modules import *  # noqa: F403
from engine.nn.parallel import DataParallel as DataParallel
from engine.nn.parameter import Buffer as Buffer
from engine.nn.parameter import Parameter as Parameter
from engine.nn.parameter import UninitializedBuffer as UninitializedBuffer
from engine.nn.parameter import UninitializedParameter as UninitializedParameter
