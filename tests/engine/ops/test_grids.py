"""Affine grids: what PyTorch 2.13 gives and says, of planes and of volumes."""

import pytest

from engine import install_as_torch

torch = install_as_torch()
affine_grid = torch.nn.functional.affine_grid

REFUSED = [
    ((1, 3, 3), (1, 1, 2, 2), "Expected a batch of 2D affine matrices of shape Nx2x3 for size (1, 1, 2, 2). "
     "Got torch.Size([1, 3, 3])."),
    ((1, 2, 3), (1, 1, 2, 2, 2), "Expected a batch of 3D affine matrices of shape Nx3x4 for size (1, 1, 2, 2, 2). "
     "Got torch.Size([1, 2, 3])."),
    ((1, 3, 4), (1, 1, 2, 0, 2), "Expected non-zero, positive output size. Got (1, 1, 2, 0, 2)"),
    ((1, 2, 3), (1, 1, 2), "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. "
     "Got size (1, 1, 2)."),
]  # fmt: skip
VOLUMES = [
    (True, [[-1, -1, -1], [1, 1, 1], [1, 1, 1], [3, 3, 3]]),
    (False, [[0, 0, 0], [1, 1, 1], [1, 1, 1], [2, 2, 2]]),
]


@pytest.mark.parametrize(("theta", "size", "text"), REFUSED)
def test_shapes_that_do_not_fit_are_refused(theta, size, text):
    with pytest.raises((ValueError, NotImplementedError)) as refused:
        affine_grid(torch.ones(theta), size, align_corners=False)
    assert str(refused.value) == text


@pytest.mark.filterwarnings("ignore:Since version 1.3.0")
@pytest.mark.parametrize(("align_corners", "places"), VOLUMES)
def test_a_volume_has_a_grid(align_corners, places):
    grid = affine_grid(torch.ones(1, 3, 4), (1, 1, 1, 2, 2), align_corners=align_corners)
    assert grid.shape == (1, 1, 2, 2, 3)
    assert grid.reshape(-1, 3).tolist() == places


def test_a_grid_of_unit_size_with_aligned_corners_is_warned_of():
    with pytest.warns(UserWarning, match="Since version 1.3.0") as warned:
        affine_grid(torch.ones(1, 3, 4), (1, 1, 1, 2, 2), align_corners=True)
    assert warned[0].filename == __file__
