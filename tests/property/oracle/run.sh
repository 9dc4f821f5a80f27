#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares neap with an independent model of problems in CP-SAT, on 200 random problems (5,000 with NEAP_LONG=1), and
# lets the comparison prove that it sees differences.  Skipped without OR-Tools (pip install ortools).
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../../tap.sh"
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
count=200
[ -z "${NEAP_LONG-}" ] || count=5000
make_work

# with_solver: prints the first Python that has the solver
with_solver() {
  for name in "${NEAP_PYTHON:-python3}" python3; do
    if "$name" -c 'import ortools.sat.python.cp_model' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
}

python=$(with_solver)
[ -n "$python" ] || skip_all "the oracle" "there is no OR-Tools (pip install ortools)"

# sees OLD NEW: there are differences when OLD is replaced by NEW in neap's output
sees() {
  cat >"$work/neap" <<end
#!/bin/sh
"${NEAP_PROGRAM:?the program to test}" "\$@" >"$work/out"
status=\$?
sed 's/$1/$2/' "$work/out"
exit \$status
end
  chmod +x "$work/neap"
  NEAP_PROGRAM=$work/neap "$python" "$here/run" --case "$work/case.json" >"$work/log"
  [ $? -eq 1 ] && cat "$work/log"
}

check "$count random problems" "$python" "$here/run" "$count" 1
cat >"$work/case.json" <<'end'
{"options": ["--engine=exact"], "problem": {"format": "neap-problem", "version": 1,
 "buffers": [{"name": "a", "size": 3, "lifetimes": [[0, 2]]}, {"name": "b", "size": 3, "lifetimes": [[1, 3]]}]}}
end
check "the oracle and neap agree about a problem" "$python" "$here/run" --case "$work/case.json"
check "a wrong peak is seen" sees '"peak": 6' '"peak": 5'
check "a wrong lower bound is seen" sees '"lower_bound": 6' '"lower_bound": 7'
check "a missing proof is seen" sees '"optimal"' '"feasible"'
tap_end
