#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# All scripts of the shell are clean for shellcheck.  Skipped if it is not installed.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
command -v shellcheck >/dev/null || skip_all "scripts" "there is no shellcheck"

# scripts: prints the scripts of the project; files that they source are checked with them
scripts() {
  find bootstrap .ci build-aux doc examples python src tests viz -type f \
    -exec grep -l '^# SPDX-License-Identifier: GPL-3.0-or-later' {} + | while read -r file; do
    case $(head -n 1 "$file") in '#!/bin/sh' | '#!'*bash) echo "$file" ;; esac
  done
}

cd "$source_root" || exit 1
for script in $(scripts | LC_ALL=C sort); do
  check "$script" shellcheck "$script"
done
tap_end
