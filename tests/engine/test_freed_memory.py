"""Freed arrays leave their memory to the next ones: a step of a program touches no new pages once it has run."""

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import resource
from engine import install_as_torch
torch = install_as_torch()
x = torch.ones(300, 300)
def step():
    y = [x * 2 for _ in range(8)]
for _ in range(3):
    step()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    step()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have other rules")
def test_no_new_pages() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 88  # the pages of one of the 160 arrays
