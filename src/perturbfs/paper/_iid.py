"""The paper's text: every entry perturbed by itself, with norm 10^-strength * sigma_min.

Such a perturbation has full rank and needs a factorization of its own. It is never stored:
blocks of it are drawn again from their seeds when they are needed a second time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from perturbfs.arrays import Array, Block, FeatureBlocks, Namespace, namespace_of, triangle

from ._least_squares import (
    TRIANGLES_AT_ONCE,
    Solution,
    System,
    join_triangles,
    left_singular,
    numeric_rank,
)
from ._survey import Scaling

NOISE_CHUNK = 256  # items drawn from one seed; part of the definition of the noise


def noise_size(system: System, strength: float, n_informative: int) -> float:
    """Standard deviation that gives the perturbation the norm 10^-strength * sigma_min.

    The norm of an m x n matrix of independent normal numbers is close to sqrt(m) + sqrt(n)
    standard deviations, so it need not be computed.
    """
    smallest = float(system.singular_values[system.rank - 1])
    norm = math.sqrt(system.shape[0]) + math.sqrt(n_informative)
    return math.pow(10.0, -strength) * smallest / norm


def draw_noise(seed: int, span: slice, length: int, *, xp: Namespace) -> Array:
    """Standard normal numbers for some items, `length` each, the same for any way to cut them.

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


@dataclass(frozen=True, slots=True)
class WideChange:
    """How the coefficients move: E' (dual before - dual after) less N' times what it lost."""

    dual: Array  # what the dual solution loses
    after: Array  # the perturbed dual solution
    seed: int
    along: Array  # (n_features,): size of the noise, 0 for a feature that is left out

    def lift(self, span: slice, along: Array) -> Array:
        """The part of the change that is not in the span of the samples."""
        xp = namespace_of(self.after)
        noise = draw_noise(self.seed, span, self.after.shape[0], xp=xp)
        return along[:, None] * (noise @ self.after)


@dataclass(frozen=True, slots=True)
class TallChange:
    """How the coefficients move, all of it computed already."""

    dual: Array  # zero
    along: Array  # (n_features, n_columns): the change

    def lift(self, span: slice, along: Array) -> Array:  # noqa: ARG002
        """The change itself."""
        return along


def change_by_wide_noise(
    system: System, solution: Solution, *, seed: int, sizes: Array
) -> WideChange:
    """Change of the coefficients under independent noise, for more features than samples.

    Parameters
    ----------
    system : System
        Of wide data.
    solution : Solution
    seed : int
    sizes : array of shape (n_features,)
        Standard deviation of the noise of each feature.

    Returns
    -------
    change : WideChange
    """
    xp = system.rows.xp
    held: list[_PerturbedProducts] = []
    for _, found in system.map(_PerturbedBlock(seed, solution), sizes, combine=_join_products):
        held.append(found)
        if len(held) > TRIANGLES_AT_ONCE:
            held = [_join_products(held)]
    total = _join_products(held)
    left, values = left_singular(total.lower, system.shape, xp=xp)

    def solve(right: Array) -> Array:
        return left @ ((left.T @ right) / values[:, None] ** 2)

    dual = solve(total.moved + total.lifted - solve(total.lifted_residual))
    return WideChange(dual, solution.dual - dual, seed, sizes)


@dataclass(frozen=True, slots=True)
class _PerturbedProducts:
    """What one block adds to the sums."""

    moved: Array
    lifted: Array
    lifted_residual: Array
    lower: Array  # transposed triangle of the perturbed features


def _join_products(parts: Sequence[_PerturbedProducts]) -> _PerturbedProducts:
    """What several blocks add to the sums."""
    first = parts[0]
    xp = namespace_of(first.lower)
    return _PerturbedProducts(
        sum((part.moved for part in parts[1:]), start=first.moved),
        sum((part.lifted for part in parts[1:]), start=first.lifted),
        sum((part.lifted_residual for part in parts[1:]), start=first.lifted_residual),
        join_triangles([part.lower for part in parts], xp=xp).T,
    )


@dataclass(frozen=True, slots=True)
class _PerturbedBlock:
    """Products of a scaled block with its noise."""

    seed: int
    solution: Solution

    def __call__(self, block: Block, sizes: Array) -> _PerturbedProducts:
        dual, residual = self.solution.dual, self.solution.residual
        xp = namespace_of(dual)
        noise = sizes[:, None] * draw_noise(self.seed, block.span, dual.shape[0], xp=xp)
        perturbed = block.dense().T + noise
        return _PerturbedProducts(
            noise.T @ block.project(dual),
            perturbed.T @ (noise @ dual),
            perturbed.T @ (noise @ residual),
            # Always the triangle, never the Gram matrix: noise lifts zero singular values to a
            # thousandth of the others.
            triangle(perturbed, xp=xp).T,
        )


def change_by_tall_noise(
    blocks: FeatureBlocks,
    scaling: Scaling,
    system: System,
    solution: Solution,
    target: Array,
    *,
    seed: int,
    sizes: Array,
) -> TallChange:
    """Change of the coefficients under independent noise, for more samples than features.

    Parameters
    ----------
    blocks : FeatureBlocks
    scaling : Scaling
    system, solution : System, Solution
        In rotated coordinates.
    target : array of shape (n_samples, n_columns)
        As given, not rotated.
    seed : int
    sizes : array of shape (n_features,)
        Standard deviation of the noise of each feature.

    Returns
    -------
    change : TallChange
    """
    xp, n_features = blocks.xp, blocks.shape[1]
    coefficients = system.factor.T @ solution.dual
    left, values = left_singular(system.factor, system.shape, xp=xp)
    # The dual solution over the samples is N times this.
    weights = system.factor.T @ (left @ ((left.T @ solution.dual) / values[:, None] ** 2))
    lifted, lifted_residual = xp.zeros_like(coefficients), xp.zeros_like(coefficients)
    r = xp.zeros((0, n_features + target.shape[1]))
    for span, features in _scaled_rows(blocks, scaling):
        noise = draw_noise(seed, span, n_features, xp=xp) * sizes
        lifted = lifted + noise.T @ (features @ weights)
        lifted_residual = lifted_residual + noise.T @ (target[span, :] - features @ coefficients)
        r = triangle(
            xp.concat([r, xp.concat([features + noise, noise @ coefficients], axis=1)]), xp=xp
        )
    left, values, right = xp.linalg.svd(r[:, :n_features], full_matrices=False)
    rank = numeric_rank(values, blocks.shape, xp=xp)
    left, values, right = left[:, :rank], values[:rank, None], right[:rank, :]
    parts = (
        right @ lifted_residual / values**2 - left.T @ r[:, n_features:] / values - right @ lifted
    )
    change = lifted + right.T @ parts
    return TallChange(xp.zeros_like(solution.dual), change)


def _scaled_rows(blocks: FeatureBlocks, scaling: Scaling) -> Iterator[tuple[slice, Array]]:
    start = 0
    for chunk in blocks.row_chunks():
        span = slice(start, start + chunk.shape[0])
        yield span, scaling.of_columns(chunk)
        start = span.stop
