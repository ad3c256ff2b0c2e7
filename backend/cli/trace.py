"""`python -m backend trace FILE`: run a program in the sandbox, as the API would, and print its trace."""

import argparse
import asyncio
import dataclasses
import json
import sys
from collections.abc import Sequence

from pydantic import ValidationError

from backend.cli.source import read_source
from backend.inspection import dot, mermaid, transcript
from backend.requests import RunOptions
from backend.sandbox.choice import NoSandboxHere, new_sandbox
from backend.sandbox.errors import SandboxUnavailable
from backend.sandbox.finished import Finished
from backend.settings import Settings, SettingsError

_RENDERERS = {"dot": dot.render, "mermaid": mermaid.render, "text": transcript.render}


def main(arguments: Sequence[str]) -> int:
    """0 when the program ended well, 1 when it did not (its trace is printed all the same), 2 when it was not run."""
    asked = _parser().parse_args(arguments)
    try:
        settings = Settings.from_environment()
        reduced = asked.reduced_sandbox or settings.reduced_sandbox
        settings = dataclasses.replace(settings, concurrency=1, spares=0, reduced_sandbox=reduced)
        code = read_source(asked.file, settings.limits)
        options = RunOptions.model_validate_json(asked.options)
        finished = asyncio.run(_run(settings, code, asked.seed, options.plain()))
    except ValidationError as error:
        print(f"trace: --options: {error.errors()[0]['msg']}", file=sys.stderr)
        return 2
    except (OSError, ValueError, SettingsError, NoSandboxHere, SandboxUnavailable) as error:
        print(f"trace: {error}", file=sys.stderr)
        return 2
    text = finished.body.decode("utf-8") + "\n" if asked.format == "json" else _RENDERERS[asked.format](finished.trace)
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.flush()
    return 0 if finished.status == "ok" else 1


async def _run(settings: Settings, code: str, seed: int, options: dict) -> Finished:
    sandbox = new_sandbox(settings)
    try:
        await sandbox.start()
        return await sandbox.run(code, seed, options)
    finally:
        await sandbox.stop()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m backend trace", description=(__doc__ or "").partition(": ")[2])
    parser.add_argument("file", help="the program; - reads standard input")
    parser.add_argument("--format", choices=("json", *_RENDERERS), default="json")
    parser.add_argument("--seed", type=_seed, default=0, help="given to torch.manual_seed before line 1")
    parser.add_argument(
        "--options",
        default="{}",
        metavar="JSON",
        help=f"as in the API: {json.dumps({'overrides': [{'name': 'x', 'value': 3}], 'until': {'line': 5}})}",
    )
    parser.add_argument("--reduced-sandbox", action="store_true", help="a plain subprocess, with all your rights")
    return parser


def _seed(text: str) -> int:
    if not 0 <= (seed := int(text)) < 2**63:
        raise ValueError
    return seed
