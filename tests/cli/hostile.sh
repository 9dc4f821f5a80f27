#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names that attack what neap writes: hostile.py has the attacks and the outputs.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
program=${NEAP_PROGRAM:?the program to test}
command -v python3 >/dev/null || skip_all "hostile names" "there is no python3"
make_work
mkdir "$work/names" || exit 1
python3 "$here/hostile.py" "$program" "$source_root" "$work/names"
