"""Ports for the servers of tests."""

import random
import socket

# Below those that systems hand out by themselves: between asking and listening nobody else is given one of these.
_CANDIDATES = range(20_000, 30_000)


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    for port in random.SystemRandom().sample(_CANDIDATES, len(_CANDIDATES)):  # programs seed the shared generator
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no port is free")
