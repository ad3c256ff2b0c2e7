"""The sampler that gives each process its share of a dataset."""

import math
from collections.abc import Iterator
from typing import Any

from engine import distributed, random
from engine.generators import Generator
from engine.utils.data.sampler import Sampler, T


class DistributedSampler(Sampler[T]):
    """Every `num_replicas`-th index, from number `rank` on, of all indices in an order that all processes draw alike.

    The indices are repeated from the start until they divide evenly, or cut with `drop_last`. Call `set_epoch` before
    each epoch for another order. Raises ValueError for a rank that there is none of.
    """

    def __init__(
        self,
        dataset: Any,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        num_replicas = distributed.get_world_size() if num_replicas is None else num_replicas
        rank = distributed.get_rank() if rank is None else rank
        if not 0 <= rank < num_replicas:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset, self.num_replicas, self.rank = dataset, num_replicas, rank
        self.epoch = 0
        self.drop_last, self.shuffle, self.seed = drop_last, shuffle, seed
        if drop_last and len(dataset) % num_replicas:
            self.num_samples = math.ceil((len(dataset) - num_replicas) / num_replicas)
        else:
            self.num_samples = math.ceil(len(dataset) / num_replicas)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self) -> Iterator[T]:
        indices: list[Any] = list(range(len(self.dataset)))
        if self.shuffle:
            generator = Generator()
            generator.manual_seed(self.seed + self.epoch)
            indices = random.randperm(generator, len(indices)).tolist()
        if not self.drop_last:
            indices *= math.ceil(self.total_size / max(len(indices), 1))
        return iter(indices[: self.total_size][self.rank :: self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch the next order is for."""
        self.epoch = epoch


__all__ = ["DistributedSampler"]
