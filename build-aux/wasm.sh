#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-aux/wasm.sh [--check] [--sources DIR]: makes build/wasm/neap.html, a page that plans models without a network and
# contains the program neap as WebAssembly.  Like a wheel, it is built from the source distribution (build-aux/wheel.sh,
# which reads DIR), but by emscripten (Debian: emscripten).  With --check, Chromium plans models with the page and the
# offsets are compared with those of the program (tests/page/wasm.sh).  Exits with 77 if something is missing.
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
build=${NEAP_BUILD:-build}/wasm
. "$root/build-aux/setup.sh"

# Debian's emscripten needs Debian's modules of Node.js, also under another Node.js.
NODE_PATH=${NODE_PATH:-/usr/share/nodejs}
export NODE_PATH

# sdist [--sources DIR]: the source distribution, unpacked
sdist() {
  NEAP_BUILD=$(dirname "$build") "$root/build-aux/wheel.sh" --sdist "$@" && rm -rf "$build/unpacked" &&
    mkdir -p "$build/unpacked/wasm" &&
    tar -C "$build/unpacked" --strip-components=1 -xf "$(dirname "$build")"/wheel/dist/neap*.tar.gz
}

# program: neap and neap.wasm.  neap waits for its child processes, and the functions for that are undefined there.
program() {
  (cd "$build/unpacked/wasm" &&
    CC=emcc AR=emar HOST=wasm32-unknown-emscripten CFLAGS="-Os -include $root/examples/browser/qsort_r.h" \
      LDFLAGS="-s MODULARIZE=1 -s EXPORT_NAME=makeNeap -s ENVIRONMENT=worker -s EXPORTED_RUNTIME_METHODS=FS,callMain \
        -s ALLOW_MEMORY_GROWTH=1 -s MAXIMUM_MEMORY=4GB -s FORCE_FILESYSTEM=1 -s EXIT_RUNTIME=1 \
        -s ERROR_ON_UNDEFINED_SYMBOLS=0" sh ../native.sh neap)
}

# page: puts the program into examples/browser/page.html
page() {
  made=$build/unpacked/wasm/neap
  cat "$made/neap" "$root/examples/browser/worker.js" >"$build/worker.js" &&
    cp "$root/examples/browser/page.js" "$build" &&
    gzip -9 -n -c "$made/neap.wasm" | base64 -w 0 >"$build/module" &&
    awk -v build="$build" '
      function copy(file, line) { while ((getline line < file) > 0) print line; close(file) }
      $1 == "@include" { copy(build "/" $2); next }
      $1 == "@module" { copy(build "/module"); next }
      { print }' "$root/examples/browser/page.html" >"$build/neap.html.part" &&
    mv "$build/neap.html.part" "$build/neap.html"
}

checking='' sources=''
while [ $# -gt 0 ]; do
  case $1 in
    --sources)
      sources=$(cd "${2:?a folder}" && pwd) || exit 2
      shift
      ;;
    --check) checking=yes ;;
    *)
      say "usage: build-aux/wasm.sh [--check] [--sources DIR]"
      exit 2
      ;;
  esac
  shift
done

setup_start
setup_commands emcc:emscripten || {
  say "wasm.sh: emcc is missing (Debian: emscripten; see $setup_log)"
  exit 77
}
logged "Making the source distribution" sdist ${sources:+--sources "$sources"}
logged "Building the program" program
logged "Making the page" page
say "In ${build#"$root"/}: neap.html, $(wc -c <"$build/neap.html") bytes, $(gzip -9 -c "$build/neap.html" | wc -c) compressed"
[ -n "$checking" ] || exit 0
build=$(dirname "$build")
setup_browser
NEAP_BUILD=$build "$root/tests/page/wasm.sh"
