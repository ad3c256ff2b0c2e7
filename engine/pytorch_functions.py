"""The functions that modules of PyTorch 2.13 define, and what they have from each other; facts, as in pytorch_names."""

FUNCTIONS = """
torch.amp.autocast_mode: autocast_decorator custom_bwd custom_fwd is_autocast_available
torch.autograd: backward grad variable
torch.autograd.forward_ad: enter_dual_level exit_dual_level make_dual unpack_dual
torch.autograd.function: once_differentiable
torch.autograd.functional: hessian hvp jacobian jvp vhp vjp
torch.autograd.gradcheck: get_analytical_jacobian get_numerical_jacobian get_numerical_jacobian_wrt_specific_input
  gradcheck gradgradcheck
torch.autograd.graph: allow_mutation_on_saved_tensors disable_saved_tensors_hooks get_gradient_edge increment_version
  region_activation_memory_budget register_multi_grad_hook set_override_stale_capture_stream
  set_warn_on_accumulate_grad_stream_mismatch
torch.distributions.constraints: is_dependent
torch.distributions.kl: kl_divergence register_kl
torch.distributions.utils: broadcast_all clamp_probs logits_to_probs probs_to_logits tril_matrix_to_vec
  vec_to_tril_matrix
torch.func: debug_unwrap functional_call functionalize grad grad_and_value hessian jacfwd jacrev jvp linearize
  rearrange replace_all_batch_norm_modules_ stack_module_state vjp vmap
torch.functional: atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod cdist
  chain_matmul einsum meshgrid norm split stft tensordot unravel_index
torch.nn: factory_kwargs
torch.nn._reduction: get_enum legacy_get_enum legacy_get_string
torch.nn.attention: activate_flash_attention_impl current_flash_attention_impl list_flash_attention_impls
  register_flash_attention_impl restore_flash_attention_impl sdpa_kernel
torch.nn.grad: conv1d_input conv1d_weight conv2d_input conv2d_weight conv3d_input conv3d_weight
torch.nn.init: _calculate_correct_fan _calculate_fan_in_and_fan_out calculate_gain constant_ dirac_ eye_
  kaiming_normal_ kaiming_uniform_ normal_ ones_ orthogonal_ sparse_ trunc_normal_ uniform_ xavier_normal_
  xavier_uniform_ zeros_
torch.nn.modules.module: register_module_backward_hook register_module_buffer_registration_hook
  register_module_forward_hook register_module_forward_pre_hook register_module_full_backward_hook
  register_module_full_backward_pre_hook register_module_module_registration_hook
  register_module_parameter_registration_hook
torch.nn.modules.rnn: apply_permutation
torch.nn.modules.transformer: _get_activation_fn _get_clones
torch.nn.modules.utils: Any _list_with_default _ntuple _pair _quadruple _reverse_repeat_tuple _single _triple
  consume_prefix_in_state_dict_if_present repeat
torch.nn.parallel.data_parallel: data_parallel
torch.nn.parameter: is_lazy
torch.nn.utils.clip_grad: clip_grad_norm clip_grad_norm_ clip_grad_value_
torch.nn.utils.convert_parameters: parameters_to_vector vector_to_parameters
torch.nn.utils.fusion: fuse_conv_bn_eval fuse_conv_bn_weights fuse_linear_bn_eval fuse_linear_bn_weights
torch.nn.utils.init: skip_init
torch.nn.utils.memory_format: convert_conv2d_weight_memory_format convert_conv3d_weight_memory_format
torch.nn.utils.parametrizations: orthogonal spectral_norm weight_norm
torch.nn.utils.parametrize: cached is_parametrized register_parametrization remove_parametrizations
  transfer_parametrizations_and_params type_before_parametrizations
torch.nn.utils.prune: custom_from_mask global_unstructured identity is_pruned l1_unstructured ln_structured
  random_structured random_unstructured remove
torch.nn.utils.rnn: bind invert_permutation pack_padded_sequence pack_sequence pad_packed_sequence pad_sequence
  unpack_sequence unpad_sequence
torch.nn.utils.spectral_norm: remove_spectral_norm spectral_norm
torch.nn.utils.stateless: functional_call
torch.nn.utils.weight_norm: remove_weight_norm weight_norm
torch.optim: swap_in_optimizer_params_and_state
torch.optim._adafactor: adafactor
torch.optim._muon: muon
torch.optim.adadelta: adadelta
torch.optim.adagrad: adagrad
torch.optim.adam: adam
torch.optim.adamax: adamax
torch.optim.adamw: adamw
torch.optim.asgd: asgd
torch.optim.nadam: nadam
torch.optim.optimizer: register_optimizer_step_post_hook register_optimizer_step_pre_hook
torch.optim.radam: radam
torch.optim.rmsprop: rmsprop
torch.optim.rprop: rprop
torch.optim.sgd: sgd
torch.optim.swa_utils: get_ema_avg_fn get_ema_multi_avg_fn get_swa_avg_fn get_swa_multi_avg_fn update_bn
torch.signal.windows.windows: bartlett blackman cosine exponential gaussian general_cosine general_hamming hamming hann
  kaiser nuttall
torch.utils.checkpoint: check_backward_validity checkpoint checkpoint_sequential create_selective_checkpoint_contexts
  detach_variable get_device_states noop_context_fn set_checkpoint_debug_enabled set_checkpoint_early_stop
  set_device_states
torch.utils.data.dataset: random_split
torch.profiler.profiler: schedule supported_activities tensorboard_trace_handler
torch.utils.hooks: unserializable_hook warn_if_has_hooks
"""

# Names that a module has from another one: `name`, or `name=where.it.is` when the name alone does not tell.
BORROWED = """
torch.nn.common_types: Tensor
torch.nn.init: Tensor
torch.nn.modules.activation: F=torch.nn.functional Module NonDynamicallyQuantizableLinear Parameter Tensor constant_
  xavier_normal_ xavier_uniform_
torch.nn.modules.adaptive: F=torch.nn.functional Linear Module ModuleList Sequential Tensor
torch.nn.modules.batchnorm: F=torch.nn.functional LazyModuleMixin Module Parameter Tensor UninitializedBuffer
  UninitializedParameter init=torch.nn.init
torch.nn.modules.channelshuffle: F=torch.nn.functional Module Tensor
torch.nn.modules.container: Module Parameter
torch.nn.modules.conv: F=torch.nn.functional LazyModuleMixin Module Parameter Tensor UninitializedParameter
  _reverse_repeat_tuple init=torch.nn.init
torch.nn.modules.distance: F=torch.nn.functional Module Tensor
torch.nn.modules.dropout: F=torch.nn.functional Module Tensor
torch.nn.modules.flatten: Module Tensor
torch.nn.modules.fold: F=torch.nn.functional Module Tensor
torch.nn.modules.instancenorm: F=torch.nn.functional Tensor
torch.nn.modules.lazy: is_lazy
torch.nn.modules.linear: F=torch.nn.functional LazyModuleMixin Module Parameter Tensor UninitializedParameter
  init=torch.nn.init
torch.nn.modules.loss: F=torch.nn.functional Linear Module PairwiseDistance Tensor
torch.nn.modules.module: BackwardHook Buffer Parameter RemovableHandle Tensor device dtype
torch.nn.modules.normalization: F=torch.nn.functional Module Parameter Size Tensor init=torch.nn.init
torch.nn.modules.padding: F=torch.nn.functional Module Tensor _ntuple
torch.nn.modules.pixelshuffle: F=torch.nn.functional Module Tensor
torch.nn.modules.pooling: F=torch.nn.functional Module Tensor
torch.nn.modules.rnn: Module PackedSequence Parameter Tensor init=torch.nn.init
torch.nn.modules.sparse: F=torch.nn.functional Module Parameter Tensor init=torch.nn.init
torch.nn.modules.transformer: Dropout F=torch.nn.functional LayerNorm Linear Module ModuleList MultiheadAttention
  Tensor xavier_uniform_
torch.nn.modules.upsampling: F=torch.nn.functional Module Tensor
torch.nn.parallel: DataParallel data_parallel
torch.nn.parallel.data_parallel: Module
torch.nn.utils.clip_grad: Tensor
torch.nn.utils.parametrizations: F=torch.nn.functional Module Tensor
torch.nn.utils.parametrize: Module ModuleDict ModuleList Parameter Tensor
torch.nn.utils.rnn: Tensor
torch.nn.utils.spectral_norm: F=torch.nn.functional Module
torch.nn.utils.stateless: Tensor
torch.nn.utils.weight_norm: Module Parameter UninitializedParameter
torch.optim._adafactor: Adafactor Optimizer Tensor
torch.optim._muon: Muon Optimizer Tensor
torch.optim.adadelta: Optimizer Tensor
torch.optim.adagrad: Optimizer Tensor
torch.optim.adam: Optimizer Tensor
torch.optim.adamax: Optimizer Tensor
torch.optim.adamw: Adam Tensor adam
torch.optim.asgd: Optimizer Tensor
torch.optim.lbfgs: Optimizer Tensor
torch.optim.lr_scheduler: Optimizer Tensor
torch.optim.nadam: Optimizer Tensor
torch.optim.optimizer: RemovableHandle
torch.optim.radam: Optimizer Tensor
torch.optim.rmsprop: Optimizer Tensor
torch.optim.rprop: Optimizer Tensor
torch.optim.sgd: Optimizer Tensor
torch.optim.sparse_adam: Optimizer Tensor
torch.optim.swa_utils: LRScheduler Module Tensor
torch.utils.data.dataloader: BatchSampler Dataset IterableDataset RandomSampler Sampler SequentialSampler
torch.utils.data.dataset: Tensor
torch.utils.data.distributed: Dataset Sampler
"""
