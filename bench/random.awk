# SPDX-License-Identifier: GPL-3.0-or-later
# Random numbers that are the same on every machine, for other scripts: awk -f random.awk -f SCRIPT.
#
# The multiplicative generator of Park and Miller ("minimal standard"); its products are exact in awk's numbers, and
# awk's own rand() differs between implementations.

function random_seed(seed,  i) {
  random_state = (seed * 48271 + 11) % 2147483646 + 1
  for (i = 0; i < 8; i++) random()
}

# random(): at least 0 and less than 1
function random() {
  random_state = random_state * 16807 % 2147483647
  return random_state / 2147483647
}
