"""The recorder: an observer of the engine that turns one run of a program into a Trace document."""

from engine.trace.options import Options
from engine.trace.progress import progress
from engine.trace.run import PROGRAM_FILE, trace_program

__all__ = ["PROGRAM_FILE", "Options", "progress", "trace_program"]
