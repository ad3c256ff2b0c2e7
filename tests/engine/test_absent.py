"""What is said of a Tensor's attributes that are not there: PyTorch's words, or that the playground lacks them."""

import sys

import pytest

import engine
from engine.absent import AbsentName, names_of
from engine.instead import INSTEAD, instead_of
from engine.pytorch_inner_names import INNER_NAMES
from engine.pytorch_modules import MODULES

torch = engine.install_as_torch()
MISSING = sorted(n for n in names_of("torch.Tensor") if isinstance(vars(torch.Tensor).get(n), AbsentName))


@pytest.mark.parametrize("name", MISSING)
def test_a_missing_method_is_said_to_be_missing_here(name):
    for owner in (torch.ones(2), torch.nn.Parameter(torch.ones(2)), torch.Tensor):
        assert not hasattr(owner, name)
        with pytest.raises(AttributeError, match=rf"^PyTorch has torch\.Tensor\.{name}, the playground does not yet"):
            getattr(owner, name)


def test_the_hint_is_a_name_that_exists():
    with pytest.raises(AttributeError) as e:
        torch.ones(2).sparse_resize_  # noqa: B018 - reading it is the test
    assert str(e.value).endswith("the nearest name here is torch.Tensor.sparse_dim")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("torch.jit.script", "programs run here as they are written: call the function or module itself"),
        ("torch.sparse_coo_tensor", "the same numbers in a dense tensor are here"),
        ("torch.quantize_per_tensor", "torch.fake_quantize_per_tensor_affine is here, and rounds in the same way"),
        ("torch.Tensor.chalf", "complex64 is the smallest complex dtype here"),
        ("torch.hub", "there is no network here: build the module, and give it numbers by load_state_dict"),
        ("torch.utils.data.IterDataPipe", "Dataset, IterableDataset and DataLoader are here"),
    ],
)
def test_the_hint_says_what_serves_instead(name, said):
    owner, last = eval(name.rpartition(".")[0]), name.rpartition(".")[2]
    with pytest.raises(AttributeError) as e:
        getattr(owner, last)
    assert str(e.value) == f"PyTorch has {name}, the playground does not yet; {said}"


@pytest.mark.parametrize("name", INSTEAD)
def test_what_serves_instead_is_said_of_names_that_are_missing(name):
    """A name of the table that has come to exist has no place in it any more."""
    owner, _, last = name.rstrip(".").rpartition(".")
    found = sys.modules if name.startswith("torch.") and owner in sys.modules else {}
    known = names_of(name.rstrip(".")) if name.endswith(".") else names_of(owner)
    begun = {n for n in known if name.endswith(".") or n.startswith(last)}
    assert begun, "PyTorch has no such name"
    place = found.get(name.rstrip(".") if name.endswith(".") else owner, torch.Tensor)
    assert any(not hasattr(place, n) for n in begun)


@pytest.mark.parametrize(("owner", "name"), [(o, n) for o, text in MODULES.items() for n in text.split()])
def test_a_module_of_pytorchs_is_said_to_be_missing_here(owner, name):
    assert f"{owner}.{name}" not in sys.modules
    with pytest.raises(ModuleNotFoundError) as e:
        exec(f"import {owner}.{name}", {})
    hint = instead_of(f"{owner}.{name}")
    assert str(e.value) == f"PyTorch has {owner}.{name}, the playground does not yet" + (f"; {hint}" if hint else "")


def test_other_names_are_unknown_in_pytorchs_words():
    with pytest.raises(AttributeError, match=r"^'Tensor' object has no attribute 'foo'$"):
        torch.ones(2).foo  # noqa: B018 - reading it is the test


def test_a_program_may_use_such_a_name_itself():
    x = torch.ones(2)
    x.indices = 3
    assert x.indices == 3


def test_reading_an_attribute_runs_no_python():
    """A `__getattr__` would make every attribute of every tensor slow to read."""
    assert all("__getattr__" not in vars(c) for c in torch.Tensor.__mro__)


@pytest.mark.parametrize(
    "name", ["torch.autograd", "torch.autograd.graph", "torch.nn", "torch.nn.init", "torch.linalg"]
)
def test_a_module_shows_no_name_that_pytorchs_lacks(name):
    module = sys.modules[name]
    shown = {n for n in dir(module) if n[0] != "_" and f"{name}.{n}" not in sys.modules}
    assert names_of(name)
    assert not shown - names_of(name)


@pytest.mark.parametrize(
    "program",
    ["import torch.fx", "import torch.fx.graph as g", "from torch.fx import symbolic_trace", "from torch import fx"],
)
def test_a_missing_module_is_said_to_be_missing_here(program):
    with pytest.raises(ModuleNotFoundError, match=r"^PyTorch has torch\.fx, the playground does not yet; the graph"):
        exec(program, {})


def test_a_name_that_cannot_be_imported_is_said_to_be_missing_here():
    name = sorted(names_of("torch.nn") - set(dir(torch.nn)))[0]
    with pytest.raises(ImportError, match=rf"^PyTorch has torch\.nn\.{name}, the playground does not yet$"):
        exec(f"from torch.nn import {name}", {})


@pytest.mark.parametrize(
    ("module", "name"),
    [(m, n) for m, text in INNER_NAMES.items() for n in text.split() if not hasattr(sys.modules[m], n)],
)
def test_a_name_of_an_inner_module_is_said_to_be_missing_here(module, name):
    with pytest.raises(AttributeError, match=rf"^PyTorch has {module}\.{name}, the playground does not yet"):
        getattr(sys.modules[module], name)


@pytest.mark.parametrize("program", ["import torch.nothing", "from torch.nn import Nothing"])
def test_a_misspelt_import_has_pythons_words(program):
    with pytest.raises(ImportError, match=r"^(No module named|cannot import name)"):
        exec(program, {})


def test_a_singular_matrix_is_caught_by_linalgs_own_error():
    with pytest.raises(torch.linalg.LinAlgError, match="singular"):
        torch.linalg.inv(torch.zeros(2, 2))
