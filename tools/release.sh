#!/bin/sh
# Builds the packages of a release from a clean checkout on Debian into target/dist: for Linux (.tar.gz, .deb), for Windows (.zip), the guide, each file
# with its sha256. The same commit gives the same bytes. Words choose among them: `sh tools/release.sh linux windows`.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd)
work=$root/target/packages
dist=$root/target/dist
linux=x86_64-unknown-linux-gnu
windows=x86_64-pc-windows-gnu
wanted=" ${*:-linux windows} "

sh tools/setup.sh release
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
# No path of this machine is in the programs.
RUSTFLAGS="--remap-path-prefix=$root=. --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
export SOURCE_DATE_EPOCH RUSTFLAGS CARGO_TARGET_DIR="$work" TZ=UTC LC_ALL=C
umask 022
mkdir -p "$work"
rm -rf "$dist"
mkdir -p "$dist"

# A file with @VERSION@, @NUMBERS@ and @DATE@ filled in.
fill() {
    sed "s/@VERSION@/$version/; s/@NUMBERS@/$(echo "$version" | tr . ,),0/; s/@DATE@/$(date -d "@$SOURCE_DATE_EPOCH" +%F)/" "$1"
}

# Times of a folder's files are that of the commit.
settle() {
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# One book of the guide and of docs/rulesets, in which all links lead somewhere.
guide() {
    book=$work/book
    src=$book/src
    rm -rf "$book"
    mkdir -p "$book"
    cp docs/guide/book.toml "$book"
    cp -r docs/guide/src "$src"
    cp -r docs/rulesets docs/pictures "$src"
    {
        printf '\n# The book of rules\n\n- [Writing a ruleset](rulesets/README.md)\n'
        sed -n 's/^| \(\[[^]]*\](\)\([a-z-]*\.md)\).*/- \1rulesets\/\2/p' docs/rulesets/README.md
    } >>"$src/SUMMARY.md"
    sed -i 's|(\.\./\.\./|(|g; s|(SUMMARY\.md)|(README.md)|g' "$src"/*.md
    sed -i 's|(\.\./guide/src/|(../|g' "$src"/rulesets/*.md
    # mdbook follows no link to a README.md.
    sed -i 's|README\.md\([)#]\)|index.md\1|g' "$src"/*.md "$src"/rulesets/*.md
    mv "$src/README.md" "$src/index.md"
    mv "$src/rulesets/README.md" "$src/rulesets/index.md"
    mdbook build "$book"
}

# What every package has beside the program: what to read, and whose it is.
papers() {
    mkdir -p "$1/licences"
    cp CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$1"
    cp fonts/*.txt "$1/licences"
    sh tools/licences.sh "$2" >"$1/licences/THIRD-PARTY.txt"
    cp -r "$work/book/book" "$1/guide"
}

for_linux() {
    cargo build --locked --profile dist -p moldloft --target "$linux"
    name=moldloft-$version-x86_64-linux
    folder=$work/$name
    rm -rf "$folder"
    mkdir -p "$folder/completions"
    cp "$work/$linux/dist/moldloft" packaging/README.txt packaging/moldloft.svg "$folder"
    papers "$folder" "$linux"
    "$folder/moldloft" man --quiet "$folder/man"
    for shell in bash zsh fish; do
        "$folder/moldloft" completions "$shell" >"$folder/completions/moldloft.$shell"
    done
    tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$work" -c "$name" | gzip -9n >"$dist/$name.tar.gz"
    for_debian "$folder"
}

# The same files at Debian's places, which Cargo.toml lists.
for_debian() {
    files=$work/linux
    rm -rf "$files"
    cp -r "$1" "$files"
    gzip -9nc "$files/licences/THIRD-PARTY.txt" >"$files/THIRD-PARTY.txt.gz"
    gzip -9nc CHANGELOG.md >"$files/NEWS.gz"
    fill packaging/moldloft.metainfo.xml >"$files/moldloft.metainfo.xml"
    { cat packaging/debian-copyright; sed 's/^$/./; s/^/ /' fonts/*-OFL.txt; } >"$files/copyright"
    {
        printf 'moldloft (%s) unstable; urgency=medium\n\n  * Release %s: see NEWS.gz.\n\n' "$version" "$version"
        printf ' -- %s  %s\n' "$(sed -n 's/^maintainer = "\(.*\)"/\1/p' Cargo.toml)" "$(date -R -d "@$SOURCE_DATE_EPOCH")"
    } | gzip -9n >"$files/changelog.gz"
    cargo deb --locked --no-build --no-strip -p moldloft --profile dist --target "$linux" --output "$dist/moldloft_${version}_amd64.deb"
}

# Two programs: a console's, and one that opens the window without a console.
for_windows() {
    [ ! -x "$(command -v rustup)" ] || rustup target add "$windows"
    resources=$work/windows-resources
    mkdir -p "$resources"
    for size in 16 32 48 256; do
        rsvg-convert -w "$size" packaging/moldloft.svg -o "$resources/$size.png"
    done
    icotool -c -o "$resources/moldloft.ico" "$resources/16.png" "$resources/32.png" "$resources/48.png" --raw="$resources/256.png"
    cp packaging/windows.manifest "$resources"
    fill packaging/windows.rc >"$resources/windows.rc"
    (cd "$resources" && x86_64-w64-mingw32-windres windows.rc windows.o)
    for program in moldloft:moldloft moldloft-launcher:moldloft-window; do
        # A linker's timestamp would be the time of the build.
        cargo rustc --locked --profile dist -p "${program%:*}" --bin "${program#*:}" --target "$windows" -- \
            -C link-arg="$resources/windows.o" -C link-arg=-Wl,--no-insert-timestamp
    done
    name=moldloft-$version-x86_64-windows
    folder=$work/$name
    rm -rf "$folder"
    mkdir -p "$folder"
    cp "$work/$windows/dist/moldloft.exe" "$work/$windows/dist/moldloft-window.exe" packaging/README.txt "$folder"
    papers "$folder" "$windows"
    settle "$folder"
    (cd "$work" && find "$name" -type f | sort | zip -X -9 -q "$dist/$name.zip" -@)
}

guide
case $wanted in *' linux '*) for_linux ;; esac
case $wanted in *' windows '*) for_windows ;; esac
cp -r "$work/book/book" "$dist/guide"
cd "$dist"
for file in moldloft*; do
    sha256sum "$file" >"$file.sha256"
    cat "$file.sha256"
done
