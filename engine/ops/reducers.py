"""numpy's reductions as plain functions of (array, axis, dtype, out, keepdims): one look-up instead of two per call."""

from typing import Any

import numpy as np

add_up: Any = np.add.reduce
multiply_up: Any = np.multiply.reduce
largest: Any = np.maximum.reduce
smallest: Any = np.minimum.reduce
every: Any = np.logical_and.reduce
