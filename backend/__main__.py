"""`python -m backend --host HOST --port PORT`: serve the page and the API; or a command: `trace FILE`, `check FILE`."""

import argparse
import dataclasses
import errno
import socket
import sys

from backend import logs
from backend.app import create_app
from backend.cli import check, trace
from backend.example_store import ExamplesError
from backend.sandbox.choice import NoSandboxHere
from backend.server import Server
from backend.settings import Settings, SettingsError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
COMMANDS = {"trace": trace.main, "check": check.main}
_BACKLOG = 2048
_EPILOG = "Other commands: `trace FILE` prints the trace of a program, `check FILE` which of its names are supported."


class CannotStart(RuntimeError):
    """One sentence on why the service does not start."""


def main() -> int:
    """Serve until stopped. Returns 1, after one sentence on standard error, when it cannot."""
    if sys.argv[1:2] and sys.argv[1] in COMMANDS:
        return COMMANDS[sys.argv[1]](sys.argv[2:])
    options = _options()
    try:
        settings = Settings.from_environment()
        if options.reduced_sandbox:
            settings = dataclasses.replace(settings, reduced_sandbox=True)
        if settings.reduced_sandbox and options.host not in LOOPBACK:
            raise CannotStart("The reduced sandbox serves this machine only: use --host 127.0.0.1.")
        app = create_app(settings)
        listener = _listen(options.host, options.port)
    except (CannotStart, SettingsError, NoSandboxHere, ExamplesError) as error:
        print(f"backend: {error}", file=sys.stderr)
        return 1
    logs.configure(settings.log_level, settings.log_format)
    server = Server(app, settings)
    with listener:
        server.run(sockets=[listener])
    if app.state.refusal is not None:
        print(f"backend: {app.state.refusal}", file=sys.stderr)
    return 0 if server.started else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m backend", description="Serve the page and the API.", epilog=_EPILOG
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument(
        "--reduced-sandbox",
        action="store_true",
        help="run programs in plain subprocesses, with all your rights; for your own code, on this machine only",
    )
    return parser.parse_args()


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            raise CannotStart(f"Port {port} is in use: stop what listens there, or choose another --port.") from None
        raise CannotStart(f"Cannot listen on {host} port {port}: {error}.") from None
    return listener


if __name__ == "__main__":
    sys.exit(main())
