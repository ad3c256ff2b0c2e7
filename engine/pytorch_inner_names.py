"""Names that inner modules of PyTorch 2.13 define and the engine's lack: facts, as in pytorch_names."""

INNER_NAMES: dict[str, str] = {
    "torch.accelerator": """
  device_index get_device_capability graphs memory""",
    "torch.autograd.function": """
  BackwardCFunction FunctionCtx InplaceFunction hooks""",
    "torch.autograd.grad_mode": """
  enforce_grad_layout_policy set_multithreading_enabled""",
    "torch.autograd.gradcheck": """
  get_analytical_jacobian get_numerical_jacobian get_numerical_jacobian_wrt_specific_input""",
    "torch.autograd.variable": """
  VariableMeta""",
    "torch.backends.cuda": """
  SDPAParams allow_fp16_bf16_reduction_math_sdp blas_workspace_size can_use_cudnn_attention
  can_use_efficient_attention can_use_flash_attention cuBLASModule cuFFTPlanCache cuFFTPlanCacheAttrContextProp
  cuFFTPlanCacheManager cublas_workspace_size cublaslt_workspace_size cudnn_sdp_enabled cufft_plan_cache
  enable_cudnn_sdp enable_flash_sdp enable_math_sdp enable_mem_efficient_sdp flash_sdp_enabled
  fp16_bf16_reduction_math_sdp_allowed is_ck_sdpa_available is_flash_attention_available math_sdp_enabled
  mem_efficient_sdp_enabled preferred_blas_library preferred_linalg_library preferred_rocm_fa_library sdp_kernel""",
    "torch.backends.mps": """
  get_core_count get_name""",
    "torch.cpu": """
  Event Stream StreamContext current_stream get_capabilities is_initialized stream""",
    "torch.distributed": """
  AllToAllOptions AllreduceCoalescedOptions AllreduceOptions Backend BackendConfig BarrierOptions BroadcastOptions
  BuiltinCommHookType DebugLevel DeviceMesh DistBackendError DistError DistNetworkError DistStoreError FileStore
  GatherOptions GradBucket GroupMember GroupName HashStore Logger P2POp PrefixStore ProcessGroup ProcessGroupGloo
  QueueEmptyError ReduceOp ReduceOptions ReduceScatterOptions Reducer ScatterOptions Store TCPStore Work algorithms
  all_gather_coalesced all_gather_into_tensor all_gather_object all_gather_single all_reduce_coalesced all_to_all
  all_to_all_single batch_isend_irecv broadcast_object_list device_mesh distributed_c10d gather gather_object
  get_backend_config get_debug_level get_default_backend_for_device get_global_rank get_group_rank get_node_local_rank
  get_pg_count get_process_group_ranks group init_device_mesh irecv is_backend_available is_gloo_available
  is_ucc_available is_xccl_available isend monitored_barrier new_group new_subgroups new_subgroups_by_enumeration
  record_comm recv recv_object_list reduce_op reduce_scatter reduce_scatter_single reduce_scatter_tensor
  register_rendezvous_handler remote_device rendezvous rpc scatter_object_list send send_object_list set_debug_level
  set_debug_level_from_env shrink_group split_group supports_complex utils""",
    "torch.mps": """
  compile_shader current_allocated_memory driver_allocated_memory event get_rng_state load_metallib profiler
  recommended_max_memory seed set_per_process_memory_fraction set_rng_state synchronize""",
    "torch.nn.attention": """
  activate_flash_attention_impl current_flash_attention_impl list_flash_attention_impls register_flash_attention_impl
  restore_flash_attention_impl""",
    "torch.nn.modules.container": """
  Container""",
    "torch.nn.modules.loss": """
  LinearCrossEntropyLoss""",
    "torch.nn.modules.rnn": """
  apply_permutation""",
    "torch.nn.modules.utils": """
  consume_prefix_in_state_dict_if_present""",
    "torch.nn.parallel": """
  DistributedDataParallelCPU comm distributed scatter_gather""",
    "torch.nn.parallel.data_parallel": """
  data_parallel""",
    "torch.optim.adadelta": """
  adadelta""",
    "torch.optim.adagrad": """
  adagrad""",
    "torch.optim.adam": """
  adam""",
    "torch.optim.adamax": """
  adamax""",
    "torch.optim.adamw": """
  adamw""",
    "torch.optim.asgd": """
  asgd""",
    "torch.optim.nadam": """
  nadam""",
    "torch.optim.optimizer": """
  hooks register_optimizer_step_post_hook register_optimizer_step_pre_hook""",
    "torch.optim.radam": """
  radam""",
    "torch.optim.rmsprop": """
  rmsprop""",
    "torch.optim.rprop": """
  rprop""",
    "torch.optim.sgd": """
  sgd""",
    "torch.autograd.profiler": """
  EnforceUnique EventList FunctionEvent KinetoStepTracker MemRecordsAcc emit_itt emit_nvtx kineto_available load_nvprof
  parse_nvprof_trace profile record_function""",
    "torch.compiler": """
  allow_in_graph assume_constant_result compile config cudagraph_mark_step_begin disable get_default_backend
  is_compiling is_dynamo_compiling is_exporting list_backends load_cache_artifacts load_compiled_function
  nested_compile_region reset save_cache_artifacts set_default_backend set_enable_guard_collectives set_stance
  substitute_in_graph wrap_numpy""",
    "torch.profiler": """
  DeviceType ExecutionTraceObserver ProfilerAction ProfilerActivity itt kineto_available profile record_function
  register_optimizer_step_post_hook schedule supported_activities tensorboard_trace_handler""",
    "torch.signal": """
  windows""",
    "torch.signal.windows": """
  bartlett blackman cosine exponential gaussian general_cosine general_hamming hamming hann kaiser nuttall windows""",
    "torch.serialization": """
  LoadEndianness SourceChangeWarning StorageType check_module_version_greater_or_equal default_restore_location
  get_crc32_options get_default_load_endianness get_default_mmap_options get_unsafe_globals_in_checkpoint location_tag
  mkdtemp normalize_storage_type register_package set_crc32_options set_default_load_endianness
  set_default_mmap_options skip_data storage_to_tensor_type validate_cuda_device validate_hpu_device""",
    "torch.utils.checkpoint": """
  CheckpointPolicy DefaultDeviceType GraphExecGroup LoggingTensorMode SavedTensor SelectiveCheckpointContext
  TorchDispatchMode capture_logs create_selective_checkpoint_contexts fx_traceback get_device_states
  set_checkpoint_debug_enabled set_device_states tree_map""",
    "torch.utils.hooks": """
  BackwardHook unserializable_hook warn_if_has_hooks""",
    "torch.xpu": """
  StreamContext can_device_access_peer clock_rate current_device current_stream device device_memory_used device_of
  get_arch_list get_device_capability get_device_name get_device_properties get_gencode_flags get_stream_from_external
  graphs init is_bf16_supported is_initialized is_tf32_supported memory memory_usage power_draw random set_device
  set_stream stream streams synchronize temperature utilization""",
}
