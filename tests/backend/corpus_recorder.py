"""Hostile programs after the recorder and its reply: traces forged from within, hooks of Python, places, dumps."""

from tests.backend.corpus import Attack, blocked, crashed, harmless
from tests.backend.corpus_engine import X

RECORDER = [
    harmless(
        "the recorder's steps dropped",
        X
        + """from engine.trace import recorder as r
r.Recorder.step = lambda *a, **k: None
(x * 2).sum().backward()
print('on')
""",
        "on\n",
    ),
    crashed(
        "a document of one's own",
        """import engine.trace.run as r
old = r.build_document
r.build_document = lambda *a: {**old(*a), 'steps': 7}
""",
    ),
    crashed(
        "the recorder emptied",
        X
        + """import gc
for o in gc.get_objects():
    if type(o).__name__ == 'Recorder': o.tensors = None
y = x * 2
""",
        "The recorder failed",
    ),
    Attack(
        "another observer",
        X
        + """from engine.modes import STATE
STATE.observers = [1]
y = x * 2
""",
        "error",
        error="AttributeError",
    ),
    Attack(
        "an observer that ends Python",
        X
        + """from engine.modes import STATE
class O:
    def __getattr__(self, n): exit(3)
STATE.observers = (O(),)
y = x * 2
""",
        "error",
        error="SystemExit",
    ),
    Attack(
        "a profiler that raises in the recorder",
        X
        + """import sys
def p(frame, event, arg):
    if frame.f_code.co_filename.endswith('recorder.py'): raise KeyError('p')
sys.setprofile(p)
y = x * 2
""",
        "error",
        error="KeyError",
    ),
    harmless(
        "monitoring",
        """import sys
m = getattr(sys, 'monitoring', None)
if m:
    m.use_tool_id(2, 'x')
    m.register_callback(2, m.events.LINE, lambda *a: 1 / 0 if a[1] < 0 else None)
    m.set_events(2, m.events.LINE)
print('on')
""",
        "on\n",
    ),
    harmless(
        "every dict emptied",
        X
        + """import gc
for o in gc.get_objects():
    if type(o) is dict and o is not globals(): o.clear()
""",
        "",
    ),
    harmless(
        "a socket in the caller's frames is closed",
        """import sys
frame, said = sys._getframe(), set()
while frame:
    for value in [*frame.f_locals.values()]:
        for held in (value, *getattr(value, '__dict__', {}).values()):
            if type(held).__name__ == 'socket':
                try:
                    held.send(b'F')
                except OSError as error: said.add(type(error).__name__)
                else: said.add('sent')
    frame = frame.f_back
print('sent' in said)
""",
        "False\n",
    ),
    harmless(
        "signals taken over",
        """import signal
def f(*a): 1 / 0
for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM):
    signal.signal(number, f)
print('on')
""",
        "on\n",
    ),
    blocked(
        "a signal to oneself",
        """import signal
signal.raise_signal(signal.SIGUSR2)
""",
    ),
]

PLACES = [
    harmless(
        "a forged place",
        """import os
os.write(3, b'P\\x00\\x00\\x00\\x08' + b'\\xff' * 8)
print('on')
""",
        "on\n",
    ),
    crashed(
        "a place that is none",
        """import os
os.write(3, b'P\\x00\\x00\\x00\\x01x')
while True: pass
""",
        "not a trace",
    ),
    crashed(
        "every descriptor closed",
        """import os
for number in range(4): os.close(number)
""",
        "The recorder failed",
    ),
    crashed(
        "a dump of one's own making",
        """import os
os.write(1, b'Current thread 0x1 (most recent call first):\\n  File "program.py", line 999 in x\\n')
os.abort()
""",
        "line 3",
    ),
    Attack(
        "dumps without end",
        """import faulthandler
while True: faulthandler.dump_traceback(file=1)
""",
        "output",
    ),
]

RECORDER_ATTACKS = [*RECORDER, *PLACES]
