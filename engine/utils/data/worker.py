"""Workers of a DataLoader. All run in this process, one at a time, each with its own random stream."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from engine import random


class WorkerInfo:
    """What `get_worker_info()` returns in a worker: its id, how many there are, its seed, the dataset."""

    def __init__(self, id: int, num_workers: int, seed: int, dataset: Any):
        self.id = id
        self.num_workers = num_workers
        self.seed = seed
        self.dataset = dataset

    def __repr__(self) -> str:
        return f"WorkerInfo(id={self.id}, num_workers={self.num_workers}, seed={self.seed}, dataset={self.dataset})"


class _Current:
    info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """About the worker whose code runs now; None outside workers."""
    return _Current.info


class Worker:
    """One worker: fetches batches under its own random state."""

    def __init__(self, info: WorkerInfo, make_fetcher: Callable[[], Any], init: Callable[[int], None] | None):
        self.info = info
        self.state = random.Generator().manual_seed(info.seed).get_state()
        with self._here():
            if init is not None:
                init(info.id)
            self.fetcher = make_fetcher()

    def fetch(self, index: Any) -> Any:
        """The batch for what the sampler said. Raises StopIteration when an iterable dataset is over."""
        with self._here():
            return self.fetcher.fetch(index)

    @contextmanager
    def _here(self) -> Iterator[None]:
        outside, info = random.default_generator.get_state(), _Current.info
        random.default_generator.set_state(self.state)
        _Current.info = self.info
        try:
            yield
        finally:
            self.state = random.default_generator.get_state()
            random.default_generator.set_state(outside)
            _Current.info = info
