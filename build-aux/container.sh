#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-aux/container.sh [--check]: makes an image of the program neap for podman, docker and other tools that load OCI
# archives, in build/wheel/dist/.  It contains only the program, as one file, which build-aux/wheel.sh --static makes if
# it is missing:
#
#     podman load -i build/wheel/dist/neap-VERSION.oci.tar
#     podman run --rm -v "$PWD:/work" neap plan model.tflite -o plan.json
#
# With --check, the image is unpacked, and the program in it plans an example.  Installs buildah if it is
# missing; exits with 77 if something it needs is unavailable.
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
build=${NEAP_BUILD:-build}/wheel
. "$root/build-aux/setup.sh"

# find_program: the newest one in the build folder
find_program() {
  program=$(ls -t "$build"/dist/neap-*-linux-"$(uname -m)" 2>/dev/null | head -n 1)
  [ -n "$program" ]
}

# image: runs nothing and needs no other image, so it also works in a container.  buildah could write the archive itself,
# but would store the current time in it.
image() {
  archive=$build/dist/neap-$version.oci.tar layout=$build/image-layout
  time=$("$root/build-aux/source-time.sh") || return
  rm -rf "$archive" "$layout" && buildah --storage-driver vfs --root "$build/storage" --runroot "$build/storage-run" build \
    --isolation chroot --timestamp "$time" \
    --build-arg "PROGRAM=${program##*/}" -f "$root/build-aux/Containerfile" -t "oci:$layout:neap:$version" "$build/dist" &&
    tar -C "$layout" --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=ustar \
      -cf "$archive" blobs index.json oci-layout
}

# check_image: whether the program in the image plans an example
check_image() {
  rm -rf "$build/image" && mkdir -p "$build/image/layer" && tar -C "$build/image" -xf "$archive" || return
  for blob in "$build"/image/blobs/sha256/*; do
    tar -C "$build/image/layer" -xf "$blob" 2>/dev/null || :
  done
  "$build/image/layer/neap" plan -q "$root/examples/branches.tflite" -o "$build/image/plan.json" &&
    "$build/image/layer/neap" check -q "$build/image/plan.json"
}

case ${1-} in
  '' | --check) ;;
  *)
    say "usage: build-aux/container.sh [--check]"
    exit 2
    ;;
esac
setup_start
setup_commands buildah:buildah || {
  say "container.sh: no image: buildah is missing (see $setup_log)"
  exit 77
}
find_program || "$root/build-aux/wheel.sh" --static || exit
find_program || die "there is no program in $build/dist"
version=${program##*/neap-} version=${version%-linux-*}
logged "Making the image" image
[ -z "${1-}" ] || logged "Checking the image" check_image
ls -s -h "$archive"
