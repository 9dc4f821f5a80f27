/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/svg/tex.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "neap-tool.h"
#include "viz/svg/glyph.h"

/*
 * Latin letters from U+00C0 on, each as its accent and the letter below it: "'e" is \'{e}.  Blanks are letters with a
 * command of their own, and those that only fonts of some encodings have, such as letters with an ogonek.
 */
#define LATIN_FIRST 0xc0u
// clang-format off
static const char latin[] =
    /* 00C0 */ "`A'A^A~A\"ArA  cC`E'E^E\"E`I'I^I\"I  ~N`O'O^O~O\"O    `U'U^U\"U'Y    "
               /* 00E0 */ "`a'a^a~a\"ara  cc`e'e^e\"e`i'i^i\"i  ~n`o'o^o~o\"o    `u'u^u\"u'y  "
                          "\"y"
               /* 0100 */ "=A=auAua    'C'c^C^c.C.cvCvcvDvd    =E=euEue.E.e    vEve^G^guGug"
               /* 0120 */ ".G.gcGcg^H^h    ~I~i=I=iuIui    .I      ^J^jcKck  'L'lcLclvLvl  "
               /* 0140 */ "      'N'ncNcnvNvn      =O=ouOuoHOHo    'R'rcRcrvRvr'S's^S^scScs"
               /* 0160 */ "vSvscTctvTvt    ~U~u=U=uuUuurUruHUHu    ^W^w^Y^y\"Y'Z'z.Z.zvZvz  ";
// clang-format on

/* By code; dollars are around commands of mathematics.  Quotes, minus and commands are kept from joining. */
static const struct sign {
  uint32_t code;
  const char *command;
} signs[] = {
    // clang-format off
    {'"', "{\"}"}, {'#', "\\#"}, {'$', "\\$"}, {'%', "\\%"}, {'&', "\\&"}, {'\'', "{'}"},
    {'-', "{-}"}, {'<', "\\textless{}"}, {'>', "\\textgreater{}"}, {'\\', "\\textbackslash{}"},
    {'^', "\\^{}"}, {'_', "\\_"}, {'`', "{`}"}, {'{', "\\{"}, {'|', "\\textbar{}"}, {'}', "\\}"},
    {'~', "\\~{}"}, {0xa0, "~"}, {0xa1, "!`"}, {0xa3, "\\pounds{}"}, {0xa7, "\\S{}"},
    {0xa9, "\\copyright{}"}, {0xab, "$\\ll$"}, {0xac, "$\\lnot$"}, {0xb0, "$^\\circ$"},
    {0xb1, "$\\pm$"}, {0xb2, "$^2$"}, {0xb3, "$^3$"}, {0xb5, "$\\mu$"}, {0xb6, "\\P{}"},
    {0xb7, "$\\cdot$"}, {0xb9, "$^1$"}, {0xbb, "$\\gg$"}, {0xbf, "?`"}, {0xc6, "\\AE{}"},
    {0xd7, "$\\times$"}, {0xd8, "\\O{}"}, {0xdf, "\\ss{}"}, {0xe6, "\\ae{}"}, {0xf7, "$\\div$"},
    {0xf8, "\\o{}"}, {0x131, "\\i{}"}, {0x141, "\\L{}"}, {0x142, "\\l{}"}, {0x152, "\\OE{}"},
    {0x153, "\\oe{}"}, {0x391, "A"}, {0x392, "B"}, {0x393, "$\\Gamma$"}, {0x394, "$\\Delta$"},
    {0x395, "E"}, {0x396, "Z"}, {0x397, "H"}, {0x398, "$\\Theta$"}, {0x399, "I"}, {0x39a, "K"},
    {0x39b, "$\\Lambda$"}, {0x39c, "M"}, {0x39d, "N"}, {0x39e, "$\\Xi$"}, {0x39f, "O"},
    {0x3a0, "$\\Pi$"}, {0x3a1, "P"}, {0x3a3, "$\\Sigma$"}, {0x3a4, "T"}, {0x3a5, "$\\Upsilon$"},
    {0x3a6, "$\\Phi$"}, {0x3a7, "X"}, {0x3a8, "$\\Psi$"}, {0x3a9, "$\\Omega$"},
    {0x3b1, "$\\alpha$"}, {0x3b2, "$\\beta$"}, {0x3b3, "$\\gamma$"}, {0x3b4, "$\\delta$"},
    {0x3b5, "$\\varepsilon$"}, {0x3b6, "$\\zeta$"}, {0x3b7, "$\\eta$"}, {0x3b8, "$\\theta$"},
    {0x3b9, "$\\iota$"}, {0x3ba, "$\\kappa$"}, {0x3bb, "$\\lambda$"}, {0x3bc, "$\\mu$"},
    {0x3bd, "$\\nu$"}, {0x3be, "$\\xi$"}, {0x3bf, "o"}, {0x3c0, "$\\pi$"}, {0x3c1, "$\\rho$"},
    {0x3c2, "$\\varsigma$"}, {0x3c3, "$\\sigma$"}, {0x3c4, "$\\tau$"}, {0x3c5, "$\\upsilon$"},
    {0x3c6, "$\\varphi$"}, {0x3c7, "$\\chi$"}, {0x3c8, "$\\psi$"}, {0x3c9, "$\\omega$"},
    {0x3d1, "$\\vartheta$"}, {0x3d5, "$\\phi$"}, {0x3d6, "$\\varpi$"}, {0x3f1, "$\\varrho$"},
    {0x3f5, "$\\epsilon$"}, {0x2013, "--"}, {0x2014, "---"}, {0x2018, "`"}, {0x2019, "'"},
    {0x201c, "``"}, {0x201d, "''"}, {0x2022, "$\\bullet$"}, {0x2026, "\\ldots{}"},
    {0x2032, "$^\\prime$"}, {0x2113, "$\\ell$"}, {0x2122, "\\texttrademark{}"},
    {0x2190, "$\\leftarrow$"}, {0x2191, "$\\uparrow$"}, {0x2192, "$\\rightarrow$"},
    {0x2193, "$\\downarrow$"}, {0x2194, "$\\leftrightarrow$"}, {0x21d0, "$\\Leftarrow$"},
    {0x21d2, "$\\Rightarrow$"}, {0x21d4, "$\\Leftrightarrow$"}, {0x2200, "$\\forall$"},
    {0x2202, "$\\partial$"}, {0x2203, "$\\exists$"}, {0x2205, "$\\emptyset$"},
    {0x2206, "$\\Delta$"}, {0x2207, "$\\nabla$"}, {0x2208, "$\\in$"}, {0x220f, "$\\prod$"},
    {0x2211, "$\\sum$"}, {0x2212, "$-$"}, {0x2217, "$*$"}, {0x2218, "$\\circ$"},
    {0x221a, "$\\surd$"}, {0x221e, "$\\infty$"}, {0x2227, "$\\wedge$"}, {0x2228, "$\\vee$"},
    {0x2229, "$\\cap$"}, {0x222a, "$\\cup$"}, {0x222b, "$\\int$"}, {0x2248, "$\\approx$"},
    {0x2260, "$\\neq$"}, {0x2261, "$\\equiv$"}, {0x2264, "$\\leq$"}, {0x2265, "$\\geq$"},
    {0x2295, "$\\oplus$"}, {0x2297, "$\\otimes$"}, {0x2299, "$\\odot$"},
    // clang-format on
};

static int compare_signs(const void *key, const void *sign) {
  uint32_t code = *(const uint32_t *)key, other = ((const struct sign *)sign)->code;
  return (code > other) - (code < other);
}

static bool put_sign(FILE *stream, uint32_t code) {
  const struct sign *sign =
      bsearch(&code, signs, sizeof signs / sizeof *signs, sizeof *signs, compare_signs);
  if (sign) fputs(sign->command, stream);
  return sign;
}

/* An accent over an i replaces its dot. */
static bool put_latin(FILE *stream, uint32_t code) {
  if (code < LATIN_FIRST || code - LATIN_FIRST >= (sizeof latin - 1) / 2) return false;
  const char *pair = latin + 2 * (code - LATIN_FIRST);
  if (pair[0] == ' ') return false;
  bool has_dot = (pair[1] == 'i' || pair[1] == 'j') && pair[0] != 'c';
  fprintf(stream, "\\%c{%s%c}", pair[0], has_dot ? "\\" : "", pair[1]);
  return true;
}

void tex_put(FILE *stream, const char *text) {
  while (*text) {
    uint32_t code;
    text += neap_text_next(text, &code);
    if (code == NEAP_REPLACEMENT) fputc('?', stream);
    else if (!put_sign(stream, code) && !put_latin(stream, code)) {
      if (code < 0x80) fputc((int)code, stream);
      else fprintf(stream, "\\texttt{U+%04X}", (unsigned)code);
    }
  }
}
