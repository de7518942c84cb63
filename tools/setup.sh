#!/bin/sh
# Installs what a bare Debian or Ubuntu with Rust lacks: a linker; with the word `tests` also the programs that the tests
# read PDF and SVG files back with, and a virtual display for the window; with `deny` what reads deny.toml; with
# `release` what tools/release.sh builds packages with; with `release-tests` what .ci/release tries them with. What is there already is left alone.
set -eu

missing=""
need() {
    command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}

# A compiler alone cannot link: `gcc` does not bring the C library's own files.
echo 'int main(void) { return 0; }' | cc -x c - -o /dev/null 2>/dev/null || missing='gcc libc6-dev'
if [ "${1:-}" = tests ]; then
    need qpdf qpdf
    need pdftotext poppler-utils
    need rsvg-convert librsvg2-bin
    # Any of these draws pages for tests/pictures.rs.
    command -v chromium-browser >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 || need chromium chromium
    # The window under a virtual display; its drawing and keyboard libraries come at run time.
    need Xvfb 'xvfb libgl1 libgl1-mesa-dri libegl1 libxkbcommon0 libxkbcommon-x11-0 libxcursor1 libxi6 libxrandr2 libx11-xcb1'
    need xdotool xdotool
    # Counts instructions for tools/costs.sh.
    need valgrind valgrind
    need taskset util-linux
    need import imagemagick
fi
if [ "${1:-}" = release ]; then
    need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
    need rsvg-convert librsvg2-bin
    need icotool icoutils
    need zip zip
    need dpkg-shlibdeps dpkg-dev
fi
if [ "${1:-}" = release-tests ]; then
    need wine 'wine wine64'
    need lintian lintian
    need desktop-file-validate desktop-file-utils
    need appstreamcli appstream
    need debootstrap debootstrap
    need Xvfb xvfb
    need xdotool xdotool
    need unzip unzip
fi

if [ -n "$missing" ]; then
    sudo=""
    [ "$(id -u)" = 0 ] || sudo=sudo
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086 # a list of packages
    { $sudo apt-get update -q && $sudo apt-get install -y -q --no-install-recommends $missing; } >&2
fi
if [ "${1:-}" = release ]; then
    for tool in mdbook cargo-deb; do
        command -v "$tool" >/dev/null 2>&1 || cargo install --quiet --locked "$tool"
    done
fi
if [ "${1:-}" = deny ] && ! cargo deny --version >/dev/null 2>&1; then
    # It runs for seconds: building it with optimisation would take longer.
    CARGO_PROFILE_DEV_DEBUG=0 cargo install --quiet --locked --debug cargo-deny --version 0.20.2
fi
