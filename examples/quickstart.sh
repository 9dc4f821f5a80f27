#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# quickstart.sh: installs missing packages, builds neap in build/, plans a network and draws the plan.
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
build=build
. "$root/build-aux/setup.sh"

setup_start
setup_packages
setup_python cffi:python3-cffi
setup_build

say "Planning MobileNetV2, 224x224, int8 ..."
./neap plan "$root/examples/mobilenet_v2.csv" --svg layout.svg --html layout.html -o mobilenet_v2.plan.csv ||
  exit
echo
echo "The layout: $build/layout.svg"
echo "The same as a page for the browser: $build/layout.html"
echo "The offsets: $build/mobilenet_v2.plan.csv"
echo "The program: $build/neap"
[ ! -e python/staged.stamp ] || echo "The Python package, for $PYTHON: export PYTHONPATH=$build/python/staged"
