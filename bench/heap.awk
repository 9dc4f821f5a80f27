# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the trace of a heap as a table of buffers: eight common sizes and long lives among short ones, one more buffer at
# each moment.
#
#     awk -f random.awk -f heap.awk -v count=N

BEGIN {
  random_seed(1)
  size_count = split("16 24 32 48 64 128 256 4096", sizes, " ")
  print "id,lower,upper,size"
  for (i = 0; i < count; i++) {
    is_short = random() < 0.9
    life = 1 + int(random() * (is_short ? 50 : count / 5))
    print i "," i "," i + life "," sizes[1 + int(random() * size_count)]
  }
}
