"""The names that the editor completes are those that programs can use."""

import json

from scripts.make_torch_names import HEAD, TARGET, torch_names


def test_generated_file_is_current() -> None:
    assert TARGET.read_text(encoding="utf-8") == torch_names()


def test_the_everyday_names_are_there_and_nothing_private() -> None:
    table = {name: set(text.split()) for name, text in json.loads(torch_names()[len(HEAD) :].rstrip(";\n")).items()}
    assert {"tensor", "no_grad", "nn", "float32"} <= table["torch"]
    assert {"backward", "requires_grad_", "sum", "grad"} <= table["torch.Tensor"]
    assert {"Linear", "functional"} <= table["torch.nn"]
    assert "cross_entropy" in table["torch.nn.functional"]
    assert not any(name.startswith("_") for names in table.values() for name in names)
