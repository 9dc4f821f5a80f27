# SPDX-License-Identifier: GPL-3.0-or-later
# Draws the series that tables.py wrote into the current folder, on standard output: a panel per engine, a colour per kind.

load "names"
blocks = words(kinds)

set terminal svg size 1040,580 font "sans-serif,12" background "#ffffff"
stats "points" using 1:2 nooutput
set multiplot layout 1,2 \
  title "{/=16 Planning time by number of buffers}\nhollow marks: stopped by the time limit, and not part of the line"
set logscale xy
set xrange [STATS_min_x / 1.5 : STATS_max_x * 1.5]
set yrange [STATS_min_y / 2 : STATS_max_y * 2]
set xlabel "buffers"
set ylabel "seconds"
set format x "%.0s%c"
set format y "%g"
set grid linecolor "#808080" linewidth 0.3
set key below Left reverse maxcols 2 samplen 1 spacing 1.2

# Marks beside colours, filled if the run ended.
array ended[4] = [5, 7, 9, 13]
array open[4] = [4, 6, 8, 12]
# Colours with enough contrast on white and on dark grey alike.
array colours[8] = [0x1f83c9, 0xd4610f, 0x0e9a73, 0xcf4a85, 0xa87400, 0x7a8595, 0x8a63d2, 0xa0643c]
colour(block) = colours[(block - first) % 8 + 1]
mark(block) = (block - first) % 4 + 1
name(i) = word(kinds, i) . (word(slopes, i) eq "-" ? "" : ", slope " . word(slopes, i))

first = 1
while (first <= blocks) {
  engine = word(engines, first)
  last = first
  while (last < blocks && word(engines, last + 1) eq engine) { last = last + 1 }
  set title "--engine " . engine . (engine eq "sort" ? " --order size" : "")
  plot for [i = first:last] "lines" index i - 1 using 1:2 with lines lw 1.5 lc rgb colour(i) notitle, \
    for [i = first:last] "points" index i - 1 using 1:($3 == 1 ? $2 : NaN) \
      with points pt ended[mark(i)] ps 0.55 lc rgb colour(i) title name(i), \
    for [i = first:last] "points" index i - 1 using 1:($3 == 0 ? $2 : NaN) \
      with points pt open[mark(i)] ps 0.8 lc rgb colour(i) notitle
  first = last + 1
}
