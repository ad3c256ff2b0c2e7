"""torch.stft and torch.istft: Fourier transforms of the overlapping pieces of a signal, and a signal from them."""

from typing import Any

import numpy as np

from engine.composite import composite, python_function
from engine.composites.padding import pad
from engine.composites.parsed import checked, parsed
from engine.creation import made
from engine.dispatch import apply
from engine.ops.fft import FFT_C2C, FFT_C2R, FFT_R2C
from engine.ops.pad import CONSTANT_PAD
from engine.ops.slicing import UNFOLD_BACKWARD
from engine.ops.views import VIEW_AS_REAL
from engine.tensor import TensorBase
from engine.warning import warn_once

_RECTANGLE = (
    "A window was not provided. A rectangular window will be applied,which is known to cause spectral leakage. Other "
    "windows such as torch.hann_window or torch.hamming_window are recommended to reduce spectral leakage.To suppress "
    "this warning and use a rectangular window, explicitly set `window=torch.ones(n_fft, device=<device>)`."
)
_SAME_WINDOW = (
    "A window was not provided. A rectangular window will be applied.Please provide the same window used by stft to "
    "make the inversion lossless.To suppress this warning and use a rectangular window, explicitly set "
    "`window=torch.ones(n_fft, device=<device>)`."
)
_PARTS_DEPRECATED = (
    "stft with return_complex=False is deprecated. In a future pytorch release, stft will return complex tensors for "
    "all inputs, and return_complex=False will raise an error.\nNote: you can still call torch.view_as_real on the "
    "complex output to recover the old return format."
)


def _shown(value: Any) -> str:
    """An argument as these functions' messages have it."""
    if isinstance(value, TensorBase):
        return f"{value.dtype.class_name}{{{list(value.shape)}}}"
    return str(int(value)) if isinstance(value, bool) else str(value)


def _call(name: str, tensor: str, **arguments: Any) -> str:
    return f"{name}({tensor}, {', '.join(f'{k}={_shown(v)}' for k, v in arguments.items())})"


def _centred(window: Any, n_fft: int, width: int, like: Any) -> Any:
    """A window narrower than the transform between zeros; ones where none is given."""
    whole = made(np.zeros(n_fft, (like if window is None else window)._a.dtype), name="zeros")
    left = (n_fft - width) // 2
    if window is None:
        whole.narrow(0, left, width).fill_(1)
    else:
        whole.narrow(0, left, width).copy_(window)
    return whole


@composite(
    "stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, "
    "bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor",
    where=(),
)
def STFT(
    self: Any, n_fft: int, hop_length: Any, win_length: Any, window: Any, normalized: bool, onesided: Any,
    return_complex: Any, align_to_window: Any,
) -> Any:  # fmt: skip
    """ATen's transform of a signal that is padded already."""
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    complex_in = self.dtype.is_complex or (window is not None and window.dtype.is_complex)
    if window is None:
        warn_once(_RECTANGLE)
    if return_complex is None and not complex_in:
        raise RuntimeError(
            "stft requires the return_complex parameter be given for real inputs, and will further require that "
            "return_complex=True in a future PyTorch release."
        )
    if return_complex is False:
        warn_once(_PARTS_DEPRECATED)
    says = _call(
        "stft", f"{self.dtype.class_name}{list(self.shape)}", n_fft=n_fft, hop_length=hop,
        win_length=width, window=window, normalized=normalized, onesided=onesided,
        return_complex=complex_in if return_complex is None else return_complex, align_to_window=align_to_window,
    )  # fmt: skip
    if not (self.dtype.is_floating_point or self.dtype.is_complex):
        raise RuntimeError(f"{says} : expected a tensor of floating point or complex values")
    if self.ndim not in (1, 2):
        raise RuntimeError(f"{says} : expected a 1D or 2D tensor")
    signal = self if self.ndim == 2 else self.unsqueeze(0)
    length = signal.shape[1]
    if not 0 < n_fft <= length:
        raise RuntimeError(f"{says} : expected 0 < n_fft < {length}, but got n_fft={n_fft}")
    if hop <= 0:
        raise RuntimeError(f"{says} : expected hop_length > 0, but got hop_length={hop}")
    if not 0 < width <= n_fft:
        raise RuntimeError(f"{says} : expected 0 < win_length <= n_fft, but got win_length={width}")
    if window is not None and tuple(window.shape) != (width,):
        raise RuntimeError(
            f"{says} : expected a 1D window tensor of size equal to win_length={width}, but got window with size "
            f"{list(window.shape)}"
        )
    if width < n_fft:
        window = _centred(window, n_fft, width, self)
    count = 1 + (length - n_fft) // hop
    batch, step = signal.stride()
    pieces = signal.as_strided((signal.shape[0], count, n_fft), (batch, hop * step, step))
    if window is not None:
        pieces = pieces * window
    one_side = not pieces.dtype.is_complex if onesided is None else onesided
    norm = 1 if normalized else 0
    if pieces.dtype.is_complex:
        if one_side:
            raise RuntimeError("Cannot have onesided output if window or input is complex")
        out = FFT_C2C(pieces, (2,), norm, True)
    else:
        out = FFT_R2C(pieces, (2,), norm, one_side)
    out = out.transpose_(1, 2)
    if self.ndim == 1:
        out = out.squeeze_(0)
    return VIEW_AS_REAL(out) if return_complex is False else out


def _reflected(input: Any, n_fft: int, pad_mode: str) -> Any:
    """The signal with half a piece more at both ends."""
    dims, width = input.dim(), n_fft // 2
    input = pad(input.view([1] * (3 - dims) + list(input.size())), [width, width], pad_mode)
    return input.view(input.shape[-dims:])


@composite(
    "stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, "
    'bool center=True, str pad_mode="reflect", bool normalized=False, bool? onesided=None, bool? return_complex=None, '
    "bool? align_to_window=None) -> Tensor",
    where=(),
)
def _stft_center(
    self: Any, n_fft: int, hop_length: Any, win_length: Any, window: Any, center: bool, pad_mode: str, *rest: Any
) -> Any:
    signal = _reflected(self, n_fft, pad_mode) if center else self
    return STFT(signal, n_fft, hop_length, win_length, window, *rest)


@python_function("function", "method")
def stft(
    input: Any, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Any = None,
    center: bool = True, pad_mode: str = "reflect", normalized: bool = False, onesided: bool | None = None,
    return_complex: bool | None = None, align_to_window: bool | None = None,
) -> Any:  # fmt: skip
    """The Fourier transform of each piece of `n_fft` numbers, `hop_length` apart, weighed by a window."""
    if center:
        input = _reflected(input, n_fft, pad_mode)
    return _STFT(input, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window)


_STFT = parsed(_stft_center, STFT)


@composite(
    "istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, "
    "bool normalized=False, bool? onesided=None, int? length=None, bool return_complex=False) -> Tensor",
    where=("function",),
)
def istft(
    self: Any, n_fft: int, hop_length: Any, win_length: Any, window: Any, center: bool, normalized: bool,
    onesided: Any, length: Any, return_complex: bool,
) -> Any:  # fmt: skip
    """The signal whose pieces have these transforms: their inverses added up, divided by what the windows add up to."""
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    if window is None:
        warn_once(_SAME_WINDOW)
    if not self.dtype.is_complex:
        raise RuntimeError(
            "istft requires a complex-valued input tensor matching the output from stft with return_complex=True."
        )
    says = _call(
        "istft", f"CPU{self.dtype.torch_name}Type{list(self.shape)}", n_fft=n_fft, hop_length=hop, win_length=width,
        window=window, center=center, normalized=normalized, onesided=onesided, length=length,
        return_complex=return_complex,
    )  # fmt: skip
    if not self.numel():
        raise RuntimeError(f"{says} : input tensor cannot be empty.")
    if self.ndim not in (2, 3):
        raise RuntimeError(f"{says} : expected a tensor with 3 or 4 dimensions, but got {self.ndim + 1}")
    spectrum = self if self.ndim == 3 else self.unsqueeze(0)
    rows, count = spectrum.shape[1:]
    one_side = rows != n_fft if onesided is None else onesided
    if one_side and rows != n_fft // 2 + 1:
        raise RuntimeError(
            f"{says} : expected the frequency dimension (3rd to the last) of the input tensor to match n_fft / 2 + 1 "
            f"when onesided=True, but got {rows}"
        )
    if not one_side and rows != n_fft:
        raise RuntimeError(
            f"{says} : expected the frequency dimension (3rd to the last) of the input tensor to match n_fft when "
            f"onesided=False, but got {rows}"
        )
    if not 0 < hop <= width:
        raise RuntimeError(f"{says} : expected 0 < hop_length <= win_length")
    if not 0 < width <= n_fft:
        raise RuntimeError(f"{says} : expected 0 < win_length <= n_fft")
    if window is not None and tuple(window.shape) != (width,):
        raise RuntimeError(f"{says} : Invalid window shape. window has to be 1D and length of `win_length`")
    if window is None:
        real = self.dtype if return_complex else self.dtype.to_real()
        window = made(np.ones(width, real.numpy), name="ones")
    if width != n_fft:
        left = (n_fft - width) // 2
        window = CONSTANT_PAD(window, (left, n_fft - width - left), 0)
    return _added_up(
        self, spectrum, window, count, n_fft, hop, (center, normalized, one_side, length, return_complex), says
    )


def _added_up(
    self: Any, spectrum: Any, window: Any, count: int, n_fft: int, hop: int, options: tuple[Any, ...], says: str
) -> Any:
    center, normalized, one_side, length, return_complex = options
    pieces = spectrum.transpose(1, 2)
    norm = 1 if normalized else 2
    if return_complex:
        pieces = FFT_C2C(pieces, (2,), norm, False)
    else:
        if not one_side:
            pieces = pieces.narrow(-1, 0, n_fft // 2 + 1)
        pieces = FFT_C2R(pieces, (2,), norm, n_fft)
    total = n_fft + hop * (count - 1)
    weighed = pieces * window.view(1, 1, n_fft)
    signal = apply(UNFOLD_BACKWARD, (weighed, (weighed.shape[0], total), 1, n_fft, hop), {})
    squares = window.pow(2).expand((1, count, n_fft))
    envelope = apply(UNFOLD_BACKWARD, (squares, (1, total), 1, n_fft, hop), {})
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else total - n_fft // 2 if center else total
    stop = min(end, total)
    signal = signal.narrow(1, start, stop - start)
    envelope = envelope.narrow(1, start, stop - start)
    if not np.abs(envelope._a).min() >= 1e-11:
        raise RuntimeError(f"{says} window overlap add min: 1\n[ CPUBoolType{{}} ]")
    signal = signal / envelope
    if self.ndim == 2:
        signal = signal.squeeze(0)
    if end > total:
        warn_once(
            "The length of signal is shorter than the length parameter. Result is being padded with zeros in the tail. "
            "Please check your center and hop_length settings."
        )
        signal = CONSTANT_PAD(signal, (0, end - total), 0)
    return signal


@python_function("method")
def istft_of(
    self: Any, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Any = None,
    center: bool = True, normalized: bool = False, onesided: bool | None = None, length: int | None = None,
    return_complex: bool = False,
) -> Any:  # fmt: skip
    """`istft` as a method."""
    return checked(istft)(
        self, n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex
    )


istft_of.function.__name__ = "istft"
