"""The first lines of the zygote: says where memory goes before anything is loaded into it."""

import importlib

from backend.sandbox import heap


def main(limits_json: str, control_descriptor: str) -> None:
    """Load the zygote and all it needs, then serve."""
    with heap.in_one_piece():
        zygote = importlib.import_module("backend.sandbox.zygote")
        zygote.load(limits_json)
    zygote.main(limits_json, control_descriptor)
