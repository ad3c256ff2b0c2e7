"""The programs in `backend/examples` as they lie there: data, not modules of this project."""

from pathlib import Path

FOLDER = Path(__file__).parent / "examples"
_SUFFIX = ".py.txt"


def names(folder: Path = FOLDER) -> list[str]:
    """Of every program there is, in the alphabet's order."""
    return sorted(path.name.removesuffix(_SUFFIX) for path in folder.glob("*" + _SUFFIX))


def code(name: str, folder: Path = FOLDER) -> str:
    """The text of one program. Raises OSError."""
    return (folder / (name + _SUFFIX)).read_text(encoding="utf-8")
