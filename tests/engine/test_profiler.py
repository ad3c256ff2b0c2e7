"""Programs that profile themselves run; nothing is timed, and no number is made up."""

import re

import pytest
import torch
from torch.profiler import profile, tensorboard_trace_handler


def test_a_table_says_why_there_is_none() -> None:
    with profile() as prof:
        torch.ones(2) * 2
    table = prof.key_averages().table(sort_by="cpu_time_total", row_limit=10)
    assert table.startswith("The playground does not time operators")
    assert not re.search(r"\d", table)
    assert str(prof.profiler) == table
    assert len(prof.events()) == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda prof: prof.export_chrome_trace("trace.json"),
        lambda prof: prof.export_stacks("stacks"),
        lambda prof: prof.key_averages().total_average(),
        lambda prof: prof.events().export_chrome_trace("trace.json"),
        lambda prof: tensorboard_trace_handler("log")(prof),
    ],
)
def test_what_would_need_times_is_refused(call) -> None:
    with profile() as prof:
        torch.ones(2) * 2
    with pytest.raises(NotImplementedError, match="does not time operators"):
        call(prof)
