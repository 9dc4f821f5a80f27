#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cmocka.sh PROGRAM [ARGUMENT...]: runs a cmocka program and prints TAP that Automake's driver accepts.
#
# cmocka restarts its numbering and prints a plan for every group of tests, writes a skipped case as
# "not ok 3 # SKIP name", and exits with the number of failures, which the driver would count as another
# failure.  A program that crashes would even be counted twice.  This script numbers all cases in sequence,
# prints one plan at the end, writes skips the usual way, and reports a crash as one error.

CMOCKA_MESSAGE_OUTPUT=TAP
export CMOCKA_MESSAGE_OUTPUT

{
  "$@"
  echo "cmocka.sh: status $?"
} | LC_ALL=C "${AM_TAP_AWK:-awk}" '
  # The status comes last, perhaps after a line that the program did not finish.
  match($0, /cmocka\.sh: status [0-9]+$/) {
    status = substr($0, RSTART + 18)
    $0 = substr($0, 1, RSTART - 1)
    if ($0 == "")
      next
  }
  /^1\.\.[0-9]+$/ {
    planned += substr($0, 4)
    next
  }
  /^1\.\.0+[ \t]*#/ {
    skips_all = 1
  }
  /^(not )?ok [0-9]+ # (SKIP|skip) / {
    sub(/^(not )?ok [0-9]+ # (SKIP|skip) /, "")
    print "ok " ++run " - " $0 " # SKIP"
    next
  }
  /^ok [0-9]/ {
    sub(/^ok [0-9]+/, "ok " ++run)
  }
  /^not ok [0-9]/ {
    sub(/^not ok [0-9]+/, "not ok " ++run)
    failed++
  }
  { print }
  END {
    # A program skips itself as a whole through its plan.
    if (skips_all && status == 0)
      exit
    if (run == 0 || run < planned)
      printf "Bail out! exited with status %d after %d of %d cases\n", status, run, planned
    else {
      print "1.." run
      if (status != 0 && !failed)
        exit status > 255 ? 1 : status
    }
  }'
