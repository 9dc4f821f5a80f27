#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Figures for papers: their size, and TikZ, which must be what LaTeX can typeset.  A LaTeX with TikZ is used if there is
# one; without it, each line is compared with the commands that neap writes.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
. "$here/../tap.sh"
program=${NEAP_PROGRAM:?the program to test}
make_work
cd "$work" || exit 1
models=$source_root/examples

# A number in hundredths, a point, and the options of a path.
n='-?[0-9]+(\.[0-9][0-9])?'
point="\\($n,$n\\)"
look='[a-z0-9= .,]*'
path="(\\\\pgfscope\\\\pgfsetfillpattern\{neap-[a-z]+\}\{neap[0-9a-f]{6}\})?\\\\path\\[(preaction=\{$look\})?$look\\]"
end=';(\\endpgfscope)?'
tile="\\\\pgfpoint\{${n}bp\}\{${n}bp\}"

# is_tikz FILE: every line is a command that the file may have, and every colour is defined before its use
is_tikz() {
  grep -vE \
    -e '^% A picture that neap drew' \
    -e '^\\(begin|end)\{tikzpicture\}(\[[a-z0-9=.,-]* ?[a-z0-9=.,-]*\]|%)$' \
    -e '^\\begin\{tikzpicture\}\[x=0.75bp,y=-0.75bp,inner sep=0pt,outer sep=0pt\]$' \
    -e "^\\\\useasboundingbox$point rectangle $point;\$" \
    -e '^\\definecolor\{neap[0-9a-f]{6}\}\{HTML\}\{[0-9A-F]{6}\}$' \
    -e "^$path$point rectangle $point$end\$" \
    -e "^$path$point circle\\[radius=${n}bp\\]$end\$" \
    -e "^$path$point(( -- |)$point| -- cycle)*$end\$" \
    -e "^\\\\ifcsname pgf@pattern@name@neap-[a-z]+\\\\endcsname\\\\else\\\\pgfdeclarepatternformonly\{neap-[a-z]+\}\{\\\\pgfpointorigin\}(\{$tile\}){2}\{\\\\pgfsetlinewidth\{${n}bp\}(\\\\pgf(pathmoveto|pathlineto)\{$tile\}|\\\\pgfpathrectangle(\{$tile\}){2}|\\\\pgfusepath\{(fill|stroke)\})+\}\\\\fi\$" \
    -e "^\\\\node\\[anchor=base( west| east)?,text=neap[0-9a-f]{6},font=\\\\sffamily(\\\\bfseries)?\\\\fontsize\\{$n\\}\\{$n\\}\\\\selectfont(,text opacity=0\\.[0-9]+)?(,rotate=90)?(,fill=neap[0-9a-f]{6},fill opacity=0\\.75(,text opacity=1)?)?\\]at$point\\{.*\\};\$" \
    "$1" && return 1
  awk '
    match($0, /\\definecolor\{neap[0-9a-f]+/) { known[substr($0, 14, RLENGTH - 13)] = 1; next }
    { rest = $0
      while (match(rest, /=neap[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]/)) {
        if (!(substr(rest, RSTART + 1, RLENGTH - 1) in known)) { print "undefined: " rest; bad = 1 }
        rest = substr(rest, RSTART + RLENGTH)
      } }
    END { exit bad }' "$1"
}

cat >odd.csv <<'END'
id,lower,upper,size
"50%_of {x} & $y #1 \ ^~",0,2,3000
b<>|-,1,3,2000
é…,2,4,9000
αβ→µ²×≤,0,4,9000
中Ж,3,6,9000
ŁódźÅçñßØš,4,7,9000
END
"$program" plan odd.csv -q --svg odd.tex --figure 1 --capacity 40000
"$program" plan "$models/unet.ops" -q --svg unet.tex --figure 2
"$program" plan "$models/branches.tflite" -q --svg branches.tex --colour-by risk
"$program" plan "$models/relations/together.json" -q --svg together.tex --figure 2
"$program" sweep "$models/unet.ops" -q --max-rounds 1..3 --svg chart.tex >/dev/null
for name in odd unet branches together chart; do
  check "$name.tex has only commands of TikZ that neap writes" is_tikz $name.tex
done

check_empty "names beyond ASCII are commands of LaTeX" "$(
  LC_ALL=C grep -n '[^ -~]' odd.tex
  for name in "\\'{e}\\ldots{}" '$\alpha$$\beta$$\rightarrow$$\mu$$^2$$\times$$\leq$' \
    '\texttt{U+4E2D}\texttt{U+0416}' "\\L{}\\'{o}d\\'{z}\\r{A}\\c{c}\\~{n}\\ss{}\\O{}\\v{s}"; do
    grep -qF "{$name}" odd.tex || echo "missing: $name"
  done
)"
check_empty "hatching of each kind is declared once" "$(
  grep -o 'pgfdeclarepatternformonly{neap-[a-z]*}' together.tex branches.tex | sort | uniq -d
  for kind in shared excluded reserved beyond; do grep -q "declare.*neap-$kind" together.tex || echo $kind; done
  grep -q 'declare.*neap-medium' branches.tex || echo medium
)"

# is_figure COLUMNS PIXELS: a figure is as wide as the columns, without heading, with units on its axes
is_figure() {
  "$program" plan "$models/unet.ops" -q --svg figure.svg --figure "$1" || return 1
  grep -q "viewBox=\"0 0 $2 " figure.svg && ! grep -q 'class="head"' figure.svg &&
    grep -q '>offset (bytes)<' figure.svg && grep -q '>time (steps)<' figure.svg
}

check "a figure of one column" is_figure 1 336
check "a figure of two columns" is_figure 2 688
check_empty "a figure of three columns is an error" "$(
  "$program" plan "$models/unet.ops" -q --svg figure.svg --figure 3 2>&1 |
    grep -v '^neap: figure.svg: --figure: expected 1 or 2 columns, found 3$'
)"

# Every operator has room on a page, and in a figure each n-th has a name.
"$program" gen darts-cifar -o darts.json
"$program" plan darts.json -q --svg darts.svg --figure 1
check_empty "names of operators in a figure are few" "$(
  sed -n '/<g class="operators">/,/<\/g>/p' darts.svg | grep -o 'class="tick middle"' | wc -l |
    awk '$1 < 2 || $1 > 4 { print "there are " $1 }'
)"

if command -v pdflatex >/dev/null && kpsewhich tikz.sty >/dev/null 2>&1; then
  {
    printf '%s\n' '\documentclass{article}\usepackage{tikz}\begin{document}'
    printf '\\resizebox{0.9\\textwidth}{!}{\\input{%s.tex}}\\par\n' odd unet branches together chart
    printf '%s\n' '\end{document}'
  } >paper.tex
  check "LaTeX typesets all of them" pdflatex -interaction=nonstopmode -halt-on-error paper.tex
else
  skip "LaTeX typesets all of them" "there is no pdflatex with TikZ"
fi
tap_end
