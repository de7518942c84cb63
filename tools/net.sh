#!/bin/sh
# Shows what changed between two built programs: runs every line of tests/cases/net/commands.txt with both, and leaves in /tmp/moldloft-net the texts that differ
# (texts.diff) and, of each page that is drawn otherwise, a picture: before, what differs, after. Needs poppler-utils and ImageMagick.
#
#     sh tools/net.sh OLD NEW [WORDS]     only lines with these words
set -eu
cd "$(dirname "$0")/.."
old=$(realpath "$1") new=$(realpath "$2") words=${3:-}
# Outside the repository, whose folders would take the place of what is built into each program.
out=${TMPDIR:-/tmp}/moldloft-net
rm -rf "$out"
mkdir -p "$out"
n=0
grep -v '^#' tests/cases/net/commands.txt | grep -e "$words" | while read -r command; do
    n=$((n + 1))
    for side in old new; do
        mkdir -p "$out/$n/$side"
        program=$old
        [ $side = new ] && program=$new
        # shellcheck disable=SC2046,SC2086 # a command's words
        (cd "$out/$n/$side" && "$program" $(echo "$command" | sed 's/-o OUT/-o page.pdf/') >said.txt 2>&1 || true)
        [ ! -f "$out/$n/$side/page.pdf" ] || pdftotext -layout "$out/$n/$side/page.pdf" "$out/$n/$side/page.txt"
    done
    if diff -rq "$out/$n/old" "$out/$n/new" >/dev/null; then
        rm -r "${out:?}/$n"
        continue
    fi
    echo "$n: $command"
    {
        echo "# $n: $command"
        diff -u --label old --label new "$out/$n/old/said.txt" "$out/$n/new/said.txt" || true
        [ ! -f "$out/$n/old/page.txt" ] || diff -u --label old --label new "$out/$n/old/page.txt" "$out/$n/new/page.txt" || true
    } >>"$out/texts.diff"
    [ -f "$out/$n/old/page.pdf" ] || continue
    for side in old new; do
        pdftoppm -r 70 -png "$out/$n/$side/page.pdf" "$out/$n/$side/page"
    done
    for page in "$out/$n"/new/page*.png; do
        before="$out/$n/old/$(basename "$page")"
        if [ -f "$before" ] && ! compare -metric AE "$before" "$page" "$out/$n/differs.png" 2>/dev/null; then
            convert "$before" "$out/$n/differs.png" "$page" +append "$out/$n-$(basename "$page")"
        fi
    done
done
echo "see $out"
