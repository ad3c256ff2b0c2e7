"""Random numbers against sequences recorded from PyTorch, bit for bit."""

import hashlib
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from engine import random
from engine.normal_kernel import box_muller, fused_multiply_add
from engine.random import Generator

FACTS = json.loads((Path(__file__).parent.parent / "oracle" / "rng.json").read_text())
SEQUENCES = FACTS["sequences"]


def sha256(array):
    return hashlib.sha256(array.tobytes()).hexdigest()


def draw(generator, name, arguments):
    """The recorded call ``name`` made here."""
    arguments = dict(arguments)
    dtype = np.dtype(arguments.pop("dtype", "float32"))
    if name == "randperm":
        return random.randperm(generator, arguments["n"])
    if name == "multinomial":
        weights = np.array(arguments.pop("weights"), dtype)
        return random.multinomial(generator, weights, **arguments)
    shape = (arguments.pop("n"),)
    if name == "randint":
        return random.randint(generator, shape, **arguments)
    return getattr(random, name)(generator, shape, dtype=dtype, **arguments)


@pytest.mark.parametrize("sequence", SEQUENCES, ids=lambda sequence: f"seed{sequence['seed']}")
def test_a_sequence_of_every_distribution(sequence):
    generator = Generator().manual_seed(sequence["seed"])
    for number, (name, arguments, recorded) in enumerate(sequence["draws"]):
        drawn = draw(generator, name, arguments)
        assert drawn.tolist() == recorded, (number, name, arguments)
    assert sha256(generator.get_state()) == sequence["final_state_sha256"]


@pytest.mark.parametrize("sequence", SEQUENCES, ids=lambda sequence: f"seed{sequence['seed']}")
def test_a_fresh_state_and_a_large_normal_tensor(sequence):
    generator = Generator().manual_seed(sequence["seed"])
    assert sha256(generator.get_state()) == sequence["fresh_state_sha256"]
    assert sha256(random.normal(generator, (100003,))) == sequence["randn_100003_sha256"]


def linear_weight(generator):
    return random.uniform(generator, (2, 4), low=-0.5, high=0.5)


PROGRAMS = {
    "torch.randn(3)": lambda g: random.normal(g, (3,)),
    "torch.randn(5)": lambda g: random.normal(g, (5,)),
    "torch.randn(16)": lambda g: random.normal(g, (16,)),
    "torch.randn(17)": lambda g: random.normal(g, (17,)),
    "torch.randn(2, 3)": lambda g: random.normal(g, (2, 3)),
    "torch.randn(3, dtype=torch.float64)": lambda g: random.normal(g, (3,), np.float64),
    "torch.rand(3)": lambda g: random.uniform(g, (3,)),
    "torch.rand(2, 2, dtype=torch.float64)": lambda g: random.uniform(g, (2, 2), np.float64),
    "torch.randint(0, 10, (5,))": lambda g: random.randint(g, (5,), 0, 10),
    "torch.randperm(5)": lambda g: random.randperm(g, 5),
    "torch.empty(8).bernoulli_(0.5)": lambda g: random.bernoulli(g, (8,), 0.5),
    "torch.nn.Linear(4, 2).weight": linear_weight,
    "torch.nn.Embedding(3, 2).weight": lambda g: random.normal(g, (3, 2)),
    "torch.nn.functional.dropout(torch.ones(8), 0.5)": lambda g: random.dropout_noise(g, (8,), 0.5),
    "torch.normal(2.0, 3.0, (3,))": lambda g: random.normal(g, (3,), mean=2.0, std=3.0),
    "torch.randn(4, 5)": lambda g: random.normal(g, (4, 5)),
}


@pytest.mark.parametrize("row", FACTS["values"], ids=lambda row: f"{row['seed']}-{row['code']}")
def test_what_a_seeded_program_prints(row):
    drawn = PROGRAMS[row["code"]](Generator().manual_seed(row["seed"]))
    assert drawn.tolist() == row["values"]
    assert f"torch.{drawn.dtype}" == row["dtype"]


def test_the_default_generator_is_used_and_reseeded():
    assert random.manual_seed(7) is random.default_generator
    first = random.uniform(None, (3,))
    assert random.default_generator.initial_seed() == 7
    random.manual_seed(7)
    assert np.array_equal(random.uniform(None, (3,)), first)
    assert Generator().initial_seed() == 67280421310721


def test_state_carries_on_with_the_spare_normal():
    generator = Generator().manual_seed(5)
    random.normal(generator, (3,))  # two pairs, so one number is left over
    state, copy = generator.get_state(), generator.clone_state()
    expected = random.normal(generator, (20,)), random.normal(generator, (1,))
    assert np.array_equal(random.normal(copy, (20,)), expected[0])
    assert np.array_equal(random.normal(copy, (1,)), expected[1])
    generator.set_state(state)
    assert np.array_equal(generator.get_state(), state)
    assert (state.shape, state.dtype) == ((5056,), np.uint8)


def test_nothing_drawn_leaves_the_stream_alone():
    generator = Generator().manual_seed(1)
    before = generator.get_state()
    assert random.uniform(generator, (0, 3)).shape == (0, 3)
    assert random.normal(generator, (0,)).shape == (0,)
    assert random.randperm(generator, 0).shape == (0,)
    assert np.array_equal(generator.get_state(), before)


def test_scalars_keep_their_shape():
    assert random.normal(Generator(), ()).shape == ()
    assert random.uniform(Generator(), (), np.float16).dtype == np.float16


def test_seeds_nobody_knows_differ():
    generator = Generator()
    assert generator.seed() != generator.seed()


def test_probabilities_per_element():
    probabilities = np.array([0.0, 1.0, 0.0, 1.0], np.float32)
    assert random.bernoulli(Generator(), (4,), probabilities).tolist() == [0.0, 1.0, 0.0, 1.0]


def test_fused_product_and_sum_round_once():
    # 1 + 2**-30 squared needs 61 bits; rounding the product first would lose the last term.
    x = np.array([1 + 2.0**-30])
    assert fused_multiply_add(x, x, -x)[0] == 2.0**-30 + 2.0**-60
    x = np.array([1 + 2.0**-15], np.float32)
    assert fused_multiply_add(x, x, -x)[0] == np.float32(2.0**-15 + 2.0**-30)


def test_kernel_approximates_the_transform_it_stands_for():
    uniform = random.uniform(Generator().manual_seed(2), (1600,)).astype(np.float64)
    radius = np.sqrt(-2 * np.log(1 - uniform.reshape(-1, 2, 8)[:, 0]))
    exact = radius * np.cos(2 * math.pi * uniform.reshape(-1, 2, 8)[:, 1])
    for kind, tolerance in ((np.float32, 2e-6), (np.float64, 1e-14)):
        made = box_muller(uniform.astype(kind), 0.0, 1.0).reshape(-1, 2, 8)[:, 0]
        assert np.abs(made - exact).max() < tolerance


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda g: g.manual_seed(2**64), ValueError, "Overflow when unpacking long long"),
        (lambda g: g.manual_seed(-(2**63) - 1), ValueError, "Overflow when unpacking long long"),
        (lambda g: g.manual_seed(1.5), RuntimeError, "manual_seed expected a long, but got float"),
        (lambda g: g.manual_seed(True), RuntimeError, "manual_seed expected a long, but got bool"),
        (lambda g: g.set_state(np.zeros(5056)), TypeError, "RNG state must be a torch.ByteTensor"),
        (lambda g: g.set_state(np.zeros(3, np.uint8)), RuntimeError,
         "Expected a CPUGeneratorImplState of size 5056 but found the input RNG state size to be 3"),
        (lambda g: g.set_state(np.zeros(5056, np.uint8)), RuntimeError, "Invalid mt19937 state"),
        (lambda g: random.randint(g, (2,), 3, 3), RuntimeError,
         "random_ expects 'from' to be less than 'to', but got from=3 >= to=3"),
        (lambda g: random.multinomial(g, np.ones(2), 3), RuntimeError,
         "cannot sample n_sample > prob_dist.size(-1) samples without replacement"),
        (lambda g: random.multinomial(g, np.ones(2), 0), RuntimeError, "cannot sample n_sample <= 0 samples"),
        (lambda g: random.multinomial(g, np.array([1.0, -1.0]), 1), RuntimeError,
         "probability tensor contains either `inf`, `nan` or element < 0"),
        (lambda g: random.multinomial(g, np.array([1.0, np.nan]), 2, True), RuntimeError,
         "invalid multinomial distribution (encountering probability entry < 0)"),
        (lambda g: random.multinomial(g, np.zeros((1, 2)), 1), RuntimeError,
         "invalid multinomial distribution (sum of probabilities <= 0)"),
    ],
)  # fmt: skip
def test_messages(call, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        call(Generator())
