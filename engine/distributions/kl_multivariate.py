"""Kullback-Leibler divergences between normal distributions of vectors, whose covariances may be of low rank."""

from typing import Any

from engine.distributions.lowrank_multivariate_normal import LowRankMultivariateNormal
from engine.distributions.multivariate_normal import MultivariateNormal, mahalanobis
from engine.nn.functional import VF


def _check(p: Any, q: Any, kind: str) -> None:
    if p.event_shape != q.event_shape:
        raise ValueError(
            f"KL-divergence between two {kind}Multivariate Normals with"
            "                          different event shapes cannot be computed"
        )


def _trace(matrices: Any) -> Any:
    """The traces of matrices (…, n, m) times their transposes: the sums of the squares."""
    rows, columns = matrices.shape[-2:]
    return matrices.reshape(-1, rows * columns).pow(2).sum(-1).reshape(matrices.shape[:-2])


def _solved(lower: Any, right: Any) -> Any:
    return VF.linalg.solve_triangular(lower, right, upper=False)


def _full(p: Any, q: Any) -> Any:
    _check(p, q, "")
    half = q.half_log_det() - p.half_log_det()
    n = p.event_shape[0]
    of_p, of_q = p._unbroadcasted_scale_tril, q._unbroadcasted_scale_tril
    shape = (*VF.broadcast_shapes(of_q.shape[:-2], of_p.shape[:-2]), n, n)
    trace = _trace(_solved(of_q.expand(shape), of_p.expand(shape)))
    return half + 0.5 * (trace + mahalanobis(of_q, q.loc - p.loc) - n)


def _low_low(p: Any, q: Any) -> Any:
    _check(p, q, "Low Rank ")
    sizes = q.log_det() - p.log_det()
    distance = q.distance(q.loc - p.loc)
    part = _solved(q._capacitance_tril, q.whitened())
    of_p, of_q = p._unbroadcasted_cov_diag, q._unbroadcasted_cov_diag
    trace = (of_p / of_q).sum(-1) + _trace(p._unbroadcasted_cov_factor * of_q.rsqrt().unsqueeze(-1))
    trace = trace - _trace(part * of_p.sqrt().unsqueeze(-2)) - _trace(part.matmul(p._unbroadcasted_cov_factor))
    return 0.5 * (sizes + trace + distance - p.event_shape[0])


def _full_low(p: Any, q: Any) -> Any:
    _check(p, q, "(Low Rank) ")
    sizes = q.log_det() - 2 * p.half_log_det()
    distance = q.distance(q.loc - p.loc)
    part = _solved(q._capacitance_tril, q.whitened())
    of_p = p._unbroadcasted_scale_tril
    trace = _trace(of_p * q._unbroadcasted_cov_diag.rsqrt().unsqueeze(-1)) - _trace(part.matmul(of_p))
    return 0.5 * (sizes + trace + distance - p.event_shape[0])


def _low_full(p: Any, q: Any) -> Any:
    _check(p, q, "(Low Rank) ")
    of_q, factor, n = q._unbroadcasted_scale_tril, p._unbroadcasted_cov_factor, p.event_shape[0]
    sizes = 2 * q.half_log_det() - p.log_det()
    distance = mahalanobis(of_q, q.loc - p.loc)
    lead = VF.broadcast_shapes(of_q.shape[:-2], factor.shape[:-2])
    lower = of_q.expand((*lead, n, n))
    wide = factor.expand((*lead, n, p.cov_factor.size(-1)))
    diagonal = VF.diag_embed(p._unbroadcasted_cov_diag.sqrt()).expand((*lead, n, n))
    trace = _trace(_solved(lower, wide)) + _trace(_solved(lower, diagonal))
    return 0.5 * (sizes + trace + distance - n)


RULES = {
    (MultivariateNormal, MultivariateNormal): _full,
    (LowRankMultivariateNormal, LowRankMultivariateNormal): _low_low,
    (MultivariateNormal, LowRankMultivariateNormal): _full_low,
    (LowRankMultivariateNormal, MultivariateNormal): _low_full,
}
