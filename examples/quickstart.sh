#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# From a fresh checkout to a planned network and its picture: installs what is missing, builds in build/, plans.
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
build=build
. "$root/build-aux/setup.sh"

setup_start
setup_packages
setup_build

say "Planning MobileNetV2, 224x224, int8 ..."
./neap plan "$root/examples/mobilenet_v2.csv" --svg layout.svg --html layout.html -o mobilenet_v2.plan.csv ||
  exit
echo
echo "The layout: $build/layout.svg"
echo "To look at in a browser: $build/layout.html"
echo "The offsets: $build/mobilenet_v2.plan.csv"
echo "The program: $build/neap"
