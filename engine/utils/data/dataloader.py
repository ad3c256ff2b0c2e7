"""The DataLoader: batches of a dataset, in the order and with the random numbers of PyTorch."""

import math
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from engine.utils.data.collate import default_collate, default_convert
from engine.utils.data.dataset import IterableDataset, samples_at
from engine.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler, random_seed
from engine.utils.data.worker import Worker, WorkerInfo, get_worker_info
from engine.warning import warn, warn_inside

T = TypeVar("T", covariant=True)
FIXED = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")


class _NoIndices:
    """The sampler of iterable datasets, which need no indices."""

    def __iter__(self) -> Iterator[None]:
        while True:
            yield None


class DataLoader(Generic[T]):
    """Iterating over it gives one epoch of batches: https://docs.pytorch.org/docs/stable/data.html

    Workers are accepted and run in this process. Raises ValueError for options that exclude each other.
    """

    _initialized = False

    def __init__(
        self, dataset: Any, batch_size: int | None = 1, shuffle: bool | None = None, sampler: Any = None,
        batch_sampler: Any = None, num_workers: int = 0, collate_fn: Callable[[list[Any]], Any] | None = None,
        pin_memory: bool = False, drop_last: bool = False, timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None, multiprocessing_context: Any = None, generator: Any = None,
        *, prefetch_factor: int | None = None, persistent_workers: bool = False, pin_memory_device: str = "",
        in_order: bool = True,
    ):  # fmt: skip
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers, multiprocessing_context)
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = 2 if num_workers > 0 and prefetch_factor is None else prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order
        self._iterable = isinstance(dataset, IterableDataset)
        if self._iterable:
            _check_iterable(shuffle, sampler, batch_sampler)
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
            batch_size, drop_last = None, False
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if sampler is None:
            if self._iterable:
                sampler = _NoIndices()
            else:
                sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        if collate_fn is None:
            collate_fn = default_collate if self._auto_collation else default_convert
        self.collate_fn = collate_fn
        self.persistent_workers = persistent_workers
        self._reported_length: int | None = None
        self._initialized = True

    def __setattr__(self, name: str, value: Any) -> None:
        if self._initialized and name in FIXED:
            raise ValueError(f"{name} attribute should not be set after {type(self).__name__} is initialized")
        super().__setattr__(name, value)

    def __iter__(self) -> "_SingleProcessDataLoaderIter":
        return (_MultiProcessingDataLoaderIter if self.num_workers else _SingleProcessDataLoaderIter)(self)

    @property
    def _auto_collation(self) -> bool:
        """Whether samples are put together to batches."""
        return self.batch_sampler is not None

    @property
    def _index_sampler(self) -> Any:
        return self.batch_sampler if self._auto_collation else self.sampler

    def __len__(self) -> int:
        if not self._iterable:
            return len(self._index_sampler)
        n = self._reported_length = len(self.dataset)
        if self.batch_size is None:
            return n
        return n // self.batch_size if self.drop_last else math.ceil(n / self.batch_size)


class _SingleProcessDataLoaderIter:
    """One iteration over a loader. Making it draws one number, as PyTorch does for the seed of its workers."""

    def __init__(self, loader: DataLoader[Any]):
        if loader.pin_memory and loader.pin_memory_device:
            warn(
                "pin_memory_device is deprecated, the current accelerator will be used as the device,ignore "
                f"pin_memory_device='{loader.pin_memory_device}'."
            )
        if loader.pin_memory:
            warn_inside(
                "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be "
                "used."
            )
        self._loader = loader
        self._indices = iter(loader._index_sampler)
        self._base_seed = random_seed(loader.generator)
        self._yielded = 0
        self._turn = 0
        self._fetchers = [self._worker(i) for i in range(loader.num_workers)] or [self._fetcher()]

    def _fetcher(self) -> Any:
        return (_FromIterable if self._loader._iterable else _FromMap)(self._loader)

    def _worker(self, i: int) -> Worker:
        loader = self._loader
        info = WorkerInfo(i, loader.num_workers, self._base_seed + i, loader.dataset)
        return Worker(info, self._fetcher, loader.worker_init_fn)

    def __iter__(self) -> "_SingleProcessDataLoaderIter":
        return self

    def __next__(self) -> Any:
        index = next(self._indices)
        data = self._fetch(index)
        self._yielded += 1
        reported = self._loader._reported_length
        if self._loader._iterable and reported is not None and self._yielded > reported:
            warn(
                f"Length of IterableDataset {self._loader.dataset} was reported to be {reported}(when accessing "
                f"len(dataloader)), but {self._yielded} samples have been fetched. "
            )
        return data

    def _fetch(self, index: Any) -> Any:
        """From the fetchers in turn; one that is over leaves the round."""
        while True:
            self._turn %= len(self._fetchers)
            try:
                data = self._fetchers[self._turn].fetch(index)
            except StopIteration:
                if len(self._fetchers) == 1:
                    raise
                del self._fetchers[self._turn]
            else:
                self._turn += 1
                return data

    def __len__(self) -> int:
        return len(self._loader._index_sampler)


class _MultiProcessingDataLoaderIter(_SingleProcessDataLoaderIter):
    """The same for a loader with workers, which take their turns here instead of running at once."""


class _FromMap:
    """Fetches samples by index."""

    def __init__(self, loader: DataLoader[Any]):
        self.dataset, self.batched, self.collate = loader.dataset, loader._auto_collation, loader.collate_fn

    def fetch(self, index: Any) -> Any:
        """The batch of a list of indices, or the sample of one."""
        return self.collate(samples_at(self.dataset, index) if self.batched else self.dataset[index])


class _FromIterable:
    """Fetches the next samples. Raises StopIteration when there are none, or too few for a full batch."""

    def __init__(self, loader: DataLoader[Any]):
        self.samples, self.batched, self.collate = iter(loader.dataset), loader._auto_collation, loader.collate_fn
        self.drop_last, self.ended = loader.drop_last, False

    def fetch(self, index: Any) -> Any:
        """As many samples as the index has places, or one."""
        if self.ended:
            raise StopIteration
        if not self.batched:
            return self.collate(next(self.samples))
        batch = []
        for _ in index:
            try:
                batch.append(next(self.samples))
            except StopIteration:
                self.ended = True
                break
        if not batch or (self.drop_last and len(batch) < len(index)):
            raise StopIteration
        return self.collate(batch)


def _check_workers(num_workers: int, timeout: float, prefetch: int | None, persistent: bool, context: Any) -> None:
    """Raise ValueError for numbers of workers that cannot be, and for options that need workers."""
    if num_workers < 0:
        raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if num_workers == 0 and prefetch is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable "
            "multiprocessing, otherwise set prefetch_factor to None."
        )
    if prefetch is not None and prefetch < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if persistent and num_workers == 0:
        raise ValueError("persistent_workers option needs num_workers > 0")
    if context is not None and num_workers == 0:
        raise ValueError(
            "multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got "
            f"num_workers={num_workers}"
        )


def _check_iterable(shuffle: Any, sampler: Any, batch_sampler: Any) -> None:
    """Raise ValueError for an order asked of an iterable dataset."""
    begin = "DataLoader with IterableDataset: expected unspecified"
    if shuffle not in (False, None):
        raise ValueError(f"{begin} shuffle option, but got shuffle={shuffle}")
    if sampler is not None:
        raise ValueError(f"{begin} sampler option, but got sampler={sampler}")
    if batch_sampler is not None:
        raise ValueError(f"{begin} batch_sampler option, but got batch_sampler={batch_sampler}")


__all__ = ["DataLoader", "default_collate", "default_convert", "get_worker_info"]
