"""What to use instead of the parts of PyTorch that the playground lacks, by the beginning of their names."""

from functools import cache

_AS_WRITTEN = "programs run here as they are written: call the function or module itself"
_FAKE = "torch.fake_quantize_per_tensor_affine is here, and rounds in the same way"
_DENSE = "the same numbers in a dense tensor are here"
_ONE_PROCESS = "there is one process here"
_NO_DEVICE = "there is no such device here, as is_available() says"
_NO_NETWORK = "there is no network here: build the module, and give it numbers by load_state_dict"
_DATASETS = "Dataset, IterableDataset and DataLoader are here"
_OPERATORS = "an operator of one's own is a torch.autograd.Function here"
_DTYPES = "float16 and bfloat16 are the short dtypes here, int8 and uint8 the short integers"

INSTEAD: dict[str, str] = {
    "torch.Tensor.chalf": "complex64 is the smallest complex dtype here",
    "torch.Tensor.dequantize": _FAKE,
    "torch.Tensor.int_repr": _FAKE,
    "torch.Tensor.ipu": _NO_DEVICE,
    "torch.Tensor.mtia": _NO_DEVICE,
    "torch.Tensor.q_": _FAKE,
    "torch.Tensor.qscheme": _FAKE,
    "torch.Tensor.record_stream": _NO_DEVICE,
    "torch.Tensor.sparse_mask": _DENSE,
    "torch.Tensor.to_mkldnn": _DENSE,
    "torch.Tensor.to_sparse": _DENSE,
    "torch.Tensor.to_padded_tensor": "torch.nn.utils.rnn.pad_sequence is here",
    "torch._C": _AS_WRITTEN,
    "torch._dynamo": "torch.compile is here, and calls the function as it is written",
    "torch._export": _AS_WRITTEN,
    "torch._functorch": "torch.func is here",
    "torch._inductor": "torch.compile is here, and calls the function as it is written",
    "torch._vmap_internals": "torch.func.vmap is here",
    "torch.ao": _FAKE,
    "torch.cuda.": _NO_DEVICE,
    "torch.distributed.": _ONE_PROCESS,
    "torch.export": _AS_WRITTEN,
    "torch.float4": _DTYPES,
    "torch.float8": _DTYPES,
    "torch.fork": _ONE_PROCESS,
    "torch.futures": _ONE_PROCESS,
    "torch.fx": "the graph of a run is what grad_fn leads through",
    "torch.hub": _NO_NETWORK,
    "torch.int1": _DTYPES,
    "torch.jit.": _AS_WRITTEN,
    "torch.library": _OPERATORS,
    "torch.masked": "torch.where and Tensor.masked_fill are here",
    "torch.mps.": _NO_DEVICE,
    "torch.mtia": _NO_DEVICE,
    "torch.multiprocessing": _ONE_PROCESS,
    "torch.nested": "torch.nn.utils.rnn.pad_sequence is here",
    "torch.nn.attention.bias": "scaled_dot_product_attention takes is_causal, or a mask",
    "torch.nn.attention.flex_attention": "scaled_dot_product_attention takes a mask",
    "torch.nn.attention.varlen": "scaled_dot_product_attention takes a mask",
    "torch.nn.intrinsic": _FAKE,
    "torch.nn.parallel.": _ONE_PROCESS,
    "torch.nn.qat": _FAKE,
    "torch.nn.quantizable": _FAKE,
    "torch.nn.quantized": _FAKE,
    "torch.onnx": "a module's state_dict() can be kept by torch.save",
    "torch.ops": _OPERATORS,
    "torch.overrides": "subclasses of torch.Tensor are here, without __torch_function__",
    "torch.package": "a module's state_dict() can be kept by torch.save",
    "torch.per_": _FAKE,
    "torch.qint": _FAKE,
    "torch.quantization": _FAKE,
    "torch.quantize": _FAKE,
    "torch.quint": _FAKE,
    "torch.resize_as_sparse_": _DENSE,
    "torch.sparse": _DENSE,
    "torch.utils._python_dispatch": "hooks on tensors, nodes and modules are here",
    "torch.utils.benchmark": "Python's time.perf_counter is here",
    "torch.utils.checkpoint.": "torch.utils.checkpoint.checkpoint is here, which saves nothing but its inputs",
    "torch.utils.cpp_extension": _OPERATORS,
    "torch.utils.data.": _DATASETS,
    "torch.utils.data.DataChunk": _DATASETS,
    "torch.utils.flop_counter": "torch.profiler is here",
    "torch.utils.mobile_optimizer": _AS_WRITTEN,
    "torch.utils.model_zoo": _NO_NETWORK,
    "torch.utils.tensorboard": "nothing can be written to files here: print the numbers",
    "torch.xpu.": _NO_DEVICE,
}
"""A name that ends in a point stands for what lies in that module, not for the module itself."""


@cache
def instead_of(name: str) -> str:
    """What the longest entry says that `name` begins with; empty where there is none."""
    found = max((part for part in INSTEAD if name.startswith(part)), key=len, default="")
    return INSTEAD.get(found, "")
