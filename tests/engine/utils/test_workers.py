"""Workers of a DataLoader, which run in this process: their order, seeds and what they know of themselves."""

import pytest

from engine import install_as_torch

torch = install_as_torch()
data = torch.utils.data


class Numbers(data.IterableDataset):
    """0 to 5, shared among the workers."""

    def __iter__(self):
        info = data.get_worker_info()
        start, step = (0, 1) if info is None else (info.id, info.num_workers)
        return iter(range(start, 6, step))


class Draws(data.Dataset):
    """Samples are random numbers."""

    def __len__(self):
        return 4

    def __getitem__(self, i):
        return torch.rand(())


def test_batches_come_in_the_order_of_one_process():
    squares = data.TensorDataset(torch.arange(5) ** 2)
    assert [b[0].tolist() for b in data.DataLoader(squares, batch_size=2, num_workers=2)] == [[0, 1], [4, 9], [16]]


def test_workers_share_an_iterable_dataset_in_turn():
    loader = data.DataLoader(Numbers(), batch_size=2, num_workers=2)
    assert [b.tolist() for b in loader] == [[0, 2], [1, 3], [4], [5]]
    assert data.get_worker_info() is None


def test_each_worker_draws_from_its_own_stream():
    torch.manual_seed(0)
    drawn = torch.cat(list(data.DataLoader(Draws(), num_workers=2)))
    after = torch.rand(1)
    torch.manual_seed(0)
    seed = torch.empty((), dtype=torch.int64).random_().item()
    assert torch.equal(after, torch.rand(1))
    for worker in (0, 1):
        torch.manual_seed(seed + worker)
        assert drawn[worker::2].tolist() == [torch.rand(1).item(), torch.rand(1).item()]


def test_the_init_function_runs_in_each_worker():
    seen = []
    loader = data.DataLoader(
        Draws(), num_workers=3, worker_init_fn=lambda i: seen.append((i, data.get_worker_info().id))
    )
    list(loader)
    assert seen == [(0, 0), (1, 1), (2, 2)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_workers": -1}, "num_workers option should be non-negative"),
        ({"prefetch_factor": 2}, "prefetch_factor option could only be specified in multiprocessing"),
        ({"persistent_workers": True}, "persistent_workers option needs num_workers > 0"),
        ({"timeout": -1}, "timeout option should be non-negative"),
        ({"batch_size": None, "drop_last": True}, "mutually exclusive with drop_last"),
    ],
)
def test_options_that_cannot_be_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        data.DataLoader(Draws(), **options)


def test_what_is_fixed_stays_fixed():
    loader = data.DataLoader(Draws())
    with pytest.raises(ValueError, match="batch_size attribute should not be set after DataLoader is initialized"):
        loader.batch_size = 3
