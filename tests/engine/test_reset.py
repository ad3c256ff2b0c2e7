"""What one program leaves switched, the next does not find."""

import pytest

from engine.modes import STATE, State
from engine.reset import reset_engine

SWITCHES = [name for name in State.__slots__ if name != "refresh_view"]  # which is the engine's own, set once


@pytest.mark.parametrize("name", SWITCHES)
def test_every_switch_goes_back(name: str) -> None:
    setattr(STATE, name, object())
    try:
        reset_engine()
        assert getattr(STATE, name) == getattr(State(), name)
    finally:
        STATE.reset()
