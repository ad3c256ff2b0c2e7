"""A limit of time stops the program at a line of its own, whatever it is busy with."""

import json
import subprocess
import sys

PROBE = """
import json, signal, sys
from backend.sandbox import stops

class Reply:
    busy = False

stops.interrupt_on_signals("program", "/recorder/", Reply())
space = {}
exec(compile(RECORDER, "/recorder/notes.py", "exec"), space)
signal.setitimer(signal.ITIMER_REAL, 0.05)  # once: there is no other chance
try:
    exec(compile(PROGRAM, "program", "exec"), space)
    ended = None
except stops.TimeLimit as stop:
    trace = stop.__traceback__
    files = []
    while trace is not None:
        files.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    ended = next(file for file in reversed(files) if file in ("program", "/recorder/notes.py"))
print(json.dumps([ended, space["whole"], space["begun"], sys.gettrace() is None]))
"""
RECORDER = """
begun = whole = 0
def record():
    global begun, whole
    begun += 1
    for _ in range(20_000):
        pass
    whole += 1
"""


def probe(program: str) -> list:
    code = PROBE.replace("RECORDER", repr(RECORDER)).replace("PROGRAM", repr(program))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return json.loads(done.stdout)


def test_a_program_that_keeps_the_recorder_busy_is_stopped_between_two_records() -> None:
    ended, whole, begun, untraced = probe("for _ in range(2_000): record()")
    assert ended == "program"
    assert 0 < whole < 2_000
    assert whole == begun
    assert untraced


def test_also_in_a_line_that_never_ends() -> None:
    ended, whole, begun, _ = probe("[record() for _ in range(2_000)]")
    assert (ended, whole) == ("program", begun)
    assert whole < 2_000


def test_and_at_once_where_no_record_is_being_written() -> None:
    ended, _, begun, _ = probe("for _ in range(10**9): pass")
    assert (ended, begun) == ("program", 0)
