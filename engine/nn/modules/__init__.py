"""All layers."""

from engine.nn.modules.activation import *  # noqa: F403
from engine.nn.modules.adaptive import *  # noqa: F403
from engine.nn.modules.attention import *  # noqa: F403
from engine.nn.modules.batchnorm import *  # noqa: F403
from engine.nn.modules.container import *  # noqa: F403
from engine.nn.modules.conv import *  # noqa: F403
from engine.nn.modules.dropout import *  # noqa: F403
from engine.nn.modules.fractional_pooling import *  # noqa: F403
from engine.nn.modules.instancenorm import *  # noqa: F403
from engine.nn.modules.lazy_conv import *  # noqa: F403
from engine.nn.modules.lazy_norm import *  # noqa: F403
from engine.nn.modules.linear import *  # noqa: F403
from engine.nn.modules.loss import *  # noqa: F403
from engine.nn.modules.module import *  # noqa: F403
from engine.nn.modules.normalization import *  # noqa: F403
from engine.nn.modules.padding import *  # noqa: F403
from engine.nn.modules.parameters import *  # noqa: F403
from engine.nn.modules.pooling import *  # noqa: F403
from engine.nn.modules.rnn import *  # noqa: F403
from engine.nn.modules.shape import *  # noqa: F403
from engine.nn.modules.sparse import *  # noqa: F403
from engine.nn.modules.transformer import *  # noqa: F403
