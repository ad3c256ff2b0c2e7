"""Every number and switch of the service, in one place, each settable by an environment variable.

The variable is `AUTOGRAD_` and the field's name in capitals: `AUTOGRAD_MEMORY_BYTES=268435456`. Nothing else
of the backend reads the environment. Limits are plain data: they travel to the sandbox as JSON and are shown
to the user in the message of the limit that was hit.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TypeVar

PREFIX = "AUTOGRAD_"
PROJECT_ROOT = Path(__file__).absolute().parent.parent
Record = TypeVar("Record", "Limits", "Settings")
_CHOICES = {"log_level": ("debug", "info", "warning", "error"), "log_format": ("auto", "json", "text")}


class SettingsError(ValueError):
    """An environment variable does not hold what its setting needs."""


@dataclass(frozen=True)
class Limits:
    """What one run may use. Sizes in bytes, times in seconds."""

    code_bytes: int = 64 * 1024
    """Length of a program as UTF-8."""
    console_bytes: int = 64 * 1024
    """What a program may print; more is cut."""
    reply_bytes: int = 4 * 1024 * 1024
    """Size of a trace as JSON; of a larger one the first steps are kept."""
    memory_bytes: int = 512 * 1024 * 1024
    """Address space beyond what Python and the engine take themselves."""
    soft_seconds: float = 2.0
    """Wall time after which the program is interrupted at its current line."""
    hard_seconds: float = 2.5
    """Wall time after which the process is killed, whatever the program is doing."""
    trace_seconds: float = 3.0
    """Wall time that the trace of a program that is over may take, beyond that."""
    cpu_soft_seconds: int = 2
    """Processor time after which the program is interrupted at its current line."""
    cpu_hard_seconds: int = 6
    """Processor time after which the kernel kills the process, trace included."""

    def __post_init__(self) -> None:
        for soft, hard in (("soft_seconds", "hard_seconds"), ("cpu_soft_seconds", "cpu_hard_seconds")):
            if getattr(self, soft) > getattr(self, hard):
                raise SettingsError(f"{PREFIX}{soft.upper()} must not be above {PREFIX}{hard.upper()}.")

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Limits":
        return cls(**json.loads(text))


@dataclass(frozen=True)
class Settings:
    """The service around the runs."""

    limits: Limits = field(default_factory=Limits)
    concurrency: int = 0
    """Runs at the same time; 0 means one for each core this process may use."""
    queue_length: int = 32
    """Runs that may wait for a place; one more is answered 429. Clients take turns."""
    run_rate: str = "1200/minute"
    """Programs one client may have run, such as `10/second`; more is answered 429. Empty: no bound. Clients on this
    machine are not counted."""
    snippet_rate: str = "60/minute"
    """Snippets one client may store. Empty: no bound."""
    snippet_days: float = 0.0
    """Days after which a snippet is forgotten; 0 keeps it for good."""
    database_url: str = ""
    """Where snippets are kept, as SQLAlchemy writes it: `postgresql://user:password@host/name`. Empty: a SQLite file in
    `data_dir`. Also read from `DATABASE_URL`."""
    data_dir: str = str(PROJECT_ROOT / "var")
    """Folder of the SQLite file; made when it is needed."""
    spares: int = 2
    """Locked children kept waiting beyond the places taken."""
    cache_bytes: int = 32 * 1024 * 1024
    """Room for traces of programs that would do the same again, given to whoever asks for the same; 0: every request
    is run."""
    recycle_after: int = 1000
    """Runs after which the process that forks children is replaced."""
    reduced_sandbox: bool = False
    """Reduced mode: a plain subprocess for a run. Only for one's own code, only on the loopback interface."""
    frame_ancestors: str = "'self'"
    """Who may embed the page: the value of the CSP directive of that name."""
    cors_origins: str = ""
    """Origins of other sites whose pages may use the API, separated by commas; `*` for all. Empty: none may."""
    frontend_dir: str = str(PROJECT_ROOT / "frontend" / "dist")
    """Folder of the built page."""
    trusted_proxies: str = "127.0.0.1"
    """Addresses or networks (`172.16.0.0/12`) of reverse proxies whose `X-Forwarded-For` is believed, separated by
    commas; `*` for all."""
    shutdown_seconds: int = 10
    """How long the runs under way may take to finish when the service is told to stop."""
    metrics: bool = True
    """Whether `/metrics` answers."""
    log_level: str = "warning"
    """`info` for a line a request; `warning`; `error`."""
    log_format: str = "auto"
    """`json`, `text`, or `auto`: text on a terminal, else JSON."""
    gzip_level: int = 3
    """For replies to clients that accept gzip; 0 turns compression off."""

    @property
    def places(self) -> int:
        return self.concurrency or available_cores()

    @property
    def body_bytes(self) -> int:
        """A JSON string may spend six bytes on one byte of code (`\\u0000`)."""
        return 6 * self.limits.code_bytes + 1024

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> "Settings":
        """Defaults, overridden by `AUTOGRAD_*`. Raises SettingsError for a value of the wrong kind."""
        environ = os.environ if environ is None else environ
        found = replace(_overridden(cls(), environ), limits=_overridden(Limits(), environ))
        url = found.database_url or environ.get("DATABASE_URL", "")
        found = replace(found, database_url=url)
        for name, words in _CHOICES.items():
            if getattr(found, name) not in words:
                raise SettingsError(f"{PREFIX}{name.upper()}={getattr(found, name)!r}: one of {', '.join(words)}.")
        return found


def available_cores() -> int:
    """Cores this process may run on, never less than one."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _overridden(defaults: Record, environ: Mapping[str, str]) -> Record:
    changes = {}
    for item in fields(defaults):
        text = environ.get(PREFIX + item.name.upper())
        default = getattr(defaults, item.name)
        if text is not None and isinstance(default, bool | int | float | str):
            changes[item.name] = _parse(PREFIX + item.name.upper(), text, type(default))
    return replace(defaults, **changes)


def _parse(variable: str, text: str, kind: type) -> object:
    if kind is bool:
        words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False, "": False}
        if text.lower() not in words:
            raise SettingsError(f"{variable}={text!r}: write 1 or 0.")
        return words[text.lower()]
    if kind is str:
        return text
    try:
        value = kind(text)
    except ValueError:
        raise SettingsError(f"{variable}={text!r} is not a number.") from None
    if not 0 <= value < float("inf"):
        raise SettingsError(f"{variable}={text!r} must be a finite number, not below 0.")
    return value
