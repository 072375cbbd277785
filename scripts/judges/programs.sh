# What each program of `programs` does: NAME_keeps and NAME_reads, each failing if the program doesn't. To be sourced after desk.sh.

# Whether two texts are the same; says both if they aren't.
same() { [ "$1" = "$2" ] || { printf 'wanted: %s\ngot:    %s\n' "$2" "$1" && return 1; }; }

# What `thumbturn log` calls a program.
known_as() {
    case $1 in
    secret_tool) echo secret-tool ;;
    docker) echo docker-credential-secretservic ;;
    git) echo git-credential-libsecret ;;
    pinentry) echo pinentry-gnome3 ;;
    portal) echo 'org.example.Judged .sandboxed.' ;;
    *) echo "$1" ;;
    esac
}

# A display for what has windows.
display_up() {
    begin display Xvfb -displayfd 3 -screen 0 1024x768x24 -nolisten tcp -noreset 3>"$desk/display"
    until_true test -s "$desk/display"
}
on_display() { DISPLAY=:$(cat "$desk/display") "$@"; }

# The page of chromium's cookie.
page_up() {
    begin page "$judges/cookie-server" "$desk/page.port" "$desk/page.seen"
    until_true test -s "$desk/page.port"
}

# What runs on the bus besides, and goes with it.
desk_down() {
    local name
    for name in prompter portal permissions browser; do finish "$name"; done
}
bus_down() { finish bus; }

secret_tool_keeps() { printf 'two lines\nof a password' | secret-tool store --label 'A password of secret-tool' judged secret-tool; }
secret_tool_reads() { same "$(secret-tool lookup judged secret-tool)" $'two lines\nof a password'; }

readonly registry=https://registry.example
docker_keeps() {
    printf '{"ServerURL":"%s","Username":"anna","Secret":"of docker"}' "$registry" | docker-credential-secretservice store
}
docker_reads() {
    same "$(printf '%s' "$registry" | docker-credential-secretservice get | tr -d '\n ')" \
        "{\"ServerURL\":\"$registry\",\"Username\":\"anna\",\"Secret\":\"ofdocker\"}"
    docker-credential-secretservice list | grep -qF "$registry"
}

python_keyring() { "$THUMBTURN_JUDGES/python/bin/keyring" "$@"; }
keyring_keeps() { printf 'of keyring' | python_keyring set judged anna; }
keyring_reads() { same "$(python_keyring get judged anna)" 'of keyring'; }

git_credential() {
    printf 'protocol=https\nhost=judged.example\n%b\n' "${2:-}" |
        PATH=$THUMBTURN_JUDGES/git/contrib/credential/libsecret:$PATH GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=/bin/false \
            /usr/bin/git -c credential.helper=libsecret credential "$1"
}
git_keeps() { git_credential approve 'username=anna\npassword=of git\n'; }
git_reads() { same "$(git_credential fill | sed -n 's/^password=//p')" 'of git'; }

# A browser that opens the page, stays until it has been there and until a command succeeds, and ends.
browse() {
    local before
    before=$(wc -l <"$desk/page.seen" 2>/dev/null || echo 0)
    # Its own sandbox doesn't run as root.
    on_display begin browser chromium --password-store=gnome-libsecret --user-data-dir="$desk/profile" --no-first-run \
        --no-sandbox --disable-gpu --disable-dev-shm-usage "http://127.0.0.1:$(cat "$desk/page.port")/"
    until_true been "$before"
    "$@"
    finish browser
}
been() { [ "$(wc -l <"$desk/page.seen")" -gt "$1" ]; }
# How the value of the cookie begins on the disk: `v11` if its key is in a keyring, `v10` if it is in Chromium itself.
cookie_begins() {
    /usr/bin/python3 - "$desk/profile/Default" <<-'END'
	import pathlib, sqlite3, sys
	path = next(p for p in map(pathlib.Path(sys.argv[1]).joinpath, ("Network/Cookies", "Cookies")) if p.exists())
	row = sqlite3.connect(path).execute("select encrypted_value from cookies where name = 'judged'").fetchone()
	print(bytes(row[0][:3]).decode("latin-1") if row else "nothing")
	END
}
# A cookie is written half a minute after it came.
written() { [ "$(cookie_begins)" != nothing ]; }
chromium_keeps() {
    patience=600 browse until_true written
    same "$(cookie_begins)" v11
}
chromium_reads() {
    browse true
    same "$(tail -n 1 "$desk/page.seen")" 'judged=kept-in-the-browser'
}
chromium_misses() {
    browse true
    same "$(tail -n 1 "$desk/page.seen")" none
}

# pinentry-gnome3 asks in a window of gcr's, in which the owner ticks that the passphrase is to be kept. Then it is asked nothing more.
ask_pinentry() {
    printf 'OPTION allow-external-password-cache\nSETKEYINFO n/0123456789ABCDEF0123456789ABCDEF01234567\nSETDESC Judged\nGETPIN\nBYE\n' |
        on_display timeout 40 pinentry-gnome3 --display ":$(cat "$desk/display")"
}
prompter_up() {
    [ ! -f "$desk/prompter.pid" ] || gone "$(cat "$desk/prompter.pid")" || return 0
    on_display begin prompter /usr/libexec/gcr-prompter
    until_true owner_of org.gnome.keyring.SystemPrompter
}
pinentry_keeps() {
    prompter_up
    (
        sleep 3
        on_display xdotool type --delay 50 'of pinentry'
        # The tick's place is after the field's.
        on_display xdotool key --delay 200 Tab space Tab Tab Return
    ) &
    ask_pinentry | grep -qx 'D of pinentry'
    wait
}
pinentry_reads() {
    local said
    said=$(ask_pinentry)
    grep -qx 'D of pinentry' <<<"$said" && grep -q PASSWORD_FROM_CACHE <<<"$said" || { echo "$said"; return 1; }
}

# The functions with which Evolution's server and its accounts keep their passwords.
evolution() { "$judges/evolution" "$@"; }
evolution_keeps() { evolution keep 'of evolution'; }
evolution_reads() { same "$(evolution read)" 'of evolution'; }

# The real portal, with the judged provider as its backend. It asks in the name of a program in a sandbox, as Flatpak makes one.
portal_up() {
    [ ! -f "$desk/portal.pid" ] || gone "$(cat "$desk/portal.pid")" || return 0
    mkdir -p -- "$desk/portals"
    printf '[portal]\nDBusName=org.freedesktop.secrets\nInterfaces=org.freedesktop.impl.portal.Secret\nUseIn=judged\n' \
        >"$desk/portals/judged.portal"
    begin permissions /usr/libexec/xdg-permission-store
    XDG_CURRENT_DESKTOP=judged XDG_DESKTOP_PORTAL_DIR=$desk/portals begin portal /usr/libexec/xdg-desktop-portal
    until_true owner_of org.freedesktop.portal.Desktop
}
retrieve() {
    portal_up
    printf '[Application]\nname=org.example.Judged\n\n[Instance]\ninstance-id=1\n' >"$desk/flatpak-info"
    # A root of its own: whatever bwrap binds something to, it makes, and in the machine's own root that file would stay.
    bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --ro-bind /etc /etc \
        --proc /proc --dev /dev --bind "$desk" "$desk" --ro-bind "$judges" "$judges" \
        --ro-bind "$desk/flatpak-info" /.flatpak-info "$judges/retrieve"
}
portal_keeps() {
    retrieve >"$desk/retrieved"
    # A secret of a few bytes would protect nothing.
    [ "$(wc -c <"$desk/retrieved")" -ge 65 ]
}
portal_reads() { same "$(retrieve)" "$(cat "$desk/retrieved")"; }
