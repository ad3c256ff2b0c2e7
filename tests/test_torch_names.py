"""The names that the editor completes are those that programs can use."""

import json

from engine.pytorch_names import NAMES
from scripts.make_torch_names import HEAD, TARGET, torch_names


def test_generated_file_is_current() -> None:
    assert TARGET.read_text(encoding="utf-8") == torch_names()


def completed() -> dict[str, set[str]]:
    """Names by the module or class they belong to."""
    return {name: set(text.split()) for name, text in json.loads(torch_names()[len(HEAD) :].rstrip(";\n")).items()}


def test_every_name_is_one_of_pytorch() -> None:
    others = {name: names - set(NAMES[name].split()) for name, names in completed().items() if name in NAMES}
    assert not any(others.values()), others


def test_the_everyday_names_are_there_and_nothing_private() -> None:
    table = completed()
    assert {"tensor", "no_grad", "nn", "float32"} <= table["torch"]
    assert {"backward", "requires_grad_", "sum", "grad"} <= table["torch.Tensor"]
    assert {"Linear", "functional"} <= table["torch.nn"]
    assert "cross_entropy" in table["torch.nn.functional"]
    assert not any(name.startswith("_") for names in table.values() for name in names)
