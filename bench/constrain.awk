# SPDX-License-Identifier: GPL-3.0-or-later
# Adds constraints to a table of buffers, the same for the same seed on every machine.
#
#     awk -f random.awk -f constrain.awk -v seed=S -v pins=20 PLAN.csv
#         a fifth of the buffers, chosen at random, fixed where the plan has them
#     awk -f random.awk -f constrain.awk -v seed=S -v pin_count=1 PLAN.csv
#         one buffer
#     awk -f random.awk -f constrain.awk -v seed=S -v alignments='64 512' TABLE.csv
#         each buffer with one of these alignments
#
# The first line names the columns; no field contains a comma.  Offsets that the table already has are dropped, unless
# they are chosen as pins.

BEGIN {
  FS = OFS = ","
  random_seed(seed)
  choices = split(alignments, alignment, " ")
}

NR == 1 {
  sub(/\r$/, "")
  for (i = 1; i <= NF; i++) if ($i == "offset") offset = i
  header = $0
  if ((pins != "" || pin_count != "") && !offset) {
    print "constrain.awk: " FILENAME ": no column offset to take pins from; pass a plan" >"/dev/stderr"
    exit failed = 1
  }
  next
}

{
  sub(/\r$/, "")
  row[++count] = $0
}

END {
  if (failed) exit 1
  wanted = pin_count != "" ? pin_count : int(count * pins / 100 + 0.5)
  print header (choices ? ",alignment" : "")
  for (i = 1; i <= count; i++) {
    $0 = row[i]
    # Selection sampling: each subset of the wanted size has the same probability.
    is_pin = random() * (count - i + 1) < wanted
    wanted -= is_pin
    if (offset && !is_pin) $offset = ""
    if (choices) $(NF + 1) = alignment[int(random() * choices) + 1]
    print
  }
}
