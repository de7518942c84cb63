#!/bin/sh
# Counts the instructions of typical commands, on one core, and compares them with tools/costs.txt: 3 per cent more is a failure.
# `BLESS=1 sh tools/costs.sh` accepts the counts; say in the commit what they buy. Needs valgrind (sh tools/setup.sh tests).
set -eu
cd "$(dirname "$0")/.."

program=${1:-${CARGO_TARGET_DIR:-target}/release/moldloft}
figures=tools/costs.txt
folder=target/costs
command -v valgrind >/dev/null || { echo "valgrind is needed: sh tools/setup.sh tests" >&2; exit 2; }
[ -x "$program" ] || { echo "cannot run $program: build it with cargo build --release" >&2; exit 2; }
mkdir -p "$folder"
cp "$program" "$folder/moldloft"
core=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')

# No setting of the machine counts: one core, no environment, the same paths, no file to replace.
count() {
    rm -f "$folder/out.pdf"
    # shellcheck disable=SC2086 # a command's words
    env -i PATH=/usr/bin:/bin HOME=/nonexistent taskset -c "$core" valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$folder/moldloft" $1 >"$folder/out" 2>"$folder/err" || [ $? = 1 ] || { cat "$folder/err" >&2; return 1; }
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$folder/err" | grep . || { cat "$folder/err" >&2; return 1; }
}

failed=0
: >"$folder/found.txt"
while read -r before command; do
    case $before in
    '#') echo "$before $command" >>"$folder/found.txt"; continue ;;
    esac
    now=$(count "$command")
    echo "$now $command" >>"$folder/found.txt"
    if [ $((now * 100)) -gt $((before * 103)) ]; then
        echo "$now, over 3 per cent more than $before: $command"
        failed=1
    else
        echo "$now, before $before: $command"
    fi
done <"$figures"

if [ "${BLESS:-}" = 1 ]; then
    cp "$folder/found.txt" "$figures"
elif [ "$failed" = 1 ]; then
    echo "make them cheaper, or BLESS=1 and say in the commit what the instructions buy" >&2
    exit 1
fi
