#!/bin/sh
# Makes pictures of the editor's pages, light and dark, in docs/pictures: opens the program on a virtual display for each and takes the screen.
# Needs the built program, Xvfb, xdotool, import and convert (imagemagick). Takes about four minutes.
#   sh tools/editor-pictures.sh [PROGRAM] [FOLDER] [WIDTHxHEIGHT] [NAME…]
set -eu
cd "$(dirname "$0")/.."
program=${1:-target/release/moldloft}
out=${2:-docs/pictures}
size=${3:-1600x1000}
[ $# -le 3 ] && set -- || shift 3
wanted=$*
width=${size%x*} height=${size#*x}
for tool in Xvfb xdotool import convert; do
    command -v "$tool" > /dev/null || { echo "cannot take pictures: $tool is missing (sh tools/setup.sh tests)" >&2; exit 2; }
done
work=$(mktemp -d)
mkdir -p "$out" "$work/config/moldloft" "$work/data"

# Xvfb finds a free display and names it.
mkfifo "$work/display"
Xvfb -displayfd 3 -screen 0 "${width}x${height}x24" -nolisten tcp 3> "$work/display" 2> /dev/null &
screen=$!
window=
trap 'kill $window $screen 2> /dev/null || true; rm -rf "$work"' EXIT
read -r display < "$work/display"
export DISPLAY=":$display" LIBGL_ALWAYS_SOFTWARE=1
export XDG_CONFIG_HOME="$work/config" XDG_DATA_HOME="$work/data" XDG_STATE_HOME="$work/data" XDG_CACHE_HOME="$work/data"

# Waits until two pictures of the screen, half a second apart, are the same and show something.
settle() {
    last= tries=0
    while [ $tries -lt 40 ]; do
        sleep 0.5
        now=$(import -window root -depth 8 rgb:- | cksum)
        colours=$(import -window root -resize 25% -format %k info:-)
        [ "$now" = "$last" ] && [ "$colours" -gt 8 ] && return 0
        last=$now tries=$((tries + 1))
    done
    echo "the window does not come to rest" >&2
}

# page NAME "DESIGNS" "KEYS" ["MORE SETTINGS"]: keys are those of xdotool; `click:X,Y` in percent of the screen and `type:TEXT` work, too.
page() {
    name=$1 files=$2 keys=$3 more=${4:-}
    [ -z "$wanted" ] || case " $wanted " in *" $name "*) ;; *) return 0 ;; esac
    for theme in light dark; do
        rm -rf "$work/config/moldloft" "$work/data"
        mkdir -p "$work/config/moldloft" "$work/data"
        printf '{"theme":"%s","window":[%s,%s]%s}' "$theme" "$width" "$height" "$more" > "$work/config/moldloft/editor.json"
        # shellcheck disable=SC2086 # several files
        "$program" edit $files > "$work/log" 2>&1 &
        window=$!
        settle
        # There is no window manager that gives it the keyboard. The middle of the last line is empty.
        xdotool mousemove $((width / 2)) $((height - 6)) click 1
        xdotool search --onlyvisible --class moldloft windowfocus 2> /dev/null || true
        for key in $keys; do
            case $key in
                click:*)
                    at=${key#click:}
                    xdotool mousemove $((width * ${at%,*} / 100)) $((height * ${at#*,} / 100)) click 1
                    xdotool mousemove $((width / 2)) $((height - 6))
                    ;;
                type:*) xdotool type --delay 30 "${key#type:}" ;;
                *) xdotool key "$key" ;;
            esac
            sleep 0.4
        done
        settle
        kill -0 $window 2> /dev/null || { cat "$work/log" >&2; echo "$name: the program has ended" >&2; exit 1; }
        import -window root -strip +dither -colors 192 "PNG8:$out/editor-$name-$theme.png"
        kill $window
        wait $window 2> /dev/null || true
        window=
        echo "$out/editor-$name-$theme.png"
    done
}

woh=designs/wars-of-honor
page start "" ""
page design "$woh/vigilant.toml" ""
page canvas "$woh/vigilant.toml" "click:75,13 Return Return"
page fleet "$woh/fleets/convoy-escort.toml" "ctrl+5"
page odds "designs/sky-full-of-ships/swordfish.toml" "ctrl+6"
page compare "$woh/vigilant.toml $woh/tramontane.toml" "ctrl+shift+d click:3,17"
page explain "$woh/vigilant.toml" "ctrl+2"
page suggest "$woh/petrel.toml" "ctrl+g"
page rules "$woh/vigilant.toml" "ctrl+shift+u"
page form "$woh/vigilant.toml" "ctrl+k type:newhouserule Return Return type:Plasma"
# The dialog shows the path of the file: that of a folder which anybody could have.
fleets=${TMPDIR:-/tmp}/my-fleets
mkdir -p "$fleets"
cp "$woh/fleets/convoy-escort.toml" "$woh"/*.toml "$fleets"
sed -i 's|"\.\./|"|g' "$fleets"/*.toml
page print "$fleets/convoy-escort.toml" "ctrl+p"
