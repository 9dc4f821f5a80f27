#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-aux/spdx.sh VERSION RELATION [LIBRARY=VERSION...]: prints the bill of materials of a build of neap as JSON (SPDX
# 2.3).  RELATION says what neap does with the libraries: DYNAMIC_LINK or CONTAINS.  The same arguments give the same
# bytes, because the date is that of the source.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
version=$1 relation=$2
shift 2
created=$(date -u -d "@$("$here/source-time.sh")" +%Y-%m-%dT%H:%M:%SZ)
sum=$(echo "$created $version $relation $*" | sha256sum | cut -c 1-32)

# licence LIBRARY: as SPDX names it
licence() {
  case $1 in
    neap | gsl) echo GPL-3.0-or-later ;;
    graphviz) echo EPL-1.0 ;;
    jansson) echo MIT ;;
    librsvg) echo LGPL-2.1-or-later ;;
    protobuf-c) echo BSD-2-Clause ;;
    zlib) echo Zlib ;;
    *) echo NOASSERTION ;;
  esac
}

# package NAME VERSION
package() {
  licence=$(licence "$1")
  printf '    {"SPDXID": "SPDXRef-%s", "name": "%s", "versionInfo": "%s", "downloadLocation": "NOASSERTION",\n' "$1" "$1" "$2"
  printf '     "filesAnalyzed": false, "licenseConcluded": "%s", "licenseDeclared": "%s", "copyrightText": "NOASSERTION",\n' \
    "$licence" "$licence"
  printf '     "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",\n'
  printf '                       "referenceLocator": "pkg:generic/%s@%s"}]}' "$1" "$2"
}

cat <<END
{
  "spdxVersion": "SPDX-2.3", "SPDXID": "SPDXRef-DOCUMENT", "dataLicense": "CC0-1.0",
  "name": "neap-$version", "documentNamespace": "https://spdx.org/spdxdocs/neap-$version-$sum",
  "creationInfo": {"created": "$created", "creators": ["Tool: neap-spdx.sh-$version"]},
  "packages": [
END
package neap "$version"
for library in "$@"; do
  printf ',\n'
  package "${library%%=*}" "${library#*=}"
done
printf '\n  ],\n  "relationships": [\n'
printf '    {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-neap"}'
for library in "$@"; do
  printf ',\n    {"spdxElementId": "SPDXRef-neap", "relationshipType": "%s", "relatedSpdxElement": "SPDXRef-%s"}' \
    "$relation" "${library%%=*}"
done
printf '\n  ]\n}\n'
