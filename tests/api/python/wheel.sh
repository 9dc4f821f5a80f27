#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# wheel.sh [WHEEL]: installs a wheel of the Python package in a new virtual environment and uses it where there is no
# compiler and no other neap.  Without WHEEL, the one that build-aux/wheel.sh has left in the build folder.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../../tap.sh"
if [ $# -gt 0 ]; then
  wheel=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
else
  wheel=$(find "$build_root/wheel/dist" -name "neap_planner-*$(uname -m).whl" 2>/dev/null | head -n 1)
fi
[ -n "$wheel" ] || skip_all "the wheel" "there is none: run build-aux/wheel.sh"
python=${NEAP_PYTHON:-python3}

make_work
unset PYTHONPATH NEAP_LIBRARIES NEAP_PROGRAM
if ! { "$python" -m venv "$work/env" && "$work/env/bin/pip" -q --disable-pip-version-check install "$wheel"; } \
  >"$work/log" 2>&1; then
  skip_all "the wheel" "pip cannot install it here: $(tail -n 1 "$work/log")"
fi
if command -v readelf >/dev/null; then
  check "it is hardened" "$source_root/build-aux/hardened.sh" "$work"/env/lib/python3*/site-packages/neap/_native/*
else
  skip "it is hardened" "there is no readelf"
fi
check "it has its bill of materials" grep -q '"spdxVersion": "SPDX-2.3"' \
  "$work"/env/lib/python3*/site-packages/neap_planner-*.dist-info/sboms/neap.spdx.json
# The environment and a few basic tools: neither a compiler nor pkg-config.
mkdir "$work/tools"
for tool in sh cat cut grep sed uname; do
  ln -s "$(command -v "$tool")" "$work/tools/"
done
all_tools=$PATH
PATH=$work/env/bin:$work/tools
export PATH
cd "$work" || exit 1

check "the program is in the path" neap --version
check "the program is a module" python -m neap plan -q "$source_root/examples/mobilenet_v2.csv" -o plan.json --html page.html
check "it checks what it wrote" neap check -q plan.json
for file in branches.tflite mobilenet_v2.ops; do
  check "it plans $file" neap plan -q --svg "$file.svg" -o "$file.json" "$source_root/examples/$file"
done
cat >use.py <<'END'
import sys

import neap

assert neap.Model(sys.argv[1] + "/examples/keyword.tflite").arena().tail == 2424  # before any other library is loaded
problem = neap.Problem()
problem.add(4096, 0, 2, "image")
problem.add(8192, 1, 3, "conv", alignment=64)
for process in (False, True):
    plan = neap.plan(problem, process=process)
    assert (plan.peak, plan.status) == (12288, "optimal")
plan.save("layout.svg")
plan.save("plan.csv")
assert neap.read_plan("plan.csv").peak == 12288
assert neap.explain(problem, 9000).required == 12288
graph = neap.read_graph(sys.argv[1] + "/examples/branches.tflite")
assert neap.plan(graph.problem(schedule="optimal")).peak == 2976
assert neap.Model(sys.argv[1] + "/examples/branches.tflite").fit(arena=6144).fits
assert neap.__file__.startswith(sys.prefix), neap.__file__
END
check "Python uses the library and the program in the wheel" python use.py "$source_root"
check "PNG is refused with a reason" sh -c '! neap draw -q plan.csv -o plan.png 2>err.txt && grep -q "built without librsvg" err.txt'
check "DOT is refused with a reason" sh -c "! neap plan '$source_root/examples/unet.dot' 2>err.txt && grep -q 'built without Graphviz' err.txt"
licences=$(python -c '
from importlib.metadata import files
print(*sorted(str(file).split("licenses/")[1] for file in files("neap-planner") if "licenses/" in str(file)))')
missing=
for licence in COPYING gsl/COPYING jansson/LICENSE protobuf-c/LICENSE zlib/README; do
  case " $licences " in
    *"$licence "*) ;;
    *) missing="$missing $licence" ;;
  esac
done
check_empty "licences of all that it contains are in it" "$missing"
PATH=$all_tools
tap_end
[ "$tap_failures" -eq 0 ]
