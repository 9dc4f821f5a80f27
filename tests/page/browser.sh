# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2154 # tap.sh sets these variables
# Sourced by the tests in a browser, after tap.sh.

# need_browser NAME: sets NEAP_CHROMIUM, and a folder for its profile as HOME; skips all tests if something is missing
need_browser() {
  command -v node >/dev/null || skip_all "$1" "there is no node"
  [ -e "$build_root/tests/page/node_modules/playwright-core/package.json" ] ||
    skip_all "$1" "there is no playwright-core: NEAP_BROWSER=1 tests/run.sh installs it"
  for browser in chromium chromium-browser google-chrome; do
    NEAP_CHROMIUM=$(command -v "$browser") && break
  done
  [ -n "${NEAP_CHROMIUM-}" ] || skip_all "$1" "there is no chromium"
  make_work
  HOME=$work
  export HOME NEAP_CHROMIUM
}
