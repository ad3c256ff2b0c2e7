"""What the service writes to standard error: a line a message, as JSON for machines or as text for a terminal.

No program, no output of one and no address of a client is ever part of a line.
"""

import json
import logging
import sys
import time
from contextvars import ContextVar

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
"""Of the request that is being answered; empty outside of one."""

_STANDARD = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    """time, level, logger, message, the request's id, and whatever `extra` held."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id := REQUEST_ID.get():
            line["request_id"] = request_id
        line.update({name: value for name, value in vars(record).items() if name not in _STANDARD})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class TextLines(logging.Formatter):
    """The same for a reader."""

    def format(self, record: logging.LogRecord) -> str:
        extra = [f"{name}={value}" for name, value in vars(record).items() if name not in _STANDARD]
        line = " ".join([f"{record.levelname.lower()}: {record.getMessage()}", *extra])
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def configure(level: str, form: str) -> None:
    """Set the root logger up. `form`: json, text, or auto: text on a terminal."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" or (form == "auto" and not sys.stderr.isatty()) else TextLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)
