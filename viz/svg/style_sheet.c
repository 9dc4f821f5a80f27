/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plain rules for a light background, and the same selectors again under prefers-color-scheme:
 * dark.  There are no custom properties, so renderers without these and media queries, as many
 * that make bitmaps, still draw the light picture.
 *
 * The classes of risk go from cool and pale to warm and strong, a scale that keeps its order in
 * grey and for the colour-blind; hatching that gets denser with the risk is a second cue.  A ramp's
 * lightness changes in one direction only.  Groups have no order: their colours differ in hue.
 */
#include "viz/svg/style_sheet.h"

const struct rule sheet_plain[] = {
    {"svg",
     "color-scheme:light dark;font-size:12px;font-family:system-ui,-apple-system,Segoe UI,"
     "Roboto,Helvetica Neue,Arial,sans-serif",
     "", ""},
    {"text", "", "fill:#1b2430", "fill:#e4e9f0"},
    {"line,path,.outline", "fill:none", "", ""},
    {".page", "", "fill:#ffffff", "fill:#10141b"},
    {".panel", "", "fill:#f6f7f9", "fill:#0b0e13"},
    {".grid", "stroke-width:1", "stroke:#e3e7ec", "stroke:#272e3a"},
    {".outline", "stroke-width:1", "stroke:#8b95a3", "stroke:#6d7888"},
    /* type */
    {".head", "font-size:20px;font-weight:600", "", ""},
    {".value", "font-size:17px;font-weight:600", "", ""},
    {".tick,.detail,.note,.caption", "font-size:11px", "fill:#5b6675", "fill:#98a3b3"},
    {".strong", "font-size:12px;font-weight:600", "", ""},
    {".middle,.name", "text-anchor:middle", "", ""},
    {".end", "text-anchor:end", "", ""},
    {".outlined", "paint-order:stroke;stroke-width:3;stroke-linejoin:round", "stroke:#ffffff",
     "stroke:#10141b"},
    {".name", "font-size:10px;pointer-events:none", "", "fill:#ffffff"},
    {".size", "", "fill-opacity:.7", "fill-opacity:.75"},
    /* rectangles: how they look by class of risk, by extent and under the pointer */
    {".low.wide", "fill:url(#neap-low)", "", ""},
    {".medium.wide", "fill:url(#neap-medium)", "", ""},
    {".high.wide", "fill:url(#neap-high)", "", ""},
    {".hatch", "stroke-width:1", "stroke:#1b2430;stroke-opacity:.15",
     "stroke:#ffffff;stroke-opacity:.14"},
    {".dots", "", "fill:#1b2430;fill-opacity:.2", "fill:#ffffff;fill-opacity:.18"},
    {".wide", "stroke-width:1", "stroke:#ffffff", "stroke:#10141b"},
    {".thin", "stroke-width:.3", "stroke:#ffffff", "stroke:#10141b"},
    {".tiny", "stroke-width:.5", "", ""},
    {".tiny.flat", "stroke-width:1.4", "", ""},
    {".boxes rect:hover", "stroke-width:2", "stroke:#1b2430", "stroke:#ffffff"},
    {".part1", "fill-opacity:.42", "", ""},
    {".part2", "fill-opacity:.62", "", ""},
    {".part3", "fill-opacity:.82", "", ""},
    /* levels and the curve of live sizes */
    {".target", "stroke-width:1.4;stroke-dasharray:6 4", "stroke:#1b2430", "stroke:#e4e9f0"},
    {".bound", "stroke-width:1.8;stroke-dasharray:12 3 2 3", "stroke:#8a2f8f",
     "stroke:#efc3f3"},
    {".halo", "stroke-width:4;stroke-opacity:.75", "stroke:#ffffff", "stroke:#10141b"},
    {".lower", "stroke-dasharray:2 3", "", ""},
    {".capacity", "stroke-width:2", "stroke:#006257", "stroke:#62e0d0"},
    {".beyond", "fill:url(#neap-beyond)", "", ""},
    {".above", "stroke-width:.8", "stroke:#006257;stroke-opacity:.5",
     "stroke:#62e0d0;stroke-opacity:.5"},
    {".clash", "fill:url(#neap-clash);stroke-width:2", "stroke:#b0001c", "stroke:#ffbcc6"},
    {".cross", "stroke-width:.8", "stroke:#b0001c", "stroke:#ffbcc6"},
    {".glass", "fill-opacity:.3", "fill:#ffffff", "fill:#10141b"},
    {".fault", "font-weight:600", "fill:#b0001c", "fill:#ffbcc6"},
    {".stack", "fill:none;stroke-width:2;stroke-linejoin:round", "stroke:#1b2430",
     "stroke:#ffffff"},
    {".fine", "stroke-width:.7", "", ""},
    {".spine", "stroke-width:1.6", "stroke:#1b2430", "stroke:#f4f7fb"},
    {".hole", "stroke-width:1;stroke-dasharray:2 2", "", ""},
    {".pin", "", "fill:#1b2430", "fill:#f4f7fb"},
    {".leader", "stroke-width:1", "stroke:#8b95a3", "stroke:#6d7888"},
    {".area", "", "fill:#3f6c94;fill-opacity:.16", "fill:#7fb0db;fill-opacity:.2"},
    {".curve", "stroke-width:1.3;stroke-linejoin:round", "stroke:#3f6c94", "stroke:#7fb0db"},
    {".summit", "stroke-width:3", "stroke:#8a2f8f", "stroke:#efc3f3"},
    {".leader.layer", "stroke-width:.8", "stroke:#1b2430;stroke-opacity:.55",
     "stroke:#f4f7fb;stroke-opacity:.55"},
    {"text.layer", "font-size:11px", "", ""},
    /* series of a chart */
    {".series,.mark,.whisker",
     "stroke:currentColor;stroke-width:2;stroke-linejoin:round;stroke-linecap:round", "", ""},
    {".mark", "", "fill:#ffffff", "fill:#10141b"},
    {".level", "stroke-width:1.6;stroke-dasharray:7 4", "", ""},
    {".series0", "", "color:#0067a5", "color:#62b0ea"},
    {".series1", "", "color:#c94f06", "color:#f2935a"},
    {".series2", "", "color:#00835f", "color:#45cda5"},
    {".series3", "", "color:#b8306a", "color:#f28ab0"},
    {".series4", "", "color:#a87400", "color:#efc04e"},
    {".series5", "", "color:#4a5463", "color:#b7c0cc"},
    {".series6", "", "color:#6b46c1", "color:#b49af0"},
    {".series7", "", "color:#7b4a2b", "color:#d3a27f"},
    {".band", "fill:currentColor;fill-opacity:.14;stroke:currentColor;stroke-opacity:.4", "",
     ""},
    {".whisker", "stroke-width:6;stroke-opacity:.3;stroke-linecap:round", "", ""},
};
const size_t sheet_plain_count = sizeof sheet_plain / sizeof *sheet_plain;

/* Rules only for pictures that have signs of relations. */
const struct rule sheet_signs[] = {
    {".reserved", "fill:url(#neap-reserved);stroke-width:1", "stroke:#5b6675",
     "stroke:#98a3b3"},
    {".stripe", "stroke-width:1.6", "stroke:#5b6675;stroke-opacity:.5",
     "stroke:#98a3b3;stroke-opacity:.5"},
    {".bank", "stroke-width:.8;stroke-dasharray:1 4", "stroke:#5b6675", "stroke:#98a3b3"},
    {".shared", "fill:url(#neap-shared);stroke-width:1.4", "stroke:#3d1fa8", "stroke:#d3caff"},
    {".weave", "stroke-width:1.6", "stroke:#3d1fa8;stroke-opacity:.7",
     "stroke:#d3caff;stroke-opacity:.7"},
    {".excluded", "fill:url(#neap-excluded);stroke-width:1;stroke-dasharray:4 2",
     "stroke:#3d1fa8", "stroke:#d3caff"},
    {".drop", "", "fill:#3d1fa8;fill-opacity:.6", "fill:#d3caff;fill-opacity:.6"},
    {".body", "fill:none;stroke-width:2.4;stroke-dasharray:1 3;stroke-linecap:round",
     "stroke:#006257", "stroke:#62e0d0"},
    {".broken", "fill:none;stroke-width:2.6;stroke-dasharray:8 3", "stroke:#b0001c",
     "stroke:#ffbcc6"},
    {".fixed", "stroke-width:1.2", "fill:#1b2430;stroke:#ffffff",
     "fill:#ffffff;stroke:#10141b"},
};
const size_t sheet_signs_count = sizeof sheet_signs / sizeof *sheet_signs;

/* The fill of each class of rectangles, and the edge of those that are hardly more than an edge. */
const struct shade sheet_shades[] = {
    {"none", "#cfd8e2", "#58626d"},   {"low", "#7fc0ee", "#076fa4"},
    {"medium", "#e8b44e", "#926800"}, {"high", "#ef8f80", "#b3544d"},
    {"group0", "#8fcffb", "#0e708c"}, {"group1", "#f8d595", "#676bac"},
    {"group2", "#acceaf", "#3a6b1a"}, {"group3", "#edafda", "#a54790"},
    {"group4", "#c9b270", "#846a6c"}, {"group5", "#a5a4e2", "#677801"},
    {"group6", "#b8efc3", "#7a48a8"}, {"group7", "#de9893", "#b03748"},
    {"group8", "#61bbb2", "#845071"}, {"group9", "#d6d6e0", "#5c634d"},
    {"ramp0", "#ffe392", "#ab4356"},  {"ramp1", "#bdf3c1", "#567211"},
    {"ramp2", "#94d7a0", "#00739c"},  {"ramp3", "#63c5d4", "#6861c0"},
    {"ramp4", "#92a7ed", "#a64ba1"},  {"rest0", "#cfd4d3", "#65603d"},
    {"rest1", "#b5b0af", "#446475"},
};
const size_t sheet_shades_count = sizeof sheet_shades / sizeof *sheet_shades;
