#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compiles models with Vela, with and without neap, and lets Vela check neap's layouts of 200 random sets of live
# ranges; with NEAP_LONG=1, for more memories and 10,000 sets.
# Skipped unless configured --enable-python and --with-vela=DIR, a source tree of Vela in which `python3 setup.py
# build_ext --inplace egg_info` has been run.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../../tap.sh"
vela=${NEAP_VELA:-}
python=${NEAP_PYTHON:-}
models=${NEAP_SHARED:-}/data/models/tflite
PYTHONPATH=$vela:${NEAP_PYTHONPATH:-}
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

if [ -z "$vela" ]; then
  skip_all "models compiled by Vela" "configure was run without --with-vela=DIR"
elif [ -z "$python" ]; then
  skip_all "models compiled by Vela" "Python with cffi is not installed"
elif ! message=$("$python" -c 'import ethosu.vela.vela' 2>&1); then
  skip_all "models compiled by Vela" "Vela does not start: $(echo "$message" | tail -n 1)"
fi

# unit FILE: runs one of Vela's own test files with neap's function in place of Vela's
unit() {
  "$python" -c 'import sys, pytest, neap.hosts.vela, ethosu.vela.hillclimb_allocation as host
host.allocate_live_ranges = neap.hosts.vela.allocate_live_ranges
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", sys.argv[1]]))' "$vela/ethosu/vela/test/$1"
}

# compile CASE MODEL [OPTION...]
compile() {
  case_name=$1
  shift
  output=$("$python" "$here/compile.py" "$@" 2>&1)
  case $? in
    0) pass "$case_name" ;;
    77) skip "$case_name" "Vela alone cannot compile it" ;;
    *) fail "$case_name" "$output" ;;
  esac
}

# starts MODEL: the module, run as a program, is Vela
starts() {
  folder=$(mktemp -d) || return 1
  "$python" -m neap.hosts.vela "$1" --output-dir "$folder" && ls "$folder"/*_vela.tflite
  status=$?
  rm -rf "$folder"
  return $status
}

count=200
[ -z "${NEAP_LONG:-}" ] || count=10000
for file in test_hillclimb_allocation test_tensor_allocation; do
  check "Vela's own $file" unit "$file.py"
done
check "$count random sets of live ranges" "$python" "$here/random_ranges.py" "$count"
first=
for model in "$models"/*.tflite; do
  [ -e "$model" ] || continue
  first=${first:-$model}
  name=$(basename "$model")
  compile "$name" "$model"
  [ -n "${NEAP_LONG:-}" ] || continue
  compile "$name, 64 KiB of cache" "$model" --arena-cache-size 65536
  compile "$name, smallest memory" "$model" --optimise Size --config "$vela/ethosu/config_files/Arm/vela.ini" \
    --accelerator-config ethos-u55-128 --system-config Ethos_U55_High_End_Embedded --memory-mode Shared_Sram
done
if [ -n "$first" ]; then
  check "python3 -m neap.hosts.vela" starts "$first"
else
  skip "models compiled by Vela" "no models in ${models:-the shared folder}"
fi
tap_end
