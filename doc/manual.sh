#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints a page of the manual: the template, with @version@ replaced by the program's version, and each line
# @PART@ by the program's output for that part.
#
#     manual.sh PROGRAM TEMPLATE

program=$1
template=$2
version=$("$program" --version) || exit 1
version=${version#neap }

while IFS= read -r line; do
  case $line in
    '.\"'*) printf '%s\n' "$line" ;;
    *@version@*) printf '%s\n' "${line%%@version@*}$version${line#*@version@}" ;;
    @*@)
      part=${line#@}
      "$program" help --man "${part%@}" || exit 1
      ;;
    *) printf '%s\n' "$line" ;;
  esac
done <"$template"
