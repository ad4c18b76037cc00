"""The perturbation of the paper's text: independent noise of norm 10^-strength * sigma_min.

Such a perturbation has full rank and needs a factorization of its own. It is never stored:
its blocks are drawn again from their seeds if they are needed a second time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from perturbfs.arrays import Array, Block, Namespace, namespace_of, triangle

from ._least_squares import (
    Change,
    Problem,
    gram_solver,
    join_in_turn,
    join_triangles,
    numeric_rank,
)
from ._prepare import BlockPartial, add_up

NOISE_CHUNK = 256  # items drawn from one seed; part of the definition of the noise


def noise_size(problem: Problem, strength: float) -> float:
    """Return the standard deviation that gives the norm 10^-strength * sigma_min.

    The norm of an m x n matrix of independent normal numbers is close to sqrt(m) + sqrt(n)
    standard deviations, so it need not be computed. Features that are left out do not count.
    """
    system = problem.system
    n_informative = int(system.rows.xp.count_nonzero(problem.scaling.informative))
    smallest = float(system.singular_values[system.rank - 1])
    norm = math.sqrt(system.shape[0]) + math.sqrt(n_informative)
    return math.pow(10.0, -strength) * smallest / norm


def draw_noise(seed: int, span: slice, length: int, *, xp: Namespace) -> Array:
    """Return `length` standard normal numbers for each item of a span.

    The numbers of an item do not depend on the span.

    Returns
    -------
    noise : array of shape (span.stop - span.start, length)
    """
    first, last = span.start // NOISE_CHUNK, -(-span.stop // NOISE_CHUNK)
    chunks = [
        np.random.default_rng([seed, chunk]).standard_normal((NOISE_CHUNK, length))
        for chunk in range(first, last)
    ]
    offset = first * NOISE_CHUNK
    return xp.asarray(np.concatenate(chunks)[span.start - offset : span.stop - offset])


def changes_by_independent_noise(
    problem: Problem, seeds: Sequence[int], strength: float
) -> list[Change]:
    """Return one change of the coefficients per seed, with every entry perturbed independently.

    Parameters
    ----------
    problem : Problem
    seeds : sequence of int
    strength : float
        The norm of the noise is 10^-strength times the smallest singular value.

    Returns
    -------
    changes : list of Change
    """
    xp, (n_samples, n_features) = problem.blocks.xp, problem.blocks.shape
    sizes = noise_size(problem, strength) * xp.astype(problem.scaling.informative, xp.float64)
    change = _change_by_tall_noise if n_samples > n_features else _change_by_wide_noise
    return [change(problem, seed, sizes) for seed in seeds]


def _change_by_wide_noise(problem: Problem, seed: int, sizes: Array) -> Change:
    """Return the perturbed dual solution times the noise, minus N' times what the dual loses."""
    system, solution = problem.system, problem.solution
    perturb = BlockPartial(
        _perturb_block, seed=seed, dual=solution.dual, residual=solution.residual
    )
    passed = system.map(perturb, sizes, combine=_join_products)
    sums, lower = join_in_turn((found for _, found in passed), _join_products)
    moved, lifted, lifted_residual = sums
    solve = gram_solver(lower, system.shape, xp=system.rows.xp)
    lost = solve(moved + lifted - solve(lifted_residual))
    lift = partial(_lift_by_noise, seed=seed, dual=solution.dual - lost)
    return Change(lost, sizes, lift)


def _lift_by_noise(span: slice, sizes: Array, *, seed: int, dual: Array) -> Array:
    """Return the part of the change that is not in the span of the samples."""
    noise = draw_noise(seed, span, dual.shape[0], xp=namespace_of(dual))
    return sizes[:, None] * (noise @ dual)


def _perturb_block(
    block: Block, sizes: Array, *, seed: int, dual: Array, residual: Array
) -> tuple[list[Array], Array]:
    """Return products of a scaled block with its noise, and its transposed triangle."""
    xp = namespace_of(dual)
    noise = sizes[:, None] * draw_noise(seed, block.span, dual.shape[0], xp=xp)
    perturbed = block.dense().T + noise
    products = [
        noise.T @ block.project(dual),
        perturbed.T @ (noise @ dual),
        perturbed.T @ (noise @ residual),
    ]
    # Always the triangle, never the Gram matrix: noise lifts zero singular values to a
    # thousandth of the others.
    return products, triangle(perturbed, xp=xp).T


def _join_products(parts: Sequence[tuple[list[Array], Array]]) -> tuple[list[Array], Array]:
    """Return the sums of the products of several blocks, and their joint triangle."""
    return add_up([products for products, _ in parts]), join_triangles(low for _, low in parts)


def _change_by_tall_noise(problem: Problem, seed: int, sizes: Array) -> Change:
    """Return the change from one pass over the samples, which are not rotated for it."""
    blocks, system, solution = problem.blocks, problem.system, problem.solution
    xp, n_features = blocks.xp, blocks.shape[1]
    target = xp.asarray(problem.target.columns)
    coefficients = system.factor.T @ solution.dual
    # The dual solution over the samples is N times this.
    weights = system.factor.T @ gram_solver(system.factor, system.shape, xp=xp)(solution.dual)
    lifted, lifted_residual = xp.zeros_like(coefficients), xp.zeros_like(coefficients)
    r = xp.zeros((0, n_features + target.shape[1]))
    for span, features in problem.scaling.row_chunks(blocks):
        noise = draw_noise(seed, span, n_features, xp=xp) * sizes
        lifted = lifted + noise.T @ (features @ weights)
        lifted_residual = lifted_residual + noise.T @ (target[span, :] - features @ coefficients)
        perturbed = xp.concat([features + noise, noise @ coefficients], axis=1)
        r = triangle(xp.concat([r, perturbed]), xp=xp)
    left, values, right = xp.linalg.svd(r[:, :n_features], full_matrices=False)
    rank = numeric_rank(values, blocks.shape, xp=xp)
    left, values, right = left[:, :rank], values[:rank, None], right[:rank, :]
    parts = (
        right @ lifted_residual / values**2 - left.T @ r[:, n_features:] / values - right @ lifted
    )
    change = lifted + right.T @ parts
    return Change(xp.zeros_like(solution.dual), change, _lift_itself)


def _lift_itself(_: slice, change: Array) -> Array:
    """Return the change of some features, which is known already."""
    return change
