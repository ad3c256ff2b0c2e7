"""The classes of PyTorch 2.13 by module: `Name(bases) methods that it defines itself`; facts, as in pytorch_names."""

CLASSES = """
torch.amp.autocast_mode: autocast __init__ __enter__ __exit__ __call__; _UnmanagedAutocast(autocast)
torch.amp.grad_scaler: _MultiDeviceReplicator __init__ get; OptState; GradScaler __init__ scale unscale_ step update
  get_scale get_growth_factor set_growth_factor get_backoff_factor set_backoff_factor get_growth_interval
  set_growth_interval is_enabled state_dict load_state_dict
torch.autograd.anomaly_mode: detect_anomaly __init__ __enter__ __exit__; set_detect_anomaly __init__ __enter__
  __exit__
torch.autograd.forward_ad: UnpackedDualTensor __repr__; dual_level(_DecoratorContextManager) __enter__ __exit__;
  _set_fwd_grad_enabled(_DecoratorContextManager) __init__ __enter__ __exit__
torch.autograd.function: FunctionCtx save_for_backward save_for_forward mark_dirty mark_shared_storage
  mark_non_differentiable set_materialize_grads; _HookMixin; BackwardCFunction(_FunctionBase, FunctionCtx, _HookMixin)
  apply apply_boxed apply_jvp; FunctionMeta __init__; _SingleLevelFunction(_FunctionBase, FunctionCtx, _HookMixin);
  Function(_SingleLevelFunction) __init__ __call__; InplaceFunction(Function) __init__; NestedIOFunction(Function)
  backward forward save_for_backward mark_dirty mark_non_differentiable forward_extended backward_extended
torch.autograd.grad_mode: no_grad(_NoParamDecoratorContextManager) __init__ __enter__ __exit__;
  enable_grad(_NoParamDecoratorContextManager) __enter__ __exit__; set_grad_enabled(_DecoratorContextManager) __init__
  __call__ __enter__ __exit__ __repr__ clone; inference_mode(_DecoratorContextManager) __init__ __enter__ __exit__
  clone; set_multithreading_enabled(_DecoratorContextManager) __init__ __enter__ __exit__ clone;
  enforce_grad_layout_policy(_DecoratorContextManager) __init__ __call__ __enter__ __exit__ clone;
  _force_original_view_tracking(_DecoratorContextManager) __init__ __call__ __enter__ __exit__ clone;
  _unsafe_preserve_version_counter(_DecoratorContextManager) __init__ __enter__ __exit__
torch.autograd.gradcheck: GradcheckError
torch.autograd.graph: Node name metadata register_hook register_prehook; GradientEdge __repr__; saved_tensors_hooks
  __init__ __enter__ __exit__; save_on_cpu(saved_tensors_hooks) __init__; _MultiHandle(RemovableHandle) __init__
  remove; _Handle; _swap_with_cloned(saved_tensors_hooks) __init__; _CloneArgBeforeMutateMode(TorchDispatchMode)
  __init__; _AllowMutationOnSavedContext __init__ clear
torch.autograd.variable: VariableMeta; Variable(_LegacyVariableBase)
torch.distributions.bernoulli: Bernoulli(ExponentialFamily) __init__ expand sample log_prob entropy enumerate_support
torch.distributions.beta: Beta(ExponentialFamily) __init__ expand rsample log_prob entropy
torch.distributions.binomial: Binomial(Distribution) __init__ expand sample log_prob entropy enumerate_support
torch.distributions.categorical: Categorical(Distribution) __init__ expand sample log_prob entropy enumerate_support
torch.distributions.cauchy: Cauchy(Distribution) __init__ expand rsample log_prob cdf icdf entropy
torch.distributions.chi2: Chi2(Gamma) __init__ expand
torch.distributions.constraint_registry: ConstraintRegistry __init__ register __call__
torch.distributions.constraints: Constraint check __repr__; _Dependent(Constraint) __init__ __call__ check;
  _DependentProperty(_Dependent) __init__ __call__; _IndependentConstraint(Constraint) __init__ check __repr__;
  MixtureSameFamilyConstraint(Constraint) __init__ check __repr__; _Boolean(Constraint) check; _OneHot(Constraint)
  check; _IntegerInterval(Constraint) __init__ check __repr__; _IntegerLessThan(Constraint) __init__ check __repr__;
  _IntegerGreaterThan(Constraint) __init__ check __repr__; _Real(Constraint) check; _GreaterThan(Constraint) __init__
  check __repr__; _GreaterThanEq(Constraint) __init__ check __repr__; _LessThan(Constraint) __init__ check __repr__;
  _Interval(Constraint) __init__ check __repr__; _HalfOpenInterval(Constraint) __init__ check __repr__;
  _Simplex(Constraint) check; _Multinomial(Constraint) __init__ check; _LowerTriangular(Constraint) check;
  _LowerCholesky(Constraint) check; _CorrCholesky(Constraint) check; _Square(Constraint) check; _Symmetric(_Square)
  check; _PositiveSemidefinite(_Symmetric) check; _PositiveDefinite(_Symmetric) check; _Cat(Constraint) __init__
  check; _Stack(Constraint) __init__ check
torch.distributions.continuous_bernoulli: ContinuousBernoulli(ExponentialFamily) __init__ expand sample rsample
  log_prob cdf icdf entropy
torch.distributions.dirichlet: _Dirichlet(Function); Dirichlet(ExponentialFamily) __init__ expand rsample log_prob
  entropy
torch.distributions.distribution: Distribution __init__ expand sample rsample sample_n log_prob cdf icdf
  enumerate_support entropy perplexity __repr__
torch.distributions.exp_family: ExponentialFamily(Distribution) entropy
torch.distributions.exponential: Exponential(ExponentialFamily) __init__ expand rsample log_prob cdf icdf entropy
torch.distributions.fishersnedecor: FisherSnedecor(Distribution) __init__ expand rsample log_prob
torch.distributions.gamma: Gamma(ExponentialFamily) __init__ expand rsample log_prob entropy cdf
torch.distributions.generalized_pareto: GeneralizedPareto(Distribution) __init__ expand rsample log_prob
  log_survival_function log_cdf cdf icdf entropy
torch.distributions.geometric: Geometric(Distribution) __init__ expand sample log_prob entropy
torch.distributions.gumbel: Gumbel(TransformedDistribution) __init__ expand log_prob entropy
torch.distributions.half_cauchy: HalfCauchy(TransformedDistribution) __init__ expand log_prob cdf icdf entropy
torch.distributions.half_normal: HalfNormal(TransformedDistribution) __init__ expand log_prob cdf icdf entropy
torch.distributions.independent: Independent(Distribution) __init__ expand sample rsample log_prob entropy
  enumerate_support __repr__
torch.distributions.inverse_gamma: InverseGamma(TransformedDistribution) __init__ expand entropy
torch.distributions.kl: _Match __init__ __eq__
torch.distributions.kumaraswamy: Kumaraswamy(TransformedDistribution) __init__ expand entropy
torch.distributions.laplace: Laplace(Distribution) __init__ expand rsample log_prob cdf icdf entropy
torch.distributions.lkj_cholesky: LKJCholesky(Distribution) __init__ expand sample log_prob
torch.distributions.log_normal: LogNormal(TransformedDistribution) __init__ expand entropy
torch.distributions.logistic_normal: LogisticNormal(TransformedDistribution) __init__ expand
torch.distributions.lowrank_multivariate_normal: LowRankMultivariateNormal(Distribution) __init__ expand rsample
  log_prob entropy
torch.distributions.mixture_same_family: MixtureSameFamily(Distribution) __init__ expand cdf log_prob sample __repr__
torch.distributions.multinomial: Multinomial(Distribution) __init__ expand sample entropy log_prob
torch.distributions.multivariate_normal: MultivariateNormal(Distribution) __init__ expand rsample log_prob entropy
torch.distributions.negative_binomial: NegativeBinomial(Distribution) __init__ expand sample log_prob
torch.distributions.normal: Normal(ExponentialFamily) __init__ expand sample rsample log_prob cdf icdf entropy
torch.distributions.one_hot_categorical: OneHotCategorical(Distribution) __init__ expand sample log_prob entropy
  enumerate_support; OneHotCategoricalStraightThrough(OneHotCategorical) rsample
torch.distributions.pareto: Pareto(TransformedDistribution) __init__ expand entropy
torch.distributions.poisson: Poisson(ExponentialFamily) __init__ expand sample log_prob
torch.distributions.relaxed_bernoulli: LogitRelaxedBernoulli(Distribution) __init__ expand rsample log_prob;
  RelaxedBernoulli(TransformedDistribution) __init__ expand
torch.distributions.relaxed_categorical: ExpRelaxedCategorical(Distribution) __init__ expand rsample log_prob;
  RelaxedOneHotCategorical(TransformedDistribution) __init__ expand
torch.distributions.studentT: StudentT(Distribution) __init__ expand rsample log_prob entropy
torch.distributions.transformed_distribution: TransformedDistribution(Distribution) __init__ expand sample rsample
  log_prob cdf icdf
torch.distributions.transforms: Transform __init__ with_cache __eq__ __call__ log_abs_det_jacobian __repr__
  forward_shape inverse_shape; _InverseTransform(Transform) __init__ with_cache __eq__ __repr__ __call__
  log_abs_det_jacobian forward_shape inverse_shape; ComposeTransform(Transform) __init__ __eq__ with_cache __call__
  log_abs_det_jacobian forward_shape inverse_shape __repr__; IndependentTransform(Transform) __init__ with_cache
  log_abs_det_jacobian __repr__ forward_shape inverse_shape; ReshapeTransform(Transform) __init__ with_cache
  log_abs_det_jacobian forward_shape inverse_shape; ExpTransform(Transform) __eq__ log_abs_det_jacobian;
  PowerTransform(Transform) __init__ with_cache __eq__ log_abs_det_jacobian forward_shape inverse_shape;
  SigmoidTransform(Transform) __eq__ log_abs_det_jacobian; SoftplusTransform(Transform) __eq__ log_abs_det_jacobian;
  TanhTransform(Transform) __eq__ log_abs_det_jacobian; AbsTransform(Transform) __eq__; AffineTransform(Transform)
  __init__ with_cache __eq__ log_abs_det_jacobian forward_shape inverse_shape; CorrCholeskyTransform(Transform)
  log_abs_det_jacobian forward_shape inverse_shape; SoftmaxTransform(Transform) __eq__ forward_shape inverse_shape;
  StickBreakingTransform(Transform) __eq__ log_abs_det_jacobian forward_shape inverse_shape;
  LowerCholeskyTransform(Transform) __eq__; PositiveDefiniteTransform(Transform) __eq__; CatTransform(Transform)
  __init__ with_cache log_abs_det_jacobian; StackTransform(Transform) __init__ with_cache log_abs_det_jacobian;
  CumulativeDistributionTransform(Transform) __init__ log_abs_det_jacobian with_cache
torch.distributions.uniform: Uniform(Distribution) __init__ expand rsample log_prob cdf icdf entropy
torch.distributions.utils: lazy_property __init__; _lazy_property_and_property(lazy_property) __init__
torch.distributions.von_mises: VonMises(Distribution) __init__ log_prob sample expand
torch.distributions.weibull: Weibull(TransformedDistribution) __init__ expand entropy
torch.distributions.wishart: Wishart(ExponentialFamily) __init__ expand rsample log_prob entropy
torch.nn.modules.activation: Threshold(Module) __init__ forward extra_repr; ReLU(Module) __init__ forward extra_repr;
  RReLU(Module) __init__ forward extra_repr; Hardtanh(Module) __init__ forward extra_repr; ReLU6(Hardtanh) __init__
  extra_repr; Sigmoid(Module) forward; Hardsigmoid(Module) __init__ forward; Tanh(Module) forward; SiLU(Module)
  __init__ forward extra_repr; Mish(Module) __init__ forward extra_repr; Hardswish(Module) __init__ forward;
  ELU(Module) __init__ forward extra_repr; CELU(Module) __init__ forward extra_repr; SELU(Module) __init__ forward
  extra_repr; GLU(Module) __init__ forward extra_repr; GELU(Module) __init__ forward extra_repr; Hardshrink(Module)
  __init__ forward extra_repr; LeakyReLU(Module) __init__ forward extra_repr; LogSigmoid(Module) forward;
  Softplus(Module) __init__ forward extra_repr; Softshrink(Module) __init__ forward extra_repr;
  MultiheadAttention(Module) __init__ forward merge_masks; PReLU(Module) __init__ reset_parameters forward extra_repr;
  Softsign(Module) forward; Tanhshrink(Module) forward; Softmin(Module) __init__ forward extra_repr; Softmax(Module)
  __init__ forward extra_repr; Softmax2d(Module) forward; LogSoftmax(Module) __init__ forward extra_repr
torch.nn.modules.adaptive: _ASMoutput __repr__; AdaptiveLogSoftmaxWithLoss(Module) __init__ reset_parameters forward
  log_prob predict
torch.nn.modules.batchnorm: _NormBase(Module) __init__ reset_running_stats reset_parameters extra_repr;
  _BatchNorm(_NormBase) __init__ forward; _LazyNormBase(LazyModuleMixin, _NormBase) __init__ reset_parameters
  initialize_parameters; BatchNorm1d(_BatchNorm); LazyBatchNorm1d(_LazyNormBase, _BatchNorm); BatchNorm2d(_BatchNorm);
  LazyBatchNorm2d(_LazyNormBase, _BatchNorm); BatchNorm3d(_BatchNorm); LazyBatchNorm3d(_LazyNormBase, _BatchNorm);
  SyncBatchNorm(_BatchNorm) __init__ forward
torch.nn.modules.channelshuffle: ChannelShuffle(Module) __init__ forward extra_repr
torch.nn.modules.container: Container(Module) __init__; Sequential(Module) __init__ __getitem__ __setitem__
  __delitem__ __len__ __add__ pop __iadd__ __iter__ forward append insert extend; ModuleList(Module) __init__
  __getitem__ __setitem__ __delitem__ __len__ __iter__ __iadd__ __add__ __repr__ insert append pop extend;
  ModuleDict(Module) __init__ __getitem__ __setitem__ __delitem__ __len__ __iter__ __contains__ clear pop keys items
  values update; ParameterList(Module) __init__ __getitem__ __setitem__ __len__ __iter__ __iadd__ append extend
  extra_repr __call__; ParameterDict(Module) __init__ __getitem__ __setitem__ __delitem__ __len__ __iter__
  __reversed__ copy __contains__ setdefault clear pop popitem get fromkeys keys items values update extra_repr
  __call__ __or__ __ror__ __ior__
torch.nn.modules.conv: _ConvNd(Module) __init__ reset_parameters extra_repr; Conv1d(_ConvNd) __init__ forward;
  Conv2d(_ConvNd) __init__ forward; Conv3d(_ConvNd) __init__ forward; _ConvTransposeNd(_ConvNd) __init__;
  ConvTranspose1d(_ConvTransposeNd) __init__ forward; ConvTranspose2d(_ConvTransposeNd) __init__ forward;
  ConvTranspose3d(_ConvTransposeNd) __init__ forward; _ConvTransposeMixin(_ConvTransposeNd) __init__;
  _LazyConvXdMixin(LazyModuleMixin) reset_parameters initialize_parameters; LazyConv1d(_LazyConvXdMixin, Conv1d)
  __init__; LazyConv2d(_LazyConvXdMixin, Conv2d) __init__; LazyConv3d(_LazyConvXdMixin, Conv3d) __init__;
  LazyConvTranspose1d(_LazyConvXdMixin, ConvTranspose1d) __init__; LazyConvTranspose2d(_LazyConvXdMixin,
  ConvTranspose2d) __init__; LazyConvTranspose3d(_LazyConvXdMixin, ConvTranspose3d) __init__
torch.nn.modules.distance: PairwiseDistance(Module) __init__ forward; CosineSimilarity(Module) __init__ forward
torch.nn.modules.dropout: _DropoutNd(Module) __init__ extra_repr; Dropout(_DropoutNd) forward; Dropout1d(_DropoutNd)
  forward; Dropout2d(_DropoutNd) forward; Dropout3d(_DropoutNd) forward; AlphaDropout(_DropoutNd) forward;
  FeatureAlphaDropout(_DropoutNd) forward
torch.nn.modules.flatten: Flatten(Module) __init__ forward extra_repr; Unflatten(Module) __init__ forward extra_repr
torch.nn.modules.fold: Fold(Module) __init__ forward extra_repr; Unfold(Module) __init__ forward extra_repr
torch.nn.modules.instancenorm: _InstanceNorm(_NormBase) __init__ forward; InstanceNorm1d(_InstanceNorm);
  LazyInstanceNorm1d(_LazyNormBase, _InstanceNorm); InstanceNorm2d(_InstanceNorm); LazyInstanceNorm2d(_LazyNormBase,
  _InstanceNorm); InstanceNorm3d(_InstanceNorm); LazyInstanceNorm3d(_LazyNormBase, _InstanceNorm)
torch.nn.modules.lazy: _LazyProtocol register_forward_pre_hook; LazyModuleMixin __init__ initialize_parameters
  has_uninitialized_params
torch.nn.modules.linear: Identity(Module) __init__ forward; Linear(Module) __init__ reset_parameters forward
  extra_repr; NonDynamicallyQuantizableLinear(Linear) __init__; Bilinear(Module) __init__ reset_parameters forward
  extra_repr; LazyLinear(LazyModuleMixin, Linear) __init__ reset_parameters initialize_parameters
torch.nn.modules.loss: _Loss(Module) __init__; _WeightedLoss(_Loss) __init__; L1Loss(_Loss) forward;
  NLLLoss(_WeightedLoss) __init__ forward; NLLLoss2d(NLLLoss) __init__; PoissonNLLLoss(_Loss) __init__ forward;
  GaussianNLLLoss(_Loss) __init__ forward; KLDivLoss(_Loss) __init__ forward; MSELoss(_Loss) forward;
  BCELoss(_WeightedLoss) forward; BCEWithLogitsLoss(_Loss) __init__ forward; HingeEmbeddingLoss(_Loss) __init__
  forward; MultiLabelMarginLoss(_Loss) forward; SmoothL1Loss(_Loss) __init__ forward; HuberLoss(_Loss) __init__
  forward; SoftMarginLoss(_Loss) forward; CrossEntropyLoss(_WeightedLoss) __init__ forward;
  LinearCrossEntropyLoss(_WeightedLoss) __init__ forward extra_repr; MultiLabelSoftMarginLoss(_WeightedLoss) forward;
  CosineEmbeddingLoss(_Loss) __init__ forward; MarginRankingLoss(_Loss) __init__ forward;
  MultiMarginLoss(_WeightedLoss) __init__ forward; TripletMarginLoss(_Loss) __init__ forward;
  TripletMarginWithDistanceLoss(_Loss) __init__ forward; CTCLoss(_Loss) __init__ forward
torch.nn.modules.module: _IncompatibleKeys(IncompatibleKeys) __repr__; _WrappedHook __init__ __call__; Module __init__
  register_buffer register_parameter add_module register_module get_submodule set_submodule get_parameter get_buffer
  get_extra_state set_extra_state apply cuda ipu xpu mtia cpu type float double half bfloat16 to_empty to
  register_full_backward_pre_hook register_backward_hook register_full_backward_hook register_forward_pre_hook
  register_forward_hook __getattr__ __setattr__ register_state_dict_post_hook register_state_dict_pre_hook state_dict
  register_load_state_dict_pre_hook register_load_state_dict_post_hook load_state_dict parameters named_parameters
  buffers named_buffers children named_children modules named_modules train eval requires_grad_ zero_grad share_memory
  extra_repr __repr__ compile
torch.nn.modules.normalization: LocalResponseNorm(Module) __init__ forward extra_repr; CrossMapLRN2d(Module) __init__
  forward extra_repr; LayerNorm(Module) __init__ reset_parameters forward extra_repr; GroupNorm(Module) __init__
  reset_parameters forward extra_repr; RMSNorm(Module) __init__ reset_parameters forward extra_repr
torch.nn.modules.padding: _CircularPadNd(Module) forward extra_repr; CircularPad1d(_CircularPadNd) __init__;
  CircularPad2d(_CircularPadNd) __init__; CircularPad3d(_CircularPadNd) __init__; _ConstantPadNd(Module) __init__
  forward extra_repr; ConstantPad1d(_ConstantPadNd) __init__; ConstantPad2d(_ConstantPadNd) __init__;
  ConstantPad3d(_ConstantPadNd) __init__; _ReflectionPadNd(Module) forward extra_repr;
  ReflectionPad1d(_ReflectionPadNd) __init__; ReflectionPad2d(_ReflectionPadNd) __init__;
  ReflectionPad3d(_ReflectionPadNd) __init__; _ReplicationPadNd(Module) forward extra_repr;
  ReplicationPad1d(_ReplicationPadNd) __init__; ReplicationPad2d(_ReplicationPadNd) __init__;
  ReplicationPad3d(_ReplicationPadNd) __init__; ZeroPad1d(ConstantPad1d) __init__ extra_repr; ZeroPad2d(ConstantPad2d)
  __init__ extra_repr; ZeroPad3d(ConstantPad3d) __init__ extra_repr
torch.nn.modules.pixelshuffle: PixelShuffle(Module) __init__ forward extra_repr; PixelUnshuffle(Module) __init__
  forward extra_repr
torch.nn.modules.pooling: _MaxPoolNd(Module) __init__ extra_repr; MaxPool1d(_MaxPoolNd) forward; MaxPool2d(_MaxPoolNd)
  forward; MaxPool3d(_MaxPoolNd) forward; _MaxUnpoolNd(Module) extra_repr; MaxUnpool1d(_MaxUnpoolNd) __init__ forward;
  MaxUnpool2d(_MaxUnpoolNd) __init__ forward; MaxUnpool3d(_MaxUnpoolNd) __init__ forward; _AvgPoolNd(Module)
  extra_repr; AvgPool1d(_AvgPoolNd) __init__ forward; AvgPool2d(_AvgPoolNd) __init__ forward; AvgPool3d(_AvgPoolNd)
  __init__ forward; FractionalMaxPool2d(Module) __init__ forward; FractionalMaxPool3d(Module) __init__ forward;
  _LPPoolNd(Module) __init__ extra_repr; LPPool1d(_LPPoolNd) forward; LPPool2d(_LPPoolNd) forward; LPPool3d(_LPPoolNd)
  forward; _AdaptiveMaxPoolNd(Module) __init__ extra_repr; AdaptiveMaxPool1d(_AdaptiveMaxPoolNd) forward;
  AdaptiveMaxPool2d(_AdaptiveMaxPoolNd) forward; AdaptiveMaxPool3d(_AdaptiveMaxPoolNd) forward;
  _AdaptiveAvgPoolNd(Module) __init__ extra_repr; AdaptiveAvgPool1d(_AdaptiveAvgPoolNd) forward;
  AdaptiveAvgPool2d(_AdaptiveAvgPoolNd) forward; AdaptiveAvgPool3d(_AdaptiveAvgPoolNd) forward
torch.nn.modules.rnn: RNNBase(Module) __init__ __setattr__ flatten_parameters reset_parameters check_input
  get_expected_hidden_size check_hidden_size check_forward_args permute_hidden extra_repr; RNN(RNNBase) __init__
  forward; LSTM(RNNBase) __init__ get_expected_cell_size check_forward_args permute_hidden forward; GRU(RNNBase)
  __init__ forward; RNNCellBase(Module) __init__ extra_repr reset_parameters; RNNCell(RNNCellBase) __init__ forward;
  LSTMCell(RNNCellBase) __init__ forward; GRUCell(RNNCellBase) __init__ forward
torch.nn.modules.sparse: Embedding(Module) __init__ reset_parameters forward extra_repr; EmbeddingBag(Module) __init__
  reset_parameters forward extra_repr
torch.nn.modules.transformer: Transformer(Module) __init__ forward; TransformerEncoder(Module) __init__ forward;
  TransformerDecoder(Module) __init__ forward; TransformerEncoderLayer(Module) __init__ forward;
  TransformerDecoderLayer(Module) __init__ forward
torch.nn.modules.upsampling: Upsample(Module) __init__ forward extra_repr; UpsamplingNearest2d(Upsample) __init__;
  UpsamplingBilinear2d(Upsample) __init__
torch.nn.parallel: DistributedDataParallelCPU(DistributedDataParallel)
torch.nn.parallel.data_parallel: DataParallel(Module) __init__ forward replicate scatter parallel_apply gather
torch.nn.parameter: _ParameterMeta(_TensorMeta); Parameter __repr__; UninitializedTensorMixin materialize
  share_memory_ __repr__; UninitializedParameter(UninitializedTensorMixin, Parameter); _BufferMeta(_TensorMeta);
  Buffer; UninitializedBuffer(UninitializedTensorMixin)
torch.nn.utils.parametrizations: _OrthMaps; _Orthogonal(Module) __init__ forward right_inverse; _WeightNorm(Module)
  __init__ forward right_inverse; _SpectralNorm(Module) __init__ forward right_inverse
torch.nn.utils.parametrize: ParametrizationList(ModuleList) __init__ right_inverse forward
torch.nn.utils.prune: BasePruningMethod __call__ compute_mask apply_mask prune remove;
  PruningContainer(BasePruningMethod) __init__ add_pruning_method __len__ __iter__ __getitem__ compute_mask;
  Identity(BasePruningMethod) compute_mask; RandomUnstructured(BasePruningMethod) __init__ compute_mask;
  L1Unstructured(BasePruningMethod) __init__ compute_mask; RandomStructured(BasePruningMethod) __init__ compute_mask;
  LnStructured(BasePruningMethod) __init__ compute_mask; CustomFromMask(BasePruningMethod) __init__ compute_mask
torch.nn.utils.rnn: PackedSequence_ __repr__; PackedSequence(PackedSequence_) pin_memory to cuda cpu double float half
  long int short char byte is_pinned
torch.nn.utils.spectral_norm: SpectralNorm __init__ reshape_weight_to_matrix compute_weight remove __call__;
  SpectralNormLoadStateDictPreHook __init__ __call__; SpectralNormStateDictHook __init__ __call__
torch.nn.utils.weight_norm: WeightNorm __init__ compute_weight remove __call__
torch.optim: Adafactor(Optimizer) __init__ step; Muon(Optimizer) __init__ step
torch.optim.adadelta: Adadelta(Optimizer) __init__ step
torch.optim.adagrad: Adagrad(Optimizer) __init__ share_memory step
torch.optim.adam: Adam(Optimizer) __init__ step
torch.optim.adamax: Adamax(Optimizer) __init__ step
torch.optim.adamw: AdamW(Adam) __init__
torch.optim.asgd: ASGD(Optimizer) __init__ step
torch.optim.lbfgs: LBFGS(Optimizer) __init__ step
torch.optim.lr_scheduler: LRScheduler __init__ state_dict load_state_dict get_last_lr get_lr step;
  _LRScheduler(LRScheduler); _enable_get_lr_call __init__ __enter__ __exit__; _initial_mode __init__ __enter__
  __exit__; LambdaLR(LRScheduler) __init__ state_dict load_state_dict get_lr; MultiplicativeLR(LRScheduler) __init__
  state_dict load_state_dict get_lr; StepLR(LRScheduler) __init__ get_lr; MultiStepLR(LRScheduler) __init__ get_lr;
  ConstantLR(LRScheduler) __init__ get_lr; LinearLR(LRScheduler) __init__ get_lr; ExponentialLR(LRScheduler) __init__
  get_lr; SequentialLR(LRScheduler) __init__ recursive_undo step state_dict load_state_dict; PolynomialLR(LRScheduler)
  __init__ get_lr; CosineAnnealingLR(LRScheduler) __init__ get_lr; ChainedScheduler(LRScheduler) __init__ step
  state_dict load_state_dict; ReduceLROnPlateau(LRScheduler) __init__ step load_state_dict; CyclicLR(LRScheduler)
  __init__ scale_fn get_lr state_dict load_state_dict; CosineAnnealingWarmRestarts(LRScheduler) __init__ get_lr step;
  _SchedulePhase; OneCycleLR(LRScheduler) __init__ get_lr
torch.optim.nadam: NAdam(Optimizer) __init__ step
torch.optim.optimizer: _RequiredParameter __repr__; Optimizer __init__ __repr__ register_step_pre_hook
  register_step_post_hook register_state_dict_pre_hook register_state_dict_post_hook state_dict
  register_load_state_dict_pre_hook register_load_state_dict_post_hook load_state_dict zero_grad step add_param_group
torch.optim.radam: RAdam(Optimizer) __init__ step
torch.optim.rmsprop: RMSprop(Optimizer) __init__ step
torch.optim.rprop: Rprop(Optimizer) __init__ step
torch.optim.sgd: SGD(Optimizer) __init__ step
torch.optim.sparse_adam: SparseAdam(Optimizer) __init__ step
torch.optim.swa_utils: AveragedModel(Module) __init__ forward update_parameters; SWALR(LRScheduler) __init__ get_lr
  state_dict load_state_dict
torch.autograd.profiler: profile __init__ default_trace_id create_trace_id config __enter__ __exit__ __repr__ __str__
  function_events table export_chrome_trace export_stacks toggle_collection_dynamic key_averages total_average
  self_cpu_time_total; record_function(ContextDecorator) __init__ __enter__ __exit__; emit_itt __init__ __enter__
  __exit__; emit_nvtx __init__ __enter__ __exit__; EnforceUnique __init__ see; KinetoStepTracker
torch.autograd.profiler_util: EventList(list) __init__ __str__ self_cpu_time_total table export_chrome_trace
  supported_export_stacks_metrics export_stacks key_averages total_average
torch.profiler.profiler: _KinetoProfile __init__ start stop prepare_trace start_trace stop_trace export_chrome_trace
  export_stacks toggle_collection_dynamic key_averages events add_metadata add_metadata_json preset_metadata_json
  export_memory_timeline; ProfilerAction(Enum); profile(_KinetoProfile) __init__ __enter__ __exit__ start stop step
  set_custom_trace_id_callback get_trace_id
torch.utils.checkpoint: DefaultDeviceType; CheckpointFunction(Function); _Handle; _Holder __init__; _CheckpointFrame
  __init__ save_inputs get_inputs check_recomputed_tensors_match; CheckpointError; _StopRecomputationError;
  _recomputation_hook(saved_tensors_hooks) __init__; _checkpoint_hook(saved_tensors_hooks) __init__; _VersionWrapper
  __init__ get_val; SelectiveCheckpointContext __init__; CheckpointPolicy;
  _CachingTorchDispatchMode(TorchDispatchMode) __init__; _CachedTorchDispatchMode(TorchDispatchMode) __init__
  __enter__; GraphExecGroup __enter__ __exit__
torch.utils.data.dataloader: _DatasetKind; _InfiniteConstantSampler(Sampler) __iter__; DataLoader __init__ __setattr__
  __iter__ __len__ check_worker_number_rationality; _BaseDataLoaderIter __init__ __iter__ __len__;
  _SingleProcessDataLoaderIter(_BaseDataLoaderIter) __init__; _MultiProcessingDataLoaderIter(_BaseDataLoaderIter)
  __init__
torch.utils.data.dataset: Dataset __getitem__ __add__; IterableDataset(Dataset) __add__; TensorDataset(Dataset)
  __init__ __getitem__ __len__; StackDataset(Dataset) __init__ __getitem__ __len__; ConcatDataset(Dataset) __init__
  __len__ __getitem__; ChainDataset(IterableDataset) __init__ __iter__ __len__; Subset(Dataset) __init__ __getitem__
  __len__
torch.utils.data.distributed: DistributedSampler(Sampler) __init__ __iter__ __len__ set_epoch
torch.utils.data.sampler: Sampler __iter__; SequentialSampler(Sampler) __init__ __iter__ __len__;
  RandomSampler(Sampler) __init__ __iter__ __len__; SubsetRandomSampler(Sampler) __init__ __iter__ __len__;
  WeightedRandomSampler(Sampler) __init__ __iter__ __len__; BatchSampler(Sampler) __init__ __iter__ __len__
torch.utils.hooks: RemovableHandle __init__ remove __enter__ __exit__; BackwardHook __init__ setup_input_hook
  setup_output_hook
"""
