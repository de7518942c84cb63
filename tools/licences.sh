#!/bin/sh
# Prints the licences of all that is linked into the program, on these targets or on all: `sh tools/licences.sh [TARGET]... >FILE`. Fails if a crate
# can be used under none of the licences of deny.toml.
set -eu
cd "$(dirname "$0")/.."
allowed=$(sed -n '/^allow = \[/,/^\]/s/^ *"\(.*\)",$/\1/p' deny.toml | tr ' \n' '_ ')
crates=$(mktemp)
texts=$(mktemp)
trap 'rm -f "$crates" "$texts"' EXIT

for target in "${@:-all}"; do
    # What the build scripts use is not in the program.
    cargo tree --locked --quiet -p moldloft -p moldloft-launcher -e normal --target "$target" --prefix none --format '{p}	{l}'
done | sed 's/ (\*)$//; s/ (proc-macro)//' | grep -v '^moldloft' | LC_ALL=C sort -u >"$crates"

# Each part that AND joins needs one licence of the list.
awk -F '\t' -v allowed="$allowed" '
    BEGIN { n = split(allowed, words, " "); for (i = 1; i <= n; i++) known[words[i]] = 1 }
    {
        text = $2
        gsub(/[()]/, "", text); gsub(/ WITH /, "_WITH_", text); gsub(/ *\/ */, " OR ", text)
        parts = split(text, all, " AND ")
        for (i = 1; i <= parts; i++) {
            found = 0
            choices = split(all[i], some, " OR ")
            for (k = 1; k <= choices; k++) found += some[k] in known
            if (!found) { print "error: cannot use " $1 ": its licence is " $2 >"/dev/stderr"; bad = 1 }
        }
    }
    END { exit bad }' "$crates"

echo "Moldloft is MIT OR Apache-2.0. These parts of it are others'; the texts of their licences follow."
echo
echo "The Rust standard library: MIT OR Apache-2.0"
sed 's/ v\([^\t]*\)\t/ \1: /' "$crates"
while read -r name version _; do
    for text in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$name-${version#v}"/*; do
        case $(basename "$text" | tr a-z A-Z) in
        LICENSE* | LICENCE* | COPYING* | NOTICE* | UNLICENSE*)
            [ ! -f "$text" ] || echo "$(tr -d '\r' <"$text" | sha256sum | cut -c1-64) $text" ;;
        esac
    done
done <"$crates" | LC_ALL=C sort >"$texts"
before=
while read -r hash text; do
    [ "$hash" = "$before" ] || printf '\n----------------------------------------\n'
    [ "$hash" = "$before" ] || of=$(grep "^$hash" "$texts" | sed 's|.*/\([^/]*\)/[^/]*$|\1|' | LC_ALL=C sort -u | tr '\n' ' ')
    [ "$hash" = "$before" ] || { echo "$of" | fold -s -w 100; echo; tr -d '\r' <"$text"; }
    before=$hash
done <"$texts"
