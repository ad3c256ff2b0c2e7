"""What is counted of the sandbox, for Prometheus. Each sandbox has a registry of its own."""

from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

_SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_BYTES = (1e3, 1e4, 1e5, 1e6, 4e6)

Levels = Callable[[], dict[str, float]]


class Meters:
    """Counters that the sandbox advances, and gauges that are read when asked for."""

    def __init__(self, levels: Levels) -> None:
        """`levels`: the present value of each gauge, by a name of `_GAUGES`."""
        self.registry = CollectorRegistry()
        self.runs = Counter("playground_runs", "Programs run, by how they ended.", ["status"], registry=self.registry)
        self.seconds = Histogram(
            "playground_run_seconds", "From a free place to the reply.", buckets=_SECONDS, registry=self.registry
        )
        self.reply_bytes = Histogram(
            "playground_reply_bytes", "Size of the trace as JSON.", buckets=_BYTES, registry=self.registry
        )
        self.refused = Counter("playground_refused", "Runs refused for want of a place.", registry=self.registry)
        self.repeated = Counter(
            "playground_repeated", "Runs begun again on another child, as theirs was lost.", registry=self.registry
        )
        self.answers = Counter(
            "playground_answers",
            "Traces asked for: kept from before (hit), run and kept (stored), run and not kept (miss, bypass).",
            ["source"],
            registry=self.registry,
        )
        self.kept_bytes = Gauge("playground_kept_bytes", "Traces kept for those who ask again.", registry=self.registry)
        self.zygotes = Counter(
            "playground_zygotes", "Zygotes started, by why.", ["reason"], registry=self.registry
        )  # fmt: skip
        self.registry.register(_Gauges(levels))

    def finished(self, status: str, seconds: float, reply_bytes: int) -> None:
        """Count a run: how it ended, how long it took from a free place on, the length of its trace."""
        self.runs.labels(status).inc()
        self.seconds.observe(seconds)
        self.reply_bytes.observe(reply_bytes)


_GAUGES = {
    "running": "Runs under way.",
    "waiting": "Runs waiting for a place.",
    "spares": "Locked children waiting for a program.",
}


class _Gauges(Collector):
    def __init__(self, levels: Levels) -> None:
        self._levels = levels

    def collect(self) -> Iterator[GaugeMetricFamily]:
        for name, value in self._levels().items():
            yield GaugeMetricFamily(f"playground_{name}", _GAUGES[name], value)
