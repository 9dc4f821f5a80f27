/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the SVG back and writes each element as a command of TikZ:
 *
 *      <rect class="group2 wide" x="10" y="4" width="8" height="6"/>
 *      \path[fill=neapacceaf,draw=neapffffff,line width=0.75bp](10,4) rectangle (18,10);
 *
 * It knows what svg.h writes: rectangles, lines, paths of straight parts, circles, texts and tiles of
 * hatching.  Their looks are those of the style sheet for light backgrounds.  Lengths are integers of
 * hundredths of a pixel, so the same picture is the same bytes in every locale.
 */
#include "viz/svg/tikz.h"

#include <assert.h>
#include <libxml/xmlreader.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "viz/svg/sheet.h"
#include "viz/svg/tex.h"

#define DEPTH_MOST 32   /* of groups */
#define COLOURS_MOST 64 /* remembered; others are defined again where they are used */
#define NAME_MOST 16    /* characters of a property or a class */
#define TILES_MOST 16

/* ---------------------------------------------------------------- numbers */

/* Reads a number such as "-12.5" in hundredths, and moves past it and the separator that follows. */
static int read_hundredths(const char **text) {
  const char *at = *text + strspn(*text, " ,");
  bool negative = *at == '-';
  int number = 0, places = -1;
  for (at += negative; (*at >= '0' && *at <= '9') || (*at == '.' && places < 0); at++)
    if (*at == '.') places = 0;
    else if (places < 2) {
      number = 10 * number + (*at - '0');
      if (places >= 0) places++;
    }
  for (places = places < 0 ? 0 : places; places < 2; places++)
    number *= 10;
  *text = at + strspn(at, " ,");
  return negative ? -number : number;
}

static void put_hundredths(FILE *stream, int number) {
  int magnitude = abs(number);
  fprintf(stream, "%s%d", number < 0 ? "-" : "", magnitude / 100);
  if (magnitude % 100) fprintf(stream, ".%02d", magnitude % 100);
}

/* Pixels as points of PDF: three quarters. */
static void put_points(FILE *stream, int pixels) {
  put_hundredths(stream, pixels * 3 / 4);
  fputs("bp", stream);
}

/* ---------------------------------------------------------------- paths */

enum step { STEP_MOVE, STEP_LINE, STEP_CLOSE, STEP_END };

/* The steps of a path, in commands of svg_to, svg_along and svg_shut. */
struct steps {
  const char *at;
  char command;
  int x, y;
};

static enum step next_step(struct steps *steps) {
  if (*steps->at && strchr("MLHVlhvmz", *steps->at)) steps->command = *steps->at++;
  const char command = steps->command, *before = steps->at;
  if (command == 'z') {
    steps->at += strspn(steps->at, " ");
    steps->command = 'L';
    return STEP_CLOSE;
  }
  bool is_relative = command >= 'a', is_move = command == 'M' || command == 'm';
  if (!strchr("Vv", command)) steps->x = read_hundredths(&steps->at) + is_relative * steps->x;
  if (!strchr("Hh", command)) steps->y = read_hundredths(&steps->at) + is_relative * steps->y;
  if (steps->at == before) return STEP_END; /* or it is not from svg.h */
  if (is_move) steps->command = is_relative ? 'l' : 'L';
  return is_move ? STEP_MOVE : STEP_LINE;
}

/* ---------------------------------------------------------------- looks */

#define NO_COLOUR (-1)
#define CURRENT (-2) /* currentColor */

struct look {
  int fill, stroke, colour;         /* 0xrrggbb */
  int width, font_size;             /* in hundredths of a pixel */
  int fill_opacity, stroke_opacity; /* in hundredths */
  char dashes[48];                  /* "6 4", or "" */
  char tile[NAME_MOST];             /* of hatching, "neap-low", or "" */
  bool is_round, is_bold, is_middle, is_end;
};

static int colour_of(const char *value) {
  if (value[0] == '#') return (int)strtol(value + 1, NULL, 16);
  return strncmp(value, "currentColor", 12) == 0 ? CURRENT : NO_COLOUR;
}

/* A colour, or a tile as "url(#neap-low)". */
static void set_fill(struct look *look, const char *value) {
  bool is_tile = strncmp(value, "url(#", 5) == 0;
  if (!is_tile) look->fill = colour_of(value);
  const char *id = is_tile ? value + 5 : "";
  snprintf(look->tile, sizeof look->tile, "%.*s", (int)strcspn(id, ")"), id);
}

/* What a property of the style sheet changes; those of the screen change nothing. */
static void set_property(struct look *look, const char *name, const char *value) {
  if (strcmp(name, "fill") == 0) set_fill(look, value);
  else if (strcmp(name, "stroke") == 0) look->stroke = colour_of(value);
  else if (strcmp(name, "color") == 0) look->colour = colour_of(value);
  else if (strcmp(name, "stroke-width") == 0) look->width = read_hundredths(&value);
  else if (strcmp(name, "font-size") == 0) look->font_size = read_hundredths(&value);
  else if (strcmp(name, "fill-opacity") == 0) look->fill_opacity = read_hundredths(&value);
  else if (strcmp(name, "stroke-opacity") == 0) look->stroke_opacity = read_hundredths(&value);
  else if (strcmp(name, "stroke-linejoin") == 0) look->is_round = true;
  else if (strcmp(name, "font-weight") == 0) look->is_bold = true;
  else if (strcmp(name, "text-anchor") == 0) {
    look->is_middle = value[0] == 'm';
    look->is_end = value[0] == 'e';
  } else if (strcmp(name, "stroke-dasharray") == 0)
    snprintf(look->dashes, sizeof look->dashes, "%s", value);
}

/* "fill:none;stroke-width:2" */
static void set_properties(struct look *look, const char *text) {
  while (*text) {
    char name[2 * NAME_MOST], value[3 * NAME_MOST];
    size_t before = strcspn(text, ":"), all = strcspn(text, ";");
    if (before < all) {
      snprintf(name, sizeof name, "%.*s", (int)before, text);
      snprintf(value, sizeof value, "%.*s", (int)(all - before - 1), text + before + 1);
      set_property(look, name, value);
    }
    text += all + (text[all] == ';');
  }
}

static bool has_class(const char *classes, const char *name, size_t size) {
  for (const char *at = classes; *at;) {
    size_t length = strcspn(at, " ");
    if (length == size && memcmp(at, name, size) == 0) return true;
    at += length + strspn(at + length, " ");
  }
  return false;
}

/* Whether a selector such as "text.layer" selects an element; those of states and descendants do not. */
static bool selects(const char *selector, size_t size, const char *element,
                    const char *classes) {
  if (memchr(selector, ' ', size) || memchr(selector, ':', size)) return false;
  size_t tag = 0;
  while (tag < size && selector[tag] != '.')
    tag++;
  if (tag > 0 && (strlen(element) != tag || memcmp(element, selector, tag) != 0)) return false;
  for (size_t at = tag; at < size;) {
    size_t end = at + 1;
    while (end < size && selector[end] != '.')
      end++;
    if (!has_class(classes, selector + at + 1, end - at - 1)) return false;
    at = end;
  }
  return true;
}

static bool any_selects(const char *selectors, const char *element, const char *classes) {
  while (*selectors) {
    size_t size = strcspn(selectors, ",");
    if (selects(selectors, size, element, classes)) return true;
    selectors += size + (selectors[size] == ',');
  }
  return false;
}

/* The look of an element whose group has the colour `inherited`. */
static struct look look_of(const char *element, const char *classes, int inherited) {
  struct look look = {.fill = NO_COLOUR,
                      .stroke = NO_COLOUR,
                      .colour = inherited,
                      .width = 100,
                      .font_size = STYLE_STRONG,
                      .fill_opacity = 100,
                      .stroke_opacity = 100};
  struct style_rule rule;
  for (size_t i = 0; sheet_at(i, &rule); i++)
    if (any_selects(rule.selectors, element, classes)) set_properties(&look, rule.properties);
  if (look.fill == CURRENT) look.fill = look.colour;
  if (look.stroke == CURRENT) look.stroke = look.colour;
  return look;
}

/* ---------------------------------------------------------------- the writer */

/* A tile of hatching: its ground, and what is drawn over it in one look. */
struct tile {
  char id[NAME_MOST];
  int side;
  struct look ground, ink;
  char *code; /* commands of pgf that draw the ink */
  bool is_declared;
};

struct tikz {
  xmlTextReader *reader;
  FILE *stream;
  int colours[COLOURS_MOST];
  size_t colour_count;
  struct tile tiles[TILES_MOST];
  size_t tile_count;
  bool failed;               /* memory was short */
  int inherited[DEPTH_MOST]; /* the colours of the groups around */
};

static void define_colour(struct tikz *tikz, int colour) {
  if (colour < 0) return;
  for (size_t i = 0; i < tikz->colour_count; i++)
    if (tikz->colours[i] == colour) return;
  if (tikz->colour_count < COLOURS_MOST) tikz->colours[tikz->colour_count++] = colour;
  fprintf(tikz->stream, "\\definecolor{neap%06x}{HTML}{%06X}\n", (unsigned)colour,
          (unsigned)colour);
}

static void put_dashes(FILE *stream, const char *dashes) {
  fputs(",dash pattern=", stream);
  for (bool on = true; *dashes; on = !on) {
    fputs(on ? "on " : " off ", stream);
    put_points(stream, read_hundredths(&dashes));
    if (!on && *dashes) fputc(' ', stream);
  }
}

static void put_point(FILE *stream, int x, int y) {
  fputc('(', stream);
  put_hundredths(stream, x);
  fputc(',', stream);
  put_hundredths(stream, y);
  fputc(')', stream);
}

/* ---------------------------------------------------------------- hatching */

/* A property of a node; "": there is none, because memory is short. */
static const char *property(struct tikz *tikz, const xmlNode *node, const char *name) {
  for (const xmlAttr *at = node->properties; at; at = at->next)
    if (strcmp((const char *)at->name, name) == 0 && at->children && at->children->content)
      return (const char *)at->children->content;
  tikz->failed = true;
  return "";
}

static int node_length(struct tikz *tikz, const xmlNode *node, const char *name) {
  const char *text = property(tikz, node, name);
  return read_hundredths(&text);
}

static struct look node_look(struct tikz *tikz, const xmlNode *node) {
  return look_of((const char *)node->name, property(tikz, node, "class"), 0);
}

static void put_tile_point(FILE *stream, int x, int y) {
  fputs("{\\pgfpoint{", stream);
  put_points(stream, x);
  fputs("}{", stream);
  put_points(stream, y);
  fputs("}}", stream);
}

/* The y-axis of a tile points upwards. */
static void put_tile_rectangle(struct tikz *tikz, const xmlNode *node, int side, FILE *code) {
  int across = node_length(tikz, node, "width"), down = node_length(tikz, node, "height");
  fputs("\\pgfpathrectangle", code);
  put_tile_point(code, node_length(tikz, node, "x"),
                 side - node_length(tikz, node, "y") - down);
  put_tile_point(code, across, down);
  fputs("\\pgfusepath{fill}", code);
}

static void put_tile_path(struct tikz *tikz, const xmlNode *node, int side, FILE *code) {
  struct steps steps = {.at = property(tikz, node, "d"), .command = 'M'};
  for (enum step step; (step = next_step(&steps)) != STEP_END;) {
    fputs(step == STEP_MOVE ? "\\pgfpathmoveto" : "\\pgfpathlineto", code);
    put_tile_point(code, steps.x, side - steps.y);
  }
  fputs("\\pgfusepath{stroke}", code);
}

static void put_ink(struct tikz *tikz, const xmlNode *node, int side, FILE *code) {
  if (node->type != XML_ELEMENT_NODE) return;
  if (strcmp((const char *)node->name, "rect") == 0) put_tile_rectangle(tikz, node, side, code);
  else put_tile_path(tikz, node, side, code);
}

/* Reads a tile: its first shape is the ground. */
static bool read_tile(struct tikz *tikz, const xmlNode *node, struct tile *tile) {
  size_t size;
  const xmlNode *ground = node->children;
  while (ground && ground->type != XML_ELEMENT_NODE)
    ground = ground->next;
  FILE *code = ground ? open_memstream(&tile->code, &size) : NULL;
  if (!code) return false;
  snprintf(tile->id, sizeof tile->id, "%s", property(tikz, node, "id"));
  tile->side = node_length(tikz, node, "width");
  tile->ground = node_look(tikz, ground);
  for (const xmlNode *at = ground->next; at; at = at->next) {
    if (at->type == XML_ELEMENT_NODE) tile->ink = node_look(tikz, at);
    put_ink(tikz, at, tile->side, code);
  }
  return fclose(code) == 0;
}

static void keep_tile(struct tikz *tikz) {
  const xmlNode *node = xmlTextReaderExpand(tikz->reader);
  assert(tikz->tile_count < TILES_MOST);
  if (!node || !read_tile(tikz, node, &tikz->tiles[tikz->tile_count++])) tikz->failed = true;
}

/* Another picture of the document may have declared it. */
static void declare_tile(FILE *stream, struct tile *tile) {
  fprintf(stream, "\\ifcsname pgf@pattern@name@%s\\endcsname\\else", tile->id);
  fprintf(stream, "\\pgfdeclarepatternformonly{%s}{\\pgfpointorigin}", tile->id);
  put_tile_point(stream, tile->side, tile->side);
  put_tile_point(stream, tile->side, tile->side);
  fputs("{\\pgfsetlinewidth{", stream);
  put_points(stream, tile->ink.width);
  fprintf(stream, "}%s}\\fi\n", tile->code);
  tile->is_declared = true;
}

/* The tile with an id, declared; NULL: there is none. */
static const struct tile *tile_of(struct tikz *tikz, const char *id) {
  for (size_t i = 0; *id && i < tikz->tile_count; i++) {
    struct tile *tile = &tikz->tiles[i];
    if (strcmp(tile->id, id) != 0 || !tile->code) continue;
    if (!tile->is_declared) declare_tile(tikz->stream, tile);
    return tile;
  }
  return NULL;
}

/* ---------------------------------------------------------------- shapes */

/* Of one byte of two colours. */
static int mix_byte(int over, int under, int opacity, int shift) {
  int a = over >> shift & 0xff, b = under >> shift & 0xff;
  return ((a * opacity + b * (100 - opacity)) / 100) << shift;
}

/*
 * The ink as it looks on its ground.  Programs that show PDF differ in how they combine opacity and
 * patterns, so neither is left to them.
 */
static int ink_colour(const struct tile *tile) {
  const struct look *ink = &tile->ink;
  bool is_line = ink->stroke >= 0;
  int over = is_line ? ink->stroke : ink->fill, under = tile->ground.fill,
      opacity = is_line ? ink->stroke_opacity : ink->fill_opacity;
  return mix_byte(over, under, opacity, 16) | mix_byte(over, under, opacity, 8) |
         mix_byte(over, under, opacity, 0);
}

static void put_fill(FILE *stream, const struct look *look) {
  fprintf(stream, "fill=neap%06x", (unsigned)look->fill);
  if (look->fill_opacity < 100) fprintf(stream, ",fill opacity=0.%02d", look->fill_opacity);
}

static void put_stroke(FILE *stream, const struct look *look) {
  fprintf(stream, "draw=neap%06x,line width=", (unsigned)look->stroke);
  put_points(stream, look->width);
  if (look->stroke_opacity < 100) fprintf(stream, ",draw opacity=0.%02d", look->stroke_opacity);
  if (look->dashes[0]) put_dashes(stream, look->dashes);
  if (look->is_round) fputs(",line join=round", stream);
}

/* "\path[fill=...,draw=...]"; false: there is nothing to see. */
static bool start_path(struct tikz *tikz, const struct look *look) {
  FILE *stream = tikz->stream;
  const struct tile *tile = tile_of(tikz, look->tile);
  bool is_filled = tile || look->fill >= 0;
  if (!is_filled && look->stroke < 0) return false;
  define_colour(tikz, tile ? tile->ground.fill : look->fill);
  if (tile) define_colour(tikz, ink_colour(tile));
  define_colour(tikz, look->stroke);
  if (tile)
    fprintf(stream, "\\pgfscope\\pgfsetfillpattern{%s}{neap%06x}", look->tile,
            (unsigned)ink_colour(tile));
  fputs(tile ? "\\path[preaction={" : "\\path[", stream);
  if (tile) put_fill(stream, &tile->ground);
  if (tile) fputs("},fill", stream);
  else if (is_filled) put_fill(stream, look);
  if (is_filled && look->stroke >= 0) fputc(',', stream);
  if (look->stroke >= 0) put_stroke(stream, look);
  fputc(']', stream);
  return true;
}

/* Ends what start_path has begun. */
static void finish_path(struct tikz *tikz, const struct look *look) {
  fputs(look->tile[0] ? ";\\endpgfscope\n" : ";\n", tikz->stream);
}

/* An attribute as text, which the reader owns; NULL: there is none, or no memory. */
static const char *attribute(struct tikz *tikz, const char *name) {
  int found = xmlTextReaderMoveToAttribute(tikz->reader, (const xmlChar *)name);
  const char *value = found == 1 ? (const char *)xmlTextReaderConstValue(tikz->reader) : NULL;
  if (found < 0 || (found == 1 && !value)) tikz->failed = true;
  xmlTextReaderMoveToElement(tikz->reader);
  return value;
}

static int length(struct tikz *tikz, const char *name) {
  const char *text = attribute(tikz, name);
  return text ? read_hundredths(&text) : 0;
}

static void put_rectangle(struct tikz *tikz, const struct look *look) {
  int x = length(tikz, "x"), y = length(tikz, "y");
  bool is_unseen = attribute(tikz, "fill") != NULL; /* it is for the pointer */
  if (!is_unseen && start_path(tikz, look)) {
    put_point(tikz->stream, x, y);
    fputs(" rectangle ", tikz->stream);
    put_point(tikz->stream, x + length(tikz, "width"), y + length(tikz, "height"));
    finish_path(tikz, look);
  }
}

static void put_line(struct tikz *tikz, const struct look *look) {
  if (!start_path(tikz, look)) return;
  put_point(tikz->stream, length(tikz, "x1"), length(tikz, "y1"));
  fputs(" -- ", tikz->stream);
  put_point(tikz->stream, length(tikz, "x2"), length(tikz, "y2"));
  finish_path(tikz, look);
}

static void put_circle(struct tikz *tikz, const struct look *look) {
  if (!start_path(tikz, look)) return;
  put_point(tikz->stream, length(tikz, "cx"), length(tikz, "cy"));
  fputs(" circle[radius=", tikz->stream);
  put_points(tikz->stream, length(tikz, "r"));
  fputc(']', tikz->stream);
  finish_path(tikz, look);
}

static void put_path(struct tikz *tikz, const struct look *look) {
  const char *d = attribute(tikz, "d");
  if (!d || !start_path(tikz, look)) return;
  struct steps steps = {.at = d, .command = 'M'};
  for (enum step step; (step = next_step(&steps)) != STEP_END;) {
    if (step != STEP_MOVE) fputs(" -- ", tikz->stream);
    if (step == STEP_CLOSE) fputs("cycle", tikz->stream);
    else put_point(tikz->stream, steps.x, steps.y);
  }
  finish_path(tikz, look);
}

/* "rotate(-90)", after "translate(X Y) " or alone: turned texts read upwards. */
static bool take_turn(struct tikz *tikz, int *x, int *y) {
  const char *turn = attribute(tikz, "transform");
  if (!turn) return false;
  int along = *x, across = *y;
  *x = across;
  *y = -along;
  if (strncmp(turn, "translate(", 10) == 0) {
    const char *at = turn + 10;
    *x += read_hundredths(&at);
    *y += read_hundredths(&at);
  }
  return true;
}

static void put_label(struct tikz *tikz, const struct look *look) {
  FILE *stream = tikz->stream;
  int x = length(tikz, "x"), y = length(tikz, "y");
  bool is_turned = take_turn(tikz, &x, &y);
  const xmlNode *node = xmlTextReaderExpand(tikz->reader);
  if (!node) tikz->failed = true;
  define_colour(tikz, look->fill);
  define_colour(tikz, look->stroke);
  fprintf(stream, "\\node[anchor=base%s,text=neap%06x,font=\\sffamily%s\\fontsize{",
          look->is_middle ? ""
          : look->is_end  ? " east"
                          : " west",
          (unsigned)(look->fill < 0 ? 0 : look->fill), look->is_bold ? "\\bfseries" : "");
  put_hundredths(stream, look->font_size * 3 / 4);
  fputs("}{", stream);
  put_hundredths(stream, look->font_size * 9 / 10);
  fputs("}\\selectfont", stream);
  if (look->fill_opacity < 100) fprintf(stream, ",text opacity=0.%02d", look->fill_opacity);
  if (is_turned) fputs(",rotate=90", stream);
  if (look->stroke >= 0) { /* a halo */
    fprintf(stream, ",fill=neap%06x,fill opacity=0.75", (unsigned)look->stroke);
    if (look->fill_opacity == 100) fputs(",text opacity=1", stream);
  }
  fputs("]at", stream);
  put_point(stream, x, y);
  fputc('{', stream);
  for (const xmlNode *part = node ? node->children : NULL; part; part = part->next)
    if (part->type == XML_TEXT_NODE) tex_put(stream, (const char *)part->content);
  fputs("};\n", stream);
}

/* ---------------------------------------------------------------- elements */

static bool is_hidden(const char *name) {
  return strcmp(name, "style") == 0 || strcmp(name, "title") == 0 || strcmp(name, "desc") == 0;
}

static bool is_group(const char *name) {
  return strcmp(name, "svg") == 0 || strcmp(name, "g") == 0 || strcmp(name, "defs") == 0;
}

/* Returns whether to go on inside the element. */
static bool put_element(struct tikz *tikz, const char *name) {
  int depth = xmlTextReaderDepth(tikz->reader);
  if (is_hidden(name)) return false;
  assert(depth >= 0 && depth < DEPTH_MOST);
  const char *classes = attribute(tikz, "class");
  struct look look =
      look_of(name, classes ? classes : "", depth > 0 ? tikz->inherited[depth - 1] : 0);
  bool is_page = classes && strcmp(classes, "page") == 0; /* paper is white by itself */
  tikz->inherited[depth] = look.colour;
  if (is_group(name)) return true;
  if (is_page) return false;
  if (strcmp(name, "pattern") == 0) keep_tile(tikz);
  if (strcmp(name, "rect") == 0) put_rectangle(tikz, &look);
  if (strcmp(name, "line") == 0) put_line(tikz, &look);
  if (strcmp(name, "path") == 0) put_path(tikz, &look);
  if (strcmp(name, "circle") == 0) put_circle(tikz, &look);
  if (strcmp(name, "text") == 0) put_label(tikz, &look);
  return false;
}

neap_status tikz_write(const char *svg, size_t size, int across, int down, FILE *stream,
                       neap_error *error) {
  struct tikz tikz = {.stream = stream};
  tikz.reader =
      size <= INT_MAX
          ? xmlReaderForMemory(svg, (int)size, NULL, NULL,
                               XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_HUGE)
          : NULL;
  if (!tikz.reader) return error_memory(error);
  fputs("% A picture that neap drew, for \\input; the preamble needs \\usepackage{tikz}.\n"
        "\\begin{tikzpicture}[x=0.75bp,y=-0.75bp,inner sep=0pt,outer sep=0pt]\n",
        stream);
  fprintf(stream, "\\useasboundingbox(0,0) rectangle (%d,%d);\n", across, down);
  int more = xmlTextReaderRead(tikz.reader);
  while (more == 1) {
    bool is_start = xmlTextReaderNodeType(tikz.reader) == XML_READER_TYPE_ELEMENT;
    bool inside =
        !is_start || put_element(&tikz, (const char *)xmlTextReaderConstName(tikz.reader));
    more = inside ? xmlTextReaderRead(tikz.reader) : xmlTextReaderNext(tikz.reader);
  }
  fputs("\\end{tikzpicture}%\n", stream);
  xmlFreeTextReader(tikz.reader);
  for (size_t i = 0; i < tikz.tile_count; i++)
    free(tikz.tiles[i].code);
  return more == 0 && !tikz.failed ? NEAP_OK : error_memory(error);
}
