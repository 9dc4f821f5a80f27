#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-aux/source-time.sh: prints the time stamp for everything built from this source, in seconds since 1970:
# SOURCE_DATE_EPOCH, or else the time of the last commit, or in a release, the modification time of NEWS.

cd "$(dirname "$0")/.." || exit 1
if [ -n "${SOURCE_DATE_EPOCH-}" ]; then
  echo "$SOURCE_DATE_EPOCH"
else
  { [ -e .git ] && git log -1 --format=%ct 2>/dev/null; } || stat -c %Y NEWS
fi
