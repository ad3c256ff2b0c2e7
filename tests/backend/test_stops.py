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
space = {"alarm": lambda: signal.raise_signal(signal.SIGALRM)}  # once: there is no other chance
exec(compile(RECORDER, "/recorder/notes.py", "exec"), space)
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
    if begun == 5:
        alarm()
    for _ in range(100):
        pass
    whole += 1
"""


def probe(program: str) -> list:
    """Where the program was stopped, how many records it has whole and begun, whether it runs untraced again."""
    code = PROBE.replace("RECORDER", repr(RECORDER)).replace("PROGRAM", repr(program))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_a_program_that_keeps_the_recorder_busy_is_stopped_between_two_records() -> None:
    assert probe("for _ in range(2_000): record()") == ["program", 5, 5, True]


def test_also_in_a_line_that_never_ends() -> None:
    assert probe("[record() for _ in range(2_000)]") == ["program", 5, 5, True]


def test_and_at_once_where_no_record_is_being_written() -> None:
    assert probe("record()\nfor n in range(2_000):\n    if n == 9: alarm()\n    if n > 9: record()") == [
        "program",
        1,
        1,
        True,
    ]
