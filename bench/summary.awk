# SPDX-License-Identifier: GPL-3.0-or-later
# Summarizes runs of `neap bench --csv` as a table in Markdown.  A line is "LABEL;DETAIL;ROW"; runs with the same label
# and engine become one row; the details of those that are not solved are listed below the table.
#
# A run is solved if its peak is proven to be the lowest, or fits into the capacity that was asked for.  The times of
# others count as they are, and get a >.
#
#   -v near=1             counts the peaks that are within 1 % of their lower bound, too
#   -v gaps=0             leaves gaps out, which mean little where a capacity was asked for
#   -v baseline=engine    compares the medians of the times with that of the label's first engine
#   -v baseline=variant   labels are "PROBLEM, VARIANT": compares with the first variant of the same engine

# sort_numbers(list, n): in place; the lists are short
function sort_numbers(list, n, i, j, value) {
  for (i = 2; i <= n; i++) {
    value = list[i]
    for (j = i - 1; j >= 1 && list[j] > value; j--) list[j + 1] = list[j]
    list[j + 1] = value
  }
}

function is_solved(status, reason) {
  return status != "infeasible" && (reason == "bound" || reason == "proven" || reason == "capacity")
}

# spread(values, group, n): sets median and worst
function spread(values, group, n, i, list) {
  for (i = 1; i <= n; i++) list[i] = values[group, i]
  sort_numbers(list, n)
  median = (list[int((n + 1) / 2)] + list[int(n / 2) + 1]) / 2
  worst = list[n]
}

function gap_text(gap) {
  return gap < 1e100 ? sprintf("%.4f %%", gap) : "none"
}

# time_text(time, group): a time after which a run was still not solved gets a >
function time_text(time, group) {
  if (time > 1e100) return "none"
  return (time >= first_unsolved[group] ? "> " : "") sprintf(time < 1 ? "%.3f" : time < 10 ? "%.2f" : "%.1f", time)
}

# ratio(group, median): how many times as long as its baseline, which is the first that it is called with
function ratio(group, median, reference) {
  reference = label[group]
  if (baseline == "variant") {
    sub(/, .*/, "", reference)
    reference = reference SUBSEP engine[group]
  }
  if (!(reference in base)) base[reference] = median
  if (base[reference] <= 0 || base[reference] > 1e100 || median > 1e100) return "none"
  return sprintf("%.2f", median / base[reference])
}

BEGIN {
  FS = ";"
  with_gaps = gaps == "" || gaps
  none = unlimited = 1e300 # no layout at all; solved, however long it took
}

{
  split($3, field, ",")
  key = $1 SUBSEP field[2]
  if (!(key in group_of)) {
    group_of[key] = ++groups
    label[groups] = $1
    engine[groups] = field[2]
    first_unsolved[groups] = unlimited
  }
  group = group_of[key]
  run = ++runs[group]
  gap_of[group, run] = field[6] < 0 ? none : field[7] + 0
  close_runs[group] += gap_of[group, run] <= 1
  times[group, run] = field[10] < 0 ? none : field[10] + 0
  if (is_solved(field[8], field[9])) {
    solved[group]++
  } else {
    if (times[group, run] < first_unsolved[group]) first_unsolved[group] = times[group, run]
    if ($2 != "") unsolved[group] = unsolved[group] ", " $2
  }
}

END {
  print "| problem | engine | solved |" (near ? " within 1 % |" : "") \
    (with_gaps ? " gap, median | worst |" : "") " seconds, median | worst |" (baseline == "" ? "" : " ratio of medians |")
  print "| --- | --- | ---: |" (near ? " ---: |" : "") (with_gaps ? " ---: | ---: |" : "") " ---: | ---: |" \
    (baseline == "" ? "" : " ---: |")
  for (group = 1; group <= groups; group++) {
    n = runs[group]
    line = "| " label[group] " | `" engine[group] "` | " solved[group] + 0 " of " n " |"
    if (near) line = line " " close_runs[group] " of " n " |"
    spread(gap_of, group, n)
    if (with_gaps) line = line " " gap_text(median) " | " gap_text(worst) " |"
    spread(times, group, n)
    line = line " " time_text(median, group) " | " time_text(worst, group) " |"
    if (baseline != "") line = line " " ratio(group, median) " |"
    print line
  }
  print ""
  for (group = 1; group <= groups; group++)
    if (group in unsolved) print "Not solved, " label[group] ", `" engine[group] "`: " substr(unsolved[group], 3) "."
}
