"""Everything a program may have switched, back to how a fresh interpreter has it."""

from engine import printing
from engine.dtypes import NARROW, float32, set_default_dtype
from engine.modes import STATE
from engine.warning import forget_warned


def reset_engine() -> None:
    """Gradient recording on, no observers, default dtype and print options, sequence numbers from 0."""
    STATE.reset()
    set_default_dtype(float32)
    NARROW.used = False
    printing.set_printoptions(profile="default")
    forget_warned()
