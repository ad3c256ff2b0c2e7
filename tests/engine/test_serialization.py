"""torch.save and torch.load in memory."""

import io
import pickle

import pytest

from engine import install_as_torch

torch = install_as_torch()


def there_and_back(obj, **options):
    buffer = io.BytesIO()
    torch.save(obj, buffer)
    buffer.seek(0)
    return torch.load(buffer, **options)


def test_states_of_models_and_optimizers_come_back():
    model = torch.nn.Linear(2, 1)
    opt = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 2)).sum().backward()
    opt.step()
    got = there_and_back({"model": model.state_dict(), "optimizer": opt.state_dict(), "epoch": 3})
    assert torch.equal(got["model"]["weight"], model.weight)
    assert torch.equal(got["optimizer"]["state"][0]["exp_avg"], opt.state[model.weight]["exp_avg"])
    assert got["epoch"] == 3


def test_tensors_that_share_memory_share_it_again():
    base = torch.arange(4.0)
    got, part = there_and_back((base, base[1:]))
    got[1] = 9
    assert part.tolist() == [9.0, 2.0, 3.0]
    assert part.storage_offset() == 1


def test_a_module_needs_trust():
    model = torch.nn.Linear(2, 1)
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        there_and_back(model)
    assert torch.equal(there_and_back(model, weights_only=False).weight, model.weight)
    with (
        torch.serialization.safe_globals([dict]),
        pytest.raises(pickle.UnpicklingError, match="was not an allowed global"),
    ):
        there_and_back(model)


def test_graphs_are_not_saved():
    y = there_and_back(torch.ones(2, requires_grad=True) * 2)
    assert y.requires_grad
    assert y.is_leaf


def test_there_are_no_files():
    with pytest.raises(OSError, match=r"torch\.save works with an io\.BytesIO"):
        torch.save(torch.ones(1), "model.pt")
    with pytest.raises(OSError, match=r"torch\.load works with an io\.BytesIO"):
        torch.load("model.pt")
    with pytest.raises(EOFError):
        torch.load(io.BytesIO())
