"""Loads the examples menu from `backend/examples`: an index, and one file of code for each entry.

`index.json` holds `chapters` (key to title) and `examples` (id, chapter, title, summary), in the order of the menu;
titles and summaries are in English and Chinese. The code of the example `x` is `x.py.txt`: these are data, not modules
of this project, and are shown exactly as they lie there.
"""

import json
from pathlib import Path

from pydantic import ValidationError

from backend.schemas import Example, ExampleList

FOLDER = Path(__file__).parent / "examples"
_CODE_SUFFIX = ".py.txt"


class ExamplesError(ValueError):
    """The folder of examples contradicts itself."""


def load(folder: Path = FOLDER) -> ExampleList:
    """Read and check all examples. Raises ExamplesError."""
    try:
        index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
        examples = [Example(**entry, code=_code(folder, entry["id"])) for entry in index["examples"]]
        loaded = ExampleList(chapters=index["chapters"], examples=examples)
    except (OSError, KeyError, TypeError, json.JSONDecodeError, ValidationError) as error:
        raise ExamplesError(f"the examples cannot be read: {error}") from error
    _check(loaded, folder)
    return loaded


def _code(folder: Path, name: str) -> str:
    return (folder / (name + _CODE_SUFFIX)).read_text(encoding="utf-8")


def _check(loaded: ExampleList, folder: Path) -> None:
    ids = [example.id for example in loaded.examples]
    files = {path.name.removesuffix(_CODE_SUFFIX) for path in folder.glob("*" + _CODE_SUFFIX)}
    if len(set(ids)) != len(ids):
        raise ExamplesError("two examples have the same id")
    if unlisted := files - set(ids):
        raise ExamplesError(f"not in index.json: {', '.join(sorted(unlisted))}")
    if homeless := {example.chapter for example in loaded.examples} - set(loaded.chapters):
        raise ExamplesError(f"no such chapter: {', '.join(sorted(homeless))}")
    if empty := set(loaded.chapters) - {example.chapter for example in loaded.examples}:
        raise ExamplesError(f"chapters without an example: {', '.join(sorted(empty))}")
