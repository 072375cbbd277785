# The processes of a desktop for judges, in a folder of their own: a session bus, a provider of org.freedesktop.secrets, and what that
# needs. To be sourced; `desk FOLDER` says where. $JUDGED says which provider: thumbturn, or gnome-keyring to check a judge itself.
#
# Nothing is activated on that bus, so what was stopped stays away. Each process ends with the shell that started it.

JUDGED=${JUDGED:-thumbturn}
# Where our programs are.
THUMBTURN_BIN=${THUMBTURN_BIN:-}
THUMBTURN_JUDGES=${THUMBTURN_JUDGES:-${XDG_CACHE_HOME:-$HOME/.cache}/thumbturn/judges}
judges=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# How long anything here may take to come up or to go, in tenths of a second: a busy machine's, not what it takes.
patience=200

# Makes the folder a home without anything of anybody's in it, and this shell's.
desk() {
    desk=$1
    mkdir -p -m 0700 -- "$desk"/{home,run,state,services}
    export HOME=$desk/home XDG_RUNTIME_DIR=$desk/run XDG_DATA_HOME=$desk/home/data XDG_CONFIG_HOME=$desk/home/config \
        XDG_CACHE_HOME=$desk/home/cache DBUS_SESSION_BUS_ADDRESS=unix:path=$desk/run/bus THUMBTURN_SOCKET=$desk/run/device
    unset DISPLAY WAYLAND_DISPLAY XAUTHORITY GNOME_KEYRING_CONTROL SECRET_SERVICE_BUS_NAME
}

# Waits until a command succeeds.
until_true() {
    local turn
    for ((turn = 0; turn < patience; turn++)); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    echo "judges: waited for nothing: $*" >&2
    return 1
}

# Starts a process under a name, so that it ends with this shell and by that name.
begin() {
    local name=$1
    shift
    setpriv --pdeathsig KILL "$@" >>"$desk/$name.log" 2>&1 <>"${input:-/dev/null}" &
    echo $! >"$desk/$name.pid"
    # Its end is nothing that the shell should talk about.
    disown
}

# Ends it and returns once it is gone; the signal is TERM, unless another is given.
finish() {
    local pid
    [ -f "$desk/$1.pid" ] || return 0
    pid=$(cat "$desk/$1.pid")
    rm -f -- "$desk/$1.pid"
    kill -"${2:-TERM}" "$pid" 2>/dev/null || return 0
    until_true gone "$pid"
}
gone() {
    # A child that has ended and whose end nobody has asked for is gone.
    [ ! -d "/proc/$1" ] || grep -q '^State:[[:space:]]*Z' "/proc/$1/status"
}

bus_up() {
    cat >"$desk/bus.conf" <<-END
	<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
	<busconfig>
	  <type>session</type>
	  <listen>unix:path=$desk/run/bus</listen>
	  <servicedir>$desk/services</servicedir>
	  <policy context="default">
	    <allow send_destination="*" eavesdrop="true"/>
	    <allow eavesdrop="true"/>
	    <allow own="*"/>
	  </policy>
	  <limit name="max_incoming_bytes">1000000000</limit>
	  <limit name="max_outgoing_bytes">1000000000</limit>
	  <limit name="max_message_size">1000000000</limit>
	  <limit name="reply_timeout">600000</limit>
	</busconfig>
	END
    rm -f -- "$desk/run/bus"
    begin bus dbus-daemon --nofork --nopidfile --config-file="$desk/bus.conf"
    until_true test -S "$desk/run/bus"
}

# The unique name of whoever owns a name; fails if nobody does.
owner_of() {
    dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus /org/freedesktop/DBus \
        org.freedesktop.DBus.GetNameOwner string:"$1" 2>/dev/null | tr -d '[:space:]' | grep .
}

provider_up() {
    case $JUDGED in
    thumbturn) begin provider "$THUMBTURN_BIN/thumbturn-secrets" --bus "unix:path=$desk/run/bus" ;;
    gnome-keyring)
        # It reads the login keyring's password from its input.
        mkdir -p -m 0700 -- "$desk/run/keyring"
        printf judges >"$desk/password"
        input=$desk/password begin provider gnome-keyring-daemon --foreground --unlock --components=secrets \
            --control-directory="$desk/run/keyring"
        ;;
    *)
        echo "judges: there is no provider $JUDGED" >&2
        return 64
        ;;
    esac
    until_true owner_of org.freedesktop.secrets
}
provider_down() { finish provider "$@"; }

# Our provider needs a daemon. This one has its store on the disk, as a user's has, and nobody to ask.
daemon_up() {
    [ "$JUDGED" = thumbturn ] || return 0
    rm -f -- "$desk/run/device"
    begin daemon "$THUMBTURN_BIN/thumbturnd" --serve --socket "$desk/run/device" --state "$desk/state" --bus none
    until_true test -S "$desk/run/device"
}
daemon_down() { finish daemon "$@"; }

# A simulated device instead, whose owner approves everything until told otherwise (`owner VERB…`). What it keeps goes with it.
simulated_up() {
    [ "$JUDGED" = thumbturn ] || return 0
    mkdir -p -m 0700 -- "$desk/simulated"
    export THUMBTURN_SOCKET=$desk/simulated/socket
    mkfifo "$desk/simulated.end"
    # It ends with its input.
    input=$desk/simulated.end begin simulated "$THUMBTURN_BIN/thumbturn-simulator" --folder "$desk/simulated" "$@"
    until_true test -S "$desk/simulated/control"
}
simulated_down() { finish simulated "$@"; }
owner() { "$THUMBTURN_BIN/thumbturn" simulate control "$@"; }

all_down() {
    local name
    for name in provider daemon simulated bus; do finish "$name" KILL; done
}
