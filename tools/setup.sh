#!/bin/sh
# Installs what a bare Debian or Ubuntu with Rust lacks: a linker; with the word `tests` also the programs that the tests
# read PDF and SVG files back with. What is there already is left alone.
set -eu

missing=""
need() {
    command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}

need cc gcc
if [ "${1:-}" = tests ]; then
    need qpdf qpdf
    need pdftotext poppler-utils
    need rsvg-convert librsvg2-bin
fi

if [ -n "$missing" ]; then
    sudo=""
    [ "$(id -u)" = 0 ] || sudo=sudo
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086 # a list of packages
    { $sudo apt-get update -q && $sudo apt-get install -y -q --no-install-recommends $missing; } >&2
fi
