#!/bin/sh
# Makes the pictures of sheets in docs/pictures from the sample designs. Needs the built program, pdftoppm (poppler-utils) and montage (imagemagick).
#   sh tools/pictures.sh [PROGRAM]
set -eu
cd "$(dirname "$0")/.."
program=${1:-target/release/moldloft}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=docs/pictures

# Pages 1 to N of a PDF as $work/NAME-*.png.
pages() { pdftoppm -r "$3" -f "$2" -l "$2" -png "$work/$1.pdf" "$work/$1-$2"; }

"$program" print designs/wars-of-honor/vigilant.toml -o "$work/vigilant.pdf"
pages vigilant 1 100
mv "$work"/vigilant-1-*.png "$out/control-sheet.png"

"$program" print designs/star-navy/milwaukee.toml -o "$work/star.pdf"
"$program" print designs/b5-house-rules/varnic.toml -o "$work/b5.pdf"
"$program" print designs/sky-full-of-ships/atlas.toml designs/sky-full-of-ships/burlington.toml designs/sky-full-of-ships/kriegdonner.toml -o "$work/sky.pdf"
"$program" print designs/battleships-1890s/august-der-starke.toml designs/battleships-1890s/duca-silvano.toml -o "$work/1890s.pdf"
for name in star b5 sky 1890s; do pages "$name" 1 100; done
montage "$work"/star-1-*.png "$work"/b5-1-*.png "$work"/sky-1-*.png "$work"/1890s-1-*.png -tile 4x1 -resize 420x594 -geometry +4+4 -background '#b4b4bc' "$out/games.png"

"$program" pack designs/wars-of-honor/fleets/convoy-escort.toml -o "$work/pack.pdf"
"$program" chits designs/wars-of-honor/vigilant.toml designs/wars-of-honor/quiver.toml -o "$work/chits.pdf"
"$program" reference wars-of-honor -o "$work/reference.pdf"
for page in 1 3; do pages pack "$page" 100; done
pages chits 1 100
pages reference 1 100
montage "$work"/pack-1-*.png "$work"/pack-3-*.png "$work"/chits-1-*.png "$work"/reference-1-*.png -tile 4x1 -resize 432x611 -geometry +4+4 -background '#b4b4bc' "$out/pack.png"

for picture in control-sheet games pack; do
    convert "$out/$picture.png" -strip +dither -colors 96 "PNG8:$out/$picture.png"
done
