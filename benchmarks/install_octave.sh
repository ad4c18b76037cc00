#!/bin/sh
# GNU Octave with a fast BLAS, for the rows of the released program. Debian and Ubuntu.
set -eu
as_root=$([ "$(id -u)" -eq 0 ] || echo sudo)
$as_root apt-get update
$as_root apt-get install --yes --no-install-recommends octave libopenblas0
