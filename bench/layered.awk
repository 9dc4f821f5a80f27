# SPDX-License-Identifier: GPL-3.0-or-later
# A random wide graph of operators, as JSON: awk -f random.awk -f layered.awk -v count=10000 -v width=100 -v seed=1
#
# Each operator makes one tensor and reads up to four: most of them from the layer before its own, one in five from any
# earlier layer.  Graphs of training look like this: many results are read much later.

function draw(below) { return int(random() * below) }

function list_inputs(layer,  n, reads, from, tensor, seen) {
  for (reads = 1 + draw(4); reads > 0; reads--) {
    from = draw(5) == 0 ? draw(layer) : layer - 1
    tensor = from * width + draw(width)
    if (!(tensor in seen)) printf "%s\"t%d\"", n++ ? ", " : "", tensor
    seen[tensor] = 1
  }
}

BEGIN {
  random_seed(seed)
  printf "{\"format\": \"neap-graph\", \"version\": 1, \"inputs\": [], \"outputs\": [\"t%d\"],\n\"tensors\": [\n", count - 1
  for (k = 0; k < count; k++)
    printf "{\"name\": \"t%d\", \"bytes\": %d}%s\n", k, 64 * (1 + draw(1024)), k < count - 1 ? "," : ""
  print "],\n\"operators\": ["
  for (k = 0; k < count; k++) {
    printf "{\"name\": \"o%d\", \"inputs\": [", k
    if (k >= width) list_inputs(int(k / width))
    printf "], \"outputs\": [\"t%d\"]}%s\n", k, k < count - 1 ? "," : ""
  }
  print "]}"
}
