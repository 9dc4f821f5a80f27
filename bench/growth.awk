# SPDX-License-Identifier: GPL-3.0-or-later
# How planning time grows: reads "ENGINE KIND COUNT SEED SECONDS STATUS" and prints a table in Markdown, whose slopes
# are those of the least-squares lines through all runs that ended, in the plane of log(count) and log(seconds).
#
#   -v points=FILE   writes the runs there for gnuplot, one block per engine and kind, as "count seconds ended"
#   -v lines=FILE    writes the lines there in the same way, two points each
#   -v names=FILE    sets the lists engines, kinds and slopes for gnuplot, one word per block
#
# A kind that ended at fewer than three counts has no slope.

function cell(group, count) {
  if (!((group, count) in slowest)) return "-"
  return (open[group, count] ? "> " : "") sprintf("%.4f", slowest[group, count])
}

# fit(group): sets slope, or - if there is none, and the ends of the line
function fit(group, mean_x, mean_y, slope_of) {
  slope = "-"
  ends = "NaN NaN\n"
  if (counts_ended[group] < 3) return
  mean_x = sum_x[group] / n[group]
  mean_y = sum_y[group] / n[group]
  slope_of = (sum_xy[group] / n[group] - mean_x * mean_y) / (sum_xx[group] / n[group] - mean_x * mean_x)
  slope = sprintf("%.2f", slope_of)
  ends = low[group] " " exp(mean_y + slope_of * (log(low[group]) - mean_x)) "\n" \
    high[group] " " exp(mean_y + slope_of * (log(high[group]) - mean_x)) "\n"
}

# A time of 0 has no logarithm.
$5 < 1e-6 { $5 = 1e-6 }

!(($1, $2) in group_of) {
  group_of[$1, $2] = ++groups
  name[groups] = $1 " " $2
}

!($3 in seen) {
  seen[$3] = 1
  count[++counts] = $3
}

{
  group = group_of[$1, $2]
  if ($5 > slowest[group, $3]) slowest[group, $3] = $5
  block[group] = block[group] $3 " " $5 " " ($6 == "ended") "\n"
}

$6 != "ended" {
  open[group, $3]++
  next
}

{
  x = log($3)
  y = log($5)
  n[group]++
  sum_x[group] += x
  sum_y[group] += y
  sum_xx[group] += x * x
  sum_xy[group] += x * y
  if (low[group] == "" || $3 < low[group]) low[group] = $3
  if ($3 > high[group]) high[group] = $3
  if (!ended[group, $3]++) counts_ended[group]++
}

END {
  printf "| engine | kind |"
  for (i = 1; i <= counts; i++) printf " %s |", count[i]
  printf " slope |\n| --- | --- |"
  for (i = 1; i <= counts; i++) printf " ---: |"
  print " ---: |"
  for (group = 1; group <= groups; group++) {
    split(name[group], word, " ")
    printf "| `%s` | %s |", word[1], word[2]
    for (i = 1; i <= counts; i++) printf " %s |", cell(group, count[i])
    fit(group)
    print " " slope " |"
    engines = engines " " word[1]
    kinds = kinds " " word[2]
    slopes = slopes " " slope
    if (points != "") printf "%s\n\n", block[group] >points
    if (lines != "") printf "%s\n\n", ends >lines
  }
  if (names != "") printf "engines = \"%s\"\nkinds = \"%s\"\nslopes = \"%s\"\n", engines, kinds, slopes >names
}
