#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/browser/setup.sh BUILD: installs what tests/browser/run.sh needs: Debian's chromium, nodejs and npm, and
# playwright-core in BUILD/tests/browser.  What is there already stays as it is.  A failure is said on standard error.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
build=$1

# missing: the Debian packages of programs that are not there
missing() {
  command -v node >/dev/null || echo nodejs
  command -v npm >/dev/null || echo npm
  command -v chromium >/dev/null || command -v chromium-browser >/dev/null || echo chromium
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo -n "$@"
  fi
}

packages=$(missing | tr '\n' ' ')
if [ -n "$packages" ]; then
  command -v apt-get >/dev/null || {
    echo "these are missing: $packages" >&2
    exit 1
  }
  as_root apt-get -q update || :
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $packages || exit 1
fi

version=$(sed -n 's/.*"playwright-core": "\([^"]*\)".*/\1/p' "$here/package.json")
mkdir -p "$build/tests/browser" && cd "$build/tests/browser" || exit 1
[ -e node_modules/playwright-core/package.json ] && exit 0
# npm writes into the nearest folder that has a package.json.
echo '{"private": true}' >package.json
npm install --no-save --no-audit --no-fund "playwright-core@$version"
