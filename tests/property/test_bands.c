/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bands of rows: random networks are computed as a whole and band by band, with real values, as a
 * runtime would, which pads by the height of its input.  All rows must be the same.  The search
 * over cuts must find what trying all paths finds.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/bands/rewrite.h"
#include "models/bands/search.h"
#include "tests/support/sample.h"

#define OPERATORS_MAX 8
#define HEIGHT_MAX 40

static struct band_tensor tensors[OPERATORS_MAX + 1];
static struct band_operator operators[OPERATORS_MAX];
static struct band_network network = {.tensors = tensors, .operators = operators};
static uint64_t values[OPERATORS_MAX + 1][HEIGHT_MAX]; /* of the whole */
static uint64_t state;

static int64_t roll(int64_t count) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int64_t)((state >> 33) % (uint64_t)count);
}

static uint64_t mix(uint64_t sum, uint64_t value) {
  sum = (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return sum ^ sum >> 29;
}

/* ---------------------------------------------------------------- as a runtime */

/* The rows of the output; SAME makes one for each stride, and pads no more on top than below. */
static int64_t rows_made(const struct band_rule *rule, int64_t height, int64_t *top) {
  int64_t made = 0;
  *top = 0;
  if (!rule->is_same) {
    *top = rule->before;
    while (made * rule->stride + rule->reach <= rule->before + height + rule->after)
      made++;
    return made;
  }
  while (made * rule->stride < height)
    made++;
  int64_t padded = (made - 1) * rule->stride + rule->reach;
  if (padded > height) *top = (padded - height) / 2;
  return made;
}

/* The value of row i; it depends on how many rows of the window exist, as in an average. */
static uint64_t window_row(const struct band_rule *rule, const uint64_t *in, int64_t height,
                           int64_t first) {
  uint64_t sum = 1;
  for (int64_t tap = 0; tap < rule->reach; tap++)
    if (first + tap >= 0 && first + tap < height)
      sum = mix(sum, in[first + tap] + (uint64_t)tap);
  return sum;
}

/* Row i lies between two rows, or is one of them. */
static uint64_t resized_row(const struct band_rule *rule, const uint64_t *in, int64_t height,
                            int64_t i) {
  const double factor = (double)rule->stride, half = rule->is_half_pixel ? 0.5 : 0;
  if (!rule->is_linear) return in[(int64_t)floor(((double)i + half) / factor)];
  double at = ((double)i + half) / factor - half;
  int64_t low = (int64_t)floor(at), high = (int64_t)ceil(at);
  uint64_t eighths = (uint64_t)(int64_t)(8 * (at - floor(at)));
  if (low < 0) low = 0;
  if (high > height - 1) high = height - 1;
  return mix(mix(3 + eighths, in[low]), in[high]);
}

/* Returns the height of the output. */
static int64_t compute(const struct band_rule *rule, const uint64_t *a, const uint64_t *b,
                       int64_t height, uint64_t *out) {
  int64_t top;
  if (rule->kind == SPLIT_WINDOW) {
    int64_t made = rows_made(rule, height, &top);
    for (int64_t i = 0; i < made; i++)
      out[i] = window_row(rule, a, height, i * rule->stride - top);
    return made;
  }
  if (rule->kind == SPLIT_PAD) {
    int64_t made = rule->before + height + rule->after;
    for (int64_t i = 0; i < made; i++)
      out[i] = i >= rule->before && i < rule->before + height ? a[i - rule->before] : 77;
    return made;
  }
  if (rule->kind == SPLIT_RESIZE) {
    for (int64_t i = 0; i < height * rule->stride; i++)
      out[i] = resized_row(rule, a, height, i);
    return height * rule->stride;
  }
  for (int64_t i = 0; i < height; i++)
    out[i] = mix(mix(2, a[i]), b[i]);
  return height;
}

/* Channels that are made of the whole input, each by weights of its own. */
static void compute_outputs(const uint64_t *in, int64_t height, struct band_range made,
                            uint64_t *out) {
  for (int64_t i = made.begin; i < made.end; i++) {
    uint64_t sum = (uint64_t)i;
    for (int64_t tap = 0; tap < height; tap++)
      sum = mix(sum, in[tap]);
    out[i - made.begin] = sum;
  }
}

/* ---------------------------------------------------------------- networks */

static struct band_rule random_rule(void) {
  struct band_rule rule = {.kind = SPLIT_WINDOW};
  if (roll(4) == 0) rule.kind = SPLIT_POINTWISE;
  else if (roll(5) == 0)
    rule = (struct band_rule){.kind = SPLIT_PAD, .before = roll(3), .after = roll(3)};
  rule.reach = 1 + roll(roll(4) ? 3 : 9);
  rule.stride = roll(3) ? 1 : 1 + roll(4);
  rule.is_same = roll(3) > 0;
  if (rule.kind == SPLIT_WINDOW && !rule.is_same && roll(2)) {
    rule.before = roll(rule.reach);
    rule.after = roll(rule.reach);
  }
  rule.is_paddable = rule.kind == SPLIT_WINDOW && rule.is_same && roll(3);
  rule.side_bytes = rule.is_paddable ? roll(3) : 0;
  if (roll(6) == 0)
    rule = (struct band_rule){.kind = SPLIT_RESIZE,
                              .stride = 1 << roll(3),
                              .is_linear = roll(2),
                              .is_half_pixel = roll(2)};
  return rule;
}

/* A second input as high as the first, the first itself if there is no other. */
static size_t find_second(size_t first) {
  size_t start = (size_t)roll((int64_t)network.tensor_count);
  for (size_t i = 0; i < network.tensor_count; i++) {
    size_t t = (start + i) % network.tensor_count;
    if (tensors[t].height == tensors[first].height) return t;
  }
  return first;
}

/* Adds an operator that reads the last tensor, so that all are used; false if no rows remain. */
static bool add_operator(void) {
  size_t k = network.operator_count, made = network.tensor_count;
  uint64_t out[HEIGHT_MAX * 2];
  struct band_operator *node = &operators[k];
  *node = (struct band_operator){
      .rule = random_rule(), .inputs = {made - 1}, .input_count = 1, .output = made};
  int64_t height = tensors[made - 1].height;
  if (k == 0 && roll(3) == 0) node->rule = (struct band_rule){.kind = SPLIT_OUTPUTS};
  if (node->rule.kind == SPLIT_POINTWISE && roll(2))
    node->inputs[node->input_count++] = find_second(made - 1);
  int64_t top, rows = node->rule.kind == SPLIT_WINDOW ? rows_made(&node->rule, height, &top)
                      : node->rule.kind == SPLIT_PAD
                          ? height + node->rule.before + node->rule.after
                      : node->rule.kind == SPLIT_RESIZE  ? height * node->rule.stride
                      : node->rule.kind == SPLIT_OUTPUTS ? 1 + roll(HEIGHT_MAX)
                                                         : height;
  if (rows < 1 || rows > HEIGHT_MAX) return false;
  if (node->rule.kind == SPLIT_OUTPUTS)
    compute_outputs(values[made - 1], height, (struct band_range){0, rows}, out);
  else
    compute(&node->rule, values[made - 1], values[node->inputs[node->input_count - 1]], height,
            out);
  memcpy(values[made], out, (size_t)rows * sizeof *out);
  tensors[made] = (struct band_tensor){rows, 1 + roll(9), k + 1, k + 1, false, false};
  for (size_t i = 0; i < node->input_count; i++)
    tensors[node->inputs[i]].read = k + 1;
  node->macs = rows * (1 + roll(9));
  network.tensor_count++;
  network.operator_count++;
  return true;
}

static void make_network(uint64_t seed, size_t count) {
  state = seed * 2 + 1;
  network.tensor_count = 1;
  network.operator_count = 0;
  tensors[0] = (struct band_tensor){2 + roll(HEIGHT_MAX - 1), 1 + roll(9), 0, 0, false, false};
  for (int64_t i = 0; i < HEIGHT_MAX; i++)
    values[0][i] = (uint64_t)roll(1 << 30);
  for (size_t tries = 0; tries < 4 * count && network.operator_count < count; tries++)
    add_operator();
  tensors[network.tensor_count - 1].is_output = true;
}

/* ---------------------------------------------------------------- bands */

static size_t paddings, keepings; /* of all bands */
/* What the operators of a band have made, with the rows that are kept from the one before. */
static uint64_t band_values[OPERATORS_MAX + 1][2 * HEIGHT_MAX];

/* The given rows of a tensor of the segment. */
static const uint64_t *given(const struct band_segment *segment, const struct band_rows *rows,
                             size_t tensor, struct band_range wanted) {
  struct band_range all = band_rows_of(segment, rows, tensor);
  assert_true(all.begin <= wanted.begin && wanted.end <= all.end);
  if (tensor == segment->input) return values[tensor] + wanted.begin;
  return band_values[tensor] + wanted.begin - all.begin;
}

/* Puts rows of the band before above those just made, of which the spoilt ones go. */
static void put_kept(const struct band_rows *before, const struct band_rows *own,
                     uint64_t *values_of, const uint64_t *out) {
  const bool had = before && before->kept.begin < before->kept.end;
  const int64_t first = !before ? 0 : had ? before->kept.begin : before->made.begin;
  const int64_t kept = own->kept.end - own->kept.begin;
  const int64_t begin = kept > 0 ? own->kept.end : own->made.begin;
  if (kept > 0) {
    assert_non_null(before);
    assert_true(before->exact.begin <= own->kept.begin && own->kept.end <= before->exact.end);
    assert_true(own->made.begin <= own->kept.end && own->kept.end < own->made.end);
    memmove(values_of, values_of + own->kept.begin - first, (size_t)kept * sizeof *out);
    keepings++;
  }
  memcpy(values_of + kept, out + begin - own->made.begin,
         (size_t)(own->made.end - begin) * sizeof *out);
}

static void run_band(const struct band_segment *segment, const struct band_rows *before,
                     const struct band_rows *rows, struct band_range band) {
  for (size_t k = 0; k < network.operator_count; k++) {
    const struct band_operator *node = &operators[k];
    struct band_rule rule = node->rule;
    int64_t height = tensors[node->inputs[0]].height;
    uint64_t out[HEIGHT_MAX * 2];
    if (rows[k].given.begin > 0) rule.before = 0;
    if (rows[k].given.end < height) rule.after = 0;
    if (rows[k].is_padded) {
      rule.is_same = false;
      rule.before = rows[k].above;
      rule.after = rows[k].below;
      paddings++;
    }
    int64_t made = rows[k].made.end - rows[k].made.begin;
    const uint64_t *first = given(segment, rows, node->inputs[0], rows[k].given);
    if (rule.kind == SPLIT_OUTPUTS) {
      assert_int_equal(rows[k].given.end - rows[k].given.begin, height);
      compute_outputs(first, height, rows[k].made, out);
    } else
      assert_int_equal(made, compute(&rule, first,
                                     given(segment, rows, node->inputs[node->input_count - 1],
                                           rows[k].given),
                                     rows[k].given.end - rows[k].given.begin, out));
    put_kept(before ? &before[k] : NULL, &rows[k], band_values[node->output], out);
    const struct band_range all = band_rows_of(segment, rows, node->output);
    for (int64_t i = rows[k].exact.begin; i < rows[k].exact.end; i++)
      assert_true(band_values[node->output][i - all.begin] == values[node->output][i]);
  }
  const struct band_rows *last = &rows[network.operator_count - 1];
  assert_true(last->exact.begin <= band.begin && band.end <= last->exact.end);
}

/* Ways to split: a bit for spoilt rows that stay, two for paddings, two for rows that are kept. */
enum { WAYS = 18 };

static struct band_segment segment_in(size_t way) {
  const int64_t paddings_max[] = {0, 1 + roll(99), INT64_MAX};
  const int64_t kept_max[] = {0, 1 + roll(9), INT64_MAX};
  return (struct band_segment){.network = &network,
                               .end = network.operator_count,
                               .output = network.tensor_count - 1,
                               .keeps_spoilt = way % 2,
                               .padding_max = paddings_max[way / 2 % 3],
                               .kept_row_max = kept_max[way / 6]};
}

/* Returns how many bands could be made. */
static size_t band_network_into(size_t bands, const struct band_segment *segment) {
  struct band_rows rows[2][OPERATORS_MAX];
  const int64_t height = tensors[segment->output].height;
  size_t done = 0;
  bool has_before = false;
  for (size_t b = 0; b < bands; b++) {
    const struct band_range band = {height * (int64_t)b / (int64_t)bands,
                                    height * (int64_t)(b + 1) / (int64_t)bands};
    const struct band_rows *before = has_before ? rows[(b + 1) % 2] : NULL;
    has_before = band_slice(segment, band, before, rows[b % 2]);
    if (!has_before) continue;
    run_band(segment, before, rows[b % 2], band);
    done++;
  }
  return done;
}

TEST(bands_are_exact) {
  size_t done = 0, all = 0;
  for (uint64_t seed = 1; seed <= sample_tries(400); seed++) {
    make_network(seed, 1 + (size_t)(seed % OPERATORS_MAX));
    int64_t height = tensors[network.tensor_count - 1].height;
    for (size_t bands = 2; network.operator_count > 0 && bands <= 5 && (int64_t)bands <= height;
         bands++)
      for (size_t way = 0; way < WAYS; way++) {
        const struct band_segment segment = segment_in(way);
        all += bands;
        done += band_network_into(bands, &segment);
      }
  }
  assert_true(paddings > 1000 && keepings > 1000);
  assert_true(done > 5000 && done > all / 10 * 9); /* few are impossible */
}

/* ---------------------------------------------------------------- the search */

/* The peak of a piece that measuring reveals. */
static neap_size true_peak(const struct band_piece *piece) {
  uint64_t sum = mix(piece->segment.first, piece->segment.end);
  sum = mix(mix(sum, piece->bands), piece->segment.keeps_spoilt);
  sum = mix(mix(sum, (uint64_t)piece->segment.padding_max),
            (uint64_t)piece->segment.kept_row_max);
  for (size_t b = 0; b < piece->bands; b++)
    sum = mix(sum, (uint64_t)piece->ends[b]);
  return 100 + (neap_size)(sum % 400);
}

static neap_status measure_piece(struct band_piece *piece, bool plans, void *user,
                                 neap_error *error) {
  (void)plans, (void)user, (void)error;
  if (true_peak(piece) > piece->peak) piece->peak = true_peak(piece);
  return NEAP_OK;
}

static neap_status measure_path(const struct band_path *path, neap_size limit, neap_size *peak,
                                void *user, neap_error *error) {
  (void)limit, (void)user, (void)error;
  *peak = path->peak;
  for (size_t i = 0; i < path->count; i++)
    if (true_peak(path->pieces[i]) > *peak) *peak = true_peak(path->pieces[i]);
  return NEAP_OK;
}

/* A layout that is higher than the pieces of the path, so that the search guesses why. */
static neap_status measure_higher(const struct band_path *path, neap_size limit,
                                  neap_size *peak, void *user, neap_error *error) {
  neap_status status = measure_path(path, limit, peak, user, error);
  *peak += 1 + (neap_size)(mix(path->count, path->operators) % 40);
  return status;
}

static void keep_best(void *user) { (void)user; }

static bool keep_on(void *user) {
  (void)user;
  return true;
}

/* Tries all paths from an operator on that may still be better than the best. */
static void try_all(const struct band_search *search, size_t at, int64_t macs, neap_size peak,
                    const struct band_wish *wish, struct band_path *best) {
  if (macs > wish->macs || (wish->capacity >= 0 && peak > wish->capacity)) return;
  bool is_better = wish->capacity < 0 ? peak < best->peak : macs < best->macs;
  if (!is_better) return; /* neither falls along a path */
  if (at == network.operator_count) *best = (struct band_path){.macs = macs, .peak = peak};
  for (size_t p = 0; p < search->listing.count; p++) {
    const struct band_piece *piece = &search->listing.pieces[p];
    neap_size own = piece->peak > true_peak(piece) ? piece->peak : true_peak(piece);
    if (piece->segment.first == at && band_family_of(piece) <= search->family)
      try_all(search, piece->segment.end, macs + piece->macs, own > peak ? own : peak, wish,
              best);
  }
}

static size_t guessed;

static void check_wish(struct band_search *search, const struct band_wish *wish) {
  static const struct band_measure measure = {measure_piece, measure_path, keep_best, keep_on,
                                              NULL};
  struct band_found found;
  struct band_path best = {.macs = INT64_MAX, .peak = NEAP_MAX};
  neap_error error;
  try_all(search, 0, 0, 0, wish, &best);
  assert_ok(band_search_run(search, wish, &measure, &found, &error), &error);
  assert_int_equal(found.is_found, best.macs < INT64_MAX);
  if (!found.is_found) return;
  assert_true(found.is_proven);
  if (wish->capacity >= 0) {
    assert_int_equal(found.macs, best.macs);
    return;
  }
  neap_size least;
  assert_int_equal(found.peak, best.peak);
  assert_ok(band_search_bound(search, wish->macs, &least, &error), &error);
  assert_int_equal(least, best.peak);
}

/* Even after guesses, no choice is below the bound. */
static void check_bound(struct band_search *search, int64_t macs) {
  static const struct band_measure measure = {measure_piece, measure_higher, keep_best, keep_on,
                                              NULL};
  const struct band_wish wish = {macs, -1, 0};
  struct band_found found;
  struct band_path best = {.macs = INT64_MAX, .peak = NEAP_MAX};
  neap_size least;
  neap_error error;
  search->family = macs % 2 == 0 ? SPLIT_UNKEPT : SPLIT_ALL; /* the former blames all pieces */
  try_all(search, 0, 0, 0, &wish, &best);
  assert_ok(band_search_run(search, &wish, &measure, &found, &error), &error);
  assert_true(!found.is_proven);
  guessed += search->has_guesses;
  assert_ok(band_search_bound(search, macs, &least, &error), &error);
  assert_true(least <= best.peak && !search->has_guesses);
}

TEST(searches_are_exact) {
  size_t pieces = 0;
  for (uint64_t seed = 1; seed <= sample_tries(60); seed++) {
    struct band_search search;
    neap_error error;
    make_network(seed, 3);
    if (network.operator_count == 0) continue;
    const struct band_limits limits = {
        3, 100000, seed % 2 == 0, seed % 3 == 0, seed % 5 == 0, NULL, NULL};
    assert_ok(band_search_init(&search, &network, &limits, &error), &error);
    pieces += search.listing.count;
    for (size_t p = 0; p < search.listing.count; p++)
      if (search.listing.pieces[p].bands > 1)
        assert_true(band_bound_piece(&search.listing.pieces[p], &limits));
    check_wish(&search, &(struct band_wish){search.listing.macs * 3, -1, 0});
    check_wish(&search,
               &(struct band_wish){search.listing.macs + search.listing.macs / 10, -1, 0});
    check_wish(&search,
               &(struct band_wish){search.listing.macs * 3, 100 + (neap_size)(seed % 400), 0});
    check_bound(&search, search.listing.macs * 2);
    band_search_clear(&search);
  }
  assert_true(pieces > sample_tries(1000) && guessed > sample_tries(60) / 4);
}

/* ---------------------------------------------------------------- the bounds of pieces */

#define LIVE_MAX 4096

/* A tensor of a rewritten piece: what each of its rows holds, as a number. */
struct live {
  size_t rows, last; /* the last step that reads it */
  int64_t row_bytes;
  uint32_t contents[HEIGHT_MAX];
};

static struct live lives[LIVE_MAX];
static uint32_t contents;            /* how many there are */
static size_t seen[1 << 20], moment; /* when each content was counted last */

static struct live *live_of(size_t tensor) {
  assert_true(tensor < LIVE_MAX);
  return &lives[tensor];
}

static void renew(struct live *live) {
  for (size_t i = 0; i < live->rows; i++)
    live->contents[i] = contents++;
  assert_true(contents < sizeof seen / sizeof *seen);
}

static void size_tensors(const struct steps *made) {
  const size_t old = network.tensor_count;
  for (size_t t = 0; t < old + made->tensor_count; t++) {
    size_t like = t < old ? t : made->tensors[t - old].like;
    struct live *live = live_of(t);
    live->rows = (size_t)(t < old ? tensors[t].height : made->tensors[t - old].rows);
    live->row_bytes = tensors[like].row_bytes;
    live->last = SIZE_MAX; /* nothing reads it */
    renew(live);
  }
  for (size_t s = 0; s < made->count; s++)
    for (size_t l = 0; l < made->items[s].link_count; l++)
      live_of(made->links[made->items[s].links + l])->last = s;
}

/* Gives rows that are copied the contents of their sources. */
static void copy_contents(const struct steps *made, const struct step *step) {
  struct live *output = live_of(step->output);
  size_t row = 0;
  for (size_t l = 0; l < step->link_count; l++) {
    const struct live *from = live_of(made->links[step->links + l]);
    const bool is_slice = step->kind == STEP_SLICE;
    size_t first = is_slice ? (size_t)step->rows.given.begin : 0;
    for (size_t i = 0; i < (is_slice ? output->rows : from->rows); i++)
      output->contents[row++] = from->contents[first + i];
  }
  assert_int_equal(row, output->rows);
}

/* The bytes of a tensor; with aliases, of contents that were not counted yet. */
static neap_size count_bytes(const struct live *live, bool aliases) {
  neap_size sum = 0;
  for (size_t i = 0; i < live->rows; i++) {
    if (!aliases || seen[live->contents[i]] != moment) sum += live->row_bytes;
    seen[live->contents[i]] = moment;
  }
  return sum;
}

/* The bytes alive at a step; if `has_inputs`, with the inputs that no later step reads. */
static neap_size alive_at(const struct steps *made, size_t step, size_t input, bool has_inputs,
                          bool has_output, bool aliases) {
  neap_size sum = 0;
  moment++;
  for (size_t t = 0; t < network.tensor_count + made->tensor_count; t++) {
    bool is_made = t == input;
    for (size_t s = 0; s < step + has_output; s++)
      is_made |= made->items[s].output == t;
    const size_t last = live_of(t)->last;
    if (is_made && (last == SIZE_MAX || last > step || (last == step && has_inputs) ||
                    made->items[step].output == t))
      sum += count_bytes(live_of(t), aliases);
  }
  return sum;
}

/* The most bytes alive while a step runs; with overlaps, just before or just after it. */
static neap_size most_at(const struct steps *made, size_t step, size_t input, bool aliases,
                         bool overlaps) {
  if (!overlaps) return alive_at(made, step, input, true, true, aliases);
  neap_size before = alive_at(made, step, input, true, false, aliases);
  neap_size after = alive_at(made, step, input, false, true, aliases);
  return before > after ? before : after;
}

/* Likewise with a padded copy of the input, which is made before the step. */
static neap_size most_padded(const struct steps *made, size_t step, size_t input,
                             neap_size padded, bool aliases, bool overlaps) {
  neap_size before = alive_at(made, step, input, !overlaps, false, aliases) + padded;
  neap_size after = alive_at(made, step, input, false, true, aliases) + (overlaps ? 0 : padded);
  return before > after ? before : after;
}

/* No layout of the piece needs less: each content that is alive has bytes of its own. */
static neap_size most_alive(const struct band_piece *piece, bool aliases, bool overlaps) {
  struct band_piece *const items[] = {(struct band_piece *)piece};
  const struct band_pieces pieces = {items, 1};
  const struct band_segment *segment = &piece->segment;
  struct steps made;
  neap_size most = 0;
  assert_true(band_rewrite(&network, &pieces, 10, &made));
  contents = 0;
  size_tensors(&made);
  for (size_t s = 0; s < made.count; s++) {
    const struct step *step = &made.items[s];
    neap_size padded = 0, alive;
    if (step->kind != STEP_BANDED) copy_contents(&made, step);
    else {
      padded = band_padded_bytes(segment, &step->rows, step->like - segment->first);
    }
    alive = padded > 0 ? most_padded(&made, s, segment->input, padded, aliases, overlaps)
                       : most_at(&made, s, segment->input, aliases,
                                 overlaps && step->kind == STEP_BANDED);
    if (alive > most) most = alive;
  }
  steps_clear(&made);
  return most;
}

TEST(bounds_are_low) {
  size_t pieces = 0, keeping = 0, exact = 0;
  for (uint64_t seed = 1; seed <= sample_tries(200); seed++) {
    struct band_search search;
    neap_error error;
    make_network(seed, 2 + (size_t)(seed % 3));
    if (network.operator_count == 0) continue;
    const bool aliases = seed % 2, overlaps = seed % 5 == 0;
    const struct band_limits limits = {3, 1000000, aliases, aliases, overlaps, NULL, NULL};
    assert_ok(band_search_init(&search, &network, &limits, &error), &error);
    for (size_t p = (size_t)roll(20); p < search.listing.count; p += 20) {
      const struct band_piece *piece = &search.listing.pieces[p];
      if (piece->bands == 1) continue;
      const neap_size most = most_alive(piece, aliases, overlaps);
      struct band_piece bounded = *piece;
      assert_true(band_bound_piece(&bounded, &limits));
      assert_true(piece->peak <= bounded.peak && bounded.peak <= most);
      exact += bounded.peak == most;
      pieces++;
      keeping += piece->segment.kept_row_max > 0;
    }
    band_search_clear(&search);
  }
  assert_true(pieces > sample_tries(1000) && keeping > sample_tries(500) && exact > pieces / 4);
}

/* ---------------------------------------------------------------- limits */

TEST(sums_are_limited) {
  struct band_tensor wide = {.height = 2, .row_bytes = (int64_t)1 << 51};
  struct band_operator nodes[2] = {{.macs = (int64_t)1 << 52}, {.macs = (int64_t)1 << 52}};
  struct band_network large = {.tensors = &wide,
                                .operators = nodes,
                                .tensor_count = 1,
                                .operator_count = 2,
                                .axis = SPLIT_ROWS};
  struct band_listing listing;
  neap_error error;
  int64_t macs;
  assert_ok(band_network_sum(&large, &macs, &error), &error);
  assert_int_equal(macs, (int64_t)1 << 53);
  nodes[0].macs++;
  assert_int_equal(band_network_sum(&large, &macs, &error), NEAP_ERROR_FORMAT);
  assert_int_equal(band_listing_init(&listing, &large, NULL, &error), NEAP_ERROR_FORMAT);
  band_listing_clear(&listing);
  nodes[0].macs = 0;
  wide.height = INT64_MAX;
  assert_int_equal(band_network_sum(&large, &macs, &error), NEAP_ERROR_FORMAT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bands_are_exact), cmocka_unit_test(bounds_are_low),
      cmocka_unit_test(searches_are_exact), cmocka_unit_test(sums_are_limited)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
