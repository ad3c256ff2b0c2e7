"""Loads the examples menu from `backend/examples`: an index, and one file of code for each entry.

`index.json` holds `chapters` (key to title) and `examples` (id, chapter, title, summary), in the order of the menu;
titles and summaries are in English and Chinese. The code is shown exactly as it lies there.
"""

import json
from pathlib import Path

from pydantic import ValidationError

from backend import example_files
from backend.example_files import FOLDER
from backend.schemas import Example, ExampleList


class ExamplesError(ValueError):
    """The folder of examples contradicts itself."""


def load(folder: Path = FOLDER) -> ExampleList:
    """Read and check all examples. Raises ExamplesError."""
    try:
        index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
        examples = [Example(**entry, code=example_files.code(entry["id"], folder)) for entry in index["examples"]]
        loaded = ExampleList(chapters=index["chapters"], examples=examples)
    except (OSError, KeyError, TypeError, json.JSONDecodeError, ValidationError) as error:
        raise ExamplesError(f"the examples cannot be read: {error}") from error
    _check(loaded, folder)
    return loaded


def _check(loaded: ExampleList, folder: Path) -> None:
    ids = [example.id for example in loaded.examples]
    if len(set(ids)) != len(ids):
        raise ExamplesError("two examples have the same id")
    if unlisted := set(example_files.names(folder)) - set(ids):
        raise ExamplesError(f"not in index.json: {', '.join(sorted(unlisted))}")
    if homeless := {example.chapter for example in loaded.examples} - set(loaded.chapters):
        raise ExamplesError(f"no such chapter: {', '.join(sorted(homeless))}")
    if empty := set(loaded.chapters) - {example.chapter for example in loaded.examples}:
        raise ExamplesError(f"chapters without an example: {', '.join(sorted(empty))}")
