"""Start the server for `make run`, after saying what is about to happen.

`python scripts/serve.py --host HOST --port PORT` replaces itself with `python -m backend` and the same two options.
With `--check` it only looks whether the port is free. Where the kernel cannot lock a run in (macOS, Windows) the
server runs programs with a reduced sandbox: this script asks for that openly, since the code run is the user's own.
"""

import argparse
import errno
import os
import socket
import subprocess
import sys

REDUCED_FLAG = "--reduced-sandbox"


def why_not(host: str, port: int) -> str | None:
    """One sentence about why a server cannot listen there; None when it can."""
    if not 0 < port < 65536:
        return f"{port} is not a port number: use one from 1 to 65535, as in `make run PORT=8001`."
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as listener:
            if os.name == "posix":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return f"port {port} is in use: stop what listens there, or choose another by `make run PORT={port + 1}`."
        return f"cannot listen on {host} port {port}: {error.strerror or error}."
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--check", action="store_true", help="only look whether the port is free")
    options = parser.parse_args()
    reason = why_not(options.host, options.port)
    if reason:
        print(f"run: {reason}", file=sys.stderr)
        return 1
    if options.check:
        return 0
    command = [sys.executable, "-m", "backend", "--host", options.host, "--port", str(options.port)]
    if sys.platform != "linux":
        print(f"run: this system has no seccomp, so programs run in a reduced sandbox ({REDUCED_FLAG}):")
        print("run: paste only code you would run yourself.")
        command.append(REDUCED_FLAG)
    print(f"run: serving http://{options.host}:{options.port} (Ctrl+C stops it)", flush=True)
    if os.name == "posix":
        os.execv(command[0], command)
    try:
        return subprocess.run(command, check=False).returncode
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    raise SystemExit(main())
