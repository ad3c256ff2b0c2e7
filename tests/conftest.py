"""What holds for all tests: none is timed, as one of a loaded machine would fail for its neighbours' sake."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
