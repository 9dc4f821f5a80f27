#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-aux/package.sh [--check]: installs what the build needs, and builds the Debian packages of this source in
# build/debian/.  Runs tests only if DEB_BUILD_OPTIONS is set and does not contain nocheck.
#
# With --check, also runs lintian, asks apt-get what it would install, and runs debian/tests on the packages, which are
# unpacked for this, not installed.  Exits with 77 if packages cannot be built here.
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
build=${NEAP_BUILD:-build}/debian
. "$root/build-aux/setup.sh"

# unable REASON
unable() {
  say "package.sh: no packages: $*"
  exit 77
}

# missing_tools: prints the missing Debian packages that building and checking any package needs
missing_tools() {
  command -v dpkg-buildpackage >/dev/null || echo dpkg-dev
  command -v dh >/dev/null || echo debhelper
  [ -z "$checking" ] || command -v lintian >/dev/null || echo lintian
}

# missing_needs: prints the missing build dependencies, even build-essential, although a compiler is enough
missing_needs() {
  (cd "$source" && LC_ALL=C dpkg-checkbuilddeps -P "$profiles" 2>&1)
}

install_needs() {
  # An unreachable package source may not be needed: let the installation decide.
  as_root apt-get -q update || :
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends -P "$profiles" build-dep "$source"
}

# setup_needs: installs what is missing, or says why not and exits
setup_needs() {
  missing=$(missing_tools | tr '\n' ' ')
  if [ -n "$missing" ]; then
    becomes_root || unable "installing ${missing% } requires root"
    say "Installing ${missing% } ..."
    # shellcheck disable=SC2086,SC2154 # words; setup_start sets setup_log
    install_packages $missing >>"$setup_log" 2>&1 </dev/null
    missing=$(missing_tools | tr '\n' ' ')
    [ -z "$missing" ] || unable "apt-get cannot install ${missing% } (see $setup_log)"
  fi
  if ! missing=$(missing_needs); then
    becomes_root || unable "installing what is missing requires root: $missing"
    say "Installing what the package needs ..."
    install_needs >>"$setup_log" 2>&1 </dev/null
    missing=$(missing_needs) || unable "apt-get cannot install all that is needed (see $setup_log): $missing"
  fi
}

# build_packages: uses a compiler cache if there is one; sets its folder, because debhelper changes the home folder
build_packages() {
  if command -v ccache >/dev/null; then
    CCACHE_DIR=${CCACHE_DIR:-$(ccache --get-config cache_dir)}
    PATH=/usr/lib/ccache:$PATH
    export CCACHE_DIR PATH
  fi
  (cd "$source" && dpkg-buildpackage -us -uc -P"$profiles" "-J$(setup_jobs)" --build=full)
}

# unpack: unpacks the packages to build/debian/root
unpack() {
  rm -rf "$build/root" && mkdir "$build/root" || return
  for package in "$build"/*.deb; do
    dpkg-deb -x "$package" "$build/root" || return
  done
}

# try_packages: runs debian/tests on the unpacked packages
try_packages() {
  cd "$source" || return
  for script in debian/tests/*; do
    [ ! -x "$script" ] || env DESTDIR="$build/root" "$script" || return
  done
}

check_packages() {
  root_flag=
  [ "$(id -u)" -ne 0 ] || root_flag=--allow-root
  # shellcheck disable=SC2086
  logged "Checking with lintian" lintian $root_flag --fail-on error,warning "$build"/*.changes
  logged "Asking apt-get what it would install" apt-get -q --simulate install "$build"/*.deb
  logged "Asking apt-get about the program alone" apt-get -q --simulate install "$build"/neap_*.deb
  logged "Unpacking" unpack
  logged "Looking for what is not hardened" \
    "$root/build-aux/hardened.sh" "$build"/root/usr/bin/neap "$build"/root/usr/lib/*/libneap*.so.1
  logged "Trying the packages" try_packages
}

checking=
case "$*" in
  '') ;;
  --check) checking=yes ;;
  *)
    say "usage: build-aux/package.sh [--check]"
    exit 2
    ;;
esac
: "${DEB_BUILD_OPTIONS=nocheck}"
export DEB_BUILD_OPTIONS
profiles=
case " $DEB_BUILD_OPTIONS " in
  *" nocheck "*) profiles=nocheck ;;
esac

setup_start
command -v apt-get >/dev/null || unable "there is no apt-get: this is not Debian, nor like it"
source=$build/neap
rm -f "$build"/*.deb "$build"/*.changes "$build"/*.buildinfo "$build"/*.dsc "$build"/*.tar.*
logged "Copying the source" copy_source "$source"
setup_needs
logged "Building packages" build_packages
[ -z "$checking" ] || check_packages
say "Packages are in ${build#"$root"/}:"
(cd "$build" && ls -- *.deb)
