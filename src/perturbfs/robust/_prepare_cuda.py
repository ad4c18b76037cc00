"""Prepare features with two kernels, for arrays of torch on a CUDA device.

The steps of `Preparation` sort all values, and read and write them a dozen times. The kernels find
the medians by bisection, and read each value twice and write it once. The results agree with those
of `Preparation` to rounding. Triton comes with torch where torch knows CUDA devices.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

from perturbfs.arrays import Array

# Measured on an H200: values that 32 threads hold in registers, the registers of a thread that
# measures, and the values of features that are neighbors in memory, applied together.
HELD_TO_MEASURE, MEASURING_REGISTERS = 512, 128
HELD_TO_APPLY, APPLIED_TOGETHER, MOST_FEATURES = 256, 2048, 4
MOST_SAMPLES = 2**12  # more do not fit into registers
LARGEST_KEY = tl.constexpr(2**63 - 1)


def measure(
    values: Array,
    weights: Array,
    samples: Array | None,
    *,
    width: float,
    consistency: float,
    rounding: float,
    hugest: float,
) -> Array:
    """Return divisor, center and factor of each feature, as `Preparation` does.

    Features with a divisor other than 1 have no meaningful center and factor.

    Parameters
    ----------
    values : tensor of float64 of shape (n_samples, n_features)
    weights : tensor of shape (n_used,)
        All equal.
    samples : tensor of int of shape (n_used,) or None
    width, consistency, rounding, hugest : float
        As in `_prepare`.
    """
    n_used, n_features = len(weights), values.shape[1]
    moments = values.new_empty((n_features, 3))
    height = triton.next_power_of_2(n_used)
    with torch.cuda.device(values.device):
        _measure[(n_features,)](
            *_columns(values, weights, samples),
            moments,
            n_used,
            width,
            consistency,
            rounding,
            hugest,
            IS_PART=samples is not None,
            COMPRESSES=width < float("inf"),
            HEIGHT=height,
            num_warps=max(1, height // HELD_TO_MEASURE),
            maxnreg=MEASURING_REGISTERS,
        )
    return moments


def apply(
    values: Array,
    weights: Array,
    samples: Array | None,
    moments: Array,
    *,
    width: float,
    rounding: float,
    farthest: float,
) -> Array:
    """Return the prepared features, one row per feature.

    Parameters
    ----------
    values, weights, samples, width, rounding, farthest
        As in `measure` and `_prepare`; the weights may differ.
    moments : tensor of shape (n_features, 3)
        With divisors of 1.
    """
    n_used, n_features = len(weights), values.shape[1]
    # Features stay neighbors in memory, so that reading and writing need no transposition.
    prepared = values.new_empty((n_used, n_features))
    height = triton.next_power_of_2(n_used)
    each = max(1, min(MOST_FEATURES, APPLIED_TOGETHER // height))
    with torch.cuda.device(values.device):
        _apply[(triton.cdiv(n_features, each),)](
            *_columns(values, weights, samples),
            moments,
            *moments.stride(),
            prepared,
            n_used,
            n_features,
            rounding,
            farthest,
            IS_PART=samples is not None,
            COMPRESSES=width < float("inf"),
            HEIGHT=height,
            EACH=each,
            num_warps=max(1, height * each // HELD_TO_APPLY),
        )
    return prepared.T


def _columns(values: Array, weights: Array, samples: Array | None) -> tuple[Any, ...]:
    return values, *values.stride(), weights, weights if samples is None else samples


@triton.jit
def _measure(
    values,
    by_sample,
    by_feature,
    weights,
    samples,
    moments,
    n_used,
    width: tl.float64,
    consistency: tl.float64,
    rounding: tl.float64,
    hugest: tl.float64,
    IS_PART: tl.constexpr,
    COMPRESSES: tl.constexpr,
    HEIGHT: tl.constexpr,
):
    """Store the moments of one feature."""
    place = tl.arange(0, HEIGHT)
    inside = place < n_used
    feature, sample = tl.program_id(0).to(tl.int64), place.to(tl.int64)
    if IS_PART:
        sample = tl.load(samples + place, mask=inside, other=0)
    x = tl.load(values + sample * by_sample + feature * by_feature, mask=inside, other=0.0)
    largest = tl.max(tl.abs(x))
    is_usual = ((largest < hugest) & (largest > 1 / hugest)) | (largest == 0)
    center = _median(x, inside, n_used)
    spread = consistency * _median(tl.abs(x - center), inside, n_used)
    if COMPRESSES and spread <= rounding * largest:
        weight = tl.load(weights + place, mask=inside, other=0.0)
        spread = tl.sqrt(tl.sum((x - center) * (x - center) * weight))
    factor = spread * 0
    if spread > rounding * largest:
        factor = 1 / (width * spread)
    tl.store(moments + 3 * feature, tl.where(is_usual, 1.0, largest))
    tl.store(moments + 3 * feature + 1, center)
    tl.store(moments + 3 * feature + 2, factor)


@triton.jit
def _apply(
    values,
    by_sample,
    by_feature,
    weights,
    samples,
    moments,
    by_row,
    by_moment,
    prepared,
    n_used,
    n_features,
    rounding: tl.float64,
    farthest: tl.float64,
    IS_PART: tl.constexpr,
    COMPRESSES: tl.constexpr,
    HEIGHT: tl.constexpr,
    EACH: tl.constexpr,
):
    """Store the prepared values of some features, which are read and written together."""
    place = tl.arange(0, HEIGHT).to(tl.int64)
    feature = tl.program_id(0).to(tl.int64) * EACH + tl.arange(0, EACH)
    is_used, is_feature = place < n_used, feature < n_features
    inside = is_used[:, None] & is_feature[None, :]
    weight = tl.load(weights + place, mask=is_used, other=0.0)[:, None]
    sample = tl.load(samples + place, mask=is_used, other=0) if IS_PART else place
    at = sample[:, None] * by_sample + feature[None, :] * by_feature
    x = tl.load(values + at, mask=inside, other=0.0)
    moment = moments + feature * by_row + by_moment
    x = x - tl.load(moment, mask=is_feature, other=0.0)[None, :]
    if COMPRESSES:
        x = x * tl.load(moment + by_moment, mask=is_feature, other=0.0)[None, :]
        x = libdevice.asinh(tl.minimum(tl.maximum(x, -farthest), farthest))
    x = tl.where(inside, x, 0.0)
    largest = tl.max(tl.abs(x), axis=0)
    x = (x - tl.sum(x * weight, axis=0)[None, :]) * tl.sqrt(weight)
    length = tl.sqrt(tl.sum(x * x, axis=0))
    varies = length > rounding * largest
    x = x * tl.where(varies, 1 / tl.where(varies, length, 1.0), 0.0)[None, :]
    tl.store(prepared + place[:, None] * n_features + feature[None, :], x, mask=inside)


@triton.jit
def _median(x, inside, n_used):
    """Return the median, the mean of the two middle values."""
    rank = (n_used + 1) // 2
    x = tl.where(inside, x, float("inf"))
    low = _key(tl.min(x)) - 1
    high = _key(tl.max(tl.where(inside, x, float("-inf"))))
    # Up to `low` there are fewer than `rank` values, up to `high` at least as many.
    n_low, n_high = n_used * 0, n_used
    while (n_high - n_low > 1) & (low + 1 < high):
        middle = (low & high) + ((low ^ high) >> 1)  # the mean cannot overflow this way
        n_middle = tl.sum((x <= _value(middle)).to(tl.int32))
        if n_middle >= rank:
            high, n_high = middle, n_middle
        else:
            low, n_low = middle, n_middle
    is_low = x <= _value(high)
    found = tl.max(tl.where(is_low, x, float("-inf")))
    if (n_used % 2 == 0) & (n_high == rank):  # else the middle values are equal
        found = (found + tl.min(tl.where(is_low, float("inf"), x))) / 2
    return found


@triton.jit
def _key(value):
    """Return an integer; integers have the order of the values, and bisection ends for all."""
    bits = value.to(tl.int64, bitcast=True)
    return bits ^ ((bits >> 63) & LARGEST_KEY)


@triton.jit
def _value(key):
    """Return the value of a key."""
    bits = key ^ ((key >> 63) & LARGEST_KEY)
    return bits.to(tl.float64, bitcast=True)
