"""Submodules of PyTorch 2.13's packages that programs import and the engine lacks: facts, as in pytorch_names."""

MODULES: dict[str, str] = {
    "torch": """
  _C _decomp _dynamo _export _functorch _higher_order_ops _inductor _library _logging _ops _prims _refs _subclasses
  _tensor_str _vmap_internals ao contrib export futures fx hub library masked monitor mtia multiprocessing
  nativert nested onnx overrides package quantization quasirandom sparse""",
    "torch.accelerator": """
  graphs memory""",
    "torch.autograd": """
  profiler_legacy""",
    "torch.backends": """
  cpu cusparselt kleidiai miopen nnpack opt_einsum quantized xeon xnnpack""",
    "torch.compiler": """
  config""",
    "torch.cuda": """
  comm gds graphs green_contexts jiterator memory nccl nvtx profiler random sparse streams tunable""",
    "torch.distributed": """
  algorithms autograd checkpoint device_mesh distributed_c10d elastic fsdp launch launcher nn optim pipelining
  remote_device rendezvous rpc run tensor utils""",
    "torch.jit": """
  annotations frontend""",
    "torch.mps": """
  event profiler""",
    "torch.nn": """
  backends cpp intrinsic qat quantizable quantized""",
    "torch.nn.attention": """
  bias experimental flex_attention varlen""",
    "torch.nn.parallel": """
  comm distributed parallel_apply replicate scatter_gather""",
    "torch.optim": """
  _functional _multi_tensor""",
    "torch.profiler": """
  itt python_tracer""",
    "torch.testing": """
  _internal""",
    "torch.utils": """
  _cxx_pytree _debug_mode _foreach_utils _python_dispatch _pytree _triton backcompat backend_registration benchmark
  bundled_inputs collect_env cpp_backtrace cpp_extension deterministic flop_counter jit mkldnn mobile_optimizer
  model_dump model_zoo module_tracker serialization show_pickle tensorboard throughput_benchmark viz weak""",
    "torch.utils.data": """
  _utils datapipes graph graph_settings""",
    "torch.xpu": """
  graphs memory random streams""",
}
