#!/bin/sh
# Install GNU Octave with a fast BLAS (Debian, Ubuntu), to measure the released program.
set -eu
as_root=$([ "$(id -u)" -eq 0 ] || echo sudo)
$as_root apt-get update
$as_root apt-get install --yes --no-install-recommends octave libopenblas0
