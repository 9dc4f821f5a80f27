# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2154 # set by tap.sh
# What tests of orders share: included after tap.sh.

# layered COUNT WIDTH SEED: writes work/layered.json, a graph of operators
layered() {
  awk -f "$source_root/bench/random.awk" -f "$source_root/bench/layered.awk" -v count="$1" -v width="$2" -v seed="$3" \
    >"$work/layered.json"
}
